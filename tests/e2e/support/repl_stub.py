"""A socket that answers like a running Fermata, so that tests of the MCP side can make it slow, make
it die at the worst moment, and start several. Its replies have the form described in docs/ipc.md."""

import json
import os
import pathlib
import socket
import threading
import time


class ReplStub:
    """Answers every request by its method name; `answers` overrides the replies, and a callable may block."""

    def __init__(self, home, pid=None, cwd="/", name="repl.sock", instance="stub"):
        self.home = pathlib.Path(home)
        (self.home / "run").mkdir(parents=True, exist_ok=True, mode=0o700)
        self.path = self.home / name
        self.pid = pid or os.getpid()
        self.instance = instance
        self.cwd = cwd
        self.answers = {}
        self.asked = []
        self.answered = 0
        self.connections = []
        self.lock = threading.Lock()
        self.listening = socket.socket(socket.AF_UNIX)
        if self.path.exists():
            self.path.unlink()
        self.listening.bind(str(self.path))
        self.listening.listen()
        self.record = self.home / "run" / f"{self.pid}.json"
        draft = self.home / "run" / f".{self.pid}"
        draft.write_text(json.dumps({
            "id": instance, "pid": self.pid, "started": "2026-01-01T00:00:00.000Z",
            "socket": str(self.path), "cwd": cwd, "version": "0", "protocol_version": "1.0.0"}))
        draft.rename(self.record)
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                conn, _ = self.listening.accept()
            except OSError:
                return
            self.connections.append(conn)
            threading.Thread(target=self._serve, args=(conn,), daemon=True).start()

    def _serve(self, conn):
        with conn.makefile("rb") as lines:
            for line in lines:
                request = json.loads(line)
                with self.lock:
                    self.asked.append(request)
                threading.Thread(target=self._answer, args=(conn, request), daemon=True).start()

    def _answer(self, conn, request):
        method = request["method"]
        if "id" not in request:  # a notification
            return
        answer = self.answers.get(method)
        if callable(answer):
            answer = answer(request)
        if answer is None and method == "system.hello":
            answer = {"server": "fermata", "version": "0", "protocol_version": "1.0.0",
                      "instance": self.instance, "pid": self.pid, "cwd": self.cwd,
                      "capabilities": {}}
        if answer is None:
            answer = {"session": "main", "revision": 0, "of": self.instance}
        self.send(conn, {"jsonrpc": "2.0", "id": request["id"], "result": answer})

    def send(self, conn, message):
        try:
            with self.lock:
                conn.sendall((json.dumps(message, separators=(",", ":")) + "\n").encode())
                self.answered += 1
        except OSError:
            pass

    def wait_for(self, method, count=1, seconds=10):
        """Waits until the method was called that often; returns the requests."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with self.lock:
                found = [r for r in self.asked if r["method"] == method]
            if len(found) >= count:
                return found
            time.sleep(0.002)
        raise AssertionError(f"{method} was not asked {count} times in {seconds} s")

    def wait_until(self, holds, seconds=10):
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end, f"not in {seconds} s"
            time.sleep(0.002)

    def die(self, leave_files=False):
        """Ends as in a crash: connections are cut; files stay or are removed."""
        # The files first: a client that sees the connection end and looks again must find nothing.
        if not leave_files:
            self.record.unlink(missing_ok=True)
            self.path.unlink(missing_ok=True)
        # Only closing it would leave it open for the thread that waits in accept.
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()
        for conn in self.connections:
            try:
                conn.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            conn.close()
