#pragma once

#include <cstddef>
#include <string>

namespace fermata::bench {

/// A one-part score of `notes` notes in 4/4 as explicit forms: sixteen sixteenths a measure, going
/// up and down a scale, so that neither beams, accidentals nor spelling are degenerate.
inline std::string explicit_score(std::size_t notes) {
  static constexpr const char* scale[] = {"c4", "d4", "e4", "f#4", "g4", "a4", "bb4", "c5"};
  std::string text = "(score (part :violin";
  for (std::size_t i = 0; i < notes; ++i) {
    if (i % 16 == 0) text += i == 0 ? "\n(measure (time 4 4)" : ")\n(measure";
    auto step = i % 14;
    text += std::string{" (note "} + scale[step < 8 ? step : 14 - step] + " :16)";
  }
  return text + ")))";
}

/// The same music as a phrase in each measure.
inline std::string phrase_score(std::size_t notes) {
  static constexpr const char* scale[] = {"c4", "d4", "e4", "f#4", "g4", "a4", "bb4", "c5"};
  std::string text = "(score (part :violin";
  for (std::size_t i = 0; i < notes; ++i) {
    if (i % 16 == 0)
      text += i == 0 ? "\n(measure (time 4 4) (phrase \"" : "\"))\n(measure (phrase \"";
    auto step = i % 14;
    text +=
        std::string{i % 16 ? " " : ""} + scale[step < 8 ? step : 14 - step] + (i % 16 ? "" : ":16");
  }
  return text + "\"))))";
}

}  // namespace fermata::bench
