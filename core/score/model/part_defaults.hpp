#pragma once

#include "core/music/instruments.hpp"
#include "core/score/model/cursor.hpp"
#include "core/score/model/score.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace fermata {

/// The initial attributes of a part that does not specify them.

/// Parts have ids P1, P2, ...; this is the first one that `s` does not have, starting with its
/// number of parts plus one.
std::string free_part_id(const score& s);

/// The part of music that names none.
part default_part(const score& s, const score_defaults& defaults);

/// The instrument whose shortcut created a part, recognized by its sound; or null.
const instrument_info* instrument_of(const part& p);

/// The initial attributes that the staves of a system share, as far as a part specifies them.
struct system_opening {
  std::optional<time_signature> time;
  std::optional<key_signature> key;  ///< as it sounds

  /// Adds those of a part, unless an earlier one has specified them. `row` is its instrument, or
  /// null.
  void add(const attributes& said, const instrument_info* row);
};
system_opening opening_of(const score& s);

/// The key signature of an instrument if `sounding` is the key of the music: D major for a clarinet
/// in B flat if that is C major; beyond seven accidentals the enharmonic key. Drums have none.
/// `row` may be null.
key_signature written_key(const key_signature& sounding, const instrument_info* row);

/// The key signature that sounds where `written` is read with a transposition; beyond seven
/// accidentals the enharmonic key.
key_signature sounding_key(const key_signature& written, const transposition& t);

/// The default key; if none was chosen, an explicit C major.
key_signature key_of_new_part(const score_defaults& defaults);

/// Key, time, clefs and transposition of a first measure that does not specify them. Time signature
/// and key of the other parts take precedence. Clefs and transposition are those of the instrument
/// of part `part_index`; for a part that does not exist yet, those of the defaults. The implied
/// piano starts with one staff, in the clef of the defaults.
attributes opening_attributes(const score& s, std::size_t part_index,
                              const score_defaults& defaults);

}  // namespace fermata
