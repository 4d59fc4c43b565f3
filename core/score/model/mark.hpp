#pragma once

#include "core/score/model/preserved.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// The parent of a mark in MusicXML's <notations>.
enum class mark_group : std::uint8_t { articulation, ornament, technical, notation };

/// What follows the mark's name in text: nothing, free text, or a number.
enum class mark_value : std::uint8_t { none, text, number };

/// One enumerator per mark of MusicXML 4.0 on a single note: articulations, ornaments, technical
/// marks, fermata, arpeggiate.
enum class mark_kind : std::uint8_t {
#define FERMATA_MARK(id, xml, group, value, option, aliases) id,
#include "core/score/model/mark_table.inc"
#undef FERMATA_MARK
};

struct mark_info {
  mark_kind kind;
  std::string_view xml_name;  ///< element name: "staccato", "down-bow"
  mark_group group;
  mark_value value;
  std::string_view option;   ///< canonical keyword of the language without colon
  std::string_view aliases;  ///< further keywords, blank-separated
};
const std::vector<mark_info>& mark_table();
const mark_info& info(mark_kind k);
/// By element name, within a group (names such as "bend" are unique, "other-..." per group).
std::optional<mark_kind> mark_by_xml_name(mark_group g, std::string_view name);
/// By keyword of the language or alias.
std::optional<mark_kind> mark_by_option(std::string_view option);

/// A mark on a note. `text` is the element's content (fingering "3", fermata shape "angled",
/// tremolo marks "3", strong-accent type "down"); further attributes and children are preserved.
struct mark {
  mark_kind kind{};
  std::string text;
  preserved extra;
  bool operator==(const mark&) const = default;
};

/// All spanners: notations that reach from one note or position to another (MusicXML).
enum class spanner_kind : std::uint8_t {
  // on notes
  tied,
  slur,
  tuplet,
  glissando,
  slide,
  wavy_line,
  hammer_on,
  pull_off,
  tremolo,
  // in directions
  hairpin,
  pedal,
  octave_shift,
  bracket,
  dashes
};
enum class span_end : std::uint8_t { start, stop, continue_, let_ring };

/// One end of a spanner. A slur over four notes is a `start` on the first, a `stop` on the last.
struct spanner {
  spanner_kind kind{};
  span_end end{};
  std::uint8_t number = 1;  ///< distinguishes overlapping spanners of a kind, 1..16
  std::string text;         ///< glissando/slide label, hammer-on "H", tremolo marks "3"
  preserved extra;          ///< placement, line type, bracket, tuplet-actual and -normal, ...
  bool operator==(const spanner&) const = default;
};

}  // namespace fermata
