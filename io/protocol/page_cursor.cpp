#include "io/protocol/page_cursor.hpp"

#include "io/text/line_decoder.hpp"

#include <fmt/format.h>

#include <charconv>

namespace fermata::io::protocol {

std::string write_cursor(page_cursor c) { return fmt::format("p{:x}.{:x}", c.position, c.mark); }

std::optional<page_cursor> read_cursor(std::string_view text) {
  page_cursor out;
  const auto* end = text.data() + text.size();
  if (text.empty() || text.front() != 'p') return std::nullopt;
  auto [middle, first_error] = std::from_chars(text.data() + 1, end, out.position, 16);
  if (first_error != std::errc{} || middle == end || *middle != '.') return std::nullopt;
  auto [rest, second_error] = std::from_chars(middle + 1, end, out.mark, 16);
  if (second_error != std::errc{} || rest != end) return std::nullopt;
  return out;
}

fault bad_cursor(std::string_view text) {
  return {fault_code::invalid_params,
          "invalid cursor for this request",
          "pass `next_cursor` of the previous page with otherwise equal parameters, or omit it to "
          "start",
          {{"param", "cursor"}, {"expected", "a next_cursor"}, {"got", clipped(text, 60)}}};
}

}  // namespace fermata::io::protocol
