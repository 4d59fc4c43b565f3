#include "typed_session.hpp"

namespace fermata::opening_tempo_test {

using namespace fermata::test;

namespace {

/// What is played at the beginning.
std::string played(const score& s) {
  for (auto& item : s.parts.at(0)->measures.at(0)->items)
    if (auto d = std::get_if<direction>(&item.content); d && d->sound)
      return d->sound->attribute("tempo");
  return {};
}

}  // namespace

TEST_CASE("the tempo of the defaults is written where a score begins, and is played") {
  for (std::string_view first :
       {"(note c4 :q)", "(measure (note c4 :w))", "#p\"c4:q d\"", "(key g :major)",
        "(part :flute (measure (note c5 :w)))", "(score (part :flute (measure (note c5 :w))))",
        "(add (note c4 :q))"}) {
    INFO(first);
    test::session s;
    s.type("(defaults :tempo 72)");
    s.type(first);
    auto written = s.measure(0);
    INFO(written);
    CHECK(written.find("(tempo :q 72)") != std::string::npos);
    CHECK(played(*s.score) == "72");
    // Once, in the first part, and not in what comes after.
    s.type("(measure (note d4 :w))");
    s.type("(part :cello (measure (note c3 :w)))");
    CHECK(print_score(*s.score).find("tempo") == print_score(*s.score).rfind("tempo"));
  }
}

TEST_CASE("a tempo that is said comes before that of the defaults") {
  for (std::string_view first :
       {"(measure (tempo \"Allegro\" :q 144) (note c4 :w))", "(tempo :q 144)",
        "(score (part :flute (measure (tempo :q 144) (note c5 :w))))",
        "(score (part :flute (measure (note c5 :w))) (part :cello (measure (tempo :q 144) (note c3 "
        ":w))))"}) {
    INFO(first);
    test::session s;
    s.type("(defaults :tempo 72)");
    s.type(first);
    auto text = print_score(*s.score);
    CHECK(text.find("72") == std::string::npos);
    CHECK(text.find("144") != std::string::npos);
  }
}

TEST_CASE("without a default no tempo is written, and decimals stay as they are") {
  test::session s;
  s.type("(note c4 :q)");
  CHECK(print_score(*s.score).find("tempo") == std::string::npos);
  test::session t;
  t.type("(defaults :tempo 66.5)");
  t.type("(note c4 :q)");
  CHECK(t.measure(0).find("(tempo :q \"66.5\")") != std::string::npos);
  CHECK(played(*t.score) == "66.5");
  // It is the same as if it had been typed.
  test::session typed;
  typed.type("(note c4 :q)");
  typed.type("(at (select :measures 1 :beats 1) (tempo :q 66.5))");
  CHECK(print_score(*t.score) == print_score(*typed.score));
}

TEST_CASE("120, which is played where nothing is written, is not written") {
  test::session s;
  s.type("(defaults :tempo 120)");
  s.type("(note c4 :q)");
  CHECK(s.measure(0).find("tempo") == std::string::npos);
}

}  // namespace fermata::opening_tempo_test
