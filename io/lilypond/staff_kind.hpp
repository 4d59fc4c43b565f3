#pragma once

#include "core/score/model/score.hpp"

#include <cstdint>
#include <string>

namespace fermata::io::lilypond {

/// LilyPond has contexts of their own for tablature and for percussion.
enum class staff_kind : std::uint8_t { notes, tablature, drums };

/// Tablature: a staff that has a TAB clef and never another. Drums: the only staff of a part all of
/// whose notes are without pitch and played by instruments of the General MIDI percussion map, each
/// of them always drawn alike.
staff_kind kind_of_staff(const part& p, int staff, int staves);

/// "Staff" and "Voice", "TabStaff" and "TabVoice", "DrumStaff" and "DrumVoice".
std::string staff_context(staff_kind k);
std::string voice_context(staff_kind k);

/// What the staff needs in its \with block: the strings of a tablature, the places of the drums.
std::string staff_settings(const part& p, int staff, staff_kind k);

/// The name of a percussion note in \drummode; empty when there is none.
std::string drum_name(const part& p, const note& n);

}  // namespace fermata::io::lilypond
