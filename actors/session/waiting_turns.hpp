#pragma once

#include "actors/session/fair_queue.hpp"
#include "actors/session/turn_kinds.hpp"

#include <cstddef>
#include <list>
#include <string>
#include <utility>

namespace fermata::actors {

/// The turns that wait in a session. Those of its front ends and the notes of the program come
/// first, in the order in which they came; those of clients follow, one of each client in turn, so
/// that nobody who writes a thousand times a second holds up the prompt or another client.
class waiting_turns {
public:
  bool empty() const { return of_front_ends_.empty() && of_clients_.size() == 0; }

  void push(line_turn t) { of_front_ends_.push_back(std::move(t)); }
  void push(note_turn t) { of_front_ends_.push_back(std::move(t)); }
  void push_of_client(turn_kind t, std::string client) {
    of_clients_.push({std::move(t), std::move(client)});
  }

  /// Precondition: not empty.
  turn_kind take() {
    if (!of_front_ends_.empty()) {
      auto next = std::move(of_front_ends_.front());
      of_front_ends_.pop_front();
      return next;
    }
    auto next = std::move(*of_clients_.take(0));
    // A session runs one turn at a time anyway.
    of_clients_.done(next.caller);
    return std::move(next.turn);
  }

  /// In the order in which they are taken.
  std::list<turn_kind>& of_front_ends() { return of_front_ends_; }
  const std::list<turn_kind>& of_front_ends() const { return of_front_ends_; }
  std::size_t of_clients() const { return of_clients_.size(); }
  std::size_t of_client(const std::string& client) { return of_clients_.size_of(client); }

  /// Text of clients that waits here.
  std::size_t bytes_of_clients() const {
    return of_clients_.total([](auto& t) { return text_bytes(t.turn); });
  }

  std::list<turn_kind> take_all() {
    auto all = std::exchange(of_front_ends_, {});
    for (auto& t : of_clients_.take_all())
      all.push_back(std::move(t.turn));
    return all;
  }

private:
  struct turn_of_client {
    turn_kind turn;
    std::string caller;
    std::size_t level = 0;
  };
  std::list<turn_kind> of_front_ends_;
  fair_queue<turn_of_client> of_clients_{1};
};

}  // namespace fermata::actors
