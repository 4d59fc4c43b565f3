#include "midi/transcription/rhythm_model.hpp"

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>

namespace fermata::midi {

namespace {

enum division_t : std::uint8_t { eighths, triplets, sixteenths };

struct count_row {
  bool is_single_line, is_compound;
  int division, last_advance, from, to;
  float count;
};
constexpr count_row count_rows[] = {
#include "midi/transcription/rhythm_counts.inc"
};

struct prior_row {
  bool is_compound, is_triplet;
  int from;
  std::vector<std::pair<int, float>> to;
};
const std::vector<prior_row>& prior_rows() {
  static const std::vector<prior_row> rows{
#include "midi/transcription/rhythm_prior.inc"
  };
  return rows;
}

/// The estimates count as much as so many onsets from each position.
constexpr double weight_of_prior = 6.38;
/// What is known of a division counts as much as so many onsets after each last advance.
constexpr double weight_of_division = 20;
/// The tables count in these parts of a quarter.
constexpr int parts_of_quarter = 24;
constexpr int ticks_of_part = grid_of_quarter / parts_of_quarter;
constexpr int longest_beat_in_parts = 36;
constexpr int farthest = 200;  ///< parts that a step may end at

int beat_in_parts(bool is_compound) {
  return is_compound ? longest_beat_in_parts : parts_of_quarter;
}

bool is_triplet_position(int position) { return position % 2 == 0 && position % 6 != 0; }

/// How the beat is divided after a step from one position to another.
int division_after(int division, int from, int to, bool is_compound) {
  auto position = to % beat_in_parts(is_compound);
  if (is_compound) {
    if (position % 12 != 0) return sixteenths;
    if (position == 0) return from == 24 ? eighths : division;
    return (from == 0 || from == 12) && to - from == 12 ? eighths : division;
  }
  if (is_triplet_position(position)) return triplets;
  if (position % 12 != 0) return sixteenths;
  if (position == 12) return division == triplets ? eighths : division;
  return from == 12 ? eighths : division;
}

constexpr int other_advance = 4;
int advance_class(int advance) {
  switch (advance) {
    case 6: return 0;
    case 8: return 1;
    case 12: return 2;
    case 24: return 3;
    default: return other_advance;
  }
}

bool is_allowed(int position, bool is_compound, const rhythm_model::limits& l) {
  auto binary = l.finest >= 32 ? 3 : l.finest >= 16 ? 6 : 12;
  if (position % binary == 0) return true;
  if (is_compound) return l.finest >= 32 && position % 4 == 0;
  // Sixteenths of a triplet are as fine as 32nds.
  auto ternary = l.finest >= 32 ? 2 : l.finest >= 16 ? 4 : 8;
  return l.triplets && position % ternary == 0;
}

using weights = std::array<double, farthest>;
using weights_by_position = std::array<weights, longest_beat_in_parts>;

double total(const weights& w) {
  double sum = 0;
  for (auto x : w)
    sum += x;
  return sum;
}

/// At the beginning of a beat its division may change: what follows is in part what follows any
/// beat.
template <std::size_t N>
void mix_divisions_of_beats(std::array<weights_by_position, N>& by_division, bool is_compound) {
  constexpr double changing = .2;
  weights any{};
  double all = 0;
  for (auto& d : by_division) {
    all += total(d.front());
    for (std::size_t to = 0; to < any.size(); ++to)
      any[to] += d.front()[to];
  }
  for (std::size_t division = 0; division < N; ++division) {
    if (is_compound && division == triplets) continue;
    auto& here = by_division[division].front();
    auto sum = total(here);
    for (std::size_t to = 0; to < any.size(); ++to)
      here[to] = (1 - changing) * here[to] + changing * sum * any[to] / all;
  }
}

}  // namespace

rhythm_model::rhythm_model(bool is_compound, texture t, const limits& l) {
  const auto beat = beat_in_parts(is_compound);
  auto may_be = [&](int to) { return is_allowed(to % beat, is_compound, l); };
  // By division, and by division and last advance: too large for the stack.
  auto by_division = std::make_unique<std::array<weights_by_position, divisions>>();
  auto by_context = std::make_unique<std::array<weights_by_position, divisions * advances>>();
  auto index = [](int i) { return static_cast<std::size_t>(i); };

  for (auto& row : prior_rows()) {
    if (row.is_compound != is_compound || !may_be(row.from)) continue;
    double sum = 0;
    for (auto& [to, probability] : row.to)
      sum += static_cast<double>(probability);
    for (auto& [to, probability] : row.to) {
      if (!may_be(to)) continue;
      auto weight = weight_of_prior * static_cast<double>(probability) / sum;
      auto add = [&, to = to](int division) {
        (*by_division)[index(division)][index(row.from)][index(to)] += weight;
      };
      if (row.is_triplet) {
        add(triplets);
      } else {
        add(eighths);
        add(sixteenths);
      }
    }
  }
  // Positions that only occur in the other kind of beat are left as they are there.
  for (int p = 0; p < beat; ++p) {
    auto& d = *by_division;
    auto &straight = d[eighths][index(p)], &triple = d[triplets][index(p)];
    if (total(triple) == 0) triple = straight;
    if (total(straight) == 0) d[sixteenths][index(p)] = straight = triple;
  }
  for (auto& row : count_rows) {
    auto is_other =
        row.is_compound != is_compound || row.is_single_line != (t == texture::single_line);
    if (is_other || row.to >= farthest || !may_be(row.from) || !may_be(row.to)) continue;
    auto& known = (*by_division)[index(row.division)][index(row.from)];
    if (total(known) == 0) continue;
    auto count = static_cast<double>(row.count);
    known[index(row.to)] += count;
    (*by_context)[index(row.division * advances + row.last_advance)][index(row.from)]
                 [index(row.to)] += count;
  }

  mix_divisions_of_beats(*by_division, is_compound);

  for (int c = 0; c < divisions * advances; ++c)
    for (int p = 0; p < beat; ++p) {
      auto& known = (*by_division)[index(c / advances)][index(p)];
      auto& here = (*by_context)[index(c)][index(p)];
      auto sum = total(known), sum_here = total(here);
      if (sum == 0) continue;
      for (int to = 0; to < farthest; ++to) {
        if (known[index(to)] == 0 || total((*by_division)[eighths][index(to % beat)]) == 0)
          continue;
        auto probability = (here[index(to)] + weight_of_division * known[index(to)] / sum) /
                           (sum_here + weight_of_division);
        auto next =
            division_after(c / advances, p, to, is_compound) * advances + advance_class(to - p);
        add_step(index(c), p * ticks_of_part, (to - p) * ticks_of_part, next, probability);
      }
    }
  if (l.quintuplets && !is_compound) add_quintuplets();
}

void rhythm_model::add_step(std::size_t c, int position, int advance, int next,
                            double probability) {
  steps_[c][static_cast<std::size_t>(position)].push_back(
      {static_cast<std::int16_t>(advance), static_cast<context>(next),
       static_cast<float>(std::log(probability))});
}

void rhythm_model::add_quintuplets() {
  // Estimates: too few were counted.
  constexpr double begins = .03, goes_on = .9;
  constexpr int fifths = 5;
  for (std::size_t c = 0; c < steps_.size(); ++c) {
    auto next = static_cast<int>(c) / advances * advances + other_advance;
    for (int from = 0; from < fifths; ++from)
      for (int to = from + 1; to <= fifths - (from == 0); ++to) {
        auto share = from + 1 == fifths ? 1
                     : to == from + 1   ? goes_on
                                        : (1 - goes_on) / (fifths - from - 1);
        add_step(c, from * grid_of_quintuplet, (to - from) * grid_of_quintuplet, next,
                 from == 0 ? begins * share : share);
      }
  }
}

}  // namespace fermata::midi
