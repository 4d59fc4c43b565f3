"""Runs the program for a few milliseconds: it reads a script from a pipe until it is killed."""

import os
import select
import signal
import subprocess
import threading
import time

from support.program import BINARY, PATIENCE


class ShortLife:
    """One process. `shown` is what it has written to standard output so far."""

    def __init__(self, home, *args):
        self.shown = b""
        self.problems = home.path / "stderr"
        with self.problems.open("wb") as errors:
            self.process = subprocess.Popen([BINARY, *args], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=errors,
                                            env=home.environment())

    def feed(self, script, close=False):
        """Writes the script as fast as it is read, without waiting."""
        def write():
            try:
                self.process.stdin.write(script.encode())
                self.process.stdin.flush()
                if close:
                    self.process.stdin.close()
            except (BrokenPipeError, ValueError):
                pass  # killed before it had read everything

        threading.Thread(target=write, daemon=True).start()

    def read_until(self, holds):
        """Reads until a condition holds; False if the output ends before."""
        end = time.monotonic() + PATIENCE
        while not holds():
            left = end - time.monotonic()
            assert left > 0, f"nothing more after {self.shown[-500:]!r}; {self.complaints()}"
            if select.select([self.process.stdout], [], [], left)[0]:
                piece = os.read(self.process.stdout.fileno(), 1 << 16)
                if not piece:
                    return False
                self.shown += piece
        return True

    def end(self):
        """Reads the rest; returns the exit status."""
        self.read_until(lambda: False)
        return self.leave()

    def kill(self):
        """kill -9 now. What is still in the pipe counts as shown. The process must still be
        alive: one that ends by itself, by a crash or normally, is not the subject of these tests."""
        self.process.kill()
        status = self.end()
        assert status == -signal.SIGKILL, \
            f"it ended by itself with {status} after {self.shown[-500:]!r}; {self.complaints()}"

    def leave(self):
        self.process.wait()
        self.process.stdout.close()
        try:
            self.process.stdin.close()
        except (BrokenPipeError, ValueError):
            pass
        return self.process.returncode

    def refused(self):
        """The errors that it has shown: all of standard error."""
        return self.problems.read_text(errors="replace")

    def complaints(self):
        return self.refused()[-2000:]
