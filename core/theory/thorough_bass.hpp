#pragma once

#include "core/music/pitch.hpp"
#include "core/result.hpp"
#include "core/theory/part_writing.hpp"
#include "core/theory/tonality.hpp"

#include <string_view>
#include <vector>

namespace fermata {

/// Figured bass: figures over a bass note, read in a key.
///
/// Figures are numbers, each with an accidental before or after it: # raises the key's tone by a
/// semitone, b lowers it, ## or x and bb do so by two, n makes the letter natural, + or \ raises
/// (the crossed figure). An accidental alone belongs to the third. They are written together or
/// with spaces, slashes or commas between: "6", "64", "#6", "7 5 #", "6/5", "4+ 2". What figures
/// leave out is understood as usual: nothing is 5 3, 6 is 6 3, 7 is 7 5 3, 65 is 6 5 3, 43 is 6 4
/// 3, 42 and 2 are 6 4 2, 9 is 9 5 3, 4 is 5 4 (C. P. E. Bach, Versuch, part II).

/// The tones above the bass, bass first, then in the order of their intervals.
result<std::vector<pitch_name>> figured_tones(pitch_name bass, std::string_view figures,
                                              const tonality& key);

/// The bass with its tones in close position above it: c3 and "64" in C major are c3 f3 a3.
result<std::vector<pitch>> realize_figures(pitch bass, std::string_view figures,
                                           const tonality& key);

/// A bass note with its figures.
struct figured_note {
  pitch bass;
  std::string_view figures;
};
/// A whole bass set for four voices, lowest first, the given bass notes kept.
result<std::vector<std::vector<pitch>>> realize_figured_bass(const std::vector<figured_note>& notes,
                                                             const tonality& key);

}  // namespace fermata
