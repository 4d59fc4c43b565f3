#include "tests/io/mcp/mcp_host.hpp"

// Elicitation: specification of 2025-11-25, client/elicitation, and of 2026-07-28, "Multi
// Round-Trip Requests".

namespace fermata::io::mcp::server_elicitation_test {

namespace {

constexpr auto proposed =
    R"({"session":"fugue","revision":4,"changed":false,"outcome":"proposed","proposal":3,"delta":"1 note added"})";
constexpr auto accepted =
    R"({"session":"fugue","revision":5,"changed":true,"outcome":"accepted","proposal":3})";

void shake_hands(host& h, std::string_view capabilities) {
  h.legacy("initialize", fmt::format(R"({{"protocolVersion":"2025-11-25","capabilities":{},)"
                                     R"("clientInfo":{{"name":"x","version":"1"}}}})",
                                     capabilities));
  h.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
}

/// The question that a proposal leads to.
json::value asked_about(host& h, std::string_view tool = "repl_eval") {
  h.backend.start(1);
  h.call_tool(9, tool, R"x({"text":"(note c4 :q)"})x");
  h.backend.result(proposed);
  auto lines = h.read();
  REQUIRE(lines.size() == 1);
  return lines.front();
}

/// Answers what is asked about proposal 3: whether it was decided.
void state_is(host& h, std::string_view state, std::string_view more = "") {
  REQUIRE(h.backend.asked.size() == 1);
  REQUIRE(h.backend.asked.front().method == "get_proposal");
  CHECK(json::parse(h.backend.asked.front().params) ==
        json::value{{"session", "fugue"}, {"proposal", 3}});
  h.backend.result(fmt::format(
      R"({{"session":"fugue","revision":6,"proposal":3,"state":"{}","by":"x","text":"1"{}}})",
      state, more));
}

/// The person at the client says something to the form.
void decide(host& h, const json::value& form, std::string_view decision) {
  h.send(fmt::format(
      R"({{"jsonrpc":"2.0","id":{},"result":{{"action":"accept","content":{{"decision":"{}"}}}}}})",
      json::serialize(form.at("id")), decision));
}

std::string modern_call(int id, std::string_view more = "",
                        std::string_view text = "(note c4 :q)") {
  return fmt::format(
      R"({{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"repl_eval","arguments":{{"text":"{}"}},)"
      R"("_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
      R"("io.modelcontextprotocol/clientCapabilities":{{"elicitation":{{"form":{{}}}}}}}}{}}}}})",
      id, text, more);
}

}  // namespace

TEST_CASE("the person at the client is asked about a proposal and decides it there") {
  for (bool yes : {true, false}) {
    host h;
    shake_hands(h, R"({"elicitation":{}})");
    auto q = asked_about(h);
    CHECK(q.at("method") == "elicitation/create");
    CHECK_FALSE(q.at("params").as_object().contains("mode"));
    CHECK(std::string{q.at("params").at("message").as_string()}.find("(note c4 :q)") !=
          std::string::npos);
    h.send(fmt::format(
        R"({{"jsonrpc":"2.0","id":{},"result":{{"action":"accept","content":{{"decision":"{}"}}}}}})",
        json::serialize(q.at("id")), yes ? "accept" : "reject"));
    REQUIRE(h.backend.asked.size() == 1);
    CHECK(h.backend.asked.front().method == "answer_proposal");
    auto params = json::parse(h.backend.asked.front().params);
    CHECK(params.at("session") == "fugue");
    CHECK(params.at("proposal") == 3);
    CHECK(params.at("accept") == yes);
    h.backend.result(accepted);
    auto lines = h.read();
    REQUIRE(lines.size() == 1);
    CHECK(lines.front().at("id") == 9);
    CHECK(structured(lines.front()) == json::parse(accepted));
    CHECK(h.mcp.in_flight() == 0);
  }
}

TEST_CASE("a form that is put off, declined, closed or refused leaves the proposal at the prompt") {
  for (std::string answer :
       {R"("result":{"action":"accept","content":{"decision":"later"}})",
        R"("result":{"action":"decline"})", R"("result":{"action":"cancel"})",
        R"("result":{"action":"accept"})", R"("error":{"code":-32601,"message":"no forms"})"}) {
    CAPTURE(answer);
    host h;
    shake_hands(h, R"({"elicitation":{"form":{}}})");
    auto q = asked_about(h, "repl_propose");
    h.send(fmt::format(R"({{"jsonrpc":"2.0","id":{},{}}})", json::serialize(q.at("id")), answer));
    state_is(h, "open");
    auto lines = h.read();
    REQUIRE(lines.size() == 1);
    CHECK(structured(lines.front()) == json::parse(proposed));
  }
}

TEST_CASE("a host that cannot show forms is never asked") {
  for (std::string capabilities : {"{}", R"({"elicitation":{"url":{}}})", R"({"roots":{}})"}) {
    host h;
    shake_hands(h, capabilities);
    CHECK(structured(asked_about(h)) == json::parse(proposed));
  }
  // Nor before it has finished its handshake.
  host h;
  h.legacy("initialize", R"({"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}}})");
  CHECK(structured(asked_about(h)) == json::parse(proposed));
}

TEST_CASE("nobody is asked about what was done at once") {
  host h;
  shake_hands(h, R"({"elicitation":{}})");
  h.backend.start(1);
  h.call_tool(9, "repl_eval", R"({"text":"1"})");
  h.backend.result(R"({"session":"s","revision":1,"changed":false,"outcome":"done","entry":3})");
  CHECK(structured(h.read().at(0)).at("outcome") == "done");
  CHECK(h.mcp.in_flight() == 0);
}

TEST_CASE("a person who thinks longer than the host waits finds the proposal at the prompt") {
  host h;
  shake_hands(h, R"({"elicitation":{}})");
  auto q = asked_about(h);
  h.pass(55s);
  state_is(h, "open");
  auto lines = h.read();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].at("method") == "notifications/cancelled");
  CHECK(lines[0].at("params").at("requestId") == q.at("id"));
  CHECK(structured(lines[1]) == json::parse(proposed));
  h.send(fmt::format(
      R"({{"jsonrpc":"2.0","id":{},"result":{{"action":"accept","content":{{"decision":"accept"}}}}}})",
      json::serialize(q.at("id"))));
  CHECK(h.read().empty());
  CHECK(h.backend.asked.empty());
}

TEST_CASE("a cancelled call takes its question back and is not answered") {
  host h;
  shake_hands(h, R"({"elicitation":{}})");
  auto q = asked_about(h);
  h.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}})");
  auto lines = h.read();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].at("params").at("requestId") == q.at("id"));
  CHECK(h.mcp.in_flight() == 0);
}

TEST_CASE("without a handshake the question comes as a result and the call comes again with it") {
  host h;
  h.backend.start(1);
  h.send(modern_call(1));
  h.backend.result(proposed);
  auto first = h.read().at(0).at("result");
  CHECK(first.at("resultType") == "input_required");
  const auto& form = first.at("inputRequests").at("decision");
  CHECK(form.at("method") == "elicitation/create");
  CHECK(form.at("params").at("mode") == "form");
  CHECK(form.at("params").at("requestedSchema").at("type") == "object");
  const auto state = json::serialize(first.at("requestState"));

  // Without the answer, and with answers to something else, it is asked again.
  h.send(
      modern_call(2, R"(,"inputResponses":{"other":{"action":"accept"}},"requestState":)" + state));
  auto again = h.read().at(0).at("result");
  CHECK(again.at("resultType") == "input_required");
  CHECK(json::serialize(again.at("requestState")) == state);

  const auto answer =
      R"(,"inputResponses":{"decision":{"action":"accept","content":{"decision":"accept"}}},"requestState":)" +
      state;
  h.send(modern_call(3, answer));
  REQUIRE(h.backend.asked.size() == 1);
  CHECK(h.backend.asked.front().method == "answer_proposal");
  h.backend.result(accepted);
  auto done = h.read().at(0);
  CHECK(done.at("id") == 3);
  CHECK(done.at("result").at("resultType") == "complete");
  CHECK(structured(done) == json::parse(accepted));

  // It is decided once.
  h.send(modern_call(4, answer));
  CHECK(code_of(h.read().at(0)) == -32602);
  CHECK(h.backend.asked.empty());
}

TEST_CASE("a state that was made up, belongs to another call or is old is refused") {
  host h;
  h.backend.start(1);
  h.send(modern_call(1));
  h.backend.result(proposed);
  const auto state = json::serialize(h.read().at(0).at("result").at("requestState"));
  const std::string answer =
      R"(,"inputResponses":{"decision":{"action":"accept","content":{"decision":"accept"}}},"requestState":)";
  h.send(modern_call(2, answer + R"("00000000000000000000000000000000")"));
  CHECK(code_of(h.read().at(0)) == -32602);
  h.send(modern_call(3, answer + "7"));
  CHECK(code_of(h.read().at(0)) == -32602);
  h.send(modern_call(4, answer + state, "(note d4 :q)"));
  CHECK(code_of(h.read().at(0)) == -32602);
  h.pass(11min);
  h.send(modern_call(5, answer + state));
  CHECK(code_of(h.read().at(0)) == -32602);
  CHECK(h.backend.asked.empty());
}

// A call whose proposal was made answers with its number, or its client makes another one.

TEST_CASE("what the user decided while the form was open is what the call is answered") {
  for (std::string form_says : {"accept", "reject", "later"})
    for (std::string musician_says : {"accepted", "rejected"}) {
      CAPTURE(form_says, musician_says);
      host h;
      shake_hands(h, R"({"elicitation":{}})");
      decide(h, asked_about(h), form_says);
      if (form_says != "later")
        h.backend.answer(call_outcome::kind_t::refused,
                         R"({"code":-32005,"message":"proposal 3 was decided already",)"
                         R"("data":{"name":"invalid_state","hint":"look"}})");
      state_is(h, musician_says, R"(,"reason":"too loud")");
      auto lines = h.read();
      REQUIRE(lines.size() == 1);
      CHECK(lines[0].at("id") == 9);
      CHECK_FALSE(lines[0].at("result").as_object().contains("isError"));
      CHECK(structured(lines[0]).at("outcome") == json::string_view{musician_says});
      CHECK(structured(lines[0]).at("proposal") == 3);
      CHECK(std::string{structured(lines[0]).at("note").as_string()}.find("too loud") !=
            std::string::npos);
    }
}

TEST_CASE(
    "an answer that the user does not let through leaves the proposal open, with its number") {
  host h;
  shake_hands(h, R"({"elicitation":{}})");
  decide(h, asked_about(h), "accept");
  h.backend.answer(call_outcome::kind_t::refused,
                   R"({"code":-32011,"message":"the user does not allow x to make changes",)"
                   R"("data":{"name":"not_permitted","hint":"read"}})");
  state_is(h, "open");
  auto v = h.read().at(0);
  CHECK(structured(v).at("outcome") == "proposed");
  CHECK(structured(v).at("proposal") == 3);
  CHECK(std::string{structured(v).at("note").as_string()}.find(
            "does not allow x to make changes") != std::string::npos);
}

TEST_CASE("why a Fermata was chosen and what became of the proposal are one note") {
  host h;
  shake_hands(h, R"({"elicitation":{}})");
  h.backend.start(2, "/home/anna/fugue");
  decide(h, asked_about(h), "later");
  state_is(h, "rejected");
  auto text = std::exchange(h.mcp.out, {});
  CHECK(text.find("\"note\"") == text.rfind("\"note\""));
  CHECK(text.find("rejected it at the prompt; chosen because") != std::string::npos);
}

TEST_CASE("a Fermata that goes away while the form is open leaves the number of the proposal") {
  struct row {
    call_outcome::kind_t kind;
    std::string outcome;
  };
  for (const auto& [kind, outcome] : {row{call_outcome::kind_t::unreachable, "proposed"},
                                      row{call_outcome::kind_t::lost, "unknown"}}) {
    CAPTURE(outcome);
    host h;
    shake_hands(h, R"({"elicitation":{}})");
    decide(h, asked_about(h), "accept");
    h.backend.running.clear();
    h.backend.answer(kind, "that instance has exited");
    CHECK(h.backend.asked.empty());
    auto v = h.read().at(0);
    CHECK(v.at("result").at("isError") == true);
    CHECK(structured(v).at("error") == "session_lost");
    CHECK(structured(v).at("retryable") == false);
    CHECK(structured(v).at("proposal") == 3);
    CHECK(structured(v).at("session") == "fugue");
    CHECK(structured(v).at("outcome") == json::string_view{outcome});
  }
  // Nor does a late answer, or none.
  host h;
  shake_hands(h, R"({"elicitation":{}})");
  decide(h, asked_about(h), "accept");
  h.pass(60s);
  auto v = h.read().at(0);
  CHECK(structured(v).at("outcome") == "unknown");
  CHECK(structured(v).at("proposal") == 3);
}

TEST_CASE("a form that is put off when Fermata does not say what became of the proposal") {
  for (bool silent : {true, false}) {
    host h;
    shake_hands(h, R"({"elicitation":{}})");
    decide(h, asked_about(h), "later");
    if (silent)
      h.pass(4s);
    else
      h.backend.answer(call_outcome::kind_t::unreachable, "gone");
    auto v = h.read().at(0);
    CHECK(structured(v).at("outcome") == "proposed");
    CHECK(structured(v).at("proposal") == 3);
    CHECK(structured(v).as_object().contains("note"));
    CHECK(h.mcp.in_flight() == 0);
  }
}

TEST_CASE("whoever saw the list of resources is told when a session comes") {
  host h;
  shake_hands(h, "{}");
  h.backend.start(1);
  h.send(R"({"jsonrpc":"2.0","id":1,"method":"resources/list"})");
  // The stream is asked for once, beside the list itself.
  REQUIRE(h.backend.asked.size() == 2);
  CHECK(h.backend.asked[0].method == "events.subscribe");
  CHECK(h.backend.asked[0].params == R"({"kinds":["sessions"]})");
  h.backend.result(R"({"subscription":1,"session":"main"})");
  h.backend.result(R"({"sessions":[]})");
  h.read();
  h.backend.on_event("id-1", "events.event",
                     R"({"subscription":1,"session":"main","what":["sessions"],"entries":[]})");
  auto lines = h.read();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].at("method") == "notifications/resources/list_changed");
  h.send(R"({"jsonrpc":"2.0","id":2,"method":"resources/list"})");
  CHECK(h.backend.asked.size() == 1);
}

TEST_CASE("a listener is told when a session comes, under its id") {
  host h;
  h.backend.start(1);
  h.send(host::modern_line(5, "subscriptions/listen",
                           R"("notifications":{"resourcesListChanged":true})"));
  REQUIRE(h.backend.asked.size() == 1);
  h.backend.result(R"({"subscription":1,"session":"main"})");
  h.read();
  h.backend.on_event("id-1", "events.event", R"({"session":"main","what":["sessions"]})");
  auto lines = h.read();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].at("params").at("_meta").at("io.modelcontextprotocol/subscriptionId") == 5);
  // The stream ended with its session: another one is begun.
  h.backend.on_event("id-1", "events.ended", R"({"session":"main","since":3})");
  CHECK(h.backend.asked.size() == 1);
  CHECK(h.read().size() == 1);
}

TEST_CASE(
    "a person who can say nothing any more is not waited for; the proposal waits at the prompt") {
  for (bool asked_before : {true, false}) {
    host h;
    shake_hands(h, R"({"elicitation":{}})");
    h.backend.start(1);
    h.call_tool(9, "repl_eval", R"x({"text":"(note c4 :q)"})x");
    if (asked_before) h.backend.result(proposed);
    h.read();
    h.mcp.input_ended(h.now);
    if (!asked_before) h.backend.result(proposed);
    if (asked_before) state_is(h, "open");
    auto lines = h.read();
    REQUIRE(!lines.empty());
    CHECK(structured(lines.back()).at("outcome") == "proposed");
    CHECK(lines.back().at("id") == 9);
    CHECK(h.mcp.in_flight() == 0);
  }
}

}  // namespace fermata::io::mcp::server_elicitation_test
