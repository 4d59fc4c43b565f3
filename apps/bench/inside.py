"""Runs the measurements inside the process (Google Benchmark) and hands out their results."""

import json
import os
import subprocess


def measured(pattern):
    """name -> the record of Google Benchmark, for the benchmarks whose names match."""
    binary = os.environ.get("FERMATA_BENCH_BIN", "build/release/bin/fermata_bench")
    done = subprocess.run([binary, f"--benchmark_filter={pattern}", "--benchmark_format=json",
                           "--benchmark_min_time=0.3"],
                          check=True, capture_output=True, text=True)
    return {b["name"]: b for b in json.loads(done.stdout)["benchmarks"]}
