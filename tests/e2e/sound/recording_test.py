"""Recording at the prompt: a process plays on a real JACK port, and what it played becomes a take and a proposal."""

import json
import re
import signal

import pytest

from support import jack
from support.client import Client
from support.mcp_host import Host
from support.program import pipe
from support.terminal import Terminal

needs_jack = pytest.mark.skipif(not jack.is_available(), reason="no JACK server starts here")

SCALE = (60, 62, 64, 65, 67, 69, 71, 72)  # C4 to C5, MIDI key numbers
BEAT = jack.RATE // 2  # frames: 120 beats a minute


def scale(keys=SCALE, beat=BEAT):
    """A note each beat, nearly as long as it: (frame, message)."""
    return [event for i, key in enumerate(keys)
            for event in ((i * beat, (0x90, key, 80)), (i * beat + beat * 9 // 10, (0x80, key, 64)))]


def silent(home, **more):
    """An environment without a synthesizer."""
    return {"PULSE_SERVER": "unix:/nonexistent", "XDG_RUNTIME_DIR": str(home.path), **more}


def no_midi(home):
    return silent(home, JACK_DEFAULT_SERVER="fermata-none", JACK_NO_START_SERVER="1")


def take(home, number, session="session-1"):
    """The events of a take, (nanoseconds, bytes), and whether it has an end."""
    lines = (home.session(session) / f"takes/{number}.take").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "fermata-take 2"
    events = [(int(at), bytes.fromhex(data)) for at, _, data in
              (line.split() for line in lines if line[0].isdigit())]
    return events, lines[-1].startswith("end ")


def shows(t, badge):
    """Whether the prompt, which may just be drawn anew, has this badge."""
    return t.prompt() and badge in t.prompt()["badge"]


def keys_on(events):
    return [data[1] for _, data in events if data[0] & 0xF0 == 0x90 and data[2] > 0]


@needs_jack
def test_a_take_to_a_metronome_ends_by_itself_and_is_transcribed(home):
    heard = home.path / "heard"
    with jack.JackServer() as server, jack.Keyboard(server) as keyboard, \
            Terminal(home, columns=100, **silent(home, **server.env, FERMATA_MIDI_RECORD=str(heard))) as t:
        t.enter(":midi connect memory")
        said = t.enter(":record --metronome --count-in --measures 4 --tempo 240")
        assert "recording take 1 from keyboard:out; `:stop` ends it" in said
        assert "playing a metronome on " in said
        keyboard.play(scale(SCALE[:4], beat=BEAT // 4))
        t.wait_for("proposal 1: ")
        t.wait_until(lambda: t.prompt() and not shows(t, "●"), "the recording has ended")
        assert ":quantize 1" in t.enter(":history")
        t.type("ctrl-d").wait_for_end()
    events, is_complete = take(home, 1)
    assert is_complete and keys_on(events) == list(SCALE[:4])
    lines = (home.session("session-1") / "takes/1.take").read_text(encoding="utf-8").splitlines()
    beats = [line.split() for line in lines if line.startswith("beat ")]
    assert [(int(number), meter) for _, _, number, meter in beats] == [(n, "4/4") for n in (1, 2, 3, 4)] * 4
    times = [int(at) for _, at, _, _ in beats]
    assert all(abs(b - a - 250_000_000) < 1_000 for a, b in zip(times, times[1:]))


@needs_jack
def test_what_is_played_is_heard_on_the_playback_device(home):
    with jack.JackServer() as server, jack.Keyboard(server) as keyboard, jack.Receiver(server) as probe, \
            Terminal(home, columns=100, **silent(home, **server.env)) as t:
        t.enter(":midi default probe:in")
        assert "midi-thru = on; keyboard:out is heard on " in t.enter(":midi thru on")
        keyboard.play([(0, (0x90, 60, 80)), (100, (0x80, 60, 64)), (200, (0x90, 62, 80))])
        probe.wait_until(lambda all_: keys_on(all_) == [60, 62], "it is heard")
        assert "midi-thru = true" in (home.folder / "config.toml").read_text(encoding="utf-8")
        # The note that is held ends.
        assert "midi-thru = off" in t.enter(":midi thru off")
        probe.wait_until(lambda all_: not jack.sounding(all_), "silence")
        t.enter(":record")
        keyboard.play([(0, (0x80, 62, 64)), (100, (0x90, 64, 80)), (200, (0x80, 64, 64))])
        t.wait_until(lambda: shows(t, "●1"), "it is recorded")
        t.enter(":stop")
        assert keys_on(probe.messages) == [60, 62]
        t.type("ctrl-d").wait_for_end()
    assert "midi-thru = false" in (home.folder / "config.toml").read_text(encoding="utf-8")


@needs_jack
def test_what_is_played_becomes_a_take_and_notation(home):
    with jack.JackServer() as server, jack.Keyboard(server) as keyboard, \
            Terminal(home, columns=100, **silent(home, **server.env)) as t:
        assert "recording take 1 from keyboard:out; `:stop` ends it" in t.enter(":record")
        keyboard.play(scale())
        t.wait_until(lambda: shows(t, "●8"), "the prompt shows eight notes")
        said = t.enter(":stop")
        assert "take 1: 8 notes in " in said
        assert "proposal 1: " in said and "8 notes added" in said
        t.wait_until(lambda: t.prompt() and not shows(t, "●"), "the recording has ended")
        # Half a second may be a quarter note or an eighth, unless the tempo is known.
        assert "proposal 2: " in t.enter(":quantize --tempo 120")
        assert "8 notes added" in t.enter(":accept 2")
        score = t.enter(":score")
        assert re.findall(r"\(note (\S+) :q\)", score) == ["c4", "d4", "e4", "f4", "g4", "a4", "b4", "c5"]
        t.type("ctrl-d").wait_for_end()
    events, is_complete = take(home, 1)
    assert is_complete and keys_on(events) == list(SCALE)
    starts = [at for at, data in events if data[0] == 0x90]
    # 3.5 s in the time of the server, which may be late on a busy machine.
    assert starts == sorted(starts) and 1_700_000_000 < starts[-1] - starts[0] < 30_000_000_000


@needs_jack
def test_what_was_played_before_is_kept(home):
    home.folder.mkdir()
    home.folder.joinpath("config.toml").write_text('midi-input = "all"\n', encoding="utf-8")
    with jack.JackServer() as server, jack.Keyboard(server) as keyboard, \
            Terminal(home, **silent(home, **server.env)) as t:
        t.wait_until(lambda: server.connections(keyboard.port), "the input is open")
        keyboard.play(scale(beat=BEAT // 4))
        assert "take 1: 8 notes in " in t.enter(":keep")
        assert "take 1: 8 notes" in t.enter(":takes")
        t.type("ctrl-d").wait_for_end()
    assert keys_on(take(home, 1)[0]) == list(SCALE)


@needs_jack
def test_a_killed_program_has_kept_what_was_played(home):
    with jack.JackServer() as server, jack.Keyboard(server) as keyboard:
        with Terminal(home, **silent(home, **server.env)) as t:
            t.enter(":record")
            keyboard.play(scale(beat=BEAT // 8))
            # The last tenth of a second may be lost: what was played before it is there.
            t.wait_until(lambda: len(take(home, 1)[0]) == 16, "it is in the file")
            t.kill(signal.SIGKILL)
        assert not take(home, 1)[1]
        with Terminal(home, **silent(home, **server.env)) as t:
            assert "take 1: 8 notes" in t.enter(":takes") and "interrupted" in t.enter(":takes")
            assert "proposal 1: " in t.enter(":quantize 1")
            assert "recording take 2" in t.enter(":record")
            t.type("ctrl-d").wait_for_end()


@needs_jack
def test_an_input_that_goes_and_comes_back_is_recorded_on(home):
    with jack.JackServer() as server, Terminal(home, **silent(home, **server.env)) as t:
        with jack.Keyboard(server) as keyboard:
            t.enter(":record")
            keyboard.play(scale(SCALE[:2], BEAT // 8))
            t.wait_until(lambda: shows(t, "●2"), "two notes")
        t.wait_for("keyboard:out was lost")
        with jack.Keyboard(server) as keyboard:
            t.wait_for("keyboard:out is back")
            t.wait_until(lambda: server.connections(keyboard.port), "the input is open")
            keyboard.play(scale(SCALE[2:], BEAT // 8))
            t.wait_until(lambda: shows(t, "●8"), "eight notes")
            t.enter(":stop")
            t.type("ctrl-d").wait_for_end()
    assert keys_on(take(home, 1)[0]) == list(SCALE)


@needs_jack
def test_a_server_that_ends_and_returns_while_a_take_is_recorded(home):
    with jack.JackServer() as server, Terminal(home, **silent(home, **server.env)) as t:
        with jack.Keyboard(server) as keyboard:
            t.enter(":record")
            keyboard.play(scale(SCALE[:3], BEAT // 8))
            t.wait_until(lambda: shows(t, "●3"), "three notes")
            server.kill()
            t.wait_for("keyboard:out was lost")
        server.start()
        with jack.Keyboard(server) as keyboard:
            t.wait_for("keyboard:out is back")
            t.wait_until(lambda: server.connections(keyboard.port), "the input is open")
            keyboard.play(scale(SCALE[3:], BEAT // 8))
            t.wait_until(lambda: shows(t, "●8"), "eight notes")
            t.enter(":stop")
            t.type("ctrl-d").wait_for_end()
    assert keys_on(take(home, 1)[0]) == list(SCALE)


@needs_jack
def test_inputs_are_listed_and_chosen(home):
    with jack.JackServer() as server, jack.Keyboard(server, "keys"), jack.Keyboard(server, "pads") as pads, \
            Terminal(home, **silent(home, **server.env)) as t:
        listed = t.enter(":midi inputs")
        assert "jack:keys:out" in listed and "jack:pads:out" in listed and "virtual" in listed
        assert "midi-input = jack:pads:out; listening to pads:out" in t.enter(":midi input pads")
        assert 'midi-input = "jack:pads:out"' in home.folder.joinpath("config.toml").read_text(encoding="utf-8")
        assert "recording take 1 from pads:out" in t.enter(":record")
        pads.play(scale(SCALE[:1]))
        t.wait_until(lambda: shows(t, "●1"), "one note")
        t.enter(":stop")
        assert "midi-input = off" in t.enter(":midi input off")
        t.wait_until(lambda: not server.connections(pads.port), "the input is closed")
        assert "MIDI inputs are off" in t.enter(":record")
        assert "unknown device `pods`" in t.enter(":midi input pods")
        t.type("ctrl-d").wait_for_end()


def test_what_cannot_be_recorded_is_an_error(home):
    done = pipe(home, ":record\n:keep\n:takes\n:quantize\n:stop\n", "--session", "song", **no_midi(home))
    said = (done.stdout + done.stderr).decode()
    for message in ("there is no MIDI input", "no JACK server is running", "no takes", "this session has no takes",
                    "nothing is playing"):
        assert message in said, message
    # Without a session nothing is kept, so nothing can be recorded.
    done = pipe(home, ":record\n", **no_midi(home))
    assert "cannot keep takes" in done.stderr.decode() and done.returncode == 1


def test_a_take_by_hand_is_written_down_without_any_midi_system(home):
    pipe(home, "(def x 1)\n", "--session", "song")
    takes = home.session("song") / "takes"
    takes.mkdir()
    lines = ["fermata-take 1", "started 2026-11-30T16:40:00.000Z", "port piano"]
    for at, data in scale():
        lines.append(f"{at * 1_000_000_000 // jack.RATE} 0 {bytes(data).hex()}")
    (takes / "1.take").write_text("\n".join(lines) + "\nend 4000000000\n", encoding="ascii")
    (takes / "2.take").write_text("nonsense\n", encoding="ascii")
    done = pipe(home, ":takes\n:quantize 1 --tempo 120\n:accept 1\n:score\n:quantize 2\n", "--session", "song",
                **no_midi(home))
    out = (done.stdout + done.stderr).decode()
    assert "take 1: 8 notes in 4.0 s" in out
    assert "take 2: " in out and "line 1: this is not a take" in out
    assert re.findall(r"\(note (\S+) :q\)", out[out.index("(score"):]) == [
        "c4", "d4", "e4", "f4", "g4", "a4", "b4", "c5"]


# --- clients --------------------------------------------------------------------------------------


def next_recording(client):
    """The next event of the kind `recording`."""
    while True:
        message = json.loads(client.file.readline())
        if message.get("method") == "events.event":
            assert message["params"]["what"] == ["recording"]
            return message["params"]["recording"]


@needs_jack
def test_an_assistant_knows_what_was_just_played(home):
    with jack.JackServer() as server, jack.Keyboard(server) as keyboard, \
            Terminal(home, **silent(home, **server.env)) as t:
        t.enter(":midi input all")
        t.wait_until(lambda: server.connections(keyboard.port), "the input is open")
        keyboard.play(scale(beat=BEAT // 2))
        with Host(home.folder) as host:
            host.initialize(name="claude")
            tools = {tool["name"] for tool in host.ask("tools/list")["result"]["tools"]}
            assert {"repl_midi_get_recording", "repl_midi_get_input_buffer"} <= tools

            def played():
                return host.tool("repl_midi_get_input_buffer", {"seconds": 120})["structuredContent"]

            t.wait_until(lambda: len(played()["notes"]) == 8, "eight notes")
            assert played()["inputs"] == ["keyboard:out"]
            notes = played()["notes"]
            assert [n["key"] for n in notes] == list(SCALE)
            assert all(n["velocity"] == 80 and n["channel"] == 1 for n in notes)
            assert notes[0]["ago"] > notes[-1]["ago"] > 0
            # What was not recorded can be read as notation, which changes nothing.
            read = host.tool("repl_midi_get_recording", {"seconds": 120, "tempo": 240})["structuredContent"]
            assert read["notes"] == 8 and "take" not in read
            assert re.findall(r"\(note (\S+) :q\)", read["text"]) == ["c4", "d4", "e4", "f4", "g4", "a4", "b4", "c5"]
            assert read["readings"][0]["meter"] and read["readings"][0]["reason"]
            assert "no takes" in t.enter(":takes")
            assert host.tool("repl_midi_get_recording")["isError"]
            t.enter(":keep")
            read = host.tool("repl_midi_get_recording", {"take": 1, "meter": "3/4", "tempo": 240})["structuredContent"]
            assert read["take"] == 1 and read["readings"][0]["meter"] == "3/4" and "(time 3 4)" in read["text"]
            for wrong in ({"take": 9}, {"meter": "7/8"}, {"take": 1, "seconds": 5}, {"seconds": 0}, {"reading": 7}):
                assert host.tool("repl_midi_get_recording", wrong)["isError"], wrong
            # Proposed by the client, accepted by the user: the whole loop.
            host.tool("repl_propose", {"text": read["text"]})
        t.enter("")
        assert "8 notes added" in t.enter(":accept 2")
        t.type("ctrl-d").wait_for_end()


@needs_jack
def test_a_client_cannot_end_the_recording_of_the_user(home):
    with jack.JackServer() as server, jack.Keyboard(server) as keyboard, \
            Terminal(home, **silent(home, **server.env)) as t, Client(home, "claude") as c:
        t.enter(":record")
        assert c.call("midi_stop")["output"] == "nothing is playing"
        keyboard.play(scale(SCALE[:2], BEAT // 8))
        t.wait_until(lambda: shows(t, "●2"), "two notes")
        assert "take 1: 2 notes" in t.enter(":stop")
        t.type("ctrl-d").wait_for_end()


@needs_jack
def test_a_server_that_starts_after_the_prompt_is_found(home):
    home.folder.mkdir()
    home.folder.joinpath("config.toml").write_text('midi-input = "all"\n', encoding="utf-8")
    server = jack.JackServer()
    with Terminal(home, **silent(home, **server.env)) as t, server, jack.Keyboard(server) as keyboard:
        t.wait_until(lambda: "(JACK), open" in t.enter(":midi inputs"), "the input is open")
        keyboard.play(scale(SCALE[:2], BEAT // 8))
        t.wait_until(lambda: "take 1: 2 notes" in t.enter(":keep 1m"), "two notes")
        t.type("ctrl-d").wait_for_end()


@needs_jack
def test_a_client_is_told_of_notes_as_they_are_recorded(home):
    with jack.JackServer() as server, jack.Keyboard(server) as keyboard, \
            Terminal(home, **silent(home, **server.env)) as t, Client(home, "claude") as c:
        c.call("events.subscribe", kinds=["recording"])
        t.enter(":record")
        keyboard.play(scale(SCALE[:2], BEAT // 4))
        assert next_recording(c) == {}  # nothing was being recorded
        seen = [next_recording(c)]
        while seen[-1]["notes"] != 2 or seen[-1]["keys"]:
            seen.append(next_recording(c))
        assert all(s["take"] == 1 for s in seen) and any(s["keys"] == [60] for s in seen)
        t.enter(":stop")
        while seen[-1]:
            seen.append(next_recording(c))
        t.type("ctrl-d").wait_for_end()


@needs_jack
def test_a_second_window_shows_the_recording(home):
    with jack.JackServer() as server, jack.Keyboard(server) as keyboard, \
            Terminal(home, **silent(home, **server.env)) as first, Terminal(home) as second:
        second.enter(":record")
        keyboard.play(scale(SCALE[:2], BEAT // 8))
        for window in (first, second):
            window.wait_until(lambda w=window: shows(w, "●2"), "two notes")
        assert "take 1: 2 notes" in first.enter(":stop")
        for window in (first, second):
            window.wait_until(lambda w=window: w.prompt() and not shows(w, "●"), "the end")


@needs_jack
def test_two_takes_are_compared(home):
    wrong = (*SCALE[:3], 66, *SCALE[4:])
    with jack.JackServer() as server, jack.Keyboard(server) as keyboard, \
            Terminal(home, columns=100, **silent(home, **server.env)) as t:
        for number, keys in enumerate((SCALE, wrong), start=1):
            t.enter(":record")
            keyboard.play(scale(keys, beat=BEAT // 4))
            t.wait_until(lambda: shows(t, "●8"), "eight notes")
            assert f"take {number}: 8 notes in " in t.enter(":stop")
        said = t.enter(":takes 1 2")
        assert "7 notes in common" in said
        assert re.search(r"only in take 1: f4 at \d", said) and re.search(r"only in take 2: f#4 at \d", said)
        assert "there is no take 3" in t.enter(":takes 1 3")
        assert "expected the numbers of two takes" in t.enter(":takes 1")
        # Whether all notes are there is said here too.
        t.enter(":record")
        keyboard.play(scale(SCALE, beat=BEAT // 4))
        t.wait_until(lambda: shows(t, "●8"), "eight notes")
        assert re.search(r"take 3: .*, being recorded\n", t.enter(":takes 1 3"))
        t.enter(":stop")
        file = home.session("session-1") / "takes/1.take"
        *lines, _, end = file.read_text(encoding="utf-8").splitlines()
        file.write_text("\n".join([*lines, "no event", end, ""]), encoding="utf-8")
        assert re.search(r"take 1: .*, damaged at ", t.enter(":takes 1 2"))
        t.type("ctrl-d").wait_for_end()


@needs_jack
def test_a_take_to_a_midi_clock_has_its_beats_and_ends_with_it(home):
    pulses = [(i * BEAT // 24, (0xF8,)) for i in range(24 * 9)]  # nine beats
    notes = scale()
    start, stop = (0, (0xFA,)), (pulses[-1][0] + 100, (0xFC,))
    with jack.JackServer() as server, jack.Keyboard(server) as keyboard, \
            Terminal(home, columns=100, **silent(home, **server.env)) as t:
        assert "and so does the clock when it stops" in t.enter(":record --clock --meter 2/4")
        keyboard.play([start, *sorted([*pulses, *notes], key=lambda event: event[0]), stop])
        t.wait_for("proposal 1: ")
        t.wait_until(lambda: t.prompt() and not shows(t, "●"), "the recording has ended")
        # How evenly the server's time passes, and so the rhythm, depends on the machine.
        t.enter(":accept 1")
        assert "(time 2 4)" in t.enter(":score")
        t.type("ctrl-d").wait_for_end()
    assert keys_on(take(home, 1)[0]) == list(SCALE)
    lines = (home.session("session-1") / "takes/1.take").read_text(encoding="utf-8").splitlines()
    beats = [line.split() for line in lines if line.startswith("beat ")]
    assert [(int(number), meter) for _, _, number, meter in beats] == [(1, "2/4"), (2, "2/4")] * 4 + [(1, "2/4")]


@needs_jack
def test_a_clock_that_nobody_starts_gives_no_beats(home):
    with jack.JackServer() as server, jack.Keyboard(server) as keyboard, \
            Terminal(home, columns=100, **silent(home, **server.env)) as t:
        t.enter(":record --clock")
        keyboard.play([(i * BEAT // 24, (0xF8,)) for i in range(24)] + scale(SCALE[:2]))
        t.wait_until(lambda: shows(t, "●2"), "two notes")
        said = t.enter(":stop")
        assert "no MIDI clock was started after the recording began" in said and "2 notes in " in said
        assert "excludes --metronome" in t.enter(":record --clock --metronome")
        t.type("ctrl-d").wait_for_end()
