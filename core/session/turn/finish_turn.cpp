#include "core/session/proposals/rebased_proposal.hpp"
#include "core/session/timeline/decide.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "core/session/timeline/journal_bytes.hpp"
#include "core/session/timeline/score_text.hpp"
#include "core/session/turn/stepper.hpp"
#include "core/utf8.hpp"

#include <fmt/format.h>

// The results of evaluations, commands and their effects, as the entries that they become.

namespace fermata {

namespace {

/// Whether an effect is about writing to this session. What an evaluation changes is known when it
/// is done.
struct is_about_writing {
  bool operator()(std::monostate) const { return false; }
  bool operator()(const evaluation_effect&) const { return false; }
  bool operator()(const manager_effect& e) const {
    return e.what == manager_effect::what_t::rename;
  }
  bool operator()(const score_file_effect& e) const {
    return e.what != score_file_effect::what_t::export_to;
  }
  bool operator()(const save_effect&) const { return true; }
  bool operator()(const reload_effect&) const { return true; }
  bool operator()(const view_effect&) const { return false; }
  bool operator()(const playback_effect& e) const {
    return std::holds_alternative<playback::connect>(e.what);
  }
  bool operator()(const recording_effect& e) const {
    return std::holds_alternative<recording::start>(e.what) ||
           std::holds_alternative<recording::keep>(e.what) ||
           std::holds_alternative<recording::quantize>(e.what);
  }
};

/// The output of a command whose evaluation failed.
std::string message_of(const error& e) {
  std::string text;
  for (auto& d : e.diagnostics)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", info(d.code).name, d.message);
  return text;
}

/// The output when a proposal was evaluated again and is only shown, or not accepted as it is.
std::optional<command_outcome> instead_of_accepting(const session_state& s,
                                                    const evaluation_effect& effect,
                                                    const result<evaluation>& again,
                                                    bool accessible) {
  using use_t = evaluation_effect::use_t;
  auto p =
      effect.proposal && effect.use != use_t::commit ? find_proposal(s, *effect.proposal) : nullptr;
  if (!p) return std::nullopt;
  if (effect.use == use_t::show) {
    command_outcome shown;
    shown.output = effect.remark + text_of_evaluation(*p, s, again, accessible);
    return shown;
  }
  auto what = again ? overwritten_by(again->delta, *p) : std::nullopt;
  if (!what) return std::nullopt;
  auto number = std::to_string(p->number);
  return refused(
      "the score has since changed in the same places; evaluated again, it would overwrite " +
          *what,
      "`:diff " + number + "` shows both; `:accept " + number + " --again` accepts it anyway.");
}

/// What a client that repeats its request is answered, completed with the entry it made.
kept_answer kept_with(kept_answer kept, const history_entry& entry) {
  auto& eval = std::get<eval_entry>(entry.kind);
  kept.entry = entry.index;
  kept.output_text = eval.output_text;
  kept.delta_summary = change_summary(eval.delta, eval.env_change);
  kept.revision = eval.revision_after;
  kept.changed = !eval.delta.empty() || !eval.env_change.empty();
  return kept;
}

}  // namespace

// --- evaluations ---------------------------------------------------------------------------------

void stepper::on(text_evaluated& in) {
  if (!is_in(in.id, running_turn::phase_t::evaluating)) return;
  if (running().broken) return not_written(*running().broken);
  if (plays_something(in.outcome)) return play_first(std::move(in.outcome));
  finish_evaluation(in.outcome);
}

void stepper::finish_evaluation(const evaluation_outcome& outcome) {
  if (auto client = std::get_if<client_request>(&running().request))
    return finish_client(*client, outcome);
  auto& line = std::get<line_request>(running().request);
  if (running().command) return finish_command_evaluation(line, outcome);
  finish_line(line, outcome, planned());
}

/// Whether an evaluation asked for music to be heard. Those of proposals and previews are not.
bool stepper::plays_something(const evaluation_outcome& outcome) {
  auto line = std::get_if<line_request>(&running().request);
  auto effect = running().command
                    ? std::get_if<evaluation_effect>(&running().command->requested_effect)
                    : nullptr;
  return outcome.what && !outcome.what->played.empty() && !(effect && effect->proposal) &&
         !(line && line->preview);
}

/// Before the entry is written, so that it says why nothing is heard.
void stepper::play_first(evaluation_outcome outcome) {
  auto& t = running();
  playback::play play;
  for (auto& music : outcome.what->played) {
    playback::passage p;
    p.name = "music";
    p.music = music;
    p.env = planned().env;
    play.passages.push_back(std::move(p));
  }
  t.evaluated = std::move(outcome);
  t.phase = running_turn::phase_t::performing;
  auto client = std::get_if<client_request>(&t.request);
  auto source = client ? client->source : std::get<line_request>(t.request).source;
  act(perform_effect{t.id, playback_effect{std::move(play)}, std::move(source)});
}

void stepper::finish_line(const line_request& line, const evaluation_outcome& outcome,
                          const session_state& on) {
  // A line that is nothing but a comment.
  if (outcome.what && is_only_comment(*outcome.what)) return write_last({});
  // A line that is not UTF-8 is of no kind; it is kept as it is.
  auto text = line.line.undecodable ? line.line.text : line.line.input.text;
  auto made =
      evaluated(on, {std::move(text), line.source, {}, outcome.printed}, outcome.what, c_.now);
  if (!line.preview) return write_last({std::move(made)});
  auto unrecorded = std::make_shared<history_entry>(*entry_of(made));
  unrecorded->index = 0;
  running().entries.push_back(std::move(unrecorded));
  write_last({});
}

void stepper::finish_client(const client_request& client, const evaluation_outcome& outcome) {
  if (outcome.what && is_only_comment(*outcome.what)) {
    refuse_turn refusal;
    refusal.reason = refuse_turn::reason_t::no_expression;
    return refuse(std::move(refusal));
  }
  auto made =
      evaluated(planned(), {client.text, client.source, {}, outcome.printed}, outcome.what, c_.now);
  auto was_stopped = !outcome.what && outcome.what.error().first().code == errc::cancelled;
  if (client.kept && !was_stopped)
    made.events.push_back(answer_given{kept_with(*client.kept, *entry_of(made))});
  if (auto bytes = journal_bytes(made); bytes > c_.client_bytes) {
    refuse_turn refusal;
    refusal.reason = refuse_turn::reason_t::too_large;
    refusal.bytes = bytes;
    return refuse(std::move(refusal));
  }
  write_last({std::move(made)});
}

/// The evaluation that a command asked for (`:accept`, `:time`, ...).
void stepper::finish_command_evaluation(const line_request& line,
                                        const evaluation_outcome& outcome) {
  auto& command = *running().command;
  auto effect = std::get<evaluation_effect>(command.requested_effect);
  auto& what = outcome.what;
  if (auto said = instead_of_accepting(planned(), effect, what, line.accessible))
    return finish_effect(std::move(said->output), said->ok);
  command.ok = what.has_value();
  // Without a proposal the entry of the evaluation has the error.
  command.output = command.ok        ? effect.remark
                   : effect.proposal ? message_of(what.error())
                                     : std::string{};
  if (command.ok && effect.proposal)
    command.output += ": " + change_summary(what->delta, difference(*planned().env, *what->env));
  if (effect.timed)
    command.output += fmt::format("{}took {:.3f} ms", command.output.empty() ? "" : "\n",
                                  static_cast<double>(outcome.took.count()) / 1000.0);
  auto batch = transitions_of_command(planned(), line);
  // A proposal that can no longer be evaluated stays open; nothing of it becomes an entry.
  if (command.ok || !effect.proposal) {
    auto made =
        evaluated(state_after(planned(), batch),
                  {effect.text, effect.source, effect.proposal, outcome.printed}, what, c_.now);
    if (effect.proposal) made.events.push_back(proposal_resolved{*effect.proposal, true, {}});
    batch.push_back(std::move(made));
  }
  write_last(std::move(batch));
}

// --- commands ------------------------------------------------------------------------------------

void stepper::on(command_done& in) {
  if (!is_in(in.id, running_turn::phase_t::running_command)) return;
  command_ran(std::move(in.outcome));
}

void stepper::on(search_done& in) {
  auto in_turn = s_.running && running().id == in.id;
  auto outcome = c_.is_cancelled(in.id) ? refused(in_turn ? "interrupted; nothing was changed"
                                                          : "interrupted; the search is incomplete")
                 : in.outcome           ? std::move(*in.outcome)
                                        : refused(in.outcome.error().first().message);
  if (in_turn) return command_ran(std::move(outcome));
  auto set_aside = s_.aside.find(in.id);
  if (set_aside == s_.aside.end()) return;
  s_.resuming.push_back({std::move(set_aside->second), std::move(outcome)});
  s_.aside.erase(set_aside);
}

void stepper::command_ran(command_outcome outcome) {
  auto& t = running();
  auto& line = std::get<line_request>(t.request);
  auto pending = std::exchange(t.pending, {});
  t.effect = outcome.effect;
  t.command = std::move(outcome);
  auto& effect = t.command->requested_effect;
  if (c_.read_only && std::visit(is_about_writing{}, effect)) return refuse(refused_read_only());
  if (std::holds_alternative<std::monostate>(effect)) {
    auto of_command = transitions_of_command(state_after(planned(), pending), line);
    pending.insert(pending.end(), of_command.begin(), of_command.end());
    return write_last(std::move(pending));
  }
  write_first(std::move(pending));
  if (auto evaluation = std::get_if<evaluation_effect>(&effect)) {
    t.phase = running_turn::phase_t::evaluating;
    auto rule =
        evaluation->proposal ? std::optional{rule_of_proposals(planned())} : evaluation->rule;
    return act(evaluate_text{t.id, evaluation->text, false, rule});
  }
  t.phase = running_turn::phase_t::performing;
  act(perform_effect{t.id, effect, line.source, line.accessible});
}

void stepper::on(effect_done& in) {
  if (!is_in(in.id, running_turn::phase_t::performing)) return;
  auto& t = running();
  if (auto evaluated = std::exchange(t.evaluated, std::nullopt)) {
    if (!in.ok) evaluated->what->remarks.push_back("not played: " + in.output);
    return finish_evaluation(*evaluated);
  }
  if (in.saved) t.broken.reset();
  if (in.effect.kind != turn_effect::kind_t::none) t.effect = std::move(in.effect);
  if (in.afterwards) t.afterwards = std::move(in.afterwards);
  auto& command = *t.command;
  if (!in.delta.empty()) command.delta = std::move(in.delta);
  if (!in.env_change.empty()) command.env_change = std::move(in.env_change);
  command.events.insert(command.events.end(), in.events.begin(), in.events.end());
  finish_effect(std::move(in.output), in.ok);
}

void stepper::finish_effect(std::string output, bool ok) {
  auto& t = running();
  t.command->output = std::move(output);
  t.command->ok = ok;
  auto batch = transitions_of_command(planned(), std::get<line_request>(t.request));
  write_last(std::move(batch));
}

std::vector<transition> stepper::transitions_of_command(const session_state& on,
                                                        const line_request& line) const {
  auto& outcome = *s_.running->command;
  std::vector<transition> all;
  if (outcome.recorded) {
    command_entry entry;
    entry.text = ':' + line.line.input.text;
    // A path with a name that is not UTF-8 may be in it.
    entry.output = as_valid_utf8(outcome.output);
    entry.ok = outcome.ok;
    entry.delta = outcome.delta;
    entry.env_change = outcome.env_change;
    entry.revision_before = on.revision;
    entry.revision_after = on.revision + (outcome.delta.empty() ? 0 : 1);
    all.push_back(committed(on, std::move(entry), line.source, c_.now));
  } else if (!outcome.events.empty()) {
    all.emplace_back();
  }
  if (!all.empty())
    all.back().events.insert(all.back().events.end(), outcome.events.begin(), outcome.events.end());
  if (line.kept && outcome.recorded) {
    auto kept = *line.kept;
    auto entry = entry_of(all.back());
    kept.entry = entry->index;
    kept.revision = std::get<command_entry>(entry->kind).revision_after;
    all.back().events.push_back(answer_given{std::move(kept)});
  }
  if (outcome.further)
    all.push_back(
        committed(state_after(on, all), outcome.further->kind, outcome.further->source, c_.now));
  return all;
}

}  // namespace fermata
