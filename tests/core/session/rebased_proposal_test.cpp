#include "core/session/proposals/rebased_proposal.hpp"

#include "tests/core/session/musician.hpp"

#include <catch2/catch.hpp>

// Proposals on a score that goes on: what is shown is what is taken. The notes expected in each
// measure are counted out by hand from what is typed.

namespace fermata::proposal_now_test {

namespace {

/// A musician and an assistant who proposes.
struct two_of_us : musician {
  two_of_us() { type("(part :violin " + bars("c5 d5 e5 f5") + ")"); }

  static std::string bars(const std::string& notes) {
    std::string text;
    for (std::size_t i = 0; i < notes.size(); i += 3)
      text += "(measure (note " + notes.substr(i, 2) + " :w))";
    return text;
  }

  std::string proposes(const std::string& text) {
    auto e = run(text);
    REQUIRE(e);
    auto number = state.next_proposal;
    happen(proposed(state, number, text, {"claude", "mcp"}, state.revision, *e, now()));
    return std::to_string(number);
  }

  /// "c5 d5 | e5": what stands in the measures of the first part, one after another.
  std::string notes() const {
    std::string text;
    for (auto& m : state.score->parts.at(0)->measures) {
      if (!text.empty()) text += ' ';
      auto some = false;
      for (auto& item : m->items)
        if (auto x = std::get_if<chord_rest>(&item.content))
          for (auto& n : x->notes)
            if (auto tone = std::get_if<pitch>(&n.tone)) {
              text += (some ? "+" : "") + to_string(*tone);
              some = true;
            }
      if (!some) text += "-";
    }
    return text;
  }

  std::string diff(const std::string& number) {
    auto outcome = command("diff " + number);
    CHECK(outcome.ok);
    return outcome.output;
  }

  bool waits(const std::string& number) const {
    return find_proposal(state, std::stoll(number))->state == proposal::state_t::open;
  }

  /// What the actor does with the requested_effect of `:accept` and `:diff`.
  evaluation_effect effect_of(const std::string& line) const {
    return std::get<evaluation_effect>(run_command(line, state, {}, clock).requested_effect);
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a proposal follows its measures when others come or go before them") {
  struct row {
    std::string proposed, then, shows, notes;
  };
  for (auto& [text, then, shows, notes] : std::vector<row>{
           {"(replace (measures 3) (measure (note g5 :w)))",
            "(insert-measure (measures 1) (measure (note b4 :w)))", "measure 4\n- ",
            "b4 c5 d5 g5 f5"},
           {"(replace (measures 3) (measure (note g5 :w)))", "(delete (measures 1))",
            "measure 2\n- ", "d5 g5 f5"},
           {"(delete (measures 3))", "(insert-measure (measures 1) (measure (note b4 :w)))",
            "measure 4, deleted\n- ", "b4 c5 d5 f5"},
           {"(insert-measure (measures 3) (measure (note g5 :w)))", "(delete (measures 1))",
            "measure 2, new\n+ ", "d5 g5 e5 f5"},
           {"(note g5 :w)", "(replace (measures 1) (measure (note b4 :w)))", "measure 5, new\n+ ",
            "b4 d5 e5 f5 g5"},
           // As many measures as before, and yet other ones.
           {"(replace (measures 3) (measure (note g5 :w)))", "(delete (measures 1)) (note a5 :w)",
            "measure 2\n- ", "d5 g5 f5 a5"},
           {"(insert-measure (measures 3) (measure (note g5 :w)))",
            "(delete (measures 1)) (note a5 :w)", "measure 2, new\n+ ", "d5 g5 e5 f5 a5"}}) {
    INFO(text << ", then " << then);
    two_of_us s;
    auto n = s.proposes(text);
    s.type(then);
    auto before = s.hash();
    auto shown = s.diff(n);
    INFO(shown);
    CHECK(has(shown, shows));
    CHECK(has(shown, "this is what `:accept " + n + "` would change now"));
    CHECK(s.hash() == before);
    s.must("accept " + n);
    CHECK(s.notes() == notes);
    // One step back is what was there.
    s.must("undo");
    CHECK(s.hash() == before);
  }
}

TEST_CASE("music goes on where it was after a proposal that the score had left behind") {
  two_of_us s;
  auto n = s.proposes("(replace (measures 3) (measure (note g5 :w)))");
  s.type("(insert-measure (measures 1) (measure (note b4 :w)))");
  s.must("accept " + n);
  s.type("(note a5 :w)");
  CHECK(s.notes() == "b4 c5 d5 g5 f5 a5");
}

TEST_CASE("a proposal for a place that I changed meanwhile is evaluated again, and says so") {
  two_of_us s;
  auto n = s.proposes("(replace (measures 3) (measure (note g5 :w)))");
  s.type("(replace (measures 3) (measure (note a5 :w)))");
  auto shows = s.effect_of("diff " + n);
  CHECK(shows.use == evaluation_effect::use_t::show);
  CHECK(has(shows.remark, "e5"));
  auto again = s.run(shows.text);
  auto& p = *find_proposal(s.state, 1);
  auto said = text_of_evaluation(p, s.state, again);
  CHECK(has(said, "measure 3\n- "));
  CHECK(has(said, "(note a5 :w))\n+ "));
  CHECK(has(said, "overwrites later changes: measure 3 of Violin. `:accept 1 --again`"));
  CHECK(overwritten_by(again->delta, p) == "measure 3 of Violin");
  CHECK(s.effect_of("accept " + n).use == evaluation_effect::use_t::commit_unless_lost);
  CHECK(s.effect_of("accept " + n + " --again").use == evaluation_effect::use_t::commit);
  s.refuses("accept " + n + " 3", "these measures have changed since");
  s.refuses("accept " + n + " 3 --again", "cannot be limited");
  CHECK(s.waits(n));
}

TEST_CASE("what is put behind notes of mine writes over nothing") {
  session_by_hand s;
  s.type("(part :violin (measure (note c5 :q)))");
  auto e = s.run("(note g5 :q)");
  s.happen(proposed(s.state, 1, "(note g5 :q)", {"claude", "mcp"}, 1, *e, s.now()));
  s.type("(note a5 :q)");
  auto& p = *find_proposal(s.state, 1);
  CHECK_FALSE(rebase(p, s.state));
  auto again = s.run(p.text);
  REQUIRE(again);
  CHECK_FALSE(overwritten_by(again->delta, p));
  CHECK(has(text_of_evaluation(p, s.state, again), "`:accept 1` accepts this."));
}

TEST_CASE("a part that I wrote meanwhile is not taken away by a score that knew nothing of it") {
  two_of_us s;
  auto n = s.proposes("(score (part :violin " + two_of_us::bars("c6 d6") + "))");
  s.type("(part :flute " + two_of_us::bars("g5 g5") + ")");
  auto now = rebase(*find_proposal(s.state, 1), s.state);
  // Together with it, or not at all without a word.
  if (now) {
    s.must("accept " + n);
    CHECK(s.state.score->parts.size() == 2);
  } else {
    auto again = s.run(s.effect_of("accept " + n).text);
    auto what = overwritten_by(again->delta, *find_proposal(s.state, 1));
    REQUIRE(what);
    CHECK(has(*what, "the part Flute"));
  }
}

TEST_CASE("measures of a proposal are taken by the numbers that its diff shows") {
  const std::string several =
      "(do (replace (measures 1) (measure (note g5 :w))) (insert-measure (measures 3) (measure "
      "(note a5 :w))) (replace (measures 5) (measure (note f6 :w))))";
  // Beside one that is changed, a new one belongs to the same place.
  const std::string beside =
      "(do (replace (measures 1) (measure (note g5 :w))) (insert-measure (measures 2) (measure "
      "(note a5 :w))))";
  struct row {
    std::string proposed, measures, notes;  // no notes: refused with these words
    std::string says;
  };
  for (auto& [text, measures, notes, says] : std::vector<row>{
           {"(insert-measure (measures 3) (measure (note b5 :w)) (measure (note c6 :w)))", "3",
            "c5 d5 b5 e5 f5", "1 measure accepted, 1 left out"},
           {"(insert-measure (measures 3) (measure (note b5 :w)) (measure (note c6 :w)))", "3-4",
            "c5 d5 b5 c6 e5 f5", "2 measures accepted, 0 left out"},
           {"(insert-measure (measures 3) (measure (note b5 :w)) (measure (note c6 :w)))", "4", "",
            "measure 4 cannot be accepted without the new one before it"},
           {"(insert-measure (measures 3) (measure (note b5 :w)) (measure (note c6 :w)))", "5", "",
            "nothing changes in these measures"},
           {"(delete (measures 2 3))", "2-3", "c5 f5", "2 measures accepted, 0 left out"},
           {"(delete (measures 2 3))", "2", "", "measures 2 to 3 are deleted as one block"},
           {several, "1", "g5 d5 e5 f5", "1 measure accepted, 2 left out"},
           {several, "3", "c5 d5 a5 e5 f5", "1 measure accepted, 2 left out"},
           {several, "5", "c5 d5 e5 f6", "1 measure accepted, 2 left out"},
           {several, "4", "", "nothing changes in these measures"},
           {several, "4-5", "c5 d5 e5 f6", "1 measure accepted, 2 left out"},
           {several, "1-3", "g5 d5 a5 e5 f5", "2 measures accepted, 1 left out"},
           {several, "-1:", "c5 d5 e5 f6", "1 measure accepted, 2 left out"},
           {beside, "1", "g5 d5 e5 f5", "1 measure accepted, 1 left out"},
           {beside, "2", "c5 a5 d5 e5 f5", "1 measure accepted, 1 left out"},
           {beside, "1-2", "g5 a5 d5 e5 f5", "2 measures accepted, 0 left out"}}) {
    INFO(text << " " << measures);
    two_of_us s;
    auto n = s.proposes(text);
    auto before = s.hash();
    if (notes.empty()) {
      s.refuses("accept " + n + ' ' + measures, says);
      CHECK(s.waits(n));
      continue;
    }
    auto outcome = s.command("accept " + n + ' ' + measures);
    INFO(outcome.output);
    CHECK(outcome.ok);
    CHECK(has(outcome.output, says));
    CHECK(s.notes() == notes);
    // Numbers are those of the measures as they stand.
    auto& all = s.state.score->parts[0]->measures;
    for (std::size_t i = 0; i < all.size(); ++i)
      CHECK(all[i]->number == std::to_string(i + 1));
    s.must("undo");
    CHECK(s.hash() == before);
  }
}

TEST_CASE("the diff of a proposal heads each change with the numbers by which it is taken") {
  two_of_us s;
  auto n = s.proposes("(do (delete (measures 2)) (insert-measure (measures 3) (measure (note a5 "
                      ":w)) (measure (note "
                      "a5 :w))))");
  auto shown = s.diff(n);
  INFO(shown);
  // Between e5 and f5 come two, which are 3 and 4 then.
  CHECK(has(shown, "measure 2, deleted\n"));
  CHECK(has(shown, "measures 3 to 4, new\n"));
  auto other = s.proposes("(do (insert-measure (measures 2) (measure (note a5 :w))) (replace "
                          "(measures 4) (measure (note "
                          "f6 :w))))");
  CHECK(has(s.diff(other), "measure 4, where measure 3 was\n"));
}

TEST_CASE("measures of a proposal are also taken when the score has moved on") {
  two_of_us s;
  auto n = s.proposes("(do (replace (measures 2) (measure (note g5 :w))) (replace (measures 3) "
                      "(measure (note a5 :w))))");
  s.type("(insert-measure (measures 1) (measure (note b4 :w)))");
  s.must("accept " + n + " 4");
  CHECK(s.notes() == "b4 c5 d5 a5 f5");
}

TEST_CASE("a new first measure is taken without the old ones, and none of them goes") {
  struct row {
    std::string proposed, measures, notes;
  };
  for (auto& x : std::vector<row>{
           {"(insert-measure (measures 1) (measure (note a4 :w)))", "1", "a4 c5 d5 e5 f5"},
           {"(insert-measure (measures 1) (measure (note a4 :w)))", "1-2", "a4 c5 d5 e5 f5"},
           {"(insert-measure (measures 1) (measure (note a4 :w)) (measure (note b4 :w)))", "1",
            "a4 c5 d5 e5 f5"},
           {"(insert-measure (measures 1) (measure (note a4 :w)) (measure (note b4 :w)))", "1-2",
            "a4 b4 c5 d5 e5 f5"},
           {"(insert-measure (measures 1) (measure (key g :major) (time 3 4) (note a4 :h.)))", "1",
            "a4 c5 d5 e5 f5"},
       }) {
    INFO(x.proposed << " " << x.measures);
    two_of_us s;
    auto n = s.proposes(x.proposed);
    s.must("accept " + n + " " + x.measures);
    CHECK(s.notes() == x.notes);
  }
  // The old first measure is no other music for what moved out of it.
  two_of_us s;
  auto n = s.proposes("(insert-measure (measures 1) (measure (note a4 :w)))");
  s.refuses("accept " + n + " 2", "nothing changes in these measures");
  CHECK(s.waits(n));
}

TEST_CASE("after some measures of a proposal music goes on behind them") {
  for (auto& [measures, notes] :
       std::vector<std::pair<std::string, std::string>>{{" 5", "c5 d5 e5 f5 g5 c4"},
                                                        {" 5-6", "c5 d5 e5 f5 g5 a5 c4"},
                                                        {"", "c5 d5 e5 f5 g5 a5 c4"}}) {
    INFO(measures);
    two_of_us s;
    auto n = s.proposes("(note g5 :w) (note a5 :w)");
    auto at = s.state.env->cursor;
    s.must("accept " + n + measures);
    auto e = s.type("(note c4 :w)");
    CHECK_FALSE(is_failure(*e));
    CHECK(s.notes() == notes);
    s.must("undo 2");
    CHECK(s.state.env->cursor == at);
  }
  // In the middle of a measure too.
  session_by_hand h;
  h.type("(part :violin (measure (note c5 :q)))");
  auto e = h.run("(note d5 :q) (note e5 :h) (note f5 :w)");
  h.happen(proposed(h.state, 1, "x", {"claude", "mcp"}, 1, *e, h.now()));
  auto outcome = run_command("accept 1 1", h.state, {}, h.clock);
  REQUIRE(outcome.further);
  h.happen({outcome.events});
  h.happen(committed(h.state, outcome.further->kind, outcome.further->source, h.now()));
  CHECK_FALSE(is_failure(*h.type("(note g5 :w)")));
  CHECK(h.state.score->parts[0]->measures.size() == 2);
}

TEST_CASE("a proposal of which nothing would be left in some measures still waits") {
  // A tie that reaches out of the measure has no place without the note that it goes to.
  two_of_us s;
  auto n = s.proposes(
      "(do (replace (measures 2) (measure (note d5 :w :tie start))) (replace (measures 3) (measure "
      "(note d5 :w :tie stop))))");
  s.refuses("accept " + n + " 2", "would change nothing in these measures; it stays open");
  CHECK(s.waits(n));
  s.must("accept " + n);
  CHECK(s.notes() == "c5 d5 d5 f5");
}

TEST_CASE(
    "measures of a proposal that nobody has changed are taken whatever became of the others") {
  const std::string all = "(replace (measures 1 4) " + two_of_us::bars("g5 a5 b5 c6") + ")";
  struct row {
    std::string typed, measures, notes;  // no notes: refused
  };
  for (auto& r : std::vector<row>{
           {"(replace (measures 2) (measure (note c4 :w)))", "4", "c5 c4 e5 c6"},
           {"(replace (measures 2) (measure (note c4 :w)))", "3-", "c5 c4 b5 c6"},
           {"(replace (measures 2) (measure (note c4 :w)))", "1", "g5 c4 e5 f5"},
           {"(replace (measures 2) (measure (note c4 :w)))", "2", ""},
           {"(replace (measures 2) (measure (note c4 :w)))", "1-2", ""},
           // By the numbers of its diff, wherever they are now.
           {"(do (insert-measure 1 (measure (note e4 :w))) (replace (measures 3) (measure (note c4 "
            ":w))))",
            "4", "e4 c5 c4 e5 c6"},
           {"(delete (measures 2))", "4", "c5 e5 c6"}}) {
    INFO(r.typed << ' ' << r.measures);
    two_of_us s;
    auto n = s.proposes(all);
    s.type(r.typed);
    if (r.notes.empty()) {
      s.refuses("accept " + n + ' ' + r.measures, "these measures have changed since");
      CHECK(s.waits(n));
      continue;
    }
    auto before = s.hash();
    s.must("accept " + n + ' ' + r.measures);
    CHECK(s.notes() == r.notes);
    // The others are still proposed (decision 33).
    CHECK(s.waits(n));
    s.must("undo");
    CHECK(s.hash() == before);
    CHECK(s.waits(n));
  }
}

TEST_CASE("a deletion that is proposed is also taken beside measures that changed since") {
  two_of_us s;
  auto n = s.proposes("(do (replace (measures 1) (measure (note g5 :w))) (delete (measures 3)))");
  s.type("(replace (measures 1) (measure (note c4 :w)))");
  s.must("accept " + n + " 3");
  CHECK(s.notes() == "c4 d5 f5");
}

TEST_CASE("a proposal of which all is here already says of nothing that it went") {
  two_of_us s;
  auto first = s.proposes("(delete (measures 1))"), second = s.proposes("(delete (measures 1))");
  s.must("accept " + first);
  auto shown = s.diff(second);
  INFO(shown);
  CHECK_FALSE(has(shown, "removed"));
  CHECK(has(shown, "no change"));
  s.must("accept " + second);
  auto answer = std::get<eval_entry>(s.state.history.last()->kind);
  CHECK(answer.output_text == "no change");
}

TEST_CASE("what a part brings with it is not said to be left out as a group of parts") {
  two_of_us s;
  auto n = s.proposes("(part :oboe (measure (note c5 :w))) (replace (select :part 1 :measures "
                      "1) (measure (note g5 :w)))");
  auto outcome = s.command("accept " + n + " 1");
  INFO(outcome.output);
  REQUIRE(outcome.ok);
  CHECK(has(outcome.output, "parts are added or removed as a whole"));
  CHECK_FALSE(has(outcome.output, "groups"));
}

}  // namespace fermata::proposal_now_test
