#pragma once

#include "core/session/turn/fair_queue.hpp"
#include "core/session/turn/request.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <list>
#include <string>
#include <utility>

namespace fermata {

/// A turn that has not begun.
struct queued_turn {
  turn_id id = 0;
  turn_request request;
  std::string caller{};   ///< of a client: requests of one caller keep their order
  std::size_t level = 0;  ///< unused; required by `fair_queue`
};

/// The turns that wait in a session. Those of front ends and notes of the program come first, in
/// the order of arrival; then one of each client in turn, so that a client with a thousand requests
/// a second delays neither the prompt nor another client.
class turn_queue {
public:
  bool empty() const { return front_.empty() && clients_.size() == 0; }

  void push(turn_id id, turn_request r) { front_.push_back({id, std::move(r)}); }
  void push_of_client(turn_id id, turn_request r, std::string caller) {
    clients_.push({id, std::move(r), std::move(caller)});
  }

  /// Precondition: not empty.
  queued_turn take() {
    if (!front_.empty()) {
      auto next = std::move(front_.front());
      front_.pop_front();
      return next;
    }
    auto next = std::move(*clients_.take(0));
    clients_.done(next.caller);  // a session runs one turn at a time anyway
    return next;
  }

  /// Moves the turns of front ends for which `is_cancelled(id)` holds to the front, in their order.
  /// Answers whether there are any.
  template <class IsCancelled>
  bool cancelled_first(IsCancelled is_cancelled) {
    auto last = front_.begin();
    for (auto t = front_.begin(); t != front_.end();) {
      auto next = std::next(t);
      if (std::holds_alternative<line_request>(t->request) && is_cancelled(t->id)) {
        if (t == last)
          ++last;
        else
          front_.splice(last, front_, t);
      }
      t = next;
    }
    return last != front_.begin();
  }

  std::size_t of_front_ends() const { return front_.size(); }
  std::size_t of_clients() const { return clients_.size(); }
  std::size_t of_client(const std::string& caller) const { return clients_.size_of(caller); }
  /// Text of the waiting requests of clients.
  std::size_t bytes_of_clients() const {
    return clients_.total([](auto& t) { return text_bytes(t.request); });
  }

  /// Removes all, those of front ends first.
  std::list<queued_turn> take_all() {
    auto all = std::exchange(front_, {});
    all.splice(all.end(), clients_.take_all());
    return all;
  }

private:
  std::list<queued_turn> front_;
  fair_queue<queued_turn> clients_{1};
};

}  // namespace fermata
