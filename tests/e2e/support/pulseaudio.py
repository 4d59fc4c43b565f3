"""A PulseAudio server without hardware, and a recording of what its speakers play.

    with PulseAudio() as server, Listener(server) as ears:
        ... start Fermata with server.env in its environment ...
        ears.wait_for_key(69)

The speakers are a null sink: it takes sound as fast as a sound card does, and its monitor gives it to `parec`.
"""

import array
import functools
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from support.program import PATIENCE

RATE = 12_000  # of recordings: enough for the keys that are played, and little to compute
QUIET = 50  # of 32,768: what is softer counts as silence

# The other outputs of the synthesizer. On a developer's machine they would answer, and play aloud.
NO_OTHER_OUTPUT = {"JACK_DEFAULT_SERVER": "fermata-none", "JACK_NO_START_SERVER": "1",
                   "ALSA_CONFIG_PATH": "/dev/null"}


@functools.cache
def is_available():
    """For `pytest.mark.skipif`: whether PulseAudio starts here."""
    if not all(shutil.which(name) for name in ("pulseaudio", "pactl", "parec")):
        return False
    try:
        with PulseAudio():
            return True
    except RuntimeError:
        return False


class PulseAudio:
    """A private PulseAudio. `env`: what programs need in their environment to play on it and on nothing else.

    They find it as on a desktop, by XDG_RUNTIME_DIR."""

    # Without rewinds, sound is taken in blocks of 50 ms, as a sound card does it, instead of two seconds.
    _MODULES = ("module-null-sink sink_name=speakers rate=48000 channels=2 norewinds=1",
                "module-native-protocol-unix auth-anonymous=1")

    def __enter__(self):
        # In /tmp: the path of a Unix socket has at most 107 bytes.
        self._folder = tempfile.TemporaryDirectory(prefix="ferm-pa-", dir="/tmp")
        self.env = {**NO_OTHER_OUTPUT, "XDG_RUNTIME_DIR": self._folder.name}
        self._process = None
        try:
            self.start()
        except RuntimeError:
            self._folder.cleanup()
            raise
        return self

    def __exit__(self, *_):
        self.stop()
        self._folder.cleanup()

    def _environment(self):
        """Of the server and its tools. D-Bus would start a bus or ask RealtimeKit; with PULSE_SERVER, tools do
        not start a server of their own."""
        no_bus = "unix:path=/nonexistent"
        return {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": self._folder.name, **self.env,
                "DBUS_SESSION_BUS_ADDRESS": no_bus, "DBUS_SYSTEM_BUS_ADDRESS": no_bus}

    def _tool_environment(self):
        return {**self._environment(), "PULSE_SERVER": f"unix:{self._folder.name}/pulse/native"}

    def start(self):
        """Also after `stop` or `kill`: programs find it at the same place."""
        with tempfile.TemporaryFile() as log:
            self._process = subprocess.Popen(
                ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1",
                 "--log-target=stderr", *(f"--load={module}" for module in self._MODULES)],
                env=self._environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            end = time.monotonic() + PATIENCE
            while self._process.poll() is None and time.monotonic() < end:
                if self._answers():
                    return
                time.sleep(0.05)
            self.kill()
            log.seek(0)
            raise RuntimeError(f"PulseAudio does not start:\n{log.read().decode(errors='replace')}")

    def _answers(self):
        try:
            done = subprocess.run(["pactl", "info"], env=self._tool_environment(), capture_output=True, check=False,
                                  timeout=20)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0 and b"Default Sink: speakers" in done.stdout

    def stop(self):
        self._end(signal.SIGTERM)

    def kill(self):
        """Without a chance to tell its clients."""
        self._end(signal.SIGKILL)

    def _end(self, number):
        if self._process.poll() is None:
            self._process.send_signal(number)
            self.go_on()  # a suspended server would only receive SIGKILL
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def suspend(self):
        """It does not answer any more, but its connections stay open."""
        self._process.send_signal(signal.SIGSTOP)
        # A signal takes effect some time after it was sent.
        end = time.monotonic() + PATIENCE
        while _state(self._process.pid) != "T":
            assert time.monotonic() < end, "PulseAudio is not suspended"
            time.sleep(0.01)

    def go_on(self):
        """After `suspend`."""
        self._process.send_signal(signal.SIGCONT)

    def run(self, *command):
        """A tool of PulseAudio: what it writes to standard output."""
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE,
                              env=self._tool_environment()).stdout

    def players(self):
        """Names of the programs that play."""
        streams = json.loads(self.run("pactl", "--format=json", "list", "sink-inputs"))
        return [stream["properties"]["application.name"] for stream in streams]

    def open_recording(self):
        """A process that writes what the speakers play, in mono, as 16-bit numbers."""
        return subprocess.Popen(
            ["parec", "--raw", "--device=speakers.monitor", "--format=s16le", "--channels=1", f"--rate={RATE}",
             "--latency-msec=20"],
            env=self._tool_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)


def _state(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as f:
        return f.read().rsplit(")", 1)[1].split()[0]


class Listener:
    """Records what the speakers of a server play, from `__enter__` on. Positions are frames from its beginning.

    When the server is killed, the recording ends, and what was heard is kept."""

    WINDOW = RATE * 2 // 5  # a longer one would be too strict with the tuning of the soundfont

    def __init__(self, server):
        self.server = server
        self._bytes = bytearray()
        self._has_ended = False
        self._changed = threading.Condition()

    def __enter__(self):
        self._process = self.server.open_recording()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            self._wait_for(1)  # so that nothing is played before it records
        except AssertionError:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        self._reader.join()
        self._process.stdout.close()

    def _read(self):
        while data := os.read(self._process.stdout.fileno(), 1 << 16):
            with self._changed:
                self._bytes += data
                self._changed.notify_all()
        with self._changed:
            self._has_ended = True
            self._changed.notify_all()

    @property
    def now(self):
        """The position that the recording has reached."""
        with self._changed:
            return len(self._bytes) // 2

    def heard(self, begin, end):
        """The frames between two positions, waiting for those that are not there yet."""
        self._wait_for(end)
        with self._changed:
            frames = array.array("h", bytes(self._bytes[2 * begin:2 * end]))
        if sys.byteorder == "big":
            frames.byteswap()
        return frames

    def _wait_for(self, end):
        with self._changed:
            self._changed.wait_for(lambda: len(self._bytes) >= 2 * end or self._has_ended, PATIENCE)
            assert len(self._bytes) >= 2 * end, \
                f"the recording {'has ended' if self._has_ended else 'does not go on'}"

    def windows(self, begin, end=None):
        """The frames from one position to another in windows, an incomplete one left out. Without an end:
        as they come, until patience ends."""
        last = time.monotonic() + PATIENCE
        while end is None or begin + self.WINDOW <= end:
            if end is None and time.monotonic() > last:
                return
            yield self.heard(begin, begin + self.WINDOW)
            begin += self.WINDOW

    def wait_for_key(self, key):
        """Until this key, and no other near it, is heard in what the speakers play from now on."""
        others = []
        for window in self.windows(self.now):
            if keys_in(window) == [key]:
                return
            others.append(keys_in(window))
        raise AssertionError(f"waited in vain until key {key} is heard; heard were {others}")

    def wait_for_silence(self):
        """Until the speakers have been silent for more than a second, from now on: longer than between notes."""
        silent = 0
        for window in self.windows(self.now):
            silent = silent + 1 if peak(window) < QUIET else 0
            if silent == 3:
                return
        raise AssertionError("waited in vain for silence")


def peak(frames):
    return max(map(abs, frames), default=0)


def power(frames, frequency):
    """At one frequency, in decibels (Goertzel 1958)."""
    factor = 2 * math.cos(2 * math.pi * frequency / RATE)
    before = now = 0.0
    for x in frames:
        before, now = now, x + factor * now - before
    return 10 * math.log10(now * now + before * before - factor * now * before + 1e-9)


def keys_in(frames):
    """The MIDI keys from C4 to B5 that sound. A key that sounds is 15 decibels louder than the keys next to it,
    and than the octave below it, whose second harmonic it might be."""
    if peak(frames) < QUIET:
        return []
    at = {key: power(frames, 440 * 2 ** ((key - 69) / 12)) for key in range(48, 85)}
    return [key for key in range(60, 84) if at[key] > max(at[key - 1], at[key + 1], at[key - 12]) + 15]
