"""`fermata play`, `render` and `devices`: the real binary, a real JACK server, sound files read back."""

import json
import math
import os
import re
import signal
import struct
import subprocess
import wave

import pytest

from support import jack
from support.program import BINARY, PATIENCE
from support.terminal import Terminal

SCALE = '(score (part :name "Piano" (measure (note c4 :q) (note d4 :q) (note e4 :q) (note f4 :q)) ' \
        "(measure (note g4 :w))))"
LONG = "(score (part (repeat-times 2 (measure (chord c4 e4 g4 :w)))))"


def jack_starts():
    """False in a container that has too little shared memory, say."""
    try:
        with jack.JackServer():
            return True
    except RuntimeError:
        return False


needs_jack = pytest.mark.skipif(not jack.is_installed() or not jack_starts(),
                                reason="jackd2 is not installed, or does not start here")


def without_server(home):
    return home.environment(JACK_DEFAULT_SERVER="fermata-none", JACK_NO_START_SERVER="1",
                            PULSE_SERVER="unix:/nonexistent", XDG_RUNTIME_DIR=str(home.path))


def run(home, *args, env=None, data=None):
    return subprocess.run([BINARY, *args], env=env or without_server(home), input=data, text=True,
                          capture_output=True, timeout=PATIENCE, check=False, cwd=home.path)


def piece(home, text=SCALE):
    file = home.path / "piece.ferm"
    file.write_text(text, encoding="utf-8")
    return str(file)


def notes(messages):
    """(key, on) of the notes, in order."""
    return [(m[1], m[0] & 0xF0 == 0x90 and m[2] > 0) for _, m in messages if m[0] & 0xF0 in (0x80, 0x90)]


def three_sound(messages):
    return len(jack.sounding(messages)) == 3


def silence(messages):
    return not jack.sounding(messages)


# --- playing --------------------------------------------------------------------------------------


@needs_jack
def test_a_file_is_played_on_a_port_in_time(home):
    with jack.JackServer() as server, jack.Receiver(server) as probe:
        done = run(home, "play", piece(home), "--exact", "--tempo", "400%", "--device", "probe:in",
                   env=home.environment(**server.env))
        assert (done.returncode, done.stderr) == (0, "")
        probe.wait_for(10)
        assert notes(probe.messages)[:10] == [
            (60, True), (60, False), (62, True), (62, False), (64, True), (64, False),
            (65, True), (65, False), (67, True), (67, False)]
        starts = [frame for frame, m in probe.messages if m[0] & 0xF0 == 0x90 and m[2] > 0]
        # 120 quarter notes a minute, four times as fast: 6,000 frames of 1/48,000 s. Within three periods.
        assert all(abs(b - a - 6_000) < 3 * jack.PERIOD for a, b in zip(starts, starts[1:]))
        assert silence(probe.messages)


@needs_jack
def test_measures_and_parts_are_chosen(home):
    text = '(score (part :name "Flute" (measure (note c5 :w)) (measure (note d5 :w))) ' \
           '(part :name "Cello" (measure (note c3 :w)) (measure (note d3 :w))))'
    with jack.JackServer() as server, jack.Receiver(server) as probe:
        env = home.environment(**server.env)
        assert run(home, "play", piece(home, text), "--exact", "--tempo", "1000%", "--device", "probe:in",
                   "--measures", "2", "--part", "cello", env=env).returncode == 0
        probe.wait_for(2)
        assert [key for key, on in notes(probe.messages) if on] == [50]
        for options, says in [(["--measures", "7"], "there is no measure 7"), (["--part", "Celo"], "Cello"),
                              (["--tempo", "fast"], "`fast` is not a tempo"),
                              (["--device", "prob:in"], "Did you mean `probe:in`?")]:
            refused = run(home, "play", piece(home, text), *options, env=env)
            assert refused.returncode != 0 and says in refused.stderr, refused


@needs_jack
@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_notes_first(home, number, status):
    with jack.JackServer() as server, jack.Receiver(server) as probe:
        player = subprocess.Popen([BINARY, "play", piece(home, LONG), "--device", "probe:in"],
                                  env=home.environment(**server.env), stderr=subprocess.PIPE)
        probe.wait_until(three_sound, "three notes sound")
        player.send_signal(number)
        assert player.wait(PATIENCE) == status, player.stderr.read()
        probe.wait_until(silence, "nothing sounds")


@needs_jack
def test_space_pauses_and_q_quits(home):
    with jack.JackServer() as server, jack.Receiver(server) as probe:
        with Terminal(home, "play", piece(home, LONG), "--device", "probe:in", ready=False, **server.env) as t:
            t.wait_for("measure 1, beat 1  0:00 of 0:04")
            probe.wait_until(three_sound, "three notes sound")
            t.type(" ").wait_for("paused")
            probe.wait_until(silence, "nothing sounds")
            t.type(" ").wait_until(lambda: "paused" not in t.text(), "the music to go on")
            t.type("q")
            assert t.wait_for_end() == 0


@needs_jack
def test_a_device_that_goes_away_is_an_error(home):
    with jack.JackServer() as server:
        with jack.Receiver(server) as probe:
            player = subprocess.Popen([BINARY, "play", piece(home, LONG), "--loop", "--device", "probe:in"],
                                      env=home.environment(**server.env), stderr=subprocess.PIPE, text=True)
            probe.wait_until(three_sound, "three notes sound")
        _, said = player.communicate(timeout=PATIENCE)
        assert player.returncode == 1 and "the device is gone" in said


@needs_jack
def test_devices_are_listed(home):
    with jack.JackServer() as server, jack.Receiver(server):
        found = run(home, "devices", "--json", env=home.environment(**server.env))
        assert found.returncode == 0 and found.stderr == ""
        ids = [d["id"] for d in json.loads(found.stdout)["devices"]]
        assert ids == ["synth", "jack:probe:in", "virtual"]


def test_without_any_system_it_is_said_what_is_missing(home):
    found = run(home, "devices")
    assert found.returncode == 0 and found.stderr == ""
    assert "no MIDI device and no synthesizer" in found.stdout and "no JACK server is running" in found.stdout
    played = run(home, "play", piece(home))
    assert played.returncode == 1
    assert "there is nothing to play on" in played.stderr and "no JACK server is running" in played.stderr
    unknown = run(home, "devices", env=without_server(home) | {"FERMATA_SOUND_LIBRARY": "/nonexistent.so"})
    assert unknown.returncode == 1 and "cannot load the sound library" in unknown.stderr


def test_what_is_no_music_is_refused(home):
    for text, says in [("(score (part (measure (rest :w))))", "there is nothing to play"), ("(note c4", "unclosed"),
                       ("(+ 1 2)", "there is nothing to play")]:
        refused = run(home, "play", piece(home, text))
        assert refused.returncode == 1 and says in refused.stderr, refused


# --- rendering ------------------------------------------------------------------------------------


def samples(file):
    with wave.open(str(file)) as w:
        assert (w.getnchannels(), w.getsampwidth(), w.getframerate()) == (2, 2, 48_000)
        data = w.readframes(w.getnframes())
    return [x / 32768 for x in struct.unpack(f"<{len(data) // 2}h", data)[::2]]


def power(values, frequency):
    """Goertzel's algorithm, in decibels."""
    factor = 2 * math.cos(2 * math.pi * frequency / 48_000)
    before = now = 0.0
    for x in values:
        before, now = now, x + factor * now - before
    return 10 * math.log10(now * now + before * before - factor * now * before + 1e-20)


def test_a_score_is_rendered_to_a_sound_file(home):
    text = '(score (part :name "Flute" (measure (note a4 :w)) (measure (note e5 :w))))'
    done = run(home, "render", piece(home, text), "-o", "out.wav", "--exact")
    assert done.returncode == 0, done
    assert re.fullmatch(r"wrote out.wav \([0-9.]+ s\)\n", done.stdout) and done.stderr == ""
    heard = samples(home.path / "out.wav")
    # At 120 quarter notes a minute a measure lasts two seconds.
    for begin, key in [(0.5, 69), (2.5, 76)]:
        middle = heard[int(begin * 48_000):int((begin + 0.5) * 48_000)]
        strength = [power(middle, 440 * 2 ** ((k - 69) / 12)) for k in (key - 1, key, key + 1)]
        assert strength[1] > strength[0] + 10 and strength[1] > strength[2] + 10, (key, strength)


@pytest.mark.parametrize("name, magic", [("out.flac", b"fLaC"), ("out.ogg", b"OggS"), ("OUT.WAV", b"RIFF")])
def test_the_format_is_that_of_the_extension(home, name, magic):
    assert run(home, "render", piece(home), "-o", name, "--measures", "1").returncode == 0
    assert (home.path / name).read_bytes()[:4] == magic


def test_what_cannot_be_rendered_leaves_no_file(home):
    before = set(os.listdir(home.path)) | {"piece.ferm"}
    for options, says in [(["-o", "out.mp3"], "Use .wav, .flac or .ogg"),
                          (["-o", "nowhere/out.wav"], "No such file or directory"),
                          (["-o", "out.wav", "--soundfont", "none.sf2"], "there is no soundfont none.sf2"),
                          (["-o", "out.wav", "--soundfont", "piece.ferm"], "piece.ferm is not a soundfont"),
                          (["-o", "out.wav", "--measures", "9"], "there is no measure 9")]:
        refused = run(home, "render", piece(home), *options)
        assert refused.returncode == 1 and says in refused.stderr, refused
    assert set(os.listdir(home.path)) <= before


def test_ctrl_c_leaves_no_file(home):
    long = "(score (part (repeat-times 2000 (measure (chord c4 e4 g4 c5 e5 g5 :w)))))"
    before = set(os.listdir(home.path)) | {"piece.ferm"}
    with Terminal(home, "render", piece(home, long), "-o", str(home.path / "out.wav"), ready=False) as t:
        t.wait_for(r"\d+ %")
        t.type("ctrl-c")
        assert t.wait_for_end() == 130
        assert "interrupted" in t.text()
    assert set(os.listdir(home.path)) <= before
