#pragma once

#include "core/score/model/score.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// Looking through a score for what a musician or another program would stumble over.

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
  std::size_t part = 0, measure = 0;  ///< indices of the place; of the first for the whole score
  severity level() const { return info(kind).level; }
  bool operator==(const finding&) const = default;
};

/// Everything found, part by part and measure by measure.
///
/// Measures: implicit ones, a short first one, and pieces of one measure (a short measure followed
/// by implicit ones, or a last or repeated one that makes up for the pickup) are not too short;
/// neither is one in which another voice fills the time. Without metre nothing is too long or
/// short. Ties and lines may be whole across voices. A tie into a second ending may come from
/// before the first. Ranges are those of `instrument_table`, by the sounding pitch.
[[nodiscard]] std::vector<finding> validate(const score& s);

/// The same for some measures of one part, [first, end); what concerns the whole part is left out.
[[nodiscard]] std::vector<finding> validate_measures(const score& s, std::size_t part_index,
                                                     std::size_t first, std::size_t end);

}  // namespace fermata
