#include "io/protocol/envelope.hpp"

#include "io/text/line_decoder.hpp"

#include <boost/json/parse.hpp>
#include <catch2/catch.hpp>

namespace fermata::io::envelope_test {

using namespace fermata::io::protocol;
namespace json = boost::json;

namespace {

/// What a handler-less server would answer to a line: the envelope's own fault, or its result.
std::string answered(std::string_view line) {
  auto in = incoming::read(line);
  std::vector<std::string> out;
  for (auto& r : in->requests())
    out.push_back(r.bad ? fault_line(r.head, *r.bad) : reply_line(r.head, {{"ok", true}}));
  return in->is_batch() ? batch_line(out) : out.front();
}

int code(std::string_view line) {
  auto v = json::parse(answered(line));
  return static_cast<int>(v.at("error").at("code").as_int64());
}

// RFC 8259, section 6: Infinity and NaN are no JSON.
TEST_CASE("an id that no JSON could repeat is refused") {
  for (auto id : {"1e400", "-1e400", "1e99999"}) {
    auto text = answered(std::string{R"({"id":)"} + id + R"(,"method":"m"})");
    INFO(text);
    boost::system::error_code failed;
    auto v = json::parse(text, failed);
    REQUIRE_FALSE(failed);
    CHECK(v.at("id").is_null());
    CHECK(v.at("error").at("code") == "invalid_request");
  }
}

}  // namespace

TEST_CASE("each message is answered in the envelope it came in") {
  // Shapes: JSON-RPC 2.0 specification; the short form of docs/ipc.md.
  CHECK(answered(R"({"jsonrpc":"2.0","id":1,"method":"m"})") ==
        R"({"jsonrpc":"2.0","id":1,"result":{"ok":true}})");
  CHECK(answered(R"({"id":"req-1","method":"m","params":{}})") ==
        R"({"id":"req-1","result":{"ok":true}})");
}

TEST_CASE("id 0, string ids, null and large ids come back exactly") {
  CHECK(answered(R"({"jsonrpc":"2.0","id":0,"method":"m"})") ==
        R"({"jsonrpc":"2.0","id":0,"result":{"ok":true}})");
  CHECK(answered(R"({"jsonrpc":"2.0","id":"0","method":"m"})") ==
        R"({"jsonrpc":"2.0","id":"0","result":{"ok":true}})");
  CHECK(answered(R"({"jsonrpc":"2.0","id":null,"method":"m"})") ==
        R"({"jsonrpc":"2.0","id":null,"result":{"ok":true}})");
  CHECK(answered(R"({"jsonrpc":"2.0","id":9007199254740993,"method":"m"})") ==
        R"({"jsonrpc":"2.0","id":9007199254740993,"result":{"ok":true}})");
  CHECK(answered("{\"jsonrpc\":\"2.0\",\"id\":\"a\\\"\\u266f\",\"method\":\"m\"}") ==
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\\\"\xe2\x99\xaf\",\"result\":{\"ok\":true}}");
}

// RFC 8259, section 6: what a number means to its sender stands in its digits.
TEST_CASE("a number as id comes back in all its digits") {
  for (std::string id : {"123456789012345678901", "1.0", "1e3", "1E+3", "0.1", "-0",
                         "18446744073709551616", "3.14159265358979323846264338327950288"}) {
    CHECK(answered("{\"id\" : " + id + " ,\"method\":\"m\"}") ==
          "{\"id\":" + id + ",\"result\":{\"ok\":true}}");
    CHECK(
        answered(
            "[{\"jsonrpc\":\"2.0\",\"method\":\"n\"},{\"jsonrpc\":\"2.0\",\"params\":{\"id\":[7]},"
            "\"method\":\"m\",\"\\u0069d\":" +
            id + "}]") == "[{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"ok\":true}}]");
  }
}

TEST_CASE("an id that fills the line is refused") {
  for (const auto& id : {std::string(2'000, '1'), '"' + std::string(2'000, 'x') + '"'}) {
    auto v = json::parse(answered("{\"id\":" + id + ",\"method\":\"m\"}"));
    CHECK(v.at("id").is_null());
    CHECK(v.at("error").at("code") == "invalid_request");
  }
}

TEST_CASE("a member that is not known, or stands twice, is an error and not passed over") {
  struct row {
    std::string line, message, hint;
  };
  for (auto& r : {
           row{R"({"id":3,"method":"m","unorderd":true})", "unknown member `unorderd`",
               "`unordered`"},
           row{R"({"id":3,"method":"m","params":{},"extra":null})", "unknown member `extra`",
               "`params`"},
           row{R"({"id":3,"method":"m","unordered":1})", "`unordered` must be true or false", ""},
           row{R"({"id":3,"method":"m","method":"n"})", "`method` appears twice", ""},
           row{R"({"id":3,"method":"m","params":{"text":"a","text":"b"}})", "`text` appears twice",
               ""},
           row{R"({"id":3,"method":"m","params":{"a":[{"x":1,"\u0078":2}]}})", "`x` appears twice",
               ""},
       }) {
    INFO(r.line);
    auto v = json::parse(answered(r.line));
    CHECK(v.at("id") == 3);
    auto& e = v.at("error");
    CHECK(e.at("code") == "invalid_request");
    CHECK(std::string{e.at("message").as_string()}.find(r.message) != std::string::npos);
    CHECK(std::string{e.at("data").at("hint").as_string()}.find(r.hint) != std::string::npos);
  }
  // Nobody can say which of two ids is meant.
  auto v = json::parse(answered(R"({"id":1,"id":2,"method":"m"})"));
  CHECK(v.at("id").is_null());
  CHECK(v.at("error").at("message") == "`id` appears twice");
  // With a mistyped id it looks like a notification, which would be done in silence.
  CHECK(code(R"({"jsonrpc":"2.0","idd":1,"method":"m"})") == -32600);
  // The same name in different objects is no doubled one.
  CHECK(json::parse(
            answered(R"({"id":1,"method":"m","params":{"id":1,"a":{"id":2},"b":["id","id"]}})"))
            .as_object()
            .contains("result"));
}

TEST_CASE("what does not say its envelope is answered in that of its connection") {
  for (std::string line : {"{bad", "5", "\"x\"", "{\"id\":1,\"method\":\"\xff\"}"}) {
    auto of = [&](envelope spoken) {
      auto in = incoming::read(line, spoken);
      auto& r = in->requests().front();
      REQUIRE(r.bad);
      return json::parse(fault_line(r.head, *r.bad)).at("error").at("code").is_string();
    };
    CHECK(of(envelope::short_form));
    CHECK_FALSE(of(envelope::json_rpc));
  }
  CHECK(envelope_of_unreadable(R"({"jsonrpc":"2.0",)", envelope::short_form) == envelope::json_rpc);
}

TEST_CASE("a notification is not answered, not even with an error") {
  CHECK(answered(R"({"jsonrpc":"2.0","method":"m"})").empty());
  CHECK(answered(R"({"jsonrpc":"2.0","method":"m","params":3})").empty());
}

TEST_CASE("in the short form a request without id is answered without one") {
  CHECK(answered(R"({"method":"m"})") == R"({"result":{"ok":true}})");
}

TEST_CASE("a batch is answered as one array without its notifications") {
  // The example of section 7 of the JSON-RPC 2.0 specification, reduced.
  CHECK(
      answered(R"([{"jsonrpc":"2.0","id":1,"method":"m"},{"jsonrpc":"2.0","method":"n"},)"
               R"({"jsonrpc":"2.0","id":"9","method":"m"}])") ==
      R"([{"jsonrpc":"2.0","id":1,"result":{"ok":true}},{"jsonrpc":"2.0","id":"9","result":{"ok":true}}])");
  CHECK(answered(R"([{"jsonrpc":"2.0","method":"n"}])").empty());
  CHECK(code("[]") == -32600);
  auto v = json::parse(answered("[1,2]"));
  REQUIRE(v.as_array().size() == 2);
  CHECK(v.at(0).at("error").at("code") == -32600);
  CHECK(v.at(0).at("id").is_null());
}

TEST_CASE("what is wrong with a line is said with the code of the table") {
  CHECK(code(R"({"jsonrpc":"2.0","id":1)") == -32700);
  CHECK(code(R"({"jsonrpc":"2.0","id":1,"method":"m"} x)") == -32700);
  CHECK(code(R"({"jsonrpc":"2.0","id":1})") == -32600);
  CHECK(code(R"({"jsonrpc":"1.0","id":1,"method":"m"})") == -32600);
  CHECK(code(R"({"jsonrpc":"2.0","id":{},"method":"m"})") == -32600);
  CHECK(code(R"({"jsonrpc":"2.0","id":1,"method":7})") == -32600);
  CHECK(code(R"({"jsonrpc":"2.0","id":1,"method":"m","params":"x"})") == -32600);
  CHECK(json::parse(answered("nonsense")).at("error").at("code") == "parse_error");
}

TEST_CASE("invalid UTF-8 is refused and its place is named") {
  auto v = json::parse(answered("{\"id\":1,\"method\":\"\xff\"}"));
  CHECK(v.at("error").at("code") == "parse_error");
  CHECK(v.at("error").at("data").at("at") == 18);
}

TEST_CASE("deep nesting is refused instead of exhausting the stack") {
  std::string deep(100'000, '[');
  CHECK(code("{\"jsonrpc\":\"2.0\",\"params\":" + deep) == -32700);
}

TEST_CASE("a result longer than a line becomes an error that says how to ask for less") {
  reply_head head{envelope::json_rpc, "1", true};
  auto line = reply_line(head, {{"text", std::string(max_line, 'x')}});
  CHECK(line.size() < 1000);
  CHECK(json::parse(line).at("error").at("code") == -32004);
}

TEST_CASE("every error code has one number and one name") {
  // Numbers: section 1 of the protocol description; the first five are JSON-RPC's own.
  CHECK(info(fault_code::parse_error).number == -32700);
  CHECK(info(fault_code::conflict).number == -32010);
  CHECK(info(fault_code::busy).number == -32013);
  for (const auto& a : fault_table()) {
    CHECK(find_fault(a.name)->code == a.code);
    CHECK_FALSE(a.when.empty());
    for (const auto& b : fault_table())
      CHECK((a.code == b.code || a.number != b.number));
  }
}

TEST_CASE(
    "a fault that quotes more than a line holds keeps its code and the beginning of its words") {
  for (auto style : {envelope::json_rpc, envelope::short_form}) {
    const reply_head head{style, "7", true};
    // Each of these bytes takes six in JSON.
    const auto line = fault_line(head, {fault_code::not_found, std::string(max_line / 4, '\1'),
                                        std::string(max_line / 4, '\1')});
    CHECK(line.size() <= max_line);
    const auto e = json::parse(line).at("error");
    CHECK(e.at("code") ==
          (style == envelope::json_rpc ? json::value(-32002) : json::value("not_found")));
    CHECK(e.at("message").as_string().size() == 2'000);
    CHECK(e.at("data").at("truncated") == true);
    CHECK_FALSE(e.at("data").at("hint").as_string().empty());
  }
}

}  // namespace fermata::io::envelope_test
