#include "actors/midi/midi_in.hpp"

#include "actors/work/guarded.hpp"

#include <caf/all.hpp>

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

namespace fermata::actors {

namespace {

constexpr std::chrono::milliseconds check_interval{1'000};

}  // namespace

/// Closing a port may block, so the hub does it.
midi_in_state::~midi_in_state() {
  if (port_) caf::anon_send(hub_, atom::disconnect_v, std::move(port_));
}

void midi_in_state::start(midi_hub_actor hub, std::uint32_t number, std::string id,
                          caf::weak_actor_ptr listener) {
  hub_ = std::move(hub);
  number_ = number;
  id_ = std::move(id);
  listener_ = std::move(listener);
  self_->send(hub_, atom::observe_v, device_observer_actor{midi_in_actor{self_}});
  self_->delayed_send(self_, check_interval, atom::follow_v);
  open();
}

void midi_in_state::open() {
  is_opening_ = true;
  midi::message_receiver receiver = [to = listener_, number = number_](
                                        midi::steady_time at, std::span<const std::uint8_t> bytes) {
    if (auto there = caf::actor_cast<caf::strong_actor_ptr>(to))
      caf::anon_send(caf::actor_cast<input_listener_actor>(there),
                     played_message{number, at, {bytes.begin(), bytes.end()}});
  };
  self_->request(hub_, caf::infinite, atom::listen_v, id_, std::move(receiver))
      .then(
          [this](std::shared_ptr<midi::input_port>& opened) {
            is_opening_ = has_failed_ = false;
            port_ = std::move(opened);
            lost_messages_ = 0;
            tell(input_change::what_t::opened);
          },
          [this](const caf::error& e) {
            is_opening_ = false;
            if (!std::exchange(has_failed_, true))
              tell(input_change::what_t::failed, detail_of(e).message);
          });
}

void midi_in_state::devices_changed() {
  check_port();
  if (!has_failed_) find();
}

void midi_in_state::check() {
  self_->delayed_send(self_, check_interval, atom::follow_v);
  check_port();
  find();
}

void midi_in_state::check_port() {
  if (!port_) return;
  if (auto lost = port_->lost(); lost > lost_messages_)
    tell(input_change::what_t::messages_lost, {}, lost - std::exchange(lost_messages_, lost));
  if (port_->is_alive()) return;
  // Closed before another one is opened: clients of a server that has ended must be gone then
  // (midi/ports/jack_client.hpp).
  self_->send(hub_, atom::disconnect_v, std::exchange(port_, nullptr));
  tell(input_change::what_t::lost);
}

/// Opens the input if it is there again.
void midi_in_state::find() {
  if (port_ || std::exchange(is_opening_, true)) return;
  self_->request(hub_, caf::infinite, atom::listen_v)
      .then(
          [this](const input_list& all) {
            is_opening_ = false;
            if (std::any_of(all.inputs.begin(), all.inputs.end(),
                            [this](auto& d) { return d.id == id_; }))
              open();
          },
          [this](const caf::error&) { is_opening_ = false; });
}

void midi_in_state::tell(input_change::what_t what, std::string reason, std::uint64_t count) {
  if (auto to = caf::actor_cast<caf::strong_actor_ptr>(listener_))
    self_->send(caf::actor_cast<input_listener_actor>(to),
                input_change{number_, what, std::move(reason), count});
}

midi_in_actor::behavior_type midi_in(midi_in_state::pointer self, midi_hub_actor hub,
                                     std::uint32_t number, std::string id,
                                     caf::weak_actor_ptr listener) {
  auto& st = self->state;
  set_quiet_handlers(self);
  st.start(std::move(hub), number, std::move(id), std::move(listener));
  return {
      [&st](atom::changed) { st.devices_changed(); },
      [&st](atom::follow) { st.check(); },
  };
}

}  // namespace fermata::actors
