#include "core/lang/evaluation/evaluate.hpp"
#include "core/lang/layout/compile.hpp"
#include "io/staff/staff_picture.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <stdexcept>

namespace fermata::io::ties_test {

// A tie begins at its note and ends before the note it leads to; by hand: which of them are seen.

namespace {

std::string ascii(const std::string& text) {
  evaluation_request request;
  request.text = text;
  request.env = std::make_shared<const environment>();
  request.score = empty_score();
  request.commit = false;
  auto done = evaluate(request);
  if (!done) throw std::runtime_error(done.error().first().message);
  auto made = compile_score(*done->values.back().as_music());
  if (!made) throw std::runtime_error(made.error().first().message);
  staff_options o;
  o.columns = 120;
  o.unicode = false;
  return staff_picture(*made, o);
}

/// How many ties begin and end, and the length of the longest middle.
struct drawn_ties {
  std::ptrdiff_t begin = 0, end = 0;
  std::size_t longest = 0;
};
drawn_ties ties_in(const std::string& picture) {
  drawn_ties found{std::count(picture.begin(), picture.end(), '('),
                   std::count(picture.begin(), picture.end(), ')'), 0};
  std::size_t run = 0;
  for (char c : picture) {
    run = c == '_' || c == '~' ? run + 1 : 0;
    found.longest = std::max(found.longest, run);
  }
  return found;
}

}  // namespace

TEST_CASE("a tie that leads nowhere is a short one, whatever comes after it") {
  for (auto text :
       {"(seq (note c5 :h :tie start) (note d5 :h) (note e5 :w) (note f5 :w) (note g5 :w))",
        "(seq (note c4 :h :tie start) (note d4 :h) (note e4 :w) (note f4 :w) (note g4 :w))",
        "(seq (note c5 :h :tie start) (rest :h) (note c5 :w))",
        "(seq (note c5 :h :tie start) (note c5 :h) (note c5 :w))",
        "(seq (note d4 :w) (note c5 :w :tie start))"}) {
    auto picture = ascii(text);
    INFO(picture);
    auto ties = ties_in(picture);
    CHECK(ties.begin == 1);
    CHECK(ties.end == 0);
    CHECK(ties.longest >= 1);
    CHECK(ties.longest <= 2);
  }
}

TEST_CASE("a tie leads to the note that sounds the same, however it is spelt") {
  auto picture = ascii("(seq (note c#5 :h :tie start) (note db5 :h :tie stop) (note d5 :w))");
  INFO(picture);
  auto ties = ties_in(picture);
  CHECK(ties.begin == 1);
  CHECK(ties.end == 1);
}

TEST_CASE("each note of a chord is seen to be tied, inside of it too") {
  for (auto [chord, notes] : {std::pair{"e4 g4 b4", 3},
                              {"a4 c5 e5", 3},
                              {"c#5 e5 a5", 3},
                              {"e4 g4 b4 d5", 4},
                              {"f4 a4 c5 e5", 4},
                              {"c4 e4", 2}})
    for (auto length : {":h", ":q"}) {
      auto one = "(chord (" + std::string{chord} + ") " + length;
      auto picture = ascii("(seq " + one + " :tie start) " + one + " :tie stop))");
      INFO(picture);
      auto ties = ties_in(picture);
      CHECK(ties.begin == notes);
      CHECK(ties.end == notes);
    }
}

}  // namespace fermata::io::ties_test
