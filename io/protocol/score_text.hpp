#pragma once

#include "core/score/model/score.hpp"
#include "io/protocol/excerpt.hpp"

#include <cstdint>
#include <string>

namespace fermata::io::protocol {

enum class score_format : std::uint8_t { fermata, musicxml };

/// As many measures of a range as fit.
struct score_page {
  std::string text;
  std::size_t last = 0;  ///< one past the last measure in `text`
};

/// Text of the range from its first measure on, at most `limit` characters, but at least one
/// measure. A single measure over the limit is a fault `out_of_range` with advice to request less,
/// if it also exceeds `max_text_limit`.
answer<score_page> fitting_page(const score& s, const excerpt_range& range, score_format format,
                                std::size_t limit);

/// The same. The last few pages are cached: repeating a request for unchanged music needs no
/// rendering. Thread-safe.
answer<score_page> remembered_page(const score_ptr& s, const excerpt_range& range,
                                   score_format format, std::size_t limit);

/// One measure of one part as Fermata text.
answer<std::string> measure_text(const score& s, std::size_t part, std::size_t measure);

}  // namespace fermata::io::protocol
