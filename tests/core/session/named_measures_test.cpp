#include "tests/core/session/musician.hpp"

#include <string>

// Of equal measures the one that was named is the one that messages, undo and diffs tell of.

namespace fermata::named_measures_test {

namespace {

struct equal_measures : musician {
  equal_measures() {
    type("(part :violin (measure (key d :major) (time 3 4) (note c4 :h.)) (measure (note c4 :h.)) "
         "(measure (note c4 :h.)) (measure (note c4 :h.)))");
    REQUIRE(state.score->parts.at(0)->measures.size() == 4);
  }
  std::string answer(const std::string& text) {
    auto entry = type(text);
    auto& eval = std::get<eval_entry>(entry->kind);
    INFO(text);
    REQUIRE_FALSE(eval.failure);
    return eval.output_text;
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a deleted measure among equal ones is the one that was named, also when undone") {
  for (int n = 1; n <= 4; ++n) {
    CAPTURE(n);
    equal_measures s;
    auto number = std::to_string(n);
    auto deletion = "(delete (measures " + number + "))";
    auto whole = s.hash();
    auto preview = s.answer("(preview " + deletion + ")");
    CAPTURE(preview);
    CHECK(contains(preview, "- measure " + number));
    CHECK(s.answer(deletion) ==
          "\"Violin, measure " + number + ": 1 measure removed; 1 note removed\"");
    auto deleted = s.hash();
    auto back = "Violin, measure " + number + ": 1 measure added; 1 note added";
    auto forth = "Violin, measure " + number + ": 1 measure removed; 1 note removed";
    auto undone = s.command("undo");
    CHECK(contains(undone.output, back));
    CHECK(s.hash() == whole);
    auto redone = s.command("redo");
    CHECK(contains(redone.output, forth));
    CHECK(s.hash() == deleted);
    auto shown = s.command("diff 1 3");  // the second entry is the preview
    CHECK(contains(shown.output, forth));
    CHECK(contains(shown.output, "measure " + number + ", deleted"));
    CHECK(contains(s.command("diff 3 1").output, back));
  }
}

TEST_CASE("an inserted measure among equal ones is where it was put, also when undone") {
  for (int n = 1; n <= 4; ++n) {
    CAPTURE(n);
    equal_measures s;
    auto number = std::to_string(n);
    auto whole = s.hash();
    auto come = "Violin, measure " + number + ": 1 measure added; 1 note added";
    CHECK(s.answer("(insert-measure " + number + " (measure (note c4 :h.)))") == '"' + come + '"');
    CHECK(contains(s.command("diff 1 2").output, come));
    CHECK(contains(s.command("undo").output,
                   "Violin, measure " + number + ": 1 measure removed; 1 note removed"));
    CHECK(s.hash() == whole);
  }
}

TEST_CASE("of two edits in one line, and of two steps undone at once, each measure is named") {
  equal_measures s;
  auto whole = s.hash();
  s.type("(delete (measures 1)) (delete (measures 2))");
  // The second of what was left was the third.
  CHECK(contains(s.command("diff 1 2").output,
                 "Violin, measures 1, 3: 2 measures removed; 2 notes removed"));
  s.must("undo");
  CHECK(s.hash() == whole);
  s.type("(delete (measures 1))");
  s.type("(delete (measures 2))");
  CHECK(contains(s.command("undo 2").output,
                 "Violin, measures 1, 3: 2 measures added; 2 notes added"));
  CHECK(s.hash() == whole);
}

TEST_CASE("a proposal among equal measures names the one that it deletes, and is accepted there") {
  for (int n = 1; n <= 4; ++n) {
    CAPTURE(n);
    equal_measures s;
    auto number = std::to_string(n);
    auto made = s.run("(delete (measures " + number + "))");
    REQUIRE(made);
    s.happen(proposed(s.state, 1, "(delete (measures " + number + "))", {"claude", "mcp"},
                      s.state.revision, *made, s.now()));
    CHECK(contains(s.command("diff 1").output, "measure " + number + ", deleted"));
    auto accepted = s.command("accept 1 " + number);
    CHECK(accepted.ok);
    CHECK(s.state.score->parts.at(0)->measures.size() == 3);
    CHECK(s.hash() == content_hash(*made->score));
  }
}

TEST_CASE(
    "a deletion that takes an automatic part away says the same in the entry as in its answer") {
  musician s;
  for (int i = 0; i < 3; ++i)
    s.type("(note c4 :w)");  // in Piano, which exists only for them
  std::string violin = "(part :name \"Violin\"";
  for (auto pair : {"c4 d4", "d4 e4", "e4 f4", "f4 g4", "g4 a4", "a4 b4", "b4 c5", "c5 d5"}) {
    std::string notes = pair;
    violin += " (measure (note " + notes.substr(0, 2) + " :h) (note " + notes.substr(3) + " :h))";
  }
  s.type(violin + ")");
  REQUIRE(s.state.score->parts.size() == 2);
  auto entry = s.type("(delete (measures 1 3))");
  auto& eval = std::get<eval_entry>(entry->kind);
  REQUIRE_FALSE(eval.failure);
  REQUIRE(s.state.score->parts.size() == 1);
  // The three notes of the piano count as well.
  std::string removed = "Violin, measures 1 to 3: 3 measures removed; 9 notes removed";
  CHECK(contains(eval.output_text, removed));
  CHECK(contains(to_string(summarize(eval.delta)), removed));
  CHECK(contains(s.command("undo").output,
                 "Violin, measures 1 to 3: 3 measures added; 9 notes added"));
}

TEST_CASE("a long row of equal measures is deleted where it was named") {
  musician s;
  s.type("(note c4 :w)");
  s.type("(insert-measure 1 :count 2999)");
  REQUIRE(s.state.score->parts.at(0)->measures.size() == 3000);
  auto entry = s.type("(delete (measures 1 1100))");
  CHECK(contains(std::get<eval_entry>(entry->kind).output_text,
                 "Piano, measures 1 to 1100: 1100 measures removed"));
  CHECK(contains(s.command("undo").output, "Piano, measures 1 to 1100: 1100 measures added"));
}

}  // namespace fermata::named_measures_test
