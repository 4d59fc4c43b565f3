#include "core/score/model/part_defaults.hpp"

#include "core/score/model/draft.hpp"
#include "core/score/model/opening_tempo.hpp"
#include "core/score/model/placing.hpp"
#include "core/score/model/walk.hpp"

#include <algorithm>
#include <charconv>
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

const instrument_info* instrument_of(const part& p) {
  if (p.instruments.empty()) return nullptr;
  const auto& sound = p.instruments.front();
  for (const auto& row : instrument_table())
    if (row.full_name == sound.name && row.sound == sound.sound) return &row;
  return nullptr;
}

namespace {

/// By how many fifths the key sounds higher than it is written.
int fifths_of(const transposition& t) {
  auto semitones = parse_rational(t.chromatic).value_or(rational{0});
  if (!semitones.is_integer()) return 0;
  return static_cast<int>(7 * semitones.numerator() - 12 * std::int64_t{t.diatonic});
}

key_signature moved_key(key_signature k, int fifths) {
  k.cancel.reset();
  k.cancel_location.clear();
  if (!k.alterations.empty()) return k;
  auto moved = (k.fifths + fifths) % 12;
  k.fifths = moved > 7 ? moved - 12 : moved < -7 ? moved + 12 : moved;
  return k;
}

transposition transposition_of(const instrument_info& row) {
  transposition t;
  t.diatonic = row.diatonic;
  t.diatonic_given = row.diatonic != 0;
  t.chromatic = std::to_string(row.chromatic);
  t.octaves = row.octaves;
  return t;
}

}  // namespace

void system_opening::add(const attributes& said, const instrument_info* row) {
  for (auto& t : said.times)
    if (!time && t.staff.value_or(1) == 1) time = t.value;
  if (row && row->percussion) return;
  auto moves = !said.transpositions.empty() ? fifths_of(said.transpositions.front().value)
               : row                        ? fifths_of(transposition_of(*row))
                                            : 0;
  for (auto& k : said.keys)
    if (!key && k.staff.value_or(1) == 1) key = moved_key(k.value, moves);
}

system_opening opening_of(const score& s) {
  system_opening found;
  for (auto& p : s.parts) {
    if (p->measures.empty()) continue;
    auto state = state_at(*p, 0, measure_position{}).staff(1);
    attributes said;
    if (state.time) said.times.push_back({{}, *state.time, {}});
    if (state.key) said.keys.push_back({{}, *state.key, {}});
    said.transpositions.push_back({{}, state.transpose.value_or(transposition{}), {}});
    found.add(said, instrument_of(*p));
  }
  return found;
}

key_signature written_key(const key_signature& sounding, const instrument_info* row) {
  if (!row) return moved_key(sounding, 0);
  if (!row->percussion) return moved_key(sounding, -fifths_of(transposition_of(*row)));
  key_signature none;
  none.mode = sounding.mode;
  return none;
}

key_signature sounding_key(const key_signature& written, const transposition& t) {
  return moved_key(written, fifths_of(t));
}

key_signature key_of_new_part(const score_defaults& defaults) {
  auto key = defaults.key;
  if (key == key_signature{}) key.mode = mode::major;
  return key;
}

namespace {

bool says_a_tempo(const measure_content& x) {
  if (auto s = std::get_if<sound>(&x)) return !s->attribute("tempo").empty();
  auto d = std::get_if<direction>(&x);
  return d != nullptr && ((d->sound && !d->sound->attribute("tempo").empty()) ||
                          std::any_of(d->types.begin(), d->types.end(), [](auto& type) {
                            return std::holds_alternative<metronome>(type);
                          }));
}

/// Before the first note, wherever the item lies.
bool begins_with_a_tempo(const measure& m) {
  return std::any_of(m.items.begin(), m.items.end(), [](auto& item) {
    return item.at == measure_position{} && says_a_tempo(item.content);
  });
}

/// "72", "66.5": as short as it reads back.
std::string number_text(double x) {
  char text[32];
  auto end = std::to_chars(text, text + sizeof text, x).ptr;
  return {text, end};
}

}  // namespace

direction tempo_mark(double quarters_per_minute) {
  direction d;
  auto number = number_text(quarters_per_minute);
  d.types.emplace_back(metronome{note_value{}, number, {}, {}});
  d.placement = "above";
  preserved_xml played;
  played.attributes.emplace_back("tempo", number);
  d.sound = sound{played};
  return d;
}

score_ptr with_opening_tempo(const score_ptr& s, const score_defaults& defaults) {
  if (defaults.tempo == score_defaults{}.tempo) return s;
  std::optional<std::size_t> first;
  for (std::size_t p = 0; p < s->parts.size(); ++p) {
    auto& measures = s->parts[p]->measures;
    if (measures.empty()) continue;
    if (begins_with_a_tempo(*measures.front())) return s;
    if (!first) first = p;
  }
  if (!first) return s;
  score_draft draft{s};
  auto& m = draft.open(*first, 0);
  auto in_use = voices(m);
  place_beside(m, measure_position{}, in_use.empty() ? "1" : in_use.front(),
               tempo_mark(defaults.tempo));
  return draft.finish();
}

attributes opening_attributes(const score& s, std::size_t part_index,
                              const score_defaults& defaults) {
  attributes a;
  auto common = opening_of(s);
  auto is_there = part_index < s.parts.size();
  auto row = is_there ? instrument_of(*s.parts[part_index])
             : defaults.instrument != score_defaults{}.instrument
                 ? find_instrument(defaults.instrument)
                 : nullptr;
  auto key = common.key ? written_key(*common.key, row) : key_of_new_part(defaults);
  a.keys.push_back({std::nullopt, key, {}});
  a.times.push_back({std::nullopt, common.time.value_or(defaults.time), {}});
  // A clef that was asked for comes before that of a default instrument.
  auto own_clef = defaults.clef == clef{} || is_there;
  auto staves = row ? row->clefs.size() : 1;
  if (staves > 1) a.staves = static_cast<int>(staves);
  for (std::size_t i = 0; i < staves; ++i) {
    std::optional<std::uint8_t> staff;
    if (staves > 1) staff = static_cast<std::uint8_t>(i + 1);
    if (row && (own_clef || i > 0)) {
      a.clefs.push_back({staff, *find_clef(row->clefs[i]), {}});
      continue;
    }
    // With its line, so that it is written by its name.
    auto name = name_of(defaults.clef);
    a.clefs.push_back({staff, name ? *find_clef(*name) : defaults.clef, {}});
  }
  if (row && row->transposes())
    a.transpositions.push_back({std::nullopt, transposition_of(*row), {}});
  return a;
}

}  // namespace fermata
