#pragma once

#include "core/score/model/score.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// Checks a score for problems that would confuse a musician or another program.

enum class severity : std::uint8_t { warning, error };
std::string_view to_string(severity s);

enum class finding_kind : std::uint8_t {
#define FERMATA_FINDING(id, name, severity, summary) id,
#include "core/score/analysis/finding_table.inc"
#undef FERMATA_FINDING
};

struct finding_info {
  finding_kind kind;
  std::string_view name;  ///< stable spelling: "overfull-measure"
  severity level;
  std::string_view summary;
};
const std::vector<finding_info>& finding_table();
const finding_info& info(finding_kind k);

struct finding {
  finding_kind kind{};
  std::string message;                ///< "measure 3: an eighth too long for 4/4 after g4"
  std::size_t part = 0, measure = 0;  ///< indices; of the first measure for the whole score
  severity level() const { return info(kind).level; }
  bool operator==(const finding&) const = default;
};

/// All problems, by part and measure.
///
/// Measures: uncounted ones, a short first one, and pieces of one measure (a short measure followed
/// by uncounted ones, or a last or repeated one that completes the pickup) are not too short;
/// neither is one in which another voice fills the time. Without a time signature nothing is too
/// long or short. Ties and spanners may cross voices. A tie into a second ending may start before
/// the first. Ranges are those of `instrument_table`, by sounding pitch.
[[nodiscard]] std::vector<finding> validate(const score& s);

/// The same for some measures of one part, [first, end), without checks of the whole part.
[[nodiscard]] std::vector<finding> validate_measures(const score& s, std::size_t part_index,
                                                     std::size_t first, std::size_t end);

}  // namespace fermata
