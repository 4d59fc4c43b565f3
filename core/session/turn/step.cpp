#include "core/session/turn/step.hpp"

#include "core/session/turn/stepper.hpp"

#include <exception>
#include <iterator>
#include <stdexcept>

namespace fermata {

turn_step step(turn_state state, turn_input input, const turn_context& context) {
  std::vector<turn_action> actions;
  auto run = [&](auto body) {
    stepper one{state, context};
    try {
      body(one);
      auto done = one.take_actions();
      actions.insert(actions.end(), std::make_move_iterator(done.begin()),
                     std::make_move_iterator(done.end()));
    } catch (const std::exception& e) {
      // What was decided before the fault is dropped with it: nothing is half-applied.
      stepper failed{state, context};
      failed.fail_running(e.what());
      auto done = failed.take_actions();
      actions.insert(actions.end(), std::make_move_iterator(done.begin()),
                     std::make_move_iterator(done.end()));
    }
  };
  run([&](stepper& one) { one.take(std::move(input)); });
  while (context.may_begin && !state.running && !state.closing &&
         !(state.waiting.empty() && state.resuming.empty()))
    run([](stepper& one) { one.advance(); });
  return {std::move(state), std::move(actions)};
}

turn_id turn_of(const turn_action& a) {
  return std::visit([](auto& action) { return action.id; }, a);
}

session_state state_after(session_state s, const std::vector<transition>& transitions) {
  for (auto& t : transitions) {
    auto next = apply(std::move(s), t);
    if (!next) throw std::logic_error("inconsistent state: " + next.error().first().message);
    s = std::move(*next);
  }
  return s;
}

commit_rule rule_of_proposals(const session_state& s) {
  auto rule = commit_rule_of(s);
  return rule == commit_rule::nothing ? commit_rule::notation : rule;
}

void stepper::take(turn_input&& input) {
  std::visit([this](auto& in) { on(in); }, input);
}

/// A turn whose search is done comes first: what was entered meanwhile and has begun came before.
void stepper::advance() {
  if (!s_.resuming.empty()) {
    auto next = std::move(s_.resuming.front());
    s_.resuming.pop_front();
    s_.running = std::make_unique<running_turn>(std::move(next.turn));
    return command_ran(std::move(next.outcome));
  }
  auto next = s_.waiting.take();
  s_.running = std::make_unique<running_turn>(running_turn{next.id, std::move(next.request)});
  // The turn may end in there, and with it what the argument refers to: each `begin` returns then.
  std::visit([this](auto& request) { begin(request); }, running().request);
}

void stepper::fail_running(const char* what) {
  if (!s_.running) return;
  refuse_turn refusal;
  refusal.reason = refuse_turn::reason_t::internal;
  refusal.message = std::string{"unexpected error: "} + what;
  refuse(std::move(refusal));
}

// --- inputs --------------------------------------------------------------------------------------

void stepper::on(turn_entered& in) {
  if (in.caller.empty())
    s_.waiting.push(in.id, std::move(in.request));
  else
    s_.waiting.push_of_client(in.id, std::move(in.request), std::move(in.caller));
}

/// Ctrl-C. A cancelled line that waits comes first, since it does nothing; an evaluation that is
/// cancelled ends now, however long its worker takes to release what it made.
void stepper::on(turns_cancelled&) {
  auto delayed = s_.waiting.cancelled_first(c_.is_cancelled);
  if (!s_.running) return;
  auto& t = running();
  auto of_client = std::holds_alternative<client_request>(t.request);
  auto stops = of_client ? delayed || c_.is_cancelled(t.id)
                         : std::holds_alternative<line_request>(t.request) && c_.is_cancelled(t.id);
  if (!stops) return;
  if (of_client) act(cancel_work{t.id});
  act(stop_evaluation{t.id});
}

void stepper::on(entries_shown& in) {
  if (!s_.running) return;
  auto& entries = running().entries;
  entries.insert(entries.end(), in.entries.begin(), in.entries.end());
}

void stepper::on(action_failed& in) {
  auto set_aside = s_.aside.find(in.id);
  if (set_aside != s_.aside.end()) {
    // The search could not be started.
    s_.resuming.push_back({std::move(set_aside->second), refused(std::move(in.message))});
    s_.aside.erase(set_aside);
  } else if (s_.running && running().id == in.id) {
    fail_running(in.message.c_str());
  }
}

void stepper::on(turns_closed&) {
  s_.closing = true;
  auto close = [this](turn_id id) {
    refuse_turn refusal;
    refusal.id = id;
    refusal.reason = refuse_turn::reason_t::closing;
    act(std::move(refusal));
  };
  if (s_.running && running().phase != running_turn::phase_t::writing) {
    // An effect that has begun, such as writing a file, is still performed.
    if (running().phase == running_turn::phase_t::searching) act(cancel_work{running().id});
    close(running().id);
    s_.running.reset();
  }
  for (auto& [id, turn] : s_.aside) {
    act(cancel_work{id});
    close(id);
  }
  s_.aside.clear();
  for (auto& found : s_.resuming)
    close(found.turn.id);
  s_.resuming.clear();
  for (auto& waiting : s_.waiting.take_all())
    close(waiting.id);
}

}  // namespace fermata
