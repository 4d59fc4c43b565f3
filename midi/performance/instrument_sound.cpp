#include "midi/performance/instrument_sound.hpp"

#include "core/music/instruments.hpp"
#include "midi/performance/playback_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace fermata::midi {

namespace {

struct drum_row {
  std::string_view words;  ///< all of them are in the name
  int key;
};
/// What says more comes first: "pedal hi hat" before "hi hat".
constexpr std::array drum_table{drum_row{"acoustic bass drum", 35},
                                drum_row{"bass drum 2", 35},
                                drum_row{"bass drum", 36},
                                drum_row{"kick", 36},
                                drum_row{"side stick", 37},
                                drum_row{"rim", 37},
                                drum_row{"electric snare", 40},
                                drum_row{"snare", 38},
                                drum_row{"clap", 39},
                                drum_row{"low floor tom", 41},
                                drum_row{"floor tom", 43},
                                drum_row{"low mid tom", 47},
                                drum_row{"hi mid tom", 48},
                                drum_row{"high mid tom", 48},
                                drum_row{"low tom", 45},
                                drum_row{"high tom", 50},
                                drum_row{"hi tom", 50},
                                drum_row{"tom", 47},
                                drum_row{"open hi hat", 46},
                                drum_row{"pedal hi hat", 44},
                                drum_row{"hi hat", 42},
                                drum_row{"hihat", 42},
                                drum_row{"crash cymbal 2", 57},
                                drum_row{"crash", 49},
                                drum_row{"chinese cymbal", 52},
                                drum_row{"china", 52},
                                drum_row{"splash", 55},
                                drum_row{"ride bell", 53},
                                drum_row{"ride cymbal 2", 59},
                                drum_row{"ride", 51},
                                drum_row{"cymbal", 49},
                                drum_row{"tambourine", 54},
                                drum_row{"cowbell", 56},
                                drum_row{"vibraslap", 58},
                                drum_row{"low bongo", 61},
                                drum_row{"bongo", 60},
                                drum_row{"mute conga", 62},
                                drum_row{"mute hi conga", 62},
                                drum_row{"low conga", 64},
                                drum_row{"conga", 63},
                                drum_row{"low timbale", 66},
                                drum_row{"timbale", 65},
                                drum_row{"low agogo", 68},
                                drum_row{"agogo", 67},
                                drum_row{"cabasa", 69},
                                drum_row{"maraca", 70},
                                drum_row{"long whistle", 72},
                                drum_row{"whistle", 71},
                                drum_row{"long guiro", 74},
                                drum_row{"guiro", 73},
                                drum_row{"claves", 75},
                                drum_row{"low wood block", 77},
                                drum_row{"wood block", 76},
                                drum_row{"woodblock", 76},
                                drum_row{"mute cuica", 78},
                                drum_row{"cuica", 79},
                                drum_row{"mute triangle", 80},
                                drum_row{"triangle", 81}};

/// By the whole name, then without the last words: "Clarinet in A 2", "Violin II", "Flutes".
const instrument_info* instrument_named(std::string_view name) {
  std::string rest{name};
  while (!rest.empty()) {
    if (auto* found = find_instrument(rest)) return found;
    if (rest.back() == 's')
      if (auto* found = find_instrument(rest.substr(0, rest.size() - 1))) return found;
    auto blank = rest.find_last_of(" -");
    if (blank == std::string::npos) return nullptr;
    rest.erase(blank);
  }
  return nullptr;
}

/// The instrument whose standard sound is this one, or the most general part of it that is known.
const instrument_info* instrument_sounding(std::string_view sound) {
  const instrument_info* best = nullptr;
  for (auto& row : instrument_table()) {
    bool fits = sound.substr(0, row.sound.size()) == row.sound &&
                (sound.size() == row.sound.size() || sound[row.sound.size()] == '.');
    if (fits && (!best || row.sound.size() > best->sound.size())) best = &row;
  }
  return best;
}

const instrument_info* known_instrument(const part& p, const part_instrument* instrument) {
  if (instrument) {
    if (auto* found = instrument_sounding(instrument->sound)) return found;
    if (auto* found = instrument_named(instrument->name)) return found;
  }
  return instrument_named(p.name);
}

std::optional<int> controller_of_percent(const std::string& text) {
  auto percent = number_in(text);
  if (!percent) return std::nullopt;
  return static_cast<int>(std::lround(std::clamp(*percent, 0.0, 100.0) * 127 / 100));
}

/// -90 degrees is hard left, 0, and 90 hard right, 127; behind the listener as far to the side.
std::optional<int> controller_of_pan(const std::string& text) {
  auto degrees = number_in(text);
  if (!degrees || std::abs(*degrees) > 180) return std::nullopt;
  auto side = *degrees;
  if (side > 90) side = 180 - side;
  if (side < -90) side = -180 - side;
  return static_cast<int>(std::lround(64 + side * (side < 0 ? 64 : 63) / 90));
}

}  // namespace

bool instrument_sound::sounds_like(const instrument_sound& o) const {
  return percussion == o.percussion && program == o.program && bank == o.bank &&
         volume == o.volume && pan == o.pan;
}

const part_instrument* instrument_of(const part& p, std::string_view id) {
  if (p.instruments.empty()) return nullptr;
  if (!id.empty())
    for (auto& i : p.instruments)
      if (i.id == id) return &i;
  return &p.instruments.front();
}

instrument_sound sound_of(const part& p, const part_instrument* instrument, bool unpitched) {
  instrument_sound found;
  found.name = instrument ? instrument->name : std::string{};
  found.percussion = unpitched || (instrument && instrument->midi_channel == 10);
  if (instrument && instrument->midi_program)
    found.program = static_cast<std::uint8_t>(std::clamp(*instrument->midi_program - 1, 0, 127));
  else if (auto* known = found.percussion ? nullptr : known_instrument(p, instrument))
    found.program = static_cast<std::uint8_t>(known->midi_program - 1);
  if (!instrument) return found;
  if (instrument->midi_bank) found.bank = std::clamp(*instrument->midi_bank - 1, 0, 16383);
  found.volume = controller_of_percent(instrument->volume);
  found.pan = controller_of_pan(instrument->pan);
  if (instrument->midi_channel && !found.percussion) found.wanted = *instrument->midi_channel - 1;
  return found;
}

std::optional<int> drum_key(std::string_view name) {
  auto plain = plain_words_of(name);
  for (auto& row : drum_table)
    if (plain.find(row.words) != std::string::npos) return row.key;
  return std::nullopt;
}

int percussion_key(const part& p, const part_instrument* instrument, int drawn) {
  if (instrument) {
    if (instrument->midi_unpitched) return *instrument->midi_unpitched - 1;
    if (auto key = drum_key(instrument->name)) return *key;
    if (auto key = drum_key(instrument->sound)) return *key;
  }
  return drum_key(p.name).value_or(drawn);
}

}  // namespace fermata::midi
