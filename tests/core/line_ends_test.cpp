#include "core/line_ends.hpp"

#include "core/error.hpp"

#include <catch2/catch.hpp>

#include <vector>

namespace fermata::line_ends_test {

namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (text_line line; line.next <= text.size();) {
    line = line_at(text, line.next);
    lines.emplace_back(text.substr(line.begin, line.end - line.begin));
  }
  return lines;
}

}  // namespace

// XML 1.0, section 2.11: CR LF, and a CR that is not followed by LF, are one line end.
TEST_CASE("a line ends with LF, with CR LF and with CR, whatever system wrote it") {
  struct row {
    const char* text;
    std::vector<std::string> lines;
    const char* with_line_feeds;
  };
  for (auto& r : {
           row{"", {""}, ""},
           row{"a", {"a"}, "a"},
           row{"a\nb", {"a", "b"}, "a\nb"},
           row{"a\r\nb", {"a", "b"}, "a\nb"},
           row{"a\rb", {"a", "b"}, "a\nb"},
           row{"a\r\n", {"a", ""}, "a\n"},
           row{"\r\r\n\n", {"", "", "", ""}, "\n\n\n"},
           row{"a\n\rb", {"a", "", "b"}, "a\n\nb"},
           row{"a\r", {"a", ""}, "a\n"},
       }) {
    INFO(with_line_feeds(r.text));
    CHECK(lines_of(r.text) == r.lines);
    CHECK(with_line_feeds(r.text) == r.with_line_feeds);
  }
}

TEST_CASE("lines and columns are counted by every line end") {
  struct row {
    const char* text;
    std::size_t offset, line, column;
  };
  for (auto& r : {
           row{"a\nbc", 3, 2, 2},
           row{"a\r\nbc", 4, 2, 2},
           row{"a\rbc", 3, 2, 2},
           row{"a\r\n\r\nc", 5, 3, 1},
           row{"a\r\r\rc", 4, 4, 1},
           row{"a\r\nb", 1, 1, 2},
           row{"a\r\nb", 2, 1, 3},  // between the two bytes of an end the line goes on
           row{"a\r", 2, 2, 1},
       }) {
    INFO(with_line_feeds(r.text) << " at " << r.offset);
    auto place = locate(r.text, r.offset);
    CHECK(place.line == r.line);
    CHECK(place.column == r.column);
  }
}

TEST_CASE("a fault is shown with its own line, however the lines end") {
  for (std::string end : {"\n", "\r\n", "\r"}) {
    auto text = "(note c4)" + end + "(h4)" + end + "(note d4)" + end;
    auto at = text.find("h4");
    CHECK(render(error{errc::invalid_pitch, "not a pitch", source_span{at, at + 2}}, text,
                 "song.ferm") == "song.ferm:2:2: invalid-pitch: not a pitch\n"
                                 "  2 | (h4)\n"
                                 "       ^^\n");
  }
}

}  // namespace fermata::line_ends_test
