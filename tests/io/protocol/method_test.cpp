#include "io/protocol/dispatch.hpp"
#include "io/text/line_decoder.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>

#include <regex>
#include <set>

namespace fermata::io::method_test {

using namespace fermata::io::protocol;
namespace json = boost::json;

namespace {

call called(std::string_view method, std::string_view params) {
  static std::vector<std::shared_ptr<incoming>> alive;
  alive.push_back(incoming::read("{\"id\":1,\"method\":\"" + std::string{method} +
                                 "\",\"params\":" + std::string{params} + "}"));
  return prepare(alive.back()->requests().front());
}

const fault& refusal(const call& c) {
  REQUIRE(c.refused);
  return *c.refused;
}

}  // namespace

TEST_CASE("a method is found by its name with and without the prefix of the tools") {
  CHECK(find_method("get_score") == find_method("repl_get_score"));
  CHECK(find_method("get_score")->name == "get_score");
  CHECK(find_method("repl_") == nullptr);
}

TEST_CASE("a misspelt method is answered with the nearest name") {
  auto f = refusal(called("get_scroe", "{}"));
  CHECK(f.code == fault_code::method_not_found);
  CHECK(f.data.at("nearest") == "get_score");
}

TEST_CASE("a misspelt parameter is answered with the nearest name") {
  auto f = refusal(called("get_score", R"({"fromat":"musicxml"})"));
  CHECK(f.code == fault_code::invalid_params);
  CHECK(f.data.at("param") == "fromat");
  CHECK(f.data.at("nearest") == "format");
}

TEST_CASE("a parameter of the wrong type names itself, what was expected and what came") {
  auto f = refusal(called("get_measures", R"({"from":"three"})"));
  CHECK(f.code == fault_code::invalid_params);
  CHECK(f.data.at("param") == "from");
  CHECK(f.data.at("expected") == "integer, at least 1");
  CHECK(f.data.at("got") == "three");
}

TEST_CASE("a missing parameter is named") {
  auto f = refusal(called("send_message", "{}"));
  CHECK(f.data.at("param") == "text");
  CHECK(f.code == fault_code::invalid_params);
}

TEST_CASE("a number outside its range brings the range") {
  auto f = refusal(called("get_measures", R"({"from":0})"));
  CHECK(f.code == fault_code::out_of_range);
  CHECK(f.data.at("min") == 1);
  CHECK(f.data.at("got") == 0);
}

TEST_CASE("a word outside its choices brings the choices") {
  auto f = refusal(called("get_score", R"({"format":"musicxm"})"));
  CHECK(std::string{f.data.at("expected").as_string()} ==
        "one of \"fermata\", \"musicxml\", \"summary\"");
  CHECK(std::string{f.data.at("hint").as_string()}.find("musicxml") != std::string::npos);
  CHECK(refusal(called("get_history", R"({"kinds":["eval","evil"]})")).data.at("param") ==
        "kinds[1]");
}

TEST_CASE("an integer may be written as 3.0 and null means not given") {
  CHECK_FALSE(called("get_measures", R"({"from":3.0,"part":null})").refused);
  CHECK(refusal(called("get_measures", R"({"from":3.5})")).code == fault_code::invalid_params);
}

TEST_CASE("parameters may be given by position") {
  auto c = called("send_message", R"(["hello","bach"])");
  REQUIRE_FALSE(c.refused);
  CHECK(c.params.at("text") == "hello");
  CHECK(c.params.at("session") == "bach");
  CHECK(refusal(called("system.ping", "[1]")).code == fault_code::invalid_params);
}

TEST_CASE("another major version of the protocol is refused with both versions named") {
  auto c = called("system.hello", R"({"client":"x","version":"1","protocol_version":"2.0.0"})");
  REQUIRE_FALSE(c.refused);
  auto made = command_of(*c.row, c.params);
  REQUIRE_FALSE(made);
  CHECK(made.error().message.find("2.0.0") != std::string::npos);
  CHECK(made.error().message.find(std::string{protocol_version}) != std::string::npos);
  auto same = called("system.hello", R"({"client":"x","version":"1","protocol_version":"1.9.3"})");
  CHECK(command_of(*same.row, same.params));
}

TEST_CASE("every row is documented, reachable and has a result") {
  std::set<std::string_view> seen;
  const std::regex tool_name{"[a-z_]{1,40}"};
  for (const auto* row : methods()) {
    CAPTURE(row->name);
    CHECK(seen.insert(row->name).second);
    CHECK_FALSE(row->title.empty());
    CHECK(row->doc.size() > 10);
    CHECK(find_method(row->name) == row);
    CHECK_FALSE(row->result.empty());
    if (row->offered == audience::socket_and_mcp)
      CHECK(std::regex_match("repl_" + std::string{row->name}, tool_name));
    // A query needs no command; what writes is never a query.
    if (row->access_kind == access::write)
      CHECK(std::holds_alternative<command_handler>(row->handler));
    for (const auto& rows : {row->params, row->result})
      for (const auto& f : rows) {
        CAPTURE(f.name);
        CHECK_FALSE(f.doc.empty());
      }
  }
}

TEST_CASE("every fault says what to do next") {
  for (auto params : {"{\"x\":1}", "{\"session\":5}", "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]"})
    for (const auto* row : methods()) {
      auto c = called(row->name, params);
      if (c.refused) CHECK(c.refused->data.contains("hint"));
    }
}

TEST_CASE("rpc.discover lists every method with its schemas") {
  const auto* row = find_method("rpc.discover");
  auto listed = run(*row, {}, {});
  REQUIRE(listed);
  CHECK(listed->at("methods").as_array().size() == methods().size());
  CHECK(json::serialize(*listed).size() < max_line);
}

}  // namespace fermata::io::method_test
