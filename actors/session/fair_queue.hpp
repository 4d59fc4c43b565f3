#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <utility>

namespace fermata::actors {

/// What several callers want done in a few lanes, so that nobody who asks for much, or for what
/// takes long, holds up the others.
///
/// A caller has one thing under way at a time, in the order in which it asked; callers come one
/// after the other, whoever was served last at the end. What takes longer than its first, short
/// time is put back and begun anew at the next level, with more time. Lane 0 takes nothing but what
/// comes for the first time, lane 1 the second level as well, and so on: so what is quick waits for
/// short times of others only, however many of them never end. A lane prefers the highest of its
/// levels, since the lower ones have lanes of their own.
///
/// `T` has members `caller` and `level`.
template <class T>
class fair_queue {
public:
  explicit fair_queue(std::size_t levels) : levels_(levels) {}

  void push(T x) { of(x.caller).waiting.push_back(std::move(x)); }

  /// The next for this lane; its caller gets nothing else until `done` or `demote`.
  std::optional<T> take(std::size_t lane) {
    for (auto level = std::min(lane, levels_ - 1) + 1; level-- > 0;) {
      auto next = std::find_if(callers_.begin(), callers_.end(), [&](auto& c) {
        return !c.is_served && !c.waiting.empty() && c.waiting.front().level == level;
      });
      if (next == callers_.end()) continue;
      auto x = std::move(next->waiting.front());
      next->waiting.pop_front();
      next->is_served = true;
      callers_.splice(callers_.end(), callers_, next);
      return x;
    }
    return std::nullopt;
  }

  /// Its time was over: it is the next of its caller, one level up. Precondition: may_be_put_back.
  void demote(T x) {
    auto& c = of(x.caller);
    ++x.level;
    c.is_served = false;
    c.waiting.push_front(std::move(x));
  }
  bool may_be_put_back(const T& x) const { return x.level + 1 < levels_; }

  void done(const std::string& caller) {
    auto c = find(caller);
    if (c == callers_.end()) return;
    c->is_served = false;
    if (c->waiting.empty()) callers_.erase(c);
  }

  /// How much waits, of all and of one.
  std::size_t size() const {
    std::size_t n = 0;
    for (auto& c : callers_)
      n += c.waiting.size();
    return n;
  }
  /// Summed over all that waits.
  template <class Measure>
  std::size_t total(Measure measure) const {
    std::size_t n = 0;
    for (auto& c : callers_)
      for (auto& x : c.waiting)
        n += measure(x);
    return n;
  }
  std::size_t size_of(const std::string& caller) {
    auto c = find(caller);
    return c == callers_.end() ? 0 : c->waiting.size();
  }

  /// Everything that waits, in no particular order; nothing is left.
  std::list<T> take_all() {
    std::list<T> all;
    for (auto& c : callers_)
      all.splice(all.end(), c.waiting);
    callers_.clear();
    return all;
  }

private:
  struct caller {
    std::string name;
    std::list<T> waiting;
    bool is_served = false;
  };
  auto find(const std::string& name) {
    return std::find_if(callers_.begin(), callers_.end(), [&](auto& c) { return c.name == name; });
  }
  caller& of(const std::string& name) {
    auto c = find(name);
    return c == callers_.end() ? callers_.emplace_back(caller{name, {}, false}) : *c;
  }

  std::size_t levels_;
  std::list<caller> callers_;  ///< those who want something, whose turn it is first
};

}  // namespace fermata::actors
