"""MCP: tool calls a second and memory, beside the TypeScript SDK's server with the least possible tool.
Ours goes all the way to the session and back; the peer answers by itself."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from socket_rows import load_binary, start_session

ROOT = Path(__file__).parents[2]
HELLO = ('{"jsonrpc":"2.0","id":@,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
         '"capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}')
OURS = ('{"jsonrpc":"2.0","id":@,"method":"tools/call","params":'
        '{"name":"repl_get_active_session","arguments":{}}}')
PEER = '{"jsonrpc":"2.0","id":@,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}'


def measure(load, count, flight, request, command, **options):
    out = subprocess.run([load, "pipe", str(count), str(flight), request, HELLO, *command], check=True,
                         capture_output=True, text=True, **options).stdout
    return json.loads(out.splitlines()[-1])


def rows(binary, home):
    load = load_binary(binary)
    session = start_session(binary, home)
    env = dict(os.environ, FERMATA_HOME=home)
    modules = ROOT / "build" / "node"
    node = shutil.which("node") if (modules / "node_modules").is_dir() else None
    try:
        for flight, count in ((1, 10_000), (16, 50_000)):
            ours = measure(load, count, flight, OURS, [binary, "mcp"], env=env)
            peer = measure(load, count, flight, PEER, ["node", str(ROOT / "tests/mcp/echo_server.mjs")],
                           cwd=modules) if node else None
            name = "TypeScript SDK echo" if peer else None
            yield f"tool calls, {flight} in flight", ours["calls_per_second"], "per s", name, \
                peer and peer["calls_per_second"]
            yield f"CPU of the server a call, {flight} in flight", ours["child_cpu_us"], "us", name, \
                peer and peer["child_cpu_us"]
        yield "resident memory", ours["child_mib"], "MiB", name, peer and peer["child_mib"]
    finally:
        session.stdin.close()
        session.wait(30)
