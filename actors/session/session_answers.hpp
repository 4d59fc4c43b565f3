#pragma once

#include "core/session/timeline/state.hpp"
#include "messages/errors.hpp"

#include <caf/expected.hpp>
#include <caf/typed_response_promise.hpp>

#include <functional>
#include <string>
#include <utility>

namespace fermata::actors {

/// What the files of a session say in the same words, and how they answer.

inline caf::error busy(std::string what) {
  problem_detail detail;
  detail.message = std::move(what);
  detail.advice = "Try again later.";
  detail.retry_after_ms = 200;
  return make_problem(problem::busy, std::move(detail));
}

inline caf::error too_much_at_once(std::uint64_t bytes, std::uint64_t most) {
  constexpr std::uint64_t megabyte = 1 << 20;
  return make_problem(problem::out_of_range,
                      "this would add about " + std::to_string(bytes / megabyte) +
                          " MB to the session; a client may add " +
                          std::to_string(most / megabyte) + " MB at once",
                      "Evaluate it in several parts, or propose that the user runs it.");
}

inline caf::error closing() {
  return make_problem(problem::invalid_state, "the session is closing",
                      "Open it again and repeat the request.");
}

inline caf::error not_permitted(remote_policy p, const entry_source& source) {
  return make_problem(problem::not_permitted,
                      "the policy for " + source.author + " is `" + std::string{to_string(p)} + "`",
                      "The user can change it with `:ai allow " + source.author + "`.");
}

inline caf::error nothing_to_evaluate() {
  return make_problem(problem::invalid_params,
                      "nothing to evaluate: the text contains no expression",
                      "Send an expression, such as (note c4 :q).");
}

/// The caller of an asynchronous answer.
template <class T>
std::function<void(caf::expected<T>)> answering(caf::typed_response_promise<T> promise) {
  return [promise](caf::expected<T> answer) mutable {
    if (answer)
      promise.deliver(std::move(*answer));
    else
      promise.deliver(std::move(answer.error()));
  };
}

}  // namespace fermata::actors
