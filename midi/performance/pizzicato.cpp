#include "midi/performance/pizzicato.hpp"

#include "midi/performance/playback_text.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace fermata::midi {

namespace {

// Counted from 0.
constexpr std::uint8_t violin = 40, contrabass = 43, pizzicato_strings = 45;
constexpr std::uint8_t string_ensemble_1 = 48, string_ensemble_2 = 49;

std::optional<bool> said_by(const sound& s) {
  auto value = s.attribute("pizzicato");
  if (value == "yes") return true;
  if (value == "no") return false;
  return std::nullopt;
}

std::optional<bool> said_by(const direction& d) {
  if (d.sound)
    if (auto said = said_by(*d.sound)) return said;
  for (auto& t : d.types)
    if (auto* w = std::get_if<words>(&t)) {
      auto plain = plain_words_of(w->text);
      if (plain == "pizz" || plain == "pizzicato") return true;
      if (plain == "arco") return false;
    }
  return std::nullopt;
}

}  // namespace

std::vector<written_change<bool>> pizzicati_of(const part& p) {
  std::vector<written_change<bool>> found;
  for (std::size_t m = 0; m < p.measures.size(); ++m)
    for (auto& item : p.measures.music_at(m).items) {
      std::optional<bool> said;
      if (auto* d = std::get_if<direction>(&item.content)) said = said_by(*d);
      if (auto* x = std::get_if<sound>(&item.content)) said = said_by(*x);
      if (said) found.push_back({m, sounding_place(item), *said});
    }
  sort_by_place(found);
  return found;
}

bool is_plucked(const std::vector<written_change<bool>>& changes, std::size_t measure,
                measure_position at) {
  auto after = std::upper_bound(
      changes.begin(), changes.end(), std::tie(measure, at),
      [](const auto& place, const auto& c) { return place < std::tie(c.measure, c.at); });
  return after != changes.begin() && std::prev(after)->value;
}

bool is_snapped(const note& n) {
  return std::any_of(n.marks.begin(), n.marks.end(),
                     [](auto& m) { return m.kind == mark_kind::snap_pizzicato; });
}

instrument_sound plucked(instrument_sound sound) {
  auto is_bowed = (sound.program >= violin && sound.program <= contrabass) ||
                  sound.program == string_ensemble_1 || sound.program == string_ensemble_2;
  if (!is_bowed || sound.percussion) return sound;
  sound.program = pizzicato_strings;
  // That channel is the bowed sound's, and the bank may have something else there.
  sound.wanted.reset();
  sound.bank.reset();
  return sound;
}

}  // namespace fermata::midi
