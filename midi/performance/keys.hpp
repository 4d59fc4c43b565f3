#pragma once

#include "core/score/model/score.hpp"
#include "midi/performance/written_change.hpp"

#include <vector>

namespace fermata::midi {

/// The key signatures of a part, those of its first staff, in order of place.
std::vector<written_change<key_signature>> keys_of(const part& p);

/// The same as they sound: a clarinet in B flat that reads D major sounds in C. Keys that are only
/// a list of accidentals are left out.
std::vector<written_change<key_signature>> sounding_keys_of(const part& p);

/// The one in force; C major before the first.
key_signature key_in_force(const std::vector<written_change<key_signature>>& keys,
                           std::size_t measure, measure_position at);

}  // namespace fermata::midi
