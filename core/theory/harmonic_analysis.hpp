#pragma once

#include "core/theory/cadence.hpp"
#include "core/theory/key_tracking.hpp"
#include "core/theory/roman_numeral.hpp"
#include "core/theory/timed_note.hpp"
#include "core/theory/tonality.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// From one time up to, not including, another.
struct time_span {
  quarters begin, end;
  bool operator==(const time_span&) const = default;
};

/// The chord that governs a span, non-chord tones set aside: spelled tones, root first, and bass.
struct span_chord {
  time_span span;
  std::vector<pitch_name> tones;
  pitch_name bass;
  pitch_name root() const { return tones.front(); }
  bool operator==(const span_chord&) const = default;
};

/// The chord of one span: of major, minor, diminished and augmented triads and of dominant, major,
/// minor, half-diminished and diminished sevenths, the one that the tones sounding there, weighted
/// by their lengths within the span, fit best. Tones of `key`, if given, are expected rather than
/// others. Nothing when fewer than two different tones sound.
std::optional<span_chord> chord_in(const std::vector<timed_note>& notes, const time_span& span,
                                   const std::optional<tonality>& key = std::nullopt);

/// Everything that sounds together, reduced to a row of chords: a new one whenever the set of
/// sounding pitches changes (music21's chordify). Rests make gaps.
struct slice_chord {
  time_span span;
  std::vector<pitch> pitches;  ///< lowest first, each once
  bool operator==(const slice_chord&) const = default;
};
std::vector<slice_chord> chordified(const std::vector<timed_note>& notes);

/// The chords of a piece without given spans: a dynamic programme chooses where they change, on
/// beats rather than between them, so that few chords explain much (after Pardo & Birmingham 2002).
/// `beat` is the length between places where changes are expected. Neighbours that agree in chord
/// and bass are one.
std::vector<span_chord> chords_in(const std::vector<timed_note>& notes,
                                  const std::vector<key_change>& keys, quarters beat = quarters{1});

/// The chords of given spans, which are in order and do not overlap; spans without a chord are left
/// out.
std::vector<span_chord> chords_in(const std::vector<timed_note>& notes,
                                  const std::vector<time_span>& spans,
                                  const std::vector<key_change>& keys);

/// A chord with its function.
struct analysed_chord {
  span_chord chord;
  tonality key;
  std::optional<roman_numeral> numeral;  ///< nothing when the key has no name for it
};

/// Numerals for chords in the keys that hold at their beginnings. The chord that follows decides
/// between readings.
///
/// Measured on 21 songs of When in Rome (1,372 chords; analysts' spans and keys given): root 91.9,
/// root and quality 84.8, bass 93.2, whole numeral 82.1 percent. Without spans and keys, sampled
/// every eighth: key 83, root 90, key and numeral 66 (`./dev bench numeral_rows`).
std::vector<analysed_chord> roman_numerals(const std::vector<span_chord>& chords,
                                           const std::vector<key_change>& keys);

/// The whole analysis of a piece: keys (as `track_keys`, in written spelling), chords and numerals.
/// With `key` the piece is taken to stay in it.
std::vector<analysed_chord> roman_numerals(const std::vector<timed_note>& notes,
                                           const std::optional<tonality>& key = std::nullopt,
                                           quarters beat = quarters{1});

/// The keys of spelled music.
std::vector<key_change> keys_of(const std::vector<timed_note>& notes);

/// The cadences of an analysis, as `cadences_in` for numerals: only between chords of one key.
std::vector<cadence_point> cadences_in(const std::vector<analysed_chord>& chords,
                                       const std::vector<std::size_t>& phrase_ends = {});

}  // namespace fermata
