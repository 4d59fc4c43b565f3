#include "actors/manager/session_manager.hpp"

#include "actors/work/guarded.hpp"
#include "io/store/drafts.hpp"
#include "io/store/home.hpp"
#include "io/terminal/local_time.hpp"
#include "messages/errors.hpp"

#include <algorithm>
#include <chrono>

namespace fermata::actors {

namespace {

constexpr int crashes_tolerated = 10;
constexpr std::chrono::minutes rest{1};

std::chrono::milliseconds restart_delay(int crashes) {
  return std::min(std::chrono::milliseconds{10 << std::min(crashes - 1, 7)},
                  std::chrono::milliseconds{1000});
}

}  // namespace

caf::error session_manager_state::program_ends() {
  return make_problem(problem::invalid_state, "the program is shutting down");
}

manager_setup default_manager_setup() {
  manager_setup setup;
  setup.home = io::fermata_home();
  setup.evaluate = &fermata::evaluate;
  setup.now = [] {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  };
  setup.clock = io::local_clock();
  setup.workers = std::make_shared<worker_pool>();
  return setup;
}

session_manager_state::~session_manager_state() {
  for (auto& [slug, m] : sessions_)
    for (auto& to : m.waiting)
      to(program_ends());
  for (auto& [slug, back] : returning_)
    for (auto& asked : back.askers)
      asked.deliver(program_ends());
  for (auto& promise : stop_promises_)
    promise.deliver(program_ends());
}

void session_manager_state::start(manager_setup setup) {
  setup_ = std::move(setup);
  board_ = setup_.board;
  may_create_ = creation_allowance{setup_.new_sessions};
  for (auto worker : {&worker_, &reader_})
    *worker = self_->spawn<caf::linked>(file_worker, setup_.workers, work_kind::disk);
  if (setup_.home.empty()) return;
  auto clean_up = [sessions = setup_.home / "sessions"]() -> result<void> {
    io::remove_dead_drafts(sessions);
    return {};
  };
  run(clean_up, [](caf::error) {});
}

// --- verbs ---------------------------------------------------------------------------------------

session_manager_state::answer session_manager_state::answering(
    caf::typed_response_promise<session_ref> promise) {
  return [promise](caf::expected<session_ref> ref) mutable {
    static_cast<caf::response_promise&>(promise).deliver(std::move(ref));
  };
}

session_manager_state::answer session_manager_state::activating(
    caf::typed_response_promise<session_ref> promise, by whom) {
  return [this, order = ++asked_, to = answering(std::move(promise)),
          whom](caf::expected<session_ref> ref) {
    // One that takes long to load does not come before what was asked for after it.
    if (ref && order > activated_) {
      make_active(ref->slug, whom == by::musician);
      activated_ = order;
    }
    to(std::move(ref));
  };
}

caf::result<session_ref> session_manager_state::create(const std::string& session_name, by whom) {
  if (stopping_) return program_ends();
  auto promise = self_->make_response_promise<session_ref>();
  with_free_name(
      session_name,
      [this, to = activating(promise, whom), session_name](const home_view& disk) {
        open(meta_for(session_name, disk), to, another_name(session_name, disk));
      },
      answering(promise));
  return promise;
}

caf::result<session_ref> session_manager_state::create_for(const std::string& client,
                                                           const std::string& session_name) {
  if (stopping_) return program_ends();
  if (auto wait = may_create_.take(client, setup_.now())) {
    problem_detail detail;
    detail.message = "too many sessions created by clients";
    detail.advice = "Use an existing session, or try again later.";
    detail.retry_after_ms = static_cast<int>(wait->count());
    return make_problem(problem::busy, std::move(detail));
  }
  return create(session_name, by::client);
}

caf::result<session_ref> session_manager_state::find(const std::string& slug_or_name) {
  if (stopping_) return program_ends();
  auto promise = self_->make_response_promise<session_ref>();
  auto go = [this, slug_or_name, to = answering(promise)] {
    if (stopping_) return to(program_ends());
    with_known(
        slug_or_name, [this, to](const session_meta& meta) { open(meta, to); }, to);
  };
  if (auto it = arriving_.find(slug_or_name); it != arriving_.end())
    it->second.push_back(go);
  else
    go();
  return promise;
}

caf::result<session_ref> session_manager_state::active() {
  if (stopping_) return program_ends();
  auto promise = self_->make_response_promise<session_ref>();
  with_active(answering(promise));
  return promise;
}

void session_manager_state::with_active(answer to) {
  auto open_it = [this, to](const session_meta& meta) {
    open(meta, [this, to, slug = meta.slug](caf::expected<session_ref> ref) {
      if (!ref && leaving_.contains(slug)) return with_active(to);
      to(std::move(ref));
    });
  };
  if (auto meta = known_as_loaded(active_)) return open_it(*meta);
  look(
      io::detail_level::names,
      [this, to, open_it](const home_view& disk) {
        auto meta = active_.empty() ? std::nullopt : known(active_, disk);
        if (meta)
          open_it(*meta);
        else
          choose_active(disk, to);
      },
      to);
}

caf::result<session_ref> session_manager_state::activate(const std::string& slug_or_name, by whom) {
  if (stopping_) return program_ends();
  auto promise = self_->make_response_promise<session_ref>();
  with_known(
      slug_or_name,
      [this, to = activating(promise, whom)](const session_meta& meta) { open_again(meta, to); },
      answering(promise));
  return promise;
}

void session_manager_state::make_active(const std::string& slug, bool remember) {
  active_ = slug;
  activated_ = ++asked_;
  board_->set_active(slug);
  if (!remember || setup_.home.empty()) return;
  // Where that cannot be written, sessions say so themselves.
  run([home = setup_.home, slug] { return io::remember_active_session(home, slug); },
      [](caf::error) {});
}

caf::result<void> session_manager_state::stop() {
  auto promise = self_->make_response_promise<void>();
  stop_promises_.push_back(static_cast<caf::response_promise&>(promise));
  if (stopping_) return promise;
  stopping_ = true;
  for (auto& [slug, waiting] : std::exchange(arriving_, {}))
    for (auto& go_on : waiting)
      go_on();
  std::vector<std::string> slugs;
  for (auto& [slug, m] : sessions_) {
    for (auto& to : std::exchange(m.waiting, {}))
      to(program_ends());
    m.ending = true;
    slugs.push_back(slug);
  }
  for (auto& slug : slugs) {
    auto& m = sessions_.at(slug);
    if (!m.session) {
      stopped_one(slug);
      continue;
    }
    self_->request(m.session, caf::infinite, atom::stop_v)
        .then([this, slug] { stopped_one(slug); },
              [this, slug](caf::error& why) {
                // Of one that has crashed the journal has everything.
                if (problem_of(why) == problem::failed) {
                  auto words = "session " + slug + " is not saved: " + detail_of(why).message;
                  unsaved_ += (unsaved_.empty() ? "" : "; ") + words;
                }
                stopped_one(slug);
              });
  }
  finish_stop();
  return promise;
}

void session_manager_state::stopped_one(const std::string& slug) {
  auto it = sessions_.find(slug);
  if (it == sessions_.end()) return;
  // The store goes when all it was asked for is done; the lock of the folder goes with it.
  if (it->second.store) {
    self_->send_exit(it->second.store, caf::exit_reason::user_shutdown);
    it->second.session = nullptr;
  } else {
    gone(slug);
  }
  finish_stop();
}

void session_manager_state::finish_stop() {
  if (!stopping_ || !sessions_.empty() || jobs_ > 0) return;
  // Nothing is moved any more; whoever waits for it is told so.
  while (!leaving_.empty())
    stays(std::string{leaving_.begin()->first});
  if (jobs_ > 0) return;
  for (auto& promise : std::exchange(stop_promises_, {}))
    if (unsaved_.empty())
      promise.deliver(caf::unit);
    else
      promise.deliver(make_problem(problem::failed, unsaved_));
  self_->quit();
}

// --- supervision ---------------------------------------------------------------------------------

void session_manager_state::down(const caf::down_msg& msg) {
  for (auto& [slug, m] : sessions_) {
    if (m.session && m.session.address() == msg.source) {
      m.session = nullptr;
      if (!m.ending) crashed(m, msg.reason);
      return;
    }
    if (m.store && m.store.address() == msg.source) {
      m.store = nullptr;
      if (m.ending) {
        gone(slug);
        return finish_stop();
      }
      // Without its store a session cannot answer anything: both are made anew.
      if (m.session) self_->send_exit(m.session, caf::exit_reason::kill);
      return;
    }
  }
}

void session_manager_state::crashed(managed& m, const caf::error& reason) {
  auto now = setup_.now();
  if (now - m.last_crash > rest) m.crashes = 0;
  m.last_crash = now;
  m.crash_reason = caf::to_string(reason);
  // It did not come to write down that it leaves, or what it is called.
  stays(m.meta.slug);
  renamed(m.meta.slug);
  if (++m.crashes > crashes_tolerated) {
    load_failed(m.meta.slug,
                make_problem(problem::internal,
                             "session " + m.meta.slug + " keeps crashing: " + m.crash_reason));
    return;
  }
  m.loading = true;  // whoever asks waits for the restart
  self_->delayed_send(self_, restart_delay(m.crashes), atom::restart_v, m.meta.slug);
}

void session_manager_state::restart(const std::string& slug) {
  auto it = sessions_.find(slug);
  if (it == sessions_.end() || it->second.session) return;
  if (it->second.ending) return stopped_one(slug);
  load(it->second);
}

// --- behaviour -----------------------------------------------------------------------------------

session_manager_actor::behavior_type session_manager(session_manager_state::pointer self,
                                                     manager_setup setup) {
  using by = session_manager_state::by;
  auto& st = self->state;
  set_quiet_handlers(self);
  self->set_down_handler([&st](caf::down_msg& msg) { st.down(msg); });
  st.start(std::move(setup));
  return {
      [&st](atom::create, const std::string& session_name) {
        return guarded<session_ref>([&] { return st.create(session_name, by::musician); });
      },
      [&st](atom::create, atom::client, const std::string& client,
            const std::string& session_name) {
        return guarded<session_ref>([&] { return st.create_for(client, session_name); });
      },
      [&st](atom::find, const std::string& slug_or_name) {
        return guarded<session_ref>([&] { return st.find(slug_or_name); });
      },
      [&st](atom::active) { return guarded<session_ref>([&] { return st.active(); }); },
      [&st](atom::activate, const std::string& slug_or_name) {
        return guarded<session_ref>([&] { return st.activate(slug_or_name, by::musician); });
      },
      [&st](atom::activate, atom::client, const std::string& slug_or_name) {
        return guarded<session_ref>([&] { return st.activate(slug_or_name, by::client); });
      },
      [&st](atom::list) {
        return guarded<std::vector<session_summary>>(
            [&] { return st.list(io::detail_level::summaries); });
      },
      [&st](atom::list, atom::sizes) {
        return guarded<std::vector<session_summary>>(
            [&] { return st.list(io::detail_level::sizes); });
      },
      [&st](atom::archived) {
        return guarded<std::vector<session_summary>>([&] { return st.archived(); });
      },
      [&st](atom::clone, const std::string& slug, const std::string& session_name) {
        return guarded<session_ref>([&] { return st.clone(slug, session_name); });
      },
      [&st](atom::archive_session, const archive_request& what) {
        return guarded<archive_answer>([&] { return st.archive_session(what); });
      },
      [&st](atom::left, const std::string& slug, bool gone) { st.left(slug, gone); },
      [&st](atom::bring_back, const std::string& slug_or_name) {
        return guarded<session_ref>([&] { return st.bring_back(slug_or_name); });
      },
      [&st](atom::pack, const packing& what) {
        return guarded<packed_session>([&] { return st.pack(what); });
      },
      [&st](atom::unpack, const std::string& file, const std::string& session_name) {
        return guarded<session_ref>([&] { return st.unpack(file, session_name); });
      },
      [&st](atom::rename, const std::string& slug, const std::string& wanted) {
        return guarded<std::string>([&] { return st.rename(slug, wanted); });
      },
      [&st](atom::renamed, const std::string& slug) { st.renamed(slug); },
      [&st](atom::stop) { return guarded<void>([&] { return st.stop(); }); },
      [&st](atom::follow, const std::string& slug, const session_snapshot& now) {
        st.follow(slug, now);
      },
      [&st](atom::restart, const std::string& slug) { st.restart(slug); },
      [&st](atom::rest) { st.time_to_rest(); },
  };
}

}  // namespace fermata::actors
