// The way of a request: from its checked parameters to its reply.

#include "actors/ipc/ipc_connection_detail.hpp"
#include "actors/session/interruptible_entries.hpp"
#include "core/session/timeline/partly_on_disk.hpp"
#include "io/protocol/envelope.hpp"

namespace fermata::actors {

namespace {

timestamp now() {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::string query_line(ipc_connection_state::job& j) {
  auto result = io::protocol::run(*j.what.row, j.seen, j.what.params);
  return result ? io::protocol::reply_line(j.what.head, *result)
                : io::protocol::fault_line(j.what.head, result.error());
}

/// Does the work of a job on whatever thread. What it throws (no memory, a fault of ours) is kept:
/// its client waits for an answer, and those behind it for their turn.
template <class Work>
std::string guarded(ipc_connection_state::job& j, Work work) {
  try {
    return work();
  } catch (const std::exception& e) {
    j.broken = e.what();
  } catch (...) {
  }
  if (j.broken.empty()) j.broken = "it ended without giving a reason";
  return {};
}

}  // namespace

session_snapshot ipc_connection_state::pinned_up(std::string_view wanted) const {
  if (!settings_->board) return nullptr;
  return settings_->board->find(wanted.empty() ? settings_->board->active() : std::string{wanted});
}

void ipc_connection_state::begin(const job_ptr& j) {
  open_.insert(j);
  if (j->what.refused) {
    refused(j, *j->what.refused);
    return;
  }
  const auto& row = *j->what.row;
  if (!admitted_ && row.name != "system.hello") {
    refused(j, fault{fault_code::not_permitted,
                     "over TCP, the first request must be system.hello with the token",
                     "send system.hello with the content of $FERMATA_HOME/tcp.token as `token`"});
    return;
  }
  j->writes = row.access_kind == io::protocol::access::write;
  auto moves = false;
  if (!std::holds_alternative<io::protocol::query_handler>(row.handler)) {
    auto command = io::protocol::command_of(row, j->what.params);
    if (!command) {
      refused(j, command.error());
      return;
    }
    j->command = std::move(*command);
    // Waiting for what it is about, or for anything before that, would be no use.
    if (auto* now = std::get_if<io::protocol::give_up>(&*j->command)) return perform(j, *now);
    moves = std::holds_alternative<io::protocol::create_session>(*j->command) ||
            std::holds_alternative<io::protocol::switch_session>(*j->command);
  }
  // A stream can be ended by the request after the one that begins it.
  auto precedes =
      j->writes ||
      (j->command && std::holds_alternative<io::protocol::subscribe_events>(*j->command));
  order_.add(j, {j->what.unordered, precedes, moves});
  begin_ready();
}

/// Begins what need not wait any more. One that is answered at once may let others begin.
void ipc_connection_state::begin_ready() {
  if (std::exchange(beginning_, true)) return;
  while (auto j = order_.next())
    carry_out(*j);
  beginning_ = false;
}

void ipc_connection_state::carry_out(const job_ptr& j) {
  j->who = who_;
  if (j->command)
    std::visit([&](auto& c) { perform(j, c); }, *j->command);
  else
    begin_query(j);
}

void ipc_connection_state::found_state(const job_ptr& j) {
  order_.found_state(j);
  begin_ready();
}

void ipc_connection_state::begin_query(const job_ptr& j) {
  const auto& row = *j->what.row;
  j->seen.now = now();
  switch (row.wants) {
    case io::protocol::needs::nothing: run_query(j); return;
    case io::protocol::needs::sessions: fetch_list(j); return;
    case io::protocol::needs::session:
    case io::protocol::needs::session_and_active:
      if (auto s = pinned_up(io::protocol::wanted_session(j->what))) {
        j->seen.session = std::move(s);
        j->seen.active = settings_->board->active();
        run_query(j);
        return;
      }
      with_session(j, io::protocol::wanted_session(j->what), [this, j](const session_ref& ref) {
        with_snapshot(j, ref, [this, j](const session_snapshot& s) {
          j->seen.session = s;
          if (j->what.row->wants == io::protocol::needs::session_and_active)
            fetch_active(j);
          else
            run_query(j);
        });
      });
      return;
  }
}

void ipc_connection_state::run_query(const job_ptr& j) {
  found_state(j);
  if (!j->what.row->heavy) {
    worked(j, guarded(*j, [&] { return query_line(*j); }));
    return;
  }
  if (j->what.row->reads_entries && j->seen.session && is_partly_on_disk(*j->seen.session)) {
    j->interrupted = std::make_shared<std::atomic<bool>>(gone_);
    j->seen.session = read_until(*j->seen.session, j->interrupted);
    j->work = [work = j.get()] { return query_line(*work); };
    return run_beside(j);
  }
  // Elsewhere: this thread serves every connection.
  on_worker(work_kind::query, [j, back = ipc_connection_actor{self_}] {
    caf::anon_send(back, atom::worked::value, j, guarded(*j, [&] { return query_line(*j); }));
  });
}

void ipc_connection_state::on_worker(work_kind kind, std::function<void()> work) {
  if (settings_->workers)
    settings_->workers->run(kind, std::move(work));
  else
    work();
}

/// On a worker, one after the other: two that read the disk would hold up every session
/// otherwise.
void ipc_connection_state::run_beside(const job_ptr& j) {
  long_jobs_.push_back(j);
  if (long_jobs_.size() == 1) begin_long_job();
  check_disconnected();
}

void ipc_connection_state::begin_long_job() {
  on_worker(work_kind::search, [to = self_->address(), j = long_jobs_.front()] {
    auto line = guarded(*j, j->work);
    if (auto back = caf::actor_cast<ipc_connection_actor>(to))
      caf::anon_send(back, atom::has_read::value, j, std::move(line));
  });
}

void ipc_connection_state::long_job_done(const job_ptr& j, std::string line) {
  long_jobs_.pop_front();
  if (!long_jobs_.empty()) begin_long_job();
  if (j->done) return;
  if (auto then = std::exchange(j->when_done, nullptr))
    then();
  else
    worked(j, std::move(line));
}

void ipc_connection_state::worked(const job_ptr& j, std::string line) {
  if (j->broken.empty())
    finish(j, std::move(line));
  else
    refuse_broken(j);
}

void ipc_connection_state::refuse_broken(const job_ptr& j) {
  refused(j, fault{fault_code::internal, "request failed: " + j->broken,
                   "try again, or ask for less; the request only reads, so nothing changed"});
}

void ipc_connection_state::fetch_list(const job_ptr& j) {
  rely_on(j, manager_);
  self_->request(manager_, caf::infinite, atom::list::value)
      .then(
          [this, j](const std::vector<session_summary>& list) {
            j->seen.sessions = to_rows(list);
            run_query(j);
          },
          [this, j](const caf::error& e) { refused(j, e); });
}

void ipc_connection_state::fetch_active(const job_ptr& j) {
  // Not the list: that reads every session on disk.
  rely_on(j, manager_);
  self_->request(manager_, caf::infinite, atom::active::value)
      .then(
          [this, j](const session_ref& ref) {
            j->seen.active = ref.slug;
            run_query(j);
          },
          [this, j](const caf::error& e) { refused(j, e); });
}

void ipc_connection_state::rely_on(const job_ptr& j, const caf::actor_addr& actor) {
  j->relied_on = actor;
  if (monitored_.insert(actor).second) self_->monitor(actor);
}

void ipc_connection_state::answered(const job_ptr& j, const json::object& result) {
  finish(j, io::protocol::reply_line(j->what.head, result));
}

void ipc_connection_state::refused(const job_ptr& j, const fault& why) {
  if (why.code == fault_code::internal) {
    auto logged = why;
    const auto id = fmt::format("{:08x}", std::hash<std::string>{}(why.message) & 0xffffffffu);
    logged.data["log_id"] = id;
    settings_->log(fmt::format("internal error {}: {}", id, why.message));
    finish(j, io::protocol::fault_line(j->what.head, logged));
    return;
  }
  finish(j, io::protocol::fault_line(j->what.head, why));
}

void ipc_connection_state::refused(const job_ptr& j, const caf::error& why) {
  refused(j, to_fault(why));
}

void ipc_connection_state::finish(const job_ptr& j, std::string line) {
  if (std::exchange(j->done, true)) return;
  open_.erase(j);
  pending_bytes_ -= j->bytes;
  j->interrupt();
  replies_.fill(j->to, std::move(line), out_);
  order_.finished(j);
  begin_ready();
  if (left_) return leave_when_done();
  send_all_due();  // the reply may be the one that names a stream, or may have held that back
  if (!gathering_) flush();
}

}  // namespace fermata::actors
