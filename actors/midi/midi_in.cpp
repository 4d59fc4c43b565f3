#include "actors/midi/midi_in.hpp"

#include "actors/work/guarded.hpp"

#include <caf/all.hpp>

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>
#include <vector>

namespace fermata::actors {

namespace {

constexpr std::chrono::milliseconds between_looks{1'000};

}  // namespace

void midi_in_state::start(midi_hub_actor hub, std::uint32_t number, std::string id,
                          caf::weak_actor_ptr listener) {
  hub_ = std::move(hub);
  number_ = number;
  id_ = std::move(id);
  listener_ = std::move(listener);
  self_->send(hub_, atom::observe_v, device_observer_actor{midi_in_actor{self_}});
  open();
}

void midi_in_state::open() {
  is_busy_ = true;
  midi::message_receiver receiver = [to = listener_, number = number_](
                                        midi::steady_time at, std::span<const std::uint8_t> bytes) {
    if (auto there = caf::actor_cast<caf::strong_actor_ptr>(to))
      caf::anon_send(caf::actor_cast<input_listener_actor>(there),
                     played_message{number, at, {bytes.begin(), bytes.end()}});
  };
  self_->request(hub_, caf::infinite, atom::listen_v, id_, std::move(receiver))
      .then(
          [this](opened_input& opened) {
            port_ = std::move(opened.port);
            has_failed_ = false;
            tell(input_change::what_t::opened);
            finished();
          },
          [this](const caf::error& e) {
            // Tried again each second, but told once.
            if (!std::exchange(has_failed_, true))
              tell(input_change::what_t::failed, detail_of(e).message);
            look_later();
            finished();
          });
}

void midi_in_state::devices_changed() {
  if (std::exchange(is_busy_, true)) {
    has_changed_ = true;
    return;
  }
  self_->request(hub_, caf::infinite, atom::list_v)
      .then([this](const device_list& all) { look(all); },
            [this](const caf::error&) { finished(); });
}

void midi_in_state::finished() {
  is_busy_ = false;
  if (std::exchange(has_changed_, false)) devices_changed();
}

void midi_in_state::look(const device_list& all) {
  auto is_there =
      std::any_of(all.inputs.begin(), all.inputs.end(), [this](auto& d) { return d.id == id_; });
  if (port_ && (!is_there || !port_->is_alive())) {
    // Closed before another one is opened: clients of a server that has ended must be gone then
    // (midi/ports/jack_client.hpp).
    self_->send(hub_, atom::disconnect_v, std::exchange(port_, nullptr));
    tell(input_change::what_t::lost);
  }
  if (!port_ && is_there) return open();
  if (!port_) look_later();
  finished();
}

void midi_in_state::look_later() {
  if (!std::exchange(has_timer_, true)) self_->delayed_send(self_, between_looks, atom::follow_v);
}

void midi_in_state::timer_ended() {
  has_timer_ = false;
  if (!port_) devices_changed();
}

void midi_in_state::tell(input_change::what_t what, std::string reason) {
  if (auto to = caf::actor_cast<caf::strong_actor_ptr>(listener_))
    self_->send(caf::actor_cast<input_listener_actor>(to),
                input_change{number_, what, std::move(reason)});
}

midi_in_actor::behavior_type midi_in(midi_in_state::pointer self, midi_hub_actor hub,
                                     std::uint32_t number, std::string id,
                                     caf::weak_actor_ptr listener) {
  auto& st = self->state;
  set_quiet_handlers(self);
  st.start(std::move(hub), number, std::move(id), std::move(listener));
  return {
      [&st](atom::changed) { st.devices_changed(); },
      [&st](atom::follow) { st.timer_ended(); },
  };
}

}  // namespace fermata::actors
