#pragma once

#include "messages/errors.hpp"
#include "messages/session.hpp"

#include <caf/expected.hpp>

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fermata::actors {

/// A request of a client that has a key, and all that makes it the same as another one: the same
/// session has it, or it is another one all the same.
struct keyed_request {
  entry_source source;
  std::string key;  ///< empty: it has none, and is never the same
  std::string method, text;
  std::optional<std::uint64_t> expected_revision;

  /// Keys of different clients are different.
  std::string whole_key() const { return key.empty() ? "" : source.author + '\n' + key; }
  std::string as_text() const {
    auto revision = expected_revision ? std::to_string(*expected_revision) : std::string{};
    return method + '\n' + revision + '\n' + text;
  }
  /// With what was asked; the rest is said by whoever does it.
  kept_answer to_be_kept() const {
    kept_answer a;
    a.author = source.author;
    a.key = key;
    a.method = method;
    a.text = text;
    a.expected_revision = expected_revision;
    return a;
  }
  /// Older journals say what was evaluated, or not even that.
  bool is_of(const kept_answer& a) const {
    if (!a.method.empty())
      return a.method == method && a.text == text && a.expected_revision == expected_revision;
    return (method == "eval" || method == "propose") && (a.text.empty() || a.text == text);
  }
};

/// The answer to a key that comes again with another request: neither is it done, nor is the answer
/// to the first one taken for its own.
inline caf::error key_of_another_request(const std::string& session = {}) {
  return make_problem(problem::invalid_params,
                      "this idempotency key was already used for a different request" +
                          (session.empty() ? "" : ", in session " + session),
                      "Reuse a key only to repeat the same request; use a new key for a new one.");
}

/// What a client may be answered under a key. Requests of the same text have answers of one kind.
using remote_answer = std::variant<remote_outcome, message_receipt, turn>;
using answer_any = std::function<void(caf::expected<remote_answer>)>;

/// The inverse, for a caller that knows the type of the answer.
template <class T>
std::function<void(caf::expected<T>)> answering_with(answer_any to) {
  return [to = std::move(to)](caf::expected<T> answer) {
    to(answer ? caf::expected<remote_answer>{std::move(*answer)}
              : caf::expected<remote_answer>{std::move(answer.error())});
  };
}
template <class T>
answer_any answering_any(std::function<void(caf::expected<T>)> to) {
  return [to = std::move(to)](caf::expected<remote_answer> answer) {
    to(answer ? caf::expected<T>{std::get<T>(std::move(*answer))}
              : caf::expected<T>{std::move(answer.error())});
  };
}

/// Whether a client is expected to retry: it was told so (`busy`), or it lost its connection during
/// an evaluation, which was then cancelled. Such answers are not stored.
inline bool is_retryable(const caf::error& e) {
  if (problem_of(e) == problem::busy) return true;
  auto cause = detail_of(e).cause;
  return !cause.diagnostics.empty() && cause.first().code == errc::cancelled;
}

/// What clients were answered, by idempotency key: the same request again gets the same answer and
/// does nothing; while the first is still under way, it waits for that answer. The last 256 answers
/// are kept, and fewer when their texts are long (see `most_answer_bytes`).
class idempotency_cache {
public:
  static constexpr std::size_t kept = most_answers, kept_bytes = most_answer_bytes;

  bool knows(const std::string& key) const { return by_key_.contains(key); }

  /// For a request (as text) with this key: what to call with its outcome, or nothing when `to` has
  /// been, or will be, answered without doing it again. An empty key is never the same.
  std::optional<answer_any> admit(const std::string& key, const std::string& request,
                                  answer_any to) {
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
    return [this, key](const caf::expected<remote_answer>& outcome) { settle(key, outcome); };
  }

private:
  struct known {
    std::string request;
    std::optional<caf::expected<remote_answer>> outcome;  ///< empty: under way
    std::vector<answer_any> waiting;

    /// Of its texts; what an answer shares with the session is counted there.
    std::size_t bytes() const {
      auto evaluated = outcome && *outcome ? std::get_if<remote_outcome>(&**outcome) : nullptr;
      return request.size() +
             (evaluated ? evaluated->output_text.size() + evaluated->delta_summary.size() : 0);
    }
  };

  void settle(const std::string& key, const caf::expected<remote_answer>& outcome) {
    auto it = by_key_.find(key);
    if (it == by_key_.end()) return;
    auto waiting = std::move(it->second.waiting);
    if (!outcome && is_retryable(outcome.error())) {
      by_key_.erase(it);
    } else {
      it->second.outcome = outcome;
      it->second.waiting.clear();
      settled_.push_back(key);
      bytes_ += it->second.bytes();
      while (settled_.size() > kept || (bytes_ > kept_bytes && settled_.size() > 1)) {
        auto oldest = by_key_.find(settled_.front());
        bytes_ -= oldest->second.bytes();
        by_key_.erase(oldest);
        settled_.pop_front();
      }
    }
    for (auto& to : waiting)
      to(outcome);
  }

  std::map<std::string, known> by_key_;
  std::list<std::string> settled_;  ///< oldest first
  std::size_t bytes_ = 0;           ///< of what is settled
};

}  // namespace fermata::actors
