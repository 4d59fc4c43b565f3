#include "core/lang/evaluation/evaluate.hpp"

#include "tests/core/lang/evaluated.hpp"

#include <catch2/catch.hpp>

namespace fermata::evaluate_test {

TEST_CASE("numbers stay exact until a real one comes in") {
  // By hand.
  CHECK(evaluated("(+ 1/4 1/8 1)") == "11/8");
  CHECK(evaluated("(/ 3 4)") == "3/4");
  CHECK(evaluated("(* 2 0.5)") == "1.0");
  CHECK(evaluated("(- 5)") == "-5");
  CHECK(evaluated("(/ 4)") == "1/4");
  CHECK(evaluated("(+ 6/8 0)") == "3/4");
  CHECK(evaluated("(= 1/2 2/4 0.5)") == "true");
  CHECK(evaluated("(mod -1 12)") == "11");
  CHECK(evaluated("(remainder -7 2)") == "-1");
  CHECK(evaluated("(round 5/2)") == "2");  // to even, as in R7RS 6.2.6
  CHECK(evaluated("(round -7/2)") == "-4");
  CHECK(evaluated("(floor -7/2)") == "-4");
  CHECK(evaluated("(exact 0.1)") ==
        "3602879701896397/36028797018963968");  // Python's Fraction(0.1)
  CHECK(fault_code("(exact 1e-30)") == "number-too-large");
  CHECK(evaluated("(power 2 62)") == "4611686018427387904");
  CHECK(evaluated("(power 2/3 -2)") == "9/4");
  CHECK(evaluated("(sqrt 9/4)") == "3/2");
}

TEST_CASE("a number that no longer fits is an error, never a wrong number") {
  auto text =
      GENERATE("(+ 9223372036854775807 1)", "(- -9223372036854775807 1)",
               "(* 4611686018427387904 2)", "(power 2 63)", "(* 3037000500 3037000500)",
               "(inc 9223372036854775807)", "(lcm 9223372036854775807 9223372036854775806)");
  CHECK(fault_code(text) == "number-too-large");
}

TEST_CASE("bindings are lexical and closures keep what they saw") {
  CHECK(evaluated("(let [x 1 y (+ x 1)] (* x y))") == "2");
  CHECK(evaluated("(def x 1) (defn go [] x) (let [x 2] (go))") == "1");
  CHECK(evaluated("(def adder (fn [n] (fn [x] (+ x n)))) ((adder 3) 4)") == "7");
  CHECK(evaluated("(defn go [] (g)) (defn g [] 5) (go)") == "5");
  CHECK(evaluated("(def x 1) (defn go [] x) (def x 2) (go)") == "2");
  CHECK(evaluated("(let ((a 1) (b 2)) (list a b))") == "(1 2)");
  CHECK(evaluated("(let [[a [b c] & more] (list 1 (list 2 3) 4 5)] (list a b c more))") ==
        "(1 2 3 (4 5))");
  CHECK(evaluated("((fn [[a b] c] (list c b a)) (list 1 2) 3)") == "(3 2 1)");
  CHECK(evaluated("(((fn [a] (fn [b] (fn [] (list a b)))) 1) 2)") == "<function>");
  CHECK(evaluated("((((fn [a] (fn [b] (fn [] (list a b)))) 1) 2))") == "(1 2)");
}

TEST_CASE("a parameter may have the name of a form, which is then not that form") {
  CHECK(evaluated("((fn [count] (+ count 1)) 4)") == "5");
  CHECK(evaluated("(let [list 5] list)") == "5");
  CHECK(evaluated("((fn [head] (head 1 2)) +)") == "3");
}

TEST_CASE("functions inside functions may be defined in the body") {
  CHECK(evaluated(
            "(defn go [n] (def m (* n 2)) (defn g [i] (if (= i 0) m (g (- i 1)))) (g 3)) (go 5)") ==
        "10");
  CHECK(fault_code("(defn go [n] (if n (def m 2) 3))") == "misplaced");
}

TEST_CASE("calls in tail position take no space") {
  // R7RS 3.5; the depth budget is 2,000 calls.
  CHECK(evaluated("(defn loop [i] (if (= i 100000) i (loop (+ i 1)))) (loop 0)") == "100000");
  CHECK(evaluated("(let loop [i 0 sum 0] (cond (= i 50000) sum else (loop (+ i 1) (+ sum i))))") ==
        "1249975000");
  CHECK(evaluated("(defn even [n] (if (= n 0) true (odd (- n 1)))) (defn odd [n] (if (= n 0) false "
                  "(even (- n 1)))) (even 50001)") == "false");
  CHECK(evaluated(
            "((fn self [n] (and true (when (> n -1) (if (= n 0) :done (self (- n 1)))))) 50000)") ==
        ":done");
  CHECK(evaluated("(defn go [n & xs] (if (= n 0) xs (go (- n 1) n))) (go 30000)") == "(1)");
  CHECK(evaluated("(defn go [a b c d e g h i j k] (if (= a 0) (list b k) (go (- a 1) c d e g h i j "
                  "k b))) (go 9 1 2 3 4 5 6 7 8 9)") == "(1 9)");
}

TEST_CASE("conditions choose as a Lisper expects") {
  CHECK(evaluated("(if nil 1)") == "nil");
  CHECK(evaluated("(if 0 1 2)") == "1");
  CHECK(evaluated("(cond false 1)") == "nil");
  CHECK(evaluated("(cond ((= 1 2) :a) ((= 1 1) :b :c) (else :d))") == ":c");
  CHECK(evaluated("(cond [false 1] [:else 2])") == "2");
  CHECK(evaluated("(and)") == "true");
  CHECK(evaluated("(and 1 nil 2)") == "nil");
  CHECK(evaluated("(or)") == "nil");
  CHECK(evaluated("(or nil false)") == "false");
  CHECK(evaluated("(unless false 1 2)") == "2");
  CHECK(evaluated("(not 0)") == "false");
}

TEST_CASE("quasiquote fills in what is unquoted") {
  // The examples of R7RS 4.2.8 that its data allow here.
  CHECK(evaluated("`(list ,(+ 1 2) 4)") == "(list 3 4)");
  CHECK(evaluated("(let [name 'a] `(list ,name ',name))") == "(list a 'a)");
  CHECK(evaluated("`(a ,(+ 1 2) ,@(map abs '(4 -5 6)) b)") == "(a 3 4 5 6 b)");
  CHECK(evaluated("`((foo ,(- 10 3)) ,@(tail '(c)) ,@'(cons))") == "((foo 7) cons)");
  CHECK(evaluated("`(a `(b ,(foo ,(+ 1 3) d) e) go)") == "(a `(b ,(foo 4 d) e) go)");
  CHECK(evaluated("(let [name1 'x name2 'y] `(a `(b ,,name1 ,',name2 d) e))") ==
        "(a `(b ,x ,'y d) e)");
  CHECK(evaluated("`,(+ 2 3)") == "5");
  CHECK(evaluated("`[a ,@(list 1 2)]") == "[a 1 2]");
  CHECK(fault_code("`(1 ,@2)") == "wrong-type");
  CHECK(fault_code(",x") == "misplaced");
}

TEST_CASE("macros get code and give code") {
  CHECK(
      evaluated(
          "(defmacro unless2 [test & body] `(if ,test nil (do ,@body))) (unless2 (= 1 2) :a :b)") ==
      ":b");
  CHECK(evaluated("(defmacro my-or [a b] (let [x (gensym)] `(let [,x ,a] (if ,x ,x ,b)))) (let [t "
                  "5] (my-or nil t))") == "5");
  CHECK(evaluated("(do (defmacro five [] 5) (five))") == "5");
  CHECK(evaluated("(defmacro twice [x] `(list ,x ,x)) (expand (twice (go)))") ==
        "(list (go) (go))");
  CHECK(fault_code("(defmacro m [] `(m)) (m)") == "nesting-too-deep");
  CHECK(fault_code("(defmacro m [x] x) (map m (list 1))") == "wrong-type");
}

TEST_CASE("a threading passes a value on to where it belongs") {
  CHECK(evaluated("(-> 5 (- 2) inc)") == "4");
  CHECK(evaluated("(-> (range 6) (filter odd? _) (map inc))") == "(2 4 6)");
  CHECK(evaluated("(->> (range 5) (reduce + 10))") == "20");
}

TEST_CASE("errors are values that can be caught and asked") {
  CHECK(evaluated("(try (/ 1 0) 7)") == "7");
  CHECK(evaluated("(try (error \"bar \" 3) error-message)") == "\"bar 3\"");
  CHECK(evaluated("(error-code (try (nth 5 (list 1))))") == ":out-of-range");
  CHECK(evaluated("(try 5 6)") == "5");
  CHECK(evaluated("(defn go [n] (if (= n 0) (error \"deep\") (+ 1 (go (- n 1))))) (list (try (go "
                  "100) 1) (try (go 100) 2))") == "(1 2)");
}

TEST_CASE("a list that begins with a pitch is a list of pitches") {
  CHECK(evaluated("(c4 e4 g4)") == "(c4 e4 g4)");
  CHECK(evaluated("(let [x g4] (c4 e4 x))") == "(c4 e4 g4)");
  CHECK(evaluated("[1 (+ 1 1) c4]") == "(1 2 c4)");
}

TEST_CASE("words that nobody bound mean intervals and ratios") {
  CHECK(evaluated("(type M3)") == ":interval");
  CHECK(evaluated("(def m2 7) m2") == "7");  // a measure may be called m2
  CHECK(evaluated("(list 3:2 6/8)") == "(3:2 3/4)");
}

TEST_CASE("all forms of a text succeed or nothing changes") {
  auto first = evaluate(request_for("(def a 1) (def b 2)"));
  REQUIRE(first);
  CHECK(first->env->bindings.size() == 2);
  auto r = request_for("(def a 5) (def c 6) (nth 9 (list))");
  r.env = first->env;
  CHECK_FALSE(evaluate(r));
  CHECK(first->env->bindings.at("a").bound == value::of(std::int64_t{1}));
}

TEST_CASE("independent faults are all reported, and those that follow from others are not") {
  CHECK(evaluated("(list (foo 1) (+ 1 \"a\") bar)") ==
        "error unknown-form: unknown form or function `foo`; error wrong-type: +: NUMBERS needs a "
        "number, not the string \"a\"");
  auto e = evaluate(request_for("(def a (nth 9 (list))) (+ a 1) (nope)"));
  REQUIRE_FALSE(e);
  REQUIRE(e.error().diagnostics.size() == 2);
  CHECK(e.error().diagnostics[0].code == errc::out_of_range);
  CHECK(e.error().diagnostics[1].code == errc::unknown_form);
}

TEST_CASE("what does not end is stopped") {
  auto limited = [](std::string_view text, evaluation_budget b) {
    auto r = request_for(text);
    r.budget = b;
    auto e = evaluate(r);
    return e ? "none" : std::string{info(e.error().first().code).name};
  };
  CHECK(limited("(let loop [] (loop))", {.steps = 10'000}) == "budget-exceeded");
  CHECK(limited("(defn go [n] (+ 1 (go n))) (go 1)", {}) == "budget-exceeded");
  CHECK(limited("(defn go [n] (+ 1 (go n))) (go 1)", {.depth = 1'000'000'000}) ==
        "budget-exceeded");  // the machine stack
  CHECK(limited("(defn go [n] (map go (list n))) (go 1)", {.depth = 1'000'000'000}) ==
        "budget-exceeded");
  CHECK(limited("(range 1000)", {.elements = 999}) == "budget-exceeded");
  CHECK(limited("(range 100000000000)", {}) == "budget-exceeded");
  CHECK(limited("(repeat-times 100000000000 1)", {}) == "budget-exceeded");
  CHECK(limited("(let loop [s \"x\"] (loop (str s s)))", {.bytes = 100'000}) == "budget-exceeded");
  CHECK(limited("(let loop [xs (list 1)] (loop (concat xs xs)))", {.elements = 100'000}) ==
        "budget-exceeded");
  CHECK(limited("(let loop [i 0 x (list)] (if (= i 40) x (loop (+ i 1) (list x x))))", {}) ==
        "budget-exceeded");
  CHECK(limited("(try (let loop [] (loop)) 1)", {.steps = 10'000}) ==
        "budget-exceeded");  // not to be caught
}

TEST_CASE("an evaluation is cancelled between steps") {
  auto r = request_for("(let loop [] (loop))");
  int asked = 0;
  r.interrupted = [&]() -> std::optional<errc> {
    return ++asked == 3 ? std::optional{errc::cancelled} : std::nullopt;
  };
  auto e = evaluate(r);
  REQUIRE_FALSE(e);
  CHECK(e.error().first().code == errc::cancelled);
  CHECK(asked == 3);
}

TEST_CASE("a fault inside a function of an earlier input is shown at the call") {
  auto first = evaluate(request_for("(defn third [xs] (nth 2 xs))"));
  REQUIRE(first);
  auto r = request_for("(list (third (list 1 2)))");
  r.env = first->env;
  auto e = evaluate(r);
  REQUIRE_FALSE(e);
  CHECK(e.error().first().span == source_span{6, 24});
  CHECK(e.error().first().message ==
        "in `third`: nth: there is no item 2; items are numbered 0 to 1");
}

TEST_CASE("the language keeps its own names") {
  auto text =
      GENERATE("(def c4 1)", "(def :q 1)", "(def count 1)", "(defn map [x] x)", "(let [if 1] 2)",
               "(fn [bb3] 1)", "(def $Out[1] 2)", "(def % 1)", "(def 3:2 1)", "(fn [x x] 1)");
  CHECK(fault_code(text) == "reserved-name");
}

TEST_CASE("messages call what was given by its kind and as it is written") {
  for (auto& [text, message] : std::vector<std::pair<const char*, const char*>>{
           {"(let [e (try (/ 1 0))] (+ e 1))", "not an error"},
           {"(transpose +2 nil)", "expected music or pitches, not nil"},
           {"(transpose +2 \"c4\")", "expected music or pitches, not the string \"c4\""},
           {"(retrograde 5)", "expected music or pitches, not the number 5"},
           {"(sort (list 1 (try (/ 1 0))))", "a number and an error cannot be ordered"},
           {"(< 1 nil)", "a number and nil cannot be ordered"},
           {"(measure :clef (note c4) (note c4))", "not a note"},
           {"(measure (measure (note c4 :w)))", "a measure cannot contain a measure"},
           {"(prime-form \"c\")", "lists or music, not the string \"c\""}}) {
    INFO(text);
    CHECK(evaluated(text).find(message) != std::string::npos);
    CHECK(evaluated(text).find("not nil nil") == std::string::npos);
  }
}

TEST_CASE("list functions do what their names say") {
  CHECK(evaluated("(take 9 (list 1 2))") == "(1 2)");
  CHECK(evaluated("(take 0 (list 1 2))") == "()");
  CHECK(evaluated("(drop 9 (list 1 2))") == "()");
  // What counts items is refused below zero, by all of them.
  for (auto form : {"take", "drop", "nth", "repeat-times", "partition"})
    CHECK(fault_code("(" + std::string{form} + " -1 (list 1 2))") == "out-of-range");
  CHECK(evaluated("(range 1 0 -1/4)") == "(1 3/4 1/2 1/4)");
  CHECK(evaluated("(zip (list 1 2 3) (c4 d4))") == "((1 c4) (2 d4))");
  CHECK(evaluated("(sort (list 3 1 2) :down)") == "(3 2 1)");
  CHECK(evaluated("(sort (list \"bb\" \"a\" \"ccc\") :by count)") == "(\"a\" \"bb\" \"ccc\")");
  CHECK(evaluated("(sort (list (list 2 1) (list 1 2)))") == "((1 2) (2 1))");
  CHECK(fault_code("(sort (list 1 :q))") == "wrong-type");
  CHECK(evaluated("(map + (list 1 2) (list 10 20 30))") == "(11 22)");
  CHECK(evaluated("(map (fn [x] (* x x)) (range 4))") == "(0 1 4 9)");
  CHECK(evaluated("(apply max (c4 g4 e4))") == "g4");
  CHECK(evaluated("(reduce + (list))") == "0");
  CHECK(evaluated("((comp inc (partial * 2)) 5)") == "11");
  CHECK(evaluated("(flatten (list 1 (list 2 (list 3 (list)))))") == "(1 2 3)");
  CHECK(evaluated("(lookup :b '((:a 1) (:b 2)))") == "2");
  CHECK(evaluated("(count \"♯a\")") == "2");
  CHECK(evaluated("(head (list))") == "nil");
  CHECK(evaluated("(tail (list))") == "()");
}

TEST_CASE("history references give what the entries hold") {
  auto r = request_for("(list $Out[1] $In[1] $Out[-2] $Out[1:2] % $Out[etude:7])");
  r.next_index = 4;
  r.history = [](std::string_view session, std::int64_t i) -> std::optional<history_value> {
    if (session == "etude") return history_value{std::nullopt, value::of(i * 100)};
    if (i == 3) return history_value{};
    if (i < 1 || i > 3) return std::nullopt;
    return history_value{value::list({value::sym("+"), value::of(i)}), value::of(i * 10)};
  };
  CHECK(shown(evaluate(r)) == "(10 (+ 1) 20 (10 20) 20 700)");
  r.text = "$Out[9]";
  CHECK(shown(evaluate(r)) == "error no-such-entry: no such entry: $Out[9]");
  r.text = "$Out[3]";
  CHECK(shown(evaluate(r)) == "error no-such-entry: entry $Out[3] has no value");
  r.text = "(def go (fn [] $Out[1])) (go)";
  CHECK(shown(evaluate(r)) == "10");
}

TEST_CASE("a preview leaves everything as it is") {
  auto r = request_for("(def x 1) (+ x 1)");
  r.commit = false;
  auto e = evaluate(r);
  REQUIRE(e);
  CHECK(print(e->values.back()) == "2");
  CHECK(e->env->bindings.empty());
  CHECK(e->score == r.score);
}

TEST_CASE("definitions keep the text they were made from") {
  auto e = evaluate(request_for(
      "(def motif ; the first one\n  (c4 d4))  (defmacro make [n] `(def ,n 5)) (make five)"));
  REQUIRE(e);
  CHECK(e->env->bindings.at("motif").source == "(def motif ; the first one\n  (c4 d4))");
  CHECK(e->env->bindings.at("five").source == "(def five 5)");
  CHECK(evaluated("(defn go \"doubles\" [x] (* 2 x)) (source go)") ==
        "(defn go \"doubles\" [x] (* 2 x))");
  CHECK(evaluated("(defn go \"doubles\" [x] (* 2 x)) (doc go)") == "\"(go x)\\ndoubles\"");
}

}  // namespace fermata::evaluate_test
