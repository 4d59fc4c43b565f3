"""Sessions: starting with a long past, looking back in it, saving, and many sessions at once."""

import json
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

from prompt_rows import once_to_prompt
from socket_rows import load_binary, measure, start_session

LONG = 1_000_000


def write_journal(folder, entries):
    """A journal as the program writes it: half of it evaluations, the rest words of both sides."""
    folder.mkdir(parents=True)
    with (folder / "history.jsonl").open("w") as f:
        f.write('{"format":"fermata-history","version":1,"session":"long","name":"long",'
                '"created":"2026-02-01T00:00:00.000Z"}\n')
        for i in range(1, entries + 1):
            time_text = f"2026-02-{1 + i // 100_000:02}T{i // 3600 % 24:02}:{i // 60 % 60:02}:{i % 60:02}.000Z"
            if i % 2:
                f.write(f'{{"index":{i},"time":"{time_text}","kind":"eval","author":"user",'
                        f'"door":"terminal","text":"(+ {i} 0)","output":"{i}","revision_before":0,'
                        f'"revision":0,"ok":true,"value":{i}}}\n')
            else:
                kind, author = ("user", "user") if i % 4 else ("ai", "claude")
                f.write(f'{{"index":{i},"time":"{time_text}","kind":"{kind}","author":"{author}",'
                        f'"door":"terminal","content":"words about measure {i}"}}\n')


def home_with(home, binary, entries):
    """A home whose session has been opened and closed once, so that it has its checkpoint."""
    folder = Path(home) / f"home-{entries}"
    if entries:
        write_journal(folder / "sessions" / "long", entries)
    folder.mkdir(exist_ok=True)
    script(binary, folder, ":session save\n")
    return folder


def script(binary, home, text):
    env = dict(os.environ, FERMATA_HOME=str(home))
    begin = time.perf_counter()
    done = subprocess.run([binary, "--session", "long"], input=(text or "; opened\n").encode(), env=env,
                          check=False, capture_output=True)
    if done.returncode:
        raise SystemExit(f"bench: {done.stderr.decode()[-300:]}")
    return (time.perf_counter() - begin) * 1000


def resident_mib(pid):
    line = next(l for l in open(f"/proc/{pid}/status") if l.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def rows(binary, home):
    begin = time.perf_counter()
    homes = {n: home_with(home, binary, n) for n in (0, 10_000, LONG)}
    yield f"first opening of {LONG:,} entries (replay)", time.perf_counter() - begin, "s", None, None
    empty = None
    for n, folder in homes.items():
        ms = once_to_prompt(binary, str(folder), times=5)
        empty = empty or ms
        yield f"start to prompt, {n:,} entries", ms, "ms", "an empty session", empty

    path = Path(homes[LONG])
    size = (path / "sessions" / "long" / "history.jsonl").stat().st_size
    begin = time.perf_counter()
    subprocess.run(["grep", "-c", "no such words", path / "sessions" / "long" / "history.jsonl"],
                   stdout=subprocess.DEVNULL, check=False)
    grep_ms = (time.perf_counter() - begin) * 1000
    nothing = script(binary, path, "")
    for what, line in (("rare words", ":history --grep \"measure 777776\"\n"),
                       ("the last 20", ":history\n"),
                       ("one hour", ":history --since 2026-02-05T03:00 --until 2026-02-05T04:00 --limit 50\n")):
        yield f"query over {LONG:,}: {what}", script(binary, path, line) - nothing, "ms", \
            f"grep -c over {size // 1_000_000} MB", grep_ms

    session = start_session(binary, str(path))
    yield f"memory with {LONG:,} entries", resident_mib(session.pid), "MiB", None, None
    session.stdin.close()
    session.wait(60)

    # What a line costs when it is written: two thousand of them, beside as many empty scripts.
    lines = 2_000
    folder = Path(home) / "saving"
    folder.mkdir()
    script(binary, folder, "")
    alone = script(binary, folder, "")
    words = script(binary, folder, "// words\n" * lines)
    yield "save cost per entry", (words - alone) * 1000 / lines, "us", None, None
    shutil.rmtree(folder)

    folder = Path(home) / "many"
    folder.mkdir()
    session = start_session(binary, str(folder))
    before = resident_mib(session.pid)
    load = load_binary(binary)
    count = 1_000
    made = make_sessions(session, folder / "repl.sock", count)
    yield f"memory per idle session, {made:,} sessions", (resident_mib(session.pid) - before) * 1024 / made, \
        "KiB", None, None
    ours = measure(load, str(folder / "repl.sock"), 1_000, 1,
                   '{"jsonrpc":"2.0","id":@,"method":"list_sessions"}')
    yield f"list_sessions with {made:,}, median", ours["p50_us"], "us", None, None
    session.stdin.close()
    session.wait(120)


def make_sessions(session, path, count):
    """At the prompt: clients make a few at a time only."""
    session.stdin.write("".join(f":session new sketch {i}\n" for i in range(count)).encode())
    session.stdin.flush()
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(str(path))
        f = s.makefile("rwb")
        while True:
            f.write(b'{"id":1,"method":"list_sessions"}\n')
            f.flush()
            made = json.loads(f.readline())["result"]["total"] - 1
            if made >= count:
                return made
            time.sleep(0.1)
