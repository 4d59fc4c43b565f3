#include "actors/session/session_core.hpp"

#include "actors/session/other_sessions.hpp"
#include "messages/errors.hpp"

#include <algorithm>
#include <utility>

namespace fermata::actors {

session_core::session_core(session_actor::pointer self_pointer, const session_setup& setup)
  : self(self_pointer),
    limits(setup.limits),
    now(setup.now),
    clock(setup.clock),
    other_sessions(setup.other_sessions),
    open_sessions(setup.open_sessions),
    manager_address(setup.manager),
    not_saved_reason(setup.not_saved_reason),
    workers(setup.workers),
    evaluate(setup.evaluate),
    player(setup.player),
    recorder(setup.recorder),
    quantizer(setup.quantizer),
    folder(setup.folder),
    budget(setup.limits.client_bytes, setup.limits.client_bytes_per_hour) {}

session_manager_actor session_core::manager() const {
  return caf::actor_cast<session_manager_actor>(manager_address.lock());
}

caf::error session_core::read_only_error() const {
  auto& s = *shown();
  return make_problem(problem::invalid_state,
                      "nothing can be changed here: " + s.written_by + " is writing to session " +
                          s.meta.slug,
                      "`:session switch " + s.meta.slug +
                          "` reopens it for writing once it is closed there; `:session clone` "
                          "makes your own copy.");
}

caf::error session_core::not_kept() const {
  return make_problem(problem::failed,
                      "this session is kept in memory only, because nothing can be written (" +
                          not_saved_reason + ')',
                      "It is lost when the program ends.");
}

std::optional<caf::error> session_core::over_budget() {
  auto wait = budget.must_wait(now());
  if (!wait) return std::nullopt;
  constexpr std::uint64_t megabyte = 1 << 20;
  auto seconds = (wait->count() + 999) / 1000;
  problem_detail detail;
  detail.message = "clients have written " + std::to_string(limits.client_bytes / megabyte) +
                   " MB to session " + shown()->meta.slug +
                   ", which is as much as they may for now";
  detail.advice = "Try again in " + std::to_string(seconds) +
                  (seconds == 1 ? " second" : " seconds") + ", or write to another session.";
  detail.retry_after_ms = static_cast<int>(std::min<std::int64_t>(wait->count(), 3'600'000));
  return make_problem(problem::busy, std::move(detail));
}

void session_core::charge(const journal_batch& batch) {
  for (const auto& t : batch.transitions) {
    const entry_source* from = nullptr;
    for (const auto& e : t.events)
      if (auto* committed = std::get_if<entry_committed>(&e))
        from = &committed->entry->source;
      else if (auto* message = std::get_if<message_queued>(&e))
        from = &message->message.source;
      else if (auto* made = std::get_if<proposal_made>(&e))
        from = &made->made.source;
    if (from && from->channel != "terminal" && from->channel != "script" &&
        from->author != "fermata")
      budget.spend(journal_bytes(t), now());
  }
}

evaluation_request session_core::request_for(std::string text, session_snapshot on) const {
  evaluation_request request;
  request.text = std::move(text);
  request.env = on->env;
  request.score = on->score;
  request.rule = commit_rule_of(*on);
  request.next_index = on->history.next_index();
  request.history = [on,
                     others = other_sessions](std::string_view session,
                                              std::int64_t index) -> std::optional<history_value> {
    if (session.empty() || session == on->meta.slug) return value_at(on->history, index);
    return others ? others(session, index) : std::nullopt;
  };
  return request;
}

void session_core::evaluator_died(const caf::error& reason) const {
  note("evaluator-restarted",
       "An evaluator ended (" + caf::to_string(reason) + ") and was started again.");
}

}  // namespace fermata::actors
