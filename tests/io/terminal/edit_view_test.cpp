#include "io/terminal/edit_view.hpp"

#include "core/utf8.hpp"
#include "io/text/code_point.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::edit_view_test {

namespace {

/// A terminal of the simplest kind, for what `repaint` promises to use: CR, LF, CSI A, C, K, J and
/// text; it wraps late, as xterm does, and scrolls at the bottom. Wide characters leave an empty
/// cell behind them.
struct screen {
  std::size_t columns, height;
  std::vector<std::vector<std::string>> cell;
  std::size_t row = 0, column = 0;

  screen(std::size_t c, std::size_t h) : columns(c), height(h), cell(h, blank()) {}
  std::vector<std::string> blank() const { return std::vector<std::string>(columns, " "); }

  void down() {
    if (row + 1 < height) {
      ++row;
      return;
    }
    cell.erase(cell.begin());
    cell.push_back(blank());
  }
  void feed(std::string_view s) {
    for (std::size_t i = 0; i < s.size();) {
      if (s[i] == '\r') {
        column = 0;
        ++i;
      } else if (s[i] == '\n') {
        down();
        ++i;
      } else if (s[i] == '\x1b') {
        i += 2;
        std::size_t n = 0;
        while (s[i] >= '0' && s[i] <= '9')
          n = n * 10 + static_cast<std::size_t>(s[i++] - '0');
        obey(s[i++], n == 0 ? 1 : n);
      } else {
        auto c = code_point_at(s, i);
        auto w = cells(c.value);
        if (column + w > columns) {
          column = 0;
          down();
        }
        if (w == 0) {
          cell[row][column - 1] += s.substr(i, c.bytes);
        } else {
          cell[row][column] = s.substr(i, c.bytes);
          for (std::size_t k = 1; k < w; ++k)
            cell[row][column + k].clear();
        }
        column += w;
        i += c.bytes;
      }
    }
  }
  void obey(char what, std::size_t n) {
    auto from = std::min(column, columns - 1);
    if (what == 'A')
      row -= std::min(n, row);
    else if (what == 'C')
      column = std::min(column + n, columns - 1);
    else if (what == 'K' || what == 'J') {
      for (auto k = from; k < columns; ++k)
        cell[row][k] = " ";
      for (auto r = row + 1; what == 'J' && r < height; ++r)
        cell[r] = blank();
    } else if (what != 'm') {
      FAIL("an escape sequence that is not promised: " << what);
    }
  }
  std::string line(std::size_t r) const {
    std::string text;
    for (auto& c : cell[r])
      text += c;
    auto end = text.find_last_not_of(' ');
    return end == text.npos ? "" : text.substr(0, end + 1);
  }
  std::string all() const {
    std::string text;
    for (std::size_t r = 0; r < height; ++r)
      text += line(r) + '\n';
    return text.substr(0, text.find_last_not_of('\n') + 1);
  }
};

edit_view view(std::string_view text, std::size_t cursor, std::size_t columns = 20,
               std::size_t rows = 8) {
  return {{{"In[1]: ", style::prompt}}, "    .. ", text, cursor, {}, {}, columns, rows, false};
}

}  // namespace

TEST_CASE("the lines of an expression stand below each other behind the continuation prompt") {
  screen s{40, 8};
  s.feed(repaint({}, picture(view("(seq\n  c4\n  d4)", 16, 40))));
  CHECK(s.all() == "In[1]: (seq\n    ..   c4\n    ..   d4)");
  CHECK(s.row == 2);
  CHECK(s.column == 12);
}

TEST_CASE("a line as wide as the terminal puts the cursor at the start of the next row") {
  screen s{20, 8};
  s.feed(repaint({}, picture(view("1234567890123", 13))));
  CHECK(s.all() == "In[1]: 1234567890123");
  CHECK(s.row == 1);
  CHECK(s.column == 0);
}

TEST_CASE("a wide character that does not fit goes to the next row whole") {
  use_utf8_locale();
  screen s{20, 8};
  s.feed(
      repaint({}, picture(view("123456789012\u97f3", 15))));  // U+97F3 is wide (East Asian Width W)
  CHECK(s.all() == "In[1]: 123456789012\n\u97f3");
  CHECK(s.column == 2);
}

TEST_CASE("combining marks take no room and stay with their letter") {
  use_utf8_locale();
  screen s{20, 8};
  std::string_view text = "\"e\u0301\"";
  s.feed(repaint({}, picture(view(text, text.size()))));
  CHECK(s.all() == "In[1]: \"e\u0301\"");
  CHECK(s.column == 10);
}

TEST_CASE("control characters and broken UTF-8 in the text are shown, never sent") {
  screen s{60, 8};
  std::string_view text = "a\x1b[2Jb\xff\x07\xc2\x9b";
  s.feed(repaint({}, picture(view(text, text.size(), 60))));
  CHECK(s.all() == "In[1]: a^[[2Jb\\xff^G\\u009b");
}

TEST_CASE("any editing step leaves the screen as if it had been drawn afresh") {
  use_utf8_locale();
  // Hand-picked for the places where terminals differ: last column, growth, shrinking, wide
  // characters, hints, scrolling at the bottom.
  const std::vector<std::string> texts{
      "",
      "(",
      "1234567890123",
      "12345678901234",
      "(seq\n  c4",
      "(seq\n\n\n  c4 d4 e4 f4 g4 a4 b4 c5)",
      "\u97f3\u97f3\u97f3\u97f3\u97f3\u97f3\u97f3",
      "1\n2\n3\n4\n5\n6\n7\n8\n9\n10",
      "1234567890123\n1234567890123\n",
  };
  for (auto& before : texts)
    for (auto& after : texts)
      for (std::size_t at : {std::size_t{0}, after.size()})
        for (bool hint : {false, true}) {
          auto first = view(before, before.size());
          auto second = view(after, at);
          if (hint) first.hint = "(seq ITEM*)";
          auto a = picture(first), b = picture(second);
          screen stepwise{20, 8};
          stepwise.feed("earlier\r\noutput\r\n");
          stepwise.feed(repaint({}, a));
          stepwise.feed(repaint(a, b));
          screen fresh{20, 8};
          fresh.feed(repaint({}, b));
          INFO("from " << before << "\nto " << after);
          // The picture is at the same place relative to the cursor; above it is older output.
          auto top = stepwise.row - b.cursor_row;
          for (std::size_t r = 0; r < b.rows.size(); ++r)
            CHECK(stepwise.line(top + r) == fresh.line(r));
          for (auto r = top + b.rows.size(); r < 8; ++r)
            CHECK(stepwise.line(r).empty());
          CHECK(stepwise.column == fresh.column);
          if (top == 2) CHECK(stepwise.line(1) == "output");
        }
}

TEST_CASE("of a text that is taller than the terminal the rows around the cursor are shown") {
  std::string_view text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10";
  auto end = picture(view(text, text.size(), 20, 4));
  CHECK(end.rows.size() == 4);
  CHECK(end.rows.back() == "    .. 10");
  CHECK(end.cursor_row == 3);
  auto start = picture(view(text, 0, 20, 4));
  CHECK(start.rows.front() == "In[1]: 1");
  CHECK(start.cursor_row == 0);
}

TEST_CASE("leaving the editor puts what comes next below all of its rows") {
  screen s{40, 8};
  auto p = picture(view("(seq\n  c4\n  d4)", 2, 40));
  s.feed(repaint({}, p));
  s.feed(leave(p));
  s.feed("next");
  CHECK(s.line(3) == "next");
}

TEST_CASE("erasing leaves what stood above") {
  screen s{40, 8};
  s.feed("above\r\n");
  auto p = picture(view("(seq\n  c4\n  d4)", 16, 40));
  s.feed(repaint({}, p));
  s.feed(erase(p));
  CHECK(s.all() == "above");
  CHECK(s.column == 0);
}

}  // namespace fermata::io::edit_view_test
