"""PipeWire in the place of a JACK server, without hardware and without a session manager.

    with PipeWire() as server, Receiver(server) as probe:
        ... as with support.jack.JackServer ...
"""

import functools
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

# The libjack of PipeWire, as `pw-jack` finds it.
LIBRARIES = next(iter(pathlib.Path("/usr/lib").glob("*/pipewire-0.3/jack")), None)


@functools.cache
def is_available():
    """For `pytest.mark.skipif`: whether PipeWire starts here."""
    if not LIBRARIES or not shutil.which("pipewire") or not shutil.which("pw-cli"):
        return False
    try:
        with PipeWire():
            return True
    except RuntimeError:
        return False


class PipeWire:
    """A private PipeWire. `env`: what its clients need in their environment."""

    name = "default"

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="ferm-pw-")
        runtime = {"XDG_RUNTIME_DIR": self._folder.name, "PIPEWIRE_RUNTIME_DIR": self._folder.name}
        self.env = {**runtime, "LD_LIBRARY_PATH": str(LIBRARIES), "PULSE_SERVER": "unix:/nonexistent"}
        self._runtime = runtime
        try:
            self.start()
        except RuntimeError:
            self._folder.cleanup()
            raise
        return self

    def __exit__(self, *_):
        self.kill()
        self._folder.cleanup()

    def start(self):
        """Also after `kill`: its clients find it at the same place."""
        self._process = subprocess.Popen(["pipewire"], env={**os.environ, **self._runtime}, stdin=subprocess.DEVNULL,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(100):
            if self._process.poll() is not None:
                break
            if self._answers():
                return
            time.sleep(0.1)
        self.kill()
        raise RuntimeError("PipeWire does not start")

    def kill(self):
        """Without a chance to tell its clients."""
        self._process.kill()
        self._process.wait()

    def _answers(self):
        done = subprocess.run(["pw-cli", "info", "0"], env={**os.environ, **self.env}, capture_output=True,
                              check=False, timeout=20)
        return done.returncode == 0 and b"PipeWire:Interface:Core" in done.stdout
