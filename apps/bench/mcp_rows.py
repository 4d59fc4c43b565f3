"""MCP: tool calls a second and memory, beside the TypeScript SDK's own example server, a tool with an
output schema. Ours goes all the way to the session and back; the peer answers by itself."""

import json
import os
import shutil
import statistics
import subprocess
import time
from pathlib import Path

from socket_rows import load_binary, start_session

ROOT = Path(__file__).parents[2]
HELLO = ('{"jsonrpc":"2.0","id":@,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
         '"capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}')
OURS = ('{"jsonrpc":"2.0","id":@,"method":"tools/call","params":'
        '{"name":"repl_get_active_session","arguments":{}}}')
PEER = ('{"jsonrpc":"2.0","id":@,"method":"tools/call","params":'
        '{"name":"get_weather","arguments":{"city":"Graz","country":"AT"}}}')
EXAMPLE = "node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server/mcpServerOutputSchema.js"


def measure(load, count, flight, request, command, **options):
    out = subprocess.run([load, "pipe", str(count), str(flight), request, HELLO, *command], check=True,
                         capture_output=True, text=True, **options).stdout
    return json.loads(out.splitlines()[-1])


def first_answer(command, **options):
    """Milliseconds, the median of nine, from starting the server to its answer to initialize."""
    samples = []
    for _ in range(9):
        began = time.perf_counter()
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options) as server:
            server.stdin.write(HELLO.replace("@", "1").encode() + b"\n")
            server.stdin.flush()
            server.stdout.readline()
            samples.append((time.perf_counter() - began) * 1000)
            server.stdin.close()
            server.wait(30)
    return statistics.median(samples)


def rows(binary, home):
    load = load_binary(binary)
    session = start_session(binary, home)
    env = dict(os.environ, FERMATA_HOME=home)
    modules = ROOT / "build" / "node"
    node = shutil.which("node") if (modules / "node_modules").is_dir() else None
    try:
        for flight, count in ((1, 10_000), (16, 50_000)):
            ours = measure(load, count, flight, OURS, [binary, "mcp"], env=env)
            peer = measure(load, count, flight, PEER, ["node", EXAMPLE],
                           cwd=modules) if node else None
            name = "TypeScript SDK example" if peer else None
            yield f"tool calls, {flight} in flight", ours["calls_per_second"], "per s", name, \
                peer and peer["calls_per_second"], (">=", 20)
            for quantile, label in (("p50_us", "median"), ("p99_us", "99th percentile")):
                yield f"latency, {label}, {flight} in flight", ours[quantile], "us", name, \
                    peer and peer[quantile]
            yield f"CPU of the server a call, {flight} in flight", ours["child_cpu_us"], "us", name, \
                peer and peer["child_cpu_us"]
        yield "resident memory", ours["child_mib"], "MiB", name, peer and peer["child_mib"], ("<=", 0.05)
        yield "exec to the first answer", first_answer([binary, "mcp"], env=env), "ms", name, \
            node and first_answer(["node", EXAMPLE], cwd=modules, stderr=subprocess.DEVNULL)
    finally:
        session.stdin.close()
        session.wait(30)
