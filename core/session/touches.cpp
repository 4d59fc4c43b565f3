#include "core/session/touches.hpp"

#include "core/music/name_match.hpp"
#include "core/session/text_match.hpp"

#include <algorithm>

namespace fermata {

namespace {

int from_one(std::size_t index) { return static_cast<int>(index) + 1; }

bool is_named(std::string_view id, std::string_view name, std::string_view wanted) {
  return same_name(id, wanted) || same_name(name, wanted);
}

void add_whole_part(std::vector<touched_stretch>& all, const part& p) {
  all.push_back({p.id, p.name, 1, std::max(from_one(p.measures.size()) - 1, 1)});
}

}  // namespace

std::vector<touched_stretch> touched(const score_delta& d) {
  std::vector<touched_stretch> all;
  for (auto& change : d.changed) {
    std::ptrdiff_t shift = 0;
    for (auto& r : change.measures) {
      auto first = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(r.first) + shift);
      auto count = std::max<std::size_t>(r.after.size(), 1);
      all.push_back({change.id, change.name, from_one(first), from_one(first + count - 1)});
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

bool touches(const score_delta& d, std::optional<std::string_view> part,
             std::optional<std::pair<int, int>> measures) {
  auto stretches = touched(d);
  auto hit = std::any_of(stretches.begin(), stretches.end(), [&](const touched_stretch& s) {
    return (!part || is_named(s.part_id, s.part_name, *part)) &&
           (!measures || (s.first <= measures->second && measures->first <= s.last));
  });
  if (hit || measures) return hit;
  if (!part) return !d.empty();
  return std::any_of(d.changed.begin(), d.changed.end(),
                     [&](auto& change) { return is_named(change.id, change.name, *part); });
}

std::optional<std::size_t> index_before(const part_change& change, std::size_t index) {
  auto before = index;  // so far as the replacements passed have moved it
  for (auto& r : change.measures) {
    if (before < r.first) break;
    if (before < r.first + r.after.size()) {
      // Replacements of equal length change measures in place; others make new ones.
      if (r.before.size() == r.after.size()) return before;
      return std::nullopt;
    }
    before = before - r.after.size() + r.before.size();
  }
  return before;
}

}  // namespace fermata
