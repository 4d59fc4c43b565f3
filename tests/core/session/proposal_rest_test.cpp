#include "core/session/timeline/decide.hpp"
#include "tests/core/session/musician.hpp"

#include <string>
#include <vector>

// What is left of a proposal after some of its measures were accepted. What is expected: in
// whatever order its measures are taken, in the end the score is the one that was proposed.

namespace fermata::proposal_rest_test {

namespace {

constexpr auto four =
    "(part :violin (measure (note c4 :w)) (measure (note d4 :w)) (measure (note e4 "
    ":w)) (measure (note f4 :w)))";

/// As a client does.
void propose(musician& s, const std::string& text) {
  auto made = s.run(text);
  REQUIRE(made);
  s.happen(proposed(s.state, s.state.next_proposal, text, {"claude", "mcp"}, s.state.revision,
                    *made, s.now()));
}

proposal::state_t state_of(const musician& s, std::int64_t number = 1) {
  return find_proposal(s.state, number)->state;
}

}  // namespace

TEST_CASE("measure by measure a proposal is taken as it would be at once") {
  struct row {
    std::string proposed;
    std::vector<std::string> order;
  };
  for (auto& [proposed, order] : std::vector<row>{
           {"(edit (measures 1 4) (fn [m] (transpose M2 m)))", {"1", "2-3", ""}},
           {"(edit (measures 1 4) (fn [m] (transpose M2 m)))", {"4", "1", "2", "3"}},
           // A slur that is cut when half of it is taken is whole again with the other half.
           {"(replace (measures 2 3) (measure (note g4 :w :slur start)) (measure (note a4 :w :slur "
            "stop)))",
            {"2", ""}},
           {"(replace (measures 2 3) (measure (note g4 :w :tie start)) (measure (note g4 :w :tie "
            "stop)))",
            {"3", "2-3"}},
           {"(insert-measure (measures 2) (measure (note g4 :w)) (measure (note a4 :w)))",
            {"2", ""}},
           {"(delete 1) (delete (measures -1))", {"1", ""}},
           {"(note g4 :w) (note a4 :w)", {"5", ""}},
           {"(replace (measures 2) (measure (key g :major) (note g4 :w))) (delete (measures 4))",
            {"2", ""}},
       }) {
    INFO(proposed);
    musician whole, bit_by_bit;
    for (auto s : {&whole, &bit_by_bit}) {
      s->type(four);
      propose(*s, proposed);
    }
    whole.must("accept 1");
    for (auto& measures : order) {
      INFO(measures);
      CHECK(state_of(bit_by_bit) == proposal::state_t::open);
      bit_by_bit.must("accept 1 " + measures);
    }
    CHECK(state_of(bit_by_bit) == proposal::state_t::accepted);
    CHECK(bit_by_bit.hash() == whole.hash());
  }
}

TEST_CASE("what is left is what `:diff` shows and what `:reject` refuses") {
  musician s;
  s.type(four);
  propose(s, "(edit (measures 1 4) (fn [m] (transpose M2 m)))");
  s.must("accept 1 1");
  auto diff = s.command("diff 1").output;
  CHECK(diff.find("measure 1\n") == std::string::npos);
  CHECK(diff.find("measures 2 to 4") != std::string::npos);
  auto hash = s.hash();
  s.must("reject 1 too high");
  CHECK(state_of(s) == proposal::state_t::rejected);
  CHECK(s.hash() == hash);
}

TEST_CASE("definitions and titles of a proposal wait for the rest of it") {
  musician s;
  s.type(four);
  propose(s,
          "(def motif 7) (replace (measures 1 2) (measure (note g4 :w)) (measure (note a4 :w)))");
  s.must("accept 1 1");
  s.must("accept 1 2");
  CHECK(state_of(s) == proposal::state_t::open);
  CHECK_FALSE(s.state.env->bindings.contains("motif"));
  s.must("accept 1");
  CHECK(s.state.env->bindings.contains("motif"));
  CHECK(state_of(s) == proposal::state_t::accepted);
}

TEST_CASE("the rest finds its place when I go on writing, and is never taken over what I wrote") {
  musician s;
  s.type(four);
  propose(s, "(edit (measures 1 4) (fn [m] (transpose M2 m)))");
  s.must("accept 1 1");
  s.type("(insert-measure (measures 1) (measure (note c5 :w)))");
  s.type("(replace (measures 3) (measure (note b4 :w)))");
  s.refuses("accept 1", "changed in the same places since part of");
  s.refuses("accept 1 --again", "has already been accepted");
  // In the numbers of its own diff.
  s.must("accept 1 4");
  CHECK(s.measure(5).find("g4") != std::string::npos);
  CHECK(s.measure(3).find("b4") != std::string::npos);
  CHECK(state_of(s) == proposal::state_t::open);
}

TEST_CASE("taking a part back leaves the rest open") {
  musician s;
  s.type(four);
  propose(s, "(edit (measures 1 4) (fn [m] (transpose M2 m)))");
  s.must("accept 1 1");
  s.must("undo");
  s.must("accept 1");
  CHECK(s.measure(1).find("c4") != std::string::npos);
  CHECK(s.measure(2).find("e4") != std::string::npos);
}

}  // namespace fermata::proposal_rest_test
