#include "actors/store.hpp"

#include "actors/guarded.hpp"
#include "messages/errors.hpp"
#include "messages/session.hpp"

#include <algorithm>
#include <utility>

namespace fermata::actors {

namespace {

constexpr std::chrono::milliseconds sync_delay{900};

caf::error disk_problem(const error& e) {
  return make_problem(problem::failed, e.first().message, e.first().hint);
}

bool renames(const journal_batch& batch) {
  return std::any_of(batch.transitions.begin(), batch.transitions.end(), [](auto& t) {
    return std::any_of(t.events.begin(), t.events.end(),
                       [](auto& e) { return std::holds_alternative<meta_changed>(e); });
  });
}

caf::result<void> answer(result<void> done) {
  if (done) return caf::unit;
  return disk_problem(done.error());
}

}  // namespace

void store_actor_state::start(std::filesystem::path folder, session_meta meta, session_is is) {
  folder_ = std::move(folder);
  meta_ = std::move(meta);
  is_ = is;
}

tl::expected<void, io::lock_failure> store_actor_state::open() {
  if (directory_) return {};
  auto opened = is_ == session_is::wanted ? io::session_directory::make(folder_, meta_)
                                          : io::session_directory::open(folder_, meta_);
  if (!opened) return tl::unexpected<io::lock_failure>{opened.error()};
  directory_.emplace(std::move(*opened));
  return {};
}

caf::result<loaded_session> store_actor_state::load() {
  if (auto opened = open(); !opened) {
    // Another process that was first is no reason to do without; a disk that takes nothing is.
    if (opened.error().elsewhere) {
      auto& why = opened.error();
      if (is_ == session_is::there && !why.holder.empty()) return load_beside(why);
      return is_ == session_is::wanted || !why.holder.empty()
                 ? make_problem(problem::conflict, why.why.first().message, why.why.first().hint)
                 : disk_problem(why.why);
    }
    auto is_new = !io::look_at_file(folder_ / "history.jsonl");
    if (auto possible = io::can_write_in(folder_); !possible)
      return load_without_writing(possible.error());
    if (is_new) return load_without_writing(opened.error().why);
    return disk_problem(opened.error().why);
  }
  auto loaded = directory_->load();
  if (!loaded) return disk_problem(loaded.error());
  return std::move(*loaded);
}

caf::result<loaded_session> store_actor_state::load_without_writing(const error& why) {
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

caf::result<loaded_session> store_actor_state::load_beside(const io::lock_failure& why) {
  constexpr auto another_writes = true;
  auto opened = io::session_directory::open_read_only(folder_, another_writes);
  // It is only just being begun there.
  if (!opened) return disk_problem(why.why);
  auto loaded = opened->load();
  if (!loaded) return disk_problem(loaded.error());
  auto state = *loaded->state;
  state.written_by = why.holder;
  loaded->state = std::make_shared<const session_state>(std::move(state));
  return std::move(*loaded);
}

void store_actor_state::look_at_score() {
  auto said = directory_->score_was_edited();
  if (!said) return;
  if (auto session = caf::actor_cast<session_actor>(self_->current_sender()))
    self_->send(session, atom::note_v, std::string{"score-edited"}, std::move(*said));
}

caf::result<void> store_actor_state::append(const journal_batch& batch) {
  if (sync_failed_) {
    auto e = std::move(*sync_failed_);
    sync_failed_.reset();
    return disk_problem(e);
  }
  if (auto opened = open(); !opened) return disk_problem(opened.error().why);
  auto done = directory_->append(batch.transitions);
  if (done && !sync_is_due_) {
    sync_is_due_ = true;
    self_->delayed_send(self_, sync_delay, atom::sync_v);
  }
  // The journal has it already: should it fail, the next checkpoint writes it again.
  if (done && renames(batch)) (void)directory_->remember_meta(*batch.after);
  if (done) latest_ = batch.after;
  if (done) look_at_score();
  return answer(std::move(done));
}

caf::result<void> store_actor_state::checkpoint(const session_snapshot& s) {
  if (auto opened = open(); !opened) return disk_problem(opened.error().why);
  if (auto here = directory_->in_its_place(); !here) return disk_problem(here.error());
  look_at_score();
  return answer(directory_->checkpoint(*s));
}

caf::result<void> store_actor_state::save(const session_snapshot& s) {
  if (auto opened = open(); !opened) return disk_problem(opened.error().why);
  if (auto made = directory_->make_again(); !made) return disk_problem(made.error());
  return checkpoint(s);
}

caf::result<void> store_actor_state::checkpoint_when_due(const session_snapshot& s) {
  if (auto opened = open(); !opened) return disk_problem(opened.error().why);
  return directory_->is_checkpoint_due() ? checkpoint(s) : caf::result<void>{caf::unit};
}

caf::result<void> store_actor_state::flush() {
  if (!directory_) return caf::unit;
  if (auto here = directory_->in_its_place(); !here) return disk_problem(here.error());
  return answer(directory_->sync());
}

caf::result<io::offered_score> store_actor_state::edited_score() {
  if (auto opened = open(); !opened) return disk_problem(opened.error().why);
  if (auto here = directory_->in_its_place(); !here) return disk_problem(here.error());
  auto offered = directory_->edited_score();
  if (!offered) return disk_problem(offered.error());
  return std::move(*offered);
}

void store_actor_state::score_taken(const io::offered_score& taken) {
  if (directory_) directory_->forget_edited_score(taken);
}

void store_actor_state::sync() {
  sync_is_due_ = false;
  auto done = directory_->sync();
  if (!done) sync_failed_ = done.error();
  // Where it cannot be written, the next checkpoint says so; nothing but a list depends on it.
  if (auto latest = std::exchange(latest_, nullptr); latest && done)
    (void)directory_->remember_meta(*latest);
}

store_actor::behavior_type store(store_actor_state::pointer self, std::filesystem::path folder,
                                 session_meta meta, session_is is) {
  auto& st = self->state;
  set_quiet_handlers(self);
  st.start(std::move(folder), std::move(meta), is);
  return {
      [&st](atom::load) { return guarded<loaded_session>([&] { return st.load(); }); },
      [&st](atom::append, const journal_batch& batch) {
        return guarded<void>([&] { return st.append(batch); });
      },
      [&st](atom::checkpoint, const session_snapshot& s) {
        return guarded<void>([&] { return st.checkpoint(s); });
      },
      [&st](atom::checkpoint, atom::bring_back, const session_snapshot& s) {
        return guarded<void>([&] { return st.save(s); });
      },
      [&st](atom::checkpoint, atom::when_due, const session_snapshot& s) {
        return guarded<void>([&] { return st.checkpoint_when_due(s); });
      },
      [&st](atom::flush) { return guarded<void>([&] { return st.flush(); }); },
      [&st](atom::reload) { return guarded<io::offered_score>([&] { return st.edited_score(); }); },
      [&st](atom::taken, const io::offered_score& taken) { st.score_taken(taken); },
      [&st](atom::sync) { st.sync(); },
  };
}

}  // namespace fermata::actors
