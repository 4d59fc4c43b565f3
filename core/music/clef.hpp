#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// A clef as MusicXML names it. The clef never changes a pitch, only where it is drawn.
struct clef {
  std::string sign = "G";  ///< "G" "F" "C" "percussion" "TAB" "jianpu" "none"
  int line = 0;            ///< staff line from the bottom; 0: the sign's usual line
  int octave_change = 0;   ///< -1: sounds an octave lower (8vb)
  bool operator==(const clef&) const = default;
};

/// The signs of MusicXML's type "clef-sign".
const std::vector<std::string_view>& clef_signs();
/// The sign of that name, in capitals or not.
std::optional<std::string_view> find_clef_sign(std::string_view name);

/// One row per named clef; names as the language accepts them, first is canonical.
struct clef_name {
  std::string_view name;
  std::vector<std::string_view> aliases;
  clef value;
};
const std::vector<clef_name>& clef_table();
/// By any of its names, case-insensitively: treble, g, bass, f, alto, tenor, treble-8vb, ...
std::optional<clef> find_clef(std::string_view name);
/// The canonical name, if it has one.
std::optional<std::string_view> name_of(const clef& c);

}  // namespace fermata
