#include "core/score/edit/edit.hpp"
#include "core/score/edit/item_selection.hpp"
#include "core/score/model/draft.hpp"
#include "core/score/model/placing.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/model/wording.hpp"
#include "core/score/repair/repair.hpp"
#include "core/score/repair/repair_tuplets.hpp"

#include <algorithm>
#include <set>

namespace fermata {

namespace {

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

}  // namespace

result<score_ptr> delete_items(const score_ptr& s, const std::vector<item_location>& which) {
  auto selection = grouped_by_part(*s, which);
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
        unite_rests(now, v, time_or_default(before, m));
      }
    }
    repair_tuplets(draft, p, before, first, end);
  }
  draft.for_each_written(drop_empty_directions);
  return draft.finish();
}

result<score_ptr> edit_items(
    const score_ptr& s, const std::vector<item_location>& which,
    const std::function<result<measure_content>(const measure_content&)>& change) {
  auto selection = grouped_by_part(*s, which);
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
    renumber_new_spanners(draft, p, *s->parts[p], first, end);
    repair_tuplets(draft, p, *s->parts[p], first, end);
  }
  draft.for_each_written(settle_right_barlines);
  for (auto& [p, measures] : *selection)
    for (auto& [m, items] : measures)
      if (auto ok = check_voice_lengths(draft.view(), p, m, *s->parts[p]->measures[m]); !ok)
        return tl::unexpected(ok.error());
  return draft.finish();
}

}  // namespace fermata
