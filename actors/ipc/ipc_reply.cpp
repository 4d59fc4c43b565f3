#include "actors/ipc/ipc_reply.hpp"

#include "io/json/entry_json.hpp"
#include "io/protocol/event_stream.hpp"
#include "io/text/line_decoder.hpp"
#include "messages/errors.hpp"

#include <caf/error.hpp>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace json = boost::json;

namespace fermata::actors {

using io::protocol::fault;
using io::protocol::fault_code;

fault to_fault(const caf::error& e) {
  const auto detail = detail_of(e);
  fault out;
  out.code = problem_of(e);
  out.message = detail.message;
  auto advice = detail.advice;
  if (!detail.cause.diagnostics.empty()) {
    out.data = io::to_json(detail.cause, detail.source, io::client_view);
    if (out.message.empty()) out.message = detail.cause.first().message;
    if (advice.empty())
      advice = detail.cause.first().hint.empty() ? "correct the expression; nothing was changed"
                                                 : detail.cause.first().hint;
  }
  // What is written for the prompt helps no program.
  constexpr std::string_view command = "`:";
  if (!detail.cause.diagnostics.empty() && detail.cause.first().code == errc::cancelled)
    advice = "the user stopped it; ask before repeating it";
  else if (out.code == fault_code::not_found && advice.find(command) != std::string::npos)
    advice.clear();
  else if (advice.find(command) != std::string::npos)
    advice.insert(0, "at the prompt: ");
  if (detail.revision) out.data["revision"] = *detail.revision;
  if (detail.retry_after_ms) out.data["retry_after_ms"] = *detail.retry_after_ms;
  if (advice.empty()) switch (out.code) {
      case fault_code::conflict: advice = "read again, then retry with the current revision"; break;
      case fault_code::busy: advice = "try again later"; break;
      case fault_code::not_found: advice = "list_sessions lists the sessions"; break;
      case fault_code::not_permitted:
        advice = "ask the user, or use eval_preview, which changes nothing";
        break;
      case fault_code::unavailable: advice = "try again; list_sessions lists the sessions"; break;
      default: advice = "correct the request"; break;
    }
  out.data["hint"] = advice;
  if (out.message.empty()) out.message = io::protocol::info(out.code).when;
  return out;
}

std::shared_ptr<const std::vector<io::protocol::session_row>> to_rows(
    const std::vector<session_summary>& list) {
  auto out = std::make_shared<std::vector<io::protocol::session_row>>();
  out->reserve(list.size());
  for (const auto& s : list)
    out->push_back({s.meta, s.score, s.entries, s.active, s.loaded});
  return out;
}

namespace {

/// Bytes of a printed value in a reply; the whole value is in the timeline.
constexpr std::size_t output_limit = 12'000;

}  // namespace

json::object message_result(const session_snapshot& s, const message_receipt& receipt) {
  return {{"session", s->meta.slug},
          {"revision", s->revision},
          {"changed", true},
          {"ticket", receipt.ticket},
          {"waiting", receipt.waiting}};
}

json::object evaluation_result(std::string_view session, const remote_outcome& outcome,
                               bool preview) {
  json::object out{
      {"session", session}, {"revision", outcome.revision}, {"changed", outcome.changed}};
  if (!preview) {
    out["outcome"] = outcome.proposal ? "proposed" : outcome.entry ? "done" : "previewed";
    if (outcome.proposal) out["proposal"] = *outcome.proposal;
    if (outcome.entry) {
      out["entry"] = outcome.entry->index;
      if (const auto* e = std::get_if<eval_entry>(&outcome.entry->kind)) {
        out["before"] = e->revision_before;
        out["after"] = e->revision_after;
      }
      if (outcome.scratch) out["scratch"] = true;
    }
  }
  if (!outcome.output_text.empty()) {
    out["output"] = io::protocol::clipped(outcome.output_text, output_limit);
    if (outcome.output_text.size() > output_limit) out["truncated"] = true;
  }
  if (!outcome.delta_summary.empty()) out["delta"] = outcome.delta_summary;
  if (!outcome.remarks.empty())
    out["remarks"] = json::array(outcome.remarks.begin(), outcome.remarks.end());
  return out;
}

namespace {

/// Whether the entry changes the score, or what names mean.
bool changes_something(const history_entry& e) {
  if (const auto* command = std::get_if<command_entry>(&e.kind))
    return !command->delta.empty() || !command->env_change.empty();
  if (const auto* eval = std::get_if<eval_entry>(&e.kind))
    return !eval->delta.empty() || !eval->env_change.empty();
  return false;
}

/// Session, revisions and entries of a turn that consists of one command.
json::object turn_result(const turn& t) {
  auto before = t.after->revision;
  json::array entries;
  bool changed = false;
  for (const auto& e : t.entries) {
    changed |= changes_something(*e);
    if (const auto* command = std::get_if<command_entry>(&e->kind);
        command && command->revision_before != command->revision_after)
      before = std::min(before, command->revision_before);
    if (const auto* eval = std::get_if<eval_entry>(&e->kind);
        eval && eval->revision_before != eval->revision_after)
      before = std::min(before, eval->revision_before);
    entries.push_back(io::to_json(*e, {.text_limit = 2'000, .carets = true, .max_faults = 20}));
  }
  return {{"session", t.after->meta.slug},
          {"revision", t.after->revision},
          {"changed", changed || t.after->revision != before},
          {"before", before},
          {"after", t.after->revision},
          {"entries", std::move(entries)}};
}

}  // namespace

json::object undo_result(const turn& t) { return turn_result(t); }

json::object decision_result(std::int64_t proposal, bool accept, const turn& t) {
  auto out = turn_result(t);
  const bool done = std::all_of(t.entries.begin(), t.entries.end(), [](const entry_ptr& e) {
    const auto* command = std::get_if<command_entry>(&e->kind);
    const auto* eval = std::get_if<eval_entry>(&e->kind);
    return (!command || command->ok) && (!eval || !eval->failure);
  });
  out["outcome"] = !done ? "failed" : accept ? "accepted" : "rejected";
  out["proposal"] = proposal;
  return out;
}

std::vector<std::string_view> event_kinds(const session_event& e) {
  return io::protocol::kinds_of_event(e.what);
}

json::object event_params(const session_event& e, std::int64_t& seen, std::size_t most) {
  json::array what;
  for (auto kind : event_kinds(e))
    what.emplace_back(kind);
  json::object out{{"session", e.session},
                   {"sequence", e.sequence},
                   {"what", std::move(what)},
                   {"revision", e.after->revision},
                   {"total", e.after->history.size()}};
  // The other members take a small part of a line. An entry always fits in what is left.
  constexpr auto room = io::protocol::max_line - std::size_t{64} * 1024;
  static_assert(io::client_entry_limit < room);
  // Taken from the timeline and not from the event, which leaves entries out for slow readers.
  json::array entries;
  std::size_t used = 0;
  while (seen < e.after->history.size() && entries.size() < most) {
    auto [row, bytes] = io::to_client_json(*e.after->history.at(seen + 1));
    if (used + bytes + 1 > room) break;
    used += bytes + 1;
    entries.push_back(std::move(row));
    ++seen;
  }
  out["entries"] = std::move(entries);
  return out;
}

}  // namespace fermata::actors
