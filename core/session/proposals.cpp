#include "core/session/proposals.hpp"

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

/// The stretch of one replacement that lies in [from, to), measured by indices before the change.
/// Behind what the part had (`grows`), measures have the indices that they get.
result<std::optional<measure_replacement>> cut(const measure_replacement& r, bool grows,
                                               std::size_t from, std::size_t to) {
  auto begin = r.first;
  auto end = begin + std::max<std::size_t>(grows ? r.after.size() : r.before.size(), 1);
  if (end <= from || begin >= to) return std::nullopt;
  if (begin >= from && end <= to) return r;
  if (!grows && r.before.size() != r.after.size())
    return fail({errc::out_of_range,
                 "measures " + std::to_string(begin + 1) + " to " + std::to_string(end) +
                     " are replaced by another number of measures",
                 std::nullopt, "Take all of them or none."});
  if (auto had = begin + r.before.size(); grows && from > had)
    return fail({errc::out_of_range,
                 "measure " + std::to_string(from + 1) +
                     " cannot be taken: the score ends before the one in front of it",
                 std::nullopt, "Take the measures from " + std::to_string(had + 1) + " on."});
  auto first = std::max(begin, from) - begin, last = std::min(end, to) - begin;
  return measure_replacement{begin + first, slice(r.before, first, last),
                             slice(r.after, first, last)};
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
      auto grows =
          r.first + r.before.size() == change.measures_before && r.after.size() > r.before.size();
      auto stretch = cut(r, grows, from, to);
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
