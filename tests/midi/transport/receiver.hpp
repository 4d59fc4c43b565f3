#pragma once

#include "midi/transport/message_sink.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <map>
#include <string>
#include <vector>

/// A receiver of MIDI messages, as a synthesizer understands them: which notes are heard, those
/// that a pedal holds included. Independent of the ledger that it checks.
namespace fermata::midi::testing {

struct received_message {
  std::chrono::nanoseconds at{};  ///< since `receiver::zero`
  int group = 0;
  std::vector<std::uint8_t> bytes;
};

class receiver final : public message_sink {
public:
  steady_time zero{std::chrono::seconds{1'000}};
  std::vector<received_message> all;
  bool in_order = true;

  void send(std::uint8_t group, std::span<const std::uint8_t> m,
            steady_time due) noexcept override {
    if (!all.empty() && due - zero < all.back().at) in_order = false;
    all.push_back({due - zero, group, {m.begin(), m.end()}});
    if (m.empty() || m[0] >= 0xF0) return;
    auto& c = channels_[{group, m[0] & 0x0F}];
    switch (m[0] & 0xF0) {
      case 0x90:
        if (m[2] > 0) {
          ++c.down[m[1]];
          c.heard[m[1]] = true;
          break;
        }
        [[fallthrough]];
      case 0x80:
        if (c.down[m[1]] > 0 && --c.down[m[1]] == 0 && !c.pedal) c.heard[m[1]] = false;
        break;
      case 0xB0:
        if (m[1] == 64) {
          c.pedal = m[2] >= 64;
          if (!c.pedal) end_released(c);
        } else if (m[1] == 120) {
          c = {};
        } else if (m[1] == 121) {
          c.pedal = false;
          end_released(c);
        } else if (m[1] == 123) {
          c.down.fill(0);
          if (!c.pedal) c.heard.fill(false);
        }
        break;
      default: break;
    }
  }

  /// The number of notes that are heard now.
  int heard() const {
    int count = 0;
    for (auto& [where, c] : channels_)
      for (auto h : c.heard)
        count += h ? 1 : 0;
    return count;
  }

  /// The note-ons as "milliseconds:key", and with `ends` the note-offs as "milliseconds:-key".
  std::string notes(bool ends = false) const {
    std::string text;
    for (auto& m : all) {
      auto kind = m.bytes[0] & 0xF0;
      auto on = kind == 0x90 && m.bytes[2] > 0;
      if (!on && !(ends && kind == 0x80)) continue;
      text += fmt::format("{}{}:{}{}", text.empty() ? "" : " ", m.at.count() / 1'000'000,
                          on ? "" : "-", m.bytes[1]);
    }
    return text;
  }
  /// All messages from the `from`-th on, as "90 3c 40" each.
  std::string bytes(std::size_t from = 0) const {
    std::string text;
    for (auto i = from; i < all.size(); ++i) {
      text += text.empty() ? "" : ", ";
      for (std::size_t b = 0; b < all[i].bytes.size(); ++b)
        text += fmt::format("{}{:02x}", b == 0 ? "" : " ", all[i].bytes[b]);
    }
    return text;
  }

private:
  struct channel {
    std::array<int, 128> down{};
    std::array<bool, 128> heard{};
    bool pedal = false;
  };
  static void end_released(channel& c) {
    for (std::size_t k = 0; k < 128; ++k)
      if (c.down[k] == 0) c.heard[k] = false;
  }
  std::map<std::pair<int, int>, channel> channels_;
};

}  // namespace fermata::midi::testing
