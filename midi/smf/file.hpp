#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace fermata::midi::smf {

/// A Standard MIDI File as a value, close to the bytes: MIDI Manufacturers Association, Standard
/// MIDI Files 1.0 (RP-001). Nothing is interpreted here, so that reading and writing again keeps
/// every event; meta.hpp gives the bytes of meta events their meaning.

/// Time in ticks from the beginning of a track.
using ticks = std::uint64_t;
/// The latest time of an event: 36 years of music at 480 ticks a quarter and 120 quarters a minute.
constexpr ticks last_tick = (ticks{1} << 40) - 1;

/// Musical time: the usual division.
struct ticks_per_quarter {
  int ticks = 480;  ///< 1..32767
  bool operator==(const ticks_per_quarter&) const = default;
};

/// Clock time: ticks are parts of a film or video frame.
struct ticks_per_frame {
  int frames = 25;  ///< 24, 25, 29 (30 drop frame) or 30 in a second
  int ticks = 40;   ///< 1..255
  bool operator==(const ticks_per_frame&) const = default;
};

using time_division = std::variant<ticks_per_quarter, ticks_per_frame>;

/// A message to a channel: note, controller, program, pressure or pitch bend.
struct channel_message {
  std::uint8_t status = 0x90;  ///< 0x80..0xEF; the low four bits are the channel
  std::uint8_t data1 = 0;      ///< 0..127
  std::uint8_t data2 = 0;      ///< 0..127; 0 for programs and channel pressure, which have one byte
  /// 0x80 note off, 0x90 note on, 0xA0 key pressure, 0xB0 controller, 0xC0 program, 0xD0 channel
  /// pressure, 0xE0 pitch bend.
  int command() const { return status & 0xF0; }
  int channel() const { return status & 0x0F; }  ///< 0..15
  bool operator==(const channel_message&) const = default;
};

/// How many data bytes follow a channel status.
constexpr int data_bytes(std::uint8_t status) {
  return (status & 0xE0) == 0xC0 ? 1 : 2;  // 0xC0 and 0xD0
}

/// What is not sent to an instrument: tempo, names, lyrics. The end of a track is not among the
/// events (`track::end`).
struct meta_event {
  std::uint8_t type = 1;
  std::string data;  ///< bytes as in the file; texts may be in any encoding
  bool operator==(const meta_event&) const = default;
};

/// A system exclusive message, or a packet of one.
struct sysex_event {
  bool escape = false;  ///< 0xF7: further packet, or bytes to send as they are; else 0xF0
  std::string data;     ///< without the leading 0xF0; a complete message ends with 0xF7
  bool operator==(const sysex_event&) const = default;
};

using message = std::variant<channel_message, meta_event, sysex_event>;

struct event {
  ticks at = 0;  ///< not above `last_tick`
  smf::message message;
  bool operator==(const event&) const = default;
};

struct track {
  std::vector<event> events;  ///< by time; of the same time in the order of the file
  ticks end = 0;              ///< of the track, not before the last event
  bool operator==(const track&) const = default;
};

struct file {
  int format = 1;  ///< 0: one track; 1: simultaneous tracks; 2: independent sequences
  time_division division;
  std::vector<track> tracks;
  bool riff = false;  ///< wrapped in RIFF, as Windows does (.rmi)
  bool operator==(const file&) const = default;
};

}  // namespace fermata::midi::smf
