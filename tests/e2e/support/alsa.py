"""The ALSA sequencer: `aseqdump` as the program that receives, and a keyboard with a name of its own.

    with Receiver() as probe:
        ... start Fermata with the device "alsa:aseqdump:aseqdump" ...
        probe.wait_until(lambda all_: len(all_) == 2, "a note")
        assert probe.messages == [(0, bytes([0x90, 60, 80])), (0, bytes([0x80, 60, 64]))]
"""

import ctypes
import os
import re
import shutil
import signal
import subprocess
import threading
import time

from support.program import PATIENCE

CLIENTS = "/proc/asound/seq/clients"


def is_available():
    """For `pytest.mark.skipif`: whether there are a sequencer and the programs of the package alsa-utils."""
    tools = all(shutil.which(name) for name in ("aseqdump", "aplaymidi", "aconnect", "amidi"))
    return tools and os.path.exists("/dev/snd/seq")


def ports():
    """{"128:0": (name of the client, name of the port, connections)} of all ports; connections are the addresses
    at the other end, in both directions."""
    found, client, port = {}, None, None
    with open(CLIENTS, encoding="utf-8") as f:
        for line in f:
            if m := re.match(r'Client +(\d+) : "(.*)" \[', line):
                client = m
            elif m := re.match(r'  Port +(\d+) : "(.*)" \(', line):
                port = f"{client[1]}:{m[1]}"
                found[port] = (client[2], m[2], set())
            elif m := re.match(r"    Connect(?:ing To|ed From): (.*)", line):
                found[port][2].update(re.findall(r"\d+:\d+", m[1]))
    return found


def connections(address):
    return ports().get(address, ("", "", set()))[2]


def addresses(client, port):
    """Addresses of the ports with this name."""
    return [a for a, (c, p, _) in ports().items() if (c, p) == (client, port)]


def connect(source, destination):
    subprocess.run(["aconnect", source, destination], check=True, timeout=PATIENCE)


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited in vain until {what}; there are {ports()}"
        time.sleep(0.02)


# What aseqdump writes for a message, and its bytes from channel and numbers.
_LINES = [
    (r"Note on +(\d+), note (\d+), velocity (\d+)", lambda c, a, b: (0x90 | c, a, b)),
    (r"Note off +(\d+), note (\d+), velocity (\d+)", lambda c, a, b: (0x80 | c, a, b)),
    (r"Note off +(\d+), note (\d+)$", lambda c, a: (0x90 | c, a, 0)),
    (r"Control change +(\d+), controller (\d+), value (\d+)", lambda c, a, b: (0xB0 | c, a, b)),
    (r"Program change +(\d+), program (\d+)", lambda c, a: (0xC0 | c, a)),
]


def _message(text):
    for pattern, make in _LINES:
        if m := re.match(pattern, text):
            return bytes(make(*map(int, m.groups())))
    return None


class Receiver:
    """A process of its own, which records what arrives at its port: `messages`, a list of (0, bytes) as `jack.sounding`
    takes them, and `lines`, what it wrote. With `source` it listens to that address."""

    def __init__(self, source=None):
        # Into a pipe, its first lines would come with the first message.
        self._command = ["stdbuf", "-oL", "aseqdump", *(["-p", source] if source else [])]
        self._changed = threading.Condition()
        self._lines = []

    def __enter__(self):
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        # "Waiting for data at port 128:0. Press Ctrl+C to end.", or without an address if it has a source.
        first = self._process.stdout.readline()
        assert first.startswith("Waiting for data"), first
        self.address = (re.search(r"\d+:\d+", first) or [""])[0]
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(self, *_):
        self.kill(signal.SIGTERM)

    def kill(self, number=signal.SIGKILL):
        self._process.send_signal(number)
        self._process.wait(PATIENCE)
        self._reader.join()
        self._process.stdout.close()

    def _read(self):
        for line in self._process.stdout:
            with self._changed:
                self._lines.append(line.strip())
                self._changed.notify_all()

    @property
    def lines(self):
        with self._changed:
            return list(self._lines)

    @property
    def messages(self):
        # "128:0   Note on  0, note 60, velocity 80"
        found = (_message(line.split(None, 1)[1]) for line in self.lines if re.match(r"\d+:\d+ +\S", line))
        return [(0, m) for m in found if m]

    def wait_until(self, condition, what):
        """Until `condition(messages)` holds; answers the messages."""
        end = time.monotonic() + PATIENCE
        while not condition(found := self.messages):
            assert time.monotonic() < end, f"waited in vain until {what}; there are {found[-20:]}"
            with self._changed:
                self._changed.wait(0.2)
        return found


class _Event(ctypes.Structure):
    """`snd_seq_event_t`"""

    _fields_ = [("type", ctypes.c_ubyte), ("flags", ctypes.c_ubyte), ("tag", ctypes.c_ubyte),
                ("queue", ctypes.c_ubyte), ("time", ctypes.c_uint32 * 2), ("source", ctypes.c_ubyte * 2),
                ("destination", ctypes.c_ubyte * 2), ("data", ctypes.c_ubyte * 12)]


_READ, _SUBSCRIBE_READ = 1, 32  # SND_SEQ_PORT_CAP_...
_MIDI_GENERIC, _HARDWARE = 2, 1 << 16  # SND_SEQ_PORT_TYPE_...
_SUBSCRIBERS, _DIRECT = 254, 253  # SND_SEQ_ADDRESS_SUBSCRIBERS, SND_SEQ_QUEUE_DIRECT


class Keyboard:
    """A port that can be read, as that of a keyboard, on which a test plays. Programs of alsa-utils do not serve
    where a client needs a name of its own."""

    def __init__(self, client="Keystation", port="Keystation MIDI 1"):
        self.client, self.port = client, port

    def __enter__(self):
        self._library = lib = ctypes.CDLL("libasound.so.2")
        self._sequencer = ctypes.c_void_p()
        output = 1
        assert lib.snd_seq_open(ctypes.byref(self._sequencer), b"default", output, 0) == 0
        assert lib.snd_seq_set_client_name(self._sequencer, self.client.encode()) == 0
        self._port = lib.snd_seq_create_simple_port(self._sequencer, self.port.encode(), _READ | _SUBSCRIBE_READ,
                                                    _MIDI_GENERIC | _HARDWARE)
        assert self._port >= 0
        self.address = f"{lib.snd_seq_client_id(self._sequencer)}:{self._port}"
        self._coder = ctypes.c_void_p()
        assert lib.snd_midi_event_new(ctypes.c_size_t(256), ctypes.byref(self._coder)) == 0
        return self

    def __exit__(self, *_):
        self.close()

    def play(self, messages):
        """Sends messages in order, at once."""
        for data in messages:
            event = _Event(queue=_DIRECT)
            event.source[1], event.destination[0] = self._port, _SUBSCRIBERS
            event.destination[1] = 253  # SND_SEQ_ADDRESS_UNKNOWN
            taken = self._library.snd_midi_event_encode(self._coder, bytes(data), ctypes.c_long(len(data)),
                                                        ctypes.byref(event))
            assert taken == len(data)
            assert self._library.snd_seq_event_output_direct(self._sequencer, ctypes.byref(event)) >= 0

    def wait_for_listener(self):
        wait_until(lambda: connections(self.address), f"a program listens to {self.address}")

    def close(self):
        """The port goes."""
        if self._sequencer:
            self._library.snd_midi_event_free(self._coder)
            self._library.snd_seq_close(self._sequencer)
            self._sequencer = None
