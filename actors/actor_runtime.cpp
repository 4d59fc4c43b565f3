#include "actors/actor_runtime.hpp"

#include "actors/midi/quantizer.hpp"
#include "actors/midi/recorder.hpp"
#include "messages/errors.hpp"

#include <caf/scoped_actor.hpp>

#include <pthread.h>

#include <csignal>

namespace fermata::actors {

actor_runtime::actor_runtime(caf::actor_system& sys, manager_setup setup, player_setup sound)
  : sys_(sys) {
  sound.workers = setup.workers;
  if (sound.load) {
    hub_ = sys.spawn(midi_hub, sound.load, setup.workers);
    sound.hub = hub_;
    auto input = effective_setting("midi-input", {}, sound.configured);
    auto thru = effective_setting("midi-thru", {}, sound.configured) == "on";
    player_ = sys.spawn(actors::player, std::move(sound));
    recorder_setup recording{hub_, player_, std::move(input), thru, setup.now, setup.workers};
    recorder_ = sys.spawn(actors::recorder, std::move(recording));
  }
  setup.player = player_;
  setup.recorder = recorder_;
  quantizer_ = sys.spawn(actors::quantizer, setup.workers);
  setup.quantizer = quantizer_;
  sessions_ = sys.spawn(session_manager, std::move(setup));
}

actor_runtime::~actor_runtime() {
  if (sessions_) shut_down(std::chrono::seconds{5});
}

std::string actor_runtime::shut_down(std::chrono::milliseconds grace) {
  if (!sessions_) return {};
  std::string late;
  caf::scoped_actor self{sys_, true};
  // What sounds is ended first: writing the sessions may take a while.
  if (player_) self->send_exit(player_, caf::exit_reason::user_shutdown);
  if (recorder_) self->send_exit(recorder_, caf::exit_reason::user_shutdown);
  if (hub_) self->send_exit(hub_, caf::exit_reason::user_shutdown);
  player_ = nullptr;
  recorder_ = nullptr;
  quantizer_ = nullptr;
  hub_ = nullptr;
  self->request(sessions_, grace, atom::stop_v)
      .receive([] {},
               [&](caf::error& e) {
                 if (problem_of(e) == problem::failed) {
                   late = detail_of(e).message;
                   return;
                 }
                 late = "the sessions did not shut down in time: " + detail_of(e).message;
                 self->send_exit(sessions_, caf::exit_reason::kill);
               });
  sessions_ = nullptr;
  return late;
}

void block_stop_signals() {
  sigset_t stop;
  sigemptyset(&stop);
  for (int s : {SIGINT, SIGTERM, SIGHUP})
    sigaddset(&stop, s);
  pthread_sigmask(SIG_BLOCK, &stop, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace fermata::actors
