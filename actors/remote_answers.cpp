#include "actors/remote_answers.hpp"

#include "messages/errors.hpp"

namespace fermata::actors {

std::optional<remote_answers::answer> remote_answers::admit(const std::string& key, answer to) {
  if (key.empty()) return to;
  auto [it, is_new] = by_key_.try_emplace(key);
  if (!is_new) {
    if (it->second.outcome)
      to(*it->second.outcome);
    else
      it->second.waiting.push_back(std::move(to));
    return std::nullopt;
  }
  it->second.waiting.push_back(std::move(to));
  return [this, key](const caf::expected<remote_outcome>& outcome) { settle(key, outcome); };
}

void remote_answers::settle(const std::string& key, const caf::expected<remote_outcome>& outcome) {
  auto it = by_key_.find(key);
  if (it == by_key_.end()) return;
  auto waiting = std::move(it->second.waiting);
  // Trying again is what a busy client is told to do, so that answer is not kept.
  if (!outcome && problem_of(outcome.error()) == problem::busy) {
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

}  // namespace fermata::actors
