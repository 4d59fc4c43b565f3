#pragma once

#include "core/score/model/score.hpp"
#include "io/protocol/fault.hpp"
#include "io/protocol/schema.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io::protocol {

/// A range of measures of some parts, as requested by a client.
struct excerpt_range {
  std::vector<std::size_t> parts;  ///< indices into score::parts, in order
  std::size_t first = 0;           ///< index of the first measure
  std::size_t last = 0;            ///< one past the last
};

/// How many measures the longest part has.
std::size_t measure_count(const score& s);

/// The parts denoted by `part`: by id, name, number from 1 or instrument; all if empty. Fault
/// `not_found` with the existing names.
answer<std::vector<std::size_t>> find_parts(const score& s, std::string_view part);
/// That fault, with the given text.
tl::unexpected<fault> no_such_part_fault(const score& s, std::string_view part,
                                         std::string message);

/// Parameters `part`, `from`, `to` (measures counted from 1, inclusive) against a score.
answer<excerpt_range> excerpt_of(const score& s, const arguments& args);

/// The excerpt as a separate score: the measures are shared, and the context before the first one
/// (key, time, clef, staves, transposition) is specified at its start.
score make_excerpt(const score& s, const excerpt_range& range);

}  // namespace fermata::io::protocol
