#pragma once

#include "core/score/model/score.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// How full a measure is, voice by voice.

/// What is wrong with the time in one voice of a measure.
struct length_fault {
  enum class what { too_long, too_short, overlap } kind{};
  std::string voice;
  quarters amount;          ///< how much too long or too short, how much overlaps
  const chord_rest* after;  ///< the last note or rest that begins inside the measure; for overlaps
                            ///< the one that begins too early; null when there is none
};

/// Voices that end after `full` (the length of the measure; zero: without metre, nothing is too
/// long) and notes of a voice that begin before the one before them has ended. Gaps are no fault.
std::vector<length_fault> overfull_voices(const measure& m, quarters full);

/// "an eighth too long for 4/4 after g4", "in voice 2 " in front where the measure has several.
std::string in_words(const length_fault& f, const measure& m, const time_signature& t);

}  // namespace fermata
