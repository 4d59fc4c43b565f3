"""Playback and recording through the ALSA sequencer: the real binary, and programs of alsa-utils at the other end.
Where there is no sequencer, `./dev alsa` runs this file in a virtual machine that has one."""

import json
import re
import signal
import subprocess

import pytest

from support import alsa, jack
from support.midi_file import midi_file
from support.program import BINARY, PATIENCE
from support.terminal import Terminal

pytestmark = pytest.mark.skipif(not alsa.is_available(), reason="no ALSA sequencer (./dev alsa has one)")

PROBE = "alsa:aseqdump:aseqdump"
KEYSTATION = "alsa:Keystation:Keystation MIDI 1"
SCALE = '(score (part :name "Piano" (measure (note c4 :q) (note d4 :q) (note e4 :q) (note f4 :q)) ' \
        "(measure (note g4 :w))))"
# MIDI key numbers: middle C, C4, is 60.
SCALE_NOTES = [(key, on) for key in (60, 62, 64, 65, 67) for on in (True, False)]
OCTAVE = (60, 62, 64, 65, 67, 69, 71, 72)
# Six seconds for each chord: far longer than the tests take to act in the first one.
CHORD = "(part :piano (measure (tempo :q 40) (chord c4 e4 g4 :w)) (measure (chord c4 e4 g4 :w)))"
# Package timgm6mb-soundfont; compressed ones take minutes to load in software emulation.
SOUNDFONT = "/usr/share/sounds/sf2/TimGM6mb.sf2"
# What a guard sends on channels 0 to 15: the pedal up, all notes off, all sound off.
SILENCE = [bytes([0xB0 + channel, number, 0]) for channel in range(16) for number in (64, 123, 120)]


def only_alsa(home, **more):
    """An environment without JACK and PulseAudio."""
    return {"JACK_DEFAULT_SERVER": "fermata-none", "JACK_NO_START_SERVER": "1",
            "PULSE_SERVER": "unix:/nonexistent", "XDG_RUNTIME_DIR": str(home.path), **more}


def run(home, *args):
    return subprocess.run([BINARY, *args], env=home.environment(**only_alsa(home)), text=True,
                          capture_output=True, timeout=PATIENCE, check=False, cwd=home.path)


def player(home, *args):
    return subprocess.Popen([BINARY, "play", *args], env=home.environment(**only_alsa(home)), text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def prompt(home):
    return Terminal(home, columns=110, **only_alsa(home))


def piece(home, text=SCALE):
    file = home.path / "piece.ferm"
    file.write_text(text, encoding="utf-8")
    return str(file)


def ids(home):
    found = run(home, "devices", "--json")
    assert (found.returncode, found.stderr) == (0, "")
    return [d["id"] for d in json.loads(found.stdout)["devices"]]


def notes(messages):
    """(key, on) of the notes, in order."""
    return [(m[1], m[0] & 0xF0 == 0x90 and m[2] > 0) for _, m in messages if m[0] & 0xF0 in (0x80, 0x90)]


def three_sound(messages):
    return len(jack.sounding(messages)) == 3


def silence(messages):
    return not jack.sounding(messages)


def shows_nothing(t):
    return t.prompt() and "▶" not in t.prompt()["badge"]


def shows(t, badge):
    return t.prompt() and badge in t.prompt()["badge"]


def keystrokes(keys):
    return [message for key in keys for message in ((0x90, key, 80), (0x80, key, 64))]


def take(home, number=1):
    """The bytes of the messages of a take."""
    lines = (home.session() / f"takes/{number}.take").read_text(encoding="utf-8").splitlines()
    return [bytes.fromhex(line.split()[2]) for line in lines if line[0].isdigit()]


def notation(t):
    return re.findall(r"\(note (\S+) :q\)", t.enter(":score"))


# --- devices --------------------------------------------------------------------------------------


def test_ports_are_listed_by_names_that_stay_the_same(home):
    with alsa.Receiver() as first:
        listed = ids(home)
        assert PROBE in listed and "virtual" in listed
        assert "alsa:Midi Through:Midi Through Port-0" in listed
        # The player's own port, and those that only send or that nobody may connect to, are not destinations.
        assert not any(i.startswith(("alsa:Fermata", "alsa:System")) for i in listed)
        with alsa.Keyboard("Nord", "Nord Out"):
            assert ids(home) == listed
        address = first.address
    with alsa.Keyboard("Nord", "Nord Out"), alsa.Receiver() as second:
        assert second.address != address
        assert ids(home) == listed


def test_two_programs_of_one_name_are_two_devices(home):
    with alsa.Receiver() as first, alsa.Receiver() as second:
        assert [i for i in ids(home) if i.startswith(PROBE)] == [PROBE, PROBE + " (2)"]
        done = run(home, "play", piece(home), "--exact", "--tempo", "1000%", "--device", PROBE + " (2)")
        assert (done.returncode, done.stderr) == (0, "")
        second.wait_until(lambda all_: len(notes(all_)) >= 10, "it is heard")
        assert notes(second.messages) == SCALE_NOTES and first.messages == []
        done = run(home, "play", piece(home), "--exact", "--tempo", "1000%", "--device", PROBE)
        assert (done.returncode, done.stderr) == (0, "")
        first.wait_until(lambda all_: len(notes(all_)) >= 10, "it is heard")
        assert notes(first.messages) == SCALE_NOTES == notes(second.messages)


# --- playing a file -------------------------------------------------------------------------------


def test_a_file_is_played_on_a_port(home):
    with alsa.Receiver() as probe:
        done = run(home, "play", piece(home), "--exact", "--tempo", "400%", "--device", PROBE)
        assert (done.returncode, done.stderr) == (0, "")
        messages = probe.wait_until(lambda all_: len(notes(all_)) >= 10, "it is heard")
        assert notes(messages) == SCALE_NOTES and silence(messages)


def test_a_musicxml_file_is_played_on_a_port(home):
    done = run(home, "compile", piece(home), "-o", "song.musicxml")
    assert done.returncode == 0, done.stderr
    with alsa.Receiver() as probe:
        done = run(home, "play", "song.musicxml", "--exact", "--tempo", "400%", "--device", "aseqdump")
        assert (done.returncode, done.stderr) == (0, "")
        messages = probe.wait_until(lambda all_: len(notes(all_)) >= 10, "it is heard")
        assert notes(messages) == SCALE_NOTES and silence(messages)


def test_many_notes_at_once_all_arrive(home):
    # Eight parts with chords of six notes, eight times: 384 notes, 96 messages at each barline but the outer ones.
    chord = "(chord c4 e4 g4 c5 e5 g5 :w)"
    parts = "".join(f'(part :name "P{i}" (repeat-times 8 (measure {chord})))' for i in range(8))
    with alsa.Receiver() as probe:
        done = run(home, "play", piece(home, f"(score {parts})"), "--exact", "--tempo", "400%", "--device", PROBE)
        assert (done.returncode, done.stderr) == (0, "")
        messages = probe.wait_until(lambda all_: len(notes(all_)) >= 768, "768 messages")
    for key in (60, 64, 67, 72, 76, 79):
        # No note of one channel begins before the one before it has ended.
        for channel in {m[0] & 0x0F for _, m in messages if m[0] & 0xF0 == 0x90}:
            of_key = [on for k, on in notes([(t, m) for t, m in messages if m[0] & 0x0F == channel]) if k == key]
            assert of_key == [True, False] * 8
    assert len(notes(messages)) == 768 and silence(messages)


def test_a_program_records_what_is_played(home):
    recorded = home.path / "recorded.mid"
    # A second program that receives: arecordmidi has a port of its own, to which another program connects.
    recorder = subprocess.Popen(["arecordmidi", "-p", "14:0", str(recorded)])
    try:
        alsa.wait_until(lambda: alsa.connections("14:0"), "it listens to Midi Through")
        done = run(home, "play", piece(home), "--exact", "--tempo", "400%", "--device", "Midi Through Port-0")
        assert (done.returncode, done.stderr) == (0, "")
    finally:
        recorder.send_signal(signal.SIGINT)
        recorder.wait(PATIENCE)
    done = run(home, "transcribe", "recorded.mid", "-o", "heard.ferm")
    assert done.returncode == 0, done.stderr
    heard = (home.path / "heard.ferm").read_text(encoding="utf-8")
    assert re.findall(r"\(note ([a-g][0-9])", heard) == ["c4", "d4", "e4", "f4", "g4"]


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_notes_first(home, number, status):
    with alsa.Receiver() as probe:
        process = player(home, piece(home, CHORD), "--device", PROBE)
        probe.wait_until(three_sound, "three notes sound")
        process.send_signal(number)
        said = process.communicate(timeout=PATIENCE)[1]
        assert process.returncode == status and "error" not in said, said
        probe.wait_until(silence, "nothing sounds")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_chord_ends_when_the_player_is_killed(home, number):
    with alsa.Receiver() as probe:
        process = player(home, piece(home, CHORD), "--device", PROBE)
        probe.wait_until(three_sound, "three notes sound")
        alsa.wait_until(lambda: len(alsa.connections(probe.address)) == 2, "the guard is connected too")
        process.send_signal(number)
        process.communicate(timeout=PATIENCE)
        messages = probe.wait_until(lambda all_: len([m for _, m in all_ if m[0] == 0xBF]) == 9, "the guard has ended")
        # Three rounds, of which nothing is lost here.
        assert [m for _, m in messages[-3 * len(SILENCE):]] == SILENCE * 3
        assert silence(messages)
        alsa.wait_until(lambda: not alsa.connections(probe.address), "the guard is gone")


def test_a_port_that_vanishes_is_an_error(home):
    with alsa.Receiver() as probe:
        process = player(home, piece(home, CHORD), "--loop", "--device", PROBE)
        probe.wait_until(three_sound, "three notes sound")
        probe.kill()
    said = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 1 and "the device aseqdump:aseqdump was disconnected" in said
    assert not alsa.addresses("Fermata", "out")  # the guard is gone too


def test_the_first_of_two_programs_of_one_name_vanishes(home):
    with alsa.Receiver() as first, alsa.Receiver() as second:
        process = player(home, piece(home, CHORD), "--loop", "--device", PROBE)
        first.wait_until(three_sound, "three notes sound")
        first.kill()
        said = process.communicate(timeout=PATIENCE)[1]
        assert process.returncode == 1 and "the device aseqdump:aseqdump was disconnected" in said
        assert second.messages == []


# --- at the prompt --------------------------------------------------------------------------------


def test_devices_are_listed_and_played_on_at_the_prompt(home):
    with alsa.Receiver() as probe, prompt(home) as t:
        assert f"{PROBE}  " in t.enter(":midi devices")
        t.enter(SCALE)
        assert "connected to aseqdump" in t.enter(":midi connect aseqdump")
        assert "playing the score on aseqdump" in t.enter(":play --exact --tempo 400%")
        t.wait_until(lambda: shows_nothing(t), "the end")
        messages = probe.wait_until(lambda all_: len(notes(all_)) >= 10, "it is heard")
        assert notes(messages) == SCALE_NOTES and silence(messages)
        assert ", playing" not in t.enter(":midi devices")
        t.type("ctrl-d").wait_for_end()


def test_other_programs_connect_to_the_virtual_port(home):
    with alsa.Receiver() as probe, prompt(home) as t:
        t.enter(SCALE)
        t.enter(":midi connect virtual")
        alsa.wait_until(lambda: alsa.addresses("Fermata", "Fermata"), "the port is there")
        subprocess.run(["aconnect", alsa.addresses("Fermata", "Fermata")[0], probe.address], check=True, timeout=PATIENCE)
        for played in (1, 2):  # what is connected stays connected
            t.enter(":play --exact --tempo 400%")
            t.wait_until(lambda: shows_nothing(t), "the end")
            messages = probe.wait_until(lambda all_, n=10 * played: len(notes(all_)) >= n, "it is heard")
            assert notes(messages) == SCALE_NOTES * played and silence(messages)
        t.type("ctrl-d").wait_for_end()


def test_a_program_that_ends_and_returns_is_played_on_again(home):
    with alsa.Receiver("0:1") as announcements, prompt(home) as t:
        with alsa.Receiver() as probe:
            t.enter(SCALE)
            # The program that listens to the announcements has this name too.
            assert "connected to aseqdump (2)" in t.enter(':midi connect "aseqdump (2)"')
            t.type(":play --loop --tempo 400%", "enter")
            probe.wait_until(lambda all_: len(notes(all_)) >= 4, "it is heard")
            probe.kill()
            before = len(announcements.lines)
        t.wait_for(r"aseqdump \(2\) was lost; playback continues without sound")
        with alsa.Receiver() as again:
            t.wait_for(r"aseqdump \(2\) is back")
            again.wait_until(lambda all_: len(notes(all_)) >= 4, "it is heard again")
            # Each look for the device makes a few clients come and go: it is looked for now and then, not all the time.
            assert len(announcements.lines) - before < 400
            t.enter(":stop")
            again.wait_until(silence, "silence")
        t.type("ctrl-d").wait_for_end()


def test_the_synthesizer_plays_on_the_sound_card_and_ends(home):
    status = "/proc/asound/card0/pcm0p/sub0/status"

    def is_running():
        with open(status, encoding="ascii") as f:
            return "RUNNING" in f.read()

    with prompt(home) as t:
        t.enter(":set audio-output alsa")
        t.enter(f":set soundfont {SOUNDFONT}")
        t.enter(SCALE)
        t.enter(":midi connect synth")
        assert "playing the score on " in t.enter(":play")
        t.wait_until(is_running, "the sound card runs")
        t.wait_until(lambda: shows_nothing(t), "the end")
        assert "error" not in t.text() and "lost" not in t.text()
        assert t.type("ctrl-d").wait_for_end() == 0
    done = run(home, "play", piece(home), "--tempo", "400%", "--device", "synth", "--soundfont", SOUNDFONT)
    assert (done.returncode, done.stderr) == (0, "")


# --- recording ------------------------------------------------------------------------------------


def test_what_a_keyboard_plays_is_recorded(home):
    with alsa.Keyboard() as keyboard, prompt(home) as t:
        listed = t.enter(":midi inputs")
        assert KEYSTATION in listed and "Fermata:" not in listed
        assert "listening to Keystation MIDI 1" in t.enter(":midi input keystation")
        keyboard.wait_for_listener()
        assert "recording take 1 from Keystation MIDI 1" in t.enter(":record")
        # Also the ways in which a keyboard lets go of a key, and what is no note.
        played = [(0x90, 60, 80), (0x90, 60, 0), (0xB1, 64, 127), (0xE2, 0, 65), (0xD3, 17), (0xC4, 5),
                  (0xA5, 60, 9), (0x90, 62, 1), (0x80, 62, 64), (0xF0, 0x7E, *range(100), 0xF7), (0x9F, 127, 127),
                  (0x8F, 127, 0)]
        keyboard.play(played)
        t.wait_until(lambda: shows(t, "●3"), "three notes")
        assert "take 1: 3 notes in " in t.enter(":stop")
        t.type("ctrl-d").wait_for_end()
    assert take(home) == [bytes(m) for m in played]


def test_what_was_played_on_an_instrument_is_kept(home):
    # The other side of this port is a device, /dev/snd/midiC1D0, as that of a keyboard.
    bytes_ = " ".join(f"{byte:02X}" for message in keystrokes(OCTAVE) for byte in message)
    with prompt(home) as t:
        assert "listening to VirMIDI 1-0" in t.enter(':midi input "VirMIDI 1-0"')
        alsa.wait_until(lambda: alsa.connections(alsa.addresses("Virtual Raw MIDI 1-0", "VirMIDI 1-0")[0]), "it listens")
        subprocess.run(["amidi", "-p", "hw:1,0", "-S", bytes_], check=True, timeout=PATIENCE)
        # A take that was kept too early has fewer notes.
        t.wait_until(lambda: ": 8 notes in " in t.enter(":keep 2m"), "eight notes")
        number = re.findall(r"take (\d+): 8 notes in ", t.text())[0]
        t.type("ctrl-d").wait_for_end()
    assert take(home, number) == [bytes(m) for m in keystrokes(OCTAVE)]


def test_a_midi_file_played_into_the_virtual_port_becomes_notation(home):
    # Quarter notes at 120 to the minute: a tick is 500 ms / 480.
    track = [event for key in OCTAVE for event in ((0, (0x90, key, 80)), (480, (0x80, key, 64)))]
    song = home.path / "song.mid"
    song.write_bytes(midi_file(track))
    with prompt(home) as t:
        t.enter(":midi input virtual")
        alsa.wait_until(lambda: alsa.addresses("Fermata", "Fermata input"), "the port is there")
        t.enter(":record")
        subprocess.run(["aplaymidi", "-p", alsa.addresses("Fermata", "Fermata input")[0], str(song)], check=True,
                       timeout=PATIENCE)
        t.wait_until(lambda: shows(t, "●8"), "eight notes")
        assert "take 1: 8 notes in " in t.enter(":stop")
        assert "proposal 2: " in t.enter(":quantize --tempo 120")
        t.enter(":accept 2")
        assert notation(t) == ["c4", "d4", "e4", "f4", "g4", "a4", "b4", "c5"]
        t.type("ctrl-d").wait_for_end()


def test_two_keyboards_of_one_name_are_both_recorded(home):
    with alsa.Keyboard() as left, prompt(home) as t:
        with alsa.Keyboard() as right:
            listed = t.enter(":midi inputs")
            assert KEYSTATION + "  " in listed and KEYSTATION + " (2)" in listed
            t.enter(":midi input all")
            left.wait_for_listener()
            right.wait_for_listener()
            t.enter(":record")
            left.play(keystrokes(OCTAVE[:3]))
            t.wait_until(lambda: shows(t, "●3"), "three notes")
            right.play(keystrokes(OCTAVE[3:5]))
            t.wait_until(lambda: shows(t, "●5"), "five notes")
        t.wait_for(r"Keystation MIDI 1 \(2\) was lost")
        left.play(keystrokes(OCTAVE[5:]))
        t.wait_until(lambda: shows(t, "●8"), "eight notes")
        assert "take 1: 8 notes in " in t.enter(":stop")
        t.type("ctrl-d").wait_for_end()
    assert take(home) == [bytes(m) for m in keystrokes(OCTAVE)]


def test_the_first_of_two_keyboards_of_one_name_is_unplugged(home):
    with prompt(home) as t:
        with alsa.Keyboard() as left, alsa.Keyboard() as right:
            t.enter(":midi input all")
            left.wait_for_listener()
            right.wait_for_listener()
            t.enter(":record")
            left.close()
            t.wait_for("Keystation MIDI 1 was lost")
            # It has one listener, so that nothing is recorded twice.
            alsa.wait_until(lambda: len(alsa.connections(right.address)) == 1, "one listener")
            right.play(keystrokes(OCTAVE[:4]))
            t.wait_until(lambda: shows(t, "●4"), "four notes")
            assert "take 1: 4 notes in " in t.enter(":stop")
        t.type("ctrl-d").wait_for_end()
    assert take(home) == [bytes(m) for m in keystrokes(OCTAVE[:4])]


def test_a_keyboard_that_goes_and_comes_back_is_recorded_on(home):
    with prompt(home) as t:
        with alsa.Keyboard() as keyboard:
            t.enter(":midi input keystation")
            keyboard.wait_for_listener()
            t.enter(":record")
            keyboard.play(keystrokes(OCTAVE[:2]))
            t.wait_until(lambda: shows(t, "●2"), "two notes")
        t.wait_for("Keystation MIDI 1 was lost")
        with alsa.Keyboard() as keyboard:
            t.wait_for("Keystation MIDI 1 is back")
            keyboard.wait_for_listener()
            keyboard.play(keystrokes(OCTAVE[2:]))
            t.wait_until(lambda: shows(t, "●8"), "eight notes")
            t.enter(":stop")
        t.type("ctrl-d").wait_for_end()
    assert take(home) == [bytes(m) for m in keystrokes(OCTAVE)]


def test_what_is_played_is_heard_on_the_playback_device(home):
    with alsa.Keyboard() as keyboard, alsa.Receiver() as probe, prompt(home) as t:
        t.enter(":midi default aseqdump")
        t.enter(":midi input keystation")
        assert "Keystation MIDI 1 is heard on aseqdump" in t.enter(":midi thru on")
        keyboard.wait_for_listener()
        keyboard.play([(0x90, 60, 80), (0x80, 60, 64), (0x90, 62, 80)])
        probe.wait_until(lambda all_: notes(all_) == [(60, True), (60, False), (62, True)], "it is heard")
        t.enter(":midi thru off")  # the note that is held ends
        probe.wait_until(silence, "silence")
        t.type("ctrl-d").wait_for_end()
