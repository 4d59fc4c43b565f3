"""Memory of evaluations: what the largest one takes at most, what is given back afterwards, and how soon
Ctrl-C answers while millions of notes are made."""

import re
import statistics
import threading
import time
from pathlib import Path

import pexpect

from prompt_rows import PROMPT, start

LIMIT = 256  # MiB
TOO_MUCH = "(apply seq (repeat-times 9000000 (note c4 :64)))"
LONG = "(count (apply seq (map (fn [i] (note c4 :64)) (range 0 2000000))))"


def resident(pid):
    """MiB that the process holds."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s*(\d+)", text)[1]) / 1024


class Watch(threading.Thread):
    """The most that a process has held while this ran."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.most, self.ended = pid, 0.0, threading.Event()

    def run(self):
        while not self.ended.wait(0.005):
            self.most = max(self.most, resident(self.pid))

    def __exit__(self, *_):
        self.ended.set()
        self.join()

    def __enter__(self):
        self.start()
        return self


def settled(pid, goal):
    """What is held once it is no more than `goal`, or after a second."""
    end = time.monotonic() + 1
    while resident(pid) > goal and time.monotonic() < end:
        time.sleep(0.01)
    return resident(pid)


def rows(binary, home):
    Path(home, "config.toml").write_text(f"evaluation-memory = {LIMIT}\n", encoding="utf-8")
    child = start(binary, home)
    child.expect(PROMPT)
    child.setecho(False)
    before = resident(child.pid)
    with Watch(child.pid) as watch:
        child.send(TOO_MUCH + "\r")
        child.expect("memory limit")
        child.expect(PROMPT)
    yield "peak memory of 9,000,000 notes", watch.most - before, "MiB", "evaluation-memory", LIMIT, \
        ("<=", 1.1)
    yield "still held after the error", settled(child.pid, before + 8) - before, "MiB", "goal", 32, \
        ("<=", 1)
    child.close(force=True)

    Path(home, "config.toml").write_text("evaluation-memory = 1024\n", encoding="utf-8")
    child = start(binary, home)
    child.expect(PROMPT)
    child.setecho(False)
    samples = []
    for i in range(8):
        child.send(LONG + "\r")
        time.sleep(0.2 * (i + 1))
        begin = time.perf_counter()
        child.sendintr()
        child.expect("interrupted")
        samples.append((time.perf_counter() - begin) * 1000)
        child.expect(PROMPT)
    yield "Ctrl-C while notes are made, median", statistics.median(samples), "ms", "goal", 100, \
        ("<=", 1)
    yield "Ctrl-C while notes are made, worst of 8", max(samples), "ms", "goal", 100, ("<=", 1)
    child.close(force=True)
