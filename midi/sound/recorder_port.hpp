#pragma once

#include "midi/sound/message_check.hpp"
#include "midi/sound/output_port.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace fermata::midi {

/// A message that a port was sent.
struct recorded_message {
  steady_time due;
  std::uint8_t group = 0;
  std::vector<std::uint8_t> bytes;
};

/// A port that keeps what it is sent: for tests, and for runs that are recorded into a file
/// (midi/ports/recording.hpp). Like the ports of devices it refuses what is not one complete
/// message. It allocates and has a lock, which those of devices must not.
///
/// Only a header, because the program and the sound library, which share no code, both use it.
class recorder_port : public output_port {
public:
  explicit recorder_port(std::chrono::nanoseconds look_ahead = {}, int groups = 1)
    : look_ahead_(look_ahead), groups_(groups) {}

  bool send(std::uint8_t group, std::span<const std::uint8_t> message,
            steady_time due) noexcept override {
    if (!alive_ || group >= groups_ || !is_complete_message(message)) return false;
    std::lock_guard lock{mutex_};
    messages_.push_back({due, group, {message.begin(), message.end()}});
    changed_.notify_all();
    return true;
  }
  std::chrono::nanoseconds look_ahead() const noexcept override { return look_ahead_; }
  bool is_alive() const noexcept override { return alive_; }
  int groups() const noexcept override { return groups_; }

  /// As if the device were unplugged: nothing is taken any more.
  void lose() { alive_ = false; }
  std::vector<recorded_message> messages() const {
    std::lock_guard lock{mutex_};
    return messages_;
  }
  /// Whether so many messages have come before this time is over.
  bool wait_for(std::size_t count, std::chrono::nanoseconds patience) const {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, patience, [&] { return messages_.size() >= count; });
  }

private:
  const std::chrono::nanoseconds look_ahead_;
  const int groups_;
  std::atomic<bool> alive_{true};
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<recorded_message> messages_;
};

}  // namespace fermata::midi
