#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <utility>

namespace fermata::io::protocol {

/// What a request means for the requests after it.
struct request_traits {
  bool unordered = false;  ///< its client does not want it to wait for the ones before
  /// Requests after it wait until it is answered: it writes, or begins a stream that the next one
  /// may end.
  bool precedes = false;
  bool moves = false;  ///< it may change which session is active
};

/// The order in which the requests of a connection begin; no sockets, sessions or time.
///
/// A request sees what those before it do: it begins when the writes before it are answered. A read
/// delays later writes only until it has found the state that it reads, so that it does not see
/// them. An unordered request passes all of these, but not one that changes which session is
/// active: it would go to the wrong one. Such a one, for its part, begins when all before it have
/// found their sessions.
///
///     waiting --next--> searching its state --found_state--> under way --finished--> gone
template <class Request>
class request_order {
public:
  void add(Request r, request_traits traits) { waiting_.push_back({std::move(r), traits}); }

  /// The next request that may begin; nothing when all have to wait.
  std::optional<Request> next() {
    bool ordered_waits = false, move_waits = false;
    for (auto at = waiting_.begin(); at != waiting_.end(); ++at) {
      auto& t = at->traits;
      if (move_waits || (ordered_waits && !t.unordered) || must_wait(t)) {
        ordered_waits |= !t.unordered;
        move_waits |= t.moves;
        continue;
      }
      auto r = std::move(at->request);
      under_way_.emplace(r, running{t});
      ++searching_;
      if (t.precedes) ++preceding_;
      if (t.moves) ++moving_;
      waiting_.erase(at);
      return r;
    }
    return std::nullopt;
  }

  /// Later changes no longer concern it: a query has its state, anything else its session.
  void found_state(const Request& r) {
    auto at = under_way_.find(r);
    if (at != under_way_.end() && std::exchange(at->second.searching, false)) --searching_;
  }

  /// It was answered, or is no longer wanted.
  void finished(const Request& r) {
    std::erase_if(waiting_, [&](auto& w) { return w.request == r; });
    auto at = under_way_.find(r);
    if (at == under_way_.end()) return;
    if (at->second.searching) --searching_;
    if (at->second.traits.precedes) --preceding_;
    if (at->second.traits.moves) --moving_;
    under_way_.erase(at);
  }

  bool nothing_waits() const { return waiting_.empty(); }
  bool is_under_way(const Request& r) const { return under_way_.contains(r); }
  /// Removes those that have not begun and for which `is_dropped` holds.
  template <class Predicate>
  void drop_waiting(Predicate is_dropped) {
    std::erase_if(waiting_, [&](auto& w) { return is_dropped(w.request); });
  }

private:
  struct waiting {
    Request request;
    request_traits traits;
  };
  struct running {
    request_traits traits;
    bool searching = true;
  };

  /// Whether something under way has to be answered first, or has to find its state.
  bool must_wait(const request_traits& t) const {
    return moving_ > 0 || (preceding_ > 0 && !t.unordered) ||
           (searching_ > 0 && (t.moves || (t.precedes && !t.unordered)));
  }

  std::deque<waiting> waiting_;  ///< in the order of arrival
  std::map<Request, running> under_way_;
  std::size_t preceding_ = 0, moving_ = 0, searching_ = 0;  ///< of those under way
};

}  // namespace fermata::io::protocol
