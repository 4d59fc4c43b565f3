#include "core/theory/harmonic_analysis.hpp"

#include "core/theory/chord_fit.hpp"
#include "core/theory/numeral_naming.hpp"
#include "core/theory/tone_timeline.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

namespace fermata {

std::optional<span_chord> chord_in(const std::vector<timed_note>& notes, const time_span& span,
                                   const std::optional<tonality>& key) {
  auto weights = detail::weights_in(notes, span);
  auto chord = detail::best_fit(weights, key);
  if (!chord) return std::nullopt;
  return detail::named_chord(weights, *chord, span);
}

std::vector<slice_chord> chordified(const std::vector<timed_note>& notes) {
  // At each moment where something begins or ends, the pitches that sound from there on.
  std::map<quarters, std::vector<std::pair<bool, pitch>>> events;
  for (const auto& n : notes) {
    if (n.length <= quarters{}) continue;
    events[n.onset].push_back({true, n.pitch});
    events[n.onset + n.length].push_back({false, n.pitch});
  }
  auto lower = [](pitch a, pitch b) {
    auto ca = midi_cents(a), cb = midi_cents(b);
    return ca != cb ? ca < cb : a.diatonic_index() < b.diatonic_index();
  };
  std::multiset<pitch, decltype(lower)> sounding(lower);
  std::vector<slice_chord> slices;
  for (auto at = events.begin(); at != events.end(); ++at) {
    for (const auto& [begins, p] : at->second)
      if (!begins)
        if (auto found = sounding.find(p); found != sounding.end()) sounding.erase(found);
    for (const auto& [begins, p] : at->second)
      if (begins) sounding.insert(p);
    auto next = std::next(at);
    if (sounding.empty() || next == events.end()) continue;
    std::vector<pitch> pitches;
    for (auto p : sounding)
      if (pitches.empty() || pitches.back() != p) pitches.push_back(p);
    if (!slices.empty() && slices.back().span.end == at->first && slices.back().pitches == pitches)
      slices.back().span.end = next->first;
    else
      slices.push_back({{at->first, next->first}, std::move(pitches)});
  }
  return slices;
}

std::vector<analysed_chord> roman_numerals(const std::vector<span_chord>& chords,
                                           const std::vector<key_change>& keys) {
  std::vector<analysed_chord> result;
  if (keys.empty()) return result;
  for (std::size_t i = 0; i < chords.size(); ++i) {
    const auto& c = chords[i];
    std::optional<pitch_name> next;
    for (auto j = i + 1; j < chords.size() && !next; ++j)
      if (chords[j].root() != c.root()) next = chords[j].root();
    const auto& key = key_at(keys, c.span.begin);
    result.push_back({c, key, numeral_by_sound(c.tones, c.bass, key, next)});
  }
  return result;
}

std::vector<key_change> keys_of(const std::vector<timed_note>& notes) {
  std::vector<unspelled_note> keys;
  for (const auto& n : notes)
    keys.push_back({n.onset, n.length, midi_key(n.pitch)});
  auto changes = track_keys(keys);
  // The model knows sound only: each key goes to where its notes are written, up to a diminished
  // second away.
  struct shares {
    double flat = 0, here = 0, sharp = 0;
  };
  std::vector<shares> written(changes.size());
  for (const auto& n : notes) {
    auto after = std::upper_bound(changes.begin(), changes.end(), n.onset,
                                  [](quarters q, const key_change& c) { return q < c.at; });
    auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - changes.begin() - 1, 0));
    auto place = line_of_fifths(n.pitch.name()).value_or(0) - fifths(changes[i].key) + 1;
    auto length = n.length.value.to_double();
    if (place >= 0 && place < 7) written[i].here += length;
    if (place >= -12 && place < -5) written[i].flat += length;
    if (place >= 12 && place < 19) written[i].sharp += length;
  }
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto& w = written[i];
    auto shift = w.flat > w.here && w.flat >= w.sharp ? -12 : w.sharp > w.here ? 12 : 0;
    auto& tonic = changes[i].key.tonic;
    tonic = from_line_of_fifths(*line_of_fifths(tonic) + shift);
  }
  return changes;
}

std::vector<span_chord> chords_in(const std::vector<timed_note>& notes,
                                  const std::vector<time_span>& spans,
                                  const std::vector<key_change>& keys) {
  // Each span looks at its own notes only; a long note belongs to several.
  std::vector<std::vector<timed_note>> notes_of(spans.size());
  for (const auto& n : notes) {
    auto end = n.onset + n.length;
    auto first = std::partition_point(spans.begin(), spans.end(),
                                      [&](const time_span& s) { return s.end <= n.onset; });
    for (; first != spans.end() && first->begin < end; ++first)
      notes_of[static_cast<std::size_t>(first - spans.begin())].push_back(n);
  }
  std::vector<span_chord> chords;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    auto key = keys.empty() ? std::nullopt : std::optional{key_at(keys, spans[i].begin)};
    if (auto chord = chord_in(notes_of[i], spans[i], key)) chords.push_back(std::move(*chord));
  }
  return chords;
}

std::vector<cadence_point> cadences_in(const std::vector<analysed_chord>& chords,
                                       const std::vector<std::size_t>& phrase_ends) {
  std::vector<cadence_point> result;
  // Runs of named chords in one key are judged by themselves.
  for (std::size_t begin = 0; begin < chords.size();) {
    auto end = begin;
    std::vector<roman_numeral> numerals;
    while (end < chords.size() && chords[end].numeral && chords[end].key == chords[begin].key)
      numerals.push_back(*chords[end++].numeral);
    std::vector<std::size_t> ends;
    for (auto e : phrase_ends)
      if (e >= begin && e < end) ends.push_back(e - begin);
    if (phrase_ends.empty() || !ends.empty())
      for (auto point : cadences_in(numerals, ends)) {
        // Only the last run may close with its last chord unasked.
        bool at_end = begin + point.chord + 1 == end && end < chords.size();
        if (!at_end || !ends.empty() || point.perfect || point.kind == cadence_kind::deceptive)
          result.push_back({begin + point.chord, point.kind, point.perfect});
      }
    begin = std::max(end, begin + 1);
  }
  return result;
}

std::vector<analysed_chord> roman_numerals(const std::vector<timed_note>& notes,
                                           const std::optional<tonality>& key, quarters beat) {
  auto keys = key ? std::vector<key_change>{{quarters{}, *key}} : keys_of(notes);
  if (keys.empty()) return {};
  return roman_numerals(chords_in(notes, keys, beat), keys);
}

}  // namespace fermata
