// The measurements inside the process; apps/bench/bench.py runs them beside the others. With
// `analyse QUESTION` it answers instead what the accuracy tables ask (analysis_filter.hpp).

#include "apps/bench/analysis_filter.hpp"

#include <benchmark/benchmark.h>

#include <iostream>
#include <string_view>

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view{argv[1]} == "analyse")
    return fermata::bench::answer(argv[2], std::cin, std::cout, std::cerr);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
