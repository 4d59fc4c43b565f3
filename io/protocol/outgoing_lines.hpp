#pragma once

#include "io/protocol/envelope.hpp"
#include "io/protocol/reply_queue.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata::io::protocol {

/// The lines of one connection on their way to its peer; no sockets. Replies leave in the order of
/// their requests, notifications between them as they come.
///
///     reply, notify --> queued --take--> in the socket --taken--> gone
class outgoing_lines {
public:
  using place = reply_queue::place;
  using slot_ptr = std::shared_ptr<reply_queue::slot>;

  /// See reply_queue.
  slot_ptr reserve() { return replies_.reserve(); }
  slot_ptr reserve_batch(std::vector<reply_head> heads) {
    return replies_.reserve_batch(std::move(heads));
  }
  place unordered() { return replies_.unordered(); }
  void reply(const place& to, std::string line) { replies_.fill(to, std::move(line), queued_); }

  void notify(envelope style, std::string_view method, const boost::json::object& params);

  /// What is queued; it now counts as being in the socket.
  std::string take();
  /// The peer has taken so many bytes.
  void taken(std::size_t bytes);

  std::size_t in_socket() const { return in_socket_; }
  /// Bytes that the peer has not taken.
  std::size_t unsent() const { return queued_.size() + in_socket_; }
  std::uint64_t taken_in_all() const { return taken_; }
  bool has_queued() const { return !queued_.empty(); }
  std::size_t pending_replies() const { return replies_.pending(); }
  std::size_t held_bytes() const { return replies_.held_bytes(); }

private:
  reply_queue replies_;
  std::string queued_;
  std::size_t in_socket_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace fermata::io::protocol
