#pragma once

#include "core/error.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace fermata {

struct environment;

/// What a piece of text is, for colouring it while it is typed.
enum class text_class : std::uint8_t {
  delimiter,  ///< ( ) [ ]: `depth` counts from 0, `matched` says whether the partner is there
  keyword,    ///< :staccato
  duration,   ///< :q. :8
  pitch,      ///< c#4
  number,
  string,
  comment,
  history,  ///< $Out[3] %
  special,  ///< def, fn, let, if ... first in a list
  form,     ///< first in a list and known: built in, or defined
  name,     ///< a name that is bound, or any word that is not first in a list
  unknown,  ///< first in a list, and nothing has that name
  invalid,  ///< cannot be read
};

struct text_piece {
  source_span span;
  text_class kind;
  std::size_t depth = 0;
  bool matched = true;
};

/// The pieces of a text in order; what is between them is white space. Takes incomplete and wrong
/// text, and looks at no more than `limit` bytes, so that it can run at every key. `env` may be
/// null. The word that ends at `cursor` is not called unknown while it may become something.
std::vector<text_piece> highlight(std::string_view text, const environment* env = nullptr,
                                  std::size_t cursor = static_cast<std::size_t>(-1),
                                  std::size_t limit = 20'000);

/// The span of the partner of the delimiter at byte `at`, when it has one.
std::vector<source_span> matching_delimiters(std::string_view text, std::size_t at);

}  // namespace fermata
