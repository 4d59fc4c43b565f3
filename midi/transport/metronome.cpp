#include "midi/transport/metronome.hpp"

#include "midi/performance/channels.hpp"

namespace fermata::midi {

namespace {

using namespace std::chrono_literals;

/// High and low wood block (General MIDI Level 1 Percussion Key Map).
constexpr std::uint8_t accent_key = 76, beat_key = 77;
constexpr std::uint8_t accent_velocity = 112, beat_velocity = 88, release_velocity = 64;
constexpr auto click_length = 40ms;
constexpr std::uint8_t click_on_status = 0x90 | percussion_channel,
                       click_off_status = 0x80 | percussion_channel;

}  // namespace

void metronome::click(bool accent, steady_time due) noexcept {
  end_click(due);
  key_ = accent ? accent_key : beat_key;
  out_.send_bytes(0, {click_on_status, key_, accent ? accent_velocity : beat_velocity}, due);
  end_ = due + click_length;
}

void metronome::end_click(steady_time now) noexcept {
  if (!end_) return;
  end_.reset();
  out_.send_bytes(0, {click_off_status, key_, release_velocity}, now);
}

void metronome::postpone(std::chrono::nanoseconds by) {
  if (end_) *end_ += by;
}

}  // namespace fermata::midi
