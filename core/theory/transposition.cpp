#include "core/theory/transposition.hpp"

#include "core/music/modular.hpp"

#include <cstdlib>

namespace fermata {

namespace {

/// The pitch with this name that sounds at `cents`; the name must fit but for octaves.
pitch placed(pitch_name name, int cents) {
  pitch p{name.letter, name.cents, 0};
  p.octave = static_cast<std::int16_t>(floor_div(cents - midi_cents(p) + 600, 1200));
  return p;
}

/// The diatonic alteration of a letter in the key.
int natural_cents(step letter, const tonality& key) {
  auto steps = static_cast<int>(letter) - static_cast<int>(key.tonic.letter);
  return degree(key, steps + 1).cents;
}

/// On the diatonic place `index`, altered by `cents` against the key.
pitch on_place(int index, int cents, const tonality& key) {
  auto octave = floor_div(index, 7);
  auto letter = static_cast<step>(mod(index, 7));
  return {letter, static_cast<std::int16_t>(natural_cents(letter, key) + cents),
          static_cast<std::int16_t>(octave)};
}

}  // namespace

pitch spelled_in_key(int midi_cents, const tonality& key) {
  auto micro = mod(midi_cents, 100);
  auto semitones = floor_div(midi_cents, 100);
  // The twelve names of the window are consecutive fifths, so each pitch class has one.
  auto lowest = fifths(key) - 3;
  auto place = lowest + mod(7 * semitones - lowest, 12);
  auto p = placed(from_line_of_fifths(place), semitones * 100);
  p.cents = static_cast<std::int16_t>(p.cents + micro);
  return p;
}

pitch transposed_in_key(pitch p, int semitones, const tonality& key) {
  if (semitones % 12 == 0) {
    p.octave = static_cast<std::int16_t>(p.octave + semitones / 12);
    return p;
  }
  return spelled_in_key(midi_cents(p) + 100 * semitones, key);
}

interval transposition_interval(int semitones, const tonality& key) {
  constexpr interval usual[] = {{0, 0}, {1, 1}, {1, 2}, {2, 3}, {2, 4},  {3, 5},
                                {3, 6}, {4, 7}, {5, 8}, {5, 9}, {6, 10}, {6, 11}};
  auto octaves = floor_div(semitones, 12);
  auto within = usual[mod(semitones, 12)];
  // The enharmonic alternatives lie a diminished second up or down.
  auto best = within;
  int fewest = 1000;
  for (int shift : {0, 1, -1}) {
    interval candidate{within.steps + shift, within.semitones};
    auto accidentals = std::abs(fifths({transposed(key.tonic, candidate), key.mode}));
    if (accidentals < fewest && !(shift != 0 && within.semitones == 0)) {
      fewest = accidentals;
      best = candidate;
    }
  }
  return {best.steps + 7 * octaves, best.semitones + 12 * octaves};
}

pitch transposed_by_steps(pitch p, int steps, const tonality& key) {
  return on_place(p.diatonic_index() + steps, p.cents - natural_cents(p.letter, key), key);
}

pitch mirrored(pitch p, pitch axis) {
  auto index = 2 * axis.diatonic_index() - p.diatonic_index();
  auto octave = floor_div(index, 7);
  pitch image{static_cast<step>(mod(index, 7)), 0, static_cast<std::int16_t>(octave)};
  image.cents = static_cast<std::int16_t>(2 * midi_cents(axis) - midi_cents(p) - midi_cents(image));
  return image;
}

pitch mirrored_in_key(pitch p, pitch axis, const tonality& key) {
  auto altered = [&](pitch x) { return x.cents - natural_cents(x.letter, key); };
  return on_place(2 * axis.diatonic_index() - p.diatonic_index(), 2 * altered(axis) - altered(p),
                  key);
}

}  // namespace fermata
