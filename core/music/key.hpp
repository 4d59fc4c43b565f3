#pragma once

#include "core/music/pitch.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

enum class mode : std::uint8_t {
  none,
  major,
  minor,
  ionian,
  dorian,
  phrygian,
  lydian,
  mixolydian,
  aeolian,
  locrian
};
std::string_view to_string(mode m);
std::optional<mode> parse_mode(std::string_view text);
/// All but `none`.
std::vector<std::string_view> mode_names();
/// Fifths relative to the major key on the same tonic: minor -3, lydian +1; none counts as major.
int fifths_offset(mode m);

/// One alteration of a non-traditional key signature.
struct key_alteration {
  pitch_name name;
  std::string accidental;     ///< MusicXML accidental value when the file gives one, else empty
  std::optional<int> octave;  ///< where the sign is drawn, when said
  std::string smufl;          ///< SMuFL glyph of the sign when the file names one
  bool operator==(const key_alteration&) const = default;
};

/// The octave in which an accidental of a key signature is drawn (MusicXML <key-octave>).
struct key_octave {
  int number = 1;  ///< the accidental, counted from the left
  int octave = 4;
  std::string cancel;  ///< "yes": of the cancelled key; "no", or empty when not said
  bool operator==(const key_octave&) const = default;
};

/// A key signature: traditional (fifths and mode) or a list of alterations.
struct key_signature {
  int fifths = 0;  ///< sharps positive, flats negative
  fermata::mode mode = fermata::mode::none;
  std::string other_mode;       ///< verbatim when the file's mode is not in `fermata::mode`
  std::optional<int> cancel;    ///< fifths of the key that is cancelled visibly
  std::string cancel_location;  ///< "left" "right" "before-barline" or empty
  std::vector<key_alteration> alterations;  ///< non-empty: non-traditional; fifths is then unused
  std::vector<key_octave> key_octaves;

  bool operator==(const key_signature&) const = default;
};

/// The signature of the key on `tonic`: nothing beyond seven sharps or flats, or for microtones.
std::optional<key_signature> key_on(pitch_name tonic, mode m);
/// The tonic: C for 0 major, A for 0 minor, D for 0 dorian.
pitch_name tonic(const key_signature& k);
/// Alteration in cents that the signature gives to a letter.
int alteration(const key_signature& k, step s);

}  // namespace fermata
