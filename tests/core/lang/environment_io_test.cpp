#include "core/lang/evaluation/environment_io.hpp"

#include "tests/core/lang/evaluated.hpp"

#include <catch2/catch.hpp>

namespace fermata::environment_io_test {

namespace {

environment_ptr defined(std::string_view text, environment_ptr env = nullptr) {
  auto r = request_for(text);
  r.env = std::move(env);
  auto e = evaluate(r);
  INFO(shown(e));
  REQUIRE(e);
  return e->env;
}

environment_ptr saved_and_loaded(const environment& env) {
  auto saved = save_bindings(env);
  REQUIRE(saved.errors.diagnostics.empty());
  auto loaded = load_bindings(saved.bindings);
  for (auto& d : loaded.errors.diagnostics)
    FAIL(d.message);
  auto copy = env;
  copy.bindings = std::move(loaded.bindings);
  return std::make_shared<const environment>(std::move(copy));
}

std::string evaluated_in(const environment_ptr& env, std::string_view text) {
  auto r = request_for(text);
  r.env = env;
  return shown(evaluate(r));
}

}  // namespace

TEST_CASE("every kind of value comes back as it was") {
  auto env = defined("(def a 3/4) (def b 0.1) (def c \"a\\n\\\"b\") (def d '(x (y :q) \"z\" c4)) "
                     "(def e (c4 e4)) (def go (list M3 1)) (def g :q)"
                     "(def h nil) (def i true) (def j (as-duration :q.)) (def k (list (list 1 "
                     "(as-interval A4)) 'sym)) (def l 'sym) (def m1 '$Out[3])"
                     "(def o '(quote x)) (def r2 (try (/ 1 0)))");
  auto again = saved_and_loaded(*env);
  for (auto& [name, b] : env->bindings) {
    INFO(name << " " << print(b.bound));
    if (name != "r2") CHECK(again->bindings.at(name).bound == b.bound);
    CHECK(again->bindings.at(name).source == b.source);
  }
  CHECK(evaluated_in(again, "(error-message r2)") == evaluated_in(env, "(error-message r2)"));
}

TEST_CASE("functions come back with what they captured") {
  auto env = defined("(def adder (fn [n] (fn [x] (+ x n))))"
                     "(def add3 (adder 3))"
                     "(defn fact [n] (if (< n 2) 1 (* n (fact (- n 1)))))"
                     "(def countdown (let [x (list 1 2) list 5] (fn [] (cons list x))))"
                     "(def looping ((fn outer [k] (fn [n] (if (= n 0) k (outer (+ k n))))) 1))"
                     "(def twice (comp inc (partial * 2)))"
                     "(def plus +)"
                     "(def both (let [go (let [a 1] (fn [x] (+ a x)))] (fn [y] (go (go y)))))");
  auto again = saved_and_loaded(*saved_and_loaded(*env));
  auto text = "(list (add3 4) (fact 10) (countdown) ((looping 4) 0) (twice 5) (plus 1 2) (both 1) "
              "(printed add3))";
  CHECK(evaluated_in(again, text) == evaluated_in(env, text));
  CHECK(evaluated_in(again, "(list (add3 4) (fact 10) (countdown) (twice 5) (both 1))") ==
        "(7 3628800 (5 1 2) 11 3)");
  CHECK(evaluated_in(again, "(source fact)") ==
        "(defn fact [n] (if (< n 2) 1 (* n (fact (- n 1)))))");
  CHECK(evaluated_in(again, "fact") == "<function fact>");
}

TEST_CASE("macros come back, and functions keep the macros they were compiled with") {
  auto env = defined("(defmacro twice [x] `(* 2 ,x)) (defn go [x] (twice (twice x)))");
  env = defined("(defmacro twice [x] `(* 100 ,x))", env);
  auto again = saved_and_loaded(*env);
  CHECK(evaluated_in(env, "(list (go 3) (twice 3))") == "(12 300)");
  CHECK(evaluated_in(again, "(list (go 3) (twice 3))") == "(12 300)");
}

TEST_CASE("a quoted macro call in a function stays as it is") {
  auto env = defined("(defmacro twice [x] `(* 2 ,x)) (defn go [] (list '(twice 1) (twice 1)))");
  CHECK(evaluated_in(saved_and_loaded(*env), "(go)") == "((twice 1) 2)");
}

TEST_CASE("functions keep what macros have put into their code, also what is no code") {
  auto env = defined("(defmacro held [] (list 'list (fn [x] (+ x 1)) (as-interval \"M3\") inc "
                     "(try (/ 1 0)) (as-duration :q)))"
                     "(defmacro quoted [] (list 'quote (list (as-interval \"M3\") (list inc 'x))))"
                     "(defn go [] (held)) (defn went [] (quoted))"
                     "(defn up [x] (let [l (held)] ((nth 0 l) x)))");
  auto again = saved_and_loaded(*saved_and_loaded(*env));
  for (auto text :
       {"(up 2)", "(map type (go))", "(error-message (nth 3 (go)))", "(map type (went))",
        "(transpose (nth 0 (went)) c4)", "((nth 0 (nth 1 (went))) 1)", "(nth 1 (nth 1 (went)))"}) {
    INFO(text);
    CHECK(evaluated_in(again, text) == evaluated_in(env, text));
  }
  CHECK(evaluated_in(again, "(up 2)") == "3");
  CHECK(evaluated_in(again, "(map type (go))") ==
        "(:function :interval :function :error :duration)");
  CHECK(evaluated_in(again, "(transpose (nth 0 (went)) c4)") == "e4");
}

TEST_CASE("what does not load is reported by name and kept") {
  std::vector<saved_binding> saved{{"good", "(def good 1)", "1", "", false},
                                   {"bad", "(def bad (old-form))", "(old-form)", "", false}};
  auto loaded = load_bindings(saved);
  CHECK(loaded.bindings.size() == 1);
  REQUIRE(loaded.errors.diagnostics.size() == 1);
  CHECK(loaded.errors.first().message ==
        "`bad` does not load: unknown form or function `old-form`");
  CHECK(loaded.failed == std::vector<saved_binding>{saved[1]});
}

}  // namespace fermata::environment_io_test
