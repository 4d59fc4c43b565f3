"""Nothing spins: where playback has nothing to do, no thread of the program uses the processor.

The tests do not wait. They compute for half a second of processor time, in which a thread that spins would have got
about as much: it competes with this one, whatever else the machine does. Load makes both slower and no test fail.
"""

import os
import pathlib
import signal
import subprocess
import time

import pytest

from support import jack
from support.terminal import Terminal

needs_jack = pytest.mark.skipif(not jack.is_available(), reason="no JACK server starts here")

SCALE = "(part :piano (measure (note c4 :q) (note d4 :q) (note e4 :q) (note f4 :q)) (measure (note g4 :w)))"
# More measures than are ever played.
ENDLESS = "(part :piano (measure (note c4 :q) (barline :repeat :backward :times 1000000)))"

COMPUTED = 0.5  # seconds of processor time
TICK = 1 / os.sysconf("SC_CLK_TCK")


def quiet(home):
    """An environment with nothing that sounds but the device "memory", which writes to a file."""
    return {"JACK_DEFAULT_SERVER": "fermata-none", "JACK_NO_START_SERVER": "1",
            "PULSE_SERVER": "unix:/nonexistent", "XDG_RUNTIME_DIR": str(home.path),
            "FERMATA_MIDI_RECORD": str(home.path / "heard")}


def processes(pid):
    """The program and the processes that it has started."""
    done = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return [pid, *(int(line) for line in done.stdout.split())]


def used(pid):
    """(process, thread) -> (name, seconds of processor time)."""
    times = {}
    for process in processes(pid):
        for task in pathlib.Path("/proc").glob(f"{process}/task/*"):
            try:
                head, _, rest = (task / "stat").read_text(encoding="utf-8").rpartition(")")
            except (FileNotFoundError, ProcessLookupError):
                continue  # it has ended meanwhile
            fields = rest.split()
            times[process, int(task.name)] = head.partition("(")[2], (int(fields[11]) + int(fields[12])) * TICK
    return times


def busy(pid):
    """The threads of a program that compute while this one computes, and for how many seconds."""
    before = used(pid)
    assert before, "the program has ended"
    end = time.thread_time() + COMPUTED
    while time.thread_time() < end:
        pass
    after = used(pid)
    spent = {key: (name, round(seconds - before.get(key, (name, 0))[1], 2)) for key, (name, seconds) in after.items()}
    return [(name, seconds) for name, seconds in spent.values() if seconds > COMPUTED / 2]


def shows(t, sign):
    return t.prompt() and sign in t.prompt()["badge"]


def shows_nothing(t):
    return t.prompt() and not shows(t, "▶") and not shows(t, "‖")


@pytest.fixture
def played(home):
    """A prompt with a scale that is played in memory."""
    with Terminal(home, **quiet(home)) as t:
        t.enter(":midi connect memory")
        t.enter(SCALE)
        yield t


class Spinner:
    """A process that does nothing but compute."""

    def __enter__(self):
        self.pid = os.fork()
        if self.pid == 0:
            while True:
                pass
        return self

    def __exit__(self, *_):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def test_a_thread_that_spins_would_be_found():
    with Spinner() as spinner:
        assert any(busy(spinner.pid) for _ in range(10))


def test_after_the_end(played):
    played.enter(":play --tempo 1000%")
    played.wait_until(lambda: shows_nothing(played), "the end")
    assert busy(played.child.pid) == []


def test_paused(played):
    played.type(":play 2 --loop", "enter").wait_until(lambda: shows(played, "▶"), "the sign that it plays")
    played.type(" ").wait_until(lambda: shows(played, "‖"), "the pause")
    assert busy(played.child.pid) == []
    played.type(" ").wait_until(lambda: shows(played, "▶"), "that it goes on")


def test_while_a_long_note_sounds(played):
    played.type(":play 2 --loop --tempo 10%", "enter")
    played.wait_until(lambda: shows(played, "▶"), "the sign that it plays")
    assert busy(played.child.pid) == []


def test_stopped(played):
    played.type(":play 2 --loop", "enter").wait_until(lambda: shows(played, "▶"), "the sign that it plays")
    played.type("ctrl-c").wait_until(lambda: shows_nothing(played), "the end")
    assert busy(played.child.pid) == []


def test_music_without_length_in_a_loop(played):
    assert "nothing to play" in played.enter(":play (part :piano (measure)) --loop")
    assert busy(played.child.pid) == []


@pytest.mark.parametrize("music", ["(grace c4 :8)", "(note c4 :1024)"])
def test_the_shortest_loops(played, music):
    played.enter(f":play (part :piano (measure {music})) --loop --tempo 1000%")
    assert "playing" in played.text()
    assert busy(played.child.pid) == []


def test_repeats_without_end_are_refused(played):
    assert "longer than 200000 measures" in played.enter(f":play {ENDLESS} --loop")
    assert shows_nothing(played)
    assert busy(played.child.pid) == []


def test_playing_a_file_that_is_paused(home):
    file = home.path / "piece.ferm"
    file.write_text(f"(score {SCALE})", encoding="utf-8")
    with Terminal(home, "play", str(file), "--loop", "--device", "memory", ready=False, **quiet(home)) as t:
        t.wait_for("measure 1, beat 1")
        t.type(" ").wait_for("paused")
        assert busy(t.child.pid) == []
        t.type("q")
        assert t.wait_for_end() == 0


@needs_jack
def test_a_port_that_has_gone(home):
    with jack.JackServer() as server, Terminal(home, **server.env) as t:
        with jack.Receiver(server) as probe:
            t.enter(SCALE)
            t.enter(":midi connect probe:in")
            t.type(":play 2 --loop", "enter")
            probe.wait_until(lambda all_: jack.sounding(all_), "it is heard")
            probe.kill()
        t.wait_for(r"was lost")
        assert busy(t.child.pid) == []


@needs_jack
def test_a_server_that_has_gone(home):
    with jack.JackServer() as server, Terminal(home, **server.env) as t:
        with jack.Receiver(server) as probe:
            t.enter(SCALE)
            t.enter(":midi connect probe:in")
            t.type(":play 2 --loop", "enter")
            probe.wait_until(lambda all_: jack.sounding(all_), "it is heard")
            server.kill()
        t.wait_for(r"was lost")
        assert busy(t.child.pid) == []
        server.start()  # so that what the killed one left is removed
