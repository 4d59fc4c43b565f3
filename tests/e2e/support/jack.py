"""A JACK server without hardware, a program that records the MIDI which arrives at its port, and one that plays.

    with JackServer() as server, Receiver(server) as probe:
        ... start Fermata with server.env in its environment, device "jack:probe:in" ...
        probe.wait_for(2)
        assert probe.messages == [(frame, bytes([0x90, 60, 80])), (frame, bytes([0x80, 60, 64]))]

The receiver is a process of its own (this file, run as a script), so that a test can kill it, and so
that JACK's real-time thread does not wait for the interpreter of the test.
"""

import ctypes
import functools
import itertools
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

# As in program.py, which a script in this folder cannot import as `support.program`.
PATIENCE = float(os.environ.get("FERMATA_PATIENCE", "240"))

RATE = 48_000
PERIOD = 128  # frames


@functools.cache
def is_available():
    """For `pytest.mark.skipif`: whether a JACK server starts here. It does not if the package `jackd2` is
    missing, or in a container with too little shared memory."""
    if not all(shutil.which(name) for name in ("jackd", "jack_wait", "jack_lsp", "jack_connect")):
        return False
    try:
        with JackServer():
            return True
    except RuntimeError:
        return False


def _forget_dead_servers():
    """JACK keeps at most eight servers in mind, dead ones too: those of tests that were killed. While any server
    runs, nothing is removed."""
    if subprocess.run(["pgrep", "-x", "jackd|jackdbus|jackdmp"], capture_output=True, check=False).returncode == 0:
        return
    folder = pathlib.Path("/dev/shm")
    registry = folder / "jack-shm-registry"
    if registry.exists() and registry.read_bytes().count(b"fermata-test-") >= 4:
        for left in (registry, *folder.glob("jack_sem.*_fermata-test-*")):
            left.unlink(missing_ok=True)


class JackServer:
    """A private JACK server with the dummy driver. `env`: what its clients need in their environment."""

    _numbers = itertools.count()

    def __init__(self):
        self.name = f"fermata-test-{os.getpid()}-{next(self._numbers)}"
        self.env = {"JACK_DEFAULT_SERVER": self.name, "JACK_NO_START_SERVER": "1"}
        self._process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Also after `stop` or `kill`: the server has the same name again."""
        _forget_dead_servers()
        # Synchronous (-S): without it, a cycle is dropped when a client is late. 64 ports: memory for
        # more is not there in containers. Real-time where the system allows it.
        for priority in (["-R", "-P", "60"], ["-r"]):
            with tempfile.TemporaryFile() as log:
                self._process = subprocess.Popen(
                    ["jackd", "-n", self.name, *priority, "-S", "-p", "64",
                     "-d", "dummy", "-r", str(RATE), "-p", str(PERIOD)],
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log)
                if self._is_ready():
                    return
                self.stop()
                log.seek(0)
                said = log.read().decode(errors="replace")
        raise RuntimeError(f"jackd does not start:\n{said}")

    def _is_ready(self):
        for _ in range(30):
            done = subprocess.run(["jack_wait", "-w", "-t", "1", "-s", self.name], check=False,
                                  env={**os.environ, **self.env}, capture_output=True)
            if done.returncode == 0 and b"server is available" in done.stdout:
                return True
            if self._process.poll() is not None:
                return False
        return False

    def stop(self, signal_number=signal.SIGTERM):
        if self._process and self._process.poll() is None:
            self._process.send_signal(signal_number)
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def kill(self):
        """Without a chance to tell its clients. The server should be started again afterwards: the
        next one of this name removes what this one has left in shared memory."""
        self.stop(signal.SIGKILL)

    def run(self, *command):
        """A tool of JACK: what it writes to standard output."""
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE,
                              env={**os.environ, **self.env}).stdout

    def ports(self):
        """Names of all ports, as "client:port"."""
        return [line for line in self.run("jack_lsp").splitlines() if ":" in line]

    def wait_for_port(self, name, present=True):
        self.wait_until(lambda: (name in self.ports()) == present,
                        f"port {name} {'appears' if present else 'goes'}")

    def connections(self, port):
        """Names of the ports that are connected with this one."""
        lines = self.run("jack_lsp", "-c", port).splitlines()
        return [line.strip() for line in lines if line.startswith(" ")]

    def connect(self, source, destination):
        self.run("jack_connect", source, destination)

    @staticmethod
    def wait_until(condition, what):
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, f"waited in vain until {what}"
            time.sleep(0.01)


class Receiver:
    """Records what arrives at the port "NAME:in" of a server: `messages`, a list of (frame, bytes) in
    order of arrival, by the server's frame clock."""

    def __init__(self, server, name="probe"):
        self.server = server
        self.name = name
        self.port = f"{name}:in"
        self._messages = []
        self._changed = threading.Condition()

    def __enter__(self):
        self._process = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), self.server.name, self.name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, **self.server.env})
        if self._process.stdout.readline() != b"ready\n":
            said = self._process.communicate()[1].decode(errors="replace")
            raise RuntimeError(f"no receiver {self.name}: {said}")
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(self, *_):
        self.close()

    def _read(self):
        for line in self._process.stdout:
            frame, data = line.split()
            with self._changed:
                self._messages.append((int(frame), bytes.fromhex(data.decode())))
                self._changed.notify_all()

    def close(self):
        """Ends it. Everything that has arrived is in `messages` afterwards."""
        if self._process.poll() is None:
            self._process.stdin.close()
        self._end()

    def kill(self):
        """Ends it without a chance to tell the server."""
        self._process.kill()
        self._end()

    def _end(self):
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            stream.close()

    @property
    def messages(self):
        with self._changed:
            return list(self._messages)

    def wait_for(self, count):
        """Until so many messages have arrived; answers all of them."""
        return self.wait_until(lambda all_: len(all_) >= count, f"{count} messages arrive")

    def wait_for_message(self, *data):
        """Until this message has arrived: `wait_for_message(0x90, 60, 80)`."""
        wanted = bytes(data)
        return self.wait_until(lambda all_: any(m == wanted for _, m in all_),
                               f"{wanted.hex()} arrives")

    def wait_until(self, condition, what):
        """Until `condition(messages)` holds; answers the messages."""
        with self._changed:
            found = self._changed.wait_for(lambda: condition(self._messages), PATIENCE)
            assert found, f"waited in vain until {what}; there are {self._messages[-20:]}"
            return list(self._messages)


class Keyboard:
    """A port "NAME:out" of a server on which a test plays: a process of its own."""

    def __init__(self, server, name="keyboard"):
        self.server = server
        self.name = name
        self.port = f"{name}:out"

    def __enter__(self):
        self._process = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), self.server.name, self.name, "--play"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, **self.server.env})
        if self._process.stdout.readline() != b"ready\n":
            said = self._process.communicate()[1].decode(errors="replace")
            raise RuntimeError(f"no keyboard {self.name}: {said}")
        return self

    def __exit__(self, *_):
        self.close()

    def play(self, messages):
        """Plays (frame, bytes) in order, frames counted from four periods later than now; returns when the last one
        has been sent."""
        self.send(messages)
        self.wait_until_sent()

    def send(self, messages):
        """The same without waiting."""
        lines = "".join(f"{frame} {bytes(data).hex()}\n" for frame, data in messages)
        self._process.stdin.write(lines.encode() + b"go\n")
        self._process.stdin.flush()

    def wait_until_sent(self):
        assert self._process.stdout.readline() == b"done\n"

    def close(self):
        """The port goes."""
        self._process.stdin.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for stream in (self._process.stdout, self._process.stderr):
            stream.close()


def sounding(messages):
    """The (channel, key) that sound after these messages, with a pedal that holds them: what a
    synthesizer would be left with. MIDI 1.0: all notes off (123) obeys the pedal, all sound off (120)
    does not."""
    notes, held, pedal = set(), set(), set()

    def release(channel, keys):
        (held if channel in pedal else set()).update(keys)

    for _, data in messages:
        kind, channel = data[0] & 0xF0, data[0] & 0x0F
        if kind == 0x90 and data[2] > 0:
            notes.add((channel, data[1]))
        elif kind in (0x80, 0x90):
            if (channel, data[1]) in notes:
                notes.discard((channel, data[1]))
                release(channel, {(channel, data[1])})
        elif kind == 0xB0:
            of_channel = {n for n in notes if n[0] == channel}
            if data[1] == 64 and data[2] >= 64:
                pedal.add(channel)
            elif data[1] == 64 or data[1] == 121:
                pedal.discard(channel)
                held -= {n for n in held if n[0] == channel}
            elif data[1] == 120:
                notes -= of_channel
                held -= {n for n in held if n[0] == channel}
            elif data[1] >= 123:
                notes -= of_channel
                release(channel, of_channel)
    return notes | held


# --- the processes of receiver and keyboard -----------------------------------------------------------


class _MidiEvent(ctypes.Structure):
    """`jack_midi_event_t`"""

    _fields_ = [("time", ctypes.c_uint32), ("size", ctypes.c_size_t), ("buffer", ctypes.c_void_p)]


_IS_INPUT, _IS_OUTPUT = 0x1, 0x2  # JackPortFlags
_PROCESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint32, ctypes.c_void_p)
_SHUTDOWN = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def _client_with_port(server, name, port_name, flags):
    """libjack, a client that is not active yet, and its port."""
    jack = ctypes.CDLL("libjack.so.0")
    for function in (jack.jack_client_open, jack.jack_port_register, jack.jack_port_get_buffer,
                     jack.jack_midi_event_reserve):
        function.restype = ctypes.c_void_p
    jack.jack_last_frame_time.restype = ctypes.c_uint32
    no_start, exact_name, server_name = 0x01, 0x02, 0x04  # JackOptions
    client = jack.jack_client_open(name.encode(), no_start | exact_name | server_name, None,
                                   server.encode())
    if not client:
        sys.exit("the server does not accept it")
    client = ctypes.c_void_p(client)
    port = ctypes.c_void_p(jack.jack_port_register(
        client, port_name, b"8 bit raw midi", ctypes.c_ulong(flags), ctypes.c_ulong(0)))
    return jack, client, port


def _play(server, name):
    """Writes "ready". Reads lines `frame hex-bytes` up to "go", plays them and writes "done"; until standard input
    ends."""
    jack, client, port = _client_with_port(server, name, b"out", _IS_OUTPUT)
    waiting, sent = [], threading.Event()

    def process(frames, _):
        buffer = ctypes.c_void_p(jack.jack_port_get_buffer(port, ctypes.c_uint32(frames)))
        jack.jack_midi_clear_buffer(buffer)
        start = jack.jack_last_frame_time(client)
        while waiting and waiting[0][0] < start + frames:
            at, data = waiting[0]
            space = jack.jack_midi_event_reserve(buffer, ctypes.c_uint32(max(at - start, 0)),
                                                 ctypes.c_size_t(len(data)))
            if not space:
                break  # the buffer is full: in the next cycle
            ctypes.memmove(space, data, len(data))
            waiting.pop(0)
        if not waiting:
            sent.set()
        return 0

    callback = _PROCESS(process)
    jack.jack_set_process_callback(client, callback, None)
    if jack.jack_activate(client) != 0:
        sys.exit("the server does not start it")
    print("ready", flush=True)
    lines = []
    for line in sys.stdin:
        if line != "go\n":
            frame, data = line.split()
            lines.append((int(frame), bytes.fromhex(data)))
            continue
        begin = jack.jack_last_frame_time(client) + 4 * PERIOD
        sent.clear()
        waiting.extend((begin + frame, data) for frame, data in lines)
        lines = []
        sent.wait()
        print("done", flush=True)
    jack.jack_client_close(client)
    os._exit(0)  # libjack's threads may still refer to the interpreter


def _receive(server, name):
    """Writes "ready", then a line `frame hex-bytes` for each message, until standard input ends."""
    jack, client, port = _client_with_port(server, name, b"in", _IS_INPUT)
    lines, wake = os.pipe()

    def process(frames, _):
        buffer = ctypes.c_void_p(jack.jack_port_get_buffer(port, ctypes.c_uint32(frames)))
        count = jack.jack_midi_get_event_count(buffer)
        if count:
            start = jack.jack_last_frame_time(client)
            event = _MidiEvent()
            for i in range(count):
                jack.jack_midi_event_get(ctypes.byref(event), buffer, ctypes.c_uint32(i))
                data = ctypes.string_at(event.buffer, event.size)
                arrived.append(b"%d %s\n" % ((start + event.time) % 2**32, data.hex().encode()))
            os.write(wake, b"x")
        return 0

    arrived = []
    over = threading.Event()

    def end():
        over.set()
        os.write(wake, b"x")

    callbacks = _PROCESS(process), _SHUTDOWN(lambda _: end())
    jack.jack_set_process_callback(client, callbacks[0], None)
    jack.jack_on_shutdown(client, callbacks[1], None)
    if jack.jack_activate(client) != 0:
        sys.exit("the server does not start it")
    threading.Thread(target=lambda: (sys.stdin.buffer.read(), end()), daemon=True).start()
    out = sys.stdout.buffer
    out.write(b"ready\n")
    out.flush()
    written = 0
    while not over.is_set():
        os.read(lines, 4096)
        now = len(arrived)
        out.writelines(arrived[written:now])
        out.flush()
        written = now
    jack.jack_client_close(client)
    out.writelines(arrived[written:])
    out.flush()
    os._exit(0)  # libjack's threads may still refer to the interpreter


if __name__ == "__main__":
    (_play if "--play" in sys.argv else _receive)(sys.argv[1], sys.argv[2])
