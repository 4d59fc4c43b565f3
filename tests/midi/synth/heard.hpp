#pragma once

#include "midi/sound/sound_system.hpp"

#include <catch2/catch.hpp>
#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

/// What is heard in samples: how loud it is, and which key of a keyboard sounds.
namespace fermata::midi::synth_testing {

inline constexpr int test_rate = 48'000;

inline rendered_message message(std::chrono::nanoseconds at, std::vector<std::uint8_t> bytes,
                                std::uint8_t group = 0) {
  rendered_message m;
  m.time = at;
  m.group = group;
  m.size = static_cast<std::uint8_t>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), m.bytes);
  return m;
}

struct sound {
  SF_INFO info{};
  std::vector<float> left;

  /// The samples of some time, in milliseconds.
  std::vector<float> part(int from, int to) const {
    auto at = [&](int ms) {
      auto index = static_cast<std::size_t>(ms) * static_cast<std::size_t>(info.samplerate) / 1'000;
      return left.begin() + static_cast<std::ptrdiff_t>(std::min(index, left.size()));
    };
    return {at(from), at(to)};
  }
};

inline sound read_sound(const std::string& file) {
  sound s;
  auto in = sf_open(file.c_str(), SFM_READ, &s.info);
  REQUIRE(in);
  std::vector<float> all(static_cast<std::size_t>(s.info.frames * s.info.channels));
  CHECK(sf_readf_float(in, all.data(), s.info.frames) == s.info.frames);
  sf_close(in);
  for (std::size_t i = 0; i < all.size(); i += static_cast<std::size_t>(s.info.channels))
    s.left.push_back(all[i]);
  return s;
}

inline float peak_of(const std::vector<float>& samples) {
  float peak = 0;
  for (auto x : samples)
    peak = std::max(peak, std::abs(x));
  return peak;
}

/// Equal temperament, A4 = 440 Hz.
inline double frequency_of(double key) { return 440 * std::pow(2, (key - 69) / 12); }

/// Power at one frequency (G. Goertzel, "An Algorithm for the Evaluation of Finite Trigonometric
/// Series", 1958), in decibels.
inline double power(const std::vector<float>& samples, double frequency, int rate = test_rate) {
  auto w = 2 * std::numbers::pi * frequency / rate;
  double before = 0, now = 0;
  for (auto x : samples) {
    auto next = static_cast<double>(x) + 2 * std::cos(w) * now - before;
    before = now;
    now = next;
  }
  auto p = now * now + before * before - 2 * std::cos(w) * now * before;
  return 10 * std::log10(p + 1e-20);
}

/// By how many decibels a key is stronger than its neighbours a semitone away. A tone that is held
/// gives some thirty; silence, noise and other keys give less than ten.
inline double margin_of_key(const std::vector<float>& samples, int key, int rate = test_rate) {
  return power(samples, frequency_of(key), rate) -
         std::max(power(samples, frequency_of(key - 1), rate),
                  power(samples, frequency_of(key + 1), rate));
}
inline constexpr double sounds = 20;  ///< decibels

}  // namespace fermata::midi::synth_testing
