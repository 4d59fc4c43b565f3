"""The prompt while clients write as fast as they are answered, and what all that leaves in memory."""

import json
import socket
import subprocess
import time
from pathlib import Path

from prompt_rows import PROMPT, start
from session_rows import resident_mib
from socket_rows import load_binary, start_session, wait_for

CLIENTS = 4
LINES = 200
GOAL_MS = 50
WRITE = '{"jsonrpc":"2.0","id":@,"method":"eval","params":{"text":"(+ 1 2)"}}'
WRITE_NOTE = '{"jsonrpc":"2.0","id":@,"method":"eval","params":{"text":"(note c4 :q)"}}'
MORE_THAN_ENOUGH = "1000000"  # the load generator keeps the time of each request


def typed(child, count):
    """Milliseconds from Enter to the next prompt, sorted."""
    took = []
    for i in range(count):
        begin = time.perf_counter()
        child.send(f"(+ {1000 + i} 0)\r")
        child.expect(f"\\]: {1000 + i}\r")
        child.expect(PROMPT)
        took.append((time.perf_counter() - begin) * 1000)
        time.sleep(0.02)  # somebody who types
    return sorted(took)


def p99(samples):
    return samples[min(len(samples) - 1, len(samples) * 99 // 100)]


def under_load(binary, home):
    child = start(binary, str(home))
    child.expect(PROMPT)
    child.send(":ai allow\r")
    child.expect(PROMPT)
    path = str(home / "repl.sock")
    wait_for(Path(path))
    alone = typed(child, LINES)
    load = load_binary(binary)
    clients = [subprocess.Popen([load, "socket", path, MORE_THAN_ENOUGH, "16", WRITE_NOTE], stdout=subprocess.DEVNULL)
               for _ in range(CLIENTS)]
    try:
        before = entries(path)
        begin = time.perf_counter()
        loaded = typed(child, LINES)
        rate = (entries(path) - before - LINES) / (time.perf_counter() - begin)
        if any(c.poll() is not None for c in clients):
            raise RuntimeError("a client ended before the measurement")
    finally:
        for c in clients:
            c.terminate()
            c.wait(30)
    child.sendeof()
    child.close()
    return alone, loaded, rate


def entries(path):
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(path)
        f = s.makefile("rwb")
        f.write(b'{"id":1,"method":"get_session"}\n')
        f.flush()
        return json.loads(f.readline())["result"]["entries"]


def rows(binary, home):
    folder = Path(home) / "prompt"
    folder.mkdir()
    alone, loaded, rate = under_load(binary, folder)
    yield f"writes of {CLIENTS} clients meanwhile", rate, "per s", None, None
    yield "typed line under that, median", loaded[len(loaded) // 2], "ms", "nobody writes", alone[len(alone) // 2]
    yield "typed line under that, 99th percentile", p99(loaded), "ms", "the goal", GOAL_MS, ("<=", 1)

    folder = Path(home) / "memory"
    folder.mkdir()
    session = start_session(binary, str(folder))
    session.stdin.write(b":ai allow\n")
    session.stdin.flush()
    load, path = load_binary(binary), str(folder / "repl.sock")

    def write(count):
        subprocess.run([load, "socket", path, str(count), "16", WRITE], check=True, stdout=subprocess.DEVNULL)
        return resident_mib(session.pid)

    first = write(30_000)  # more than stay in memory
    yield "memory per further 100,000 entries", write(100_000) - first, "MiB", None, None
    session.stdin.close()
    session.wait(60)
