#include "core/score/analysis/overfull_voices.hpp"
#include "core/score/edit/append.hpp"
#include "core/score/edit/edit.hpp"
#include "core/score/model/draft.hpp"
#include "core/score/model/placing.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/model/wording.hpp"
#include "core/score/repair/hairpin_numbers.hpp"
#include "core/score/repair/overlapping_spanners.hpp"
#include "core/score/repair/repair.hpp"
#include "core/score/repair/repair_tuplets.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace fermata {

namespace {

using outcome = tl::expected<void, error>;

/// Items by part and measure, each once.
using chosen_items = std::map<std::size_t, std::map<std::size_t, std::set<std::size_t>>>;

result<chosen_items> chosen(const score& s, const std::vector<item_location>& which) {
  chosen_items found;
  for (auto& at : which) {
    if (at.part >= s.parts.size() || at.measure >= s.parts[at.part]->measures.size() ||
        at.item >= s.parts[at.part]->measures[at.measure]->items.size())
      return fail({errc::no_such_target,
                   "the selection was made for an earlier version of the score",
                   {},
                   "select again"});
    found[at.part][at.measure].insert(at.item);
  }
  return found;
}

time_signature metre(const part& p, std::size_t m) {
  return time_in_force(p, m).value_or(time_signature{});
}

std::vector<spanner> bracket_ends(const chord_rest& x) {
  std::vector<spanner> ends;
  for (auto& n : x.notes)
    for (auto& s : n.spanners)
      if (s.kind == spanner_kind::tuplet) ends.push_back(s);
  return ends;
}

/// What remains of a note that was taken away: its time, and the brackets of tuplets it stands in.
chord_rest silence(const chord_rest& x) {
  chord_rest r = x;
  r.cue = false;
  note n;
  n.tone = rest{};
  n.spanners = bracket_ends(x);
  r.notes.clear();
  r.notes.push_back(std::move(n));
  return r;
}

/// Beams of a voice are computed anew once one of its notes is gone.
void forget_beams(measure& m, const std::string& voice) {
  for (auto& item : m.items)
    if (auto* x = std::get_if<chord_rest>(&item.content); x && x->voice == voice)
      for (auto& n : x->notes)
        n.beams.clear();
}

/// A voice that is nothing but rests becomes one whole-measure rest.
void unite_rests(measure& m, const std::string& voice, const time_signature& t) {
  auto full = measure_length(t);
  quarters sum;
  std::uint8_t staff = 1;
  bool staff_given = false;
  for (auto& item : m.items)
    if (auto* x = std::get_if<chord_rest>(&item.content); x && x->voice == voice) {
      if (!is_rest(*x)) return;
      sum += x->length;
      staff = x->staff;
      staff_given = x->staff_given;
    }
  if (sum != full || full == quarters{}) return;
  auto first = std::find_if(m.items.begin(), m.items.end(), [&](auto& item) {
    auto* x = std::get_if<chord_rest>(&item.content);
    return x && x->voice == voice;
  });
  measure only_rest;
  place_rests(only_rest, voice, staff, {}, measure_position{} + full, t);
  std::get<chord_rest>(only_rest.items.front().content).staff_given = staff_given;
  auto place = first - m.items.begin();
  erase_if(m.items, [&](auto& item) {
    auto* x = std::get_if<chord_rest>(&item.content);
    return x && x->voice == voice;
  });
  m.items.insert(m.items.begin() + place, only_rest.items.front());
}

/// A rest of no length, which no music has: it keeps the place of a voice among the others while
/// all its notes are away.
measure_item place_keeper(const std::string& voice, measure_position at) {
  chord_rest x;
  x.voice = voice;
  note n;
  n.tone = rest{};
  x.notes.push_back(std::move(n));
  return {at, std::move(x)};
}
/// Takes the items that `goes` says of out of a measure. The voice's place is kept if nothing of it
/// stays; true then.
template <class Goes>
bool take_out(measure& m, const std::string& voice, Goes goes) {
  auto& items = m.items.own();
  std::optional<measure_item> keeper;
  std::size_t place = 0;
  bool stays = false;
  for (auto i = items.size(); i-- > 0;) {
    auto* x = std::get_if<chord_rest>(&items[i].content);
    auto in_voice = x && x->voice == voice;
    if (!goes(i)) {
      stays |= in_voice;
      continue;
    }
    if (in_voice) {
      keeper = place_keeper(voice, items[i].at);
      place = i;
    } else if (place > i) {
      --place;
    }
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (stays || !keeper) return false;
  items.insert(items.begin() + static_cast<std::ptrdiff_t>(place), std::move(*keeper));
  return true;
}

/// A note value that is put in the place of one in a tuplet is meant as the values beside it are.
void join_tuplet(chord_rest& made, const chord_rest& was) {
  if (!was.tuplet || made.tuplet || made.grace || !made.written || made.notes.empty()) return;
  if (made.length != length(*made.written)) return;
  made.tuplet = was.tuplet;
  made.length = quarters{made.length.value * rational{was.tuplet->normal, was.tuplet->actual}};
  if (bracket_ends(made).empty())
    for (auto& s : bracket_ends(was))
      made.notes.front().spanners.push_back(s);
}

/// Another value than the one that stood there says which value the tuplet counts.
void say_counted_value(chord_rest& made, const chord_rest& was) {
  if (!made.tuplet || !was.tuplet || made.tuplet->normal_type || !was.written ||
      made.tuplet->actual != was.tuplet->actual || made.written == was.written)
    return;
  made.tuplet->normal_type = note_value{was.written->base, 0};
}

/// What a note left open that became shorter in its place.
struct gap {
  std::size_t part, measure;
  chord_rest was;
  measure_position from, to;
};

/// In a tuplet, rests that divide time as it does; the last of them gets the end of a bracket that
/// the shorter note had.
void fill_in_tuplet(measure& m, const gap& g) {
  auto rests = silence(g.was);
  rests.notes.front().spanners.clear();
  auto open = g.to - g.from;
  auto ratio = rational{g.was.tuplet->normal, g.was.tuplet->actual};
  auto values = tied_note_values(quarters{open.value / ratio});
  auto at = g.from;
  auto place = [&](quarters length, std::optional<note_value> value) {
    rests.length = length;
    rests.written = value;
    rests.tuplet = g.was.tuplet;
    say_counted_value(rests, g.was);
    if (at + length == g.to)
      for (auto& item : m.items.own()) {
        auto* x = std::get_if<chord_rest>(&item.content);
        if (!x || x->grace || x->voice != g.was.voice || item.at + g.was.length != g.to) continue;
        if (item.at == g.from) continue;
        for (auto& n : x->notes)
          std::erase_if(n.spanners, [&](auto& s) {
            auto goes = s.kind == spanner_kind::tuplet && s.end == span_end::stop;
            if (goes) rests.notes.front().spanners.push_back(s);
            return goes;
          });
      }
    place_timed(m, at, rests);
    at += length;
  };
  if (values.empty()) place(open, std::nullopt);
  // Short ones first, as they are written behind something short.
  for (auto value = values.rbegin(); value != values.rend(); ++value)
    place(quarters{length(*value).value * ratio}, *value);
}

/// Lines that an edit wrote into measures [first, end) of a part, which kept their places: under a
/// line of the same number they get one of their own. `before` has what stood there and stayed.
void tell_new_lines_apart(score_draft& draft, std::size_t p, const part& before, std::size_t first,
                          std::size_t end) {
  number_new_hairpins(draft);
  // Brackets of tuplets are repaired by themselves.
  auto lines_in = [](const part& of, std::size_t from, std::size_t to) {
    auto ends = spanner_ends(of, from, to);
    std::erase_if(ends, [](const spanner_end_place& e) { return e.kind == spanner_kind::tuplet; });
    return ends;
  };
  auto fresh = lines_in(draft.view(p), first, end);
  // What is put at the same place comes after what stands there.
  for (auto& old : lines_in(before, first, end)) {
    auto same = std::find_if(fresh.begin(), fresh.end(),
                             [&](const spanner_end_place& e) { return same_end(e, old); });
    if (same != fresh.end()) fresh.erase(same);
  }
  auto came = pair_spanners(fresh).pairs;
  if (came.empty()) return;
  auto stayed = pair_spanners(lines_in(before, 0, before.measures.size())).pairs;
  std::vector<spanner_end_place> orphans;
  for (auto& [start, stop] : renumber_overlapping_spanners(draft, p, stayed, std::move(came)))
    orphans.insert(orphans.end(), {start, stop});
  erase_ends(draft, p, std::move(orphans));
}

/// Faults that the edit brought into a measure; what was overfull before may stay so.
outcome check(const score& s, std::size_t p, std::size_t m, const measure& before) {
  auto t = metre(*s.parts[p], m);
  auto& now = *s.parts[p]->measures[m];
  auto old_faults = overfull_voices(before, measure_length(t));
  std::optional<error> faults;
  for (auto& f : overfull_voices(now, measure_length(t))) {
    bool was_there = std::any_of(old_faults.begin(), old_faults.end(), [&](auto& o) {
      return o.kind == f.kind && o.voice == f.voice && o.amount >= f.amount;
    });
    if (was_there) continue;
    if (!faults) faults.emplace();
    faults->diagnostics.push_back({errc::overfull_measure,
                                   place_name(s, p, m) + ": " + in_words(f, now, t),
                                   {},
                                   "shorten something, or move it to the next measure"});
  }
  if (faults) return fail(*faults);
  return {};
}

}  // namespace

result<score_ptr> delete_items(const score_ptr& s, const std::vector<item_location>& which) {
  auto selection = chosen(*s, which);
  if (!selection) return tl::unexpected(selection.error());
  score_draft draft{s};
  for (auto& [p, measures] : *selection) {
    auto& before = *s->parts[p];
    auto first = measures.begin()->first, end = measures.rbegin()->first + 1;
    auto& chosen_in = measures;
    cut_lines(
        draft, p, before, first, end,
        [&](std::size_t m, std::size_t i) {
          auto found = chosen_in.find(m);
          return found != chosen_in.end() && found->second.contains(i);
        },
        tuplet_brackets::keep);
    for (auto& [m, items] : measures) {
      auto& now = draft.open(p, m);
      std::set<std::string> voices_hit;
      std::set<std::size_t> gone;
      for (auto i : items) {
        auto* x = std::get_if<chord_rest>(&now.items[i].content);
        if (x && !x->grace && x->length > quarters{}) {
          voices_hit.insert(x->voice);
          *x = silence(std::get<chord_rest>(before.measures[m]->items[i].content));
        } else {
          gone.insert(i);
        }
      }
      for (auto i = gone.rbegin(); i != gone.rend(); ++i)
        now.items.erase(now.items.begin() + static_cast<std::ptrdiff_t>(*i));
      for (auto& v : voices_hit) {
        forget_beams(now, v);
        unite_rests(now, v, metre(before, m));
      }
    }
    repair_tuplets(draft, p, before, first, end);
  }
  draft.for_each_written(drop_empty_directions);
  return draft.finish();
}

result<score_ptr> replace_items(const score_ptr& s, const std::vector<item_location>& which,
                                const std::vector<measure_content>& line) {
  auto selection = chosen(*s, which);
  if (!selection) return tl::unexpected(selection.error());
  auto misplaced = [](std::string message, std::string hint) {
    return fail({errc::misplaced, std::move(message), {}, std::move(hint)});
  };
  if (selection->empty())
    return fail({errc::no_such_target, "nothing is selected to be replaced", {}, {}});
  if (selection->size() > 1)
    return misplaced("the selection spans several parts", "select one part");
  auto& [p, measures] = *selection->begin();
  auto& before = *s->parts[p];

  // The stretch of one voice that is replaced.
  score_cursor at;
  at.part = p;
  bool found = false, staff_given = false;
  std::size_t last_measure = 0;
  measure_position last_end;
  for (auto& [m, items] : measures)
    for (auto i : items) {
      auto& item = before.measures[m]->items[i];
      auto* x = std::get_if<chord_rest>(&item.content);
      if (!x) continue;
      if (found && x->voice != at.voice)
        return misplaced(place_name(*s, p, m) + ": the selection spans voices " + at.voice +
                             " and " + x->voice,
                         "select one voice");
      if (!found || std::pair{m, item.at} < std::pair{at.measure, at.position}) {
        at.measure = m;
        at.position = item.at;
        at.staff = x->staff;
        staff_given = x->staff_given;
      }
      at.voice = x->voice;
      auto end = item.at + x->length;
      if (!found || std::pair{m, end} > std::pair{last_measure, last_end}) {
        last_measure = m;
        last_end = end;
      }
      found = true;
    }
  if (!found) {
    // No notes: marks replace marks, each at the place of the first.
    auto m = measures.begin()->first;
    auto& item = before.measures[m]->items[*measures.begin()->second.begin()];
    for (auto& c : line)
      if (std::holds_alternative<chord_rest>(c))
        return misplaced(place_name(*s, p, m) + ": notes cannot replace marks",
                         "select notes or rests of one voice");
    at.measure = m;
    at.position = item.at;
    auto taken = delete_items(s, which);
    if (!taken) return taken;
    auto put = append_content(*taken, at, {}, line);
    if (!put) return tl::unexpected(put.error());
    return put->score;
  }
  quarters available = last_end - at.position, needed;
  for (auto m = at.measure; m < last_measure; ++m)
    available += extent(*before.measures[m]);
  for (auto& c : line)
    if (auto* x = std::get_if<chord_rest>(&c); x && !x->grace) needed += x->length;
  if (needed > available)
    return fail({errc::overfull_measure,
                 place_name(*s, p, last_measure) + ": the new music is " +
                     length_in_words(needed - available) + " longer than the music it replaces",
                 {},
                 "shorten it, or select more"});
  // Take everything of the voice in the stretch away, if all of it is selected.
  score_draft draft{s};
  auto in_stretch = [&](std::size_t m, const measure_item& item) {
    auto* x = std::get_if<chord_rest>(&item.content);
    return x && x->voice == at.voice &&
           std::pair{m, item.at} >= std::pair{at.measure, at.position} &&
           std::pair{m, item.at} < std::pair{last_measure, last_end};
  };
  for (auto m = at.measure; m <= last_measure; ++m)
    for (std::size_t i = 0; i < before.measures[m]->items.size(); ++i) {
      auto& item = before.measures[m]->items[i];
      if (in_stretch(m, item) && !(measures.contains(m) && measures.at(m).contains(i)) &&
          !is_rest(std::get<chord_rest>(item.content)))
        return misplaced(place_name(*s, p, m) + ": " + name_of(std::get<chord_rest>(item.content)) +
                             " lies between the selected notes",
                         "select adjacent notes");
    }
  auto goes = [&, &measures = measures](std::size_t m, std::size_t i) {
    auto& item = before.measures[m]->items[i];
    return in_stretch(m, item) || (measures.contains(m) && measures.at(m).contains(i));
  };
  cut_lines(draft, p, before, at.measure, last_measure + 1, goes, tuplet_brackets::keep);
  std::set<std::size_t> emptied;
  for (auto m = at.measure; m <= last_measure; ++m) {
    auto& now = draft.open(p, m);
    if (take_out(now, at.voice, [&](std::size_t i) { return goes(m, i); })) emptied.insert(m);
    drop_empty_directions(now);
    forget_beams(now, at.voice);
  }
  score_defaults defaults;
  defaults.time = metre(before, at.measure);
  auto written = line;
  for (auto& c : written)
    if (auto* x = std::get_if<chord_rest>(&c); x && !x->staff_given) {
      x->staff = at.staff;
      x->staff_given = staff_given;
    }
  auto cut = draft.finish();
  auto put = append_in_edit(cut, at, defaults, written);
  if (!put) return tl::unexpected(put.error());
  auto& end = put->cursor;
  // Rests fill what the new music leaves open.
  score_draft filled{put->score};
  auto position = end.position;
  for (auto m = end.measure; m <= last_measure; ++m) {
    auto t = metre(*put->score->parts[p], m);
    auto& old = *before.measures[m];
    auto until = m == last_measure ? last_end : measure_position{} + extent(old);
    place_rests(filled.open(p, m), at.voice, at.staff, position, until, t);
    position = {};
  }
  tell_new_lines_apart(filled, p, *cut->parts[p], at.measure, last_measure + 1);
  for (auto m : emptied)
    erase_if(filled.open(p, m).items, [&](const measure_item& item) {
      auto* x = std::get_if<chord_rest>(&item.content);
      return x && x->voice == at.voice && !x->grace && x->length == quarters{};
    });
  repair_tuplets(filled, p, before, at.measure, last_measure + 1);
  filled.for_each_written(settle_right_barlines);
  for (auto m = at.measure; m <= last_measure; ++m)
    if (auto ok = check(filled.view(), p, m, *before.measures[m]); !ok)
      return tl::unexpected(ok.error());
  return filled.finish();
}

result<score_ptr> edit_items(
    const score_ptr& s, const std::vector<item_location>& which,
    const std::function<result<measure_content>(const measure_content&)>& change) {
  auto selection = chosen(*s, which);
  if (!selection) return tl::unexpected(selection.error());
  score_draft draft{s};
  std::vector<gap> gaps;
  for (auto& [p, measures] : *selection)
    for (auto& [m, items] : measures) {
      auto& before = *s->parts[p]->measures[m];
      for (auto i : items) {
        auto made = change(before.items[i].content);
        if (!made) return tl::unexpected(made.error());
        if (*made == before.items[i].content) continue;
        auto& now = draft.open(p, m);
        auto* was = std::get_if<chord_rest>(&before.items[i].content);
        auto* is = std::get_if<chord_rest>(&*made);
        if (is && !was)
          return fail({errc::misplaced,
                       place_name(*s, p, m) + ": only notes and rests can be replaced with notes",
                       {},
                       "select notes or rests"});
        if (is) {
          join_tuplet(*is, *was);
          say_counted_value(*is, *was);
        }
        bool rhythm_changed =
            was && is && (was->length != is->length || was->written != is->written);
        auto lasts = is ? is->length : quarters{};
        if (was && lasts < was->length)
          gaps.push_back(
              {p, m, *was, before.items[i].at + lasts, before.items[i].at + was->length});
        now.items[i].content = std::move(*made);
        if (rhythm_changed) forget_beams(now, was->voice);
      }
    }
  // Before barlines are settled: places are still those of the score before.
  for (auto& [p, measures] : *selection)
    for (auto& [m, items] : measures)
      for (auto i : items)
        repair_ties(draft, p, *s->parts[p], m, i);
  // What got shorter leaves rests.
  for (auto& g : gaps)
    if (auto& m = draft.open(g.part, g.measure); g.was.tuplet)
      fill_in_tuplet(m, g);
    else
      place_rests(
          m, g.was.voice, g.was.staff, g.from, g.to,
          time_in_force(draft.view(g.part), g.measure, g.was.staff).value_or(time_signature{}));
  for (auto& [p, measures] : *selection) {
    auto first = measures.begin()->first, end = measures.rbegin()->first + 1;
    tell_new_lines_apart(draft, p, *s->parts[p], first, end);
    repair_tuplets(draft, p, *s->parts[p], first, end);
  }
  draft.for_each_written(settle_right_barlines);
  for (auto& [p, measures] : *selection)
    for (auto& [m, items] : measures)
      if (auto ok = check(draft.view(), p, m, *s->parts[p]->measures[m]); !ok)
        return tl::unexpected(ok.error());
  return draft.finish();
}

}  // namespace fermata
