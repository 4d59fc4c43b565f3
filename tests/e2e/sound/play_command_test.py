"""`fermata play` and `devices`: the real binary and a real JACK server."""

import json
import signal
import subprocess

import pytest

from support import jack
from support.midi_file import midi_file
from support.program import BINARY, PATIENCE
from support.terminal import Terminal

SCALE = '(score (part :name "Piano" (measure (note c4 :q) (note d4 :q) (note e4 :q) (note f4 :q)) ' \
        "(measure (note g4 :w))))"
LONG = "(score (part (repeat-times 2 (measure (chord c4 e4 g4 :w)))))"

needs_jack = pytest.mark.skipif(not jack.is_available(), reason="no JACK server starts here")


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
def test_a_file_is_played_on_a_port(home):
    with jack.JackServer() as server, jack.Receiver(server) as probe:
        done = run(home, "play", piece(home), "--exact", "--tempo", "400%", "--device", "probe:in",
                   env=home.environment(**server.env))
        assert (done.returncode, done.stderr) == (0, "")
        probe.wait_for(10)
        assert notes(probe.messages)[:10] == [
            (60, True), (60, False), (62, True), (62, False), (64, True), (64, False),
            (65, True), (65, False), (67, True), (67, False)]
        assert silence(probe.messages)


def test_each_message_is_due_at_its_time(home):
    # The device in memory writes when each message is due, whatever the machine does meanwhile: at 120 quarter
    # notes a minute, four times as fast, 125 ms after the one before.
    heard = home.path / "heard"
    done = run(home, "play", piece(home), "--exact", "--tempo", "400%", "--device", "memory",
               env=dict(without_server(home), FERMATA_MIDI_RECORD=str(heard)))
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split(" ") for line in heard.read_text(encoding="ascii").splitlines()]
    starts = [int(time) for time, _, data in lines if data.startswith("90") and data[4:] != "00"]
    assert [b - a for a, b in zip(starts, starts[1:])] == [125_000_000] * 4


def test_the_configured_device_is_used_unless_one_is_named(home):
    heard = home.path / "heard"
    env = dict(without_server(home), FERMATA_MIDI_RECORD=str(heard))
    home.folder.mkdir()
    (home.folder / "config.toml").write_text('midi-device = "memory"\nmidi-clock = true\n')
    done = run(home, "play", piece(home), "--exact", "--tempo", "1000%", env=env)
    assert (done.returncode, done.stderr) == (0, "")
    messages = [line.split(" ")[2].strip() for line in heard.read_text(encoding="ascii").splitlines()]
    assert [m[2:4] for m in messages if m.startswith("90") and m[4:] != "00"] == ["3c", "3e", "40", "41", "43"]
    assert messages.count("f8") >= 24 and "fa" in messages
    refused = run(home, "play", piece(home), "--device", "nothing", env=env)
    assert refused.returncode == 1 and "nothing" in refused.stderr


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


@pytest.mark.parametrize("option, value", [("--gain", "nan"), ("--gain", "11"), ("--gain", "loud"), ("--count-in", "65")])
def test_a_number_out_of_range_is_refused_by_name(home, option, value):
    refused = run(home, "play", piece(home), option, value)
    assert refused.returncode == 2 and f"invalid value `{value}` for option {option}" in refused.stderr, refused


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


def has_time_namespaces():
    tried = subprocess.run([*in_another_time("1"), "true"], capture_output=True, check=False)
    return tried.returncode == 0


def in_another_time(seconds):
    """The beginning of a command whose clocks are so many seconds ahead of those of this machine."""
    return ["unshare", "--user", "--map-root-user", "--time", "--monotonic", seconds]


@needs_jack
@pytest.mark.parametrize("ahead", ["1000", "-1000"])
def test_the_clock_of_the_server_may_be_another(home, ahead):
    """CLOCK_MONOTONIC_RAW, say, from which ours drifts away. A note that is due now is not sent in 1,000 seconds,
    nor do notes come all at once."""
    if not has_time_namespaces():
        pytest.skip("no time namespaces here")
    with jack.JackServer() as server, jack.Receiver(server) as probe:
        subprocess.run([*in_another_time(ahead), BINARY, "play", piece(home), "--tempo", "400%", "--device", "probe:in"],
                       env=home.environment(**server.env), check=True, timeout=PATIENCE, capture_output=True)
        probe.wait_for(10)
    frames = [frame for frame, m in probe.messages if m[0] & 0xF0 == 0x90 and m[2] > 0]
    assert len(frames) == 5 and frames == sorted(set(frames))


@needs_jack
def test_a_port_that_is_not_there_is_refused_with_the_nearest_name(home):
    with jack.JackServer() as server, jack.Receiver(server):
        done = run(home, "play", piece(home), "--device", "jack:prob:in", env=home.environment(**server.env))
        assert done.returncode == 1
        assert done.stderr == "fermata: unknown device `jack:prob:in`\n  Did you mean `jack:probe:in`?\n"


@needs_jack
def test_a_device_that_goes_away_is_an_error(home):
    with jack.JackServer() as server:
        with jack.Receiver(server) as probe:
            player = subprocess.Popen([BINARY, "play", piece(home, LONG), "--loop", "--device", "probe:in"],
                                      env=home.environment(**server.env), stderr=subprocess.PIPE, text=True)
            probe.wait_until(three_sound, "three notes sound")
        _, said = player.communicate(timeout=PATIENCE)
        assert player.returncode == 1 and "the device probe:in was disconnected" in said


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
    assert "no synthesizer and no MIDI ports" in played.stderr and "no JACK server is running" in played.stderr
    unknown = run(home, "devices", env=without_server(home) | {"FERMATA_SOUND_LIBRARY": "/nonexistent.so"})
    assert unknown.returncode == 1 and "cannot load the sound library" in unknown.stderr


def test_what_is_no_music_is_refused(home):
    for text, says in [("(score (part (measure (rest :w))))", "there is nothing to play"), ("(note c4", "unclosed"),
                       ("(+ 1 2)", "there is nothing to play")]:
        refused = run(home, "play", piece(home, text))
        assert refused.returncode == 1 and says in refused.stderr, refused


# --- MIDI files -----------------------------------------------------------------------------------


def off_the_grid(**how):
    """A note from tick 1 to tick 700."""
    return midi_file([(1, b"\x90\x3c\x46"), (699, b"\x80\x3c\x21")], **how)


@pytest.mark.parametrize(("division", "expected"), [
    # 480 ticks in half a second: the note is 728,125 us long.
    (480, 728_125_000),
    # 25 frames of 40 ticks a second, whatever the tempo: 699 ms.
    (0xE728, 699_000_000),
])
def test_a_midi_file_is_played_as_it_stands(home, division, expected):
    (home.path / "piece.mid").write_bytes(off_the_grid(division=division, form=0))
    heard = home.path / "heard"
    done = run(home, "play", "piece.mid", "--device", "memory", env=dict(without_server(home), FERMATA_MIDI_RECORD=str(heard)))
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split() for line in heard.read_text().splitlines()]
    notes_in = [(int(time), data) for time, _, data in lines if data.upper().startswith(("90", "80"))]
    assert [data.upper() for _, data in notes_in] == ["903C46", "803C21"]
    assert notes_in[1][0] - notes_in[0][0] == expected


def test_parts_and_measures_of_a_midi_file_are_chosen(home):
    name = b"\xff\x03"
    (home.path / "piece.mid").write_bytes(midi_file(
        [(0, name + b"\x04Oboe"), (3, b"\x90\x40\x40"), (1919, b"\x80\x40\x40"), (0, b"\x90\x41\x40"), (480, b"\x80\x41\x40")],
        [(0, name + b"\x04Horn"), (5, b"\x91\x30\x40"), (1900, b"\x81\x30\x40")]))
    heard = home.path / "heard"
    env = dict(without_server(home), FERMATA_MIDI_RECORD=str(heard))

    def played(*options):
        done = run(home, "play", "piece.mid", "--device", "memory", "--tempo", "1000%", *options, env=env)
        assert done.returncode == 0, done.stderr
        return [line.split()[2].upper()[:4] for line in heard.read_text().splitlines()
                if line.split()[2].upper()[0] == "9"]

    assert played() == ["9040", "9130", "9041"]
    assert played("--part", "horn") == ["9130"]
    assert played("--measures", "2") == ["9041"]
    refused = run(home, "play", "piece.mid", "--device", "memory", "--part", "Flute", env=env)
    assert refused.returncode == 1 and "Flute" in refused.stderr and "Oboe" in refused.stderr


def test_all_notes_may_be_on_one_port_that_is_not_the_first(home):
    """The conductor's track, which names no port, sends nothing."""
    (home.path / "piece.mid").write_bytes(midi_file(
        [(0, b"\xff\x51\x03\x07\xa1\x20")], [(0, b"\xff\x21\x01\x01"), (0, b"\x90\x3c\x46"), (9, b"\x80\x3c\x21")]))
    heard = home.path / "heard"
    done = run(home, "play", "piece.mid", "--device", "memory",
               env=dict(without_server(home), FERMATA_MIDI_RECORD=str(heard)))
    assert (done.returncode, done.stderr) == (0, "")
    assert "903c46" in heard.read_text().lower().replace(" ", "")


def test_a_device_without_the_channels_of_all_parts_plays_nothing(home):
    """Two ports; the part that is chosen is on the second, and the device has one."""
    port = b"\xff\x21\x01"
    (home.path / "piece.mid").write_bytes(midi_file(
        [(0, port + b"\x00"), (0, b"\xff\x03\x04Oboe"), (0, b"\x90\x3c\x46"), (9, b"\x80\x3c\x21")],
        [(0, port + b"\x01"), (0, b"\xff\x03\x04Horn"), (0, b"\x90\x3e\x46"), (9, b"\x80\x3e\x21")]))
    done = run(home, "play", "piece.mid", "--device", "memory", "--part", "Horn",
               env=dict(without_server(home), FERMATA_MIDI_RECORD=str(home.path / "heard")))
    assert done.returncode == 1 and "parts not heard: Horn" in done.stderr and "nothing to play on this" in done.stderr


def test_a_signal_ends_the_program_while_it_reads_standard_input(home):
    env = dict(without_server(home), FERMATA_MIDI_RECORD=str(home.path / "heard"))
    with subprocess.Popen([BINARY, "play", "-", "--device", "memory"], env=env, stdin=subprocess.PIPE) as p:
        try:
            jack.JackServer.wait_until(lambda: holds_back(p.pid, signal.SIGINT), "signals are taken in turn")
            p.send_signal(signal.SIGINT)
            assert p.wait(PATIENCE) == 128 + signal.SIGINT
        finally:
            p.kill()


def holds_back(pid, number):
    with open(f"/proc/{pid}/status", encoding="ascii") as f:
        blocked = next(line for line in f if line.startswith("SigBlk:"))
    return int(blocked.split()[1], 16) >> (number - 1) & 1


def test_the_soundfont_of_the_settings_that_is_missing_is_named(home):
    subprocess.run([BINARY, "config", "set", "soundfont", "/nonexistent.sf2"], env=home.environment(), check=True,
                   capture_output=True)
    done = run(home, "play", piece(home))
    assert done.returncode == 1 and "there is no soundfont /nonexistent.sf2" in done.stderr
