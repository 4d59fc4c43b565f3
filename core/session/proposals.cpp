#include "core/session/proposals.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// The stretch of one replacement that lies in [from, to), measured by indices before the change.
result<std::optional<measure_replacement>> cut(const measure_replacement& r, std::size_t from,
                                               std::size_t to) {
  auto begin = r.first, end = r.first + std::max<std::size_t>(r.before.size(), 1);
  if (end <= from || begin >= to) return std::nullopt;
  if (begin >= from && end <= to) return r;
  if (r.before.size() != r.after.size())
    return fail({errc::out_of_range,
                 "measures " + std::to_string(begin + 1) + " to " + std::to_string(end) +
                     " are replaced by another number of measures",
                 std::nullopt, "Take all of them or none."});
  measure_replacement part;
  part.first = std::max(begin, from);
  auto skip = static_cast<std::ptrdiff_t>(part.first - begin);
  auto count = static_cast<std::ptrdiff_t>(std::min(end, to) - part.first);
  part.before.assign(r.before.begin() + skip, r.before.begin() + skip + count);
  part.after.assign(r.after.begin() + skip, r.after.begin() + skip + count);
  return part;
}

std::size_t size_of(const measure_replacement& r) {
  return std::max(r.before.size(), r.after.size());
}

}  // namespace

bool still_fits(const proposal& p, const session_state& s) {
  return fits(p.env_change, *s.env) && applied(p.delta, s.score).has_value();
}

result<partial_delta> within_measures(const score_delta& d, std::pair<int, int> measures) {
  auto from = static_cast<std::size_t>(measures.first - 1);
  auto to = static_cast<std::size_t>(measures.second);
  partial_delta partial;
  partial.delta.ids_before = d.ids_before;
  for (auto& change : d.changed) {
    auto kept = change;
    kept.measures.clear();
    kept.header.reset();
    // Parts may come or go in the rest of the change; here all stay where they are.
    kept.index_after = kept.index_before;
    for (auto& r : change.measures) {
      auto stretch = cut(r, from, to);
      if (!stretch) return fail(stretch.error());
      auto taken = *stretch ? size_of(**stretch) : 0;
      partial.taken += taken;
      partial.left_out += size_of(r) - taken;
      if (*stretch) kept.measures.push_back(std::move(**stretch));
    }
    if (!kept.measures.empty()) partial.delta.changed.push_back(std::move(kept));
  }
  if (partial.taken == 0)
    return fail({errc::no_such_target, "nothing is changed in these measures", std::nullopt,
                 "`:diff` shows what is changed."});
  return partial;
}

}  // namespace fermata
