#include "core/session/turn/stepper.hpp"

#include <algorithm>
#include <utility>

// Writing what a turn decided, and its answer.

namespace fermata {

namespace {

/// Whether a command's effect has been performed, or changes nothing, also where this session
/// cannot be written. A new session says itself whether it is kept; an archived or restored one is
/// where it is. What becomes of this session is done afterwards, and only when it was written.
struct needs_no_entry {
  bool operator()(std::monostate) const { return true; }
  bool operator()(const evaluation_effect& e) const {
    return e.use == evaluation_effect::use_t::show;
  }
  bool operator()(const manager_effect& e) const {
    return e.what != manager_effect::what_t::rename;
  }
  bool operator()(const score_file_effect& e) const {
    return e.what == score_file_effect::what_t::export_to;
  }
  bool operator()(const save_effect&) const { return true; }
  bool operator()(const reload_effect&) const { return true; }
  bool operator()(const view_effect&) const { return true; }
  bool operator()(const playback_effect&) const { return true; }
  bool operator()(const recording_effect&) const { return true; }
};

/// The entry of a user's command that changes nothing, when the batch ends with it; else null.
entry_ptr entry_that_only_shows(const running_turn& t, const std::vector<transition>& batch) {
  auto line = std::get_if<line_request>(&t.request);
  if (!line || !line->shows_pending || !t.command || t.afterwards) return nullptr;
  if (batch.empty() || batch.back().events.size() != 1) return nullptr;
  if (!std::visit(needs_no_entry{}, t.command->requested_effect)) return nullptr;
  auto entry = entry_of(batch.back());
  auto command = entry ? std::get_if<command_entry>(&entry->kind) : nullptr;
  return command && command->delta.empty() && command->env_change.empty() ? entry : nullptr;
}

/// Whether an entry changes neither score nor environment and sends no message.
struct only_shows {
  bool operator()(const eval_entry& e) const { return e.delta.empty() && e.env_change.empty(); }
  bool operator()(const command_entry& e) const { return e.delta.empty() && e.env_change.empty(); }
  bool operator()(const ai_message_entry&) const { return false; }
  bool operator()(const user_message_entry&) const { return false; }
  bool operator()(const system_entry&) const { return false; }
};

/// Whether a batch changes the score, so that its text may be long, and nothing else has been done
/// for its turn that would have to be taken back.
bool can_be_interrupted(const running_turn& t, const std::vector<transition>& batch) {
  if (t.afterwards && !std::holds_alternative<keep_reloaded>(*t.afterwards)) return false;
  return std::any_of(batch.begin(), batch.end(), [](const transition& change) {
    auto entry = entry_of(change);
    auto delta = entry ? delta_of(*entry) : nullptr;
    return delta != nullptr && !delta->empty();
  });
}

entry_ptr without_number(history_entry e) {
  e.index = 0;
  return std::make_shared<const history_entry>(std::move(e));
}

}  // namespace

refuse_turn refused_read_only() {
  refuse_turn refusal;
  refusal.reason = refuse_turn::reason_t::read_only;
  return refusal;
}

/// Pending messages; the line is run meanwhile.
void stepper::write_first(std::vector<transition> batch) {
  if (!batch.empty()) act(write_batch{running().id, batch_purpose::pending, std::move(batch)});
}

void stepper::write_last(std::vector<transition> batch) {
  if (c_.read_only) return answer_read_only(batch);
  auto& t = running();
  t.phase = running_turn::phase_t::writing;
  t.only_shows = entry_that_only_shows(t, batch);
  if (t.broken) return not_written(*t.broken);
  if (batch.empty()) return answer_written();
  auto interruptible = can_be_interrupted(t, batch);
  act(write_batch{t.id, batch_purpose::last, std::move(batch), interruptible});
}

void stepper::on(batch_written& in) {
  if (!s_.running || running().id != in.id) return;
  switch (in.purpose) {
    case batch_purpose::pending:
      if (in.failure) running().broken = std::move(in.failure);
      return;
    case batch_purpose::before_search:
      // On a full disk the messages stay pending; what can be shown is shown.
      if (in.failure && !in.failure->by_disk) return not_written(*in.failure);
      return search();
    case batch_purpose::last:
      if (!in.failure) return answer_written();
      // The entry follows those of a batch that could not be written meanwhile.
      return not_written(in.failure->interrupted || !running().broken ? *in.failure
                                                                      : *running().broken);
  }
}

void stepper::answer_written() {
  do_afterwards(true);
  auto& t = running();
  if (std::holds_alternative<line_request>(t.request))
    act(answer_line{t.id, std::move(t.entries), t.effect,
                    t.command ? t.command->listing : nullptr});
  else if (std::holds_alternative<client_request>(t.request))
    act(answer_client{t.id, t.entries.back()});
  end_turn();
}

/// Another process writes to the session: what only shows something is shown, outside of the
/// timeline; everything else is refused as a whole.
void stepper::answer_read_only(const std::vector<transition>& batch) {
  auto& t = running();
  for (auto& change : batch) {
    auto entry = entry_of(change);
    if (!entry || change.events.size() != 1 || !std::visit(only_shows{}, entry->kind))
      return refuse(refused_read_only());
    t.entries.push_back(without_number(*entry));
  }
  if (!std::holds_alternative<line_request>(t.request)) return refuse(refused_read_only());
  auto notes = std::exchange(s_.unrecorded_notes, {});
  t.entries.insert(t.entries.begin(), notes.begin(), notes.end());
  answer_written();
}

/// Nothing of the turn has been written: it is as if it had been interrupted before.
void stepper::answer_interrupted() {
  auto& t = running();
  if (auto client = std::get_if<client_request>(&t.request)) {
    refuse_turn refusal;
    refusal.reason = refuse_turn::reason_t::not_evaluated;
    refusal.cause = interrupted_evaluation().error();
    refusal.source = client->text;
    return refuse(std::move(refusal));
  }
  do_afterwards(false);
  auto& line = std::get<line_request>(t.request);
  if (!t.command) return finish_line(line, {interrupted_evaluation()}, planned());
  t.command = refused("interrupted; nothing was changed");
  t.effect = {};
  write_last(transitions_of_command(planned(), line));
}

void stepper::not_written(const write_failure& failure) {
  if (failure.interrupted) return answer_interrupted();
  if (running().only_shows && failure.by_disk) return answer_unwritten(failure);
  refuse_turn refusal;
  refusal.reason = refuse_turn::reason_t::not_written;
  refuse(std::move(refusal));
}

/// The disk accepts nothing: what can be shown is shown, as entries without a number. Pending
/// messages stay pending.
void stepper::answer_unwritten(const write_failure& failure) {
  auto& t = running();
  history_entry remark;
  remark.time = t.only_shows->time;
  remark.source = {"fermata", "system"};
  remark.kind = system_entry{
      "not-written",
      "This is not in the timeline, and nothing can be saved: " + failure.message + '.'};
  t.entries.push_back(without_number(*t.only_shows));
  t.entries.push_back(without_number(std::move(remark)));
  act(answer_line{t.id, std::move(t.entries), t.effect, t.command->listing});
  end_turn();
}

void stepper::refuse(refuse_turn refusal) {
  do_afterwards(false);
  refusal.id = running().id;
  act(std::move(refusal));
  end_turn();
}

/// Before the answer: whoever receives it finds that all others have been told.
void stepper::do_afterwards(bool written) {
  if (auto what = std::exchange(running().afterwards, std::nullopt))
    act(perform_afterwards{running().id, std::move(*what), written});
}

void stepper::end_turn() { s_.running.reset(); }

}  // namespace fermata
