#include "actors/midi/midi_out.hpp"

#include "actors/work/guarded.hpp"

#include <caf/all.hpp>

#include <system_error>
#include <utility>

namespace fermata::actors {

namespace {

constexpr std::chrono::milliseconds between_attempts{1'000}, between_posts{5};

bool is_same(const midi::synth_settings& a, const midi::synth_settings& b) {
  return a.soundfont == b.soundfont && a.audio_output == b.audio_output && a.gain == b.gain;
}

}  // namespace

void midi_out_state::start(midi_hub_actor hub, caf::weak_actor_ptr listener) {
  hub_ = std::move(hub);
  listener_ = std::move(listener);
  self_->send(hub_, atom::observe_v, device_observer_actor{midi_out_actor{self_}});
}

// --- the device ----------------------------------------------------------------------------------

caf::result<connected_device> midi_out_state::connect(const std::string& word,
                                                      const midi::synth_settings& synth) {
  if (!transport_) {
    try {
      transport_ = std::make_unique<midi::transport_thread>(
          [me = caf::actor_cast<caf::weak_actor_ptr>(self_->ctrl())](midi::transport_event_t e) {
            if (auto still_there = caf::actor_cast<caf::strong_actor_ptr>(me))
              caf::anon_send(caf::actor_cast<midi_out_actor>(still_there), std::move(e));
          });
    } catch (const std::system_error& e) {
      return make_problem(problem::failed,
                          std::string{"the playback thread could not be started: "} + e.what());
    }
  }
  // Opened again, a port would lose what other programs have connected to it.
  auto is_in_use = has_device_ && loss_ == loss::none &&
                   (device_.id != midi::synth_id || is_same(synth_, synth));
  auto promise = self_->make_response_promise<connected_device>();
  self_
      ->request(hub_, caf::infinite, atom::connect_v, word, synth,
                is_in_use ? device_.id : std::string{})
      .then(
          [this, promise, synth](opened_device& opened) mutable {
            if (opened.port) {
              synth_ = std::move(synth);
              attach(std::move(opened));
            }
            promise.deliver(connected());
          },
          [promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

void midi_out_state::attach(opened_device opened) {
  device_ = std::move(opened.device);
  groups_ = opened.port->groups();
  longest_message_ = opened.port->longest_message();
  loss_ = loss::none;
  ++connections_;
  has_device_ = true;
  post(midi::transport_command::attach{std::move(opened.port)});
}

/// Its port is closed first: clients of a server that has ended must be gone before another is
/// opened (midi/ports/jack_client.hpp).
void midi_out_state::lost() {
  if (loss_ != loss::none || !has_device_) return;
  loss_ = loss::closing;
  tell(device_change{device_.name, false});
  post(midi::transport_command::attach{nullptr});
}

/// Also the timer while the device is lost.
void midi_out_state::devices_changed() {
  if (loss_ != loss::closed) return;
  loss_ = loss::reopening;
  self_->request(hub_, caf::infinite, atom::connect_v, device_.id, synth_, std::string{})
      .then(
          [this, at = connections_](opened_device& opened) {
            if (at != connections_) {
              // Another device was connected meanwhile.
              self_->send(hub_, atom::disconnect_v, std::move(opened.port));
              return;
            }
            attach(std::move(opened));
            tell(device_change{device_.name, true});
          },
          [this, at = connections_](const caf::error&) {
            if (at != connections_) return;
            loss_ = loss::closed;
            self_->delayed_send(self_, between_attempts, atom::changed_v);
          });
}

// --- the transport -------------------------------------------------------------------------------

void midi_out_state::post(midi::transport_command_t command) {
  if (!transport_) return;
  pending_.push_back(std::move(command));
  send_pending();
}

/// The transport has a bounded queue; what it does not take is sent a little later.
void midi_out_state::send_pending() {
  while (!pending_.empty()) {
    if (!transport_->post(pending_.front())) {
      if (!std::exchange(has_timer_, true))
        self_->delayed_send(self_, between_posts, atom::flush_v);
      return;
    }
    pending_.pop_front();
  }
}

void midi_out_state::flush() {
  has_timer_ = false;
  send_pending();
}

void midi_out_state::happened(midi::transport_event_t& e) {
  if (auto released = std::get_if<midi::transport_event::port_released>(&e)) {
    self_->send(hub_, atom::disconnect_v, std::move(released->port));
    if (loss_ != loss::closing) return;
    loss_ = loss::closed;
    devices_changed();
  } else if (std::holds_alternative<midi::transport_event::port_lost>(e)) {
    lost();
  } else {
    tell(std::move(e));
  }
}

void midi_out_state::tell(midi::transport_event_t e) {
  if (auto to = caf::actor_cast<caf::strong_actor_ptr>(listener_))
    self_->send(caf::actor_cast<output_listener_actor>(to), std::move(e));
}

void midi_out_state::tell(device_change change) {
  if (auto to = caf::actor_cast<caf::strong_actor_ptr>(listener_))
    self_->send(caf::actor_cast<output_listener_actor>(to), std::move(change));
}

midi_out_actor::behavior_type midi_out(midi_out_state::pointer self, midi_hub_actor hub,
                                       caf::weak_actor_ptr listener) {
  auto& st = self->state;
  set_quiet_handlers(self);
  st.start(std::move(hub), std::move(listener));
  return {
      [&st](atom::changed) { st.devices_changed(); },
      [&st](atom::connect, const std::string& word, const midi::synth_settings& synth) {
        return guarded<connected_device>([&] { return st.connect(word, synth); });
      },
      [&st](midi::transport_command_t& command) { st.post(std::move(command)); },
      [&st](midi::transport_event_t& e) { st.happened(e); },
      [&st](atom::flush) { st.flush(); },
  };
}

}  // namespace fermata::actors
