#pragma once

#include "messages/errors.hpp"

#include <caf/expected.hpp>

#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fermata::actors {

/// The answer to a key that comes again with another request: neither is it done, nor is the answer
/// to the first one taken for its own.
inline caf::error key_of_another_request() {
  return make_problem(problem::invalid_params, "this idempotency key was given to another request",
                      "The same key is for the same request sent again; give a new one a new key.");
}

/// Trying again is what a busy client is told to do, and whoever lost its connection in the middle
/// of an evaluation, which ends with it: such answers are not kept.
inline bool is_worth_repeating(const caf::error& e) {
  if (problem_of(e) == problem::busy) return true;
  auto cause = detail_of(e).cause;
  return !cause.diagnostics.empty() && cause.first().code == errc::cancelled;
}

/// What clients were answered, by idempotency key: the same request again gets the same answer and
/// does nothing; while the first is still under way, it waits for that answer. The last 256 answers
/// are kept.
template <class Outcome>
class remote_answers {
public:
  using answer = std::function<void(caf::expected<Outcome>)>;
  static constexpr std::size_t kept = 256;

  /// For a request (as text) with this key: what to call with its outcome, or nothing when `to` has
  /// been, or will be, answered without doing it again. An empty key is never the same.
  std::optional<answer> admit(const std::string& key, const std::string& request, answer to) {
    if (key.empty()) return to;
    auto [it, is_new] = by_key_.try_emplace(key, known{request, {}, {}});
    if (!is_new) {
      if (it->second.request != request)
        to(key_of_another_request());
      else if (it->second.outcome)
        to(*it->second.outcome);
      else
        it->second.waiting.push_back(std::move(to));
      return std::nullopt;
    }
    it->second.waiting.push_back(std::move(to));
    return [this, key](const caf::expected<Outcome>& outcome) { settle(key, outcome); };
  }

private:
  struct known {
    std::string request;
    std::optional<caf::expected<Outcome>> outcome;  ///< empty: under way
    std::vector<answer> waiting;
  };

  void settle(const std::string& key, const caf::expected<Outcome>& outcome) {
    auto it = by_key_.find(key);
    if (it == by_key_.end()) return;
    auto waiting = std::move(it->second.waiting);
    if (!outcome && is_worth_repeating(outcome.error())) {
      by_key_.erase(it);
    } else {
      it->second.outcome = outcome;
      it->second.waiting.clear();
      settled_.push_back(key);
      if (settled_.size() > kept) {
        by_key_.erase(settled_.front());
        settled_.pop_front();
      }
    }
    for (auto& to : waiting)
      to(outcome);
  }

  std::map<std::string, known> by_key_;
  std::list<std::string> settled_;  ///< oldest first
};

}  // namespace fermata::actors
