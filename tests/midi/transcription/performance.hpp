#pragma once

#include "midi/transcription/counted_metre.hpp"
#include "midi/transcription/performed_note.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace fermata::midi::testing {

/// A note of a score: in quarters.
struct written_note {
  double at = 0, length = 1;
  int key = 60;
};

/// How a score is played.
struct playing {
  double quarter = .5;    ///< seconds
  double jitter = 0;      ///< most deviation of an onset, in seconds
  double ritardando = 0;  ///< how much slower the end is than the beginning
  double held = .9;       ///< share of the written length
};

/// Deviations that look random and are the same everywhere.
class steady_noise {
public:
  /// -1 to 1.
  double next() {
    state_ = state_ * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    return static_cast<double>(state_ >> 40) / static_cast<double>(1U << 23) - 1;
  }

private:
  std::uint64_t state_ = 42;
};

/// A row of the truth about a recording.
struct recorded_note {
  performed_note played;
  double at = 0, length = 0;  ///< in quarters
};

inline std::chrono::nanoseconds from_seconds(double s) {
  return std::chrono::nanoseconds{std::llround(s * 1e9)};
}

/// "7/6" or "0.25".
inline double number(const std::string& text) {
  auto slash = text.find('/');
  auto first = std::stod(text);
  return slash == text.npos ? first : first / std::stod(text.substr(slash + 1));
}

/// In order of onset.
inline std::vector<performed_note> performed(const std::vector<written_note>& notes,
                                             const playing& how) {
  double end = 1;
  for (auto& n : notes)
    end = std::max(end, n.at);
  // The tempo falls evenly: time is a quadratic function of the position.
  auto time = [&](double at) { return how.quarter * (at + how.ritardando * at * at / (2 * end)); };
  steady_noise noise;
  std::vector<performed_note> played;
  for (auto& n : notes) {
    performed_note p;
    p.on = from_seconds(1 + time(n.at) + how.jitter * noise.next());
    p.off = std::max(p.on, from_seconds(1 + time(n.at + how.held * n.length)));
    p.key = static_cast<std::uint8_t>(n.key);
    played.push_back(p);
  }
  std::stable_sort(played.begin(), played.end(), [](auto& a, auto& b) { return a.on < b.on; });
  return played;
}

/// tests/data/transcription/NAME.notes.tsv, in order of onset.
inline std::vector<recorded_note> recorded(const std::string& name) {
  std::ifstream file{std::string{FERMATA_TEST_DATA} + "/transcription/" + name + ".notes.tsv"};
  if (!file) throw std::runtime_error("no such recording: " + name);
  std::vector<recorded_note> notes;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream row{line};
    std::string on, off, key, velocity, at, length;
    row >> on >> off >> key >> velocity >> at >> length;
    recorded_note n;
    n.played = {from_seconds(std::stod(on)), from_seconds(std::stod(off)),
                static_cast<std::uint8_t>(std::stoi(key)),
                static_cast<std::uint8_t>(std::stoi(velocity)), 0};
    n.at = number(at);
    n.length = number(length);
    notes.push_back(n);
  }
  std::stable_sort(notes.begin(), notes.end(),
                   [](auto& a, auto& b) { return a.played.on < b.played.on; });
  return notes;
}

inline std::vector<performed_note> played(const std::vector<recorded_note>& notes) {
  std::vector<performed_note> all;
  for (auto& n : notes)
    all.push_back(n.played);
  return all;
}

/// The share of neighbouring onsets of the truth that are as far apart in `positions` (ticks).
inline double share_of_intervals(const std::vector<recorded_note>& truth,
                                 const std::vector<std::int64_t>& positions) {
  std::map<double, std::vector<std::int64_t>> by_onset;
  for (std::size_t i = 0; i < truth.size(); ++i)
    by_onset[truth[i].at].push_back(positions[i]);
  std::vector<std::pair<double, double>> onsets;
  for (auto& [at, found] : by_onset) {
    std::sort(found.begin(), found.end());
    auto middle = found.size() / 2;
    auto median = found.size() % 2 ? static_cast<double>(found[middle])
                                   : static_cast<double>(found[middle - 1] + found[middle]) / 2;
    onsets.emplace_back(at, median / grid_of_quarter);
  }
  std::size_t right = 0;
  for (std::size_t i = 0; i + 1 < onsets.size(); ++i) {
    auto wanted = onsets[i + 1].first - onsets[i].first;
    right += std::abs(onsets[i + 1].second - onsets[i].second - wanted) < 1e-6;
  }
  return static_cast<double>(right) / static_cast<double>(onsets.size() - 1);
}

}  // namespace fermata::midi::testing
