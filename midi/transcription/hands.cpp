#include "midi/transcription/hands.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>

namespace fermata::midi {

namespace {

// Costs, in semitones of a jump.
constexpr double wide_span = 30;    ///< each semitone beyond an octave
constexpr double wrong_side = 1.2;  ///< each semitone on the other side of middle C
constexpr double crossed_hands = 20;
constexpr double idle_hand = 8;     ///< a chord that one hand plays
constexpr double gap_between = -1;  ///< each semitone between the hands, to an octave
constexpr int octave = 12, middle_c = 60;
constexpr double usual_left = 48, usual_right = 67;  ///< where the hands are at the beginning

/// So many of the lowest notes are the left hand's.
struct division {
  double cost = std::numeric_limits<double>::infinity();
  double left = usual_left, right = usual_right;  ///< middle of what each hand last played
  std::size_t before = 0;                         ///< of the chord before
};

struct divided_chord {
  std::vector<std::size_t> notes;  ///< by height
  std::vector<division> divisions;
};

double mean_key(const std::vector<performed_note>& notes, const divided_chord& c, std::size_t from,
                std::size_t to) {
  double sum = 0;
  for (auto i = from; i < to; ++i)
    sum += notes[c.notes[i]].key;
  return sum / static_cast<double>(to - from);
}

/// The cost of a division apart from what was played before.
double cost_of(const std::vector<performed_note>& notes, const divided_chord& c, std::size_t left) {
  auto key = [&](std::size_t i) { return int{notes[c.notes[i]].key}; };
  auto too_wide = [&](std::size_t from, std::size_t to) {
    return from < to ? std::max(0, key(to - 1) - key(from) - octave) : 0;
  };
  double cost = wide_span * (too_wide(0, left) + too_wide(left, c.notes.size()));
  if (left > 0 && left < c.notes.size())
    cost += gap_between * std::min(octave, key(left) - key(left - 1));
  else
    cost += idle_hand;
  for (std::size_t i = 0; i < c.notes.size(); ++i)
    cost += wrong_side * std::max(0, i < left ? key(i) - middle_c : middle_c - key(i));
  return cost;
}

void divide(const std::vector<performed_note>& notes, const std::vector<division>& before,
            divided_chord& c) {
  auto count = c.notes.size();
  for (std::size_t left = 0; left <= count; ++left) {
    auto has_left = left > 0, has_right = left < count;
    auto left_key = has_left ? mean_key(notes, c, 0, left) : 0;
    auto right_key = has_right ? mean_key(notes, c, left, count) : 0;
    auto cost = cost_of(notes, c, left);
    division best;
    for (std::size_t j = 0; j < before.size(); ++j) {
      division d = before[j];
      d.before = j;
      d.cost += cost;
      if (has_left) {
        d.cost += std::abs(left_key - d.left);
        d.left = left_key;
      }
      if (has_right) {
        d.cost += std::abs(right_key - d.right);
        d.right = right_key;
      }
      if (d.left > d.right) d.cost += crossed_hands;
      if (d.cost < best.cost) best = d;
    }
    c.divisions.push_back(best);
  }
}

}  // namespace

std::vector<hand> hands_of(const std::vector<performed_note>& notes,
                           const std::vector<std::int64_t>& positions) {
  std::map<std::int64_t, divided_chord> by_position;
  for (std::size_t i = 0; i < notes.size(); ++i)
    by_position[positions[i]].notes.push_back(i);
  std::vector<divided_chord> chords;
  std::vector<division> start(1);
  start.front().cost = 0;
  for (auto& [at, c] : by_position) {
    std::stable_sort(c.notes.begin(), c.notes.end(),
                     [&](auto a, auto b) { return notes[a].key < notes[b].key; });
    divide(notes, chords.empty() ? start : chords.back().divisions, c);
    chords.push_back(std::move(c));
  }
  std::vector<hand> hands(notes.size(), hand::right);
  if (chords.empty()) return hands;
  auto& last = chords.back().divisions;
  auto best =
      std::min_element(last.begin(), last.end(), [](auto& a, auto& b) { return a.cost < b.cost; });
  auto left = static_cast<std::size_t>(best - last.begin());
  for (auto c = chords.rbegin(); c != chords.rend(); ++c) {
    for (std::size_t i = 0; i < left; ++i)
      hands[c->notes[i]] = hand::left;
    left = c->divisions[left].before;
  }
  return hands;
}

}  // namespace fermata::midi
