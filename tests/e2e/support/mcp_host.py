"""A minimal host of MCP servers: it starts one, writes and reads lines, and requires that every line
is one JSON object."""

import json
import os
import select
import subprocess
import time

from support.program import BINARY, PATIENCE

MODERN = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {}}


class Host:
    def __init__(self, home, args=(), cwd=None, env=None):
        # The environment that the official clients pass on, and nothing else.
        environment = {"HOME": str(home), "PATH": os.environ["PATH"], "FERMATA_HOME": str(home)}
        for name, value in os.environ.items():
            if name.endswith("SAN_OPTIONS"):
                environment[name] = value
        environment.update(env or {})
        self.process = subprocess.Popen([BINARY, "mcp", *args], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=environment, cwd=cwd)
        self.buffer = b""
        self.next_id = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()

    def write(self, text):
        self.process.stdin.write(text if isinstance(text, bytes) else text.encode())
        self.process.stdin.flush()

    def send(self, message):
        self.write(json.dumps(message) + "\n")

    def read(self, seconds=PATIENCE):
        """The next message. None: the server closed its output."""
        end = time.monotonic() + seconds
        while b"\n" not in self.buffer:
            left = end - time.monotonic()
            assert left > 0, f"nothing came in {seconds} s; so far {self.buffer!r}"
            if select.select([self.process.stdout], [], [], left)[0]:
                chunk = os.read(self.process.stdout.fileno(), 65536)
                if not chunk:
                    assert not self.buffer, f"the output ended inside a line: {self.buffer!r}"
                    return None
                self.buffer += chunk
        line, self.buffer = self.buffer.split(b"\n", 1)
        message = json.loads(line)
        assert isinstance(message, dict), message
        return message

    def is_silent(self, seconds=0.2):
        return b"\n" not in self.buffer and not select.select([self.process.stdout], [], [], seconds)[0]

    def request(self, method, params=None, modern=False):
        """Sends a request and returns its id."""
        self.next_id += 1
        params = dict(params or {})
        if modern:
            params["_meta"] = {**params.get("_meta", {}), **MODERN}
        self.send({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params})
        return self.next_id

    def ask(self, method, params=None, modern=False):
        """The reply to a request; anything that arrives before it is dropped."""
        wanted = self.request(method, params, modern)
        while True:
            message = self.read()
            assert message is not None, "the server ended"
            if message.get("id") == wanted:
                return message

    def tool(self, name, arguments=None, **more):
        return self.ask("tools/call", {"name": name, "arguments": arguments or {}, **more})["result"]

    def initialize(self, version="2025-11-25", name="host", capabilities=None):
        reply = self.ask("initialize", {"protocolVersion": version, "capabilities": capabilities or {},
                                        "clientInfo": {"name": name, "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return reply["result"]

    def wait_for_end(self):
        self.process.wait(PATIENCE)
