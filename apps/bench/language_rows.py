"""The language: reading, evaluating and committing 100,000 notes; undo; recursion beside peers."""

import shutil
import statistics
import subprocess
import time

import google_benchmark

FIB = "(defn fib [i] (if (< i 2) i (+ (fib (- i 1)) (fib (- i 2))))) (fib 25)"
PYTHON = "def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\nprint(fib(25))"
GUILE = "(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (display (fib 25))"


def seconds(command, expected):
    samples = []
    for _ in range(7):
        begin = time.perf_counter()
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        samples.append(time.perf_counter() - begin)
        assert expected in done.stdout, done.stdout
    return statistics.median(samples)


def rows(binary, _home):
    b = google_benchmark.measured("tokenize|read_only|score_of|edit|delet")
    floor = b["tokenize"]["bytes_per_second"] / 1e6
    yield "read explicit forms", b["read_only"]["bytes_per_second"] / 1e6, "MB/s", "tokens only", floor
    for name, label in [("score_of_explicit_forms", "read, evaluate, commit: explicit forms"),
                        ("score_of_phrases", "read, evaluate, commit: phrases")]:
        yield label, b[name]["notes_per_s"] / 1e6, "Mnotes/s", "reading only", \
            b["read_only"]["notes_per_s"] / 1e6
    yield "memory held by a score", b["score_of_explicit_forms"]["bytes_per_note"], "B/note", None, None
    for name, label in [("edit", "one note more"), ("delete_a_measure", "deleting a measure"),
                        ("undo_of_deleting_a_measure", "undo of that")]:
        yield f"{label}, 10,000 measures", b[f"{name}/10000"]["real_time"], "us", \
            "the same in 100 measures", b[f"{name}/100"]["real_time"]
    yield "journal of deleting a measure, 10,000 measures", \
        b["delete_a_measure/10000"]["journal_bytes"], "B", "the same in 100 measures", \
        b["delete_a_measure/100"]["journal_bytes"]
    yield "undo of an edit, 10,000 measures", b["edit_and_undo/10000"]["real_time"], "us", \
        "the same in 100 measures", b["edit_and_undo/100"]["real_time"]
    ours = seconds([binary, "eval", "-e", FIB], "75025")
    yield "(fib 25), start included", ours * 1000, "ms", "python3", \
        seconds(["/usr/bin/python3", "-c", PYTHON], "75025") * 1000
    if shutil.which("guile"):
        yield "(fib 25), start included", ours * 1000, "ms", "guile (compiles first)", \
            seconds(["guile", "--no-auto-compile", "-c", GUILE], "75025") * 1000
