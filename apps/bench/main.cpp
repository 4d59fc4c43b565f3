// The measurements inside the process; apps/bench/bench.py runs them beside the others.

#include <benchmark/benchmark.h>

BENCHMARK_MAIN();
