#pragma once

#include "actors/ipc/connection_core.hpp"
#include "actors/ipc/ipc_request.hpp"
#include "io/protocol/request_order.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <string>

namespace fermata::actors {

/// The requests of a client that have not been answered: who asks, when they begin
/// (io/protocol/request_order.hpp), and their answers.
class open_requests {
public:
  /// `perform` is called for each request that begins, `answered` after every reply.
  open_requests(connection_core& core, entry_source client, bool is_admitted,
                std::function<void(const ipc_request_ptr&)> perform,
                std::function<void()> answered);
  ~open_requests() { interrupt_all(); }
  open_requests(const open_requests&) = delete;
  open_requests& operator=(const open_requests&) = delete;

  const entry_source& client() const { return client_; }
  /// Over TCP, only `system.hello` is answered before its client is admitted.
  bool is_admitted() const { return admitted_; }
  void admit(entry_source as);

  /// It begins when those before it permit.
  void add(const ipc_request_ptr& r);
  /// Later writes no longer concern it.
  void found_state(const ipc_request_ptr& r);
  /// It is refused as `unavailable` if this actor ends before it is answered.
  void depend_on(const ipc_request_ptr& r, const caf::actor_addr& actor);
  void actor_ended(const caf::actor_addr& actor);

  // Answers; a request that is answered already stays so.
  void answer(const ipc_request_ptr& r, const boost::json::object& result);
  void refuse(const ipc_request_ptr& r, const io::protocol::fault& why);
  void refuse(const ipc_request_ptr& r, const caf::error& why);
  /// The same with the line that its work made, or because that failed.
  void finish_work(const ipc_request_ptr& r, std::string line);

  /// Cancels the others with this id. Answers whether there was one.
  bool cancel(const ipc_request_ptr& asked_by, const boost::json::value& id);

  // Work for the client that takes long ends with it.
  /// The flag of something that takes long; set already if nobody waits for anything.
  std::shared_ptr<std::atomic<bool>> new_interrupt_flag() const;
  /// Work that answers no request of the client.
  void add_background(const ipc_request_ptr& r) { open_.insert(r); }
  void background_done(const ipc_request_ptr& r) { open_.erase(r); }
  /// Whether the client's disconnection would spare work.
  bool may_take_long() const;
  bool is_client_gone() const { return client_gone_; }
  /// Nobody reads replies any more: what takes long is interrupted.
  void client_gone();
  /// Drops pending reads; pending writes are still carried out.
  void drop_reads();
  bool has_writes() const;

  std::size_t bytes() const { return bytes_; }

private:
  void begin(const ipc_request_ptr& r);
  void begin_next();
  void cancel(const ipc_request_ptr& r);
  void finish(const ipc_request_ptr& r, std::string line);
  void interrupt_all();

  connection_core& core_;
  entry_source client_;
  bool admitted_;
  std::function<void(const ipc_request_ptr&)> perform_;
  std::function<void()> answered_;

  std::set<ipc_request_ptr> open_;
  /// Those that have not begun, and what they wait for. Their replies could not leave earlier
  /// anyway, except those of `unordered` ones.
  io::protocol::request_order<ipc_request_ptr> order_;
  bool beginning_ = false;  ///< begin_next is on the stack
  bool client_gone_ = false;
  std::size_t bytes_ = 0;  ///< of the lines
  std::set<caf::actor_addr> monitored_;
};

}  // namespace fermata::actors
