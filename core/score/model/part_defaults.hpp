#pragma once

#include "core/music/instruments.hpp"
#include "core/score/model/cursor.hpp"
#include "core/score/model/score.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace fermata {

/// What a part begins with that nobody has written.

/// Parts use ids P1, P2, ...; this is the first one that `s` does not have, beginning at its number
/// of parts plus one.
std::string free_part_id(const score& s);

/// The part that music gets which names none.
part default_part(const score& s, const score_defaults& defaults);

/// The instrument whose shortcut made a part, known by its sound; null when none did.
const instrument_info* instrument_of(const part& p);

/// What the staves of a system have in common at its beginning, as far as a part says it.
struct system_opening {
  std::optional<time_signature> time;
  std::optional<key_signature> key;  ///< as it sounds

  /// Adds what a part says, unless one before it has said so. `row` is its instrument, or null.
  void add(const attributes& said, const instrument_info* row);
};
system_opening opening_of(const score& s);

/// The key signature of an instrument when `sounding` is the key of the music: D major for a
/// clarinet in B flat when that is C major; beyond seven accidentals the enharmonic key. Drums have
/// none. `row` may be null.
key_signature written_key(const key_signature& sounding, const instrument_info* row);

/// The key of the defaults; where nobody chose one it is C major, and says so.
key_signature key_of_new_part(const score_defaults& defaults);

/// Key, time, clefs and transposition of a first measure that says none itself. Metre and key of
/// the other parts come first: parts belong together. Clefs and transposition are those of the
/// instrument of part `part_index`; of a part that is not there yet, those of the defaults. The
/// piano that nobody asked for begins with one staff, in the clef of the defaults.
attributes opening_attributes(const score& s, std::size_t part_index,
                              const score_defaults& defaults);

}  // namespace fermata
