#pragma once

#include "core/score/model/score.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// Measures between rehearsal marks, as musicians refer to them: "from B".
struct section {
  std::string name;         ///< of the mark at its beginning
  int first = 1, last = 1;  ///< measures by position, from 1, inclusive
  bool operator==(const section&) const = default;
};

/// All of them in the order of their measures, from the marks of all parts. A section ends before
/// the next mark or with the score. A mark inside a measure applies to that measure; of two marks
/// with the same name the first one counts.
std::vector<section> sections_of(const score& s);

/// By name, as `same_name` says.
std::optional<section> find_section(const score& s, std::string_view name);

}  // namespace fermata
