#pragma once

#include "io/mcp/server.hpp"
#include "tests/io/mcp/fake_backend.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_to.hpp>
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

/// A host without a process: lines go in, lines come out, and time passes when the test says so.
namespace fermata::io::mcp {

using namespace std::chrono_literals;
namespace json = boost::json;

inline constexpr auto modern_meta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

struct host {
  fake_backend backend;
  server mcp{backend, {.version = "1.2.3", .folders = {"/home/anna/fugue"}}};
  server::instant now = server::clock::now();

  void send(const std::string& line) { mcp.on_line(line, now); }
  /// Everything written since the last time, line by line.
  std::vector<json::value> read() {
    std::vector<json::value> out;
    auto text = std::exchange(mcp.out, {});
    std::size_t at = 0;
    while (at < text.size()) {
      auto end = text.find('\n', at);
      REQUIRE(end != std::string::npos);
      out.push_back(json::parse(text.substr(at, end - at)));
      at = end + 1;
    }
    return out;
  }
  json::value ask(const std::string& line) {
    send(line);
    auto lines = read();
    REQUIRE(lines.size() == 1);
    return lines.front();
  }
  json::value legacy(std::string_view method, std::string_view params = "{}") {
    return ask(
        fmt::format(R"({{"jsonrpc":"2.0","id":7,"method":"{}","params":{}}})", method, params));
  }
  json::value modern(std::string_view method, std::string_view params = "") {
    return ask(modern_line(7, method, params));
  }
  static std::string modern_line(int id, std::string_view method, std::string_view params = "") {
    return fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"{}","params":{{{}{}{}}}}})", id,
                       method, params, params.empty() ? "" : ",", modern_meta);
  }
  void pass(std::chrono::milliseconds t) {
    now += t;
    mcp.on_time(now);
  }
  void call_tool(int id, std::string_view name, std::string_view arguments = "{}",
                 std::string_view more = "") {
    send(fmt::format(
        R"({{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"{}","arguments":{}{}}}}})",
        id, name, arguments, more));
  }
};

inline int code_of(const json::value& v) {
  return static_cast<int>(v.at("error").at("code").as_int64());
}
inline const json::value& structured(const json::value& v) {
  return v.at("result").at("structuredContent");
}

}  // namespace fermata::io::mcp
