#pragma once

#include "core/music/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// The written note values, longest first; names as MusicXML's note-type-value.
enum class note_base : std::uint8_t {
  maxima,
  long_,
  breve,
  whole,
  half,
  quarter,
  eighth,
  n16th,
  n32nd,
  n64th,
  n128th,
  n256th,
  n512th,
  n1024th
};

/// Undotted length in quarter notes: whole 4, eighth 1/2, maxima 32.
quarters length(note_base b);
/// MusicXML's spelling: "whole", "16th", "long".
std::string_view musicxml_name(note_base b);
std::optional<note_base> parse_musicxml_note_base(std::string_view name);

/// A written duration: note value and dots. What it lasts also depends on tuplets.
struct note_value {
  note_base base = note_base::quarter;
  std::uint8_t dots = 0;
  constexpr bool operator==(const note_value&) const = default;
};

/// Length in quarter notes: a dotted half is 3.
quarters length(note_value v);

/// The canonical keyword without colon: "w" "h" "q" "8" "16" ... "breve" "long" "maxima", then
/// dots.
std::string to_string(note_value v);

/// Reads every accepted name with dots: `w h q e s`, `1 2 4 8 ... 1024`, American and British names
/// ("quarter", "crotchet", "hemidemisemiquaver", ...), "breve" "long" "maxima". Without the colon.
std::optional<note_value> parse_note_value(std::string_view text);

/// The single note value (up to three dots) that lasts exactly `q`, if there is one.
std::optional<note_value> note_value_for(quarters q);

/// `q` as note values to be tied, longest first where no metre is given. Empty when `q` is not a
/// sum of dyadic values down to 1024ths (a tuplet is needed).
std::vector<note_value> tied_note_values(quarters q);

}  // namespace fermata
