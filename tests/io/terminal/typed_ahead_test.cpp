#include "io/terminal/key_input.hpp"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace fermata::io::typed_ahead_test {

namespace {

/// A terminal as standard input, with a keyboard to type on.
class keyboard {
public:
  keyboard() : keys_(::posix_openpt(O_RDWR | O_NOCTTY)), before_(::dup(STDIN_FILENO)) {
    REQUIRE(keys_ >= 0);
    REQUIRE(::grantpt(keys_) == 0);
    REQUIRE(::unlockpt(keys_) == 0);
    auto screen = ::open(::ptsname(keys_), O_RDWR | O_NOCTTY);
    REQUIRE(screen >= 0);
    ::dup2(screen, STDIN_FILENO);
    ::close(screen);
  }
  ~keyboard() {
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
    ::close(keys_);
  }
  keyboard(const keyboard&) = delete;
  keyboard& operator=(const keyboard&) = delete;

  void type(std::string_view text) const {
    REQUIRE(::write(keys_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }

private:
  int keys_, before_;
};

std::string taken(key_input& keys) {
  std::string text;
  while (keys.is_waiting())
    text += static_cast<char>(keys.next());
  return text;
}

}  // namespace

TEST_CASE("what was typed before a program takes the terminal is kept, with or without its Enter") {
  // The terminal makes a newline of Enter while it edits lines itself.
  for (auto [typed, kept] : {std::pair{"(+ 1 2)\r", "(+ 1 2)\n"},
                             {"(+ 1", "(+ 1"},
                             {"(+ 1 2)\r(* 2", "(+ 1 2)\n(* 2"},
                             {"\u266f", "\u266f"},
                             {"", ""}}) {
    INFO(typed);
    keyboard board;
    termios before{}, after{};
    REQUIRE(::tcgetattr(STDIN_FILENO, &before) == 0);
    board.type(typed);
    key_input keys;
    keys.take_typed_ahead();
    CHECK(taken(keys) == kept);
    // Nothing is left for the program, and it finds the terminal as it was.
    pollfd input{STDIN_FILENO, POLLIN, 0};
    CHECK(::poll(&input, 1, 0) == 0);
    REQUIRE(::tcgetattr(STDIN_FILENO, &after) == 0);
    CHECK(after.c_lflag == before.c_lflag);
    // What the program leaves is typed after that.
    board.type("x\r");
    CHECK(keys.next() == 'x');
  }
}

}  // namespace fermata::io::typed_ahead_test
