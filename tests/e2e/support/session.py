"""A session that reads its lines from a pipe, and clients that may send it anything."""

import json
import socket
import subprocess

from support.program import BINARY, PATIENCE


class Session:
    """Fermata without a terminal, reading lines as the test sends them."""

    ARGUMENTS = ()

    def __init__(self, home):
        self.home = home
        self.process = subprocess.Popen([BINARY, "--session", "session-1", *self.ARGUMENTS], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, env=home.environment())
        # The first answer shows that everything is running, including the socket.
        self.line('"ready"')
        self.until('"ready"')
        self.socket = self.find_socket()

    def find_socket(self):
        record = self.home.folder / "run" / f"{self.process.pid}.json"
        return json.loads(record.read_text())["socket"]

    def line(self, text):
        self.process.stdin.write((text + "\n").encode())
        self.process.stdin.flush()

    def until(self, text):
        """The output up to a line that contains the text."""
        out = []
        for line in self.process.stdout:
            out.append(line.decode())
            if text in out[-1]:
                return out
        raise AssertionError(f"no {text!r} in {out}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self.process.stdout.close()


class Client:
    """A client of that session's socket. It sends any bytes, and its results can be errors."""

    def __init__(self, session):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(session.socket)
        self.lines = self.socket.makefile("rb")
        self.next_id = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.lines.close()
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data if isinstance(data, bytes) else data.encode())

    def read(self):
        line = self.lines.readline()
        return json.loads(line) if line else None

    def ask(self, method, **params):
        self.next_id += 1
        self.send(json.dumps({"id": self.next_id, "method": method, "params": params}) + "\n")
        reply = self.read()
        assert reply["id"] == self.next_id
        return reply.get("result", reply.get("error"))
