#pragma once

#include "core/score/model/content_hash.hpp"
#include "core/session/commands/command.hpp"
#include "core/session/timeline/score_text.hpp"
#include "tests/core/session/session_values.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace fermata {

/// A musician who types commands as well.
struct musician : session_by_hand {
  command_outcome command(const std::string& text, entry_source source = {}) {
    auto outcome = run_command(text, state, source, now());
    INFO(outcome.output);
    command_entry entry;
    entry.text = ':' + text;
    entry.output = outcome.output;
    entry.ok = outcome.ok;
    entry.delta = outcome.delta;
    entry.env_change = outcome.env_change;
    entry.revision_before = state.revision;
    entry.revision_after = state.revision + (outcome.delta.empty() ? 0 : 1);
    auto t = committed(state, entry, source, now());
    t.events.insert(t.events.end(), outcome.events.begin(), outcome.events.end());
    happen(t);
    if (outcome.further)
      happen(committed(state, outcome.further->kind, outcome.further->source, now()));
    return outcome;
  }
  void must(const std::string& text) {
    auto outcome = command(text);
    INFO(text << '\n' << outcome.output);
    REQUIRE(outcome.ok);
  }
  /// Refused, with this in the words, and without any effect.
  void refuses(const std::string& text, const std::string& says) {
    auto hash = content_hash(*state.score);
    auto branch = state.branch;
    auto outcome = command(text);
    INFO(text << '\n' << outcome.output);
    CHECK_FALSE(outcome.ok);
    CHECK(outcome.output.find(says) != std::string::npos);
    CHECK(content_hash(*state.score) == hash);
    CHECK(state.branch == branch);
  }
  std::string measure(int n) const {
    auto text = score_text(*state.score, {}, std::pair{n, n});
    REQUIRE(text);
    return text->substr(text->find('\n') + 1);
  }
  std::uint64_t hash() const { return content_hash(*state.score); }
};

/// What this expression makes of the score is proposed as number 1.
inline void propose(session_by_hand& s, const std::string& text) {
  auto made = s.run(text);
  REQUIRE(made);
  proposal p;
  p.number = 1;
  p.text = text;
  p.source = {"claude", "mcp"};
  p.delta = made->delta;
  p.base_revision = s.state.revision;
  s.happen({{proposal_made{p}}});
}

}  // namespace fermata
