// Messages to the user, and work on the score under the user's policy.

#include "core/session/timeline/score_text.hpp"
#include "io/protocol/common_fields.hpp"
#include "io/protocol/method.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace json = boost::json;

namespace fermata::io::protocol {

namespace {

constexpr std::int64_t max_message = 32'000;
constexpr std::int64_t max_program = 256'000;

constexpr field text_param{.name = "text",
                           .doc = "Fermata expressions",
                           .required = true,
                           .min = 1,
                           .max = max_program,
                           .plain = true};
constexpr field output_result{.name = "output", .doc = "the value, as printed"};
constexpr field truncated_result{
    .name = "truncated", .type = json_type::boolean, .doc = "`output` was cut"};
constexpr field delta_result{.name = "delta", .doc = "summary of the change to the score"};
constexpr field remarks_result{.name = "remarks",
                               .type = json_type::array,
                               .doc = "what was dropped because it contradicts the edit",
                               .items = json_type::string};

constexpr field message_params[] = {
    {.name = "text",
     .doc = "text of the message",
     .required = true,
     .min = 1,
     .max = max_message,
     .plain = true},
    session_param,
    idempotency_param,
};
constexpr field message_result[] = {
    session_result,
    revision_result,
    changed_result,
    {.name = "ticket",
     .type = json_type::integer,
     .doc = "sequence number of the message",
     .required = true},
    {.name = "waiting",
     .type = json_type::integer,
     .doc = "messages not yet shown",
     .required = true},
};
answer<command> send_message(const arguments& args) {
  return post_message{std::string{args.text("session")}, std::string{args.text("text")},
                      std::string{args.text("idempotency_key")}};
}

answer<command> evaluation(const arguments& args, evaluate_text::mode_t mode) {
  evaluate_text out;
  out.session = args.text("session");
  out.text = args.text("text");
  out.mode = mode;
  if (auto rev = args.integer("expect_rev")) out.expect_rev = static_cast<std::uint64_t>(*rev);
  out.idempotency_key = args.text("idempotency_key");
  return out;
}

constexpr field preview_params[] = {text_param, session_param};
constexpr field preview_result[] = {session_result, revision_result,  changed_result,
                                    output_result,  truncated_result, delta_result,
                                    remarks_result};
answer<command> eval_preview(const arguments& args) {
  return evaluation(args, evaluate_text::mode_t::preview);
}

constexpr field eval_params[] = {
    text_param,
    session_param,
    expect_rev_param,
    idempotency_param,
};
constexpr std::string_view outcomes[] = {"done", "proposed", "previewed"};
constexpr field eval_result[] = {
    session_result,
    revision_result,
    changed_result,
    {.name = "outcome",
     .doc = "done; proposed: waiting for the user; previewed: not allowed by policy",
     .required = true,
     .choices = outcomes},
    {.name = "before", .type = json_type::integer, .doc = "revision before"},
    {.name = "after", .type = json_type::integer, .doc = "revision after"},
    {.name = "proposal", .type = json_type::integer, .doc = "number of the proposal"},
    {.name = "entry", .type = json_type::integer, .doc = "entry number"},
    {.name = "scratch",
     .type = json_type::boolean,
     .doc = "true: `:scratch` is on, so the score did not change; use propose"},
    output_result,
    truncated_result,
    delta_result,
    remarks_result,
};
answer<command> eval(const arguments& args) {
  return evaluation(args, evaluate_text::mode_t::eval);
}
answer<command> propose(const arguments& args) {
  return evaluation(args, evaluate_text::mode_t::propose);
}

constexpr field undo_params[] = {
    {.name = "count",
     .type = json_type::integer,
     .doc = "changes to undo (default 1)",
     .min = 1,
     .max = 1'000,
     .plain = true},
    session_param,
    expect_rev_param,
    idempotency_param,
};
constexpr field undo_result[] = {
    session_result,
    revision_result,
    changed_result,
    {.name = "before", .type = json_type::integer, .doc = "revision before", .required = true},
    {.name = "after", .type = json_type::integer, .doc = "revision after", .required = true},
    {.name = "entries",
     .type = json_type::array,
     .doc = "new entries in the timeline",
     .required = true,
     .items = json_type::object},
};
answer<command> undo(const arguments& args) {
  undo_changes out{std::string{args.text("session")},
                   args.integer("count").value_or(1),
                   {},
                   std::string{args.text("idempotency_key")}};
  if (auto rev = args.integer("expect_rev")) out.expect_rev = static_cast<std::uint64_t>(*rev);
  return out;
}

constexpr field answer_params[] = {
    {.name = "proposal",
     .type = json_type::integer,
     .doc = "number of the proposal",
     .required = true,
     .min = 1},
    {.name = "accept",
     .type = json_type::boolean,
     .doc = "true: accept; false: reject",
     .required = true},
    session_param,
};
constexpr std::string_view decisions[] = {"accepted", "rejected", "failed"};
constexpr field answer_result[] = {
    session_result,
    revision_result,
    changed_result,
    {.name = "outcome",
     .doc = "failed: it could not be applied; see `entries`",
     .required = true,
     .choices = decisions},
    {.name = "before", .type = json_type::integer, .doc = "revision before", .required = true},
    {.name = "after", .type = json_type::integer, .doc = "revision after", .required = true},
    {.name = "proposal",
     .type = json_type::integer,
     .doc = "number of the proposal",
     .required = true},
    {.name = "entries",
     .type = json_type::array,
     .doc = "new entries in the timeline",
     .required = true,
     .items = json_type::object},
};
answer<command> answer_to_proposal(const arguments& args) {
  return answer_proposal{std::string{args.text("session")}, args.integer("proposal").value_or(0),
                         args.flag("accept")};
}

constexpr field proposal_params[] = {
    {.name = "proposal",
     .type = json_type::integer,
     .doc = "number of the proposal",
     .required = true,
     .min = 1},
    session_param,
};
constexpr std::string_view states[] = {"open", "accepted", "rejected"};
constexpr field proposal_result[] = {
    session_result,
    revision_result,
    {.name = "proposal",
     .type = json_type::integer,
     .doc = "number of the proposal",
     .required = true},
    {.name = "state", .doc = "open: undecided", .required = true, .choices = states},
    {.name = "by", .doc = "the client that made it", .required = true},
    {.name = "text", .doc = "what was proposed, as Fermata text", .required = true},
    {.name = "delta",
     .doc = "what it changes, in words; of one that was accepted in part, what is left",
     .required = true},
    {.name = "reason",
     .doc = "the user's reason for a rejection; of an open proposal, what was accepted of it"},
};
answer<json::object> get_proposal(const query& q, const arguments& args) {
  const auto number = args.integer("proposal").value_or(0);
  const auto& all = q.session->proposals;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& p) { return p.number == number; });
  if (found == all.end())
    return refuse({fault_code::not_found,
                   fmt::format("proposal {} does not exist, or was decided long ago", number),
                   "get_session lists the open ones",
                   {{"param", "proposal"}, {"got", number}}});
  json::object out{{"session", q.session->meta.slug},
                   {"revision", q.session->revision},
                   {"proposal", found->number},
                   {"state", states[static_cast<std::size_t>(found->state)]},
                   {"by", found->source.author},
                   {"text", found->text},
                   {"delta", change_summary(found->delta, found->env_change)}};
  if (!found->reason.empty()) out["reason"] = found->reason;
  return out;
}
static_assert(static_cast<int>(proposal::state_t::open) == 0 &&
              static_cast<int>(proposal::state_t::accepted) == 1 &&
              static_cast<int>(proposal::state_t::rejected) == 2);

constexpr method edit_rows[] = {
    {.name = "send_message",
     .title = "Send a message to the user",
     .doc = "Shown to the user at the next prompt and kept in the timeline.",
     .access_kind = access::write,
     .offered = audience::socket_and_mcp,
     .params = message_params,
     .result = message_result,
     .handler = command_handler{send_message}},
    {.name = "eval_preview",
     .title = "Try an expression",
     .doc = "Evaluates and reports what would change, keeping nothing. Use it for analysis.",
     .offered = audience::socket_and_mcp,
     .params = preview_params,
     .result = preview_result,
     .handler = command_handler{eval_preview}},
    {.name = "eval",
     .title = "Evaluate",
     .doc = "Evaluates in the session, subject to its policy; usually the user is asked first. "
            "Notation, "
            "(add X) and edits change the score; other expressions only show their value.",
     .access_kind = access::write,
     .offered = audience::socket_and_mcp,
     .destructive = true,
     .params = eval_params,
     .result = eval_result,
     .handler = command_handler{eval}},
    {.name = "propose",
     .title = "Propose a change",
     .doc = "Like eval, but always asks the user. Notation, (add X) and edits change the score.",
     .access_kind = access::write,
     .offered = audience::socket_and_mcp,
     .params = eval_params,
     .result = eval_result,
     .handler = command_handler{propose}},
    {.name = "undo",
     .title = "Undo",
     .doc = "Undoes the last changes, as one entry. Needs policy allow.",
     .access_kind = access::write,
     .offered = audience::socket_and_mcp,
     .destructive = true,
     .params = undo_params,
     .result = undo_result,
     .handler = command_handler{undo}},
    {.name = "get_proposal",
     .title = "Read a proposal",
     .doc = "The content and state of a proposal.",
     .wants = needs::session,
     .params = proposal_params,
     .result = proposal_result,
     .handler = query_handler{get_proposal}},
    {.name = "answer_proposal",
     .title = "Answer a proposal",
     .doc = "Passes on the decision of the person at an MCP client about a proposal made by that "
            "client; used by `fermata mcp`. Only for clients whose `door` is `mcp`, and only for "
            "their own proposals.",
     .access_kind = access::write,
     .params = answer_params,
     .result = answer_result,
     .handler = command_handler{answer_to_proposal}},
};

}  // namespace

std::span<const method> edit_methods() { return edit_rows; }

}  // namespace fermata::io::protocol
