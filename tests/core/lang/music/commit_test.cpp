#include "core/score/merge/diff.hpp"
#include "typed_session.hpp"

namespace fermata::commit_test {

using namespace fermata::test;

TEST_CASE("notes typed one by one fill measures") {
  session s;
  s.type("(note c4 :h)");
  REQUIRE(s.score->parts.size() == 1);
  CHECK(s.env->cursor.position == measure_position{2});
  s.type("(note d4 :h)");
  s.type("(note e4 :w.)");
  REQUIRE(s.score->parts[0]->measures.size() == 3);
  // A dotted whole after a full measure: a whole, and a half tied to it.
  auto second = rhythm_of(*s.score, 0, 1), third = rhythm_of(*s.score, 0, 2);
  CHECK(second.at(0).second.length == quarters{4});
  CHECK(second.at(0).second.notes[0].tie.start);
  CHECK(third.at(0).second.length == quarters{2});
  CHECK(third.at(0).second.notes[0].tie.stop);
}

TEST_CASE("a score replaces, a part is added below, a measure goes to the current part") {
  session s;
  s.type("(score (part :flute (measure (note a4 :w))))");
  s.type("(part :cello (measure (note c3 :w)))");
  REQUIRE(s.score->parts.size() == 2);
  CHECK(s.score->parts[1]->id == "P2");
  s.type("(measure (note d3 :w))");
  CHECK(s.score->parts[0]->measures.size() == 1);
  CHECK(s.score->parts[1]->measures.size() == 2);
  CHECK(s.score->parts[1]->measures[1]->number == "2");
  s.type("(score (measure (note c4 :w)))");
  CHECK(s.score->parts.size() == 1);
}

TEST_CASE("definitions, pitches, numbers and lists commit nothing") {
  session s;
  for (auto text :
       {"(def m (note c4 :q))", "c4", "(+ 1 2)", "(list (note c4 :q))", "'(note c4 :q)"}) {
    s.type(text);
    CHECK(s.score->parts.empty());
  }
  s.type("m");
  CHECK(s.score->parts.size() == 1);
}

TEST_CASE("a preview commits nothing and shows what would change") {
  session s;
  CHECK(print(s.type("(preview (note c4 :q))")) == "(note c4 :q)");
  CHECK(s.score->parts.empty());
  s.type("(note c4 :w)");
  auto before = s.score;
  auto shown = s.type("(preview (delete (measures 1)))");
  CHECK(s.score == before);
  CHECK(shown.as_string());
}

TEST_CASE("a preview goes as far as the thing itself, step by step") {
  // language.md section 6: preview evaluates without committing, the rest alike.
  for (auto text : {"(do (note c4 :w) (delete (measures 1)))",
                    "(do (note c4 :w) (note d4 :w) (replace (measures 1) (measure (note e4 :w))))",
                    "(do (part :flute) (note c4 :w) (at (measures 1) (p)))",
                    "(do (note c4 :q) (do (note d4 :q) (edit (select :measures 1) (fn [n] n))))",
                    "(do (note c4 :w) (delete (measures 1)) (note d4 :w))",
                    "(do (note c4 :w) (delete (measures 2)))",
                    "(do (note c4 :h) (measure (note d4 :w.)) (note e4 :q))"}) {
    session previewed, done;
    for (auto s : {&previewed, &done})
      s->type("(part :violin (measure (note g4 :w)))");
    auto before = previewed.score;
    auto env = previewed.env;
    auto preview = previewed.try_type("(preview " + std::string{text} + ")");
    auto real = done.try_type(text);
    INFO(text);
    CHECK(preview.has_value() == real.has_value());
    if (!preview && !real) CHECK(preview.error().first().message == real.error().first().message);
    if (preview && real)
      CHECK(*preview->values.back().as_string() == to_text(musical_diff(*before, *done.score)));
    CHECK(previewed.score == before);
    CHECK(previewed.env->cursor == env->cursor);
  }
}

TEST_CASE("what a preview defines is gone behind it") {
  session s;
  s.type("(def old 1)");
  CHECK(print(s.type("(preview (do (def old 2) (def fresh 5) (+ old fresh)))")) == "7");
  CHECK(print(s.type("old")) == "1");
  CHECK(s.fault("fresh") == errc::unknown_name);
  CHECK(print(s.type("(do (def fresh 3) (preview (do (def fresh 4))) fresh)")) == "3");
  CHECK(print(s.type("fresh")) == "3");
}

TEST_CASE("a preview inside a do takes back what it did, and the rest stays") {
  session s;
  s.type("(do (note c4 :q) (preview (do (note d4 :q) (delete (measures 1)))) (note e4 :q))");
  CHECK(rhythm_of(*s.score).size() == 2);
  s.type("(do (note f4 :q) (preview (note g4 :q)))");
  CHECK(rhythm_of(*s.score).size() == 3);
}

TEST_CASE("marks stand at the cursor, before the next note") {
  session s;
  s.type("(note c4 :h)");
  s.type("(mf)");
  s.type("(note d4 :h)");
  const auto& items = s.score->parts[0]->measures[0]->items;
  std::vector<std::string> order;
  for (const auto& item : items)
    order.push_back(std::holds_alternative<direction>(item.content)    ? "mf"
                    : std::holds_alternative<chord_rest>(item.content) ? "note"
                                                                       : "other");
  CHECK(order == std::vector<std::string>{"other", "note", "mf", "note"});
}

TEST_CASE("a second voice starts at the beginning of the measure") {
  session s;
  s.type("(note c5 :w)");
  s.type("(voice 2 (note e4 :h))");
  s.type("(voice 2 (note f4 :h))");
  auto notes = rhythm_of(*s.score);
  REQUIRE(notes.size() == 3);
  CHECK(notes[1].second.voice == "2");
  CHECK(notes[1].first == rational{0});
  CHECK(notes[2].first == rational{2});
  // The cursor stays in its own voice.
  s.type("(note d5 :w)");
  CHECK(s.score->parts[0]->measures.size() == 2);
}

TEST_CASE("a faulty text changes nothing, not even by its good forms") {
  session s;
  s.type("(note c4 :q)");
  CHECK(s.fault("(note d4 :q) (nte e4 :q)") == errc::unknown_form);
  CHECK(s.fault("(measure (note c4 :breve))") == errc::overfull_measure);
  CHECK(s.fault("(note c4 :q) (bar)") == errc::bar_not_full);
}

TEST_CASE("the cursor moves to part, measure and beat") {
  session s;
  s.type(
      "(score (part :violin (measure (rest :measure))) (part :viola (measure (rest :measure))))");
  s.type("(cursor :part \"Violin\" :measure 1 :beat 3)");
  s.type("(note g4 :h)");
  auto notes = rhythm_of(*s.score, 0, 0);
  CHECK(notes.back().first == rational{2});
}

TEST_CASE("with key inference f4 in D major is F sharp, fn4 is not") {
  session s;
  s.type("(measure (key d :major) (note d4 :w))");
  s.type("(key-inference on)");
  s.type("(measure (note f4 :h) (note fn4 :h))");
  CHECK(s.measure(1) == "(measure (note f#4 :h) (note f4 :h))");
  s.type("(measure #p\"f4:h fn\")");
  CHECK(s.measure(2) == "(measure (note f#4 :h) (note f4 :h))");
  s.type("(key-inference off)");
  s.type("(measure (note f4 :w))");
  CHECK(s.measure(3) == "(measure (note f4 :w))");
}

TEST_CASE("defaults decide what a new part gets") {
  session s;
  s.type("(defaults :time (3 4) :key g-major)");
  s.type("(note g4 :w)");
  CHECK(s.score->parts[0]->measures.size() == 2);
  CHECK(first_in<attributes>(*s.score).keys.at(0).value.fifths == 1);
}

TEST_CASE("a repeat typed at the end is put behind the last measure") {
  session s;
  s.type("(measure (note c4 :w))");
  s.type("(repeat (measure (note d4 :w)) (measure (note e4 :w)))");
  REQUIRE(s.score->parts[0]->measures.size() == 3);
  CHECK(first_in<barline>(*s.score, 0, 1).repeat == "forward");
  CHECK(first_in<barline>(*s.score, 0, 2).repeat == "backward");
  CHECK(s.score->parts[0]->measures[2]->number == "3");
}

TEST_CASE("a part that joins others has their metre and key") {
  session s;
  s.type("(score (part :flute (measure (time 3 4) (key g :major) (note g4 :h.))))");
  s.type("(part :violin (note d5 :h.) (note e5 :h.))");
  CHECK(s.score->parts[1]->measures.size() == 2);
  CHECK(first_in<attributes>(*s.score, 1).keys.at(0).value.fifths == 1);
  CHECK(first_in<attributes>(*s.score, 1).times.at(0).value.fractions.at(0).beats.at(0) == 3);
}

TEST_CASE(
    "replacing or deleting the first notes leaves key, time, clef and barlines where they are") {
  const auto* begin =
      "(key f :major) (time 4 4) (clef :alto) (note c4 :q) (note d4 :q) (note e4 :h) "
      "(note f4 :w)";
  for (const auto* change :
       {"(replace (select :measures 1 :beats (1 2)) (note g4 :q))",
        "(replace (select :measures 1 :beats 1) (note g4 :q))",
        "(delete (select :measures 1 :beats 1))", "(delete (select :measures 1 :beats (1 5)))"}) {
    edited s;
    s.type(begin).type("(at (measures 1) (barline :repeat-start))").type(change);
    CHECK(s.measure(0).starts_with(
        "(measure (barline :repeat-start) (key :f :major) (time 4 4) (clef :alto)"));
  }
}

TEST_CASE("music typed into an empty session gets a clef with a name") {
  edited s;
  s.type("(note c4 :w)");
  CHECK(s.measure(0) == "(measure (key :c :major) (time 4 4) (clef :treble) (note c4 :w))");
}

TEST_CASE(
    "a function that selects is called once with each item, whatever is done with what it picks") {
  session s;
  s.type("(measure (p) (note c4 :q) (note d4 :q) (note e4 :q) (note f4 :q))");
  s.type("(def slow (fn [x] (do (reduce + 0 (range 500)) (note? x))))");
  // The smallest number of steps that an evaluation gets along with.
  auto least_steps = [&](std::string_view text) {
    std::uint64_t low = 0, high = 1'000'000;
    while (low + 1 < high) {
      auto middle = (low + high) / 2;
      evaluation_request request;
      request.text = text;
      request.env = s.env;
      request.score = s.score;
      request.budget.steps = middle;
      (evaluate(request) ? high : low) = middle;
    }
    return high;
  };
  auto once = least_steps("(selected (select :measures 1 :where slow))");
  REQUIRE(once > 5 * 500);
  REQUIRE(once < 100'000);
  for (auto text : {"(replace (select :measures 1 :where slow) (note a4 :w))",
                    "(delete (select :measures 1 :where slow))",
                    "(edit (select :measures 1 :where slow) (fn [x] x))"}) {
    INFO(text);
    CHECK(least_steps(text) < once * 3 / 2);
  }
}

TEST_CASE("asking for the key changes nothing, and its answer is music where it is put") {
  for (const auto* question :
       {"(key-at 1)", "(let [at 2] (key-at at))", "(if true (key-at 1) nil)", "(do (key-at 1))",
        "(do (key-at 1) (key-at 2))", "(preview (key-at 1))"}) {
    INFO(question);
    session s;
    s.type("(note c5 :w) (key d :major) (note d5 :w)");
    auto before = s.score;
    auto cursor = s.env->cursor;
    auto e = s.try_type(question);
    REQUIRE(e);
    CHECK_FALSE(e->committed);
    CHECK(s.score == before);
    CHECK(s.env->cursor == cursor);
  }
  session s;
  s.type("(note c5 :w) (key d :major) (note d5 :w)");
  CHECK(print(s.type("(key-at 2)")) == "(key :d :major)");
  // Between two forms of a text it is a question, too.
  s.type("(key-at 1) (note f#5 :w)");
  CHECK(s.measure(2) == "(measure (note f#5 :w))");
  s.type("(measure (key-at 1) (note f5 :w))");
  CHECK(s.measure(3) == "(measure (key :c :major) (note f5 :w))");
  s.type("(def home (key-at 2))");
  CHECK(s.score->parts[0]->measures.size() == 4);
  s.type("(do home (note f#5 :w))");
  CHECK(s.measure(4) == "(measure (key :d :major) (note f#5 :w))");
}

}  // namespace fermata::commit_test
