"""A client of the socket: one JSON object per line, short envelopes."""

import itertools
import json
import socket
import time

from support.program import PATIENCE


class Client:
    def __init__(self, home, name=None):
        path = home.folder / "repl.sock"
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while True:  # the prompt may be up before its socket
            try:
                self.socket.connect(str(path))
                break
            except (FileNotFoundError, ConnectionRefusedError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
        self.file = self.socket.makefile("rwb")
        self.ids = itertools.count(1)
        if name:
            self.call("system.hello", client=name, version="1")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        self.socket.close()

    def call(self, method, **params):
        """The result; raises on an error."""
        number = next(self.ids)
        self.file.write(json.dumps({"id": number, "method": method, "params": params}).encode() + b"\n")
        self.file.flush()
        while True:
            line = self.file.readline()
            assert line, "the connection was closed"
            answer = json.loads(line)
            if answer.get("id") == number:
                break
        assert "error" not in answer, answer
        return answer["result"]
