#include "actors/ipc/query_runner.hpp"

#include "actors/ipc/ipc_reply.hpp"
#include "actors/session/interruptible_entries.hpp"
#include "core/session/timeline/partly_on_disk.hpp"
#include "io/protocol/envelope.hpp"

#include <chrono>

namespace fermata::actors {

namespace {

timestamp now_of_query() {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::string query_line(const ipc_request& r) {
  auto result = io::protocol::run(*r.what.row, r.seen, r.what.params);
  return result ? io::protocol::reply_line(r.what.head, *result)
                : io::protocol::fault_line(r.what.head, result.error());
}

}  // namespace

void query_runner::begin(const ipc_request_ptr& r) {
  r->seen.now = now_of_query();
  switch (r->what.row->wants) {
    case io::protocol::needs::nothing: return run(r);
    case io::protocol::needs::sessions: return find_list(r);
    case io::protocol::needs::session:
    case io::protocol::needs::session_and_active:
      if (find_published(*r)) return run(r);
      return find_session(r);
  }
}

bool query_runner::find_published(ipc_request& r) const {
  const auto& board = core_.settings->board;
  if (!board) return false;
  const auto active = board->active();
  const auto wanted = io::protocol::wanted_session(r.what);
  auto found = board->find(wanted.empty() ? std::string_view{active} : wanted);
  if (!found) return false;
  r.seen.session = std::move(found);
  r.seen.active = active;
  return true;
}

void query_runner::find_session(const ipc_request_ptr& r) {
  sessions_.with_session(r, io::protocol::wanted_session(r->what),
                         [this, r](const session_ref& ref) {
                           sessions_.with_snapshot(r, ref, [this, r](const session_snapshot& s) {
                             r->seen.session = s;
                             if (r->what.row->wants != io::protocol::needs::session_and_active)
                               return run(r);
                             // Not the list: that reads every session on disk.
                             sessions_.with_active(r, [this, r](const session_ref& active) {
                               r->seen.active = active.slug;
                               run(r);
                             });
                           });
                         });
}

void query_runner::find_list(const ipc_request_ptr& r) {
  requests_.depend_on(r, core_.manager.address());
  core_.self->request(core_.manager, caf::infinite, atom::list_v)
      .then(
          [this, r](const std::vector<session_summary>& list) {
            r->seen.sessions = to_rows(list);
            run(r);
          },
          [this, r](const caf::error& e) { requests_.refuse(r, e); });
}

void query_runner::run(const ipc_request_ptr& r) {
  requests_.found_state(r);
  if (!r->what.row->heavy)
    return requests_.finish_work(r, r->run_guarded([&] { return query_line(*r); }));
  if (r->what.row->reads_entries && r->seen.session && is_partly_on_disk(*r->seen.session)) {
    r->interrupted = requests_.new_interrupt_flag();
    r->seen.session = read_until(*r->seen.session, r->interrupted);
    r->work = [work = r.get()] { return query_line(*work); };
    return disk_.add(r);
  }
  // Elsewhere: this thread serves every connection.
  core_.run_on_worker(work_kind::query, [r, back = core_.handle()] {
    caf::anon_send(back, atom::worked_v, r, r->run_guarded([&] { return query_line(*r); }));
  });
}

}  // namespace fermata::actors
