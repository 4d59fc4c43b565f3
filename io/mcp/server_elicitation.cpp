// Where the host can put a form before its user, a proposal is put there too: the person decides
// there, or leaves it to the user at the prompt. A form that is declined or closed decides nothing:
// some hosts close it by themselves.

#include "io/mcp/json_text.hpp"
#include "io/mcp/tool_call.hpp"
#include "io/text/line_decoder.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <random>
#include <utility>

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
      R"({{"type":"string","title":"Decision","description":"later: decide at the prompt","enum":["accept","reject","later"]}})"
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
  q.text = fmt::format("Proposal {} for the session {}:\n\n{}\n\n{}{}Accept it into the score?",
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
  c->f->too_late = [this, c, q] {
    drop_question(c->f);
    tell_state(c, q, {});
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
           "requestState does not belong to this call, or has expired; the proposal is still open");
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
  c->f = start_call(r);
  c->may_ask = false;
  c->where.instance = q.instance;
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
    tell_state(c, q, {});
    return;
  }
  c->f->waits_for_others = false;
  c->f->too_late = [this, c, q] {
    if (land(c->f))
      tool_error(*c, kept_proposal("timed_out", "Fermata did not respond in time", q, "unknown"));
  };
  ask(c->f, q.instance, "answer_proposal",
      fmt::format(R"({{"session":{},"proposal":{},"accept":{}}})", json_string(q.session),
                  q.proposal, decision == "accept"),
      [this, c, q](call_outcome what) { answer_taken(c, q, std::move(what)); });
}

server::nowhere server::kept_proposal(std::string_view error, std::string_view message,
                                      const question& q, std::string_view outcome) {
  return {std::string{error}, fmt::format("{}; proposal {} is still open", message, q.proposal),
          "do not propose it again: it stays open at the user's prompt until decided, even after a "
          "restart. repl_get_session lists open proposals",
          false,
          fmt::format(R"("outcome":"{}","proposal":{},"session":{})", outcome, q.proposal,
                      json_string(q.session))};
}

/// The proposal was made whatever comes now, so its number is in every answer: whoever does not
/// learn it makes another one.
void server::answer_taken(const std::shared_ptr<tool_call>& c, const question& q,
                          call_outcome what) {
  switch (what.kind) {
    case call_outcome::kind_t::result:
      if (land(c->f)) tool_done(*c, std::move(what.body));
      return;
    case call_outcome::kind_t::refused: {
      const auto why = refusal(what.body);
      tell_state(
          c, q,
          fmt::format("the answer in the form was not accepted: {}; {}", why.message, why.hint));
      return;
    }
    case call_outcome::kind_t::lost:
      if (land(c->f))
        tool_error(*c,
                   kept_proposal("session_lost", "Fermata exited while the form was being answered",
                                 q, "unknown"));
      return;
    case call_outcome::kind_t::unreachable:
      if (land(c->f))
        tool_error(*c, kept_proposal("session_lost", "Fermata exited before the form was answered",
                                     q, "proposed"));
      return;
  }
}

/// The result of the call, with what has become of its proposal meanwhile: the user can decide it
/// at the prompt while the form is open.
void server::tell_state(const std::shared_ptr<tool_call>& c, const question& q, std::string note) {
  auto tell = [this, c, q](std::string_view outcome, std::string words) {
    if (!land(c->f)) return;
    boost::system::error_code ec;
    auto body = json::parse(q.body, ec);
    auto& members = body.get_object();
    members["outcome"] = outcome;
    if (!words.empty()) {
      // One note with both.
      if (auto chosen = std::exchange(c->where.note, {}); !chosen.empty()) words += "; " + chosen;
      members["note"] = words;
    }
    tool_done(*c, json::serialize(body));
  };
  auto unheard = [tell, note] {
    tell("proposed",
         fmt::format("{}{}the state of the proposal is unknown", note, note.empty() ? "" : "; "));
  };
  c->f->waits_for_others = false;
  c->f->deadline = now_ + options_.patience;
  c->f->too_late = unheard;
  ask(c->f, q.instance, "get_proposal",
      fmt::format(R"({{"session":{},"proposal":{}}})", json_string(q.session), q.proposal),
      [tell, unheard, note](const call_outcome& what) {
        boost::system::error_code ec;
        const auto answer = json::parse(what.body, ec);
        const auto* found = ec ? nullptr : answer.if_object();
        const auto state = found ? text_of(member(*found, "state")) : std::string_view{};
        if (what.kind != call_outcome::kind_t::result || state.empty()) return unheard();
        if (state == "open") return tell("proposed", note);
        auto words = fmt::format("the user {} it at the prompt", state);
        if (const auto reason = text_of(member(*found, "reason")); !reason.empty())
          words += fmt::format(": {}", reason);
        tell(state, std::move(words));
      });
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
