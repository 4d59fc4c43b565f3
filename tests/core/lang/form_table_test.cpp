#include "core/lang/evaluation/compile.hpp"
#include "core/lang/reference/reference.hpp"
#include "core/lang/value/form_spec.hpp"
#include "tests/core/lang/evaluated.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace fermata::form_table_test {

TEST_CASE("every row of the form table is documented and can be reached") {
  for (auto& row : form_table()) {
    INFO(row.name);
    CHECK_FALSE(row.doc.empty());
    CHECK_FALSE(row.category.empty());
    CHECK_FALSE(row.example.empty());
    CHECK_FALSE(row.returns.empty());
    CHECK(find_form(row.name) == &row);
    CHECK((row.handler != nullptr || is_special_form(row.name)));
    for (auto& p : row.params) {
      INFO(p.name);
      CHECK_FALSE(p.doc.empty());
    }
  }
}

TEST_CASE("no name or alias stands for two forms, and no parameter has two meanings") {
  std::set<std::string> names;
  for (auto& row : form_table()) {
    INFO(row.name);
    CHECK(names.insert(row.name).second);
    for (auto& alias : row.aliases) {
      INFO(alias);
      CHECK(names.insert(alias).second);
    }
    std::set<std::string> params;
    for (auto& p : row.params) {
      INFO(p.name);
      CHECK(params.insert(p.name).second);
      for (auto& alias : p.aliases)
        CHECK(params.insert(alias).second);
    }
  }
}

TEST_CASE("every example of the form table runs") {
  for (auto& row : form_table()) {
    INFO(row.name << ": " << row.example);
    auto e = evaluate(request_for(row.example));
    INFO(shown(e));
    CHECK(e.has_value());
  }
}

TEST_CASE("a usage line shows what may be left out") {
  CHECK(usage(*find_form("nth")) == "(nth N LIST)");
  CHECK(usage(*find_form("range")) == "(range FIRST [END] [STEP])");
  CHECK(usage(*find_form("sort")) == "(sort LIST [:by BY] [:down])");
  CHECK(usage(*find_form("+")) == "(+ [NUMBERS ...])");
}

TEST_CASE("the special forms have rows") {
  for (auto name :
       {"def",  "defn", "defmacro", "fn",     "let",   "if",         "when",    "unless",
        "cond", "and",  "or",       "do",     "quote", "quasiquote", "unquote", "unquote-splicing",
        "try",  "->",   "->>",      "expand", "doc",   "source"}) {
    INFO(name);
    CHECK(is_special_form(name));
    CHECK(find_form(name) != nullptr);
  }
}

TEST_CASE("every error has an example, and those that are expressions provoke it") {
  for (auto& row : error_table()) {
    INFO(row.name);
    CHECK_FALSE(row.summary.empty());
    CHECK_FALSE(row.explanation.empty());
    REQUIRE_FALSE(row.example.empty());
    INFO(row.example);
    // What a file or the user's hands are needed for is provoked by
    // tests/e2e/language/error_inputs.tsv.
    if (row.example.starts_with("fermata ") || row.example.starts_with("Ctrl-C") ||
        row.example.starts_with("FERMATA_HOME"))
      continue;
    CHECK(fault_code(row.example) == row.name);
    CHECK(error_look(row).starts_with(std::string{row.name} + ": "));
    CHECK(error_look(row).find("^") != std::string::npos);
  }
}

TEST_CASE("edits and theory answer in words, numbers and lists, but for what makes music") {
  // Music as the value of a top-level form goes into the score. `key-at` is kept out of it.
  const std::set<std::string> no_music{"string", "list", "number", "symbol", "any"};
  const std::set<std::string> makes_music{"progression", "cadence"};
  for (auto& row : form_table())
    if (std::set<std::string>{"edit", "theory", "set", "row", "neo"}.contains(row.category)) {
      INFO(row.name << " gives " << row.returns);
      CHECK((no_music.contains(row.returns) || makes_music.contains(row.name) ||
             row.name == "key-at" || row.returns == "nil" || row.returns == "pitch"));
    }
}

}  // namespace fermata::form_table_test
