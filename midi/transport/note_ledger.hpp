#pragma once

#include "midi/transport/message_sink.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace fermata::midi {

/// The notes that sound: how many note-ons without a note-off each key of each channel has had. It
/// is what makes sure that no note is left sounding.
class note_ledger {
public:
  note_ledger();

  /// A channel message that was sent.
  void sent(std::uint8_t group, std::span<const std::uint8_t> message);
  /// Sends as many note-offs as there were note-ons, and forgets them.
  void end_notes(message_sink& out, steady_time due);
  void end_notes_of(std::uint8_t group, std::uint8_t channel, message_sink& out, steady_time due);
  /// What sounded on a port that is lost.
  void clear();

  bool is_sounding(std::uint8_t group, std::uint8_t channel, std::uint8_t key) const;
  int sounding() const { return sounding_; }
  /// One more than the highest group that anything was sent to since `clear`.
  int groups() const { return groups_; }
  /// Whether anything was ever sent to this channel since `clear`.
  bool is_used(std::uint8_t group, std::uint8_t channel) const;

private:
  struct channel_notes {
    std::array<std::uint16_t, 128> notes{};
    int sounding = 0;
    bool used = false;
  };
  static std::size_t index_of(std::uint8_t group, std::uint8_t channel);

  std::vector<channel_notes> channels_;
  int sounding_ = 0, groups_ = 0;
};

}  // namespace fermata::midi
