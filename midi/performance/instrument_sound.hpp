#pragma once

#include "core/score/model/score.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fermata::midi {

/// Which sound of a synthesizer stands for an instrument of the score.
struct instrument_sound {
  bool percussion = false;         ///< on MIDI's channel 10, where keys are drums
  std::uint8_t program = 0;        ///< from 0
  std::optional<int> bank;         ///< from 0, up to 16383
  std::optional<int> volume, pan;  ///< values of the controllers
  std::optional<int> wanted;       ///< the channel that the score asks for, from 0
  std::string name;                ///< of the instrument, as the score has it

  /// Whether both may use one channel.
  bool sounds_like(const instrument_sound& other) const;
};

/// `instrument`: null when the part has none. The program is the one that the score says; else
/// that of the standard sound (MusicXML instrument-sound), of the name of the instrument, or of
/// the part ("Violin II", "Clarinet in B-flat 1"), by `core/music/instruments`; else the piano.
/// Notes without pitch are percussion, and so are instruments on channel 10.
instrument_sound sound_of(const part& p, const part_instrument* instrument, bool unpitched);

/// The instrument with this id; the first one for an empty or unknown id; null: the part has none.
const part_instrument* instrument_of(const part& p, std::string_view id);

/// The drum of General MIDI (level 1, "Percussion Key Map") with this name: 38 for "Snare Drum".
/// Nothing for names of other things.
std::optional<int> drum_key(std::string_view name);

/// The key for an unpitched note: <midi-unpitched>, else the drum by the name or the sound of its
/// instrument or by the name of the part, else `drawn`.
int percussion_key(const part& p, const part_instrument* instrument, int drawn);

}  // namespace fermata::midi
