#include "core/score/numbering.hpp"

#include <charconv>

namespace fermata {

std::optional<int> counted_number(const measure& m) {
  int n = 0;
  auto end = m.number.data() + m.number.size();
  auto [stop, fault] = std::from_chars(m.number.data(), end, n);
  if (fault != std::errc{} || stop != end || m.number.empty()) return std::nullopt;
  return n;
}

std::string next_measure_number(const part& p, std::size_t index) {
  for (auto i = std::min(index, p.measures.size()); i-- > 0;) {
    auto& m = *p.measures[i];
    if (auto n = counted_number(m); n && (!m.implicit || *n == 0)) return std::to_string(*n + 1);
  }
  return "1";
}

}  // namespace fermata
