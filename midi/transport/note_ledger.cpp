#include "midi/transport/note_ledger.hpp"

#include <algorithm>

namespace fermata::midi {

namespace {

constexpr std::uint8_t note_off_status = 0x80, note_on_status = 0x90;

}  // namespace

note_ledger::note_ledger() : channels_(static_cast<std::size_t>(most_groups) * channels_of_group) {}

std::size_t note_ledger::index_of(std::uint8_t group, std::uint8_t channel) {
  return static_cast<std::size_t>(group % most_groups) * channels_of_group + channel;
}

void note_ledger::sent(std::uint8_t group, std::span<const std::uint8_t> message) {
  if (message.empty() || message[0] < 0x80 || message[0] >= 0xF0) return;
  auto& c = channels_[index_of(group, message[0] & 0x0F)];
  c.used = true;
  groups_ = std::max(groups_, group % most_groups + 1);
  if (message.size() < 3) return;
  auto& count = c.notes[message[1] & 0x7F];
  auto status = message[0] & 0xF0;
  if (status == note_on_status && message[2] > 0) {
    if (count == UINT16_MAX) return;
    ++count, ++c.sounding, ++sounding_;
  } else if ((status == note_off_status || status == note_on_status) && count > 0) {
    --count, --c.sounding, --sounding_;
  }
}

void note_ledger::end_notes(message_sink& out, steady_time due) {
  for (int group = 0; group < groups_ && sounding_ > 0; ++group)
    for (int c = 0; c < channels_of_group; ++c)
      end_notes_of(static_cast<std::uint8_t>(group), static_cast<std::uint8_t>(c), out, due);
}

void note_ledger::end_notes_of(std::uint8_t group, std::uint8_t channel, message_sink& out,
                               steady_time due) {
  auto& c = channels_[index_of(group, channel)];
  for (std::size_t key = 0; key < c.notes.size() && c.sounding > 0; ++key)
    for (; c.notes[key] > 0; --c.notes[key], --c.sounding, --sounding_)
      out.send_bytes(group,
                     {static_cast<std::uint8_t>(note_off_status | channel),
                      static_cast<std::uint8_t>(key), 64},
                     due);
}

void note_ledger::clear() {
  std::fill_n(channels_.begin(), groups_ * channels_of_group, channel_notes{});
  sounding_ = groups_ = 0;
}

bool note_ledger::is_used(std::uint8_t group, std::uint8_t channel) const {
  return channels_[index_of(group, channel)].used;
}

bool note_ledger::is_sounding(std::uint8_t group, std::uint8_t channel, std::uint8_t key) const {
  return channels_[index_of(group, channel)].notes[key & 0x7F] > 0;
}

}  // namespace fermata::midi
