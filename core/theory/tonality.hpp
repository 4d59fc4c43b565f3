#pragma once

#include "core/music/key.hpp"
#include "core/music/pitch.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace fermata {

/// A key as harmony thinks of it: tonic and mode. Unlike a key signature it may lie beyond seven
/// accidentals (G sharp major, when E sharp is tonicized), and no mode means major.
struct tonality {
  pitch_name tonic;
  fermata::mode mode = fermata::mode::major;
  bool operator==(const tonality&) const = default;
};

/// Whether the third above the tonic is minor.
bool is_minor(const tonality& t);

/// The natural tone on degree 1..7 (taken modulo 7): in minor the sixth and seventh are not raised.
pitch_name degree(const tonality& t, int n);

/// The degree 1..7 of the letter of `name`, and how many semitones it lies above the natural tone
/// there (F sharp in C major: 4 and +1). Nothing for microtones.
struct altered_degree {
  int degree = 1;
  int alteration = 0;
  bool operator==(const altered_degree&) const = default;
};
std::optional<altered_degree> degree_of(const tonality& t, pitch_name name);

/// Sharps (positive) or flats of the diatonic collection; may leave -7..7.
int fifths(const tonality& t);
tonality tonality_of(const key_signature& k);
/// With as many accidentals as it takes, even beyond seven.
key_signature signature_of(const tonality& t);

/// Major and minor exchanged on the same tonic; other modes by their third.
tonality parallel(const tonality& t);
/// The major or minor key with the same signature.
tonality relative(const tonality& t);

/// "c major", "f# minor", "d dorian".
std::string to_string(const tonality& t);
/// Reads "c major", "f#-minor", "Eb:maj", "d dorian", and single tonics as analysts write them: "C"
/// is major, "c" minor. Words may be shortened to maj and min.
std::optional<tonality> parse_tonality(std::string_view text);

}  // namespace fermata
