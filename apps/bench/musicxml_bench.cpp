// MusicXML in and out beside the XML parser alone, with sizes a hundred times apart.

#include "apps/bench/music_texts.hpp"
#include "io/files/formats.hpp"
#include "io/musicxml/export.hpp"
#include "io/musicxml/import.hpp"

#include <benchmark/benchmark.h>
#include <pugixml.hpp>

#include <cstdlib>
#include <string>

namespace fermata::bench {

namespace {

score_ptr score_with(std::size_t notes) {
  auto made = io::score_from_program(explicit_score(notes));
  if (!made) {
    std::fputs(made.error().first().message.c_str(), stderr);
    std::exit(1);
  }
  return *made;
}

void rates(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
  state.counters["notes_per_s"] = benchmark::Counter(static_cast<double>(state.range(0)),
                                                     benchmark::Counter::kIsIterationInvariantRate);
}

void write_musicxml(benchmark::State& state) {
  auto s = score_with(static_cast<std::size_t>(state.range(0)));
  std::size_t bytes = 0;
  for (auto _ : state) {
    auto text = io::musicxml::write(*s);
    bytes = text.size();
    benchmark::DoNotOptimize(text);
  }
  rates(state, bytes);
}
BENCHMARK(write_musicxml)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void read_musicxml(benchmark::State& state) {
  auto text = io::musicxml::write(*score_with(static_cast<std::size_t>(state.range(0))));
  for (auto _ : state) {
    auto read = io::musicxml::read(text, "bench");
    if (!read) state.SkipWithError("does not read");
    benchmark::DoNotOptimize(read);
  }
  rates(state, text.size());
}
BENCHMARK(read_musicxml)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void parse_xml_alone(benchmark::State& state) {
  auto text = io::musicxml::write(*score_with(static_cast<std::size_t>(state.range(0))));
  for (auto _ : state) {
    pugi::xml_document document;
    if (!document.load_buffer(text.data(), text.size())) state.SkipWithError("does not parse");
    benchmark::DoNotOptimize(document);
  }
  rates(state, text.size());
}
BENCHMARK(parse_xml_alone)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace fermata::bench
