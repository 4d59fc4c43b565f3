#include "io/mcp/stdio_loop.hpp"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <unistd.h>

#include <future>
#include <string>
#include <utility>

namespace fermata::io::stdio_loop_test {

using namespace std::chrono_literals;

namespace {

/// A host with two pipes. What the loop does to the signals of its thread stays there.
struct piped_host {
  int to[2], from[2];
  std::future<int> ended;

  explicit piped_host(std::chrono::milliseconds patience) {
    REQUIRE(::pipe2(to, O_CLOEXEC) == 0);
    REQUIRE(::pipe2(from, O_CLOEXEC) == 0);
    io::mcp::stdio_options o;
    o.home = "/nowhere";
    o.in = to[0];
    o.out = from[1];
    o.patience = patience;
    ended = std::async(std::launch::async, [o] { return io::mcp::serve_stdio(o); });
  }
  ~piped_host() {
    stop_sending();
    stop_reading();
    if (ended.valid()) ended.wait();
    ::close(to[0]);
    ::close(from[1]);
  }
  piped_host(const piped_host&) = delete;
  piped_host& operator=(const piped_host&) = delete;

  /// Each answer is longer than a pipe holds.
  void ask_for_tools(int times) {
    std::string lines;
    for (int i = 1; i <= times; ++i)
      lines +=
          R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + R"(,"method":"tools/list"})" + "\n";
    REQUIRE(::write(to[1], lines.data(), lines.size()) == static_cast<ssize_t>(lines.size()));
  }
  void stop_sending() { close_end(to[1]); }
  void stop_reading() { close_end(from[0]); }
  static void close_end(int& fd) {
    if (fd >= 0) ::close(std::exchange(fd, -1));
  }
  bool reads_some() {
    char piece[1024];
    return ::read(from[0], piece, sizeof piece) > 0;
  }
};

}  // namespace

TEST_CASE("a host that neither reads nor leaves is given up, and that is no success", "[mcp]") {
  piped_host host{50ms};
  host.ask_for_tools(20);
  host.stop_sending();
  CHECK(host.ended.get() == 1);
}

TEST_CASE("a host that leaves with answers unread is no success", "[mcp]") {
  piped_host host{24h};
  host.ask_for_tools(20);
  REQUIRE(host.reads_some());
  host.stop_sending();
  host.stop_reading();
  CHECK(host.ended.get() == 1);
}

}  // namespace fermata::io::stdio_loop_test
