#include "actors/session_manager.hpp"

#include "actors/guarded.hpp"
#include "actors/store.hpp"
#include "core/music/name_match.hpp"
#include "core/session/entry_text.hpp"
#include "core/session/slug.hpp"
#include "core/session/text_match.hpp"
#include "io/store/entries_on_disk.hpp"
#include "io/store/home.hpp"
#include "io/store/session_archive.hpp"
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

caf::error program_ends() { return make_problem(problem::invalid_state, "the program is ending"); }

/// What else there is to go on with.
std::string others_of(const std::vector<session_meta>& all) {
  std::string names;
  for (auto& m : all)
    names += (names.empty() ? "" : ", ") + m.slug;
  return all.empty() ? std::string{} : "There are: " + names + '.';
}

std::optional<history_value> value_of(const entry_ptr& entry) {
  auto eval = entry ? std::get_if<eval_entry>(&entry->kind) : nullptr;
  if (!eval) return std::nullopt;
  return history_value{eval->input, eval->output};
}

/// `$Out[slug:n]`: from the sessions on the board, else from the journal on disk.
history_lookup lookup_on(std::shared_ptr<snapshot_board> board, std::filesystem::path home) {
  return [=](std::string_view slug, std::int64_t index) -> std::optional<history_value> {
    if (auto state = board->find(slug)) return value_of(state->history.at(index));
    auto folder = io::session_folder(home, slug);
    if (home.empty() || !folder) return std::nullopt;
    auto entries = io::entries_on_disk::of_file(*folder / "history.jsonl");
    auto entry = entries ? (*entries)->load(index) : fail(entries.error());
    return entry ? value_of(*entry) : std::nullopt;
  };
}

}  // namespace

manager_setup default_manager_setup() {
  manager_setup setup;
  setup.home = io::fermata_home();
  setup.evaluate = &fermata::evaluate;
  setup.now = [] {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  };
  return setup;
}

session_manager_state::~session_manager_state() {
  for (auto& [slug, m] : sessions_)
    for (auto& to : m.waiting)
      to(program_ends());
  for (auto& promise : stop_promises_)
    promise.deliver(program_ends());
}

void session_manager_state::start(manager_setup setup) {
  setup_ = std::move(setup);
  board_ = setup_.board;
  clerk_ = setup_.detached ? self_->spawn<caf::linked + caf::detached>(file_clerk)
                           : self_->spawn<caf::linked>(file_clerk);
}

// --- verbs ---------------------------------------------------------------------------------------

caf::result<session_ref> session_manager_state::create(const std::string& session_name) {
  if (stopping_) return program_ends();
  auto promise = self_->make_response_promise<session_ref>();
  auto meta = meta_for(session_name);
  make_active(meta.slug);
  open(meta, [promise](caf::expected<session_ref> ref) mutable {
    static_cast<caf::response_promise&>(promise).deliver(std::move(ref));
  });
  return promise;
}

caf::result<session_ref> session_manager_state::find(const std::string& slug_or_name) {
  if (stopping_) return program_ends();
  auto meta = known(slug_or_name);
  if (!meta) return not_found(slug_or_name);
  auto promise = self_->make_response_promise<session_ref>();
  open(*meta, [promise](caf::expected<session_ref> ref) mutable {
    static_cast<caf::response_promise&>(promise).deliver(std::move(ref));
  });
  return promise;
}

caf::result<session_ref> session_manager_state::active() {
  if (stopping_) return program_ends();
  if (!active_.empty()) return find(active_);
  auto promise = self_->make_response_promise<session_ref>();
  make_active_at_start([promise](caf::expected<session_ref> ref) mutable {
    static_cast<caf::response_promise&>(promise).deliver(std::move(ref));
  });
  return promise;
}

caf::result<session_ref> session_manager_state::activate(const std::string& slug_or_name) {
  if (stopping_) return program_ends();
  auto meta = known(slug_or_name);
  if (!meta) return not_found(slug_or_name);
  auto promise = self_->make_response_promise<session_ref>();
  open(*meta, [this, promise](caf::expected<session_ref> ref) mutable {
    if (ref) make_active(ref->slug);
    static_cast<caf::response_promise&>(promise).deliver(std::move(ref));
  });
  return promise;
}

void session_manager_state::make_active(const std::string& slug, bool remember) {
  active_ = slug;
  board_->set_active(slug);
  if (!remember || setup_.home.empty()) return;
  // Where that cannot be written, sessions say so themselves.
  run([home = setup_.home, slug] { return io::remember_active_session(home, slug); },
      [](caf::error) {});
}

std::vector<session_summary> session_manager_state::list() const {
  auto all = all_sessions();
  std::erase_if(all, [this](auto& s) { return leaving_.contains(s.meta.slug); });
  std::sort(all.begin(), all.end(), [](auto& a, auto& b) {
    return std::tie(a.meta.created, a.meta.slug) < std::tie(b.meta.created, b.meta.slug);
  });
  return all;
}

caf::result<void> session_manager_state::stop() {
  auto promise = self_->make_response_promise<void>();
  stop_promises_.push_back(static_cast<caf::response_promise&>(promise));
  if (stopping_) return promise;
  stopping_ = true;
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
              [this, slug](caf::error&) { stopped_one(slug); });
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
  for (auto& promise : std::exchange(stop_promises_, {}))
    promise.deliver(caf::unit);
  self_->quit();
}

// --- loading -------------------------------------------------------------------------------------

void session_manager_state::open(const session_meta& meta, answer to) {
  auto [it, is_new] = sessions_.try_emplace(meta.slug);
  auto& m = it->second;
  if (m.ending)
    return to(make_problem(problem::invalid_state,
                           "session " + meta.slug + " is being closed and moved"));
  if (m.session) return to(session_ref{meta.slug, m.session});
  m.waiting.push_back(std::move(to));
  if (is_new) m.meta = meta;
  if (!m.loading) load(m);
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
  if (!m.store)
    m.store = setup_.detached ? self_->spawn<caf::monitored + caf::detached>(store, *folder, m.meta)
                              : self_->spawn<caf::monitored>(store, *folder, m.meta);
  self_->request(m.store, caf::infinite, atom::load_v)
      .then([this, slug](loaded_session& what) { loaded(slug, std::move(what)); },
            [this, slug](caf::error& reason) { load_failed(slug, reason); });
}

void session_manager_state::loaded(const std::string& slug, loaded_session what) {
  auto it = sessions_.find(slug);
  if (it == sessions_.end()) return;
  auto& m = it->second;
  m.loading = false;
  if (m.ending) return stopped_one(slug);
  session_setup setup;
  setup.state = what.state;
  // Where nothing can be written, the session does without a store: all stays in memory.
  m.in_memory = m.in_memory || what.read_only;
  if (!m.in_memory) {
    setup.store = m.store;
    setup.loader = what.loader;
  }
  setup.manager = caf::actor_cast<caf::weak_actor_ptr>(self_->ctrl());
  setup.evaluate = setup_.evaluate;
  setup.other_sessions = lookup_on(board_, setup_.home);
  setup.now = setup_.now;
  setup.publish = [board = board_](const session_snapshot& s) { board->pin(s); };
  setup.limits = setup_.limits;
  setup.detached = setup_.detached;
  m.meta = what.state->meta;
  m.session = self_->spawn<caf::monitored>(session, std::move(setup));
  tell(slug, what);
  for (auto& to : std::exchange(m.waiting, {}))
    to(session_ref{slug, m.session});
}

void session_manager_state::tell(const std::string& slug, const loaded_session& what) {
  auto& m = sessions_.at(slug);
  auto note = [&](const char* what_happened, std::string text) {
    self_->send(m.session, atom::note_v, std::string{what_happened}, std::move(text));
  };
  for (auto& remark : what.remarks)
    note("restored", remark);
  if (what.read_only)
    note("read-only", "Nothing can be written here (" + *what.read_only +
                          "): you can look and try things, but what happens now is not kept.");
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
  auto waiting = std::exchange(m.waiting, {});
  auto ending = m.ending;
  if (m.store) {
    self_->demonitor(m.store.address());
    self_->send_exit(m.store, caf::exit_reason::user_shutdown);
  }
  sessions_.erase(it);
  for (auto& to : waiting)
    to(reason);
  if (ending) finish_stop();
}

void session_manager_state::make_active_at_start(answer to) {
  auto all = all_known();
  auto wanted = setup_.home.empty() ? std::string{} : io::active_session(setup_.home);
  auto chosen = std::find_if(all.begin(), all.end(), [&](auto& m) { return m.slug == wanted; });
  std::string why;
  if (chosen == all.end()) {
    if (!wanted.empty() && !all.empty())
      why = "Session " + wanted + ", which was used last, is not there any more. " + others_of(all);
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
    auto meta = meta_for({});
    make_active(meta.slug);
    return open(meta, std::move(to));
  }
  auto slug = chosen->slug;
  open(*chosen, [this, slug, why, told, all](caf::expected<session_ref> ref) {
    if (ref) {
      if (active_.empty()) make_active(slug);
      return told(why)(std::move(ref));
    }
    // Another process has it, or it cannot be read: begin a new one, and say why.
    auto note = "Session " + slug + " could not be opened: " + detail_of(ref.error()).message +
                ". This is a new one; `:session switch " + slug + "` tries again. " +
                others_of(all);
    auto meta = meta_for({});
    make_active(meta.slug, false);
    open(meta, told(std::move(note)));
  });
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
  if (++m.crashes > crashes_tolerated) {
    load_failed(m.meta.slug,
                make_problem(problem::internal, "session " + m.meta.slug +
                                                    " crashes again and again: " + m.crash_reason));
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

// --- folders -------------------------------------------------------------------------------------

std::optional<caf::error> session_manager_state::refusal() const {
  if (stopping_) return program_ends();
  if (setup_.home.empty())
    return make_problem(problem::failed, "sessions are not kept on a disk here");
  return std::nullopt;
}

void session_manager_state::run(std::function<result<void>()> work, done then) {
  ++jobs_;
  auto finished = [this, then](caf::error failed) {
    --jobs_;
    then(std::move(failed));
    finish_stop();
  };
  self_->request(clerk_, caf::infinite, file_job{std::move(work)})
      .then([finished] { finished(caf::none); },
            [finished](caf::error& reason) { finished(std::move(reason)); });
}

void session_manager_state::flushed(const std::string& slug, done then) {
  auto it = sessions_.find(slug);
  if (it == sessions_.end() || !it->second.session) return then(caf::none);
  self_->request(it->second.session, caf::infinite, atom::flush_v)
      .then([then] { then(caf::none); }, [then](caf::error& reason) { then(std::move(reason)); });
}

void session_manager_state::gone(const std::string& slug) {
  board_->take_down(slug);
  auto node = sessions_.extract(slug);
  if (!node.empty())
    for (auto& then : node.mapped().when_gone)
      then();
}

void session_manager_state::end_and_move(const std::string& slug, bool to_trash, done then) {
  // Whoever asks from now on finds it where it is going to be.
  leaving_.insert_or_assign(slug, to_trash);
  then = [this, slug, told = std::move(then)](caf::error failed) {
    leaving_.erase(slug);
    told(std::move(failed));
    auto waiting = after_leaving_.extract(slug);
    if (!waiting.empty())
      for (auto& go_on : waiting.mapped())
        go_on();
  };
  auto move = [this, slug, to_trash, then] {
    auto from = io::session_folder(setup_.home, slug);
    if (!from) return then(to_problem(from.error()));
    auto moment = to_text(setup_.now());
    std::erase_if(moment, [](char c) { return c < '0' || c > '9'; });
    auto to = to_trash ? io::trash_folder(setup_.home) / (slug + '-' + moment)
                       : io::archive_folder(setup_.home) / slug;
    run([from = *from, to] { return io::move_folder(from, to); }, then);
  };
  auto it = sessions_.find(slug);
  if (it == sessions_.end()) return move();
  auto& m = it->second;
  m.when_gone.push_back(move);
  if (std::exchange(m.ending, true)) return;
  for (auto& to : std::exchange(m.waiting, {}))
    to(make_problem(problem::invalid_state, "session " + slug + " is being closed and moved"));
  if (!m.session) {
    if (!m.loading) stopped_one(slug);
    return;
  }
  self_->request(m.session, caf::infinite, atom::stop_v)
      .then([this, slug] { stopped_one(slug); }, [this, slug](caf::error&) { stopped_one(slug); });
}

std::vector<session_summary> session_manager_state::archived() const {
  std::vector<session_summary> all;
  if (setup_.home.empty()) return all;
  for (auto& slug : io::archived_sessions(setup_.home)) {
    session_summary s;
    s.meta.slug = s.meta.name = slug;
    s.folder = io::archive_folder(setup_.home) / slug;
    if (auto stored = io::read_summary(s.folder)) {
      s.meta = stored->meta;
      s.score = stored->score;
      s.entries = static_cast<std::size_t>(stored->entries);
    }
    all.push_back(std::move(s));
  }
  for (auto& [slug, to_trash] : leaving_) {
    if (to_trash ||
        std::any_of(all.begin(), all.end(), [&](auto& s) { return s.meta.slug == slug; }))
      continue;
    for (auto& s : all_sessions())
      if (s.meta.slug == slug) all.push_back(s);
  }
  return all;
}

session_meta session_manager_state::new_meta(const session_meta& like,
                                             const std::string& session_name) const {
  auto meta = meta_for(session_name);
  meta.tags = like.tags;
  return meta;
}

caf::result<session_ref> session_manager_state::clone(const std::string& slug,
                                                      const std::string& session_name) {
  if (auto no = refusal()) return std::move(*no);
  auto source = known(slug);
  if (!source) return not_found(slug);
  auto promise = self_->make_response_promise<session_ref>();
  auto meta = new_meta(*source, session_name.empty() ? source->name + " copy" : session_name);
  auto reply = [promise](caf::expected<session_ref> ref) mutable {
    static_cast<caf::response_promise&>(promise).deliver(std::move(ref));
  };
  flushed(source->slug, [=, this, from = source->slug](caf::error failed) mutable {
    auto old_folder = io::session_folder(setup_.home, from),
         new_folder = io::session_folder(setup_.home, meta.slug);
    if (failed) return reply(std::move(failed));
    if (!old_folder || !new_folder)
      return reply(to_problem(!old_folder ? old_folder.error() : new_folder.error()));
    run([from = *old_folder, to = *new_folder, meta] { return io::copy_session(from, to, meta); },
        [=, this](caf::error broken) mutable {
          if (broken) return reply(std::move(broken));
          make_active(meta.slug);
          open(meta, reply);
        });
  });
  return promise;
}

caf::result<put_away_answer> session_manager_state::put_away(const putting_away& what) {
  if (auto no = refusal()) return std::move(*no);
  auto target = known(what.session);
  if (!target) return not_found(what.session);
  auto promise = self_->make_response_promise<put_away_answer>();
  auto slug = target->slug;
  if (slug != what.asker) {
    end_and_move(slug, what.to_trash, [promise, slug](caf::error failed) mutable {
      if (failed)
        promise.deliver(std::move(failed));
      else
        promise.deliver(put_away_answer{slug, {}});
    });
    return promise;
  }
  // Where the musician goes next: to what was used last beside it, else to a new one.
  auto all = all_known();
  std::erase_if(all, [&](auto& m) { return m.slug == slug; });
  auto newest = std::max_element(all.begin(), all.end(),
                                 [](auto& a, auto& b) { return a.modified < b.modified; });
  auto begin_new = [this, promise, slug]() mutable {
    auto meta = meta_for({});
    open(meta, [this, promise, slug](caf::expected<session_ref> made) mutable {
      if (!made) {
        promise.deliver(std::move(made.error()));
        return;
      }
      make_active(made->slug);
      promise.deliver(put_away_answer{slug, made->slug});
    });
  };
  if (newest == all.end()) {
    begin_new();
    return promise;
  }
  open(*newest, [this, promise, slug, begin_new](caf::expected<session_ref> found) mutable {
    if (!found) return begin_new();
    make_active(found->slug);
    promise.deliver(put_away_answer{slug, found->slug});
  });
  return promise;
}

void session_manager_state::left(const std::string& slug, bool to_trash) {
  if (stopping_ || setup_.home.empty()) return;
  end_and_move(slug, to_trash, [this, slug](caf::error failed) {
    if (!failed) return;
    auto it = sessions_.find(active_);
    if (it != sessions_.end() && it->second.session)
      self_->send(it->second.session, atom::note_v, std::string{"not-moved"},
                  "Session " + slug +
                      " could not be moved and stays: " + detail_of(failed).message);
  });
}

caf::result<session_ref> session_manager_state::bring_back(const std::string& slug_or_name) {
  if (auto no = refusal()) return std::move(*no);
  auto all = archived();
  auto found = std::find_if(all.begin(), all.end(), [&](auto& s) {
    return s.meta.slug == slug_or_name || same_name(s.meta.name, slug_or_name);
  });
  if (found == all.end()) {
    std::vector<std::string_view> names;
    for (auto& s : all)
      names.push_back(s.meta.slug);
    auto guess = nearest(slug_or_name, names);
    return make_problem(problem::not_found,
                        "there is no session `" + slug_or_name + "` in the archive",
                        guess ? "Did you mean `" + *guess + "`?"
                              : "`:session list --archived` shows what is there.");
  }
  auto promise = self_->make_response_promise<session_ref>();
  auto meta = found->meta;
  auto to = io::session_folder(setup_.home, meta.slug);
  if (!to) return to_problem(to.error());
  auto bring = [this, promise, meta, to = *to] {
    run([from = io::archive_folder(setup_.home) / meta.slug,
         to] { return io::move_folder(from, to); },
        [this, promise, meta](caf::error failed) mutable {
          if (failed) {
            promise.deliver(std::move(failed));
            return;
          }
          open(meta, [promise](caf::expected<session_ref> ref) mutable {
            static_cast<caf::response_promise&>(promise).deliver(std::move(ref));
          });
        });
  };
  if (leaving_.contains(meta.slug))
    after_leaving_[meta.slug].push_back(std::move(bring));
  else
    bring();
  return promise;
}

caf::result<std::string> session_manager_state::pack(const std::string& slug_or_name,
                                                     const std::string& file) {
  if (auto no = refusal()) return std::move(*no);
  auto source = known(slug_or_name);
  if (!source) return not_found(slug_or_name);
  auto promise = self_->make_response_promise<std::string>();
  flushed(source->slug, [this, promise, file, slug = source->slug](caf::error failed) mutable {
    auto folder = io::session_folder(setup_.home, slug);
    if (failed) {
      promise.deliver(std::move(failed));
      return;
    }
    if (!folder) {
      promise.deliver(to_problem(folder.error()));
      return;
    }
    run([from = *folder, file] { return io::write_archive(from, file); },
        [promise, slug](caf::error broken) mutable {
          if (broken)
            promise.deliver(std::move(broken));
          else
            promise.deliver(slug);
        });
  });
  return promise;
}

caf::result<session_ref> session_manager_state::unpack(const std::string& file,
                                                       const std::string& session_name) {
  if (auto no = refusal()) return std::move(*no);
  auto promise = self_->make_response_promise<session_ref>();
  auto read = std::make_shared<session_meta>();
  run(
      [read, file]() -> result<void> {
        auto meta = io::read_archive_meta(file);
        if (!meta) return fail(meta.error());
        *read = std::move(*meta);
        return {};
      },
      [=, this](caf::error failed) mutable {
        if (failed) {
          promise.deliver(std::move(failed));
          return;
        }
        auto meta = new_meta(*read, session_name.empty() ? read->name : session_name);
        meta.created = read->created;
        auto to = io::session_folder(setup_.home, meta.slug);
        if (!to) {
          promise.deliver(to_problem(to.error()));
          return;
        }
        run([file, meta, to = *to] { return io::unpack_archive(file, to, meta); },
            [this, promise, meta](caf::error broken) mutable {
              if (broken) {
                promise.deliver(std::move(broken));
                return;
              }
              make_active(meta.slug);
              open(meta, [promise](caf::expected<session_ref> ref) mutable {
                static_cast<caf::response_promise&>(promise).deliver(std::move(ref));
              });
            });
      });
  return promise;
}

// --- names ---------------------------------------------------------------------------------------

std::vector<session_summary> session_manager_state::all_sessions() const {
  std::vector<session_summary> all;
  auto from_disk = [](session_summary& s) {
    auto stored = io::read_summary(s.folder);
    if (!stored) return;  // its meta.json is damaged; the journal may be sound
    s.meta = std::move(stored->meta);
    s.score = std::move(stored->score);
    s.entries = static_cast<std::size_t>(stored->entries);
  };
  auto folder_of = [this](const std::string& slug) {
    auto folder = setup_.home.empty() ? fail({errc::no_such_target, "nothing is kept"})
                                      : io::session_folder(setup_.home, slug);
    return folder ? std::move(*folder) : std::filesystem::path{};
  };
  for (auto& [slug, m] : sessions_) {
    session_summary s;
    s.meta = m.meta;
    s.active = slug == active_;
    s.folder = folder_of(slug);
    if (auto state = board_->find(slug)) {
      s.meta = state->meta;
      s.score = summary(*state->score);
      s.entries = static_cast<std::size_t>(state->history.size());
      s.loaded = true;
    } else if (!s.folder.empty()) {
      from_disk(s);
    }
    all.push_back(std::move(s));
  }
  if (setup_.home.empty()) return all;
  for (auto& slug : io::stored_sessions(setup_.home)) {
    if (sessions_.contains(slug)) continue;
    session_summary s;
    s.meta.slug = s.meta.name = slug;
    s.active = slug == active_;
    s.folder = folder_of(slug);
    from_disk(s);
    all.push_back(std::move(s));
  }
  return all;
}

std::vector<session_meta> session_manager_state::all_known() const {
  std::vector<session_meta> all;
  for (auto& s : all_sessions())
    all.push_back(std::move(s.meta));
  return all;
}

std::optional<session_meta> session_manager_state::known(const std::string& slug_or_name) const {
  auto all = all_known();
  for (auto& meta : all)
    if (meta.slug == slug_or_name) return meta;
  auto name = clean_name(slug_or_name);
  for (auto& meta : all)
    if (same_name(meta.name, name)) return meta;
  return std::nullopt;
}

session_meta session_manager_state::meta_for(const std::string& session_name) const {
  auto all = all_known();
  auto aside =
      setup_.home.empty() ? std::vector<std::string>{} : io::archived_sessions(setup_.home);
  session_meta meta;
  meta.slug = unique_slug(session_name, [&](const std::string& slug) {
    return std::any_of(all.begin(), all.end(), [&](auto& m) { return m.slug == slug; }) ||
           std::find(aside.begin(), aside.end(), slug) != aside.end();
  });
  meta.name = clean_name(session_name);
  if (meta.name.empty()) meta.name = meta.slug;
  meta.created = meta.modified = setup_.now();
  return meta;
}

caf::error session_manager_state::not_found(const std::string& what) const {
  auto all = all_known();
  std::vector<std::string_view> names;
  for (auto& meta : all) {
    names.push_back(meta.slug);
    names.push_back(meta.name);
  }
  auto guess = nearest(what, names);
  return make_problem(problem::not_found, "there is no session `" + what + '`',
                      guess ? "Did you mean `" + *guess + "`?"
                            : "`:session list` shows all of them.");
}

// --- behaviour -----------------------------------------------------------------------------------

session_manager_actor::behavior_type session_manager(session_manager_state::pointer self,
                                                     manager_setup setup) {
  auto& st = self->state;
  set_quiet_handlers(self);
  self->set_down_handler([&st](caf::down_msg& msg) { st.down(msg); });
  st.start(std::move(setup));
  return {
      [&st](atom::create, const std::string& session_name) {
        return guarded<session_ref>([&] { return st.create(session_name); });
      },
      [&st](atom::find, const std::string& slug_or_name) {
        return guarded<session_ref>([&] { return st.find(slug_or_name); });
      },
      [&st](atom::active) { return guarded<session_ref>([&] { return st.active(); }); },
      [&st](atom::activate, const std::string& slug_or_name) {
        return guarded<session_ref>([&] { return st.activate(slug_or_name); });
      },
      [&st](atom::list) {
        return guarded<std::vector<session_summary>>([&] { return st.list(); });
      },
      [&st](atom::archived) {
        return guarded<std::vector<session_summary>>([&] { return st.archived(); });
      },
      [&st](atom::clone, const std::string& slug, const std::string& session_name) {
        return guarded<session_ref>([&] { return st.clone(slug, session_name); });
      },
      [&st](atom::put_away, const putting_away& what) {
        return guarded<put_away_answer>([&] { return st.put_away(what); });
      },
      [&st](atom::left, const std::string& slug, bool to_trash) { st.left(slug, to_trash); },
      [&st](atom::bring_back, const std::string& slug_or_name) {
        return guarded<session_ref>([&] { return st.bring_back(slug_or_name); });
      },
      [&st](atom::pack, const std::string& slug_or_name, const std::string& file) {
        return guarded<std::string>([&] { return st.pack(slug_or_name, file); });
      },
      [&st](atom::unpack, const std::string& file, const std::string& session_name) {
        return guarded<session_ref>([&] { return st.unpack(file, session_name); });
      },
      [&st](atom::stop) { return guarded<void>([&] { return st.stop(); }); },
      [&st](atom::restart, const std::string& slug) { st.restart(slug); },
  };
}

}  // namespace fermata::actors
