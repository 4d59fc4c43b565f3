"""Runs the measurements inside the process (Google Benchmark) and hands out their results."""

import json
import os
import subprocess


def measured(pattern, prefix=()):
    """name -> the record of Google Benchmark, for the benchmarks whose names match. `prefix`: a command
    that runs it in another way."""
    binary = os.environ.get("FERMATA_BENCH_BIN", "build/release/bin/fermata_bench")
    done = subprocess.run([*prefix, binary, f"--benchmark_filter={pattern}", "--benchmark_format=json",
                           "--benchmark_min_time=0.3"],
                          check=True, capture_output=True, text=True)
    return {b["name"]: b for b in json.loads(done.stdout)["benchmarks"]}
