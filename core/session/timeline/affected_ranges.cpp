#include "core/session/timeline/affected_ranges.hpp"

#include "core/music/name_match.hpp"
#include "core/score/model/measure_names.hpp"
#include "core/score/model/part_names.hpp"
#include "core/session/timeline/text_match.hpp"

#include <algorithm>

namespace fermata {

namespace {

int from_one(std::size_t index) { return static_cast<int>(index) + 1; }

bool is_named(std::string_view id, std::string_view name, const wanted_part& wanted) {
  return same_name(id, wanted.name) || same_name(name, wanted.name) ||
         std::any_of(wanted.also.begin(), wanted.also.end(),
                     [&](auto& other) { return same_name(name, other); }) ||
         (wanted.or_instrument && is_name_of_instrument(name, wanted.name));
}

bool is_meant(const part& p, const wanted_part& wanted) {
  return is_named(p.id, p.name, wanted) ||
         (wanted.or_instrument && is_for_instrument(p, wanted.name));
}

/// A change of the name lies in the part of either name.
bool is_meant(const part_change& change, const wanted_part& wanted) {
  return is_named(change.id, change.name, wanted) ||
         (change.header &&
          (is_meant(*change.header->before, wanted) || is_meant(*change.header->after, wanted)));
}

void add_whole_part(std::vector<touched_stretch>& all, const part& p) {
  auto last = std::max<std::size_t>(p.measures.size(), 1) - 1;
  all.push_back({p.id, p.name, 1, from_one(last), printed_number(p, 0), printed_number(p, last)});
}

}  // namespace

std::vector<touched_stretch> touched(const score_delta& d) {
  std::vector<touched_stretch> all;
  for (auto& change : d.changed) {
    std::ptrdiff_t shift = 0;
    for (auto& r : change.measures) {
      auto first = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(r.first) + shift);
      auto count = std::max<std::size_t>(r.after.size(), 1);
      auto last = first + count - 1;
      auto& named = r.after.empty() ? r.before : r.after;
      all.push_back({change.id, change.name, from_one(first), from_one(last),
                     printed_number(*named.front(), first), printed_number(*named.back(), last)});
      shift += static_cast<std::ptrdiff_t>(r.after.size()) -
               static_cast<std::ptrdiff_t>(r.before.size());
    }
  }
  for (auto& p : d.removed)
    add_whole_part(all, *p.value);
  for (auto& p : d.added)
    add_whole_part(all, *p.value);
  return all;
}

wanted_part wanted_part::of(std::string word, const score& now) {
  wanted_part wanted{std::move(word)};
  for (auto i : parts_called(now, wanted.name)) {
    auto& p = *now.parts[i];
    if (is_called(p, wanted.name))
      wanted.or_instrument = false;
    else
      wanted.also.push_back(p.name);
  }
  return wanted;
}

bool touches(const score_delta& d, const std::optional<wanted_part>& part,
             std::optional<std::pair<int, int>> measures) {
  auto in_measures = [&](int first, int last) {
    return !measures || (first <= measures->second && measures->first <= last);
  };
  if (!part && !measures) return !d.empty();
  if (!part) {
    auto stretches = touched(d);
    return std::any_of(stretches.begin(), stretches.end(),
                       [&](auto& s) { return in_measures(s.first, s.last); });
  }
  auto whole = [&](const placed_part& p) {
    return is_meant(*p.value, *part) &&
           in_measures(1, std::max(from_one(p.value->measures.size()) - 1, 1));
  };
  auto changed = [&](const part_change& change) {
    if (!is_meant(change, *part)) return false;
    if (!measures) return true;
    score_delta alone;
    alone.changed.push_back(change);
    return touches(alone, std::nullopt, measures);
  };
  return std::any_of(d.changed.begin(), d.changed.end(), changed) ||
         std::any_of(d.removed.begin(), d.removed.end(), whole) ||
         std::any_of(d.added.begin(), d.added.end(), whole);
}

}  // namespace fermata
