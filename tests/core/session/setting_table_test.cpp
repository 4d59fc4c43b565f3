#include "core/session/commands/setting_table.hpp"

#include "tests/support/doc_page.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace fermata::setting_table_test {

TEST_CASE("every setting is documented and takes its own default and words") {
  std::set<std::string_view> names;
  for (auto& row : setting_table()) {
    INFO(row.name);
    CHECK(names.insert(row.name).second);
    CHECK_FALSE(row.help.empty());
    CHECK(setting_value(row, row.by_default));
    for (auto word : row.words)
      CHECK(setting_value(row, word) == std::string{word});
    CHECK_FALSE(setting_value(row, ""));
  }
}

TEST_CASE("the session's setting goes before the configured one, that before the default") {
  CHECK(effective_setting("display", {}, {}) == "fermata");
  CHECK(effective_setting("display", {}, {{"display", "staff"}}) == "staff");
  CHECK(effective_setting("display", {{"display", "silent"}}, {{"display", "staff"}}) == "silent");
  // What a session kept from another version and nobody knows any more.
  CHECK(effective_setting("display", {{"display", "runes"}}, {{"display", "staff"}}) == "staff");
  // No session decides which session is opened.
  CHECK(effective_setting("session", {{"session", "x"}}, {}) == "last");
}

TEST_CASE("numbers have bounds") {
  auto& width = *find_setting("width");
  CHECK(setting_value(width, "20"));
  CHECK(setting_value(width, "auto"));
  for (auto wrong : {"19", "1001", "-20", "20x", "99999999999", "wide"})
    CHECK_FALSE(setting_value(width, wrong));
  // One number, one spelling; TOML knows none that begins with a zero.
  CHECK(setting_value(width, "080") == std::string{"80"});
  CHECK(setting_value(*find_setting("output-lines"), "-0") == std::string{"0"});
}

TEST_CASE("a text is one line that can be kept in a file and shown on a terminal") {
  for (auto& row : setting_table()) {
    if (row.type != setting_type::text) continue;
    INFO(row.name);
    for (auto right : {"less -R", "caf\u00e9", "tab\there", "it's \"quoted\" \\"})
      CHECK(setting_value(row, right) == std::string{right});
    for (auto wrong : {" ", "two\nlines", "a\x1b[31mb",
                       "a\x7f"
                       "b",
                       "a\xff"
                       "b",
                       "\xc3"}) {
      auto value = setting_value(row, wrong);
      REQUIRE_FALSE(value);
      CHECK(value.error().first().message.find(row.name) != std::string::npos);
      CHECK(value.error().first().message.find('\x1b') == std::string::npos);
    }
  }
}

TEST_CASE("for a name that no setting has, those are listed that can be set there") {
  auto at_prompt = unknown_setting("foo", true).first().hint;
  auto in_file = unknown_setting("foo").first().hint;
  for (auto& row : setting_table()) {
    INFO(row.name);
    CHECK(in_file.find(row.name) != std::string::npos);
    CHECK((at_prompt.find(row.name) != std::string::npos) == row.of_session);
  }
  CHECK(at_prompt.find("scratch") != std::string::npos);
  CHECK(unknown_setting("scrach", true).first().hint.find("`scratch`") != std::string::npos);
}

TEST_CASE("the page on the configuration says what the table says") {
  fermata::test::check_page("configuration.md", configuration_reference());
}

}  // namespace fermata::setting_table_test
