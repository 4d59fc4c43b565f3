#include "core/session/timeline/cursor_place.hpp"

#include "core/score/edit/edit.hpp"
#include "core/score/merge/alignment.hpp"

#include <algorithm>

namespace fermata {

score_cursor same_place_in(const score& to, const score& from, score_cursor at) {
  if (&to == &from) return at;
  if (to.parts.empty()) return {};
  if (at.part >= from.parts.size())
    return at.part < to.parts.size() ? end_of(to, at.part, at.voice, at.staff) : score_cursor{};
  auto& was = *from.parts[at.part];
  auto was_at_end = at == end_of(from, at.part, at.voice, at.staff);
  auto was_behind = at.measure == was.measures.size() && at.position == measure_position{};
  auto parts = align_parts(from, to);
  auto found =
      std::find_if(parts.begin(), parts.end(), [&](auto& p) { return p.first == at.part; });
  auto is_there = found != parts.end();
  at.part = is_there ? found->second : to.parts.size() - 1;
  auto end = end_of(to, at.part, at.voice, at.staff);
  if (!is_there || was_at_end) return end;
  if (was_behind) {
    at.measure = to.parts[at.part]->measures.size();
    return at;
  }
  for (auto& [before, after] : align_columns(from, to, parts))
    if (before == at.measure && after < to.parts[at.part]->measures.size()) {
      at.measure = after;
      return at;
    }
  return end;
}

}  // namespace fermata
