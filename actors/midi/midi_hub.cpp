#include "actors/midi/midi_hub.hpp"

#include "actors/work/guarded.hpp"
#include "actors/work/strand.hpp"
#include "midi/sound/device_choice.hpp"

#include <caf/all.hpp>

#include <utility>

namespace fermata::actors {

namespace {

/// The sound systems, for work on the strand only.
class loaded_systems {
public:
  loaded_systems(sound_loader load, caf::weak_actor_ptr hub)
    : load_(std::move(load)), hub_(std::move(hub)) {}
  ~loaded_systems() {
    if (system_) system_->watch(nullptr);
  }
  loaded_systems(const loaded_systems&) = delete;
  loaded_systems& operator=(const loaded_systems&) = delete;

  /// A library that could not be loaded is tried again with the next request.
  midi::sound_result<midi::sound_system*> get() {
    if (system_) return system_.get();
    auto loaded = load_();
    if (!loaded) return tl::unexpected(loaded.error());
    system_ = std::move(*loaded);
    system_->watch([hub = hub_] {
      if (auto still_there = caf::actor_cast<caf::strong_actor_ptr>(hub))
        caf::anon_send(caf::actor_cast<midi_hub_actor>(still_there), atom::changed_v);
    });
    return system_.get();
  }

private:
  sound_loader load_;
  caf::weak_actor_ptr hub_;
  std::shared_ptr<midi::sound_system> system_;
};

device_list listed(loaded_systems& systems) {
  auto system = systems.get();
  if (!system) return {{}, {system.error()}};
  return {(*system)->devices(), (*system)->missing()};
}

/// Why there is nothing to play on, in one message.
midi::sound_failure with_reasons(midi::sound_failure f,
                                 const std::vector<midi::sound_failure>& missing) {
  f.kind = midi::sound_failure::kind_t::no_server;
  for (auto& m : missing) {
    f.message += (&m == &missing.front() ? ": " : "; ") + m.message;
    if (f.advice.empty()) f.advice = m.advice;
  }
  return f;
}

caf::result<opened_device> open(loaded_systems& systems, const std::string& word,
                                const midi::synth_settings& synth, const std::string& in_use) {
  auto system = systems.get();
  if (!system) return to_problem(system.error());
  auto devices = (*system)->devices();
  auto chosen = midi::chosen_device(devices, word);
  if (!chosen) {
    // The synthesizer is not listed if it has no sound output or no soundfont.
    if (devices.empty() || word == midi::synth_id)
      return to_problem(with_reasons(chosen.error(), (*system)->missing()));
    return to_problem(with_advice(chosen.error()));
  }
  if (chosen->id == in_use) return opened_device{std::move(*chosen), nullptr};
  auto port = (*system)->open(chosen->id, synth);
  if (!port) return to_problem(port.error());
  return opened_device{std::move(*chosen), std::move(*port)};
}

input_list listed_inputs(loaded_systems& systems) {
  auto system = systems.get();
  if (!system) return {{}, {system.error()}};
  return {(*system)->input_devices(), (*system)->missing_inputs()};
}

caf::result<std::shared_ptr<midi::input_port>> open_input(loaded_systems& systems,
                                                          const std::string& id,
                                                          const midi::message_receiver& receiver) {
  auto system = systems.get();
  if (!system) return to_problem(system.error());
  auto port = (*system)->open_input(id, receiver);
  if (!port) return to_problem(port.error());
  return std::move(*port);
}

}  // namespace

midi::sound_failure with_advice(midi::sound_failure f) {
  if (f.advice.empty()) f.advice = "`:midi devices` lists the devices.";
  return f;
}

caf::error to_problem(const midi::sound_failure& f) {
  using kind_t = midi::sound_failure::kind_t;
  auto code = f.kind == kind_t::no_device  ? problem::not_found
              : f.kind == kind_t::internal ? problem::internal
                                           : problem::unavailable;
  return make_problem(code, f.message, f.advice);
}

midi_hub_actor::behavior_type midi_hub(midi_hub_state::pointer self, sound_loader load,
                                       worker_pool_ptr workers) {
  set_quiet_handlers(self);
  auto& observers = self->state.observers;
  self->set_down_handler([&observers](const caf::down_msg& msg) {
    std::erase_if(observers, [&](auto& o) { return o.address() == msg.source; });
  });
  auto systems = std::make_shared<loaded_systems>(
      std::move(load), caf::actor_cast<caf::weak_actor_ptr>(self->ctrl()));
  strand work{std::move(workers), work_kind::sound};
  return {
      [self, work, systems](atom::list) {
        return work.answer<device_list>(
            self, [systems]() -> caf::result<device_list> { return listed(*systems); });
      },
      [self, work, systems](atom::connect, const std::string& word,
                            const midi::synth_settings& synth, const std::string& in_use) {
        return work.answer<opened_device>(
            self, [systems, word, synth, in_use] { return open(*systems, word, synth, in_use); });
      },
      [self, work, systems](atom::listen) {
        return work.answer<input_list>(
            self, [systems]() -> caf::result<input_list> { return listed_inputs(*systems); });
      },
      [self, work, systems](atom::listen, const std::string& id,
                            const midi::message_receiver& receiver) {
        return work.answer<std::shared_ptr<midi::input_port>>(
            self, [systems, id, receiver] { return open_input(*systems, id, receiver); });
      },
      [work, systems](atom::disconnect, std::shared_ptr<midi::input_port>& port) {
        work.run([systems, port = std::exchange(port, nullptr)]() mutable { port.reset(); });
      },
      // The system is kept until its ports are closed.
      [work, systems](atom::disconnect, std::shared_ptr<midi::output_port>& port) {
        work.run([systems, port = std::exchange(port, nullptr)]() mutable { port.reset(); });
      },
      [self, &observers](atom::observe, const device_observer_actor& who) {
        self->monitor(who);
        observers.push_back(who);
      },
      [self, &observers](atom::changed) {
        for (auto& o : observers)
          self->send(o, atom::changed_v);
      },
  };
}

}  // namespace fermata::actors
