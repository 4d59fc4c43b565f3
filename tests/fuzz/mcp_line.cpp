// Whatever a host of MCP writes: every line is read or refused, what comes out is one JSON object a
// line and never a batch, an id is answered at most once, and instances that answer anything at all
// do no harm.

#include "io/mcp/server.hpp"
#include "io/text/line_decoder.hpp"
#include "tests/io/mcp/fake_backend.hpp"

#include <boost/json/parse.hpp>

#include <cstdint>
#include <cstdlib>

using namespace fermata::io;

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

void check_output(std::string& out) {
  for (std::size_t at = 0; at < out.size();) {
    const auto end = out.find('\n', at);
    demand(end != std::string::npos);
    demand(boost::json::parse(std::string_view{out}.substr(at, end - at)).is_object());
    at = end + 1;
  }
  out.clear();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view all{reinterpret_cast<const char*>(data), size};
  mcp::fake_backend backend;
  backend.start(1);
  mcp::server server{backend, {.version = "1", .folders = {"/music"}}};
  auto now = mcp::server::clock::now();
  protocol::line_decoder lines{1 << 16};
  lines.feed(all);
  lines.finish();
  std::size_t count = 0;
  while (auto line = lines.next()) {
    // A line that begins with > is what an instance says to the oldest question; with ! time
    // passes.
    if (!line->empty() && (line->front() == '>' || line->front() == '<')) {
      const auto body = std::string{line->substr(1)};
      boost::system::error_code ec;
      // The socket's side lets JSON objects through and nothing else.
      const auto parsed = boost::json::parse(body, ec);
      if (!ec && parsed.is_object() && !backend.asked.empty())
        backend.answer(line->front() == '>' ? mcp::call_outcome::kind_t::result
                                            : mcp::call_outcome::kind_t::refused,
                       body);
    } else if (*line == "!") {
      now += std::chrono::seconds{60};
      server.on_time(now);
    } else if (*line == "?") {
      if (!backend.asked.empty()) backend.answer(mcp::call_outcome::kind_t::lost, {});
    } else if (*line == "+") {
      backend.start(static_cast<std::int64_t>(++count) + 1);
      server.rescan(now);
    } else {
      server.on_line(*line, now);
    }
    check_output(server.out);
  }
  server.finish();
  check_output(server.out);
  return 0;
}
