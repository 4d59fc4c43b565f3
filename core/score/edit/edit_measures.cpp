#include "core/score/analysis/overfull_voices.hpp"
#include "core/score/edit/edit.hpp"
#include "core/score/edit/multiple_rests.hpp"
#include "core/score/model/draft.hpp"
#include "core/score/model/kept_elements.hpp"
#include "core/score/model/measure_names.hpp"
#include "core/score/model/numbering.hpp"
#include "core/score/model/placing.hpp"
#include "core/score/model/staves.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/model/wording.hpp"
#include "core/score/repair/hairpin_numbers.hpp"
#include "core/score/repair/repair.hpp"
#include "core/score/repair/repair_repeats.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace fermata {

namespace {

/// A measure of rest for a place in a part, with a rest on each staff. A senza-misura measure stays
/// empty: it has no length to rest for.
measure rest_measure(const part& p, std::size_t index) {
  measure m;
  auto state = state_before(p, index);
  auto t = state.time_or_default();
  auto end = measure_position{} + measure_length(t);
  for (int staff = 1; staff <= state.staves(); ++staff)
    place_rests(m, voice_of_staff(p, index, staff), static_cast<std::uint8_t>(staff), {}, end, t);
  return m;
}

/// How many measures come or go.
struct tally {
  int counted = 0, uncounted = 0;
  void add(const measure& m, int n) {
    if (!m.implicit && counted_number(m)) counted += n;
    if (uncounted_number(m)) uncounted += n;
  }
};

/// Numbers the measures from `index` on as others have come or gone before them.
void renumber(score_draft& draft, std::size_t p, std::size_t index, const tally& by) {
  if (by.counted == 0 && by.uncounted == 0) return;
  for (auto i = index; i < draft.view(p).measures.size();) {
    if (auto whole = draft.raise_piece(p, i, by.counted, by.uncounted != 0)) {
      i += whole;
      continue;
    }
    auto& m = draft.view(p, i);
    if (auto n = counted_number(m); n && !m.implicit && by.counted != 0)
      draft.renumber(p, i, std::to_string(std::int64_t{*n} + by.counted));
    else if (auto x = uncounted_number(m); x && *x + by.uncounted > 0 && by.uncounted != 0)
      draft.renumber(p, i, "X" + std::to_string(std::int64_t{*x} + by.uncounted));
    ++i;
  }
}

tally tally_of(const std::vector<measure_ptr>& measures, int n) {
  tally t;
  for (auto& m : measures)
    t.add(*m, n);
  return t;
}

tl::unexpected<error> no_such_measure(const score& s, std::size_t p, std::size_t index) {
  return fail({errc::no_such_target,
               "there is no measure " + printed_number(*s.parts[p], index) + "; " +
                   part_label(*s.parts[p]) + " has " + measures_there(*s.parts[p]),
               {},
               "use the printed measure number"});
}

std::optional<error> overfull(const score& s, std::size_t p, std::size_t first, std::size_t end) {
  std::optional<error> faults;
  auto& part_now = *s.parts[p];
  for (auto i = first; i < std::min(end, part_now.measures.size()); ++i) {
    auto t = time_in_force(part_now, i).value_or(time_signature{});
    for (auto& f : overfull_voices(*part_now.measures[i], measure_length(t))) {
      if (!faults) faults.emplace();
      faults->diagnostics.push_back(
          {errc::overfull_measure,
           place_name(s, p, i) + ": " + to_text(f, *part_now.measures[i], t),
           {},
           "shorten something, or move it to the next measure"});
    }
  }
  return faults;
}

/// A former first measure need not say again what already holds. Slashes and repeat signs are of
/// the measures that they were written for.
void drop_repeated_opening(score_draft& draft, std::size_t p, std::size_t index) {
  auto now = state_before(draft.view(p), index);
  auto& m = draft.open(p, index);
  for (auto& item : m.items) {
    auto* a = std::get_if<attributes>(&item.content);
    if (!a || item.at != measure_position{}) continue;
    *a = without_what_holds(std::move(*a), now);
    std::erase_if(a->others, [](auto& f) { return !is_measure_style(f); });
  }
  erase_if(m.items, [](auto& item) {
    auto* a = std::get_if<attributes>(&item.content);
    return a && item.at == measure_position{} && *a == attributes{};
  });
}

/// Makes room in one part and puts the measures there.
void put_in(score_draft& draft, const score& before, std::size_t p, std::size_t index,
            std::vector<measure> measures) {
  auto& was = *before.parts[p];
  bool at_front = index == 0 && !was.measures.empty();
  bool context = at_front || std::any_of(measures.begin(), measures.end(), changes_context);
  auto wanted = context ? state_before(was, index) : part_state{};
  if (at_front) {
    // What the old first measure says at its beginning holds for the new first one.
    attributes opening;
    for (auto& item : was.measures.front()->items)
      if (auto* a = std::get_if<attributes>(&item.content); a && item.at == measure_position{})
        opening = *a;
    opening.multiple_rest.reset();
    std::erase_if(opening.others, is_measure_style);
    attributes own;
    auto& m = measures.front();
    for (auto& item : m.items)
      if (auto* a = std::get_if<attributes>(&item.content); a && item.at == measure_position{})
        own = *a;
    erase_if(m.items, [](auto& item) {
      return std::holds_alternative<attributes>(item.content) && item.at == measure_position{};
    });
    place_attributes(m, {}, "1", opening);
    place_attributes(m, {}, "1", own);
  }
  tally more;
  auto count = measures.size();
  for (std::size_t i = 0; i < count; ++i) {
    auto& m = measures[i];
    if (m.number.empty()) m.number = next_measure_number(draft.view(p), index + i, m.implicit);
    more.add(m, 1);
    settle_right_barlines(m);
    draft.insert_measure(p, index + i, std::move(m));
  }
  renumber(draft, p, index + count, more);
  number_new_hairpins(draft);
  repair_edges(draft, p, was, index, 0, count);
  stretch_multiple_rests(draft, p, was, index, 0, count);
  if (at_front)
    drop_repeated_opening(draft, p, index + count);
  else if (context)
    keep_context(draft, p, index + count, wanted);
}

}  // namespace

measure rest_beside(const part& p, std::size_t index, const measure& lead) {
  auto state = state_at(p, index, measure_position{});
  measure m;
  m.number = lead.number;
  m.implicit = lead.implicit;
  for (int staff = 1; staff <= state.staves(); ++staff)
    place_rests(m, voice_of_staff(p, index, staff), static_cast<std::uint8_t>(staff), {},
                measure_position{} + extent(lead), state.time_or_default());
  return m;
}

result<score_ptr> insert_measures(const score_ptr& s, std::size_t index, std::size_t count) {
  if (s->parts.empty())
    return fail({errc::no_such_target,
                 "the score has no parts to insert measures into",
                 {},
                 "add a part first"});
  for (std::size_t p = 0; p < s->parts.size(); ++p)
    if (index > s->parts[p]->measures.size()) return no_such_measure(*s, p, index);
  score_draft draft{s};
  for (std::size_t p = 0; p < s->parts.size(); ++p) {
    auto m = rest_measure(*s->parts[p], index);
    // At the front the metre is that of the old first measure.
    if (index == 0 && !s->parts[p]->measures.empty()) {
      part only_first = *s->parts[p];
      only_first.measures = {s->parts[p]->measures.front()};
      m = rest_measure(only_first, 1);
    }
    m.number.clear();
    put_in(draft, *s, p, index, std::vector<measure>(count, m));
  }
  return draft.finish();
}

result<score_ptr> insert_measures(const score_ptr& s, std::size_t part_number, std::size_t index,
                                  std::vector<measure> measures) {
  if (part_number >= s->parts.size())
    return fail(
        {errc::no_such_target, "there is no part " + std::to_string(part_number + 1), {}, {}});
  for (std::size_t p = 0; p < s->parts.size(); ++p)
    if (index > s->parts[p]->measures.size()) return no_such_measure(*s, p, index);
  auto count = measures.size();
  if (count == 0) return s;
  score_draft draft{s};
  put_in(draft, *s, part_number, index, std::move(measures));
  for (std::size_t p = 0; p < s->parts.size(); ++p) {
    if (p == part_number) continue;
    auto& own = *s->parts[p];
    std::vector<measure> rests;
    for (std::size_t i = 0; i < count; ++i)
      rests.push_back(rest_beside(own, index, draft.view(part_number, index + i)));
    put_in(draft, *s, p, index, std::move(rests));
  }
  declare_staves(draft, part_number, index, index + count);
  if (auto faults = overfull(draft.view(), part_number, index, index + count)) return fail(*faults);
  return draft.finish();
}

result<score_ptr> delete_measures(const score_ptr& s, const std::vector<measure_location>& which) {
  std::map<std::size_t, std::set<std::size_t>> by_part;
  for (auto& at : which) {
    if (at.part >= s->parts.size())
      return fail(
          {errc::no_such_target, "there is no part " + std::to_string(at.part + 1), {}, {}});
    if (at.measure >= s->parts[at.part]->measures.size())
      return no_such_measure(*s, at.part, at.measure);
    by_part[at.part].insert(at.measure);
  }
  // Where every part that has the measure loses it, it goes; elsewhere it becomes a rest.
  auto goes = [&](std::size_t m) {
    for (std::size_t p = 0; p < s->parts.size(); ++p)
      if (m < s->parts[p]->measures.size() && !(by_part.contains(p) && by_part[p].contains(m)))
        return false;
    return true;
  };
  score_draft draft{s};
  for (auto& [p, measures] : by_part) {
    auto& before = *s->parts[p];
    cut_lines(
        draft, p, before, *measures.begin(), *measures.rbegin() + 1,
        [&, &measures = measures](std::size_t m, std::size_t) { return measures.contains(m); });
    for (auto m : measures)
      if (!goes(m)) {
        auto t = time_in_force(before, m).value_or(time_signature{});
        auto& kept = draft.open(p, m);
        auto length = measure_position{} + (kept.implicit ? extent(kept) : measure_length(t));
        std::map<std::uint8_t, std::string> staves;
        for (auto& item : kept.items)
          if (auto* x = std::get_if<chord_rest>(&item.content)) staves.emplace(x->staff, x->voice);
        erase_if(kept.items, [](auto& item) {
          return !std::holds_alternative<attributes>(item.content) &&
                 !std::holds_alternative<barline>(item.content) &&
                 !std::holds_alternative<print_layout>(item.content);
        });
        kept.padded_to = {};
        for (auto& [staff, voice] : staves)
          place_rests(kept, voice, staff, {}, length, t);
      }
    // From the end, so that indices of `before` still hold for what comes earlier.
    std::vector<std::size_t> going;
    for (auto m : measures)
      if (goes(m)) going.push_back(m);
    keep_repeats(draft, p, before, {going.begin(), going.end()});
    for (auto m = going.rbegin(); m != going.rend();) {
      auto end = *m + 1, first = *m;
      for (++m; m != going.rend() && *m + 1 == first; ++m)
        first = *m;
      std::vector<measure_ptr> lost(before.measures.begin() + static_cast<std::ptrdiff_t>(first),
                                    before.measures.begin() + static_cast<std::ptrdiff_t>(end));
      auto wanted = state_before(before, end);
      for (auto i = end; i-- > first;)
        draft.erase_measure(p, i);
      keep_context(draft, p, first, wanted);
      stretch_multiple_rests(draft, p, before, first, end - first, 0);
      renumber(draft, p, first, tally_of(lost, -1));
    }
  }
  draft.for_each_written(drop_empty_directions);
  return draft.finish();
}

result<score_ptr> replace_measures(const score_ptr& s, std::size_t part_number, std::size_t first,
                                   std::size_t count, std::vector<measure> measures,
                                   measures_made_of made_of) {
  if (part_number >= s->parts.size())
    return fail(
        {errc::no_such_target, "there is no part " + std::to_string(part_number + 1), {}, {}});
  auto& before = *s->parts[part_number];
  if (first + count > before.measures.size())
    return no_such_measure(*s, part_number, first + count - 1);
  score_draft draft{s};
  auto wanted = state_before(before, first + count);
  attributes opening;
  if (count > 0 && !measures.empty())
    for (auto& item : before.measures[first]->items)
      if (auto* a = std::get_if<attributes>(&item.content); a && item.at == measure_position{})
        opening = *a;
  std::vector<measure_ptr> lost(before.measures.begin() + static_cast<std::ptrdiff_t>(first),
                                before.measures.begin() +
                                    static_cast<std::ptrdiff_t>(first + count));
  for (auto i = first + count; i-- > first;)
    draft.erase_measure(part_number, i);
  if (!measures.empty() && opening != attributes{}) {
    attributes own;
    auto& m = measures.front();
    for (auto& item : m.items)
      if (auto* a = std::get_if<attributes>(&item.content); a && item.at == measure_position{})
        own = *a;
    erase_if(m.items, [](auto& item) {
      return std::holds_alternative<attributes>(item.content) && item.at == measure_position{};
    });
    // Kept XML stays where nothing new is said of it, unless the new measures are made of the old:
    // then they have what is to stay, but for what holds from here on. Slashes and repeat signs go
    // with the measures that they were written for.
    erase_if(opening.others, [&](auto& f) {
      auto key = standing_key(f);
      if (is_measure_style(f)) return true;
      if (!key && made_of == measures_made_of::the_old) return true;
      return std::any_of(own.others.begin(), own.others.end(),
                         [&](auto& o) { return key ? standing_key(o) == key : o == f; });
    });
    place_attributes(m, {}, "1", opening);
    place_attributes(m, {}, "1", own);
  }
  auto added = measures.size();
  auto more = tally_of(lost, -1);
  for (std::size_t i = 0; i < added; ++i) {
    auto& m = measures[i];
    if (m.number.empty() && i < lost.size() && (lost[i]->implicit || !m.implicit)) {
      // In the place of a measure it has that measure's number.
      m.number = lost[i]->number;
      m.implicit |= lost[i]->implicit;
    } else if (m.number.empty()) {
      m.number = next_measure_number(draft.view(part_number), first + i, m.implicit);
    }
    more.add(m, 1);
    settle_right_barlines(m);
    draft.insert_measure(part_number, first + i, std::move(m));
  }
  renumber(draft, part_number, first + added, more);
  number_new_hairpins(draft);
  repair_edges(draft, part_number, before, first, count, added);
  if (added != count) stretch_multiple_rests(draft, part_number, before, first, count, added);
  keep_context(draft, part_number, first + added, wanted);
  draft.for_each_written(drop_empty_directions);
  declare_staves(draft, part_number, first, first + added);
  if (auto faults = overfull(draft.view(), part_number, first, first + added)) return fail(*faults);
  return draft.finish();
}

}  // namespace fermata
