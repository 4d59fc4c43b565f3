#include "midi/transcription/note_lengths.hpp"

#include "midi/transcription/beat_times.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>

namespace fermata::midi {

namespace {

// Costs; of lengths, for each unit of the natural logarithm of the ratio. `rest_after`: no note
// begins where the note ends.
struct length_costs {
  double played_shorter, rest_after;
};
/// A pedal hides rests; a melody without it has them.
constexpr length_costs of_keyboard{.5, .9}, of_single_line{.8, .5};
constexpr double played_longer = 1.2;
constexpr double passed_onset = .35;  ///< needs another voice
constexpr double fine_value = .25;    ///< finer than a sixteenth, or a triplet
constexpr double dotted_value = .05;  ///< before a rest
constexpr std::size_t most_passed = 8;

/// From a 32nd to a whole note, with dotted values and thirds, in 24ths of a quarter.
constexpr std::array<int, 12> note_values{3, 6, 8, 9, 12, 16, 18, 24, 36, 48, 72, 96};

/// How long a note was held, in ticks.
struct held_length {
  double by_finger, by_pedal;  ///< `by_pedal` is not less
};

double cost_of_length(const held_length& held, double written, const length_costs& costs) {
  if (written < held.by_finger) return played_longer * std::log(held.by_finger / written);
  auto pedalled = std::min(written, held.by_pedal);
  // What the pedal holds costs less than a rest would.
  constexpr double most_of_rest = .8;
  auto by_pedal = std::min(most_of_rest * costs.rest_after,
                           costs.played_shorter * std::log(pedalled / held.by_finger));
  return by_pedal + costs.played_shorter * std::log(written / pedalled);
}

std::int64_t length_of(std::int64_t position, const held_length& held,
                       const std::vector<std::int64_t>& onsets, const length_costs& costs) {
  auto next = std::upper_bound(onsets.begin(), onsets.end(), position);
  auto best = std::numeric_limits<double>::infinity();
  std::int64_t length = grid_of_quarter;
  auto consider = [&](std::int64_t candidate, double cost) {
    cost += cost_of_length(held, static_cast<double>(candidate), costs);
    if (cost < best) {
      best = cost;
      length = candidate;
    }
  };
  std::size_t passed = 0;
  for (auto o = next; o != onsets.end() && passed < most_passed; ++o, ++passed)
    consider(*o - position, passed_onset * static_cast<double>(passed));
  for (auto parts : note_values) {
    std::int64_t value = parts * grid_of_quarter / 24;
    auto passes = next != onsets.end() && position + value > *next;
    auto is_dotted = parts % 9 == 0;
    consider(value, costs.rest_after + (parts % 6 == 0 ? 0 : fine_value) +
                        (is_dotted ? dotted_value : 0) + (passes ? passed_onset : 0));
  }
  return length;
}

}  // namespace

std::vector<std::int64_t> note_lengths(const std::vector<performed_note>& notes,
                                       const tracked_rhythm& rhythm, const std::vector<hand>& hands,
                                       const std::vector<pedal_span>& pedal) {
  std::array<std::vector<std::int64_t>, 2> onsets;
  for (std::size_t i = 0; i < notes.size(); ++i)
    if (!rhythm.is_ornament[i])
      onsets[static_cast<std::size_t>(hands[i])].push_back(rhythm.positions[i]);
  for (auto& o : onsets) {
    std::sort(o.begin(), o.end());
    o.erase(std::unique(o.begin(), o.end()), o.end());
  }
  constexpr double shortest = .03 * grid_of_quarter;
  constexpr double notes_at_once = 1.1;
  auto places = static_cast<double>(onsets[0].size() + onsets[1].size());
  auto& costs =
      static_cast<double>(notes.size()) < notes_at_once * places ? of_single_line : of_keyboard;
  beat_times times{notes, rhythm};
  std::vector<std::int64_t> lengths;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    auto at = rhythm.positions[i];
    auto until = [&](std::chrono::nanoseconds t) {
      return std::max(shortest, times.position_at(t) - static_cast<double>(at));
    };
    held_length held{until(notes[i].off), until(sounding_end(notes[i].off, pedal))};
    lengths.push_back(length_of(at, held, onsets[static_cast<std::size_t>(hands[i])], costs));
  }
  return lengths;
}

}  // namespace fermata::midi
