#pragma once

#include "core/music/pitch.hpp"
#include "core/result.hpp"
#include "core/theory/tonality.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// What stands where the Roman number would: a scale degree, or one of the chords with a name.
enum class numeral_kind : std::uint8_t {
  degree,
  neapolitan,         ///< N6: the major triad on the lowered second degree
  italian_sixth,      ///< It6:  b6 1 #4
  french_sixth,       ///< Fr43: b6 1 2 #4
  german_sixth,       ///< Ger65: b6 1 b3 #4
  swiss_sixth,        ///< Sw43: b6 1 #2 #4
  cadential_six_four  ///< Cad64: the tonic triad in second inversion before a dominant
};

/// Triad of a numeral: capitals are major, small letters minor; o diminished, + augmented.
enum class triad_quality : std::uint8_t { major, minor, diminished, half_diminished, augmented };

/// A tone changed in brackets: [no3], [add9], [b5], [#7].
struct numeral_alteration {
  enum class action : std::uint8_t { alter, add, omit };
  action what = action::alter;
  int number = 5;     ///< interval above the root: 3, 5, 7, 9 ...
  int semitones = 0;  ///< against the tone that would be there, or against the key
  bool operator==(const numeral_alteration&) const = default;
};

/// A chord named by its function in a key, e.g. "bVI", "V65/V", "vii/o42", "Ger65".
struct roman_numeral {
  numeral_kind kind = numeral_kind::degree;
  int degree = 1;      ///< 1..7
  int accidental = 0;  ///< written before the numeral: -1 in bVI
  triad_quality quality = triad_quality::major;
  bool major_seventh = false;  ///< "maj7": a major seventh whatever the key has
  int extension = 5;           ///< highest third of the stack: 5, 7, 9, 11 or 13
  int inversion = 0;           ///< 0 root in the bass, 1 third, 2 fifth, 3 seventh
  std::vector<numeral_alteration> alterations;
  std::vector<roman_numeral> applied_to;  ///< V/V: the numeral after the slash; at most one
  bool operator==(const roman_numeral&) const = default;
};

/// Reads a numeral as in RomanText (Tymoczko, Gotham, Cuthbert, Ariza 2019): accidental, number,
/// quality (o ° diminished, /o ø half-diminished, + augmented), maj, figures (6 64 7 65 43 42 2 9
/// 11 13, also written 6/5), bracketed alterations, and any number of /applied targets.
result<roman_numeral> parse_roman_numeral(std::string_view text);

/// Several numerals with spaces between them; bar lines `|` are skipped.
result<std::vector<roman_numeral>> parse_roman_numerals(std::string_view text);

/// The shortest spelling that reads back as the same: "V65/V", "vii/o7", "N6", "Fr43".
std::string to_string(const roman_numeral& n);

/// A chord in a key: its tones, root first, in thirds upwards.
struct numeral_chord {
  std::vector<pitch_name> tones;
  std::vector<int> numbers;  ///< the place of each in the stack: 1 the root, 3, 5, 7, 9 ...
  std::size_t bass = 0;      ///< which of the tones is lowest
  pitch_name root() const { return tones.front(); }
  pitch_name bass_tone() const { return tones[bass]; }
  bool operator==(const numeral_chord&) const = default;
};

/// The spelled chord that a numeral means.
///
/// Third and fifth follow from the written quality, sevenths and ninths from the key (o7 and /o7
/// carry their own, and a minor triad with a fifth of its own that the key would give a major
/// seventh, iv7 in C major, is borrowed from minor with its seventh: F Ab C Eb; "ivmaj7" says E).
/// In minor the sixth and seventh degrees depend on the quality, as in music21's CAUTIONARY
/// setting: VI and VII stand on the natural degrees, vi, vio, vii, viio on the raised ones; #
/// before a capital raises, b before a small numeral lowers, and #vi, bVI are the same as without.
/// So in C minor VI is Ab C Eb, #VI is A C# E, vi is A C E and bvi is Ab Cb Eb. A plain vii takes
/// its fifth from the key (diminished in major and minor).
result<numeral_chord> chord_of(const roman_numeral& n, const tonality& key);

/// The key in which a numeral after a slash is read: for the "ii" of V/ii in C major, D minor.
result<tonality> tonicized_key(const roman_numeral& target, const tonality& key);

/// Close position upwards from the bass, which lies in octave `octave` or, when that is higher than
/// the octave's F sharp, one below: C major I6 with 4 is e4 g4 c5. Ninths, elevenths and
/// thirteenths lie above all that: C major V9 is g3 b3 d4 f4 a4.
std::vector<pitch> chord_pitches(const numeral_chord& c, int octave = 4);

}  // namespace fermata
