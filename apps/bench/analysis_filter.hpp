#pragma once

#include <iosfwd>
#include <string_view>

namespace fermata::bench {

/// Musical analysis as a filter, for the accuracy tables: facts in, the product's answer out, both
/// as lines with tabs. The tables compare the answer with the truth, which is not given.
///
/// Facts:
///     note ONSET LENGTH PITCH     in quarters; a spelled pitch or a MIDI key number
///     signature AT FIFTHS         a key signature
///     span BEGIN END              where a chord is known to be
///     key AT KEY                  "f# minor", or "f#"
///     figure KEY NUMERAL          a numeral to read
///
/// Questions and the lines of their answers:
///     spelling    PITCH           for each note, from its sound and the signatures
///     ps13s1      PITCH           the same after Meredith
///     key         KEY CORRELATION RUNNER_UP CONFIDENCE
///     keys        AT KEY
///     chords      BEGIN END KEY TONES BASS NUMERAL    of the spans, in the given keys
///     analysis    BEGIN END KEY TONES BASS NUMERAL    of the notes alone
///     figures     TONES BASS NUMERAL                  for each figure; empty if it cannot be read
///
/// Returns the exit status: 1 when a fact or the question is not understood.
int answer(std::string_view question, std::istream& facts, std::ostream& out, std::ostream& errors);

}  // namespace fermata::bench
