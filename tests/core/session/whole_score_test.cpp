#include "core/session/timeline/whole_score.hpp"

#include "core/session/timeline/state.hpp"

#include <catch2/catch.hpp>

namespace fermata::whole_score_test {

namespace {

result<whole_score> taken(const std::string& text) {
  evaluation_request request;
  request.text = text;
  request.env = std::make_shared<const environment>();
  request.score = empty_score();
  auto done = evaluate(request);
  if (!done) return fail(done.error());
  return whole_score_of(text, *done);
}

}  // namespace

// By hand, as the language says what each is.
TEST_CASE("a file that is no score does not empty the score") {
  struct row {
    std::string_view text, says;
  };
  for (auto& [text, says] : {
           row{"", "the file is empty"},
           row{"\n", "the file is empty"},
           row{"; a remark\n", "the file is empty"},
           row{"42", "no music"},
           row{"\"a title\"\n", "no music"},
           row{"(def x c5)", "no music"},
           row{"c5", "no music"},
           row{"(+ 1 2) [c4 d4]", "no music"},
       }) {
    INFO(text);
    auto what = taken(std::string{text});
    REQUIRE_FALSE(what);
    auto& why = what.error().first();
    CHECK(why.code == errc::invalid_score);
    CHECK(why.message.find(says) != std::string::npos);
    CHECK_FALSE(why.hint.empty());
  }
}

TEST_CASE("a file that is a score is taken, an empty one as well") {
  for (std::string text :
       {"(score (part :flute (measure (note c5 :w))))", "(score)", "; of today\n(score)\n",
        "(part :flute (measure (note c5 :w)))", "(note c5 :w)", "(score) (note c5 :w) (note d5 :w)",
        "(do (score (part :flute (measure (note c5 :w)))))"}) {
    INFO(text);
    auto what = taken(text);
    REQUIRE(what);
    CHECK(what->left_out.empty());
    CHECK(what->score->parts.empty() == (text.find("(note") == std::string::npos));
  }
}

TEST_CASE("of a file with two scores none is taken, and the second is shown") {
  struct row {
    std::string_view text, says;
    std::size_t at;
  };
  for (auto& [text, says, at] :
       {row{"(score (part :flute (measure (note c5 :w))))\n(score)", "a second score", 45},
        row{"(score)\n(score (part :flute))", "a second score", 8},
        row{"(def s (score (part :flute))) s s", "a second score", 32},
        row{"(note c5 :w) (score (part :flute))", "the music before it", 13}}) {
    INFO(text);
    auto what = taken(std::string{text});
    REQUIRE_FALSE(what);
    auto& why = what.error().first();
    CHECK(why.message.find(says) != std::string::npos);
    REQUIRE(why.span);
    CHECK(why.span->begin == at);
    CHECK_FALSE(why.hint.empty());
  }
}

TEST_CASE("what else stands in the file of a score is said by its name") {
  auto what = taken("(def x c5)\n(score (part :flute (measure (note x :w))))\n(def y 3)");
  REQUIRE(what);
  CHECK(what->score->parts.size() == 1);
  CHECK(what->left_out == "the definitions of x and y");
  what = taken("(defn three [] 3) (score)");
  REQUIRE(what);
  CHECK(what->left_out == "the definition of three");
  what = taken("(defmacro twice [a] a) (def one 1) (def two 2) (score)");
  REQUIRE(what);
  CHECK(what->left_out == "the definitions of one, twice and two");
}

}  // namespace fermata::whole_score_test
