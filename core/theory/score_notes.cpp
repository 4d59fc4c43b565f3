#include "core/theory/score_notes.hpp"

#include "core/music/interval.hpp"

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

}  // namespace

std::vector<timed_note> timed_notes(const score& s, const unfolded_time& time) {
  std::vector<timed_note> notes;
  for (auto& n : plain_notes(s, time))
    if (!n.unpitched) notes.push_back({n.onset, n.length, spelled_pitch(s, n)});
  return notes;
}

std::vector<std::vector<timed_note>> timed_voices(const score& s, const unfolded_time& time) {
  // Notes of one voice that begin together are numbered from the top, so that four-note chords make
  // four voices with the melody in the first.
  std::map<std::tuple<std::size_t, int, std::string, quarters>, std::vector<timed_note>> chords;
  for (auto& n : plain_notes(s, time))
    if (!n.unpitched)
      chords[{n.part, n.staff, n.voice, n.onset}].push_back(
          {n.onset, n.length, spelled_pitch(s, n)});
  std::map<std::tuple<std::size_t, int, std::string, std::size_t>, std::vector<timed_note>> voices;
  for (auto& [where, notes] : chords) {
    std::sort(notes.begin(), notes.end(),
              [](auto& a, auto& b) { return midi_cents(a.pitch) > midi_cents(b.pitch); });
    for (std::size_t i = 0; i < notes.size(); ++i)
      voices[{std::get<0>(where), std::get<1>(where), std::get<2>(where), i}].push_back(notes[i]);
  }
  std::vector<std::vector<timed_note>> out;
  for (auto& [where, notes] : voices)
    out.push_back(std::move(notes));
  // Parts, staves and voices are listed from the highest down.
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace fermata
