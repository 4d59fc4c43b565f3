"""PipeWire as a JACK server: the real binary and a real PipeWire."""

import subprocess

import pytest

from support import jack, pipewire
from support.program import BINARY, PATIENCE
from support.terminal import Terminal

pytestmark = pytest.mark.skipif(not pipewire.is_available(), reason="PipeWire does not start here")

SCALE = "(score (part :piano (measure (note c4 :q) (note d4 :q) (note e4 :q) (note f4 :q))))"


@pytest.fixture
def server():
    with pipewire.PipeWire() as s:
        yield s


def starts(messages):
    return [(frame, m[1]) for frame, m in messages if m[0] & 0xF0 == 0x90 and m[2] > 0]


def test_a_file_is_played_in_order(home, server):
    song = home.path / "song.ferm"
    song.write_text(SCALE, encoding="utf-8")
    with jack.Receiver(server) as probe:
        done = subprocess.run([BINARY, "play", song, "--exact", "--tempo", "400%", "--device", "probe"], text=True,
                              capture_output=True, timeout=PATIENCE, check=False, env=home.environment(**server.env))
        assert (done.returncode, done.stderr) == (0, "")
        messages = probe.wait_until(lambda all_: len(starts(all_)) == 4 and not jack.sounding(all_), "it has ended")
    assert [key for _, key in starts(messages)] == [60, 62, 64, 65]
    frames = [frame for frame, _ in starts(messages)]
    assert frames == sorted(frames)


def test_a_program_that_ends_and_returns_is_played_on_again(home, server):
    with Terminal(home, **server.env) as t:
        probe = jack.Receiver(server)
        with probe:
            t.enter(SCALE)
            t.enter(":midi connect probe")
            t.type(":play --loop --tempo 400%", "enter")
            probe.wait_until(lambda all_: len(starts(all_)) >= 4, "it is heard")
            probe.kill()
        t.wait_for("was lost; playback continues without sound")
        with jack.Receiver(server) as again:
            t.wait_for("is back")
            again.wait_until(lambda all_: len(starts(all_)) >= 4, "it is heard again")
            t.enter(":stop")
            again.wait_until(lambda all_: not jack.sounding(all_), "silence")


def test_a_server_that_is_killed_and_starts_again_is_played_on(home, server):
    with Terminal(home, **server.env) as t:
        probe = jack.Receiver(server)
        with probe:
            t.enter(SCALE)
            t.enter(":midi connect probe")
            t.type(":play --loop --tempo 400%", "enter")
            probe.wait_until(lambda all_: len(starts(all_)) >= 4, "it is heard")
            server.kill()
            t.wait_for("was lost; playback continues without sound")
            probe.kill()
        server.start()
        with jack.Receiver(server) as again:
            t.wait_for("is back")
            again.wait_until(lambda all_: len(starts(all_)) >= 4, "it is heard again")
            t.enter(":stop")
            again.wait_until(lambda all_: not jack.sounding(all_), "silence")
        t.type("ctrl-d").wait_for_end()


def test_a_chord_ends_when_the_player_is_killed(home, server):
    song = home.path / "chord.ferm"
    song.write_text("(part :piano (measure (tempo :q 40) (chord c4 e4 g4 :w)))", encoding="utf-8")
    with jack.Receiver(server) as probe:
        player = subprocess.Popen([BINARY, "play", song, "--device", "probe"], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  env=home.environment(**server.env))
        probe.wait_until(lambda all_: len(jack.sounding(all_)) == 3, "a chord of three notes sounds")
        player.kill()
        player.wait(PATIENCE)
        probe.wait_until(lambda all_: not jack.sounding(all_), "all notes end")
        # Not by their note-offs, which nobody was left to send.
        assert not any(m[0] & 0xF0 == 0x80 for _, m in probe.messages)


def test_what_is_played_is_recorded_also_after_the_keyboard_was_away(home, server):
    with Terminal(home, **server.env) as t:
        with jack.Keyboard(server) as keyboard:
            assert "recording take 1 from keyboard:out" in t.enter(":record").replace("\n", "")
            keyboard.play([(0, (0x90, 60, 80)), (2_000, (0x80, 60, 64))])
            t.wait_until(lambda: t.prompt() and "●1" in t.prompt()["badge"], "a note")
        t.wait_for("was lost; what was recorded so far is kept")
        with jack.Keyboard(server) as keyboard:
            t.wait_for("is back")
            keyboard.play([(0, (0x90, 64, 80)), (2_000, (0x80, 64, 64))])
            t.wait_until(lambda: t.prompt() and "●2" in t.prompt()["badge"], "two notes")
            assert "take 1: 2 notes" in t.enter(":stop")
        t.type("ctrl-d").wait_for_end()
