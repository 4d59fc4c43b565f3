#pragma once

#include "core/error.hpp"
#include "core/score/model/score.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fermata::io::musicxml {

/// Whether the writer may add what a reader of the page or a player needs and the score leaves
/// open. Music that was read from a file says it all and is best written `as_given`; music that was
/// made here rarely says accidentals, beams or playback and wants them `completed`.
enum class completion : std::uint8_t { as_given, completed };

struct write_options {
  bool pretty = true;  ///< two spaces of indentation; else one long line
  /// Accidentals where the key and the measure so far demand one: per staff and octave, until the
  /// barline, not on the far end of a tie across it. Those given stay as they are.
  completion accidentals = completion::completed;
  /// Beams by metre in every voice of a measure that has none of its own.
  completion beams = completion::completed;
  /// <sound> beside metronome marks (tempo), segno, coda, "Fine", "D.C.", "D.S.", "To Coda".
  completion playback = completion::completed;
  /// Name and version of the writing program for <encoding>, only written when the score has no
  /// encoding notes of its own. Empty: none, so that the text depends on the score alone.
  std::string software;
};

/// The score as MusicXML 4.0, partwise, UTF-8. The text is always valid against the schema
/// (musicxml.xsd, 4.0) and depends on score and options only.
///
/// - `divisions` is per part the least number that makes every length and place in it an integer.
/// - Places in a measure become <backup> and <forward>; <voice> is always written, <staff> where
/// the
///   part has several.
/// - A score without parts becomes one part with one empty measure, a part without measures gets
/// one
///   empty measure: the schema demands both.
/// - What the score keeps as XML but the schema does not allow at its place (an attribute of a
///   later version, a second ending in one barline) is written as <?fermata-kept ...?>, from where
///   `read` takes it back: the file stays valid and nothing is lost.
/// - What has no MusicXML at all (c-1, a length of 1/7919 in a part with many such) is written as
///   near as possible and told in `problems`.
std::string write(const score& s, const write_options& options = {},
                  std::vector<diagnostic>* problems = nullptr);

}  // namespace fermata::io::musicxml
