#pragma once

#include "io/protocol/envelope.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace fermata::io::protocol {

/// The replies of one connection. They leave in the order of their requests, whatever the order in
/// which they become ready; a request that says `unordered` has no place in that order. The replies
/// of a batch leave together, in a line that is no longer than any other: the place of each keeps
/// room for an error with its id, and a reply that does not fit beside those that came before it
/// becomes that error.
class reply_queue {
public:
  /// A place in the order that waits for its reply.
  struct slot {
    std::vector<std::string> parts;  ///< one per request of the line
    std::size_t missing = 0;
    std::vector<reply_head> heads;  ///< of the requests of a batch; empty: it is none
    std::size_t room = 0;           ///< of a batch's line: bytes that nothing takes or keeps
    bool left = false;
  };
  /// Where one reply belongs: nowhere (unordered), or into a part of a slot.
  struct place {
    std::shared_ptr<slot> in;
    std::size_t part = 0;

    /// Of a place that is filled: no earlier reply holds it back any more.
    bool left() const { return !in || in->left; }
  };

  /// Makes a place for a line of one request, in order after all earlier ones.
  std::shared_ptr<slot> reserve();
  /// The same for a batch of at most `max_batch` requests.
  std::shared_ptr<slot> reserve_batch(std::vector<reply_head> heads);
  /// A place outside the order.
  place unordered();

  /// The reply of `to`, empty when the request wants none. Appends to `out` every line that may
  /// leave now, each with its LF. Every place is filled exactly once.
  void fill(const place& to, std::string reply, std::string& out);

  /// Requests that have not been answered.
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
