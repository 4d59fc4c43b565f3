#include "core/session/proposals/proposals.hpp"

#include "core/score/merge/unchanged_measures.hpp"
#include "core/score/model/measure_names.hpp"
#include "core/score/model/numbering.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/model/wording.hpp"

#include <algorithm>

namespace fermata {

namespace {

std::vector<measure_ptr> slice(const std::vector<measure_ptr>& measures, std::size_t from,
                               std::size_t to) {
  auto at = [&](std::size_t i) {
    return measures.begin() + static_cast<std::ptrdiff_t>(std::min(i, measures.size()));
  };
  return {at(from), at(to)};
}

/// [from, to), by index.
struct measure_span {
  explicit measure_span(std::pair<int, int> places)
    : from(static_cast<std::size_t>(places.first - 1)),
      to(static_cast<std::size_t>(places.second)) {}
  std::size_t from, to;
  bool has(std::size_t i) const { return from <= i && i < to; }
};

/// The stretch of one replacement that is asked for. What is there afterwards is counted as it
/// stands then, `shift` behind where it is put; what goes, as it stands before. `at_end`: behind
/// all that the part had nothing comes.
result<std::optional<measure_replacement>> cut(const measure_replacement& r, std::ptrdiff_t shift,
                                               bool at_end, const asked_measures& asked) {
  auto goes = r.after.empty();
  auto [from, to] = measure_span{goes ? asked.before : asked.after};
  auto begin = goes ? r.first : r.first + static_cast<std::size_t>(shift);
  auto end = begin + (goes ? r.before.size() : r.after.size());
  if (end <= from || begin >= to) return std::nullopt;
  if (begin >= from && end <= to) return r;
  auto had = begin + r.before.size();
  auto grows = r.after.size() > r.before.size();
  auto& shown = goes ? r.before : r.after;
  auto number = [&](std::size_t i) { return printed_number(*shown[i - begin], i); };
  if (goes)
    return fail({errc::out_of_range,
                 measures_in_words(number(begin), number(end - 1)) + " are deleted as one block",
                 std::nullopt, "Accept all of them or none."});
  if (!grows && r.before.size() != r.after.size())
    return fail({errc::out_of_range,
                 measures_in_words(number(begin), number(end - 1)) +
                     " replace a different number of measures",
                 std::nullopt, "Accept all of them or none."});
  if (grows && from > had)
    return fail({errc::out_of_range,
                 "measure " + number(from) + " cannot be accepted" +
                     (at_end ? ": the score ends before the preceding measure"
                             : " without the new one" + std::string(from - had > 1 ? "s" : "") +
                                   " before it"),
                 std::nullopt, "Accept the measures from " + number(had) + " on."});
  auto first = std::max(begin, from) - begin, last = std::min(end, to) - begin;
  return measure_replacement{r.first + first, slice(r.before, first, last),
                             slice(r.after, first, last)};
}

std::size_t size_of(const measure_replacement& r) {
  return std::max(r.before.size(), r.after.size());
}

/// By how much the numbers of the measures of a part rise that only get other numbers, one for each
/// measure before.
std::vector<std::int64_t> rises(const part_change& change) {
  std::vector<std::int64_t> all(change.measures_before);
  for (auto& n : change.renumbered)
    for (auto i = n.first; i < std::min(n.first + n.count, all.size()); ++i)
      all[i] = n.by;
  return all;
}

void add_rise(std::vector<renumbering>& all, std::size_t i, std::int64_t by, bool goes_on) {
  if (by == 0) return;
  if (goes_on && !all.empty() && all.back().by == by && all.back().first + all.back().count == i)
    ++all.back().count;
  else
    all.push_back({i, 1, static_cast<int>(by)});
}

std::ptrdiff_t growth(const measure_replacement& r) {
  return std::ssize(r.after) - std::ssize(r.before);
}

/// By how much some new measures raise the numbers behind them.
std::int64_t numbers_given(const std::vector<measure_ptr>& measures) {
  return std::count_if(measures.begin(), measures.end(),
                       [](auto& m) { return !m->implicit && plain_number(*m); });
}

/// What of a part's change is asked for. Where numbers begin to rise otherwise than before,
/// the replacement in front is why, and they do so when all of that is taken, or as far as new
/// measures are. Without one in front only the numbers were changed, each by itself.
result<void> keep_within(const part_change& change, const part& before, const asked_measures& asked,
                         part_change& kept, partial_delta& partial) {
  auto all_rises = rises(change);
  std::int64_t rise = 0, kept_rise = 0;  // of numbers at `i`: in all of the change, in what is kept
  auto explained = false, explanation_kept = false;
  std::int64_t kept_of_new = 0;  // numbers, when only a stretch of the one in front is kept
  std::ptrdiff_t shift = 0;      // of what stands behind the replacements in front
  auto next = change.measures.begin();
  for (std::size_t i = 0; i <= change.measures_before; ++i) {
    auto goes_on = true;
    while (next != change.measures.end() && next->first == i) {
      auto& r = *next++;
      auto at_end = i + r.before.size() == change.measures_before;
      auto stretch = cut(r, shift, at_end, asked);
      if (!stretch) return fail(stretch.error());
      shift += growth(r);
      auto taken = *stretch ? size_of(**stretch) : 0;
      partial.taken += taken;
      partial.left_out += size_of(r) - taken;
      explained = true;
      explanation_kept = taken == size_of(r);
      kept_of_new = *stretch && !explanation_kept
                        ? numbers_given((*stretch)->after) - numbers_given((*stretch)->before)
                        : 0;
      if (*stretch) {
        for (auto& m : (*stretch)->after)
          if (auto again = renumbered(m, kept_rise - rise)) m = std::move(again);
        kept.measures.push_back(std::move(**stretch));
      }
      // What is replaced here and not taken keeps its place among the others.
      auto is_taken = [&](std::size_t m) {
        if (kept.measures.empty()) return false;
        auto& last = kept.measures.back();
        return last.first <= m && m < last.first + last.before.size();
      };
      for (auto end = i + r.before.size(); i < end; ++i)
        if (!is_taken(i)) add_rise(kept.renumbered, i, kept_rise, true);
      goes_on = false;
    }
    if (i >= change.measures_before) break;
    // A measure without a number to rise leaves those behind it as they are.
    if (i < before.measures.size() && !plain_number(*before.measures[i])) continue;
    auto in_range = measure_span{asked.after}.has(i);
    if (!explained) {
      if (all_rises[i] != 0) ++(in_range ? partial.taken : partial.left_out);
      kept_rise = in_range ? all_rises[i] : 0;
    } else if (explanation_kept) {
      kept_rise += all_rises[i] - rise;
    } else if (all_rises[i] != rise) {
      kept_rise += kept_of_new;
    }
    rise = all_rises[i];
    add_rise(kept.renumbered, i, kept_rise, goes_on);
  }
  return {};
}

/// The part with all that the change makes of its measures, but for the numbers.
part_ptr changed_part(const part& before, const part_change& change) {
  auto changed = std::make_shared<part>(before);
  for (auto r = change.measures.rbegin(); r != change.measures.rend(); ++r)
    changed->measures.replace(r->first, r->before.size(), r->after);
  return changed;
}

/// What of a change is other music, part by part; of the score that it was made of, or that it
/// still fits.
std::vector<part_change> told(const score_delta& d, const score& s) {
  auto all = d.changed;
  for (auto& change : all) {
    if (change.index_before >= s.parts.size()) continue;
    auto& before = *s.parts[change.index_before];
    if (before.measures.size() == change.measures_before)
      change = without_unchanged(change, before, *changed_part(before, change));
  }
  put_deletions_together(all, s);
  return all;
}

/// Where a measure of the part before that is the same in the changed one stands there.
std::size_t same_there(const part_change& change, std::size_t i) {
  std::ptrdiff_t shift = 0;
  for (auto& r : change.measures)
    if (r.first + r.before.size() <= i) shift += growth(r);
  return i + static_cast<std::size_t>(shift);
}

/// Where what is put by a replacement, or by a stretch of one, stands in the changed part.
std::size_t place_there(const part_change& change, const measure_replacement& kept) {
  std::ptrdiff_t shift = 0;
  for (auto& r : change.measures) {
    // A stretch of new measures may begin behind all that it takes the place of.
    auto end = r.first + r.before.size();
    if (kept.first < end || (kept.first == end && kept.before.empty())) break;
    shift += growth(r);
  }
  return kept.first + static_cast<std::size_t>(shift);
}

bool has_signs(const measure& m) {
  return std::any_of(m.items.begin(), m.items.end(), [](auto& item) {
    auto* b = std::get_if<barline>(&item.content);
    return b && (!b->repeat.empty() || !b->ending_type.empty());
  });
}

/// The stretches of a part among the measures asked for that are taken: what is replaced, and
/// measures beside it that are the same but stand in another key and the like, or have a sign of a
/// repeat that may be another one. All else that is the same stays with its ties and lines.
std::vector<copied_stretch> stretches_within(const part_change& change,
                                             const std::vector<measure_replacement>& kept,
                                             const part& before, const part& other,
                                             const measure_span& asked) {
  std::vector<copied_stretch> all;
  auto add = [&](copied_stretch x) {
    if (!all.empty() && all.back().first + all.back().lost == x.first &&
        all.back().other_first + all.back().put == x.other_first) {
      all.back().lost += x.lost;
      all.back().put += x.put;
    } else {
      all.push_back(x);
    }
  };
  auto size = before.measures.size();
  auto next = kept.begin();
  auto changed = change.measures.begin();
  auto state = state_before(before, 0), state_there = state_before(other, 0);
  std::size_t seen_there = 0;
  for (std::size_t i = 0; i <= size; ++i) {
    if (next != kept.end() && next->first == i) {
      auto& r = *next++;
      add({i, r.before.size(), place_there(change, r), r.after.size()});
      if (!r.before.empty()) {
        for (auto end = i + r.before.size(); i + 1 < end; ++i)
          state.apply(*before.measures[i]);
        state.apply(*before.measures[i]);
        continue;
      }
    }
    if (i == size) break;
    while (changed != change.measures.end() && changed->first + changed->before.size() <= i)
      ++changed;
    auto replaced = changed != change.measures.end() && changed->first <= i;
    auto there = same_there(change, i);
    if (!replaced && asked.has(there)) {
      for (; seen_there < there; ++seen_there)
        state_there.apply(*other.measures[seen_there]);
      if (has_signs(*before.measures[i]) || has_signs(*other.measures[there]) ||
          !(state == state_there))
        add({i, 1, there, 1});
    }
    state.apply(*before.measures[i]);
  }
  return all;
}

/// Parts that are equally long, with all of the change as well, stay so. Else measures of one would
/// stand beside others than before.
std::optional<error> parts_apart(const score_delta& d, const partial_delta& partial,
                                 const score& s) {
  auto grown = [](const std::vector<part_change>& changes, std::size_t p) {
    std::ptrdiff_t n = 0;
    for (auto& change : changes)
      if (change.index_before == p)
        for (auto& r : change.measures)
          n += growth(r);
    return n;
  };
  for (std::size_t p = 1; p < s.parts.size(); ++p) {
    if (s.parts[p]->measures.size() != s.parts[0]->measures.size() ||
        grown(d.changed, p) != grown(d.changed, 0) ||
        grown(partial.delta.changed, p) == grown(partial.delta.changed, 0))
      continue;
    return error{errc::out_of_range,
                 part_label(*s.parts[0]) + " and " + part_label(*s.parts[p]) +
                     " would no longer be equally long: they gain or lose these measures in "
                     "different places",
                 std::nullopt, "Accept all added and deleted measures, or none."};
  }
  return std::nullopt;
}

}  // namespace

bool still_fits(const proposal& p, const session_state& s) {
  return fits(p.env_change, *s.env) && applied(p.delta, s.score).has_value();
}

result<partial_delta> within_measures(const score_delta& d, const asked_measures& asked,
                                      const score& s) {
  static const part no_part;
  partial_delta partial;
  partial.delta.ids_before = d.ids_before;
  for (auto& change : told(d, s)) {
    auto kept = change;
    kept.measures.clear();
    kept.renumbered.clear();
    kept.header.reset();
    // Parts may come or go in the rest of the change; here all stay where they are.
    kept.index_after = kept.index_before;
    auto& before = change.index_before < s.parts.size() ? *s.parts[change.index_before] : no_part;
    if (auto done = keep_within(change, before, asked, kept, partial); !done)
      return fail(done.error());
    if (!kept.measures.empty() || !kept.renumbered.empty())
      partial.delta.changed.push_back(std::move(kept));
  }
  if (auto uneven = parts_apart(d, partial, s)) return fail(*uneven);
  if (partial.taken == 0)
    return fail({errc::no_such_target, "nothing changes in these measures", std::nullopt,
                 "`:diff` shows what changes."});
  return partial;
}

std::size_t measures_in_front(const score_delta& d, const score& s, std::size_t index) {
  for (auto& change : told(d, s)) {
    if (change.index_before >= s.parts.size() || change.measures_before <= index) continue;
    std::ptrdiff_t shift = 0;
    for (auto& r : change.measures) {
      auto end = r.first + r.before.size();
      // Of others that take its place it is at most as far behind the first.
      if (r.first <= index && index < end)
        return r.first + static_cast<std::size_t>(shift) +
               std::min(index - r.first, r.after.size());
      if (end <= index) shift += growth(r);
    }
    return index + static_cast<std::size_t>(shift);
  }
  return index;
}

copied_measures taken_within(const score_delta& d, const partial_delta& partial,
                             const asked_measures& asked, const score_ptr& s) {
  measure_span after{asked.after};
  auto other = *s;
  std::map<std::size_t, std::vector<copied_stretch>> stretches;
  static const std::vector<measure_replacement> nothing;
  auto changes = told(d, *s);
  for (std::size_t at = 0; at < changes.size(); ++at) {
    auto& change = changes[at];
    auto p = change.index_before;
    if (s->parts[p]->measures.size() != change.measures_before) continue;
    other.parts[p] = changed_part(*s->parts[p], d.changed[at]);
    auto kept = std::find_if(partial.delta.changed.begin(), partial.delta.changed.end(),
                             [&](auto& k) { return k.index_before == p; });
    auto all =
        stretches_within(change, kept == partial.delta.changed.end() ? nothing : kept->measures,
                         *s->parts[p], *other.parts[p], after);
    stretches[p] = std::move(all);  // none: only numbers change
  }
  auto numbered = applied(partial.delta, s);
  return copy_measures(s, other, stretches, numbered ? numbered->get() : nullptr);
}

}  // namespace fermata
