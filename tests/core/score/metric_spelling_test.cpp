#include "core/score/model/metric_spelling.hpp"

#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>

namespace fermata::metric_spelling_test {

using namespace fermata::testing;

namespace {

std::string spelled(rational from, rational to, const time_signature& t,
                    spelled_as what = spelled_as::note) {
  std::string text;
  auto at = measure_position{from};
  for (auto& p : metric_pieces(at, quarters{to - from}, t, what)) {
    CHECK(p.at == at);
    at += length(p.value);
    text += (text.empty() ? "" : " ") + to_string(p.value);
  }
  if (!text.empty()) CHECK(at == measure_position{to});
  return text;
}

struct row {
  time_signature t;
  rational from, to;
  const char* expected;
};

}  // namespace

TEST_CASE("tied notes show the metre as engravers do") {
  // By the rules of Gould, Behind Bars, worked out by hand for each row.
  const time_signature additive{{{{3, 2}, 8}}, "", ""};
  const row rows[] = {
      {time(4, 4), 0, 4, "w"},
      {time(4, 4), 0, 3, "h."},
      {time(4, 4), 1, 4, "h."},
      {time(4, 4), 1, 3, "q q"},
      {time(4, 4), {1, 2}, 2, "q."},
      {time(4, 4), {3, 2}, 4, "8 h"},
      {time(4, 4), 0, {5, 2}, "h 8"},
      {time(4, 4), 0, {7, 2}, "h q."},
      {time(4, 4), {1, 2}, 4, "q. h"},
      {time(4, 4), {1, 4}, 1, "8."},
      {time(4, 4), {1, 4}, 2, "8. q"},
      {time(4, 4), {5, 2}, 4, "q."},
      {time(2, 2), 0, 3, "h."},
      {time(2, 4), {1, 2}, 2, "q."},
      {time(3, 4), 0, 3, "h."},
      {time(3, 4), 1, 3, "h"},
      {time(3, 4), 0, {5, 2}, "h 8"},
      {time(3, 4), {1, 2}, 3, "8 h"},
      {time(3, 4), {1, 2}, 2, "8 q"},
      {time(6, 8), 0, 3, "h."},
      {time(6, 8), 0, 2, "q. 8"},
      {time(6, 8), 1, 3, "8 q."},
      {time(6, 8), {1, 2}, 3, "q q."},
      {time(9, 8), 0, {9, 2}, "h. q."},
      {time(9, 8), {3, 2}, {9, 2}, "h."},
      {time(12, 8), 0, 6, "w."},
      {time(12, 8), 0, {9, 2}, "h. q."},
      {time(12, 8), {3, 2}, {9, 2}, "q. q."},
      {time(5, 4), 0, 5, "h. h"},
      {time(5, 4), 2, 5, "q h"},
      {additive, 0, {5, 2}, "q. q"},
      {additive, 1, {5, 2}, "8 q"},
      {time(7, 8), 0, {7, 2}, "h q."},
      {time(3, 8), 0, {3, 2}, "q."},
  };
  for (auto& r : rows) {
    INFO(to_string(r.t) << " from " << to_string(r.from) << " to " << to_string(r.to));
    CHECK(spelled(r.from, r.to, r.t) == r.expected);
  }
}

TEST_CASE("rests are written stricter than notes") {
  const row rows[] = {
      {time(4, 4), 0, 3, "h q"}, {time(4, 4), 1, 4, "q h"},     {time(4, 4), 1, 3, "q q"},
      {time(3, 4), 1, 3, "q q"}, {time(6, 8), {3, 2}, 3, "q."}, {time(2, 4), {1, 2}, 2, "8 q"},
  };
  for (auto& r : rows) {
    INFO(to_string(r.t) << " from " << to_string(r.from) << " to " << to_string(r.to));
    CHECK(spelled(r.from, r.to, r.t, spelled_as::rest) == r.expected);
  }
}

TEST_CASE("what is no sum of binary values has no spelling without a tuplet") {
  CHECK(metric_pieces(measure_position{}, quarters{rational{1, 3}}, time(4, 4)).empty());
  CHECK(metric_pieces(measure_position{}, quarters{rational{4, 3}}, time(4, 4)).empty());
  CHECK(metric_pieces(measure_position{}, quarters{rational{1, 512}}, time(4, 4)).empty());
}

TEST_CASE("without a metre long notes are spelt in fours") {
  time_signature free;
  free.fractions.clear();
  CHECK(spelled(0, 8, free) == "w w");
  CHECK(spelled(0, 3, free) == "h.");
}

}  // namespace fermata::metric_spelling_test
