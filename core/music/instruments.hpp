#pragma once

#include "core/music/clef.hpp"
#include "core/music/pitch.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fermata {

/// What an instrument shortcut such as `(part :horn ...)` stands for.
struct instrument_info {
  std::string_view name;                ///< the keyword: "french-horn" is an alias of "horn"
  std::string_view full_name;           ///< as printed before the first system: "Horn in F"
  std::string_view abbreviation;        ///< as printed before the others: "Hn."
  std::vector<std::string_view> clefs;  ///< one per staff, names of `clef_table`
  /// Written to sounding: diatonic steps and semitones within the octave, then whole octaves, as in
  /// MusicXML's <transpose>. Clarinet in B flat: -1, -2, 0.
  int diatonic = 0, chromatic = 0, octaves = 0;
  int midi_program = 1;     ///< General MIDI 1, from 1
  bool percussion = false;  ///< plays on MIDI channel 10
  std::string_view sound;   ///< MusicXML standard sound id
  /// Written range of a professional player, after Adler, The Study of Orchestration, rounded to
  /// what is asked for in ordinary parts; empty for instruments without definite pitch.
  std::string_view lowest, highest;
  std::vector<std::string_view> aliases;

  bool transposes() const { return diatonic != 0 || chromatic != 0 || octaves != 0; }
  std::optional<pitch> lowest_pitch() const { return parse_pitch(lowest); }
  std::optional<pitch> highest_pitch() const { return parse_pitch(highest); }
};

/// All instruments in score order: woodwind, brass, percussion, keyboards, plucked, voices,
/// strings.
const std::vector<instrument_info>& instrument_table();

/// By keyword, alias or full name; ASCII case, hyphens and blanks do not matter.
const instrument_info* find_instrument(std::string_view name);

}  // namespace fermata
