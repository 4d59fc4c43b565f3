#pragma once

#include "core/result.hpp"
#include "midi/smf/file.hpp"
#include "midi/transcription/transcribe.hpp"

#include <vector>

namespace fermata::midi {

/// The notes of a file with the times at which they are played, by its tempos; a part for each
/// channel with notes of each track. A drawn tempo map is not used for anything else: what was
/// recorded has the nominal tempo of the recorder. With the sustain pedal of each channel. Error
/// `unsupported_format` for format 2, whose tracks are separate pieces.
[[nodiscard]] result<std::vector<performed_part>> performed_parts_of(const smf::file& f);

}  // namespace fermata::midi
