// How the manager loads sessions: from the disk, beside another process, and again when that has
// left; and which one it chooses at the start.

#include "actors/manager/session_manager.hpp"
#include "actors/session/other_sessions.hpp"
#include "actors/work/guarded.hpp"
#include "actors/work/store.hpp"
#include "io/store/home.hpp"
#include "messages/errors.hpp"

#include <algorithm>
#include <utility>

namespace fermata::actors {

namespace {

/// What else there is to go on with.
std::string others_of(const std::vector<session_meta>& all) {
  std::string names;
  for (auto& m : all)
    names += (names.empty() ? "" : ", ") + m.slug;
  return all.empty() ? std::string{} : "Available sessions: " + names + '.';
}

}  // namespace

void session_manager_state::open(const session_meta& meta, answer to, naming another) {
  if (stopping_) return to(program_ends());
  auto [it, is_new] = sessions_.try_emplace(meta.slug);
  auto& m = it->second;
  m.last_used = setup_.now();
  if (m.unloading) return m.after_unloading.push_back([=, this] { open(meta, to, another); });
  if (m.ending)
    return to(make_problem(problem::invalid_state,
                           "session " + meta.slug + " is being closed and moved"));
  if (m.session) return to(session_ref{meta.slug, m.session});
  m.waiting.push_back(std::move(to));
  if (is_new) {
    m.meta = meta;
    m.another = std::move(another);
  }
  if (!m.loading) load(m);
}

void session_manager_state::open_to_write(const session_meta& meta, answer to) {
  auto [it, is_new] = sessions_.try_emplace(meta.slug);
  if (is_new) {
    it->second.meta = meta;
    it->second.is = session_is::to_be_written;
  }
  open(meta, [this, slug = meta.slug, to = std::move(to)](caf::expected<session_ref> ref) {
    auto opened = sessions_.find(slug);
    // Somebody else may have asked for it, to look at it.
    if (ref && opened != sessions_.end() && !opened->second.written_by.empty())
      return to(make_problem(problem::conflict, "it is open in " + opened->second.written_by));
    to(std::move(ref));
  });
}

void session_manager_state::open_again(const session_meta& meta, answer to) {
  auto it = sessions_.find(meta.slug);
  auto is_read = it != sessions_.end() && it->second.session && it->second.store &&
                 !it->second.ending && !it->second.written_by.empty();
  if (!is_read || stopping_) return open(meta, std::move(to));
  auto& m = it->second;
  m.waiting.push_back(std::move(to));
  if (std::exchange(m.loading, true)) return;
  self_->request(m.store, caf::infinite, atom::load_v)
      .then([this, slug = meta.slug](loaded_session& what) { read_again(slug, std::move(what)); },
            [this, slug = meta.slug](caf::error& why) { not_read_again(slug, why); });
}

/// The state with what config.toml says, which no journal has.
session_snapshot session_manager_state::as_configured(session_snapshot state) const {
  if (state->commit_by_default == setup_.commit_by_default) return state;
  auto own = std::make_shared<session_state>(*state);
  own->commit_by_default = setup_.commit_by_default;
  return own;
}

void session_manager_state::read_again(const std::string& slug, loaded_session what) {
  auto it = sessions_.find(slug);
  // When it crashed meanwhile, it is loaded anyway.
  if (it == sessions_.end() || !it->second.session || it->second.ending) return;
  auto& m = it->second;
  m.loading = false;
  auto before = std::exchange(m.written_by, what.state->written_by);
  m.in_memory = what.read_only.has_value();
  m.unkept = what.read_only.value_or(std::string{});
  m.meta = what.state->meta;
  opened_again again{as_configured(what.state), {}, {}, m.unkept};
  auto is_written = m.written_by.empty() && !m.in_memory;
  if (is_written) {
    again.store = m.store;
    again.loader = what.loader;
  }
  self_->send(m.session, std::move(again));
  tell(slug, what);
  session_ref ref{slug, m.session};
  if (is_written) ref.remarks.push_back(before + " has closed it; it can now be written to here");
  for (auto& to : std::exchange(m.waiting, {}))
    to(ref);
}

void session_manager_state::follow(const std::string& slug, const session_snapshot& now) {
  auto it = sessions_.find(slug);
  if (it == sessions_.end()) return;
  auto& m = it->second;
  if (!m.session || m.loading || m.ending || m.written_by.empty()) return;
  m.meta = now->meta;
  self_->send(m.session, opened_again{now, {}, {}, {}});
}

void session_manager_state::not_read_again(const std::string& slug, const caf::error& why) {
  auto it = sessions_.find(slug);
  if (it == sessions_.end() || !it->second.session || it->second.ending) return;
  it->second.loading = false;
  for (auto& to : std::exchange(it->second.waiting, {}))
    to(why);
}

void session_manager_state::load(managed& m) {
  m.loading = true;
  auto slug = m.meta.slug;
  if (setup_.home.empty() || m.in_memory) {
    // Nothing is kept; after a crash the board still has what was shown.
    auto last = board_->find(slug);
    loaded_session what;
    what.fresh = !last;
    what.state = last ? last : std::make_shared<const session_state>(empty_session(m.meta));
    return loaded(slug, std::move(what));
  }
  auto folder = io::session_folder(setup_.home, slug);
  if (!folder) return load_failed(slug, to_problem(folder.error()));
  auto is = m.another ? session_is::wanted : m.is;
  if (!m.store)
    m.store =
        self_->spawn<caf::monitored>(store, *folder, m.meta, is, setup_.workers, setup_.loading);
  self_->request(m.store, caf::infinite, atom::load_v)
      .then(
          [this, slug](loaded_session& what) {
            // Whoever waits for it is answered, whatever happens.
            try {
              loaded(slug, std::move(what));
            } catch (const std::exception& e) {
              load_failed(slug, unexpected_error(e));
            }
          },
          [this, slug](caf::error& reason) { load_failed(slug, reason); });
}

void session_manager_state::loaded(const std::string& slug, loaded_session what) {
  auto it = sessions_.find(slug);
  if (it == sessions_.end()) return;
  auto& m = it->second;
  m.loading = false;
  m.another = nullptr;
  m.is = session_is::there;
  if (m.ending) return stopped_one(slug);
  session_setup setup;
  setup.state = as_configured(what.state);
  // Where nothing can be written, the session does without a store: all stays in memory.
  m.in_memory = m.in_memory || what.read_only;
  if (what.read_only) m.unkept = *what.read_only;
  m.written_by = what.state->written_by;
  if (m.in_memory) {
    setup.unkept = m.unkept;
  } else if (m.written_by.empty()) {
    setup.store = m.store;
    setup.loader = what.loader;
  }
  setup.manager = caf::actor_cast<caf::weak_actor_ptr>(self_->ctrl());
  setup.evaluate = setup_.evaluate;
  setup.other_sessions = lookup_on(board_, setup_.home);
  setup.open_sessions = [board = board_, slug] { return board->all_but(slug); };
  setup.now = setup_.now;
  setup.clock = setup_.clock;
  setup.publish = [board = board_](const session_snapshot& s) { board->publish(s); };
  setup.limits = setup_.limits;
  setup.workers = setup_.workers;
  m.meta = what.state->meta;
  m.session = self_->spawn<caf::monitored>(session, std::move(setup));
  tell(slug, what);
  for (auto& to : std::exchange(m.waiting, {}))
    to(session_ref{slug, m.session});
  unload_unused();
}

void session_manager_state::tell(const std::string& slug, const loaded_session& what) {
  auto& m = sessions_.at(slug);
  auto note = [&](const char* what_happened, std::string text) {
    self_->send(m.session, atom::note_v, std::string{what_happened}, std::move(text));
  };
  for (auto& remark : what.remarks)
    note("restored", remark);
  if (what.read_only)
    note("read-only", "Read-only: nothing can be written here (" + *what.read_only +
                          "). You can look around and try things, but nothing is saved.");
  if (!m.written_by.empty())
    note("read-only", "Session " + slug + " is open in " + m.written_by +
                          ", which is writing to it. Here it is read-only and shows what happens "
                          "there. `:session switch " +
                          slug +
                          "` reopens it for writing once it is closed there; `:session clone` "
                          "makes your own copy.");
  if (!m.crash_reason.empty())
    note("session-restarted", "The session ended unexpectedly (" +
                                  std::exchange(m.crash_reason, {}) +
                                  ") and was restored from its journal.");
}

void session_manager_state::load_failed(const std::string& slug, const caf::error& reason) {
  auto it = sessions_.find(slug);
  if (it == sessions_.end()) return;
  auto& m = it->second;
  m.loading = false;
  auto when_gone = std::move(m.when_gone);
  auto another = std::move(m.another);
  auto waiting = std::exchange(m.waiting, {});
  auto ending = m.ending;
  if (m.store) {
    self_->demonitor(m.store.address());
    self_->send_exit(m.store, caf::exit_reason::user_shutdown);
  }
  sessions_.erase(it);
  if (another && !ending && problem_of(reason) == problem::conflict) {
    // Another process was first with this name; whoever waits gets the next one.
    taken_elsewhere_.insert(slug);
    auto meta = another();
    if (active_ == slug) make_active(meta.slug, false);
    for (auto& to : waiting)
      open(meta, std::move(to), another);
    return;
  }
  for (auto& to : waiting)
    to(reason);
  for (auto& then : when_gone)
    then();
  if (ending) finish_stop();
}

void session_manager_state::choose_active(const home_view& disk, answer to) {
  auto all = staying(disk);
  auto wanted = active_.empty() ? disk.active : active_;
  auto chosen = std::find_if(all.begin(), all.end(), [&](auto& m) { return m.slug == wanted; });
  std::string why;
  if (chosen == all.end()) {
    if (!wanted.empty() && !all.empty() && !leaving_.contains(wanted))
      why = "Session " + wanted + ", used last, no longer exists. " + others_of(all);
    chosen = std::max_element(all.begin(), all.end(),
                              [](auto& a, auto& b) { return a.modified < b.modified; });
  }
  auto told = [this, to](std::string note) {
    return [this, to, note = std::move(note)](caf::expected<session_ref> ref) {
      if (ref && !note.empty())
        self_->send(ref->actor, atom::note_v, std::string{"restore-failed"}, note);
      to(std::move(ref));
    };
  };
  if (chosen == all.end()) {
    auto meta = meta_for({}, disk);
    make_active(meta.slug);
    return open(meta, std::move(to), another_name({}, disk));
  }
  // Several may ask at once, and the first to be done decides for all.
  open_to_write(*chosen, [=, this, chosen = *chosen, slug = chosen->slug,
                          asked_with = active_](caf::expected<session_ref> ref) {
    if (ref) {
      if (active_ == asked_with) make_active(slug);
      return told(why)(std::move(ref));
    }
    if (active_ != asked_with || leaving_.contains(slug)) return with_active(to);
    // Another process has it, and this one could not attach to that: it is followed.
    if (problem_of(ref.error()) == problem::conflict) {
      make_active(slug, false);
      return open(chosen, told(why));
    }
    // It cannot be read: begin a new one, and say why.
    auto note = "Session " + slug + " could not be opened: " + detail_of(ref.error()).message +
                ". This is a new session; `:session switch " + slug + "` tries again. " +
                others_of(all);
    with_free_name(
        {},
        [=, this, then = told(std::move(note))](const home_view& now) {
          if (active_ != asked_with) return with_active(to);
          auto meta = meta_for({}, now);
          make_active(meta.slug, false);
          open(meta, then, another_name({}, now));
        },
        to);
  });
}

}  // namespace fermata::actors
