#include "core/memory_meter.hpp"

#include "core/lang/evaluation/evaluate.hpp"
#include "tests/core/lang/evaluated.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

// What is expected is counted in bytes and in questions, never in time.

namespace fermata::memory_meter_test {

namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

/// What became of an evaluation under a limit.
struct measured {
  result<evaluation> what;
  std::uint64_t peak = 0, left = 0, in_pool_afterwards = 0;
};

measured within(std::uint64_t limit, std::string_view text) {
  auto pool = std::make_shared<memory_pool>(limit);
  measured m{fail({errc::internal, "not evaluated"})};
  {
    memory_meter meter{pool};
    auto request = request_for(text);
    request.budget.steps = 200'000'000;
    m.what = evaluate(request);
    m.peak = meter.peak();
    m.left = meter.in_use();
  }
  m.in_pool_afterwards = pool->in_use();
  return m;
}

}  // namespace

TEST_CASE("what is allocated is counted in bytes, and what is freed is no longer") {
  memory_meter meter{std::make_shared<memory_pool>()};
  auto before = meter.in_use();
  {
    std::vector<char> block(5 * mebibyte);
    CHECK(meter.in_use() - before >= 5 * mebibyte);
    // The allocator rounds up to pages.
    CHECK(meter.in_use() - before <= 5 * mebibyte + 8192);
    CHECK(meter.pool().in_use() >= 5 * mebibyte);
  }
  CHECK(meter.in_use() == before);
  CHECK(meter.peak() >= 5 * mebibyte);
}

TEST_CASE("an evaluation that makes too much ends with an error and nothing is left of it") {
  // Each in another place: the evaluator, a call with many arguments, the compiler to a score,
  // text, code.
  for (std::string text : {
           "(count (repeat-times 9000000 (note c4 :64)))",
           "(apply seq (repeat-times 9000000 (note c4 :64)))",
           "(apply seq (map (fn [i] (note c4 :64)) (range 0 1000000)))",
           "(times 1000 (times 1000 (note c4 :64)))",
           "(map (fn [i] (str i \"............................................\")) (range 0 "
           "2000000))",
           "(range 0 10000000)",
           "(defn deep [n] (if (= n 0) [] (list (deep (- n 1)) (range 0 100000)))) (deep 500)",
       }) {
    INFO(text);
    auto m = within(48 * mebibyte, text);
    REQUIRE_FALSE(m.what);
    const auto& fault = m.what.error().first();
    CHECK(fault.code == errc::budget_exceeded);
    CHECK(fault.message.find("48 MiB") != std::string::npos);
    // It is told within 64 KiB, or in the middle of one large allocation that is given back.
    CHECK(m.peak <= 48 * mebibyte + 512 * mebibyte);
    CHECK(m.left <= mebibyte);
    CHECK(m.in_pool_afterwards == 0);
  }
}

TEST_CASE("an evaluation within the limit is not hindered") {
  auto m = within(256 * mebibyte, "(count (apply list (repeat-times 100000 (note c4 :64))))");
  REQUIRE(m.what);
  CHECK(print(m.what->values.front()) == "100000");
}

TEST_CASE("when the memory is used up, the one that holds most of it is stopped") {
  auto pool = std::make_shared<memory_pool>(64 * mebibyte);
  memory_meter large{pool};
  std::vector<char> held(100 * mebibyte);
  {
    memory_meter small{pool};
    auto done = evaluate(request_for("(count (range 0 10000))"));
    CHECK(shown(done) == "10000");
    CHECK_FALSE(small.is_over());
  }
  CHECK(large.is_over());
  held = std::vector<char>{};  // `= {}` would keep the capacity
  CHECK_FALSE(large.is_over());
}

// As SQLite is tested: every allocation fails once. Whatever the evaluation is doing, it ends with
// the one error, leaves the score alone and leaves nothing behind that the next one would notice.
TEST_CASE("wherever an evaluation is stopped, it ends cleanly") {
  for (std::string text : {
           "(note c4 :q)",
           "(def motif (seq (note c4 :q) (note e4 :q))) motif (transpose +2 motif)",
           "(part \"Flute\" (measure (note c4 :h) (note d4 :h)) (measure (note e4 :w)))",
           "(defn fact [n] (if (< n 2) 1 (* n (fact (- n 1))))) (map fact [1 2 3 4 5])",
           "[[1 [2 [3 [4]]]] {c4:q d} \"text\" #t]",
           "(try (/ 1 0) (str \"no\"))",
           "(c4:q d e f | g1)",
           "(defmacro twice [x] `(seq ~x ~x)) (twice (note c4 :8))",
           "(retrograde (seq (note c4 :q) (tuplet 3 2 (note d4 :8) (note e4 :8) (note f4 :8))))",
           "(key-inference on) (do (note c4 :q) (chord C4 :h))",
       }) {
    INFO(text);
    auto plain = evaluate(request_for(text));
    auto expected = shown(plain);
    auto ended = false;
    for (int n = 1; !ended; n += n < 400 ? 1 : n / 16) {
      CAPTURE(n);
      auto asked = 0;
      memory_meter meter{std::make_shared<memory_pool>(),
                         [&]() -> std::optional<errc> {
                           return ++asked >= n ? std::optional{errc::cancelled} : std::nullopt;
                         },
                         1};
      auto request = request_for(text);
      auto stopped = evaluate(request);
      ended = asked < n;
      if (ended) {
        CHECK(shown(stopped) == expected);
      } else {
        REQUIRE_FALSE(stopped);
        CHECK(stopped.error().first().code == errc::cancelled);
      }
      CHECK(request.score->parts.empty());
    }
    CHECK(shown(evaluate(request_for(text))) == expected);
  }
}

}  // namespace fermata::memory_meter_test
