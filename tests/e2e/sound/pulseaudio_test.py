"""The synthesizer on PulseAudio: the real binary and a real server with a null sink, recorded while it plays."""

import json
import os
import re
import signal
import subprocess
import time

import pytest

from support import pulseaudio
from support.program import BINARY, PATIENCE
from support.terminal import Terminal

# Of the package timgm6mb-soundfont. Larger ones take seconds to load.
SOUNDFONT = "/usr/share/sounds/sf2/TimGM6mb.sf2"

pytestmark = [
    pytest.mark.skipif(not pulseaudio.is_available(),
                       reason="PulseAudio does not start here (packages pulseaudio, pulseaudio-utils)"),
    pytest.mark.skipif(not os.path.exists(SOUNDFONT), reason="its soundfont is not installed")]

# At 120 quarter notes a minute, a whole note lasts two seconds. A4, 440 Hz, is key 69.
ONE_NOTE = "(part :alto-recorder (measure (note a4 :w)))"
A4 = 69


@pytest.fixture
def server():
    with pulseaudio.PulseAudio() as s:
        yield s


@pytest.fixture
def ears(server):
    with pulseaudio.Listener(server) as e:
        yield e


def variables(server):
    return {**server.env, "FERMATA_SOUNDFONT": SOUNDFONT}


def environment(home, server):
    return home.environment(**variables(server))


def arguments(home, *options):
    file = home.path / "piece.ferm"
    file.write_text(ONE_NOTE, encoding="utf-8")
    return [BINARY, "play", file, *options]


def configure(home, server, setting, value):
    subprocess.run([BINARY, "config", "set", setting, value], env=environment(home, server), check=True,
                   capture_output=True, timeout=PATIENCE)


class Player:
    """`fermata play` while it plays."""

    def __init__(self, home, server, *options):
        self.process = subprocess.Popen(arguments(home, *options), env=environment(home, server), text=True,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()

    def wait_for_end(self):
        """Exit status and standard error."""
        _, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said


# --- fermata play ---------------------------------------------------------------------------------


def test_a_file_is_heard_as_written_and_nothing_after_its_end(home, server, ears):
    begin = ears.now
    # Half as fast: the note is held for four seconds.
    with Player(home, server, "--tempo", "50%") as player:
        assert player.wait_for_end() == (0, "")
    end = ears.now
    ears.wait_for_silence()
    assert server.players() == []
    heard = [pulseaudio.keys_in(window) for window in ears.windows(begin, end)]
    assert all(keys in ([], [A4]) for keys in heard), heard
    # Of ten windows; on a busy machine, sound is missing from some.
    assert heard.count([A4]) >= 4, heard


def test_it_is_chosen_when_only_it_answers(home, server, ears):
    found = subprocess.run([BINARY, "devices", "--json"], env=environment(home, server), text=True,
                           capture_output=True, timeout=PATIENCE, check=True)
    assert [d["id"] for d in json.loads(found.stdout)["devices"]] == ["synth"]
    assert server.players() == [], "looking for devices opens no stream"
    with Player(home, server, "--loop"):
        ears.wait_for_key(A4)
        assert server.players() == ["Fermata"]
    server.stop()
    with Player(home, server) as player:
        status, said = player.wait_for_end()
    assert status == 1 and "PulseAudio: Connection refused" in said, said


def test_the_configured_output_is_used_for_files(home, server, ears):
    configure(home, server, "audio-output", "jack")
    with Player(home, server) as player:
        status, said = player.wait_for_end()
    assert status == 1 and "no sound output is available: no JACK server is running\n" in said, said
    configure(home, server, "audio-output", "pulse")
    with Player(home, server, "--loop"):
        ears.wait_for_key(A4)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_note(home, server, ears, number):
    with Player(home, server, "--loop") as player:
        ears.wait_for_key(A4)
        player.process.send_signal(number)
        assert player.wait_for_end() == (128 + number, "")
        ears.wait_for_silence()
        assert server.players() == []


def test_space_pauses_and_q_quits(home, server, ears):
    with Terminal(home, *map(str, arguments(home, "--loop")[1:]), ready=False, **variables(server)) as t:
        ears.wait_for_key(A4)
        t.type(" ").wait_for("paused")
        ears.wait_for_silence()
        assert server.players() == ["Fermata"]
        t.type(" ")
        ears.wait_for_key(A4)
        t.type("q")
        assert t.wait_for_end() == 0
        ears.wait_for_silence()


# --- a server that ends ---------------------------------------------------------------------------


def test_a_server_that_is_killed_is_an_error(home, server, ears):
    with Player(home, server, "--loop") as player:
        ears.wait_for_key(A4)
        server.kill()
        status, said = player.wait_for_end()
    assert status == 1 and "the device Synthesizer was disconnected" in said, said


def test_speakers_that_are_removed_are_an_error(home, server, ears):
    with Player(home, server, "--loop") as player:
        ears.wait_for_key(A4)
        server.run("pactl", "unload-module", "module-null-sink")
        status, said = player.wait_for_end()
    assert status == 1 and "the device Synthesizer was disconnected" in said, said


# --- a server that does not answer ----------------------------------------------------------------


def test_a_server_that_never_answers_is_given_up(home, server):
    server.suspend()
    with Player(home, server, "--loop") as player:
        status, said = player.wait_for_end()
    assert status == 1 and "PulseAudio: the server does not answer" in said, said


def test_an_interruption_ends_the_program_while_the_server_does_not_answer(home, server):
    server.suspend()
    with Player(home, server, "--loop") as player:
        wait_until(lambda: holds_back(player.process.pid, signal.SIGINT), "signals are taken in turn")
        player.process.send_signal(signal.SIGINT)
        # Given up by itself, it would end with 1 and a message.
        assert player.wait_for_end() == (128 + signal.SIGINT, "")
    server.go_on()
    assert server.players() == []


def test_a_suspended_server_does_not_keep_the_program_from_ending(home, server, ears):
    with Player(home, server, "--loop") as player:
        ears.wait_for_key(A4)
        server.suspend()
        player.process.send_signal(signal.SIGINT)
        assert player.wait_for_end() == (128 + signal.SIGINT, "")
        server.go_on()
        ears.wait_for_silence()
        assert server.players() == []


def test_a_piece_ends_at_its_end_with_a_suspended_server_too(home, server, ears):
    # At a fifth of the tempo the note lasts ten seconds, enough to suspend the server in it.
    with Player(home, server, "--tempo", "20%") as player:
        ears.wait_for_key(A4)
        server.suspend()
        assert player.wait_for_end() == (0, "")
        server.go_on()
        ears.wait_for_silence()


def test_a_suspended_server_that_goes_on_is_played_on(home, server, ears):
    with Player(home, server, "--loop") as player:
        ears.wait_for_key(A4)
        server.suspend()
        server.go_on()
        ears.wait_for_key(A4)
        player.process.send_signal(signal.SIGINT)
        assert player.wait_for_end() == (128 + signal.SIGINT, "")


def holds_back(pid, number):
    """Whether this process blocks a signal: it receives it when it asks for it."""
    with open(f"/proc/{pid}/status", encoding="ascii") as f:
        blocked = int(re.search(r"^SigBlk:\s*([0-9a-f]+)$", f.read(), re.M)[1], 16)
    return bool(blocked >> (number - 1) & 1)


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited in vain until {what}"
        time.sleep(0.01)


# --- the prompt -----------------------------------------------------------------------------------


def shows_nothing(t):
    return t.prompt() and "▶" not in t.prompt()["badge"]


def lives(t):
    t.type("(+ 1000 234)", "enter").wait_for(r"Out\[\d+\]: 1234$")


def test_the_prompt_plays_and_stops(home, server, ears):
    with Terminal(home, **variables(server)) as t:
        t.enter(ONE_NOTE)
        assert "playing the score on Synthesizer" in t.enter(":play --loop")
        ears.wait_for_key(A4)
        t.enter(":stop")
        ears.wait_for_silence()
        t.enter(":play (note c5 :w)")
        ears.wait_for_key(72)
        t.wait_until(lambda: shows_nothing(t), "the end")
        ears.wait_for_silence()
        lives(t)


def test_the_setting_chooses_the_output(home, server, ears):
    with Terminal(home, **variables(server)) as t:
        t.enter(ONE_NOTE)
        t.enter(":set audio-output jack")
        refused = " ".join(t.enter(":play --loop").split())
        assert "no sound output is available" in refused and "JACK" in refused and "PulseAudio:" not in refused
        assert server.players() == []
        t.enter(":set audio-output pulse")
        t.enter(":play --loop")
        ears.wait_for_key(A4)
        assert server.players() == ["Fermata"]


def test_the_configured_output_is_used_at_the_prompt(home, server, ears):
    configure(home, server, "audio-output", "pulse")
    with Terminal(home, **variables(server)) as t:
        t.enter(ONE_NOTE)
        t.enter(":play --loop")
        ears.wait_for_key(A4)


def test_the_session_outlives_the_server_and_plays_on_the_next_one(home, server):
    with Terminal(home, **variables(server)) as t:
        with pulseaudio.Listener(server) as ears:
            t.enter(ONE_NOTE)
            t.enter(":play --loop")
            ears.wait_for_key(A4)
            server.kill()
        t.wait_for("was lost; playback continues without sound")
        lives(t)
        server.start()
        with pulseaudio.Listener(server) as ears:
            t.wait_for("is back")
            ears.wait_for_key(A4)
            t.enter(":stop")
            ears.wait_for_silence()
        t.type("ctrl-d")
        assert t.wait_for_end() == 0


def test_the_session_goes_on_while_the_server_is_suspended(home, server, ears):
    with Terminal(home, **variables(server)) as t:
        t.enter(ONE_NOTE)
        t.enter(":play --loop")
        ears.wait_for_key(A4)
        server.suspend()
        t.enter(":stop")
        lives(t)
        server.go_on()
        ears.wait_for_silence()
        t.enter(":play --loop")
        ears.wait_for_key(A4)


def test_the_session_goes_on_when_the_server_never_answered(home, server, ears):
    server.suspend()
    with Terminal(home, **variables(server)) as t:
        t.enter(ONE_NOTE)
        t.type(":play --loop", "enter").wait_for("the server does not answer")
        lives(t)
        server.go_on()
        t.enter(":play --loop")
        ears.wait_for_key(A4)
