#pragma once

#include "core/score/model/content_hash.hpp"
#include "core/session/timeline/decide.hpp"
#include "core/session/turn/step.hpp"
#include "tests/core/session/session_values.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fermata {

/// A session without actors: it executes the actions of `step` when the test says so, in any order
/// that a real session could have. Its journal works as the real one: batches are planned at once,
/// written in order, and dropped together when one cannot be written.
struct simulated_session {
  explicit simulated_session(session_snapshot start = nullptr) {
    if (!start) {
      session_meta meta;
      meta.slug = meta.name = "test";
      start = std::make_shared<const session_state>(empty_session(meta));
    }
    origin = planned = shown = std::move(start);
  }

  // --- requests ---

  turn_id line(std::string text) {
    line_request r;
    r.line = read_line(std::move(text));
    r.shows_pending = true;
    return enter(std::move(r), {});
  }
  turn_id client(std::string text, std::string name = "claude") {
    return enter(client_request{std::move(text), {name, "mcp"}}, name);
  }
  turn_id command_of_client(std::string command, std::string argument) {
    line_request r;
    r.line = command_entered({std::move(command), {std::move(argument)}});
    r.source = {"claude", "mcp"};
    return enter(std::move(r), "claude");
  }
  turn_id note(std::string text) { return enter(note_request{"note", std::move(text)}, {}); }
  turn_id enter(turn_request r, std::string caller) {
    auto id = next_id++;
    (std::holds_alternative<note_request>(r) ? notes : unanswered).insert(id);
    feed(turn_entered{id, std::move(r), std::move(caller)});
    return id;
  }
  /// A message of a client, which no turn writes.
  void message(std::string text) {
    execute(write_batch{
        0, batch_purpose::last, {queued(*planned, std::move(text), {"claude", "mcp"}, now)}});
  }
  void cancel(turn_id id) {
    cancelled.insert(id);
    feed(turns_cancelled{});
  }

  // --- results ---

  /// What can happen next, one function for each.
  std::vector<std::function<void()>> possible_results() {
    std::vector<std::function<void()>> all;
    if (evaluation) all.emplace_back([this] { finish_evaluation(); });
    if (making) all.emplace_back([this] { finish_lines(); });
    if (!writes.empty()) all.emplace_back([this] { finish_write(); });
    for (std::size_t i = 0; i < searches.size(); ++i)
      all.emplace_back([this, i] { finish_search(i); });
    if (effect) all.emplace_back([this] { finish_effect(); });
    return all;
  }
  void finish_evaluation() {
    auto [id, request] = std::move(*evaluation);
    evaluation.reset();
    evaluation_outcome outcome{cancelled.contains(id) ? interrupted_evaluation()
                                                      : fermata::evaluate(request)};
    feed(text_evaluated{id, std::move(outcome)});
  }
  /// The text of a batch that changes the score is there.
  void finish_lines() {
    auto made = std::move(*std::exchange(making, std::nullopt));
    made.interruptible = false;
    auto next = result<session_state>{*planned};
    for (auto& t : made.batch)
      if (next) next = apply(std::move(*next), t);
    if (next) return execute(std::move(made));
    // A batch that could not be written meanwhile had entries that these follow.
    feed(batch_written{made.id, made.purpose, write_failure{false, next.error().first().message}});
  }
  void finish_write() {
    auto next = std::move(writes.front());
    writes.pop_front();
    shown = next.after;
    std::vector<entry_ptr> entries;
    for (auto& t : next.batch) {
      journal.push_back(t);
      if (auto entry = entry_of(t)) entries.push_back(entry);
    }
    if (!entries.empty()) feed(entries_shown{std::move(entries)});
    feed(batch_written{next.id, next.purpose, {}});
  }
  /// The disk refuses everything that is on its way.
  void fail_writes(bool by_disk = true) {
    auto all = std::exchange(writes, {});
    planned = shown;
    for (auto& next : all)
      feed(batch_written{next.id, next.purpose, write_failure{by_disk, "No space left on device"}});
  }
  void finish_search(std::size_t i) {
    auto found = std::move(searches[i]);
    searches.erase(searches.begin() + static_cast<std::ptrdiff_t>(i));
    feed(search_done{found.action.id,
                     run_command(found.action.command, *found.on, found.action.source, now)});
  }
  void finish_effect() {
    auto id = std::exchange(effect, std::nullopt)->id;
    effect_done done{"performed", true};
    done.id = id;
    feed(std::move(done));
  }
  /// Results in their usual order until nothing is under way.
  void settle() {
    for (auto next = possible_results(); !next.empty(); next = possible_results())
      next.front()();
  }

  // --- what came of it ---

  struct answer {
    turn_id id = 0;
    std::vector<entry_ptr> entries;
    std::optional<refuse_turn::reason_t> refused;
    turn_effect effect{};
  };
  const answer& answer_to(turn_id id) const {
    auto found = std::find_if(answers.begin(), answers.end(), [&](auto& a) { return a.id == id; });
    REQUIRE(found != answers.end());
    return *found;
  }
  /// Every request has one answer; the numbers of entries rise, and those of the entries that
  /// answers end with rise from answer to answer; the journal gives the session that is shown.
  void check_consistent() const {
    CHECK(unanswered.empty());
    CHECK(state.is_idle());
    CHECK(shown == planned);
    std::int64_t last_answer = 0;
    for (auto& a : answers) {
      std::int64_t last = 0;
      for (auto& entry : a.entries) {
        if (entry->index == 0) continue;
        CHECK(entry->index > last);
        last = entry->index;
      }
      // An answer that ends with an entry without a number (its command only shows something, and
      // could not be written) may end, before it, with messages that are older.
      if (a.entries.empty() || a.entries.back()->index == 0) continue;
      CHECK(last > last_answer);
      last_answer = std::max(last, last_answer);
    }
    auto replayed = *origin;
    for (auto t : journal) {
      for (auto& e : t.events)
        if (auto committed = std::get_if<entry_committed>(&e)) committed->score = nullptr;
      auto next = apply(std::move(replayed), t);
      REQUIRE(next);
      replayed = std::move(*next);
    }
    CHECK(replayed.history.size() == shown->history.size());
    CHECK(replayed.revision == shown->revision);
    CHECK(content_hash(*replayed.score) == content_hash(*shown->score));
    CHECK(replayed.queue.size() == shown->queue.size());
  }

  void feed(turn_input input) {
    inputs.push_back(std::move(input));
    if (stepping) return;
    stepping = true;
    while (!inputs.empty()) {
      auto next = std::move(inputs.front());
      inputs.pop_front();
      auto done = step(std::move(state), std::move(next),
                       {planned, now, read_only, client_bytes,
                        [this](turn_id id) { return cancelled.contains(id); }, may_begin});
      state = std::move(done.state);
      std::optional<turn_id> failed;
      for (auto& action : done.actions) {
        auto id = turn_of(action);
        if (id == failed) continue;
        if (may_fail(action) && ++executed == fail_at) {
          failed = id;
          inputs.push_back(action_failed{id, "out of memory"});
          continue;
        }
        std::visit([this](auto& a) { execute(std::move(a)); }, action);
      }
    }
    stepping = false;
  }

  session_snapshot origin, planned, shown;
  turn_state state;
  std::vector<answer> answers;
  std::set<turn_id> unanswered, notes, cancelled;
  std::vector<transition> journal;
  std::vector<perform_afterwards> afterwards;
  struct search {
    search_timeline action;
    session_snapshot on;  ///< as it was when it began
  };
  std::vector<search> searches;
  std::optional<std::pair<turn_id, evaluation_request>> evaluation;
  std::optional<perform_effect> effect;
  bool makes_lines = false;           ///< what changes the score is written in two steps
  std::optional<write_batch> making;  ///< its lines are being made
  bool read_only = false, may_begin = true;
  std::uint64_t client_bytes = ~std::uint64_t{0};
  std::size_t executed = 0;  ///< actions so far that may fail
  std::size_t fail_at = 0;   ///< the one of them that does; 0: none

private:
  struct write_in_line {
    turn_id id;
    batch_purpose purpose;
    std::vector<transition> batch;
    session_snapshot after;
  };
  std::deque<write_in_line> writes;

  static bool may_fail(const turn_action& a) {
    return std::holds_alternative<write_batch>(a) || std::holds_alternative<evaluate_text>(a) ||
           std::holds_alternative<run_command_line>(a) ||
           std::holds_alternative<search_timeline>(a) || std::holds_alternative<perform_effect>(a);
  }

  void execute(write_batch a) {
    if (a.interruptible && makes_lines) {
      REQUIRE_FALSE(making);
      making = std::move(a);
      return;
    }
    auto next = *planned;
    for (auto& t : a.batch) {
      auto applied = apply(std::move(next), t);
      REQUIRE(applied);
      next = std::move(*applied);
    }
    planned = std::make_shared<const session_state>(std::move(next));
    writes.push_back({a.id, a.purpose, std::move(a.batch), planned});
  }
  void execute(evaluate_text a) {
    REQUIRE_FALSE(evaluation);
    evaluation_request request;
    request.text = std::move(a.text);
    request.env = planned->env;
    request.score = planned->score;
    request.rule = a.rule.value_or(commit_rule_of(*planned));
    request.next_index = planned->history.next_index();
    evaluation = {a.id, std::move(request)};
  }
  void execute(run_command_line a) {
    feed(command_done{a.id, run_command(a.command, *a.on, a.source, now, {{}, a.accessible})});
  }
  void execute(search_timeline a) { searches.push_back({std::move(a), planned}); }
  void execute(perform_effect a) {
    REQUIRE_FALSE(effect);
    effect = std::move(a);
  }
  void execute(perform_afterwards a) {
    CHECK(unanswered.contains(a.id));
    afterwards.push_back(std::move(a));
  }
  void execute(answer_line a) {
    settle_request({a.id, std::move(a.entries), {}, std::move(a.effect)});
  }
  void execute(answer_client a) { settle_request({a.id, {std::move(a.entry)}, {}}); }
  void execute(refuse_turn a) {
    if (!notes.contains(a.id)) settle_request({a.id, {}, a.reason});
  }
  void execute(stop_evaluation a) {
    if (making && making->id == a.id) {
      write_failure failure;
      failure.interrupted = true;
      feed(batch_written{a.id, std::exchange(making, std::nullopt)->purpose, failure});
    }
    if (!evaluation) return;
    auto id = std::exchange(evaluation, std::nullopt)->first;
    feed(text_evaluated{id, {interrupted_evaluation()}});
  }
  void execute(cancel_work a) { cancelled.insert(a.id); }
  void settle_request(answer a) {
    CAPTURE(a.id);
    CHECK(unanswered.erase(a.id) == 1);
    answers.push_back(std::move(a));
  }

  timestamp now{};
  turn_id next_id = 1;
  std::deque<turn_input> inputs;
  bool stepping = false;
};

}  // namespace fermata
