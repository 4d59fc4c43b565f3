#include "core/lang/value/commit_rule.hpp"

#include "core/lang/value/form_spec.hpp"
#include "core/score/model/walk.hpp"
#include "tests/core/lang/evaluated.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace fermata::commit_rule_test {

namespace {

/// Notes in the score after a text that follows `(def motif (seq (note c4 :q) (note d4 :q)))`.
std::size_t notes_after(std::string_view text, commit_rule rule) {
  auto request = request_for("(def motif (seq (note c4 :q) (note d4 :q))) " + std::string{text});
  request.rule = rule;
  request.history = [](std::string_view, std::int64_t index) -> std::optional<history_value> {
    auto of = request_for("(note g4 :q)");
    if (index != 1) return std::nullopt;
    return history_value{std::nullopt, evaluate(of)->values.front()};
  };
  request.next_index = 2;
  auto done = evaluate(request);
  INFO(shown(done));
  REQUIRE(done);
  std::size_t count = 0;
  for (auto& p : done->score->parts)
    for (auto& m : p->measures)
      for (auto& item : m->items)
        if (auto x = std::get_if<chord_rest>(&item.content)) count += x->notes.size();
  return count;
}

}  // namespace

TEST_CASE("what is typed as notation enters the score, what is looked at does not") {
  struct row {
    std::string text;
    std::size_t notes;
  };
  for (auto& [text, notes] : std::vector<row>{
           {"(note e4 :q)", 1},
           {"(seq motif motif)", 4},
           {"(measure motif)", 2},
           {"#p\"c4:q d e\"", 3},
           {"(score (part :flute (measure (note c5 :w))))", 1},
           {"(repeat (measure (note c4 :w)))", 1},
           // A name, a reference, a call.
           {"motif", 0},
           {"$Out[1]", 0},
           {"%", 0},
           {"(transpose +2 motif)", 0},
           {"(retrograde motif)", 0},
           {"(times 3 motif)", 0},
           {"(-> motif (transpose +2))", 0},
           {"(defn twice [m] (seq m m)) (twice motif)", 0},
           {"(let [m motif] (seq m m))", 0},
           {"(if true (note c4 :q))", 0},
           {"(do (note c4 :q) (note d4 :q))", 0},
           {"(preview (note c4 :q))", 0},
           {"((fn [] (note c4 :q)))", 0},
           {"(list (note c4 :q))", 0},
           {"'(note c4 :q)", 0},
           {"(play motif)", 0},
           {"(play (note c4 :q))", 0},
           // A macro is shorthand for what it expands to.
           {"(defmacro one [p] `(note ,p :q)) (one c4)", 1},
           {"(defmacro up [m] `(transpose +2 ,m)) (up motif)", 0},
           {"(defmacro one [p] `(note ,p :q)) (defmacro uno [p] `(one ,p)) (uno c4)", 1},
           // `add` enters it, once, from wherever it stands.
           {"(add motif)", 2},
           {"(add $Out[1])", 1},
           {"(add (transpose +2 motif))", 2},
           {"(do (add motif))", 2},
           {"(let [m motif] (add m) (add m))", 4},
           {"(defn enter [m] (add m)) (enter motif)", 2},
           {"(add motif (note e4 :q) motif)", 5},
           {"(add (list motif c4))", 3},
           {"(add (measure motif))", 2},
           {"(map add (list motif motif))", 4},
           // Edits edit, also inside a call.
           {"(note c4 :w) (note d4 :w) (delete 1)", 1},
           {"(note c4 :w) (note d4 :w) (do (delete 1))", 1},
           // Each expression of a line by itself.
           {"(note c4 :q) motif (add motif) (transpose +2 motif) (note d4 :q)", 4},
       }) {
    INFO(text);
    CHECK(notes_after(text, commit_rule::notation) == notes);
  }
}

TEST_CASE("in a file all music enters the score, and only once") {
  for (auto& [text, notes] : std::vector<std::pair<std::string, std::size_t>>{
           {"motif", 2},
           {"(transpose +2 motif)", 2},
           {"(do motif (note e4 :q))", 3},
           {"(add motif)", 2},
           {"(do (note e4 :q) (add motif))", 3},
           {"(preview motif)", 0},
           {"(play motif)", 0},
       }) {
    INFO(text);
    CHECK(notes_after(text, commit_rule::everything) == notes);
  }
}

TEST_CASE("with the rule `nothing` the score stays as it is") {
  for (auto text : {"(note c4 :q)", "(add motif)", "(do (add motif) (note c4 :q))"}) {
    INFO(text);
    CHECK(notes_after(text, commit_rule::nothing) == 0);
  }
}

TEST_CASE("the forms that write music are notation, those that compute it are not") {
  for (auto name :
       {"score",   "part",  "measure", "note",   "chord", "rest",   "seq",       "tuplet", "repeat",
        "voice",   "par",   "grace",   "phrase", "staff", "group",  "ending",    "key",    "time",
        "clef",    "tempo", "p",       "sfz",    "cresc", "words",  "rehearsal", "segno",  "pedal",
        "barline", "bar",   "harmony", "lyrics", "xml",   "backup", "forward"}) {
    INFO(name);
    REQUIRE(find_form(name));
    CHECK(is_notation(*find_form(name)));
  }
  for (auto name : {"transpose", "retrograde", "invert", "times", "do", "let", "if", "def", "add",
                    "preview", "selected", "key-at", "scale", "progression", "cadence", "map", "->",
                    "list", "zip-rhythm"}) {
    INFO(name);
    REQUIRE(find_form(name));
    CHECK_FALSE(is_notation(*find_form(name)));
  }
}

TEST_CASE("`add` says what it takes") {
  auto fault = [](std::string_view text) { return shown(evaluate(request_for(text))); };
  CHECK(fault("(add)").find("wrong-argument-count") != std::string::npos);
  CHECK(fault("(add 3)").find("wrong-type") != std::string::npos);
  CHECK(fault("(add \"c4\")").find("wrong-type") != std::string::npos);
}

}  // namespace fermata::commit_rule_test
