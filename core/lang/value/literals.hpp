#pragma once

#include "core/lang/value/value.hpp"
#include "core/music/key.hpp"
#include "core/music/meter.hpp"
#include "core/music/pitch.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace fermata {

/// "c-major", "f#-minor", "bb-dorian", "f-sharp-minor"; a tonic alone is major.
std::optional<key_signature> parse_key(std::string_view text);

/// A time signature as written in an argument: `:common`, `:cut`, `:senza-misura`, `3/4`, `6/8`,
/// `(4 4)`, `(3+2 8)`, `((3 8) (2 4))`. Beats and beat types are 1 to 1024.
std::optional<time_signature> parse_time(const value& v);
/// common, cut, senza-misura.
std::vector<std::string_view> time_word_names();

/// A ratio as written in an argument: `3:2`, `3/2`, `6/4`, `(3 2)`, `3` (in the time of the next
/// lower power of two). Both numbers are positive.
struct ratio {
  int actual = 3;
  int normal = 2;
};
std::optional<ratio> parse_ratio(const value& v);

/// A pitch, also if written as a symbol or keyword inside data.
std::optional<pitch> pitch_of(const value& v);
/// A note value from a duration, a keyword, a symbol or a string.
std::optional<note_value> duration_value_of(const value& v);

/// A list of durations: `:q`, `:8.`, or values of duration forms. Not empty, and without numbers.
bool is_rhythm(const value& v);
/// A list of pitches and of chords, which are lists of pitches.
bool is_pitches(const value& v);

}  // namespace fermata
