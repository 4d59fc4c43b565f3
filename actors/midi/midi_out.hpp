#pragma once

#include "messages/midi.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

namespace fermata::actors {

/// An output: the transport thread and the device on which it plays, opened with the first
/// `connect`.
///
/// A device that is lost is closed, then opened again as soon as it is back: when the hub reports
/// changes, and once a second, since not every system reports that its server has returned.
/// Playback continues silently meanwhile. When this actor ends, everything that sounds is ended.
class midi_out_state {
public:
  using pointer = midi_out_actor::stateful_pointer<midi_out_state>;
  static inline const char* name = "midi_out";

  explicit midi_out_state(pointer self) : self_(self) {}
  midi_out_state(const midi_out_state&) = delete;
  midi_out_state& operator=(const midi_out_state&) = delete;

  void start(midi_hub_actor hub, caf::weak_actor_ptr listener);

  caf::result<connected_device> connect(const std::string& word, const midi::synth_settings& synth);
  void post(midi::transport_command_t command);
  void happened(midi::transport_event_t& e);
  void flush();
  void devices_changed();

private:
  void attach(opened_device opened);
  connected_device connected() const { return {device_, groups_, longest_message_}; }
  void lost();
  void send_pending();
  void tell(midi::transport_event_t e);
  void tell(device_change change);

  pointer self_;
  midi_hub_actor hub_;
  caf::weak_actor_ptr listener_;
  std::unique_ptr<midi::transport_thread> transport_;
  std::deque<midi::transport_command_t> pending_;  ///< that the transport had no room for
  bool has_timer_ = false;                         ///< for them
  midi::device device_;
  int groups_ = 1;
  std::size_t longest_message_ = 0;
  midi::synth_settings synth_;  ///< with which it was opened
  bool has_device_ = false;
  enum class loss : std::uint8_t { none, closing, closed, reopening } loss_ = loss::none;
  std::uint64_t connections_ = 0;
};
static_assert(!std::is_aggregate_v<midi_out_state>);

/// `listener`: an `output_listener_actor`; it may have ended.
midi_out_actor::behavior_type midi_out(midi_out_state::pointer self, midi_hub_actor hub,
                                       caf::weak_actor_ptr listener);

}  // namespace fermata::actors
