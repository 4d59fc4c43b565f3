// Reading, evaluating, committing and undoing, each beside its floor.

#include "apps/bench/music_texts.hpp"
#include "core/lang/evaluation/evaluate.hpp"
#include "core/lang/syntax/reader.hpp"
#include "core/lang/syntax/token.hpp"
#include "core/score/edit/edit.hpp"
#include "core/score/model/delta.hpp"
#include "core/session/timeline/decide.hpp"
#include "core/session/timeline/event.hpp"
#include "io/json/score_fields.hpp"

#include <benchmark/benchmark.h>
#include <boost/json/serialize.hpp>
#include <malloc.h>

namespace fermata::bench {

namespace {

constexpr std::size_t notes = 100'000;

evaluation_request fresh(std::string text) {
  evaluation_request r;
  r.text = std::move(text);
  r.env = std::make_shared<const environment>();
  r.score = empty_score();
  r.history = [](std::string_view, std::int64_t) { return std::optional<history_value>{}; };
  return r;
}

/// Evaluates or ends the run: a benchmark of an error message would look splendid.
evaluation must(const evaluation_request& r) {
  auto done = evaluate(r);
  if (!done) {
    std::fputs(render(done.error(), r.text).c_str(), stderr);
    std::exit(1);
  }
  return std::move(*done);
}

void count_notes(benchmark::State& state, std::size_t bytes) {
  state.counters["notes_per_s"] =
      benchmark::Counter(static_cast<double>(notes), benchmark::Counter::kIsIterationInvariantRate);
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}

void tokenize(benchmark::State& state) {
  auto text = explicit_score(notes);
  for (auto _ : state) {
    std::size_t at = 0, count = 0;
    for (;;) {
      auto t = next_token(text, at);
      if (t.kind == token_kind::end) break;
      at = t.span.end;
      ++count;
    }
    benchmark::DoNotOptimize(count);
  }
  count_notes(state, text.size());
}
BENCHMARK(tokenize)->Unit(benchmark::kMillisecond);

void read_only(benchmark::State& state) {
  auto text = explicit_score(notes);
  for (auto _ : state)
    benchmark::DoNotOptimize(read(text));
  count_notes(state, text.size());
}
BENCHMARK(read_only)->Unit(benchmark::kMillisecond);

void score_of_explicit_forms(benchmark::State& state) {
  auto r = fresh(explicit_score(notes));
  for (auto _ : state)
    benchmark::DoNotOptimize(must(r));
  count_notes(state, r.text.size());
  auto before = mallinfo2().uordblks;
  auto kept = must(r).score;
  malloc_trim(0);
  state.counters["bytes_per_note"] =
      static_cast<double>(mallinfo2().uordblks - before) / static_cast<double>(notes);
}
BENCHMARK(score_of_explicit_forms)->Unit(benchmark::kMillisecond);

void score_of_phrases(benchmark::State& state) {
  auto r = fresh(phrase_score(notes));
  for (auto _ : state)
    benchmark::DoNotOptimize(must(r));
  count_notes(state, r.text.size());
}
BENCHMARK(score_of_phrases)->Unit(benchmark::kMillisecond);

/// One note more in a score of `range` measures.
void edit(benchmark::State& state) {
  auto whole = must(fresh(explicit_score(static_cast<std::size_t>(state.range(0)) * 16)));
  auto one = fresh("(note c4 :q)");
  one.env = whole.env;
  one.score = whole.score;
  for (auto _ : state)
    benchmark::DoNotOptimize(must(one));
}
BENCHMARK(edit)->Arg(100)->Arg(10'000)->Unit(benchmark::kMicrosecond);

/// A score of so many measures; what is more than 1,000 repeats these, with notes of its own.
score_ptr score_of(std::size_t measures) {
  constexpr std::size_t most = 1'000;
  auto first = must(fresh(explicit_score(std::min(measures, most) * 16))).score;
  if (measures <= most) return first;
  auto whole = std::make_shared<score>(*first);
  auto only = std::make_shared<part>(*first->parts.front());
  for (auto i = most; i < measures; ++i) {
    auto m = std::make_shared<measure>(*only->measures[1 + i % (most - 1)]);
    m->number = std::to_string(i + 1);
    m->items = shared_list<measure_item>(std::vector<measure_item>(m->items.all()));
    only->measures.push_back(std::move(m));
  }
  only->measures.seal();
  whole->parts.front() = std::move(only);
  return whole;
}

/// The second measure goes, and all that follow get another number.
void delete_a_measure(benchmark::State& state) {
  auto whole = score_of(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    auto without = replace_measures(whole, 0, 1, 1, {});
    benchmark::DoNotOptimize(diff_snapshots(whole, *without));
  }
  auto change = diff_snapshots(whole, *replace_measures(whole, 0, 1, 1, {}));
  state.counters["journal_bytes"] =
      static_cast<double>(boost::json::serialize(io::write_json(change)).size());
}
BENCHMARK(delete_a_measure)
    ->RangeMultiplier(10)
    ->Range(100, 100'000)
    ->Unit(benchmark::kMicrosecond);

/// Such a measure comes back.
void undo_of_deleting_a_measure(benchmark::State& state) {
  auto whole = score_of(static_cast<std::size_t>(state.range(0)));
  auto without = replace_measures(whole, 0, 1, 1, {});
  auto back = inverted(diff_snapshots(whole, *without));
  for (auto _ : state)
    benchmark::DoNotOptimize(applied(back, *without));
}
BENCHMARK(undo_of_deleting_a_measure)
    ->RangeMultiplier(10)
    ->Range(100, 100'000)
    ->Unit(benchmark::kMicrosecond);

/// One note more in a score of `range` measures, and taking it back.
void edit_and_undo(benchmark::State& state) {
  auto r = fresh(explicit_score(static_cast<std::size_t>(state.range(0)) * 16));
  auto whole = must(r);
  auto one = fresh("(note c4 :q)");
  one.env = whole.env;
  one.score = whole.score;
  auto edited = must(one);
  auto back = inverted(edited.delta);
  for (auto _ : state)
    benchmark::DoNotOptimize(applied(back, edited.score));
}
BENCHMARK(edit_and_undo)->Arg(100)->Arg(10'000)->Unit(benchmark::kMicrosecond);

}  // namespace

}  // namespace fermata::bench
