#pragma once

#include "midi/sound/sound_system.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace fermata::midi {

/// FluidSynth with one soundfont, without its audio drivers and its player: whoever owns it applies
/// messages and renders, on one thread at a time.
class fluid_engine {
public:
  /// FluidSynth begins notes at multiples of so many frames.
  static constexpr int block = 64;
  static constexpr int most_groups = 16;

  /// Loads the soundfont, which takes from 40 milliseconds to some ten seconds (compressed samples
  /// of an .sf3). The one used last stays in memory, and is ready much faster.
  static sound_result<std::unique_ptr<fluid_engine>> make(const std::string& soundfont, int rate,
                                                          int groups, double gain);
  ~fluid_engine();
  fluid_engine(const fluid_engine&) = delete;
  fluid_engine& operator=(const fluid_engine&) = delete;

  /// A complete message. What FluidSynth cannot do is ignored, as a device does.
  void apply(std::uint8_t group, std::span<const std::uint8_t> message) noexcept;
  /// Writes frames of -1..1, `stride` floats apart; loud music may go beyond.
  void render(float* left, float* right, int stride, int frames) noexcept;
  int voices() const noexcept;
  int groups() const { return groups_; }

private:
  fluid_engine() = default;
  struct library;
  std::shared_ptr<library> fluid_;
  int groups_ = 1;
};

}  // namespace fermata::midi
