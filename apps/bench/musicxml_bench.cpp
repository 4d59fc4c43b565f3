// MusicXML in and out beside the XML parser alone. The score is the file that FERMATA_BENCH_SCORE
// names; score_rows.py starts a process for each figure.

#include "io/files/files.hpp"
#include "io/musicxml/export.hpp"
#include "io/musicxml/container/read.hpp"

#include <benchmark/benchmark.h>
#include <pugixml.hpp>

#include <cstdlib>
#include <string>

namespace fermata::bench {

namespace {

/// The quartet a hundred times over is larger than what `fermata import` takes by default.
constexpr io::musicxml::read_limits any_size{std::size_t{4} << 30, 1000};

/// What is timed once in a process of its own, as `fermata import` does it: memory is fresh, and
/// giving it back is not counted on either side.
std::string real_score(benchmark::State& state) {
  auto* path = std::getenv("FERMATA_BENCH_SCORE");
  if (!path) {
    state.SkipWithError("set FERMATA_BENCH_SCORE to the score to measure");
    return {};
  }
  auto bytes = io::read_file(path, any_size.bytes);
  if (!bytes || bytes->empty()) {
    state.SkipWithError(bytes ? "the score is empty"
                              : bytes.error().diagnostics.front().message.c_str());
    return {};
  }
  return std::move(*bytes);
}

/// The most memory this process ever had, of the kernel's own account (getrusage counts what the
/// parent had before it started us).
double peak_bytes() {
  auto status = io::read_file("/proc/self/status").value_or(std::string{});
  auto at = status.find("VmHWM:");
  return at == std::string::npos ? 0.0 : std::atof(status.c_str() + at + 6) * 1024;
}

void file_load(benchmark::State& state) {
  auto text = real_score(state);
  for (auto _ : state)
    benchmark::DoNotOptimize(text);
  state.counters["peak"] = peak_bytes();
}
BENCHMARK(file_load)->Iterations(1)->MeasureProcessCPUTime();

void file_parse(benchmark::State& state) {
  auto text = real_score(state);
  pugi::xml_document document;
  for (auto _ : state)
    if (!document.load_buffer(text.data(), text.size())) state.SkipWithError("does not parse");
  state.counters["peak"] = peak_bytes();
}
BENCHMARK(file_parse)->Iterations(1)->MeasureProcessCPUTime();

void file_import(benchmark::State& state) {
  auto text = real_score(state);
  score_ptr s;
  for (auto _ : state) {
    auto read = io::musicxml::read(text, "bench", any_size);
    if (read)
      s = std::move(read->score);
    else
      state.SkipWithError("does not read");
  }
  state.counters["peak"] = peak_bytes();
}
BENCHMARK(file_import)->Iterations(1)->MeasureProcessCPUTime();

void file_export(benchmark::State& state) {
  auto read = io::musicxml::read(real_score(state), "bench", any_size);
  if (!read) return;
  std::string text;
  for (auto _ : state)
    text = io::musicxml::write(*read->score);
  state.counters["bytes"] = static_cast<double>(text.size());
}
BENCHMARK(file_export)->Iterations(1)->MeasureProcessCPUTime();

}  // namespace

}  // namespace fermata::bench
