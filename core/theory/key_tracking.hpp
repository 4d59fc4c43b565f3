#pragma once

#include "core/music/time.hpp"
#include "core/theory/tonality.hpp"

#include <vector>

namespace fermata {

/// A note as a keyboard gives it: no spelling yet.
struct unspelled_note {
  quarters onset;
  quarters length;
  int midi_key = 60;
};

/// A key signature from some time on.
struct signature_change {
  quarters at;
  int fifths = 0;
};

/// A key from some time on.
struct key_change {
  quarters at;
  tonality key;
  bool operator==(const key_change&) const = default;
};

/// Follows the key through a piece, quarter by quarter.
///
/// A hidden Markov model over the 38 major and minor keys of nine flats to nine sharps, decoded by
/// Viterbi: a quarter's notes are drawn from the Albrecht-Shanahan profile of its key, changing the
/// key costs more the further the new one lies along the line of fifths (parallel and relative keys
/// are near), and keys beyond a few accidentals, or away from the signature where one is given,
/// cost a little all the time. Keys that only differ enharmonically are told apart by what
/// surrounds them. The answer has one entry per change, in order; it is empty for no notes.
std::vector<key_change> track_keys(const std::vector<unspelled_note>& notes,
                                   const std::vector<signature_change>& signatures = {});

/// The entry in force at a time: the last that is not later. The first one also covers what comes
/// before it. `changes` must not be empty.
const tonality& key_at(const std::vector<key_change>& changes, quarters at);

}  // namespace fermata
