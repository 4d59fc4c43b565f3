#include "actors/store.hpp"

#include "actors/guarded.hpp"
#include "messages/errors.hpp"

namespace fermata::actors {

namespace {

constexpr std::chrono::milliseconds sync_delay{900};

caf::error disk_problem(const error& e) {
  return make_problem(problem::failed, e.first().message, e.first().hint);
}

caf::result<void> answer(result<void> done) {
  if (done) return caf::unit;
  return disk_problem(done.error());
}

}  // namespace

void store_actor_state::start(std::filesystem::path folder, session_meta meta) {
  folder_ = std::move(folder);
  meta_ = std::move(meta);
}

result<void> store_actor_state::open() {
  if (directory_) return {};
  auto opened = io::session_directory::open(folder_, meta_);
  if (!opened) return fail(opened.error());
  directory_.emplace(std::move(*opened));
  return {};
}

caf::result<loaded_session> store_actor_state::load() {
  if (auto opened = open(); !opened) return disk_problem(opened.error());
  auto loaded = directory_->load();
  if (!loaded) return disk_problem(loaded.error());
  return std::move(*loaded);
}

caf::result<void> store_actor_state::append(const journal_batch& batch) {
  if (sync_failed_) {
    auto e = std::move(*sync_failed_);
    sync_failed_.reset();
    return disk_problem(e);
  }
  if (auto opened = open(); !opened) return disk_problem(opened.error());
  auto done = directory_->append(batch.transitions);
  if (done && !sync_is_due_) {
    sync_is_due_ = true;
    self_->delayed_send(self_, sync_delay, atom::sync_v);
  }
  return answer(std::move(done));
}

caf::result<void> store_actor_state::checkpoint(const session_snapshot& s) {
  if (auto opened = open(); !opened) return disk_problem(opened.error());
  return answer(directory_->checkpoint(*s));
}

caf::result<void> store_actor_state::flush() {
  if (!directory_) return caf::unit;
  return answer(directory_->sync());
}

void store_actor_state::sync() {
  sync_is_due_ = false;
  if (auto done = directory_->sync(); !done) sync_failed_ = done.error();
}

store_actor::behavior_type store(store_actor_state::pointer self, std::filesystem::path folder,
                                 session_meta meta) {
  auto& st = self->state;
  set_quiet_handlers(self);
  st.start(std::move(folder), std::move(meta));
  return {
      [&st](atom::load) { return guarded<loaded_session>([&] { return st.load(); }); },
      [&st](atom::append, const journal_batch& batch) {
        return guarded<void>([&] { return st.append(batch); });
      },
      [&st](atom::checkpoint, const session_snapshot& s) {
        return guarded<void>([&] { return st.checkpoint(s); });
      },
      [&st](atom::flush) { return guarded<void>([&] { return st.flush(); }); },
      [&st](atom::sync) { st.sync(); },
  };
}

}  // namespace fermata::actors
