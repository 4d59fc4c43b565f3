#pragma once

#include "messages/session.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace fermata::actors {

/// The observers of a session, each notified at its own speed.
///
/// Events go out as requests, so that an observer's silence is noticed: with `window` unanswered
/// ones, further events are merged into one that waits; its entries are kept up to a bound, beyond
/// which the observer is told to look at the snapshot instead. So a stalled observer costs a
/// bounded amount of memory and slows nobody. One that ended is forgotten when its DOWN comes.
class observers {
public:
  static constexpr std::size_t window = 32;
  static constexpr std::size_t entries_kept = 1'000;

  explicit observers(session_actor::pointer self) : self_(self) {}

  void add(const session_observer_actor& who);
  void remove(const session_observer_actor& who);
  /// Gives the event its number and sends it to everybody.
  void tell(session_event e);
  void down(const caf::down_msg& msg);
  std::size_t size() const { return all_.size(); }

private:
  struct observer {
    session_observer_actor who;
    std::size_t unanswered = 0;
    std::optional<session_event> merged;  ///< waits until an answer comes
  };
  void send(observer& o, const session_event& e);
  void answered(const caf::actor_addr& who);

  session_actor::pointer self_;
  std::uint64_t sequence_ = 0;
  std::vector<observer> all_;
};

/// The two events as one: `earlier` takes `later` in.
void merge(session_event& earlier, const session_event& later, std::size_t entries_kept);

}  // namespace fermata::actors
