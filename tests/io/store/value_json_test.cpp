#include "io/json/value_json.hpp"

#include "io/json/environment_json.hpp"
#include "tests/core/session/session_values.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>

namespace fermata::io::value_json_test {

TEST_CASE("values are the same after they were written and read") {
  for (auto text : {"nil", "true", "3", "-7/2", "0.5", "\"a \\\"b\\\" \\n\"", "'x", "':q", "c#4",
                    "(list 1 (list) [2 'y])", "(list c4 e4)", "(note c4 :q. :staccato)",
                    "(seq (note c4 :8) (rest :8))", "(list (note c4 :q) (clef :bass))",
                    "(chord (c4 e4) :h)", "(measure (note c4 :w))"}) {
    INFO(text);
    auto v = value_of_text(text);
    REQUIRE(v);
    auto stored = boost::json::parse(boost::json::serialize(write_value(*v)));
    auto again = read_value(stored);
    INFO(boost::json::serialize(stored));
    REQUIRE(again);
    CHECK(*again == *v);
  }
}

namespace {

/// The value of a call in an environment.
std::string called(const environment& env, const char* call) {
  evaluation_request request;
  request.text = call;
  request.env = std::make_shared<const environment>(env);
  request.score = empty_score();
  auto done = evaluate(request);
  REQUIRE(done);
  return print(done->values.back());
}

}  // namespace

TEST_CASE("functions do the same after they were written and read") {
  auto use = [&](const char* function, const char* call) {
    INFO(function);
    auto v = value_of_text(function);
    REQUIRE(v);
    auto again = read_value(write_value(*v));
    REQUIRE(again);
    environment with;
    with.bindings["fun"] = {*again, {}};
    return called(with, call);
  };
  CHECK(use("(fn [x] (* x x))", "(fun 5)") == "25");
  CHECK(use("(let [k 10 l (list 1 2)] (fn [x] (+ k x (nth 1 l))))", "(fun 5)") == "17");
  CHECK(use("count", "(fun (list 1 2 3))") == "3");
}

TEST_CASE("damaged values are refused, not guessed") {
  for (auto text :
       {"{}", "[]", "1", "{\"pitch\":\"h4\"}", "{\"number\":\"1/0\"}", "{\"thing\":\"x\"}",
        "{\"list\":3}", "{\"music\":\"(note\"}", "{\"fn\":\"(fn\"}"}) {
    INFO(text);
    CHECK_FALSE(read_value(boost::json::parse(text)));
  }
}

TEST_CASE(
    "values that are nested deeper than any that can be made are refused when they are read") {
  auto nested = [](std::size_t n) {
    boost::json::value v = nullptr;
    for (std::size_t i = 0; i < n; ++i)
      v = boost::json::object{{i % 2 ? "list" : "vector", boost::json::array{std::move(v)}}};
    return v;
  };
  auto deepest = read_value(nested(deepest_value));
  REQUIRE(deepest);
  CHECK(nesting(*deepest) == deepest_value);
  for (auto n : {2'100u, 20'000u}) {
    auto read = read_value(nested(n));
    REQUIRE_FALSE(read);
    CHECK(read.error().first().message == "a value is nested too deeply");
  }
}

TEST_CASE("an environment is the same after it was written and read, macros included") {
  session_by_hand s;
  for (auto line : {"(def a (list 1 2))", "(defmacro but-if [c x] `(if ,c nil ,x))",
                    "(defn chosen [n] (but-if (= n 0) (nth 0 a)))", "(def m (note c4 :q))"}) {
    INFO(line);
    REQUIRE_FALSE(is_failure(*s.type(line)));
  }
  auto again = read_environment(write_environment(*s.state.env));
  REQUIRE(again);
  REQUIRE(again->bindings.size() == 4);
  for (auto call : {"(chosen 1)", "(but-if false 3)", "m"}) {
    INFO(call);
    CHECK(called(*s.state.env, call) == called(*again, call));
  }
}

}  // namespace fermata::io::value_json_test
