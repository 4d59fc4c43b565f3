#include "core/theory/score_notes.hpp"

#include "core/music/interval.hpp"
#include "core/score/model/part_names.hpp"
#include "core/theory/pitch_class_set.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace fermata {

namespace {

/// The written pitch of a sounding note, moved to where it sounds when the instrument transposes.
pitch spelled_pitch(const score& s, const sounding_note& n) {
  auto& item = s.parts[n.part]->measures[n.measure]->items[n.item];
  auto& written = std::get<pitch>(std::get<chord_rest>(item.content).notes[n.note].tone);
  auto off = (n.cents - midi_cents(written)) / 100;
  if (off == 0) return written;
  // A transposition moves all letters alike: the one whose size is nearest.
  auto steps = (off * 7 + (off > 0 ? 6 : -6)) / 12;
  return transposed(written, interval{steps, off});
}

std::vector<sounding_note> plain_notes(const score& s, const unfolded_time& time) {
  return sounding_notes(s, time, {.grace_notes = false, .tremolos = false});
}

const instrument_info* instrument_of(const part& p, const std::string& id) {
  for (const auto& i : p.instruments)
    if (id.empty() || i.id == id) return known_instrument(i);
  return nullptr;
}

/// Where it sounds: the table says what is written.
std::optional<voice_range> sounding_range(const instrument_info* row) {
  auto low = row ? row->lowest_pitch() : std::nullopt;
  auto high = row ? row->highest_pitch() : std::nullopt;
  if (!low || !high) return std::nullopt;
  interval shift{row->diatonic + 7 * row->octaves, row->chromatic + 12 * row->octaves};
  return voice_range{transposed(*low, shift), transposed(*high, shift)};
}

bool may_be_of_choir(const timed_voice& v) {
  return !v.instrument || v.instrument->sound.starts_with("voice.") ||
         v.instrument->sound.starts_with("keyboard.");
}

}  // namespace

std::vector<timed_note> timed_notes(const score& s, const unfolded_time& time) {
  std::vector<timed_note> notes;
  for (auto& n : plain_notes(s, time))
    if (!n.unpitched) notes.push_back({n.onset, n.length, spelled_pitch(s, n)});
  return notes;
}

std::optional<placed_microtone> first_microtone(const score& s) {
  for (std::size_t p = 0; p < s.parts.size(); ++p)
    for (std::size_t m = 0; m < s.parts[p]->measures.size(); ++m)
      for (auto& item : s.parts[p]->measures[m]->items)
        if (auto* x = std::get_if<chord_rest>(&item.content); x && !x->grace)
          for (auto& n : x->notes)
            if (auto* tone = std::get_if<pitch>(&n.tone); tone && !has_pitch_class(tone->name()))
              return placed_microtone{*tone, p, m};
  return std::nullopt;
}

std::vector<timed_voice> timed_voices(const score& s, const unfolded_time& time) {
  // Notes of one voice that begin together are numbered from the top, so that four-note chords make
  // four voices with the melody in the first.
  using voice_name = std::tuple<std::size_t, int, std::string>;
  std::map<std::pair<voice_name, quarters>, std::vector<timed_note>> chords;
  std::map<voice_name, const instrument_info*> instruments;
  for (auto& n : plain_notes(s, time)) {
    if (n.unpitched) continue;
    voice_name name{n.part, n.staff, n.voice};
    if (auto [it, fresh] = instruments.try_emplace(name, nullptr); fresh)
      it->second = instrument_of(*s.parts[n.part], n.instrument);
    chords[{std::move(name), n.onset}].push_back({n.onset, n.length, spelled_pitch(s, n)});
  }
  std::map<std::pair<voice_name, std::size_t>, timed_voice> voices;
  for (auto& [where, notes] : chords) {
    std::sort(notes.begin(), notes.end(),
              [](auto& a, auto& b) { return midi_cents(a.pitch) > midi_cents(b.pitch); });
    for (std::size_t i = 0; i < notes.size(); ++i) {
      auto& voice = voices[{where.first, i}];
      voice.notes.push_back(notes[i]);
      voice.instrument = instruments.at(where.first);
    }
  }
  std::vector<timed_voice> out;
  for (auto& [where, voice] : voices)
    out.push_back(std::move(voice));
  // Parts, staves and voices are listed from the highest down.
  std::reverse(out.begin(), out.end());
  return out;
}

std::vector<voice_moment> voice_moments(const std::vector<timed_voice>& voices) {
  std::vector<std::vector<timed_note>> notes;
  for (const auto& v : voices)
    notes.push_back(v.notes);
  return voice_moments(notes);
}

std::vector<std::optional<voice_range>> ranges_of(const std::vector<timed_voice>& voices) {
  const auto& choir = satb_ranges();
  if (voices.size() == choir.size() && std::all_of(voices.begin(), voices.end(), may_be_of_choir))
    return {choir.begin(), choir.end()};
  std::vector<std::optional<voice_range>> out;
  for (const auto& v : voices)
    out.push_back(sounding_range(v.instrument));
  return out;
}

}  // namespace fermata
