#pragma once

#include "core/theory/key_profiles.hpp"
#include "core/theory/timed_note.hpp"
#include "core/theory/tonality.hpp"

#include <optional>
#include <vector>

namespace fermata {

/// A key and how well the tones of some music correlate with its profile, -1 to 1.
struct key_estimate {
  tonality key;
  double correlation = 0;
};

/// The likeliest key and the next one.
struct found_key {
  key_estimate best;
  key_estimate runner_up;
  /// 0 when the two correlate equally well, 1 when the first does perfectly: the lead of the first,
  /// relative to what was left above the second.
  double confidence = 0;
};

/// The key of a passage as a whole (Krumhansl & Schmuckler 1990): the duration-weighted pitch-class
/// histogram is correlated with the 24 rotations of a profile. The default profile is the best on
/// art songs (93 percent of 160; Krumhansl-Kessler 80). The tonic takes the spelling that fits the
/// written notes. Nothing for no notes, or when all twelve classes are equally frequent.
/// Precondition: no note is a microtone.
std::optional<found_key> find_key(const std::vector<timed_note>& notes,
                                  key_profile profile = key_profile::albrecht_shanahan);

/// All 24 keys, best first, for a histogram over the pitch classes from C; spelled with the fewest
/// accidentals.
std::vector<key_estimate> key_estimates(const profile_weights& histogram, key_profile profile);

}  // namespace fermata
