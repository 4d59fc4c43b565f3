#pragma once

#include "io/formats/formats.hpp"
#include "midi/smf/read.hpp"

namespace fermata::io {

/// Standard MIDI Files as a score format (midi/smf).
///
/// Reading takes the notes from the grid of the file: what notation programs and step-by-step entry
/// write. Oddities of the file are warnings with track and byte. Errors: those of `smf::read` and
/// `smf::to_score`.
result<document> read_midi(std::string_view bytes, std::string_view origin);

/// The same of a file in a RIFF container (RP-029), where the container is no oddity.
result<document> read_rmid(std::string_view bytes, std::string_view origin);
/// The file itself. `in_riff`: it is said to be in such a container.
result<midi::smf::reading> read_midi_file(std::string_view bytes, bool in_riff);

/// Writes the score as it is played, with ornaments, articulations and tempo changes, or exactly as
/// it is written. What MIDI has no key for is left out and named.
result<written_document> write_midi(const score& s, writing_options how);
/// The same in a RIFF container.
result<written_document> write_rmid(const score& s, writing_options how);

/// The largest file that is read.
constexpr std::size_t most_midi_bytes = std::size_t{64} << 20;

/// Whether the bytes begin as a Standard MIDI File does, also one in a RIFF container.
bool looks_like_midi(std::string_view bytes);

}  // namespace fermata::io
