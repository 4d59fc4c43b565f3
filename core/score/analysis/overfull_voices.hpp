#pragma once

#include "core/score/model/score.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// How full a measure is in each voice.

/// A timing error in one voice of a measure.
struct length_fault {
  enum class what { too_long, too_short, overlap } kind{};
  std::string voice;
  quarters amount;          ///< how much too long or too short, how much overlaps
  const chord_rest* after;  ///< the last note or rest that starts inside the measure; for overlaps
                            ///< the one that starts too early; null if there is none
};

/// Voices that end after `full` (the length of the measure; zero: no time signature, nothing is too
/// long), and notes that start before the previous note of their voice has ended. Gaps are not
/// errors.
std::vector<length_fault> overfull_voices(const measure& m, quarters full);

/// "an eighth too long for 4/4 after g4", with "in voice 2 " before it if the measure has several
/// voices.
std::string to_text(const length_fault& f, const measure& m, const time_signature& t);

}  // namespace fermata
