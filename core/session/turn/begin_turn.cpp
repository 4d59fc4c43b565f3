#include "core/session/timeline/decide.hpp"
#include "core/session/timeline/partly_on_disk.hpp"
#include "core/session/turn/stepper.hpp"

// The beginning of a turn: pending messages get their numbers, then the line is run.

namespace fermata {

namespace {

refuse_turn conflict_with(std::uint64_t expected, std::uint64_t current) {
  refuse_turn refusal;
  refusal.reason = refuse_turn::reason_t::conflict;
  refusal.expected_revision = expected;
  refusal.revision = current;
  return refusal;
}

/// Whether commands that go back to another score may take long, even if all entries are in memory.
bool is_long(const score& s) {
  constexpr std::size_t most_measures = 2'000;
  std::size_t measures = 0;
  for (auto& p : s.parts)
    measures += p->measures.size();
  return measures > most_measures;
}

/// The score itself, and those that one step of `:undo`, `:redo` or `:accept` may lead to. Entries
/// are in memory.
bool may_take_long(const session_state& s) {
  auto changes_much = [](const score_delta& d) {
    constexpr std::size_t most = 1'000;  // measures
    auto is_much = [](const measure_replacement& r) {
      return r.before.size() + r.after.size() > most;
    };
    auto has_much = [&](const part_change& c) {
      return std::any_of(c.measures.begin(), c.measures.end(), is_much);
    };
    auto is_long_part = [](const placed_part& p) { return p.value->measures.size() > most; };
    return std::any_of(d.changed.begin(), d.changed.end(), has_much) ||
           std::any_of(d.added.begin(), d.added.end(), is_long_part) ||
           std::any_of(d.removed.begin(), d.removed.end(), is_long_part);
  };
  auto step_changes_much = [&](const undo_steps& steps) {
    auto delta = steps.empty() ? nullptr : delta_of(*s.history.at(steps.back()));
    return delta != nullptr && changes_much(*delta);
  };
  return is_long(*s.score) || step_changes_much(s.undo) || step_changes_much(s.redo) ||
         std::any_of(s.proposals.begin(), s.proposals.end(), [&](const proposal& p) {
           return p.state == proposal::state_t::open && changes_much(p.delta);
         });
}

}  // namespace

void stepper::begin(line_request& line) {
  if (c_.is_cancelled(running().id)) return begin_cancelled(line);
  if (line.expected_revision && *line.expected_revision != planned().revision)
    return refuse(conflict_with(*line.expected_revision, planned().revision));
  // What is pending in a session that another process writes to is shown there.
  auto pending = line.shows_pending && !c_.read_only ? all_pending(planned(), c_.now)
                                                     : std::vector<transition>{};
  auto& typed = line.line;
  if (typed.undecodable) {
    auto on = state_after(planned(), pending);
    write_first(std::move(pending));
    return finish_line(line, {fail(*typed.undecodable)}, on);
  }
  auto evaluate = [&] {
    running().phase = running_turn::phase_t::evaluating;
    act(evaluate_text{running().id, typed.input.text});
  };
  if (line.preview) return evaluate();
  switch (typed.input.kind) {
    case input_kind::empty: return write_last(std::move(pending));
    case input_kind::chat:
      if (!typed.input.text.empty())
        pending.push_back(committed(state_after(planned(), pending),
                                    user_message_entry{typed.input.text}, line.source, c_.now));
      return write_last(std::move(pending));
    case input_kind::command: return begin_command(line, std::move(pending));
    case input_kind::expression: write_first(std::move(pending)); return evaluate();
  }
}

/// A line that was cancelled before its turn came: nothing of it is run.
void stepper::begin_cancelled(const line_request& line) {
  auto pending = line.shows_pending && !c_.read_only ? all_pending(planned(), c_.now)
                                                     : std::vector<transition>{};
  switch (line.line.input.kind) {
    case input_kind::empty: return write_last(std::move(pending));
    case input_kind::chat: {
      refuse_turn refusal;
      refusal.reason = refuse_turn::reason_t::cancelled_chat;
      refusal.message = "the message was cancelled before it was sent";
      refusal.advice = "Press Up to get the line back.";
      return refuse(std::move(refusal));
    }
    case input_kind::command: {
      running().command = command_outcome{};
      running().command->ok = false;
      running().command->output = "interrupted before it started; nothing was changed";
      auto of_command = transitions_of_command(state_after(planned(), pending), line);
      pending.insert(pending.end(), of_command.begin(), of_command.end());
      return write_last(std::move(pending));
    }
    case input_kind::expression: {
      auto on = state_after(planned(), pending);
      write_first(std::move(pending));
      return finish_line(line, {interrupted_evaluation()}, on);
    }
  }
}

void stepper::begin(client_request& client) {
  if (c_.is_cancelled(running().id)) {  // its client has disconnected
    refuse_turn refusal;
    refusal.reason = refuse_turn::reason_t::not_evaluated;
    refusal.cause = interrupted_evaluation().error();
    refusal.source = client.text;
    return refuse(std::move(refusal));
  }
  // Both may have changed while it waited.
  if (auto policy = policy_for(planned(), client.source.author); policy != remote_policy::allow) {
    refuse_turn refusal;
    refusal.reason = refuse_turn::reason_t::not_permitted;
    refusal.message =
        "the user has meanwhile set the policy to `" + std::string{to_string(policy)} + "`";
    return refuse(std::move(refusal));
  }
  if (client.expected_revision && *client.expected_revision != planned().revision)
    return refuse(conflict_with(*client.expected_revision, planned().revision));
  running().phase = running_turn::phase_t::evaluating;
  act(evaluate_text{running().id, client.text, true});
}

void stepper::begin(note_request& note) {
  if (!c_.read_only) return write_last({noted(planned(), note.event, note.text, c_.now)});
  constexpr std::size_t most = 32;
  auto& notes = s_.unrecorded_notes;
  if (notes.size() == most) notes.erase(notes.begin());
  history_entry entry;
  entry.time = c_.now;
  entry.source = {"fermata", "system"};
  entry.kind = system_entry{note.event, note.text};
  notes.push_back(std::make_shared<const history_entry>(std::move(entry)));
  end_turn();
}

void stepper::begin_command(const line_request& line, std::vector<transition> pending) {
  auto& command = *line.line.command;
  auto on = pending.empty()
                ? c_.planned
                : std::make_shared<const session_state>(state_after(planned(), pending));
  if ((is_partly_on_disk(*on) || may_take_long(*on)) && command.parsed &&
      command.parsed->spec->back != searches_history::no) {
    if (pending.empty()) return search();
    // Messages are shown in the turn before which they were sent, not in one that is entered while
    // the search runs.
    running().phase = running_turn::phase_t::before_search;
    return act(write_batch{running().id, batch_purpose::before_search, std::move(pending)});
  }
  running().phase = running_turn::phase_t::running_command;
  running().pending = std::move(pending);
  act(run_command_line{running().id, command, std::move(on), line.source, line.accessible});
}

/// Runs the command beside other turns, if it only shows entries.
void stepper::search() {
  auto& line = std::get<line_request>(running().request);
  act(search_timeline{running().id, *line.line.command, line.source, line.accessible});
  running().phase = running_turn::phase_t::searching;
  if (line.line.command->parsed->spec->back == searches_history::in_turn) return;
  auto id = running().id;
  s_.aside.emplace(id, std::move(*s_.running));
  s_.running.reset();
}

}  // namespace fermata
