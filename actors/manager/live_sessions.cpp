#include "actors/manager/live_sessions.hpp"

#include "actors/manager/catalog_failures.hpp"
#include "actors/session/other_sessions.hpp"
#include "actors/session/session.hpp"
#include "actors/work/store.hpp"
#include "io/store/home.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <memory>
#include <utility>

namespace fermata::actors {

namespace {

folder_state to_be_loaded(catalog::load_session::mode_t mode) {
  using mode_t = catalog::load_session::mode_t;
  if (mode == mode_t::new_session) return folder_state::to_create;
  return mode == mode_t::only_to_write ? folder_state::writable_only : folder_state::existing;
}

}  // namespace

session_actor live_sessions::actor_of(const std::string& slug) const {
  auto it = sessions_.find(slug);
  return it == sessions_.end() ? session_actor{} : it->second.session;
}

// --- loading -------------------------------------------------------------------------------------

void live_sessions::execute(catalog::load_session& a) {
  auto& slug = a.meta.slug;
  auto& live = sessions_[slug];
  if (a.mode == catalog::load_session::mode_t::in_memory) {
    // Nothing is kept; after a crash the board still has what was shown.
    auto last = setup_.board->find(slug);
    loaded_session what;
    what.fresh = !last;
    what.state = last ? last : std::make_shared<const session_state>(empty_session(a.meta));
    return was_read(slug, a.load, std::move(what));
  }
  auto folder = io::session_folder(setup_.home, slug);
  if (!folder)
    return feed_(catalog::load_failed{slug, a.load, to_failure(to_problem(folder.error()))});
  if (!live.store)
    live.store = self_->spawn<caf::monitored>(store, *folder, a.meta, to_be_loaded(a.mode),
                                              setup_.workers, setup_.loading);
  read(slug, a.load);
}

void live_sessions::execute(catalog::reload_session& a) { read(a.slug, a.load); }

void live_sessions::read(const std::string& slug, catalog::ticket load) {
  self_->request(sessions_.at(slug).store, caf::infinite, atom::load_v)
      .then([this, slug, load](loaded_session& what) { was_read(slug, load, std::move(what)); },
            [this, slug, load](caf::error& why) {
              feed_(catalog::load_failed{slug, load, to_failure(why)});
            });
}

void live_sessions::was_read(const std::string& slug, catalog::ticket load, loaded_session what) {
  auto it = sessions_.find(slug);
  if (it == sessions_.end()) return;
  catalog::session_loaded in{slug,           load,        what.state->meta, what.state->written_by,
                             what.read_only, what.remarks};
  it->second.loaded = std::move(what);
  feed_(std::move(in));
}

/// The state with what config.toml says, which no journal has.
session_snapshot live_sessions::as_configured(session_snapshot state) const {
  if (state->commit_by_default == setup_.commit_by_default) return state;
  auto own = std::make_shared<session_state>(*state);
  own->commit_by_default = setup_.commit_by_default;
  return own;
}

/// Empty: sessions are in memory only.
std::string live_sessions::folder_for_takes(const std::string& slug) const {
  auto folder = io::session_folder(setup_.home, slug);
  return setup_.home.empty() || !folder ? std::string{} : folder->string();
}

void live_sessions::execute(catalog::start_session& a) {
  auto& live = sessions_.at(a.slug);
  auto what = std::exchange(live.loaded, std::nullopt);
  auto& board = setup_.board;
  session_setup setup;
  setup.state = as_configured(what->state);
  setup.not_saved_reason = a.not_saved_reason;
  if (a.is_written) {
    setup.store = live.store;
    setup.loader = what->loader;
  }
  setup.manager = caf::actor_cast<caf::weak_actor_ptr>(self_->ctrl());
  setup.evaluate = setup_.evaluate;
  setup.other_sessions = lookup_on(board, setup_.home);
  setup.open_sessions = [board, slug = a.slug] { return board->all_but(slug); };
  setup.now = setup_.now;
  setup.clock = setup_.clock;
  setup.publish = [board](const session_snapshot& s) { board->publish(s); };
  setup.limits = setup_.limits;
  setup.workers = setup_.workers;
  setup.player = setup_.player;
  setup.recorder = setup_.recorder;
  setup.quantizer = setup_.quantizer;
  if (a.is_written) setup.folder = folder_for_takes(a.slug);
  live.session = self_->spawn<caf::monitored>(session, std::move(setup));
  feed_(catalog::session_started{a.slug, a.load});
}

void live_sessions::execute(catalog::show_reloaded& a) {
  auto& live = sessions_.at(a.slug);
  auto what = std::exchange(live.loaded, std::nullopt);
  opened_again again{as_configured(what->state), {}, {}, a.not_saved_reason};
  if (a.is_written) {
    again.store = live.store;
    again.folder = folder_for_takes(a.slug);
    again.loader = what->loader;
  }
  self_->send(live.session, std::move(again));
}

void live_sessions::execute(catalog::show_followed& a) {
  if (auto session = actor_of(a.slug))
    self_->send(session, opened_again{std::move(a.state), {}, {}, {}});
}

// --- ending --------------------------------------------------------------------------------------

void live_sessions::execute(catalog::ask_to_unload& a) {
  auto session = actor_of(a.slug);
  if (!session) return feed_(catalog::unload_answered{a.slug, true});
  self_->request(session, caf::infinite, atom::unload_v)
      .then(
          [this, slug = a.slug](bool granted) {
            feed_(catalog::unload_answered{slug, granted});
          },
          // It has crashed; the journal has everything.
          [this, slug = a.slug](caf::error&) {
            feed_(catalog::unload_answered{slug, true});
          });
}

void live_sessions::execute(catalog::stop_session& a) {
  auto session = actor_of(a.slug);
  if (!session) return feed_(catalog::session_stopped{a.slug});
  self_->request(session, caf::infinite, atom::stop_v)
      .then([this, slug = a.slug] { feed_(catalog::session_stopped{slug}); },
            [this, slug = a.slug](caf::error& why) {
              feed_(catalog::session_stopped{slug, to_failure(why)});
            });
}

void live_sessions::execute(catalog::kill_session& a) {
  if (auto session = actor_of(a.slug)) self_->send_exit(session, caf::exit_reason::kill);
}

void live_sessions::execute(catalog::end_store& a) {
  auto& live = sessions_.at(a.slug);
  live.session = nullptr;
  live.loaded.reset();
  if (!live.store) return feed_(catalog::store_down{a.slug});
  self_->send_exit(live.store, caf::exit_reason::user_shutdown);
}

void live_sessions::execute(catalog::discard_session& a) {
  auto live = sessions_.extract(a.slug);
  if (live.empty() || !live.mapped().store) return;
  self_->demonitor(live.mapped().store.address());
  self_->send_exit(live.mapped().store, caf::exit_reason::user_shutdown);
}

void live_sessions::execute(catalog::forget_session& a) {
  setup_.board->remove(a.slug);
  sessions_.erase(a.slug);
}

void live_sessions::down(const caf::down_msg& msg) {
  for (auto& [slug, live] : sessions_) {
    if (live.session && live.session.address() == msg.source) {
      live.session = nullptr;
      return feed_(catalog::session_down{slug, caf::to_string(msg.reason)});
    }
    if (live.store && live.store.address() == msg.source) {
      live.store = nullptr;
      return feed_(catalog::store_down{slug});
    }
  }
}

// --- requests to sessions ------------------------------------------------------------------------

void live_sessions::execute(catalog::flush_session& a) {
  auto session = actor_of(a.slug);
  if (!session) return feed_(catalog::session_answered{a.id});
  self_->request(session, caf::infinite, atom::flush_v)
      .then([this, id = a.id] { feed_(catalog::session_answered{id}); },
            [this, id = a.id](caf::error& why) {
              feed_(catalog::session_answered{id, to_failure(why)});
            });
}

void live_sessions::execute(catalog::read_unwritten& a) {
  auto session = actor_of(a.slug);
  if (!session) return feed_(catalog::session_answered{a.id});
  self_->request(session, caf::infinite, atom::unwritten_v)
      .then(
          [this, id = a.id](unwritten_transitions& what) {
            auto all = std::make_shared<const std::vector<transition>>(std::move(what.all));
            feed_(catalog::session_answered{id, {}, std::move(all)});
          },
          [this, id = a.id](caf::error& why) {
            feed_(catalog::session_answered{id, to_failure(why)});
          });
}

void live_sessions::execute(catalog::rename_in_session& a) {
  auto session = actor_of(a.slug);
  if (!session) return feed_(catalog::session_answered{a.id});
  requested_command rename{{"session rename", {a.name}}, {"fermata", "system"}};
  self_->request(session, caf::infinite, std::move(rename))
      .then([this, id = a.id](const turn&) { feed_(catalog::session_answered{id}); },
            [this, id = a.id](caf::error& why) {
              feed_(catalog::session_answered{id, to_failure(why)});
            });
}

void live_sessions::execute(catalog::send_note& a) {
  if (auto session = actor_of(a.slug))
    self_->send(session, atom::note_v, std::move(a.event), std::move(a.text));
}

}  // namespace fermata::actors
