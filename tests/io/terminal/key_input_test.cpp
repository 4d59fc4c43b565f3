#include "io/terminal/key_input.hpp"

#include <catch2/catch.hpp>

#include <vector>

namespace fermata::io::key_input_test {

using fermata::io::whole_characters;

TEST_CASE("what is typed is UTF-8, however it is divided and whatever it is") {
  struct row {
    std::vector<const char*> pieces;
    std::vector<const char*> taken;
    const char* rest;
  };
  const row rows[] = {
      {{"abc", "d"}, {"abc", "d"}, ""},
      {{"caf\xc3\xa9"}, {"caf\u00e9"}, ""},
      // A character that comes in pieces.
      {{"\xc3", "\xa9"}, {"", "\u00e9"}, ""},
      {{"a\xf0", "\x9d", "\x84",
        "\x9e"
        "b"},
       {"a", "", "",
        "\U0001d11e"
        "b"},
       ""},
      {{"\xe2\x99", "\xaf"}, {"", "\u266f"}, ""},
      {{"\u00e9\xc3", "\xa9"}, {"\u00e9", "\u00e9"}, ""},
      // Bytes of which there is no character, each by itself.
      {{"caf\xe9 x"}, {"caf\ufffd x"}, ""},
      {{"\xff\xfe"}, {"\ufffd\ufffd"}, ""},
      {{"\x80"}, {"\ufffd"}, ""},
      {{"\xc0\xaf"}, {"\ufffd\ufffd"}, ""},
      {{"\xed\xa0"}, {"\ufffd\ufffd"}, ""},
      {{"\xf4\x90"}, {"\ufffd\ufffd"}, ""},
      // The beginning of one that goes on as something else, or not at all.
      {{"\xe9", "\r"}, {"", "\ufffd\r"}, ""},
      {{"\xe9", "\xff"
                "a"},
       {"", "\ufffd\ufffd"
            "a"},
       ""},
      {{"\xe2\x99", "a"},
       {"", "\ufffd\ufffd"
            "a"},
       ""},
      {{"\xe9", "\xc3\xa9"}, {"", "\ufffd\u00e9"}, ""},
      {{"a\xe2\x99"}, {"a"}, "\ufffd\ufffd"},
  };
  for (auto& r : rows) {
    whole_characters characters;
    for (std::size_t i = 0; i < r.pieces.size(); ++i)
      CHECK(characters.take(r.pieces[i]) == r.taken[i]);
    CHECK(characters.rest() == r.rest);
    CHECK(characters.rest().empty());
  }
}

}  // namespace fermata::io::key_input_test
