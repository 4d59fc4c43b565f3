#include "actors/ipc/disk_reads.hpp"

namespace fermata::actors {

void disk_reads::add(const ipc_request_ptr& r) {
  waiting_.push_back(r);
  if (waiting_.size() == 1) begin_first();
  added_();
}

void disk_reads::begin_first() {
  core_.run_on_worker(work_kind::search, [to = core_.self->address(), r = waiting_.front()] {
    auto line = r->run_guarded(r->work);
    if (auto back = caf::actor_cast<ipc_connection_actor>(to))
      caf::anon_send(back, atom::has_read_v, r, std::move(line));
  });
}

void disk_reads::done(const ipc_request_ptr& r, std::string line) {
  waiting_.pop_front();
  if (!waiting_.empty()) begin_first();
  if (r->done) return;
  if (auto then = std::exchange(r->when_done, nullptr))
    then();
  else
    requests_.finish_work(r, std::move(line));
}

}  // namespace fermata::actors
