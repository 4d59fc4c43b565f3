#pragma once

#include "io/protocol/fault.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fermata::io::protocol {

/// The start of the next page, and a mark that identifies its subject (a revision, the last index):
/// a page of something else would not continue the previous one.
struct page_cursor {
  std::uint64_t position = 0;
  std::uint64_t mark = 0;
  bool operator==(const page_cursor&) const = default;
};

/// Opaque to clients.
std::string write_cursor(page_cursor c);
std::optional<page_cursor> read_cursor(std::string_view text);
fault bad_cursor(std::string_view text);

}  // namespace fermata::io::protocol
