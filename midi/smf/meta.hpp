#pragma once

#include "core/music/key.hpp"
#include "core/music/meter.hpp"
#include "midi/smf/file.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fermata::midi::smf {

/// What the bytes of meta events mean, both ways.

/// The types of the standard, and two that became customary: program_name and device_name (RP-019),
/// port (the MIDI port that the events of a track go to).
enum class meta_type : std::uint8_t {
  sequence_number = 0x00,
  text = 0x01,
  copyright = 0x02,
  track_name = 0x03,  ///< in format 0, and in the first track of format 1, the name of the piece
  instrument_name = 0x04,
  lyric = 0x05,
  marker = 0x06,
  cue_point = 0x07,
  program_name = 0x08,
  device_name = 0x09,
  channel_prefix = 0x20,
  port = 0x21,
  end_of_track = 0x2F,
  tempo = 0x51,
  smpte_offset = 0x54,
  time_signature = 0x58,
  key_signature = 0x59,
  sequencer_specific = 0x7F
};

constexpr bool is(const meta_event& m, meta_type t) { return m.type == static_cast<int>(t); }

/// The length that the standard gives a type, if it is fixed.
std::optional<std::size_t> fixed_length(std::uint8_t type);

// --- making --------------------------------------------------------------------------------------

meta_event text_meta(meta_type type, std::string text);
/// Microseconds for a quarter note, 1..0xFFFFFF.
meta_event tempo_meta(std::uint32_t microseconds);
meta_event port_meta(std::uint8_t port);
/// Nothing for a time signature without beats, with more than 255, or whose unit is not a power of
/// two. Several fractions and additive beats become one fraction of the same length. The click is
/// the beat: dotted in compound metres.
std::optional<meta_event> time_signature_meta(const time_signature& t);
/// Nothing for keys beyond seven accidentals and those that are lists of alterations. Modes other
/// than minor become major: the event has two.
std::optional<meta_event> key_signature_meta(const key_signature& k);

// --- reading: nothing for other types and for bytes that have no meaning
// ---------------------------

std::optional<std::uint32_t> tempo_of(const meta_event& m);
std::optional<std::uint8_t> port_of(const meta_event& m);
/// Nothing as well for a numerator of 0 and units shorter than a 64th.
std::optional<time_signature> time_signature_of(const meta_event& m);
std::optional<key_signature> key_signature_of(const meta_event& m);

/// The text of an event as UTF-8 without control characters. The standard recommends ASCII and
/// leaves the encoding open: what is not UTF-8 is read as Latin-1.
std::string text_of(std::string_view bytes);

}  // namespace fermata::midi::smf
