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

}  // namespace fermata::named_measures_test
