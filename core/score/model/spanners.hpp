#pragma once

#include "core/score/model/score.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata {

/// Spanners (mark.hpp) of two ends: slurs and similar ones on notes, hairpins and similar ones in
/// directions. Ties are joined by pitch and time instead: ties.hpp.

/// "slur", "hairpin": for messages.
std::string_view name_of(spanner_kind k);

/// The spanner of an item, if it is an end of one. Ends that only continue a spanner do not count.
struct spanner_sign {
  spanner_kind kind{};
  std::uint8_t number = 1;
  bool start = false;
};
std::optional<spanner_sign> spanner_sign_of(const spanner& s);
std::optional<spanner_sign> spanner_sign_of(const direction_type& t);

/// One end of a spanner.
struct spanner_end_place {
  spanner_kind kind{};
  std::uint8_t number = 1;
  bool start = false;
  std::size_t measure = 0, item = 0;
  std::size_t note = 0;   ///< note of the chord; unused for directions
  std::size_t index = 0;  ///< into note::spanners or direction::types
  std::string voice;      ///< of a direction: its own, otherwise the one in which it is stored
  measure_position at;
  int staff = 0;  ///< of directions; 0 on notes, whose spanners may cross staves
  bool operator==(const spanner_end_place&) const = default;
};

/// Whether these are the same end of the same spanner, after changes around it.
bool same_end(const spanner_end_place& a, const spanner_end_place& b);

/// The ends in measures [first, end) in order of time, without ends that only continue a spanner.
std::vector<spanner_end_place> spanner_ends(const part& p, std::size_t first, std::size_t end);

struct paired_spanners {
  std::vector<std::pair<spanner_end_place, spanner_end_place>> pairs;  ///< start, stop
  std::vector<spanner_end_place> unpaired;                             ///< in order of time
};
/// Pairs ends of the same kind and number: within a voice first, then within a staff, then
/// anywhere; marks that form complete spanners on a staff within that staff, so that each hand may
/// have a hairpin at the same time without numbers. A start while the same spanner is open leaves
/// the older one unpaired, but tuplets nest. At one position the old spanner ends before the new
/// one starts.
paired_spanners pair_spanners(const std::vector<spanner_end_place>& ends);

/// The start and stop of each spanner that is certain whatever ends there are before the first and
/// after the last of these: next to each other in their voice, and on their staff.
std::vector<std::pair<spanner_end_place, spanner_end_place>> certain_pairs(
    const std::vector<spanner_end_place>& ends);

}  // namespace fermata
