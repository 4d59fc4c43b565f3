#include "tests/core/lang/evaluated.hpp"

#include <catch2/catch.hpp>

#include <string>

// Input that wants too much: each is an error within its budget, and what was there stays. The
// expectations are the project's issue on bad input; that the test ends at all is half of it.

namespace fermata::hostile_input_test {

namespace {

evaluation_request greedy(std::string_view text) {
  auto r = request_for(text);
  r.budget.elements = 200'000;
  r.budget.bytes = 2'000'000;
  return r;
}

std::string fault_within_budget(std::string_view text) {
  auto e = evaluate(greedy(text));
  if (e) return "none: " + std::string{type_name(e->values.back())};
  return std::string{info(e.error().first().code).name};
}

/// `(head (head ... inner))`
std::string nested(int depth, const std::string& head, const std::string& inner) {
  std::string text;
  for (int i = 0; i < depth; ++i)
    text += "(" + head + " ";
  text += inner;
  return text + std::string(static_cast<std::size_t>(depth), ')');
}

struct row {
  const char* text;
  const char* fault;
};

}  // namespace

TEST_CASE("recursion and loops that do not end are stopped") {
  for (auto& r :
       {row{"(defn down [x] (+ 1 (down x))) (down 1)", "budget-exceeded"},
        row{"(defn again [x] (again x)) (again 1)", "budget-exceeded"},
        row{"(let loop [i 0] (loop (+ i 1)))", "budget-exceeded"},
        row{"(def there (fn [] nil)) (def here (fn [] (there))) (def there (fn [] (here))) "
            "(here)",
            "budget-exceeded"},
        row{"(let [me (fn [me] (me me))] (me me))", "budget-exceeded"}}) {
    INFO(r.text);
    CHECK(fault_within_budget(r.text) == r.fault);
  }
}

TEST_CASE("definitions that need each other before they are there are named") {
  CHECK(fault_within_budget("(def here there) (def there here)") == "unknown-name");
  CHECK(fault_within_budget("(def here here)") == "unknown-name");
}

TEST_CASE("macros that grow without end are stopped") {
  for (auto& r :
       {row{"(defmacro m [x] `(m (list ,x ,x))) (m 1)", "nesting-too-deep"},
        row{"(defmacro m [x] `(list (m ,x) (m ,x))) (m 1)", "budget-exceeded"},
        row{"(defmacro m [n x] (if (= n 0) x `(list (m ,(- n 1) ,x) (m ,(- n 1) ,x)))) (m 30 1)",
            "budget-exceeded"},
        // The parts of these are shared: they take little to make and have no end.
        row{"(defmacro m [n x] (if (= n 0) x `(m ,(- n 1) (list ,x ,x)))) (m 60 1)",
            "budget-exceeded"},
        row{"(defmacro m [n x] (if (= n 0) (list 'quasiquote x) `(m ,(- n 1) (,x ,x)))) (m 60 1)",
            "budget-exceeded"},
        row{"(defmacro m [n x] (if (= n 0) (list 'def 'y (list 'quote x)) `(m ,(- n 1) (,x ,x)))) "
            "(m 60 1)",
            "budget-exceeded"}}) {
    INFO(r.text);
    CHECK(fault_within_budget(r.text) == r.fault);
  }
}

TEST_CASE("a fault deep inside of nested calls is found in one pass") {
  // With a second try for each level, 60 levels would take longer than the world stands.
  CHECK(fault_within_budget(nested(60, "+ 1", "(if)")) == "wrong-argument-count");
  CHECK(fault_within_budget(nested(60, "not", "(if)")) == "wrong-argument-count");
  CHECK(fault_within_budget(nested(60, "count", "(if)")) == "wrong-argument-count");
}

TEST_CASE("numbers that ask for too much are refused") {
  for (auto& r :
       {row{"(range 1 100000000000)", "budget-exceeded"},
        row{"(repeat-times 100000000 c4)", "budget-exceeded"},
        row{"(times 100000 (tuplet 3 (times 10000 (note c4))))", "budget-exceeded"},
        row{"(reduce (fn [s i] (str s s)) \"aaaaaaaaaa\" (range 1 60))", "budget-exceeded"},
        row{"(count (reduce (fn [s i] (concat s s)) (list 1 2) (range 1 60)))", "budget-exceeded"},
        row{"#p\"[[c4*1000]:q*1000]:q*1000\"", "budget-exceeded"},
        row{"#p\"c4*1001\"", "out-of-range"},
        row{"(augment 1000000000000 (note c4))", "out-of-range"},
        row{"(augment 1/1000000000000 (note c4))", "out-of-range"},
        row{"(augment 0 (note c4))", "out-of-range"}, row{"(augment -2 (note c4))", "out-of-range"},
        row{"(note c4 :q :lasts 1000000000000)", "out-of-range"},
        row{"(seq (forward 1000000000000) (note c4))", "out-of-range"},
        row{"(seq (time 1 1024) (times 20 (note c4 :maxima)))", "out-of-range"},
        row{"(score (part (time 1 1024) (times 1000 (note c4 :maxima))))", "out-of-range"},
        row{"(sequence 999 :steps 9999999999 (note c4))", "out-of-range"},
        row{"(sequence 999 :by dim2 (note c4))", "out-of-range"},
        row{"(key c :cancel 99999999999)", "invalid-key"}}) {
    INFO(r.text);
    CHECK(fault_within_budget(r.text) == r.fault);
  }
}

TEST_CASE("gigantic and nested tuplets are refused, not computed") {
  CHECK(fault_within_budget("(tuplet 1000000007:2 (note c4 :8))") == "invalid-tuplet");
  CHECK(fault_within_budget("(tuplet 3:2 " + std::string{"(times 1000000 (note c4)))"}) ==
        "out-of-range");
  // 3^13 is more than a million.
  CHECK(fault_within_budget(nested(14, "tuplet 3:2", "(note c4)")) == "invalid-tuplet");
  CHECK(fault_within_budget(nested(5, "tuplet 1024:1", "(note c4)")) == "invalid-tuplet");
  // Twelve still have their length.
  CHECK(fault_within_budget(nested(12, "tuplet 3:2", "(note c4)")) == "none: tuplet");
}

TEST_CASE("music and lists nested without bound are an error, not the end of the program") {
  for (auto head : {"tuplet 3:2 m", "par m (note c4)", "voice 2 m", "staff 2 m", "lyrics \"\" m",
                    "repeat m", "ending 1 m", "measure m"}) {
    auto text = "(reduce (fn [m i] (" + std::string{head} + ")) (note c4) (range 1 20000))";
    INFO(text);
    auto fault = fault_within_budget(text);
    CHECK((fault == "nesting-too-deep" || fault == "misplaced" || fault == "wrong-type"));
  }
  for (auto head :
       {"measure", "seq", "transpose +2", "retrograde", "prime-form", "chord", "lyrics \"a\""}) {
    auto text = "(" + std::string{head} + " (reduce (fn [m i] (list m)) c4 (range 1 20000)))";
    INFO(text);
    CHECK(fault_within_budget(text) == "nesting-too-deep");
  }
}

TEST_CASE("a seq that grows note by note stays flat") {
  auto text = "(count (reduce (fn [m i] (seq m (note c4 :8))) (seq) (range 1 1000)))";
  CHECK(evaluated(text) == "999");
  CHECK(evaluated("(seq (seq (note c4) (note d4)) (note e4))") ==
        "(seq (note c4 :q) (note d4 :q) (note e4 :q))");
}

TEST_CASE("pitches that nobody can write are refused where they come up") {
  for (auto text :
       {"(note c10)", "(note c-2)", "(transpose P99 c4)", "(transpose +120 c4)",
        "(transpose -120 (note c4))", "(transpose :steps 100 (seq (note c4)))", "(invert c-1 g9)",
        "(invert c-1 (note g9))", "(scale g9 :major)", "(scale c :major :octaves 10)",
        "(chord-voicing g9 :dom7)", "(sequence 20 :by M9 (note c4))"}) {
    INFO(text);
    auto fault = fault_within_budget(text);
    CHECK((fault == "out-of-range" || fault == "invalid-pitch"));
  }
  // The lowest and the highest are still there.
  CHECK(evaluated("(transpose -P8 c0)") == "c-1");
  CHECK(evaluated("(transpose P8 b8)") == "b9");
}

TEST_CASE("durations are above zero") {
  for (auto text : {"(note c4 0)", "(note c4 -1/4)", "(rest 0)", "(note c4 :0)", "(chord (c4) -1)",
                    "#p\"c4:0\"", "#p\"c4:-4\"", "(note c4 :q :lasts -1)"}) {
    INFO(text);
    auto fault = fault_within_budget(text);
    CHECK((fault == "invalid-duration" || fault == "wrong-type" || fault == "invalid-token" ||
           fault == "invalid-chord"));
  }
  CHECK(fault_within_budget("(note c4 :q :lasts 0)") == "invalid-duration");
}

TEST_CASE("a key has at most seven accidentals, unless the theory is meant") {
  for (auto text : {"(key 8)", "(key -8)", "(key b# :lydian)", "(key g# :major)", "(key 99999999)",
                    "(measure :key 9 (note c4))"}) {
    INFO(text);
    CHECK(fault_within_budget(text) == "invalid-key");
  }
  CHECK(evaluated("(key 8 :theoretical)") == "(key 8 :theoretical)");
  CHECK(evaluated("(key 7)") == "(key 7)");
}

TEST_CASE("a string with a control character that XML cannot hold is an error that names it") {
  using namespace std::string_literals;
  // XML 1.0, section 2.2: #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF]
  for (auto& [written, name] :
       std::vector<std::pair<std::string, std::string>>{{"\\u0000", "U+0000"},
                                                        {"\\u0007", "U+0007"},
                                                        {"\\u001b[31m", "U+001B"},
                                                        {"\\ufffe", "U+FFFE"},
                                                        {"\x01", "U+0001"},
                                                        {"\0"s, "U+0000"},
                                                        {"\xef\xbf\xbf", "U+FFFF"}})
    for (auto around : {"(words \"a$b\")", "(note c4 :q :lyric (\"$\"))", "(score :title \"$\")",
                        "\"$\"", "#p\"c4 $\""}) {
      std::string text = around;
      text.replace(text.find('$'), 1, written);
      INFO(text);
      auto e = evaluate(greedy(text));
      REQUIRE_FALSE(e);
      CHECK(e.error().first().code == errc::invalid_token);
      CHECK(e.error().first().message.find(name) != std::string::npos);
      REQUIRE(e.error().first().span);
      CHECK(e.error().first().span->begin == text.find(written[0] == '\\' ? "\\u" : written));
    }
  for (auto kept : {"\"\\t\\n\\r\"", "\"\\ud7ff\\ue000\\ufffd\"", "\"\\ud834\\udd1e\""})
    CHECK_FALSE(evaluated(kept).empty());
}

TEST_CASE("control characters in strings never reach the terminal as such") {
  // U+009B begins a control sequence in one character, and XML can hold it.
  CHECK(evaluated("(words \"a\\u009b31mb\")").find("\xc2\x9b") == std::string::npos);
  for (auto text : {"(error \"\\u001b[2Jgone\")", "(phrase \"c4 \\u001b[2J\")",
                    "(harmony \"\\u001b[2J\")", "(note c4 :dyn \"a\") (nte\x1b[2J)",
                    "(clef \"\\u0007\")", "(note c4 :q :fingering \"\\u0007\" :stacato)"}) {
    auto e = evaluate(greedy(text));
    INFO(text);
    REQUIRE_FALSE(e);
    for (char c : render(e.error(), text))
      CHECK((static_cast<unsigned char>(c) >= 0x20 || c == '\n'));
  }
}

TEST_CASE("a phrase nests its groups only so deep") {
  for (auto size : {1'000, 100'000}) {
    auto n = static_cast<std::size_t>(size);
    CHECK(fault_within_budget("#p\"" + std::string(n, '[') + "c4" + std::string(n, ']') + "\"") ==
          "nesting-too-deep");
  }
  CHECK(fault_within_budget("#p\"[[[[c4]]]]:q\"") == "none: seq");
}

TEST_CASE("a fault in a phrase shows whole characters") {
  auto e = evaluate(greedy("#p\"c4 é d\""));
  REQUIRE_FALSE(e);
  auto shown = render(e.error(), "#p\"c4 é d\"");
  CHECK(shown.find("`é` is not allowed") != std::string::npos);
  CHECK(e.error().first().span->end - e.error().first().span->begin == 2);
}

TEST_CASE("what fails leaves score and definitions as they were") {
  auto before = evaluate(request_for("(def x 1) (note c4)"));
  REQUIRE(before);
  for (auto text : {"(def x 2) (note d4) (range 1 100000000000)", "(def x 2) (nte)",
                    "(def x 2) (note c4 :w) (tuplet 3:2 (note c4 :w) (note d4 :w) (note e4 :w))"}) {
    auto r = greedy(text);
    r.env = before->env;
    r.score = before->score;
    CHECK_FALSE(evaluate(r));
    auto after = request_for("x");
    after.env = r.env;
    after.score = r.score;
    CHECK(shown(evaluate(after)) == "1");
  }
}

}  // namespace fermata::hostile_input_test
