#include "core/lang/evaluation/environment_io.hpp"
#include "tests/core/lang/evaluated.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

// language.md: "Lists nest up to 1,000 deep." That holds for what is made as well as for what is
// typed, and for whatever else holds values; what can be made can be saved and loaded.

namespace fermata::nesting_test {

namespace {

struct maker {
  const char* seed;     ///< what the innermost is
  const char* wrapped;  ///< one more around `l`
  int innermost;        ///< how deep the seed is
  int each;             ///< how much deeper one more is
};

// A function counts the call that it is saved as: `((fn [l] (fn [] l)) value)` is one list around
// the value and two around the code.
const std::vector<maker>& makers() {
  static const std::vector<maker> all{
      {"1", "(list l)", 0, 1},
      {"M3", "(list l)", 0, 1},
      {"1", "[l]", 0, 1},
      {"c4", "(cons l (list))", 0, 1},
      {"1", "(concat (list 2) (list l))", 0, 1},
      {"1", "`(a ,l)", 0, 1},
      {"1", "`[,l]", 0, 1},
      {"1", "`(,@(list l 2))", 0, 1},
      {"1", "(map (fn [x] l) (list 1))", 0, 1},
      {"1", "(filter (fn [x] true) (list l))", 0, 1},
      {"1", "(reverse (list l 2))", 0, 1},
      {"1", "(repeat-times 1 l)", 0, 1},
      {"1", "(zip (list l) (list 1))", 0, 2},
      {"1", "(partition 2 (list l 3))", 0, 2},
      {"1", "((fn [& r] r) l)", 0, 1},
      {"1", "(apply list l (list))", 0, 1},
      {"(try (/ 1 0))", "(list l)", 0, 1},
      {"(note c4 :q)", "(list l)", 0, 1},
      {"(fn [] 1)", "(fn [] l)", 2, 1},
      {"(fn [] 1)", "(partial + l)", 2, 1},
      {"(fn [] 1)", "(comp l inc)", 2, 1},
      {"1", "(let [held (list l)] (fn [] held))", 0, 2},
  };
  return all;
}

std::string times(const maker& m, int n) {
  return std::string{"(let loop [l "} + m.seed + " i 0] (if (= i " + std::to_string(n) +
         ") l (loop " + m.wrapped + " (+ i 1))))";
}

environment_ptr defined(const std::string& text) {
  auto e = evaluate(request_for(text));
  INFO(shown(e));
  REQUIRE(e);
  return e->env;
}

}  // namespace

TEST_CASE("whatever holds values nests a thousand deep, and comes back from where it was saved") {
  for (auto& m : makers()) {
    INFO(m.seed << " " << m.wrapped);
    auto most = (1'000 - m.innermost) / m.each;
    auto env = defined("(def deep " + times(m, most) + ")");
    auto& deep = env->bindings.at("deep").bound;
    CHECK(nesting(deep) == static_cast<std::uint32_t>(m.innermost + most * m.each));
    auto saved = save_bindings(*env);
    REQUIRE(saved.errors.diagnostics.empty());
    auto loaded = load_bindings(saved.bindings);
    for (auto& d : loaded.errors.diagnostics)
      FAIL(d.message);
    auto& again = loaded.bindings.at("deep").bound;
    CHECK(nesting(again) == nesting(deep));
    CHECK(*to_source(again) == *to_source(deep));
  }
}

TEST_CASE("one level more than a thousand is an error where it is made, and changes nothing") {
  for (auto& m : makers()) {
    INFO(m.seed << " " << m.wrapped);
    auto n = (1'000 - m.innermost) / m.each + 1;
    for (auto text :
         {times(m, n), "(def deep " + times(m, n) + ")",
          "(do (note d4 :q) (def deep " + times(m, n) + ") (note e4 :q))", times(m, 20'000)}) {
      auto e = evaluate(request_for(text));
      REQUIRE_FALSE(e);
      CHECK(e.error().first().code == errc::nesting_too_deep);
      CHECK(e.error().first().message.find("nested more than 1000 deep") != std::string::npos);
      CHECK_FALSE(e.error().first().hint.empty());
    }
  }
}

TEST_CASE("steps of a thread, ranges of the history and nested functions are bounded as well") {
  std::string steps;
  for (int i = 0; i < 1'100; ++i)
    steps += " list";
  for (auto text : {"(-> 1" + steps + " quote)", "(expand (-> 1" + steps + "))"})
    CHECK(fault_code(text) == "nesting-too-deep");
  auto r = request_for("$Out[1:2]");
  r.next_index = 3;
  auto deep = evaluate(request_for(times(makers().front(), 1'000)));
  REQUIRE(deep);
  r.history = [&](std::string_view, std::int64_t) {
    return std::optional{history_value{value{}, deep->values.back()}};
  };
  auto e = evaluate(r);
  REQUIRE_FALSE(e);
  CHECK(e.error().first().code == errc::nesting_too_deep);
}

TEST_CASE("deep code in a deep value comes back") {
  // The value is 600 deep, its innermost function has 390 calls inside of each other.
  std::string calls = "x";
  for (int i = 0; i < 390; ++i)
    calls = "(inc " + calls + ")";
  auto env = defined("(def go (let loop [l (fn [x] " + calls +
                     ") i 0] (if (= i 600) l (loop (fn [x] (l x)) (+ i 1)))))");
  auto loaded = load_bindings(save_bindings(*env).bindings);
  for (auto& d : loaded.errors.diagnostics)
    FAIL(d.message);
  auto again = std::make_shared<environment>();
  again->bindings = loaded.bindings;
  for (auto& with : {env, environment_ptr{again}}) {
    auto r = request_for("(go 1)");
    r.env = with;
    CHECK(shown(evaluate(r)) == "391");
  }
  // With more code inside it is refused when it is made.
  CHECK(fault_code("(let loop [l (fn [x] " + calls +
                   ") i 0] (if (= i 700) l (loop (fn [x] (l x)) (+ i 1))))") == "nesting-too-deep");
}

TEST_CASE("a macro that expands into itself is named, with what came before it") {
  auto e = evaluate(request_for("(defmacro m [x] `(m (list ,x ,x))) (m 1)"));
  REQUIRE_FALSE(e);
  CHECK(e.error().first().code == errc::nesting_too_deep);
  CHECK(e.error().first().message.starts_with("while expanding `m`: "));
  CHECK(e.error().first().hint == "look for a macro that expands into itself");
  // Independent faults are told together: one in the code, one in a macro, one behind it.
  e = evaluate(request_for("(defmacro bad [x] (/ x 0)) (list (if) (bad 1) (if))"));
  REQUIRE_FALSE(e);
  REQUIRE(e.error().diagnostics.size() == 3);
  CHECK(e.error().diagnostics[1].code == errc::division_by_zero);
  CHECK(e.error().diagnostics[1].message.starts_with("while expanding `bad`: "));
}

TEST_CASE("a function keeps its macros however deep in the code they were") {
#ifdef __SANITIZE_ADDRESS__
  constexpr int depth = 200;  // its frames are several times as large, and the stack is not
#else
  constexpr int depth = 950;
#endif
  std::string calls = "(two 1)";
  for (int i = 0; i < depth; ++i)
    calls = "(+ 0 " + calls + ")";
  auto env = defined("(defmacro two [x] `(* 2 ,x)) (defn go [] " + calls + ")");
  auto saved = save_bindings(*env);
  REQUIRE(saved.errors.diagnostics.empty());
  auto loaded = load_bindings(saved.bindings);
  for (auto& d : loaded.errors.diagnostics)
    FAIL(d.message);
  auto r = request_for("(go)");
  auto again = std::make_shared<environment>();
  again->bindings["go"] = loaded.bindings.at("go");
  r.env = again;
  CHECK(shown(evaluate(r)) == "2");
}

TEST_CASE("what shares its parts without end is not kept, in whatever it is") {
  // 2 to the power of 60 items, in sixty lists.
  std::string endless = "(reduce (fn [s i] (list s s)) 1 (range 60))";
  for (auto text : {"(def x " + endless + ")", "(def x (let [l " + endless + "] (fn [] l)))",
                    "(def x (partial + " + endless + "))", "(let [l " + endless + "] (fn [] l))",
                    "(list 1 (partial + " + endless + "))", endless})
    CHECK(fault_code(text) == "budget-exceeded");
  // It may be used.
  CHECK(evaluated("(count " + endless + ")") == "2");
}

}  // namespace fermata::nesting_test
