#pragma once

#include "core/lang/evaluation/evaluate.hpp"
#include "core/session/timeline/decide.hpp"
#include "core/session/timeline/event.hpp"

#include <memory>
#include <string>

namespace fermata {

/// A session that is driven by hand: what the actor does, without the actor.
struct session_by_hand {
  session_state state;
  timestamp clock{std::chrono::sys_days{std::chrono::year{2026} / 2 / 1}};
  std::vector<transition> journal;  ///< everything that happened

  session_by_hand() {
    session_meta meta;
    meta.slug = meta.name = "test";
    state = empty_session(meta);
  }

  timestamp now() { return clock += std::chrono::seconds{1}; }

  void happen(const transition& t) {
    auto next = apply(state, t);
    if (!next) throw std::runtime_error(next.error().first().message);
    state = std::move(*next);
    journal.push_back(t);
  }

  result<evaluation> run(const std::string& text) const {
    evaluation_request request;
    request.text = text;
    request.env = state.env;
    request.score = state.score;
    request.next_index = state.history.next_index();
    request.rule = commit_rule_of(state);
    return evaluate(request);
  }

  /// Evaluates a line; answers its entry.
  entry_ptr type(const std::string& text, entry_source source = {}) {
    auto t = evaluated(state, {text, source, {}}, run(text), now());
    happen(t);
    return entry_of(t);
  }
};

}  // namespace fermata
