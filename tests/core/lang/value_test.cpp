#include "core/lang/value/value.hpp"

#include "core/lang/syntax/reader.hpp"
#include "core/lang/value/callable.hpp"

#include <catch2/catch.hpp>

namespace fermata::value_test {

TEST_CASE("a value is three words") { CHECK(sizeof(value) == 24); }

TEST_CASE("only nil and false count as false") {
  CHECK_FALSE(value{}.is_true());
  CHECK_FALSE(value::of(false).is_true());
  CHECK(value::of(std::int64_t{0}).is_true());
  CHECK(value::list({}).is_true());
}

TEST_CASE("lists are equal by what is in them, wherever it was read") {
  auto a = read("(a [b 1/2] \"c\")").forms[0].datum;
  auto b = read("   (a   (b 1/2) \"c\")").forms[0].datum;
  CHECK(a == b);
  CHECK_FALSE(a == read("(a (b 1/3) \"c\")").forms[0].datum);
  CHECK_FALSE(a == read("(a (b 1/2))").forms[0].datum);
}

TEST_CASE("values keep what they hold when copied, moved and overwritten") {
  auto text = value::string("dolce");
  auto number = value::of(rational{3, 4});
  auto copy = text;
  copy = number;
  CHECK(copy == number);
  copy = text;
  CHECK(copy == text);
  auto moved = std::move(copy);
  CHECK(moved == text);
  moved = value::of(0.5);
  CHECK(moved == value::of(0.5));
  moved = value{};
  CHECK(moved.is_nil());
  moved.become(rational{7});
  CHECK(moved == value::of(std::int64_t{7}));
  text.become(rational{8});
  CHECK(text == value::of(std::int64_t{8}));
}

TEST_CASE("printing gives text that reads back as the same data") {
  auto text = GENERATE("(a b)", "[x y]", "'x", "`(a ,b ,@c)", "\"q\\\"\\\\ \\n\\t\\r\\u0085\"",
                       "0.1", "1e+300", "-0.0025", "c{+33}4", "(phrase \"c4:q\")", "$Out[2]",
                       "[quote x]", "(unquote @x)", "6/8", "()", "(quote)", "(quote a b)");
  auto first = read(text);
  REQUIRE(first.complete());
  auto again = read(print(first.forms[0].datum));
  REQUIRE(again.complete());
  CHECK(again.forms[0].datum == first.forms[0].datum);
  CHECK(print(again.forms[0].datum) == print(first.forms[0].datum));
}

TEST_CASE("a value that shares its parts is not printed or compared without end") {
  // Twenty-six doublings: 2^26 leaves in 27 lists.
  auto a = value::list({});
  auto b = value::list({});
  for (int i = 0; i < 26; ++i) {
    a = value::list({a, a});
    b = value::list({b, b});
  }
  CHECK_FALSE(print_within(a, 1000));
  CHECK_FALSE(equal_within(a, b, 1000));
  CHECK(equal_within(a, a, 1000) == true);
}

TEST_CASE("a long chain of closures is let go of without a deep stack") {
  value chain;
  for (int i = 0; i < 300'000; ++i) {
    auto c = std::make_shared<callable>();
    c->what = callable::kind::partial;
    c->held.push_back(i % 2 == 0 ? chain : value::list({chain}));
    chain = value::of(callable_ptr{std::move(c)});
  }
  chain = value{};
  CHECK(chain.is_nil());
}

TEST_CASE("every kind of value says its name") {
  CHECK(type_name(value{}) == "nil");
  CHECK(type_name(value::of(true)) == "boolean");
  CHECK(type_name(value::of(std::int64_t{1})) == "number");
  CHECK(type_name(value::of(1.5)) == "real");
  CHECK(type_name(value::string("")) == "string");
  CHECK(type_name(value::sym("a")) == "symbol");
  CHECK(type_name(value::kw("q")) == "keyword");
  CHECK(type_name(value::list({})) == "list");
  CHECK(type_name(value::of(pitch{})) == "pitch");
  CHECK(type_name(value::of(interval{})) == "interval");
  CHECK(type_name(value::of(note_value{})) == "duration");
  CHECK(type_name(value::of(error{errc::user_error, "x"})) == "error");
}

}  // namespace fermata::value_test
