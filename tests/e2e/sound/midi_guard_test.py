"""No note sounds on when the program that plays is killed: a guard process ends it."""

import os
import signal
import subprocess

import pytest
from support.jack import PATIENCE, JackServer, Receiver, is_available, sounding
from support.program import BINARY

pytestmark = pytest.mark.skipif(not is_available(), reason="no JACK server starts here")

# Six seconds for each chord: far longer than the tests take to kill the player in the first one.
CHORD = b"(part :piano (measure (tempo :q 40) (chord c4 e4 g4 :w)) (measure (chord c4 e4 g4 :w)))"

# On channels 0 to 15: the pedal up, all notes off, all sound off.
SILENCE = [bytes([0xB0 + channel, number, 0]) for channel in range(16) for number in (64, 123, 120)]


@pytest.fixture
def server():
    with JackServer() as s:
        yield s


def player(home, server, *args):
    program = home.path / "chord.ferm"
    program.write_bytes(CHORD)
    return subprocess.Popen([BINARY, "play", str(program), "--device", "jack:probe:in", *args],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env=home.environment(**server.env))


def guards_of(process):
    """Processes that it has started."""
    done = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=False)
    return [int(line) for line in done.stdout.split()]


def is_over(process):
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as f:
            return f.read().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


def guard_is_ready(server):
    server.wait_until(lambda: len(server.connections("probe:in")) == 2, "the guard is connected too")


def played_chord(probe):
    """Until the chord sounds."""
    return probe.wait_until(lambda all_: len(sounding(all_)) == 3, "a chord of three notes sounds")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_chord_ends_when_the_player_is_killed(home, server, number):
    with Receiver(server) as probe:
        process = player(home, server)
        played_chord(probe)
        guards = guards_of(process)
        assert len(guards) == 1
        guard_is_ready(server)
        process.send_signal(number)
        process.communicate(timeout=PATIENCE)
        after = probe.wait_until(lambda all_: not sounding(all_), "all notes end")
        assert sounding(after) == set()
        server.wait_until(lambda: is_over(guards[0]), "the guard ends")
        sent = [data for _, data in probe.messages]
        # At least one of the three rounds is complete, whatever JACK lost while the player died.
        assert all(message in sent for message in SILENCE)


def test_an_orderly_end_is_not_followed_by_the_guard(home, server):
    with Receiver(server) as probe:
        process = player(home, server)
        played_chord(probe)
        guards = guards_of(process)
        process.send_signal(signal.SIGTERM)
        errors = process.communicate(timeout=PATIENCE)[1]
        assert process.returncode == 128 + signal.SIGTERM
        assert errors == b""
        assert all(is_over(g) for g in guards)
        # Channel 15 is not played on, so only a guard would silence it.
        assert not any(data[0] == 0xBF for _, data in probe.messages)
        assert sounding(probe.messages) == set()


def test_signals_of_the_terminal_do_not_reach_the_guard(home, server):
    with Receiver(server) as probe:
        process = player(home, server)
        played_chord(probe)
        guard = guards_of(process)[0]
        guard_is_ready(server)
        assert os.getsid(guard) == guard
        os.kill(guard, signal.SIGTERM)  # sent to every process of the program: the player first
        process.kill()
        process.communicate(timeout=PATIENCE)
        probe.wait_until(lambda all_: not sounding(all_), "all notes end")
