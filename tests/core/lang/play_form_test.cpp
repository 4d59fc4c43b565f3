#include "tests/core/lang/evaluated.hpp"

#include <catch2/catch.hpp>

namespace fermata::play_form_test {

namespace {

/// What a text asks to be heard, as printed.
std::vector<std::string> played(std::string_view text) {
  auto done = evaluate(request_for(text));
  INFO(shown(done));
  REQUIRE(done);
  std::vector<std::string> all;
  for (auto& v : done->played)
    all.push_back(print(v));
  return all;
}

using texts = std::vector<std::string>;

}  // namespace

TEST_CASE("play asks for its music to be heard, and returns it") {
  CHECK(played("(play (note c4 :q))") == texts{"(note c4 :q)"});
  CHECK(evaluated("(play (note c4 :q))") == "(note c4 :q)");
  CHECK(played("(play (note c4 :q)) (+ 1 2) (play (note d4 :q))") ==
        texts{"(note c4 :q)", "(note d4 :q)"});
  CHECK(played("(map play (list (note c4 :q) (note d4 :q)))").size() == 2);
  CHECK(played("(def m (note c4 :q)) (defn hear [x] (play x)) (hear m)") == texts{"(note c4 :q)"});
  CHECK(played("(note c4 :q)").empty());
}

TEST_CASE("nothing is heard of a preview or of what fails") {
  CHECK(played("(preview (play (note c4 :q)))").empty());
  auto request = request_for("(play (note c4 :q))");
  request.commit = false;
  auto done = evaluate(request);
  REQUIRE(done);
  CHECK(done->played.empty());
  CHECK(fault_code("(play (note c4 :q)) (nonsense)") == "unknown-form");
}

TEST_CASE("music is heard where nothing enters the score") {
  auto request = request_for("(play (note c4 :q)) (note d4 :q) (play (note e4 :q))");
  request.rule = commit_rule::nothing;
  auto done = evaluate(request);
  REQUIRE(done);
  CHECK(done->played.size() == 2);
  CHECK(done->score == request.score);
}

TEST_CASE("play takes music") {
  CHECK(fault_code("(play)") != "none");
  CHECK(fault_code("(play 5)") != "none");
  CHECK(fault_code("(play \"c4\")") != "none");
  CHECK(fault_code("(map (fn [i] (play (note c4 :q))) (range 1001))") == "budget-exceeded");
}

}  // namespace fermata::play_form_test
