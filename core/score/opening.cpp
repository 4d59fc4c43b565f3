#include "core/score/opening.hpp"

#include "core/music/instruments.hpp"
#include "core/score/walk.hpp"

#include <set>

namespace fermata {

std::string free_part_id(const score& s) {
  std::set<std::string> taken;
  for (auto& p : s.parts)
    taken.insert(p->id);
  for (auto n = s.parts.size() + 1;; ++n)
    if (auto id = "P" + std::to_string(n); !taken.contains(id)) return id;
}

part default_part(const score& s, const score_defaults& defaults) {
  part p;
  p.id = free_part_id(s);
  p.name = defaults.instrument;
  part_instrument sounds;
  sounds.id = p.id + "-I1";
  if (auto* known = find_instrument(defaults.instrument)) {
    p.name = std::string{known->full_name};
    p.abbreviation = std::string{known->abbreviation};
    sounds.sound = std::string{known->sound};
    sounds.midi_program = known->midi_program;
  }
  sounds.name = p.name;
  p.instruments.push_back(std::move(sounds));
  return p;
}

attributes opening_attributes(const score& s, const score_defaults& defaults) {
  attributes a;
  auto time = defaults.time;
  auto key = defaults.key;
  for (auto& p : s.parts)
    if (!p->measures.empty()) {
      auto state = state_at(*p, 0, measure_position{});
      time = state.staff(1).time.value_or(time);
      if (!state.staff(1).transpose) key = state.staff(1).key.value_or(key);
      break;
    }
  a.keys.push_back({std::nullopt, key, {}});
  a.times.push_back({std::nullopt, time, {}});
  // With its line, so that it is written by its name.
  auto name = name_of(defaults.clef);
  a.clefs.push_back({std::nullopt, name ? *find_clef(*name) : defaults.clef, {}});
  if (auto* known = find_instrument(defaults.instrument); known && known->transposes()) {
    transposition t;
    t.diatonic = known->diatonic;
    t.diatonic_given = true;
    t.chromatic = std::to_string(known->chromatic);
    t.octaves = known->octaves;
    a.transpositions.push_back({std::nullopt, t, {}});
  }
  return a;
}

}  // namespace fermata
