#pragma once

#include "core/music/clef.hpp"
#include "core/music/duration.hpp"
#include "core/music/key.hpp"
#include "core/music/meter.hpp"
#include "core/music/pitch.hpp"
#include "core/score/model/measure.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace fermata::io::lilypond {

/// Single words of LilyPond's language (note names "nederlands", the default).

/// "c'", "bes,", "fisis''", "aeh": rounded to the nearest quarter tone.
std::string pitch_text(pitch p);
std::string name_text(pitch_name n);
bool is_quarter_tone_grid(pitch_name n);

/// "4", "2.", "\breve". Nothing below the 1024th.
std::string value_text(note_value v);

/// A duration that lasts `sounding` quarters: the note value, scaled if that does not last as long
/// by itself: "8", "8*2/3", "1*5/4".
std::string duration_text(quarters sounding, std::optional<note_value> drawn = std::nullopt);

/// A fraction of a whole note: "3/4".
std::string whole_fraction(quarters q);

/// An attribute that the score keeps from the file; empty when there is none.
std::string attribute(const preserved& extra, std::string_view name);

/// The name of the first element in XML that the score keeps, also of one that MusicXML has no
/// place for and that is kept within a processing instruction.
std::string_view element_name(std::string_view xml);

/// In double quotes, with \" and \\ escaped and line ends as blanks.
std::string quoted(std::string_view text);

/// The field of \header for a creator of this type: composer, lyricist and poet, arranger.
std::optional<std::string_view> header_maker(std::string_view type);

std::string clef_text(const clef& c);
std::string key_text(const key_signature& k);
std::string time_text(const time_signature& t);

/// The pitch that sounds for a written c', for \transposition.
std::string transposition_text(const transposition& t);

/// A line that may end a measure: "|.", ":|." are repeats and not here. Nothing for a plain
/// barline.
std::optional<std::string> bar_text(std::string_view style);

}  // namespace fermata::io::lilypond
