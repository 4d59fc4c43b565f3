#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <utility>

namespace fermata {

/// Jobs of several callers for a few lanes, scheduled so that no caller delays another by asking
/// for much or for slow jobs.
///
/// A caller has one job running at a time, in the order of its requests; callers take turns. A job
/// that exceeds its first, short time limit is demoted and started again at the next level, with
/// more time. Lane 0 takes only new jobs, lane 1 jobs of the second level as well, and so on: quick
/// jobs wait only for the short time limits of others, however many jobs never end. A lane prefers
/// the highest of its levels, since the lower ones have lanes of their own.
///
/// `T` has members `caller` and `level`.
template <class T>
class fair_queue {
public:
  explicit fair_queue(std::size_t levels) : levels_(levels) {}

  void push(T x) { of(x.caller).waiting.push_back(std::move(x)); }

  /// The next job for this lane; its caller gets no other one until `done` or `demote`.
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

  /// A job that exceeded its time limit: the next one of its caller, one level up. Precondition:
  /// `can_demote`.
  void demote(T x) {
    auto& c = of(x.caller);
    ++x.level;
    c.is_served = false;
    c.waiting.push_front(std::move(x));
  }
  bool can_demote(const T& x) const { return x.level + 1 < levels_; }

  void done(const std::string& caller) {
    auto c = find(caller);
    if (c == callers_.end()) return;
    c->is_served = false;
    if (c->waiting.empty()) callers_.erase(c);
  }

  /// Waiting jobs, of all callers and of one.
  std::size_t size() const {
    std::size_t n = 0;
    for (auto& c : callers_)
      n += c.waiting.size();
    return n;
  }
  std::size_t size_of(const std::string& caller) const {
    auto c = find(caller);
    return c == callers_.end() ? 0 : c->waiting.size();
  }
  /// The sum of a measure over all waiting jobs.
  template <class Measure>
  std::size_t total(Measure measure) const {
    std::size_t n = 0;
    for (auto& c : callers_)
      for (auto& x : c.waiting)
        n += measure(x);
    return n;
  }

  /// Removes all waiting jobs, in no particular order.
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
  auto find(const std::string& name) const {
    return std::find_if(callers_.begin(), callers_.end(), [&](auto& c) { return c.name == name; });
  }
  caller& of(const std::string& name) {
    auto c = find(name);
    return c == callers_.end() ? callers_.emplace_back(caller{name, {}, false}) : *c;
  }

  std::size_t levels_;
  std::list<caller> callers_;  ///< in the order in which they are served next
};

}  // namespace fermata
