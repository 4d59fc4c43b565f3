#include "core/music/interval.hpp"

#include "core/music/modular.hpp"

#include <charconv>
#include <cstddef>
#include <cstdlib>

namespace fermata {

namespace {

/// Whole semitones of an alteration, the microtonal rest dropped downwards.
int whole_semitones(int cents) { return floor_div(cents, 100); }

bool is_perfect_kind(int steps) {
  auto s = steps % 7;
  return s == 0 || s == 3 || s == 4;
}

/// Semitones of the major or perfect interval of so many steps upwards.
int natural_semitones(int steps) {
  return semitones_above_c(static_cast<step>(steps % 7)) + 12 * (steps / 7);
}

}  // namespace

interval between(pitch a, pitch b) {
  auto semitones = [](pitch p) {
    return p.octave * 12 + semitones_above_c(p.letter) + whole_semitones(p.cents);
  };
  return {b.diatonic_index() - a.diatonic_index(), semitones(b) - semitones(a)};
}

pitch transposed(pitch p, interval i) {
  auto index = p.diatonic_index() + i.steps;
  auto octave = floor_div(index, 7);
  auto letter = static_cast<step>(index - 7 * octave);
  auto target = (p.octave * 12 + semitones_above_c(p.letter) + i.semitones) * 100 + p.cents;
  auto natural = (octave * 12 + semitones_above_c(letter)) * 100;
  return {letter, static_cast<std::int16_t>(target - natural), static_cast<std::int16_t>(octave)};
}

pitch_name transposed(pitch_name n, interval i) {
  return transposed(pitch{n.letter, n.cents, 4}, i).name();
}

std::string to_string(interval i) {
  std::string out;
  // A unison has no direction of its own; one that goes down is diminished, not descending.
  if (i.steps < 0) {
    out += '-';
    i = -i;
  }
  auto deviation = i.semitones - natural_semitones(i.steps);
  auto number = std::to_string(i.steps + 1);
  auto perfect = is_perfect_kind(i.steps);
  if (deviation == 0) return out + (perfect ? "P" : "M") + number;
  if (!perfect && deviation == -1) return out + "m" + number;
  auto times = deviation > 0 ? deviation : -deviation - (perfect ? 0 : 1);
  out += deviation > 0 ? "aug" : "dim";
  if (times > 1) out += std::to_string(times) + "x";
  return out + number;
}

std::optional<interval> parse_interval(std::string_view text, bool letters) {
  constexpr int max_number = 99, max_times = 9;
  auto take_number = [&](int limit) -> std::optional<int> {
    int n = 0;
    if (text.empty() || text.front() < '1' || text.front() > '9') return std::nullopt;
    auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (fault != std::errc{} || n > limit) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return n;
  };
  bool down = text.starts_with('-');
  if (down || text.starts_with('+')) text.remove_prefix(1);
  enum { perfect, major, minor, augmented, diminished } quality;
  int times = 1;
  std::optional<int> number;
  if (text.starts_with("aug") || text.starts_with("dim")) {
    quality = text.front() == 'a' ? augmented : diminished;
    text.remove_prefix(3);
    number = take_number(max_number);
    if (number && text.starts_with('x')) {
      if (*number > max_times) return std::nullopt;
      times = *number;
      text.remove_prefix(1);
      number = take_number(max_number);
    }
  } else if (letters && (text.starts_with('A') || text.starts_with('d'))) {
    auto mark = text.front();
    quality = mark == 'A' ? augmented : diminished;
    text.remove_prefix(1);
    for (; text.starts_with(mark) && times < max_times; ++times)
      text.remove_prefix(1);
    number = take_number(max_number);
  } else {
    if (text.starts_with('P'))
      quality = perfect;
    else if (text.starts_with('M'))
      quality = major;
    else if (text.starts_with('m'))
      quality = minor;
    else
      return std::nullopt;
    text.remove_prefix(1);
    number = take_number(max_number);
  }
  if (!number || !text.empty()) return std::nullopt;
  auto steps = *number - 1;
  auto perfect_kind = is_perfect_kind(steps);
  auto semitones = natural_semitones(steps);
  switch (quality) {
    case perfect:
      if (!perfect_kind) return std::nullopt;
      break;
    case major:
    case minor:
      if (perfect_kind) return std::nullopt;
      semitones -= quality == minor ? 1 : 0;
      break;
    case augmented: semitones += times; break;
    case diminished: semitones -= times + (perfect_kind ? 0 : 1); break;
  }
  interval up{steps, semitones};
  return down ? -up : up;
}

}  // namespace fermata
