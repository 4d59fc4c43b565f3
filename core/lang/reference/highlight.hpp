#pragma once

#include "core/error.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace fermata {

struct environment;

/// The kind of a piece of text, for highlighting it as it is typed.
enum class text_class : std::uint8_t {
  delimiter,  ///< ( ) [ ]: `depth` counts from 0, `matched`: the partner exists
  keyword,    ///< :staccato
  duration,   ///< :q. :8
  pitch,      ///< c#4
  number,
  string,
  comment,
  history,  ///< $Out[3] %
  special,  ///< def, fn, let, if ... first in a list
  form,     ///< first in a list and known: built in, or defined
  name,     ///< a bound name, or any word that is not first in a list
  unknown,  ///< first in a list, and undefined
  invalid,  ///< cannot be read
};

struct text_piece {
  source_span span;
  text_class kind;
  std::size_t depth = 0;
  bool matched = true;
};

/// The pieces of a text in order; between them is white space. The text may be incomplete or wrong,
/// and at most `limit` bytes are read, so that it can run at every key. `env` may be null. The word
/// that ends at `cursor` is not unknown while it may still become a known one.
std::vector<text_piece> highlight(std::string_view text, const environment* env = nullptr,
                                  std::size_t cursor = static_cast<std::size_t>(-1),
                                  std::size_t limit = 20'000);

/// The span of the partner of the delimiter at byte `at`, if it has one.
std::vector<source_span> matching_delimiters(std::string_view text, std::size_t at);

}  // namespace fermata
