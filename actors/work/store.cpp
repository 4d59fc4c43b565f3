#include "actors/work/store.hpp"

#include "actors/work/guarded.hpp"
#include "messages/errors.hpp"
#include "messages/session.hpp"

#include <algorithm>
#include <utility>

namespace fermata::actors {

namespace {

constexpr std::chrono::milliseconds sync_delay{900};
/// How soon it is seen here what another process has written.
constexpr std::chrono::milliseconds between_looks{200};

caf::error disk_problem(const error& e) {
  return make_problem(problem::failed, e.first().message, e.first().hint);
}

bool renames(const journal_batch& batch) {
  return std::any_of(batch.transitions.begin(), batch.transitions.end(), [](auto& t) {
    return std::any_of(t.events.begin(), t.events.end(),
                       [](auto& e) { return std::holds_alternative<meta_changed>(e); });
  });
}

/// Whether a session could be written there: its folder, and those of its files that are written in
/// place.
result<void> can_write_session(const std::filesystem::path& folder) {
  auto possible = io::can_write_in(folder);
  for (auto name : {"history.jsonl", "journal.lock"})
    if (possible && io::look_at_file(folder / name)) possible = io::can_write(folder / name);
  return possible;
}

caf::result<void> answer(result<void> done) {
  if (done) return caf::unit;
  return disk_problem(done.error());
}

}  // namespace

folder_writer::folder_writer(caf::weak_actor_ptr self, std::filesystem::path folder,
                             session_meta meta, folder_state state,
                             std::shared_ptr<io::loading_progress> progress)
  : self_(std::move(self)),
    folder_(std::move(folder)),
    meta_(std::move(meta)),
    state_(state),
    progress_(std::move(progress)) {}

tl::expected<void, io::lock_failure> folder_writer::open() {
  if (directory_) return {};
  auto opened = state_ == folder_state::to_create ? io::session_directory::make(folder_, meta_)
                                                  : io::session_directory::open(folder_, meta_);
  if (!opened) return tl::unexpected<io::lock_failure>{opened.error()};
  directory_.emplace(std::move(*opened));
  return {};
}

caf::result<loaded_session> folder_writer::load(const session_manager_actor& reader) {
  io::loading_watch watch{progress_};
  if (auto opened = open(); !opened) {
    // Another process that was first is no reason to do without; a disk that takes nothing is.
    if (opened.error().elsewhere) {
      auto& why = opened.error();
      if (state_ == folder_state::existing && !why.holder.empty())
        return load_read_only(why, reader);
      return state_ == folder_state::to_create || !why.holder.empty()
                 ? make_problem(problem::conflict, why.why.first().message, why.why.first().hint)
                 : disk_problem(why.why);
    }
    auto& why = opened.error().why;
    // A session that is there is never taken for an empty one, and what passes is waited for.
    auto is_new = state_ == folder_state::to_create || io::is_missing(folder_ / "history.jsonl");
    auto is_readable = io::can_read(folder_ / "history.jsonl");
    if (io::is_shortage(why) || !(is_new || is_readable)) return disk_problem(why);
    if (auto possible = can_write_session(folder_); !possible)
      return load_without_writing(possible.error());
    if (is_new) return load_without_writing(why);
    return disk_problem(why);
  }
  followed_.reset();
  auto loaded = directory_->load();
  if (!loaded) return disk_problem(loaded.error());
  return std::move(*loaded);
}

caf::result<loaded_session> folder_writer::load_without_writing(const error& why) {
  loaded_session loaded;
  if (io::look_at_file(folder_ / "history.jsonl")) {
    auto opened = io::session_directory::open_read_only(folder_);
    if (!opened) return disk_problem(opened.error());
    auto read = opened->load();
    if (!read) return disk_problem(read.error());
    loaded = std::move(*read);
  } else {
    loaded.fresh = true;
    loaded.state = std::make_shared<const session_state>(empty_session(meta_));
  }
  loaded.read_only = why.first().message;
  return loaded;
}

caf::result<loaded_session> folder_writer::load_read_only(const io::lock_failure& why,
                                                          const session_manager_actor& reader) {
  constexpr auto another_writes = true;
  auto opened = io::session_directory::open_read_only(folder_, another_writes);
  // It is only just being begun there.
  if (!opened) return disk_problem(why.why);
  auto loaded = opened->load();
  if (!loaded) return disk_problem(loaded.error());
  auto state = *loaded->state;
  state.written_by = why.holder;
  loaded->state = std::make_shared<const session_state>(std::move(state));
  shown_ = loaded->state;
  followed_.emplace(std::move(*opened));
  follower_ = reader;
  look_again_later();
  return std::move(*loaded);
}

void folder_writer::look_again_later() {
  if (!follower_ || std::exchange(follow_is_due_, true)) return;
  if (auto self = caf::actor_cast<store_actor>(self_.lock()))
    caf::delayed_anon_send(self, between_looks, atom::follow_v);
}

void folder_writer::follow() {
  follow_is_due_ = false;
  if (!followed_) return;
  // Where it cannot be read at the moment, what is shown stays.
  if (auto now = followed_->read_on(shown_); now && *now != shown_) {
    shown_ = std::move(*now);
    caf::anon_send(follower_, atom::follow_v, shown_->meta.slug, shown_);
  }
  look_again_later();
}

void folder_writer::look_at_score(const session_actor& writer_of_entries) {
  auto said = directory_->score_was_edited();
  if (said && writer_of_entries)
    caf::anon_send(writer_of_entries, atom::note_v, std::string{"score-edited"}, std::move(*said));
}

caf::result<void> folder_writer::append(const journal_batch& batch,
                                        const session_actor& writer_of_entries) {
  if (sync_failed_) {
    auto e = std::move(*sync_failed_);
    sync_failed_.reset();
    return disk_problem(e);
  }
  if (auto opened = open(); !opened) return disk_problem(opened.error().why);
  auto done = directory_->append(batch.transitions, batch.lines);
  if (done && !sync_is_due_) {
    sync_is_due_ = true;
    if (auto self = caf::actor_cast<store_actor>(self_.lock()))
      caf::delayed_anon_send(self, sync_delay, atom::sync_v);
  }
  // The journal has it already: should it fail, the next checkpoint writes it again.
  if (done && renames(batch)) (void)directory_->remember_meta(*batch.after);
  if (done) latest_ = batch.after;
  if (done) look_at_score(writer_of_entries);
  return answer(std::move(done));
}

caf::result<void> folder_writer::checkpoint(const session_snapshot& s,
                                            const session_actor& writer_of_entries) {
  if (auto opened = open(); !opened) return disk_problem(opened.error().why);
  if (auto here = directory_->in_its_place(); !here) return disk_problem(here.error());
  look_at_score(writer_of_entries);
  return answer(directory_->checkpoint(*s));
}

caf::result<void> folder_writer::save(const session_snapshot& s,
                                      const session_actor& writer_of_entries) {
  if (auto opened = open(); !opened) return disk_problem(opened.error().why);
  if (auto made = directory_->recreate(); !made) return disk_problem(made.error());
  return checkpoint(s, writer_of_entries);
}

result<std::optional<io::journal_place>> folder_writer::begin_checkpoint_when_due(
    const session_snapshot& s) {
  if (auto opened = open(); !opened) return fail(opened.error().why);
  if (!directory_->is_checkpoint_due()) return std::optional<io::journal_place>{};
  auto place = directory_->begin_checkpoint(*s);
  if (!place) return fail(place.error());
  return std::optional{*place};
}

caf::result<void> folder_writer::finish_checkpoint(const result<io::checkpoint_files>& files,
                                                   const session_actor& writer_of_entries) {
  if (!files) {
    if (directory_) directory_->abandon_checkpoint();
    return disk_problem(files.error());
  }
  if (!directory_) return caf::unit;
  look_at_score(writer_of_entries);
  return answer(directory_->finish_checkpoint(*files));
}

caf::result<void> folder_writer::flush() {
  if (!directory_) return caf::unit;
  if (auto here = directory_->in_its_place(); !here) return disk_problem(here.error());
  return answer(directory_->sync());
}

caf::result<io::offered_score> folder_writer::edited_score() {
  if (auto opened = open(); !opened) return disk_problem(opened.error().why);
  if (auto here = directory_->in_its_place(); !here) return disk_problem(here.error());
  auto offered = directory_->edited_score();
  if (!offered) return disk_problem(offered.error());
  return std::move(*offered);
}

void folder_writer::score_taken(const io::offered_score& taken) {
  if (directory_) directory_->forget_edited_score(taken);
}

void folder_writer::sync() {
  sync_is_due_ = false;
  auto done = directory_->sync();
  if (!done) sync_failed_ = done.error();
  // Where it cannot be written, the next checkpoint says so; nothing but a list depends on it.
  if (auto latest = std::exchange(latest_, nullptr); latest && done)
    (void)directory_->remember_meta(*latest);
}

namespace {

/// No error crosses the boundary of a worker as an exception.
result<io::checkpoint_files> checkpoint_files_of(const session_state& s, io::journal_place place) {
  try {
    return io::make_checkpoint(s, place);
  } catch (const std::exception& e) {
    return fail({errc::internal, std::string{"the checkpoint could not be made: "} + e.what()});
  }
}

/// Three pieces of work: the first and the last in the order of the store, the one between them,
/// which takes long when the score is long, beside it. A store that has ended meanwhile is not kept
/// alive, since its folder may be open elsewhere.
caf::result<void> checkpoint_when_due(store_actor_state::pointer self, store_actor_state& st,
                                      const worker_pool_ptr& workers, const session_snapshot& s,
                                      const session_actor& writer_of_entries) {
  late_answer back{self};
  auto last = [back, work = *st.work, to = std::weak_ptr{st.writer},
               writer_of_entries](result<io::checkpoint_files> files) {
    work.run([back, to, writer_of_entries, files = std::move(files)] {
      back.answer_with<void>([&]() -> caf::result<void> {
        auto writer = to.lock();
        return writer ? writer->finish_checkpoint(files, writer_of_entries) : caf::unit;
      });
    });
  };
  st.work->run([back, workers, s, last, w = st.writer] {
    auto place = w->begin_checkpoint_when_due(s);
    if (!place) return back.answer_with<void>([&] { return answer(fail(place.error())); });
    if (!*place) return back.answer_with<void>([] { return caf::result<void>{caf::unit}; });
    auto make = [s, last, place = **place] { last(checkpoint_files_of(*s, place)); };
    if (workers)
      workers->run(work_kind::checkpoint, make);
    else
      make();
  });
  return caf::delegated<void>{};
}

}  // namespace

store_actor::behavior_type store(store_actor_state::pointer self, std::filesystem::path folder,
                                 session_meta meta, folder_state state, worker_pool_ptr workers,
                                 std::shared_ptr<io::loading_progress> progress) {
  auto& st = self->state;
  set_quiet_handlers(self);
  st.writer = std::make_shared<folder_writer>(caf::actor_cast<caf::weak_actor_ptr>(self->ctrl()),
                                              std::move(folder), std::move(meta), state,
                                              std::move(progress));
  st.work.emplace(workers, work_kind::disk);
  self->set_exit_handler([self, &st](caf::exit_msg&) {
    // What it was asked for before is done first; then nothing delays the end any more.
    st.work->run(
        [itself = store_actor{self}] { caf::anon_send_exit(itself, caf::exit_reason::kill); });
  });
  auto sender = [self] { return caf::actor_cast<session_actor>(self->current_sender()); };
  return {
      [self, &st](atom::load) {
        auto reader = caf::actor_cast<session_manager_actor>(self->current_sender());
        return st.work->answer<loaded_session>(self,
                                               [w = st.writer, reader] { return w->load(reader); });
      },
      [self, &st, sender](atom::append, const journal_batch& batch) {
        return st.work->answer<void>(
            self, [w = st.writer, batch, s = sender()] { return w->append(batch, s); });
      },
      [self, &st, sender](atom::checkpoint, const session_snapshot& x) {
        return st.work->answer<void>(
            self, [w = st.writer, x, s = sender()] { return w->checkpoint(x, s); });
      },
      [self, &st, sender](atom::checkpoint, atom::restore, const session_snapshot& x) {
        return st.work->answer<void>(self,
                                     [w = st.writer, x, s = sender()] { return w->save(x, s); });
      },
      [self, &st, sender, workers](atom::checkpoint, atom::when_due, const session_snapshot& x) {
        return checkpoint_when_due(self, st, workers, x, sender());
      },
      [self, &st](atom::flush) {
        return st.work->answer<void>(self, [w = st.writer] { return w->flush(); });
      },
      [self, &st](atom::reload) {
        return st.work->answer<io::offered_score>(self,
                                                  [w = st.writer] { return w->edited_score(); });
      },
      [&st](atom::taken, const io::offered_score& taken) {
        st.work->run([w = st.writer, taken] { w->score_taken(taken); });
      },
      [&st](atom::follow) { st.work->run([w = st.writer] { w->follow(); }); },
      [&st](atom::sync) { st.work->run([w = st.writer] { w->sync(); }); },
  };
}

}  // namespace fermata::actors
