#include "core/utf8.hpp"

#include <catch2/catch.hpp>

namespace fermata::utf8_test {

TEST_CASE("invalid UTF-8 is found at its first byte") {
  // Expectations: Unicode 15, table 3-7.
  CHECK(find_invalid_utf8("plain") == std::string_view::npos);
  CHECK(find_invalid_utf8("\xc3\xa9 \xe2\x99\xaf \xf0\x9d\x84\xab") == std::string_view::npos);
  CHECK(find_invalid_utf8("ab\xff") == 2u);
  CHECK(find_invalid_utf8("a\xc3") == 1u);             // cut short
  CHECK(find_invalid_utf8("\xc0\xaf") == 0u);          // overlong
  CHECK(find_invalid_utf8("\xe0\x80\x80") == 0u);      // overlong
  CHECK(find_invalid_utf8("\xed\xa0\x80") == 0u);      // surrogate
  CHECK(find_invalid_utf8("\xf4\x90\x80\x80") == 0u);  // above U+10FFFF
  CHECK(find_invalid_utf8("x\x80") == 1u);             // lone continuation
}

TEST_CASE("a code point comes back from its encoding, at the edges of every length") {
  // Expectations: RFC 3629, section 3.
  const std::pair<char32_t, std::string> rows[] = {
      {0x00, std::string{"\0", 1}},
      {0x7f, "\x7f"},
      {0x80, "\xc2\x80"},
      {0x7ff, "\xdf\xbf"},
      {0x800, "\xe0\xa0\x80"},
      {0xffff, "\xef\xbf\xbf"},
      {0x10000, "\xf0\x90\x80\x80"},
      {0x10ffff, "\xf4\x8f\xbf\xbf"},
  };
  for (auto& [c, bytes] : rows) {
    CAPTURE(static_cast<std::uint32_t>(c));
    std::string out;
    append_utf8(out, c);
    CHECK(out == bytes);
    auto back = code_point_at(bytes, 0);
    CHECK(back.valid);
    CHECK(back.value == c);
    CHECK(back.bytes == bytes.size());
  }
}

TEST_CASE("each byte that is not UTF-8 becomes a replacement character") {
  CHECK(as_valid_utf8("a\xff"
                      "b\xe0\x80") == "a\ufffdb\ufffd\ufffd");
}

}  // namespace fermata::utf8_test
