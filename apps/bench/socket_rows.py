"""The socket: a ping beside a bare epoll server that echoes the same line, and a query of the session."""

import json
import os
import subprocess
import time
from pathlib import Path

PING = '{"jsonrpc":"2.0","id":@,"method":"system.ping"}'
QUERY = '{"jsonrpc":"2.0","id":@,"method":"get_session"}'


def load_binary(binary):
    """The load generator is built on demand, beside the program."""
    built = Path(binary).parent / "fermata_load"
    subprocess.run(["cmake", "--build", str(Path(binary).parents[1]), "--target", "fermata_load"],
                   check=True, stdout=subprocess.DEVNULL)
    return str(built)


def start_session(binary, home):
    env = dict(os.environ, FERMATA_HOME=home)
    # A pipe opens its session, and with it the socket, at its first line.
    child = subprocess.Popen([binary, "--session", "long"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, env=env)
    child.stdin.write(b"; opened\n")
    child.stdin.flush()
    wait_for(Path(home) / "repl.sock")
    return child


def wait_for(path):
    end = time.monotonic() + 30
    while not path.exists():
        if time.monotonic() > end:
            raise SystemExit(f"bench: {path} did not appear")
        time.sleep(0.01)
    time.sleep(0.2)


def measure(load, path, count, flight, request):
    # The first run warms both sides up.
    for n in (max(200, count // 20), count):
        out = subprocess.run([load, "socket", path, str(n), str(flight), request], check=True,
                             capture_output=True, text=True).stdout
    return json.loads(out)


def rows(binary, home):
    load = load_binary(binary)
    session = start_session(binary, home)
    echo_path = str(Path(home) / "echo.sock")
    echo = subprocess.Popen([load, "echo", echo_path])
    wait_for(Path(echo_path))
    path = str(Path(home) / "repl.sock")
    try:
        for flight in (1, 16):
            ours, floor = (measure(load, p, 20_000 * (1 if flight == 1 else 5), flight, PING)
                           for p in (path, echo_path))
            # The goal is for the round trip; with more in flight the echo returns whole portions
            # unread, which nobody who answers lines can do.
            goal = [("<=", 2)] if flight == 1 else []
            yield f"ping, median, {flight} in flight", ours["p50_us"], "us", "epoll echo", \
                floor["p50_us"], *goal
            yield f"pings, {flight} in flight", ours["calls_per_second"], "per s", "epoll echo", \
                floor["calls_per_second"]
        ours = measure(load, path, 5_000, 1, QUERY)
        yield "get_session, median", ours["p50_us"], "us", None, None
        yield "get_session, 99th percentile", ours["p99_us"], "us", None, None
    finally:
        echo.terminate()
        session.stdin.close()
        session.wait(30)
