#include "core/lang/complete.hpp"

#include "tests/core/lang/evaluated.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace fermata;

namespace {

/// Completes at the `|` in the text.
completion_result at_bar(std::string text, const environment* env = nullptr) {
  auto bar = text.find('|');
  text.erase(bar, 1);
  return complete(text, bar, env);
}

bool offers(const completion_result& r, std::string_view text) {
  return std::any_of(r.candidates.begin(), r.candidates.end(),
                     [&](auto& c) { return c.text == text; });
}

}  // namespace

TEST_CASE("forms are offered at the head of a list") {
  auto r = at_bar("(list (rev|");
  CHECK(offers(r, "reverse"));
  CHECK_FALSE(offers(r, "map"));
  CHECK(r.word == source_span{7, 10});
  CHECK(offers(at_bar("(def|"), "defmacro"));
}

TEST_CASE("options of the form around are offered once") {
  CHECK(offers(at_bar("(sort (c4 d4) :|)"), ":down"));
  CHECK(offers(at_bar("(sort (c4 d4) :by count :d|)"), ":down"));
  CHECK_FALSE(offers(at_bar("(sort (c4 d4) :down :d|)"), ":down"));
}

TEST_CASE("durations and pitches are offered") {
  CHECK(offers(at_bar("(list :q|"), ":q."));
  CHECK(offers(at_bar("(list f#|"), "f#4"));
}

TEST_CASE("bound names are offered, functions at the head") {
  auto e = evaluate(request_for("(defn melody-of [x] x) (def melody (c4 d4))"));
  REQUIRE(e);
  CHECK(offers(at_bar("(mel|", e->env.get()), "melody-of"));
  CHECK_FALSE(offers(at_bar("(mel|", e->env.get()), "melody"));
  CHECK(offers(at_bar("(reverse mel|", e->env.get()), "melody"));
  CHECK(at_bar("(melody-of |", e->env.get()).usage == "(melody-of x)");
}

TEST_CASE("the form around the cursor says how it is used and which parameter comes") {
  auto r = at_bar("(nth 1 |");
  CHECK(r.usage == "(nth N LIST)");
  CHECK(r.parameter == "list");
  CHECK(at_bar("(nth |").parameter == "n");
  CHECK(at_bar("(sort xs :by |").parameter == "by");
  CHECK(at_bar("(list [1 (nth 0 x) |").usage == "(list [ITEMS ...])");
}

TEST_CASE("nothing is offered inside strings and comments") {
  CHECK(at_bar("(words \"re|").candidates.empty());
  CHECK(at_bar("; (re|").candidates.empty());
  CHECK(at_bar("#| (re|").candidates.empty());
}

TEST_CASE("any text may be completed anywhere") {
  for (std::string_view text : {"", ")", "(((", "\"", "(a]", "\xff(\xff", "(nth :by :by"})
    for (std::size_t i = 0; i <= text.size(); ++i)
      complete(text, i);
}
