#include "core/lang/value/form_spec.hpp"
#include "tests/core/lang/evaluated.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <string>

// Music may share its parts: 5,000 times one note is one note. What is made of it shares nothing,
// so that each transformation has to ask before it begins. Every form of the family is tried; the
// limits are those of the requests below.

namespace fermata::copies_in_budget_test {

namespace {

/// One call of each, with X for the music.
const std::map<std::string, std::string> calls{
    {"transpose", "(transpose M2 X)"},
    {"invert", "(invert c4 X)"},
    {"sequence", "(sequence 2 :by M2 X)"},
    {"retrograde", "(retrograde X)"},
    {"rotate", "(rotate 1 (part (voice 1 X) (voice 2 X)))"},
    {"augment", "(augment 3/2 X)"},
    {"diminish", "(diminish 3/2 X)"},
    {"times", "(times 60 X)"},
    {"slur-over", "(slur-over X)"},
    {"zip-rhythm", "(zip-rhythm X (c4 d4))"},
};

std::string with(std::string text, const std::string& music) {
  for (auto at = text.find('X'); at != std::string::npos; at = text.find('X', at + music.size()))
    text.replace(at, 1, music);
  return text;
}

const std::string many = "(times 5000 (note c4 :8))";

result<evaluation> within(std::uint64_t elements, std::uint64_t bytes, const std::string& text) {
  auto r = request_for(text);
  r.commit = false;
  r.budget.elements = elements;
  r.budget.bytes = bytes;
  return evaluate(r);
}

/// Evaluates, and is interrupted at the question number `stop_at`. How often it asked.
std::pair<int, std::string> asked(const std::string& text, int stop_at) {
  auto r = request_for(text);
  r.commit = false;
  auto questions = 0;
  r.interrupted = [&]() -> std::optional<errc> {
    if (++questions == stop_at) return errc::cancelled;
    return std::nullopt;
  };
  auto e = evaluate(r);
  return {questions, e ? "none" : std::string{info(e.error().first().code).name}};
}

}  // namespace

TEST_CASE("a transformation of music that shares its parts stays within elements and memory") {
  auto rows = 0;
  for (const auto& row : form_table()) {
    if (row.category != "transform") continue;
    ++rows;
    INFO(row.name << ": a new transformation needs a call in this table");
    REQUIRE(calls.contains(row.name));
    const auto text = with(calls.at(row.name), many);
    // The music itself takes 80,000 bytes of pointers, and as many elements as notes.
    auto small = within(10'000'000, 1'000'000, text);
    REQUIRE_FALSE(small);
    CHECK(small.error().first().code == errc::budget_exceeded);
    auto few = within(6'000, 1'000'000'000, text);
    REQUIRE_FALSE(few);
    CHECK(few.error().first().code == errc::budget_exceeded);
    auto enough = within(20'000'000, 1'000'000'000, text);
    CHECK(enough);
  }
  CHECK(rows == static_cast<int>(calls.size()));
}

TEST_CASE("a transformation can be cancelled on its way") {
  for (const auto& [name, call] : calls) {
    if (name == "times") continue;  // it makes no note
    INFO(name);
    auto own = call == calls.at("rotate") ? 10'000 : 5'000;
    auto before = asked(with("(list X)", many), 0).first;
    auto [questions, fault] = asked(with(call, many), 0);
    CHECK(fault == "none");
    // At least once for every thousand notes.
    CHECK(questions >= before + own / 1'000);
    CHECK(asked(with(call, many), questions - 1).second == "cancelled");
    CHECK(asked(with(call, many), questions).second == "cancelled");
  }
}

TEST_CASE("many small transformations count together") {
  auto text = "(count (map (fn [i] (transpose M2 " + std::string{"(times 20 (note c4 :8))"} +
              ")) (range 0 1000)))";
  auto small = within(10'000'000, 1'000'000, text);
  REQUIRE_FALSE(small);
  CHECK(small.error().first().code == errc::budget_exceeded);
  CHECK(shown(within(10'000'000, 1'000'000'000, text)) == "1000");
}

}  // namespace fermata::copies_in_budget_test
