#pragma once

#include "messages/session.hpp"

#include <caf/expected.hpp>

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fermata::actors {

/// What clients were answered, by idempotency key: the same key again gets the same answer and does
/// nothing; while the first is still under way, it waits for that answer. The last 256 answers are
/// kept.
class remote_answers {
public:
  using answer = std::function<void(caf::expected<remote_outcome>)>;
  static constexpr std::size_t kept = 256;

  /// For a request with this key: what to call with its outcome, or nothing when `to` has been, or
  /// will be, answered without doing it again. An empty key is never the same.
  std::optional<answer> admit(const std::string& key, answer to);

private:
  struct known {
    std::optional<caf::expected<remote_outcome>> outcome;  ///< empty: under way
    std::vector<answer> waiting;
  };
  void settle(const std::string& key, const caf::expected<remote_outcome>& outcome);

  std::map<std::string, known> by_key_;
  std::deque<std::string> settled_;  ///< oldest first
};

}  // namespace fermata::actors
