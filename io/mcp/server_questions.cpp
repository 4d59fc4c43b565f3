// Where the host can put a form before its user, a proposal is put there too: the person decides
// there, or leaves it to the musician at the prompt. A form that is declined or closed decides
// nothing: some hosts close it by themselves.

#include "io/mcp/json_text.hpp"
#include "io/mcp/tool_call.hpp"
#include "io/protocol/line_decoder.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <random>

namespace json = boost::json;

namespace fermata::io::mcp {

namespace {

constexpr std::chrono::minutes question_life{10};
constexpr std::size_t most_questions = 64;

/// What nobody can guess: whoever shows it was given it by us.
std::string fresh_state() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

std::string form(std::string_view text) {
  return fmt::format(
      R"({{"message":{},"requestedSchema":{{"type":"object","properties":{{"decision":)"
      R"({{"type":"string","title":"Decision","description":"later: it waits at the prompt","enum":["accept","reject","later"]}})"
      R"(}},"required":["decision"]}}}})",
      json_string(text));
}

}  // namespace

bool server::ask_person(const std::shared_ptr<tool_call>& c, const std::string& body) {
  if (input_ended_ || body.find(R"("proposal":)") == std::string::npos) return false;
  boost::system::error_code ec;
  const auto parsed = json::parse(body, ec);
  const auto* result = ec ? nullptr : parsed.if_object();
  const auto* number = result ? member(*result, "proposal") : nullptr;
  if (!number || !number->is_int64() || text_of(member(*result, "outcome")) != "proposed")
    return false;
  const auto arguments = json::parse(c->arguments, ec);
  const auto* given = ec ? nullptr : arguments.if_object();
  question q;
  q.instance = c->where.instance;
  q.session = text_of(member(*result, "session"));
  q.proposal = number->get_int64();
  q.body = body;
  q.call = fmt::format("{}\n{}\n{}", c->row->name, c->session, c->arguments);
  q.expires = now_ + question_life;
  const auto delta = text_of(member(*result, "delta"));
  q.text = fmt::format("Proposal {} for the session {}:\n\n{}\n\n{}{}Take it into the score?",
                       q.proposal, q.session,
                       protocol::clipped(given ? text_of(member(*given, "text")) : "", 2'000),
                       delta, delta.empty() ? "" : "\n\n");
  c->may_ask = false;
  if (c->f->era == era::modern) {
    while (questions_.size() >= most_questions) {
      auto oldest = questions_.begin();
      for (auto it = questions_.begin(); it != questions_.end(); ++it)
        if (it->second.expires < oldest->second.expires) oldest = it;
      questions_.erase(oldest);
    }
    if (!land(c->f)) return true;
    const auto state = fresh_state();
    request r;
    r.id = c->f->id;
    r.era = c->f->era;
    ask_again(r, state, questions_[state] = std::move(q));
    return true;
  }
  const auto id = fmt::format("fermata-{}", next_question_++);
  out += fmt::format(R"({{"jsonrpc":"2.0","id":"{}","method":"elicitation/create","params":{}}})",
                     id, form(q.text));
  out += '\n';
  // A person may take longer than the host waits for the call: then the proposal waits at the
  // prompt, and an answer that comes later finds no question.
  c->f->too_late = [this, c, result_of_call = q.body] {
    drop_question(c->f);
    if (land(c->f)) tool_result(*c, result_of_call);
  };
  c->f->waits_for_others = true;
  asked_.emplace(id, asked_person{c, std::move(q)});
  return true;
}

void server::ask_again(const request& r, const std::string& state, const question& q) {
  auto params = form(q.text);
  params.insert(1, R"("mode":"form",)");
  reply(
      r.id, r.era,
      fmt::format(R"("inputRequests":{{"decision":{{"method":"elicitation/create","params":{}}}}},)"
                  R"("requestState":"{}")",
                  params, state),
      "input_required");
}

bool server::answer_came(const request& r, const std::shared_ptr<tool_call>& c) {
  const auto* state = member(*r.params, "requestState");
  if (r.era != era::modern || !state) return false;
  auto it = questions_.find(text_of(state));
  if (it == questions_.end() || it->second.expires < now_ ||
      it->second.call != fmt::format("{}\n{}\n{}", c->row->name, c->session, c->arguments)) {
    refuse(r.id, code::invalid_params,
           "requestState is not one of this call, or has expired; its proposal still waits for the "
           "musician");
    return true;
  }
  const auto* responses = object_of(member(*r.params, "inputResponses"));
  const auto* answer = responses ? object_of(member(*responses, "decision")) : nullptr;
  if (!answer) {
    ask_again(r, it->first, it->second);
    return true;
  }
  const auto q = std::move(it->second);
  questions_.erase(it);
  c->f = take_off(r);
  c->may_ask = false;
  c->where.instance = q.instance;
  c->f->too_late = [this, c] {
    if (land(c->f))
      tool_error(*c, {"timed_out", "Fermata did not answer in time",
                      "look with repl_get_session whether it took effect", false,
                      R"("outcome":"unknown")"});
  };
  decide(c, q, answer);
  return true;
}

void server::response_came(const json::object& message) {
  const auto* id = member(message, "id");
  auto it = id ? asked_.find(text_of(id)) : asked_.end();
  if (it == asked_.end()) return;
  auto asked = std::move(it->second);
  asked_.erase(it);
  decide(asked.of, asked.what, object_of(member(message, "result")));
}

void server::decide(const std::shared_ptr<tool_call>& c, const question& q,
                    const json::object* answer) {
  const auto* content = answer ? object_of(member(*answer, "content")) : nullptr;
  const auto decision = answer && text_of(member(*answer, "action")) == "accept" && content
                            ? text_of(member(*content, "decision"))
                            : std::string_view{};
  if (decision != "accept" && decision != "reject") {
    if (land(c->f)) tool_result(*c, q.body);
    return;
  }
  // From here on it is a write like any other, whose loss leaves its outcome unknown.
  c->repeated = true;
  c->f->waits_for_others = false;
  std::string params = R"({"session":)";
  append_string(params, q.session);
  params += fmt::format(R"(,"proposal":{},"accept":{}}})", q.proposal, decision == "accept");
  ask(c->f, q.instance, "answer_proposal", params,
      [this, c](call_outcome what) { tool_answered(c, std::move(what)); });
}

void server::drop_question(const flight_ptr& f) {
  for (auto it = asked_.begin(); it != asked_.end(); ++it)
    if (it->second.of->f == f) {
      notify("notifications/cancelled", fmt::format(R"({{"requestId":"{}"}})", it->first));
      asked_.erase(it);
      return;
    }
}

}  // namespace fermata::io::mcp
