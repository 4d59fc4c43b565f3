#include "midi/transcription/compare_takes.hpp"

#include "core/align.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

namespace fermata::midi {

namespace {

using namespace std::chrono_literals;
using pairs = std::vector<std::pair<std::size_t, std::size_t>>;
using seconds = std::chrono::duration<double>;

/// In order of time; notes of one chord from the lowest.
std::vector<performed_note> in_chord_order(std::vector<performed_note> notes) {
  for (auto first = notes.begin(); first != notes.end();) {
    auto end = std::find_if(first, notes.end(), [&](auto& n) { return n.on - first->on > 30ms; });
    std::sort(first, end, [](auto& a, auto& b) { return a.key < b.key; });
    first = end;
  }
  return notes;
}

std::vector<std::uint8_t> keys_of(const std::vector<performed_note>& notes) {
  std::vector<std::uint8_t> keys;
  keys.reserve(notes.size());
  for (auto& n : notes)
    keys.push_back(n.key);
  return keys;
}

/// Each key together with the seven that follow it, which seldom occur twice.
std::vector<std::uint64_t> phrases_of(const std::vector<std::uint8_t>& keys) {
  std::vector<std::uint64_t> phrases(keys.size());
  std::uint64_t next = 0;
  for (auto i = keys.size(); i-- > 0;) {
    next = next >> 8 | std::uint64_t{keys[i]} << 56;
    phrases[i] = next;
  }
  return phrases;
}

std::vector<std::uint8_t> part_of(const std::vector<std::uint8_t>& all, std::size_t from,
                                  std::size_t to) {
  return {all.begin() + static_cast<std::ptrdiff_t>(from),
          all.begin() + static_cast<std::ptrdiff_t>(to)};
}

/// Long takes are divided where they have phrases in common; the rest is compared key by key.
pairs common_keys(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  pairs all;
  std::size_t i = 0, j = 0;
  auto go_to = [&](std::size_t to_i, std::size_t to_j) {
    for (auto [x, y] : common_subsequence(part_of(a, i, to_i), part_of(b, j, to_j)))
      all.emplace_back(i + x, j + y);
    i = to_i;
    j = to_j;
  };
  constexpr std::size_t moderate = 4'000'000;
  if (a.size() * b.size() <= moderate) return common_subsequence(a, b);
  for (auto [x, y] : common_subsequence(phrases_of(a), phrases_of(b))) {
    go_to(x, y);
    all.emplace_back(i++, j++);
  }
  go_to(a.size(), b.size());
  return all;
}

/// Slope and offset of the least squares line from `x` to `y`; empty if all `x` are equal.
std::optional<std::pair<double, double>> line_through(const std::vector<double>& x,
                                                      const std::vector<double>& y) {
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / static_cast<double>(x.size());
    mean_y += y[i] / static_cast<double>(x.size());
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  if (!(xx > 0) || !(xy > 0)) return std::nullopt;
  return std::pair{xy / xx, mean_y - xy / xx * mean_x};
}

std::vector<performed_note> without(const std::vector<performed_note>& notes,
                                    const std::vector<bool>& common) {
  std::vector<performed_note> rest;
  for (std::size_t i = 0; i < notes.size(); ++i)
    if (!common[i]) rest.push_back(notes[i]);
  return rest;
}

std::string list_of(const std::vector<performed_note>& notes, int take) {
  constexpr std::string_view names[] = {"c",  "c#", "d",  "d#", "e",  "f",
                                        "f#", "g",  "g#", "a",  "a#", "b"};
  constexpr std::size_t most = 10;
  if (notes.empty()) return {};
  auto text = fmt::format("\nonly in take {}: ", take);
  for (std::size_t i = 0; i < std::min(notes.size(), most); ++i)
    text += fmt::format("{}{}{} at {:.2f} s", i == 0 ? "" : ", ", names[notes[i].key % 12],
                        notes[i].key / 12 - 1, seconds{notes[i].on}.count());
  if (notes.size() > most) text += fmt::format(", and {} more", notes.size() - most);
  return text;
}

}  // namespace

std::optional<take_comparison> compare_performances(const std::vector<performed_note>& first,
                                                    const std::vector<performed_note>& second) {
  auto a = in_chord_order(first), b = in_chord_order(second);
  auto common = common_keys(keys_of(a), keys_of(b));
  // Two unrelated melodies have nearly half of their notes in common in this sense.
  if (common.size() * 2 < std::min(a.size(), b.size())) return std::nullopt;
  take_comparison found;
  found.common = common.size();
  std::vector<bool> in_a(a.size()), in_b(b.size());
  std::vector<double> x, y;
  for (auto [i, j] : common) {
    in_a[i] = in_b[j] = true;
    x.push_back(seconds{b[j].on}.count());
    y.push_back(seconds{a[i].on}.count());
    found.velocity += (b[j].velocity - a[i].velocity) / static_cast<double>(common.size());
  }
  found.only_first = without(a, in_a);
  found.only_second = without(b, in_b);
  // Shorter ones, as a chord, have no tempo.
  constexpr double shortest = 0.5;  // seconds
  if (x.empty() || x.back() - x.front() < shortest || y.back() - y.front() < shortest) return found;
  auto line = line_through(x, y);
  if (!line) return found;
  found.tempo = line->first;
  std::vector<double> distances;
  for (std::size_t i = 0; i < x.size(); ++i)
    distances.push_back(std::abs(y[i] - (line->first * x[i] + line->second)));
  auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  found.timing = std::chrono::duration_cast<std::chrono::nanoseconds>(seconds{*middle});
  return found;
}

std::string described(const take_comparison& c, int first, int second) {
  auto text = fmt::format("{} note{} in common", c.common, c.common == 1 ? "" : "s");
  text += list_of(c.only_first, first) + list_of(c.only_second, second);
  if (c.tempo) {
    auto percent = std::round((*c.tempo - 1) * 1000) / 10;
    text += percent == 0 ? fmt::format("\nthe tempo of take {} is the same", second)
                         : fmt::format("\ntake {} is {:.1f}% {}", second, std::abs(percent),
                                       percent > 0 ? "faster" : "slower");
    text += fmt::format("; otherwise its notes are off by {:.0f} ms (median)",
                        seconds{c.timing}.count() * 1000);
  }
  auto louder = std::lround(c.velocity);
  if (louder != 0)
    text += fmt::format("\ntake {} is {}: velocity {:+}, on average", second,
                        louder > 0 ? "louder" : "softer", louder);
  return text;
}

}  // namespace fermata::midi
