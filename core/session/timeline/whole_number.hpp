#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace fermata {

/// The number that the whole text is, in digits with an optional minus sign; nothing otherwise.
template <class T>
std::optional<T> whole_number(std::string_view text) {
  T n{};
  auto end = text.data() + text.size();
  auto [stop, failed] = std::from_chars(text.data(), end, n);
  if (text.empty() || failed != std::errc{} || stop != end) return std::nullopt;
  return n;
}

}  // namespace fermata
