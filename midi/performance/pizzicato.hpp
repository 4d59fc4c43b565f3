#pragma once

#include "midi/performance/instrument_sound.hpp"
#include "midi/performance/written_change.hpp"

#include <vector>

namespace fermata::midi {

/// Plucked strings. General MIDI (level 1) has one sound for them, program 46 "Pizzicato Strings",
/// which stands for all bowed instruments (programs 41 to 44, and the string ensembles 49 and 50).

/// Where a part changes between plucked (true) and bowed: <sound pizzicato="yes"> and "no", else
/// the words "pizz." or "pizzicato" and "arco". By place.
std::vector<written_change<bool>> pizzicati_of(const part& p);

/// Whether the strings are plucked at a place.
bool is_plucked(const std::vector<written_change<bool>>& changes, std::size_t measure,
                measure_position at);

/// Whether a note has the sign of a snap pizzicato, which is plucked wherever it stands.
bool is_snapped(const note& n);

/// The sound of an instrument when its strings are plucked: the same for what has none to bow.
instrument_sound plucked(instrument_sound sound);

}  // namespace fermata::midi
