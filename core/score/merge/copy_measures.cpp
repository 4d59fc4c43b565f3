#include "core/score/merge/copy_measures.hpp"

#include "core/score/analysis/passages.hpp"
#include "core/score/model/draft.hpp"
#include "core/score/model/placing.hpp"
#include "core/score/model/spanners.hpp"
#include "core/score/model/ties.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/model/wording.hpp"
#include "core/score/repair/overlapping_spanners.hpp"
#include "core/score/repair/repair.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace fermata {

namespace {

using line = standing_line;

/// What was done at the edges.
struct repairs {
  std::map<std::pair<std::size_t, std::string>, int> left_out;  ///< "slur out of", how many
  std::set<std::pair<std::size_t, std::string>> changed;        ///< "begins with 3/4"
};

/// One part, with measures of its other state put in.
class taking {
public:
  taking(score_draft& draft, std::size_t p, const part& before, const part& other,
         const std::vector<copied_stretch>& stretches)
    : draft_(draft), p_(p), before_(before), other_(other) {
    std::size_t grown = 0, shrunk = 0;
    for (auto& x : stretches) {
      places_.push_back({x, x.first + grown - shrunk});
      grown += x.put;
      shrunk += x.lost;
    }
  }

  void take() {
    auto& measures = draft_.open(p_).measures;
    for (auto& at : places_) {
      std::vector<measure_ptr> put(
          other_.measures.begin() + static_cast<std::ptrdiff_t>(at.was.other_first),
          other_.measures.begin() + static_cast<std::ptrdiff_t>(at.was.other_first + at.was.put));
      measures.replace(at.first, at.was.lost, put);
    }
    repair_lines_at_edges();
    repair_ties_at_edges();
    for (auto& at : places_) {
      repair_beams(at.first);
      repair_beams(at.end());
      repair_context(at);
    }
    repair_passages();
  }

  const repairs& repaired() const { return repaired_; }

private:
  struct place {
    copied_stretch was;
    std::size_t first;  ///< as the measures stand now
    std::size_t end() const { return first + was.put; }
  };

  const part& now() const { return draft_.view(p_); }
  /// The stretch that a measure of the part before, or of its other state, lies in.
  const place* lost_in(std::size_t m) const {
    for (auto& at : places_)
      if (m >= at.was.first && m < at.was.first + at.was.lost) return &at;
    return nullptr;
  }
  const place* put_in(std::size_t m) const {
    for (auto& at : places_)
      if (m >= at.was.other_first && m < at.was.other_first + at.was.put) return &at;
    return nullptr;
  }
  /// Where measures stand now: those of the part before that stayed, and those of the other state;
  /// what did not come of it where it would stand beside what came.
  std::size_t from_before(std::size_t m) const {
    auto moved = m;
    for (auto& at : places_)
      if (m >= at.was.first + at.was.lost) moved = m - (at.was.first + at.was.lost) + at.end();
    return moved;
  }
  std::size_t from_other(std::size_t m) const {
    auto& first = places_.front();
    auto moved = m + first.first - first.was.other_first;
    for (auto& at : places_)
      if (m >= at.was.other_first) moved = m - at.was.other_first + at.first;
    return moved;
  }

  // --- lines ---

  static spanner_end_place moved(spanner_end_place e, std::size_t measure) {
    e.measure = measure;
    return e;
  }

  /// A line of which one end is not there now.
  struct half {
    spanner_end_place here;   ///< as it stands now
    spanner_end_place away;   ///< where it would stand now
    std::vector<tone> tones;  ///< of the end in what stays, or that would stand there
  };
  static std::vector<tone> tones_at(const part& p, const spanner_end_place& e) {
    std::vector<tone> tones;
    if (auto* x = std::get_if<chord_rest>(&p.measures[e.measure]->items[e.item].content))
      for (auto& n : x->notes)
        tones.push_back(n.tone);
    return tones;
  }
  /// Begins and ends where the other one does, or what stays of it is on the same notes.
  static bool is_one(const half& stayed, const half& came) {
    auto &lost = stayed.away, &put = came.here;
    return same_end(stayed.here, came.away) && (stayed.tones == came.tones || same_end(lost, put));
  }

  void repair_lines_at_edges() {
    // Lines that had their other end in what is gone or did not come.
    std::vector<half> outer, inner;
    for (auto& [start, stop] : all_lines(before_))
      if (auto* a = lost_in(start.measure), *b = lost_in(stop.measure); !a != !b) {
        auto &e = a ? stop : start, &lost = a ? start : stop;
        auto* at = a ? a : b;
        outer.push_back({moved(e, from_before(e.measure)),
                         moved(lost, lost.measure - at->was.first + at->first),
                         tones_at(before_, e)});
      }
    for (auto& [start, stop] : all_lines(other_))
      if (!put_in(start.measure) != !put_in(stop.measure)) {
        auto& e = put_in(start.measure) ? start : stop;
        auto& left = put_in(start.measure) ? stop : start;
        inner.push_back({moved(e, from_other(e.measure)), moved(left, from_other(left.measure)),
                         tones_at(other_, left)});
      }
    // A line that both have: the end that did not come stands where the one that is here does.
    std::vector<line> joined;
    std::erase_if(inner, [&](auto& x) {
      auto same = std::find_if(outer.begin(), outer.end(), [&](auto& o) { return is_one(o, x); });
      if (same == outer.end()) return false;
      joined.emplace_back(x.here.start ? x.here : same->here, x.here.start ? same->here : x.here);
      outer.erase(same);
      return true;
    });
    auto loose = number_lines(std::move(joined));
    for (auto& ends : {outer, inner})
      for (auto& x : ends)
        loose.push_back(x.here);
    for (auto& e : loose)
      ++repaired_
            .left_out[{e.measure, std::string{name_of(e.kind)} + (e.start ? " out of" : " into")}];
    erase_ends(draft_, p_, std::move(loose));
  }

  static std::vector<line> all_lines(const part& p) {
    return pair_spanners(spanner_ends(p, 0, p.measures.size())).pairs;
  }

  /// The ends of those that cannot be told from what stays.
  std::vector<spanner_end_place> number_lines(std::vector<line> stayed) {
    std::vector<line> came;
    for (auto& [start, stop] : all_lines(before_))
      if (!lost_in(start.measure) && !lost_in(stop.measure))
        stayed.emplace_back(moved(start, from_before(start.measure)),
                            moved(stop, from_before(stop.measure)));
    for (auto& [start, stop] : all_lines(other_))
      if (put_in(start.measure) && put_in(stop.measure))
        came.emplace_back(moved(start, from_other(start.measure)),
                          moved(stop, from_other(stop.measure)));
    std::vector<spanner_end_place> ends;
    for (auto& [start, stop] : renumber_overlapping_spanners(draft_, p_, stayed, std::move(came)))
      ends.insert(ends.end(), {start, stop});
    return ends;
  }

  // --- ties ---

  /// Measures at the edges: the taken ones beside them, and those that a tie leads to from there.
  std::set<std::size_t> near_edges() const {
    std::set<std::size_t> near;
    auto size = now().measures.size();
    for (auto& at : places_)
      for (auto edge : {at.first, at.end()})
        for (auto m : {edge, edge + 1})
          if (m > 0 && m - 1 < size) near.insert(m - 1);
    for (auto m = now().measures.next_ending(0); m < size; m = now().measures.next_ending(m + 1))
      if (starts_ending(*now().measures[m])) {
        near.insert(m);
        if (m > 0) near.insert(m - 1);
      }
    return near;
  }

  void repair_ties_at_edges() {
    // Starts first: a stop whose start goes leads nowhere.
    for (auto end : {span_end::start, span_end::stop})
      for (auto m : near_edges())
        for (std::size_t i = 0; i < now().measures[m]->items.size(); ++i) {
          auto* x = std::get_if<chord_rest>(&now().measures[m]->items[i].content);
          for (std::size_t n = 0; x && n < x->notes.size(); ++n) {
            note_place at{m, i, n};
            if (!is_loose(now(), at, end) || is_loose_at_home(at, end)) continue;
            untie(draft_, p_, at, end);
            ++repaired_.left_out[{m, end == span_end::start ? "tie out of" : "tie into"}];
            x = std::get_if<chord_rest>(&now().measures[m]->items[i].content);
          }
        }
  }
  static bool is_loose(const part& p, const note_place& at, span_end end) {
    auto& tie = note_at(p, at).tie;
    return end == span_end::start ? tie.start && !tied_to(p, at) : tie.stop && !tied_from(p, at);
  }
  /// It led nowhere in the score that it comes from.
  bool is_loose_at_home(const note_place& at, span_end end) const {
    auto m = at.measure;
    for (auto& x : places_) {
      if (at.measure >= x.first && at.measure < x.end())
        return is_loose(other_, {at.measure - x.first + x.was.other_first, at.item, at.note}, end);
      if (at.measure >= x.end()) m = at.measure - x.end() + x.was.first + x.was.lost;
    }
    return is_loose(before_, {m, at.item, at.note}, end);
  }

  // --- beams ---

  /// Beams of each voice that are open at the end of a measure, or come from before it.
  using open_beams = std::map<std::string, std::set<int>>;
  static open_beams beams_of(const measure& m, bool at_end) {
    open_beams open, from_before;
    std::set<std::pair<std::string, int>> begun;
    for (auto& item : m.items)
      if (auto* x = std::get_if<chord_rest>(&item.content); x && !x->grace)
        for (auto& n : x->notes)
          for (auto& b : n.beams) {
            auto first = begun.emplace(x->voice, b.number).second;
            if (first && (b.value == "continue" || b.value == "end"))
              from_before[x->voice].insert(b.number);
            if (b.value == "begin" || b.value == "continue") open[x->voice].insert(b.number);
            if (b.value == "end") open[x->voice].erase(b.number);
          }
    std::erase_if(open, [](auto& voice) { return voice.second.empty(); });
    return at_end ? open : from_before;
  }

  void repair_beams(std::size_t edge) {
    if (edge == 0 || edge >= now().measures.size()) return;
    auto left = beams_of(*now().measures[edge - 1], true);
    auto right = beams_of(*now().measures[edge], false);
    std::set<std::string> broken;
    for (auto& [voice, numbers] : left)
      if (!right.contains(voice) || right.at(voice) != numbers) broken.insert(voice);
    for (auto& [voice, numbers] : right)
      if (!left.contains(voice)) broken.insert(voice);
    for (auto& voice : broken) {
      ++repaired_.left_out[{edge, "beam into"}];
      for (auto m : {edge - 1, edge})
        for (auto& item : draft_.open(p_, m).items.own())
          if (auto* x = std::get_if<chord_rest>(&item.content); x && x->voice == voice)
            for (auto& n : x->notes)
              n.beams.clear();
    }
  }

  // --- key, time, clef, transposition ---

  void repair_context(const place& at) {
    if (at.was.put > 0 && at.was.begins_anew)
      restore(at.first, state_before(other_, at.was.other_first), "begins with the new ");
    auto behind = at.was.first + at.was.lost;
    if (at.was.goes_back && behind < before_.measures.size())
      restore(at.end(), state_before(before_, behind),
              at.was.put > 0 ? "restores the former " : "now specifies the ");
  }
  /// Where nothing was said and now something holds, the conventional start has to be said.
  static part_state with_defaults(part_state wanted, const part_state& now) {
    attributes a;
    for (int n = 1; n <= wanted.staves(); ++n) {
      const auto s = static_cast<std::uint8_t>(n);
      auto& holds = now.staff(s);
      auto& w = wanted.staff(s);
      if (holds.key && !w.key) a.keys.push_back({s, wanted.key_or_default(s), {}});
      if (holds.time && !w.time) a.times.push_back({s, wanted.time_or_default(s), {}});
      if (holds.clef && !w.clef) a.clefs.push_back({s, wanted.clef_or_default(s), {}});
      if (holds.transpose && !w.transpose) a.transpositions.push_back({s, transposition{}, {}});
    }
    wanted.apply(a);
    return wanted;
  }
  void restore(std::size_t m, const part_state& wanted, const std::string& how) {
    if (m >= now().measures.size()) return;
    auto was = state_at(now(), m, {});
    keep_context(draft_, p_, m, with_defaults(wanted, state_before(now(), m)));
    auto is = state_at(now(), m, {});
    if (was == is) return;
    std::string what;
    auto add = [&](bool differs, const std::string& name) {
      if (differs && what.find(name) == what.npos) what += (what.empty() ? "" : ", ") + name;
    };
    for (int s = 1; s <= is.staves(); ++s) {
      auto& a = was.staff(s);
      auto& b = is.staff(s);
      add(a.key != b.key, "key");
      add(a.time != b.time, "metre");
      add(a.clef != b.clef, "clef");
      add(a.transpose != b.transpose, "transposition");
    }
    if (what.empty()) what = "staves";
    repaired_.changed.emplace(m, how + what);
  }

  // --- repeats and endings ---

  struct sign {
    std::size_t measure;
    std::string_view side;
  };
  static std::vector<sign> signs_of(const passage& x) {
    std::vector<sign> found;
    if (x.has_sign) found.push_back({x.first, "left"});
    if (x.endings.empty()) found.push_back({x.last, "right"});
    for (auto& e : x.endings) {
      found.push_back({e.first, "left"});
      found.push_back({e.last, "right"});
    }
    return found;
  }
  void repair_passages() {
    // What stays of the part, and from where to where that reaches now.
    std::vector<std::vector<sign>> staying;
    std::vector<std::pair<std::size_t, std::size_t>> reach;
    auto now_at = [&](std::size_t m) {
      auto* at = lost_in(m);
      if (!at) return from_before(m);
      return at->first + std::min(m - at->was.first, std::max<std::size_t>(at->was.put, 1) - 1);
    };
    for (auto& x : passages(before_)) {
      auto signs = signs_of(x);
      if (std::all_of(signs.begin(), signs.end(), [&](auto& s) { return lost_in(s.measure); }))
        continue;
      reach.emplace_back(now_at(x.first), now_at(signs.back().measure));
      staying.push_back(std::move(signs));
    }
    std::map<std::size_t, measure_ptr> touched;  // as they were
    auto touch = [&](std::size_t m) {
      touched.emplace(m, std::make_shared<const measure>(draft_.view(p_, m)));
    };
    for (auto& x : passages(other_)) {
      auto signs = signs_of(x);
      auto comes = std::all_of(signs.begin(), signs.end(),
                               [&](auto& s) { return put_in(s.measure) != nullptr; });
      auto first = from_other(x.first), last = from_other(signs.back().measure);
      if (comes && std::none_of(reach.begin(), reach.end(),
                                [&](auto& r) { return r.first <= last && first <= r.second; }))
        continue;
      for (auto& s : signs)
        if (put_in(s.measure)) {
          touch(from_other(s.measure));
          clear_signs(draft_.open(p_, from_other(s.measure)), s.side);
        }
    }
    for (auto& signs : staying)
      for (auto& s : signs) {
        auto* at = lost_in(s.measure);
        auto* b = barline_at(*before_.measures[s.measure], s.side);
        if (!at || !b || at->was.put == 0) continue;
        auto m = now_at(s.measure);
        touch(m);
        auto& into = draft_.open(p_, m);
        auto where = s.side == "left" ? measure_position{} : measure_position{} + extent(into);
        clear_signs(into, s.side);
        if (!b->repeat.empty()) place_barline(into, where, "1", sign_of(*b));
        if (!b->ending_type.empty()) place_barline(into, where, "1", bracket_of(*b));
      }
    for (auto& [m, was] : touched)
      for (auto side : {"left", "right"}) {
        auto* a = barline_at(*was, side);
        auto* b = barline_at(draft_.view(p_, m), side);
        auto differ = [](const barline* x, const barline* y) {
          return x->repeat != y->repeat || x->ending_type != y->ending_type ||
                 x->ending_numbers != y->ending_numbers;
        };
        static const barline none;
        if (differ(a ? a : &none, b ? b : &none)) {
          repaired_.changed.emplace(m, "has the repeat signs and endings that were here");
          break;
        }
      }
  }

  score_draft& draft_;
  std::size_t p_;
  const part& before_;
  const part& other_;
  std::vector<place> places_;
  repairs repaired_;
};

/// "a slur out of measure 2", "2 ties into Flute, measure 3"
std::string in_words(const std::string& what, int count, const std::string& place) {
  auto blank = std::min(what.find(" out of"), what.find(" into"));
  auto noun = what.substr(0, blank), way = what.substr(blank);
  auto article =
      std::string_view{"aeiou"}.find(noun.front()) == std::string_view::npos ? "a" : "an";
  return (count == 1 ? article + (' ' + noun) : std::to_string(count) + ' ' + noun + 's') + way +
         ' ' + place;
}

}  // namespace

copied_measures copy_measures(const score_ptr& s, const score& other,
                              const std::map<std::size_t, std::vector<copied_stretch>>& stretches,
                              const score* numbered) {
  score_draft draft{s};
  copied_measures taken;
  std::string left_out;
  std::vector<std::string> changed;
  for (auto& [p, at] : stretches) {
    repairs repaired;
    if (!at.empty()) {
      taking t{draft, p, *s->parts[p], *other.parts[p], at};
      t.take();
      repaired = t.repaired();
    }
    for (std::size_t m = 0; numbered && m < draft.view(p).measures.size(); ++m)
      if (auto& number = numbered->parts[p]->measures[m]->number; draft.view(p, m).number != number)
        draft.renumber(p, m, number);
    for (auto& [what, count] : repaired.left_out)
      left_out += (left_out.empty() ? "dropped at the edges: " : ", ") +
                  in_words(what.second, count, place_name(draft.view(), p, what.first));
    for (auto& [m, what] : repaired.changed)
      changed.push_back(place_name(draft.view(), p, m) + ' ' + what);
  }
  if (!left_out.empty()) taken.repaired.push_back(left_out);
  taken.repaired.insert(taken.repaired.end(), changed.begin(), changed.end());
  draft.for_each_written(drop_empty_directions);
  taken.score = draft.finish();
  return taken;
}

}  // namespace fermata
