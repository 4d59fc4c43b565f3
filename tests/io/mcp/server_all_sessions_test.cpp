#include "tests/io/mcp/mcp_host.hpp"

#include <algorithm>
#include <set>

// Several Fermatas, and more sessions than the socket gives on a page (50, docs/ipc.md).

namespace fermata::io::mcp::server_all_sessions_test {

namespace {

/// A page of list_sessions: `count` open sessions from number `first` on.
std::string page(int first, int count, int total, std::string_view cursor = "") {
  std::string rows;
  for (int i = first; i < first + count; ++i)
    rows += fmt::format(R"({}{{"session":"s{}","name":"Session {}","loaded":true}})",
                        i == first ? "" : ",", i, i);
  return fmt::format(R"({{"sessions":[{}],"total":{}{}}})", rows, total,
                     cursor.empty() ? "" : fmt::format(R"(,"next_cursor":"{}")", cursor));
}

/// Answers everything that is asked about sessions: `of` has so many, others have none.
void answer_lists(host& h, std::string_view of, int many) {
  while (!h.backend.asked.empty() && h.backend.asked.front().method == "list_sessions") {
    const auto& q = h.backend.asked.front();
    const auto params = json::parse(q.params).as_object();
    const auto* cursor = params.if_contains("cursor");
    const int from = cursor ? std::stoi(std::string{cursor->as_string()}) : 0;
    if (q.instance != of)
      h.backend.result(page(0, 0, 0));
    else
      h.backend.result(page(from, std::min(50, many - from), many,
                            from + 50 < many ? std::to_string(from + 50) : ""));
  }
}

}  // namespace

TEST_CASE(
    "the sessions of several Fermatas come in pages that join, and no other cursor is taken") {
  host h;
  h.backend.start(100);
  h.backend.start(200);
  std::set<std::string> seen;
  std::string cursor;
  int pages = 0;
  do {
    h.call_tool(1, "repl_list_sessions",
                cursor.empty() ? "{}" : fmt::format(R"({{"cursor":"{}"}})", cursor));
    answer_lists(h, "id-200", 322);
    auto v = h.read().at(0);
    CHECK(structured(v).at("total") == 322);
    CHECK(json::serialize(structured(v)).size() <= 20'000);
    for (const auto& row : structured(v).at("sessions").as_array()) {
      CHECK(row.at("instance") == "200");
      CHECK(seen.insert(json::value_to<std::string>(row.at("session"))).second);
    }
    const auto* next = structured(v).as_object().if_contains("next_cursor");
    cursor = next ? json::value_to<std::string>(*next) : "";
    ++pages;
  } while (!cursor.empty() && pages < 20);
  CHECK(seen.size() == 322);
  CHECK(pages > 1);
  for (std::string arguments :
       {R"({"cursor":"made up"})", R"({"cursor":"p1.1"})", R"({"cursor":7})", R"({"other":1})"}) {
    CAPTURE(arguments);
    h.call_tool(2, "repl_list_sessions", arguments);
    answer_lists(h, "id-200", 322);
    auto v = h.read().at(0);
    CHECK(v.at("result").at("isError") == true);
    CHECK(structured(v).at("error") == "invalid_params");
  }
}

TEST_CASE("a session on any page of the list is found by name") {
  host h;
  h.backend.start(100);
  h.backend.start(200);
  h.call_tool(1, "repl_get_score", R"({"session":"s120"})");
  answer_lists(h, "id-200", 122);
  REQUIRE(h.backend.asked.size() == 1);
  CHECK(h.backend.asked.front().instance == "id-200");
  CHECK(h.backend.asked.front().method == "get_score");
}

TEST_CASE("a list that changes while it is read is read again") {
  host h;
  h.backend.start(100);
  h.backend.start(200);
  h.call_tool(1, "repl_get_score", R"({"session":"s60"})");
  h.backend.result(page(0, 50, 61, "50"));
  h.backend.result(page(0, 0, 0));
  CHECK(h.backend.asked.front().params == R"({"cursor":"50"})");
  h.backend.answer(call_outcome::kind_t::refused,
                   R"({"code":-32602,"message":"this cursor belongs to no page","data":{}})");
  REQUIRE(h.backend.asked.size() == 1);
  CHECK(h.backend.asked.front().params == "{}");
  answer_lists(h, "id-100", 62);
  CHECK(h.backend.asked.front().method == "get_score");
}

TEST_CASE("all resources can be reached, and completion counts all sessions") {
  host h;
  h.backend.start(100);
  std::set<std::string> seen;
  std::string cursor;
  int pages = 0;
  do {
    h.send(fmt::format(
        R"({{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{{"cursor":"{}"}}}})",
        cursor));
    answer_lists(h, "id-100", 230);
    auto v = h.read().at(0).at("result");
    for (const auto& row : v.at("resources").as_array())
      CHECK(seen.insert(json::value_to<std::string>(row.at("uri"))).second);
    const auto* next = v.as_object().if_contains("nextCursor");
    cursor = next ? json::value_to<std::string>(*next) : "";
    ++pages;
  } while (!cursor.empty() && pages < 20);
  CHECK(seen.size() == 3 * 230);
  h.send(R"({"jsonrpc":"2.0","id":2,"method":"resources/list","params":{"cursor":"p1.1"}})");
  answer_lists(h, "id-100", 230);
  CHECK(code_of(h.read().at(0)) == -32602);
  h.send(R"({"jsonrpc":"2.0","id":3,"method":"completion/complete","params":{)"
         R"("ref":{"type":"ref/resource","uri":"fermata://session/{session}/score"},)"
         R"("argument":{"name":"session","value":"s"}}})");
  answer_lists(h, "id-100", 230);
  auto found = h.read().at(0).at("result").at("completion");
  CHECK(found.at("values").as_array().size() == 100);
  CHECK(found.at("total") == 230);
  CHECK(found.at("hasMore") == true);
}

TEST_CASE("a Fermata that is stopped does not hold up the others and is named") {
  host h;
  h.backend.start(100);
  h.backend.start(200);
  auto only_200_answers = [&] {
    // The one that is stopped is asked too; its question stays.
    REQUIRE(h.backend.asked.size() >= 2);
    std::swap(h.backend.asked[h.backend.asked.size() - 2], h.backend.asked.back());
    auto healthy = std::move(h.backend.asked[h.backend.asked.size() - 2]);
    h.backend.asked.erase(h.backend.asked.end() - 2);
    REQUIRE(healthy.instance == "id-200");
    healthy.then({call_outcome::kind_t::result, page(0, 3, 3)});
  };
  h.call_tool(1, "repl_list_sessions");
  only_200_answers();
  CHECK(h.read().empty());
  REQUIRE(h.mcp.wake_at());
  CHECK(*h.mcp.wake_at() - h.now <= 5s);
  h.pass(3s);
  auto v = h.read().at(0);
  CHECK(structured(v).at("sessions").as_array().size() == 3);
  CHECK(structured(v).at("not_answering").at(0).at("instance") == "100");

  // It is waited for less from now on, until it answers again.
  h.call_tool(2, "repl_get_score", R"({"session":"s1"})");
  only_200_answers();
  h.pass(500ms);
  REQUIRE(h.backend.asked.back().method == "get_score");
  CHECK(h.backend.asked.back().instance == "id-200");
  auto last = std::move(h.backend.asked.back());
  h.backend.asked.pop_back();
  last.then({call_outcome::kind_t::result, "{}"});
  v = h.read().at(0);
  CHECK(std::string{structured(v).at("note").as_string()}.find("100") != std::string::npos);

  REQUIRE(h.backend.asked.size() == 1);
  CHECK(h.backend.asked.front().method == "system.ping");
  h.backend.result(R"({"pong":true})");
  h.call_tool(3, "repl_list_sessions");
  only_200_answers();
  h.pass(500ms);
  CHECK(h.read().empty());
  h.backend.result(page(10, 1, 1));
  CHECK(structured(h.read().at(0)).at("total") == 4);
}

TEST_CASE("when no Fermata answers, that is said instead of an empty list") {
  host h;
  h.backend.start(100);
  h.backend.start(200);
  h.call_tool(1, "repl_list_sessions");
  h.pass(3s);
  auto v = h.read().at(0);
  CHECK(v.at("result").at("isError") == true);
  CHECK(structured(v).at("error") == "unavailable");
  h.send(R"({"jsonrpc":"2.0","id":2,"method":"resources/list"})");
  h.pass(3s);
  CHECK(code_of(h.read().at(0)) == -32603);
}

TEST_CASE("who was gone before the list was complete is not missed") {
  host h;
  h.backend.start(100);
  h.backend.start(200);
  h.call_tool(1, "repl_list_sessions");
  h.backend.running.erase(h.backend.running.begin());
  h.backend.answer(call_outcome::kind_t::lost, "connection closed");
  h.backend.result(page(0, 2, 2));
  auto v = h.read().at(0);
  CHECK(structured(v).at("total") == 2);
  CHECK_FALSE(structured(v).as_object().contains("not_answering"));
}

}  // namespace fermata::io::mcp::server_all_sessions_test
