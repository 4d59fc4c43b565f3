#include "io/config/config_file.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::config_file_test {

TEST_CASE("settings are read as text, number and truth") {
  auto c = parse_config(
      "# mine\ndisplay = \"staff\"\noutput-lines = 40\ntiming = true\nwidth = \"auto\"\n");
  CHECK(c.problems.empty());
  CHECK(c.values ==
        setting_values{
            {"display", "staff"}, {"output-lines", "40"}, {"timing", "on"}, {"width", "auto"}});
}

TEST_CASE("a wrong setting is told with its line and leaves the others as they are") {
  struct row {
    const char* line;
    const char* says;
  };
  for (auto& r : {
           row{"dsplay = \"staff\"",
               "config.toml:2: unknown setting `dsplay`. Did you mean `display`?"},
           row{"display = \"loud\"",
               "config.toml:2: invalid value for display: `loud`. Choose one of"},
           row{"output-lines = -1", "config.toml:2: invalid value for output-lines: `-1`"},
           row{"timing = \"maybe\"",
               "config.toml:2: invalid value for timing: `maybe`. Choose on or off"},
           row{"width = [1, 2]", "config.toml:2: the value of width must be text, a number"},
           row{"width = 1.5", "config.toml:2: the value of width must be text, a number"},
       }) {
    auto c = parse_config("brackets = \"plain\"\n" + std::string{r.line} + "\ncolor = \"off\"\n");
    INFO(r.line);
    REQUIRE(c.problems.size() == 1);
    CHECK(c.problems.front().find(r.says) == 0);
    CHECK(c.values == setting_values{{"brackets", "plain"}, {"color", "off"}});
  }
}

TEST_CASE("a line that is no TOML is told with line and column and leaves the others as they are") {
  struct row {
    const char* line;
    const char* place;
  };
  for (auto& r : {
           row{"display = staff", "config.toml:3:11: "},
           row{"display", "config.toml:3:"},
           row{"display = ", "config.toml:3:"},
           row{"= 3", "config.toml:3:1: "},
           row{"display = \"staff", "config.toml:3:"},
           row{"pager = \"\"\"less", "config.toml:3:"},
           row{"width = [1,", "config.toml:3:"},
           row{"timing = true false", "config.toml:3:"},
           row{"[", "config.toml:3:"},
           row{"<<<<<<< HEAD", "config.toml:3:1: "},
           row{"# a comment \x01", "config.toml:3:"},
           row{"brackets = \"rainbow\"", "config.toml:3:"},
           row{"\xff", "config.toml:3:1: "},
       }) {
    INFO(r.line);
    auto text = "# mine\nbrackets = \"plain\"\n" + std::string{r.line} + "\ncolor = \"off\"\n";
    auto c = parse_config(text);
    REQUIRE(c.problems.size() == 1);
    INFO(c.problems.front());
    CHECK(c.problems.front().find(r.place) == 0);
    CHECK(c.values == setting_values{{"brackets", "plain"}, {"color", "off"}});
  }
}

TEST_CASE("several lines that are no TOML are told one by one") {
  auto c =
      parse_config("x x\ndisplay = \"staff\"\ny y\npager = \"\"\"\nless\"\"\"\ntiming = maybe\n"
                   "dsplay = 1\n");
  REQUIRE(c.problems.size() == 4);
  CHECK(c.problems[0].find("config.toml:1:") == 0);
  CHECK(c.problems[1].find("config.toml:3:") == 0);
  CHECK(c.problems[2].find("config.toml:6:") == 0);
  CHECK(c.problems[3].find("config.toml:7: unknown setting `dsplay`") == 0);
  CHECK(c.values == setting_values{{"display", "staff"}, {"pager", "less"}});
}

TEST_CASE("a changed setting leaves comments and order as they are") {
  struct row {
    const char* before;
    const char* name;
    const char* value;
    const char* after;
  };
  for (auto& r : {
           row{"", "display", "staff", "display = \"staff\"\n"},
           row{"# why\ndisplay = \"staff\"  # nice\ncolor = \"off\"\n", "display", "compact",
               "# why\ndisplay = \"compact\"  # nice\ncolor = \"off\"\n"},
           row{"color = \"off\"", "timing", "on", "color = \"off\"\ntiming = true\n"},
           row{"timing = true\n", "timing", "off", "timing = false\n"},
           row{"x = 1\n[later]\ny = 2\n", "output-lines", "7",
               "x = 1\noutput-lines = 7\n[later]\ny = 2\n"},
           row{"# é\nwidth = 80 # ü\n", "width", "auto", "# é\nwidth = \"auto\" # ü\n"},
           row{"", "pager", "less \"-R\" \\x", "pager = \"less \\\"-R\\\" \\\\x\"\n"},
           row{"", "display", "explicit", "display = \"fermata\"\n"},
       }) {
    INFO(r.before);
    auto after = with_setting(r.before, r.name, r.value);
    REQUIRE(after);
    CHECK(*after == r.after);
    CHECK(effective_setting(r.name, {}, parse_config(*after).values) ==
          *setting_value(*find_setting(r.name), r.value));
  }
}

// https://toml.io/en/v1.0.0: no leading zeros; control characters but tab are not in a string; a
// document is UTF-8.
TEST_CASE("whatever a setting takes can be read back from the file, and the rest changes nothing") {
  for (auto& row : setting_table())
    for (std::string value :
         {"0", "7", "080", "00100", "-0", "20", "1000", "on", "off", "auto", "x\ty",
          "a\x7f"
          "b",
          "a\xff"
          "b",
          "\"\\'#", "staff", "last", " "}) {
      INFO(row.name << " = " << value);
      auto after = with_setting("# mine\n", row.name, value);
      CHECK(static_cast<bool>(after) == static_cast<bool>(setting_value(row, value)));
      if (!after) continue;
      auto c = parse_config(*after);
      CHECK(c.problems.empty());
      CHECK(effective_setting(row.name, {}, c.values) == *setting_value(row, value));
    }
}

TEST_CASE("a setting that goes back to its default takes its line along and nothing else") {
  struct row {
    const char* before;
    const char* name;
    const char* after;
  };
  for (auto& r : {
           row{"", "width", ""},
           row{"# why\nwidth = 60  # narrow\ncolor = \"off\"\n", "width",
               "# why\ncolor = \"off\"\n"},
           row{"color = \"off\"\nwidth = 60", "width", "color = \"off\"\n"},
           row{"color = \"off\"\n", "width", "color = \"off\"\n"},
           row{"é = 1\nwidth = 60\n[later]\ny = 2\n", "width", "é = 1\n[later]\ny = 2\n"},
       }) {
    // A bare key of TOML has no accents; the row with one is no TOML and is refused.
    INFO(r.before);
    auto after = without_setting(r.before, r.name);
    if (r.before[0] == '\xc3') {
      CHECK_FALSE(after);
      continue;
    }
    REQUIRE(after);
    CHECK(*after == r.after);
  }
  CHECK_FALSE(without_setting("", "widht"));
}

TEST_CASE("a wrong value, an unknown name and a broken file are refused") {
  CHECK_FALSE(with_setting("", "display", "loud"));
  CHECK_FALSE(with_setting("", "dsplay", "staff"));
  CHECK_FALSE(with_setting("display = \n", "display", "staff"));
}

}  // namespace fermata::io::config_file_test
