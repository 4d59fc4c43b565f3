#include "core/theory/chord_naming.hpp"

#include "core/music/interval.hpp"
#include "core/music/modular.hpp"
#include "core/theory/chord_symbol.hpp"
#include "core/theory/pitch_class_set.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// Classes of a chord type above pitch class 0.
pitch_class_set classes_above_root(const chord_type& c) {
  pitch_class_set s;
  for (auto i : c.intervals)
    s.insert(i.semitones);
  return s;
}

/// The written names, each once, lowest pitch first.
std::vector<pitch_name> names_from_bass(std::vector<pitch> pitches) {
  std::sort(pitches.begin(), pitches.end(),
            [](pitch a, pitch b) { return midi_cents(a) < midi_cents(b); });
  std::vector<pitch_name> names;
  for (auto p : pitches)
    if (std::find(names.begin(), names.end(), p.name()) == names.end()) names.push_back(p.name());
  return names;
}

std::vector<chord_match> matches(const std::vector<pitch_name>& names, pitch_name bass) {
  pitch_class_set sounding;
  for (auto n : names)
    sounding.insert(pitch_class(n));
  std::vector<chord_match> result;
  for (auto root : names)
    for (const auto& type : chord_table()) {
      if (transposed(classes_above_root(type), pitch_class(root)) != sounding) continue;
      chord_match m{root, &type, bass, -1, true};
      auto tones = chord_names(root, type.intervals);
      for (std::size_t i = 0; i < tones.size(); ++i)
        if (pitch_class(tones[i]) == pitch_class(bass)) m.inversion = static_cast<int>(i);
      for (auto n : names)
        m.as_spelled =
            m.as_spelled && (n == bass || std::find(tones.begin(), tones.end(), n) != tones.end());
      if (m.inversion >= 0)
        m.as_spelled = m.as_spelled && tones[static_cast<std::size_t>(m.inversion)] == bass;
      result.push_back(m);
    }
  return result;
}

/// How far-fetched a name is. A wrong spelling weighs more than an inversion, and an inversion more
/// than one step in rarity, so that C E G A is C6 over C but Am7 over E.
int cost(const chord_match& m) {
  return rarity(*m.type) + (m.inversion == 0 ? 0 : 4) + (m.as_spelled ? 0 : 8);
}

}  // namespace

std::string to_string(const chord_match& m) {
  auto text = symbol_name(m.root);
  if (m.type->symbol != "M") text += m.type->symbol;
  return m.inversion == 0 ? text : text + "/" + symbol_name(m.bass);
}

std::vector<chord_match> identify_chord(const std::vector<pitch>& pitches) {
  if (first_microtone(pitches) || pitch_classes_of(pitches).size() < 2) return {};
  auto names = names_from_bass(pitches);
  auto bass = names.front();
  auto result = matches(names, bass);
  if (result.empty()) {
    names.erase(names.begin());
    // A foreign bass: what is above it must be a chord by itself.
    if (names.size() >= 3) result = matches(names, bass);
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const chord_match& a, const chord_match& b) { return cost(a) < cost(b); });
  return result;
}

}  // namespace fermata
