#include "core/theory/neo_riemannian.hpp"

#include "core/music/interval.hpp"
#include "core/music/key.hpp"
#include "core/music/modular.hpp"
#include "core/theory/pitch_class_set.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace fermata {

namespace {

constexpr interval minor_third_up{2, 3}, major_third_up{2, 4}, perfect_fifth_up{4, 7};

/// P, L or R.
consonant_triad elementary(char operation, consonant_triad t) {
  interval root_moves;
  if (operation == 'L')
    root_moves = t.minor ? -major_third_up : major_third_up;
  else if (operation == 'R')
    root_moves = t.minor ? minor_third_up : -minor_third_up;
  return {transposed(t.root, root_moves), !t.minor};
}

/// An operation in terms of P, L and R.
std::string_view expansion(char operation) {
  switch (operation) {
    case 'P': return "P";
    case 'L': return "L";
    case 'R': return "R";
    case 'N': return "RLP";
    case 'S': return "LPR";
    case 'H': return "LPL";
    default: return {};
  }
}

/// The whole string in P, L and R.
result<std::string> expanded(std::string_view operations) {
  std::string out;
  for (char c : operations) {
    if (c == ' ') continue;
    auto letters = expansion(c);
    if (letters.empty())
      return fail({errc::wrong_type, "unknown neo-Riemannian operation `" + std::string(1, c) + "`",
                   std::nullopt, "use P, L, R, N, S, H, or combinations such as PL"});
    out += letters;
  }
  return out;
}

/// Respelled by diminished seconds where its key would need more than seven accidentals.
consonant_triad as_key(consonant_triad t) {
  constexpr int most = 7, diminished_second = 12;
  auto position = line_of_fifths(t.root);
  if (!position) return t;
  auto fifths = *position + fifths_offset(t.minor ? mode::minor : mode::major);
  while (fifths > most)
    fifths -= diminished_second;
  while (fifths < -most)
    fifths += diminished_second;
  t.root = from_line_of_fifths(fifths - fifths_offset(t.minor ? mode::minor : mode::major));
  return t;
}

/// One of the 24 triads as a number: pitch class of the root, plus 12 for minor.
int index_of(const consonant_triad& t) { return pitch_class(t.root) + (t.minor ? 12 : 0); }

/// The pitch with this name nearest to `p` in sound; the higher of two equally near.
pitch nearest_pitch(pitch_name name, pitch p) {
  pitch best{name.letter, name.cents, p.octave};
  for (int octave = p.octave - 1; octave <= p.octave + 1; ++octave) {
    pitch candidate{name.letter, name.cents, static_cast<std::int16_t>(octave)};
    if (std::abs(midi_cents(candidate) - midi_cents(p)) <=
        std::abs(midi_cents(best) - midi_cents(p)))
      best = candidate;
  }
  return best;
}

/// One elementary operation on sounding pitches: every voice keeps its tone or moves to the one
/// that replaces it, which is a step away.
std::vector<pitch> moved(char operation, std::vector<pitch> pitches, consonant_triad from) {
  auto to = as_key(elementary(operation, from));
  auto names = members(to);
  for (auto& p : pitches) {
    auto best = nearest_pitch(names[0], p);
    for (auto name : names) {
      auto candidate = nearest_pitch(name, p);
      if (std::abs(midi_cents(candidate) - midi_cents(p)) <
          std::abs(midi_cents(best) - midi_cents(p)))
        best = candidate;
    }
    p = best;
  }
  return pitches;
}

}  // namespace

std::vector<pitch_name> members(const consonant_triad& t) {
  return {t.root, transposed(t.root, t.minor ? minor_third_up : major_third_up),
          transposed(t.root, perfect_fifth_up)};
}

std::optional<consonant_triad> triad_of(const std::vector<pitch>& pitches) {
  if (first_microtone(pitches)) return std::nullopt;
  std::array<bool, 12> sounding{};
  for (auto p : pitches)
    sounding[static_cast<std::size_t>(pitch_class(p.name()))] = true;
  if (std::count(sounding.begin(), sounding.end(), true) != 3) return std::nullopt;
  for (auto p : pitches) {
    auto has = [&](int above) {
      return sounding[static_cast<std::size_t>(mod(pitch_class(p.name()) + above, 12))];
    };
    if (has(7) && (has(3) || has(4))) return consonant_triad{p.name(), has(3)};
  }
  return std::nullopt;
}

result<consonant_triad> neo_riemannian(std::string_view operations, consonant_triad t) {
  auto letters = expanded(operations);
  if (!letters) return fail(letters.error());
  for (char c : *letters)
    t = as_key(elementary(c, t));
  return t;
}

result<std::vector<pitch>> neo_riemannian(std::string_view operations,
                                          const std::vector<pitch>& triad) {
  auto letters = expanded(operations);
  if (!letters) return fail(letters.error());
  auto t = triad_of(triad);
  if (!t)
    return fail({errc::invalid_chord, "neo-Riemannian operations need a major or minor triad",
                 std::nullopt, "for example (c4 e4 g4)"});
  auto pitches = triad;
  for (char c : *letters) {
    pitches = moved(c, std::move(pitches), *t);
    t = as_key(elementary(c, *t));
  }
  return pitches;
}

std::string tonnetz_path(consonant_triad a, consonant_triad b) {
  // Breadth-first over the 24 triads; the path to each is kept as a string.
  std::array<std::optional<std::string>, 24> paths;
  std::vector<consonant_triad> queue{a};
  paths[static_cast<std::size_t>(index_of(a))] = "";
  for (std::size_t i = 0; i < queue.size(); ++i) {
    auto t = queue[i];
    auto path = *paths[static_cast<std::size_t>(index_of(t))];
    if (index_of(t) == index_of(b)) return path;
    for (char operation : {'P', 'L', 'R'}) {
      auto next = as_key(elementary(operation, t));
      auto& known = paths[static_cast<std::size_t>(index_of(next))];
      if (!known) {
        known = path + operation;
        queue.push_back(next);
      }
    }
  }
  return {};
}

int tonnetz_distance(consonant_triad a, consonant_triad b) {
  return static_cast<int>(tonnetz_path(a, b).size());
}

}  // namespace fermata
