#pragma once

#include "io/protocol/envelope.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace fermata::io::protocol {

/// The replies of one connection. They are sent in the order of their requests, whatever the order
/// in which they become ready; a request with `unordered` has no place in that order. The replies
/// of a batch are sent together, in a line with the usual maximum length: each has room reserved
/// for an error with its id, and a reply that does not fit next to those before it becomes that
/// error.
class reply_queue {
public:
  /// A place in the order that waits for its reply.
  struct slot {
    std::vector<std::string> parts;  ///< one per request of the line
    std::size_t missing = 0;
    std::vector<reply_head> heads;  ///< of the requests of a batch; empty: not a batch
    std::size_t room = 0;           ///< of a batch's line: bytes that are free and not reserved
    bool left = false;
  };
  /// The place of one reply: none (unordered), or a part of a slot.
  struct place {
    std::shared_ptr<slot> in;
    std::size_t part = 0;

    /// Of a filled place: no earlier reply delays it any more.
    bool left() const { return !in || in->left; }
  };

  /// Adds a place for a line of one request, after all earlier ones.
  std::shared_ptr<slot> reserve();
  /// The same for a batch of at most `max_batch` requests.
  std::shared_ptr<slot> reserve_batch(std::vector<reply_head> heads);
  /// A place outside the order.
  place unordered();

  /// The reply of `to`, empty if the request wants none. Appends to `out` every line that can now
  /// be sent, each with its LF. Every place is filled exactly once.
  void fill(const place& to, std::string reply, std::string& out);

  /// Requests without a reply so far.
  std::size_t pending() const { return pending_; }
  /// Bytes that are ready and wait for an earlier reply.
  std::size_t held_bytes() const { return held_; }

private:
  std::shared_ptr<slot> append(slot s);

  std::deque<std::shared_ptr<slot>> order_;
  std::size_t pending_ = 0;
  std::size_t held_ = 0;
};

}  // namespace fermata::io::protocol
