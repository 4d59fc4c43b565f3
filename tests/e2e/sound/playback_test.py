"""Playback at the prompt: the real binary, heard on a device in memory and on a real JACK server."""

import signal
import subprocess

import pytest

from support import jack
from support.client import Client
from support.mcp_host import Host
from support.program import BINARY, PATIENCE
from support.terminal import Terminal

needs_jack = pytest.mark.skipif(not jack.is_available(), reason="no JACK server starts here")

SCALE = "(part :piano (measure (note c4 :q) (note d4 :q) (note e4 :q) (note f4 :q)) (measure (note g4 :w)))"
SCALE_KEYS = [60, 62, 64, 65, 67]  # MIDI key numbers


def quiet(home, **more):
    """An environment with nothing that sounds but the device "memory", which writes to a file."""
    return {"JACK_DEFAULT_SERVER": "fermata-none", "JACK_NO_START_SERVER": "1",
            "PULSE_SERVER": "unix:/nonexistent", "XDG_RUNTIME_DIR": str(home.path),
            "FERMATA_MIDI_RECORD": str(home.path / "heard"), **more}


def heard(home):
    """(nanoseconds, bytes) of what was played in memory."""
    lines = (home.path / "heard").read_text(encoding="ascii").splitlines()
    return [(int(time), bytes.fromhex(data)) for time, _, data in (line.split(" ", 2) for line in lines)]


def keys(messages):
    return [m[1] for _, m in messages if m[0] & 0xF0 == 0x90 and m[2] > 0]


def shows_playing(t):
    return t.prompt() and "▶" in t.prompt()["badge"]


def shows_nothing(t):
    return t.prompt() and "▶" not in t.prompt()["badge"] and "‖" not in t.prompt()["badge"]


def prompt(home, **more):
    t = Terminal(home, **quiet(home, **more))
    t.enter(":midi connect memory")
    return t


# --- what is heard --------------------------------------------------------------------------------


def test_a_phrase_is_heard_as_soon_as_it_is_typed(home):
    with prompt(home) as t:
        t.enter(SCALE)
        assert "playing the score on " in t.enter(":play --exact --tempo 1000%")
        t.wait_until(lambda: shows_nothing(t), "the end")
        t.type("ctrl-d").wait_for_end()
    messages = heard(home)
    assert keys(messages) == SCALE_KEYS
    assert not jack.sounding(messages)
    # 120 quarter notes a minute, ten times as fast: 50 ms each.
    starts = [time for time, m in messages if m[0] & 0xF0 == 0x90]
    assert [b - a for a, b in zip(starts, starts[1:])] == [50_000_000] * 4


def test_a_measure_that_only_holds_a_note_is_heard(home):
    music = "(measure (note c4 :w :tie :start))\n(measure (note c4 :w :tie :stop))\n(measure (note d4 :w))"
    done = subprocess.run([BINARY], input=f"{music}\n:midi connect memory\n:play 2 --tempo 1000%\n", text=True,
                          capture_output=True, timeout=PATIENCE, check=False, env=home.environment(**quiet(home)))
    assert (done.returncode, done.stderr) == (0, "")
    assert keys(heard(home)) == [60]


@pytest.mark.parametrize("line, expected", [
    (":play 2", [67]), (":play 1 --from 1", SCALE_KEYS[:4]), (":play (chord c4 e4 g4 :w)", [60, 64, 67]),
    (":play In[1]", SCALE_KEYS), (":play $Out[1]", SCALE_KEYS), (":play In[1] 2", [67]),
    (":play $Out[1] --from 2", [67]), (":play (seq (note c4 :w) (note d4 :w) (note e4 :w)) 2-3", [62, 64]),
    (":play In[1] --mute piano", None), (":play (note c4 :w) 7", None)])
def test_what_is_played_can_be_chosen(home, line, expected):
    """Without a terminal the program waits until everything was heard."""
    done = subprocess.run([BINARY], input=f"{SCALE}\n:midi connect memory\n{line} --tempo 1000%\n", text=True,
                          capture_output=True, timeout=PATIENCE, check=False, env=home.environment(**quiet(home)))
    if expected is None:
        assert done.returncode == 1 and ("no parts left to play" in done.stderr or "measure 7 does not" in done.stderr)
        return
    assert (done.returncode, done.stderr) == (0, "")
    assert keys(heard(home)) == expected
    assert not jack.sounding(heard(home))


def test_a_script_is_interrupted_while_it_plays(home):
    with subprocess.Popen([BINARY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          env=home.environment(**quiet(home))) as p:
        p.stdin.write(f"{SCALE}\n:midi connect memory\n:play --loop\n")
        p.stdin.close()
        while "playing" not in p.stdout.readline():
            pass
        p.send_signal(signal.SIGINT)
        assert p.wait(PATIENCE) == 1
    assert not jack.sounding(heard(home))


def test_a_proposal_is_heard_before_and_after(home):
    with prompt(home) as t, Client(home, "claude") as c:
        t.enter("(part :piano (measure (note c4 :w)) (measure (note d4 :w)))")
        c.call("eval", text="(replace (measures 2) (measure (note a4 :q)))")
        t.enter("")
        assert "before, measure 2; then after, measure 2" in t.enter(":hear 1")
        t.enter(":tempo 1000%")
        t.wait_until(lambda: shows_nothing(t), "the end")
        t.type("ctrl-d").wait_for_end()
    assert keys(heard(home)) == [62, 69]


# --- keys -----------------------------------------------------------------------------------------


def test_space_pauses_and_ctrl_c_stops(home):
    with prompt(home) as t:
        t.enter(SCALE)
        entries = int(t.prompt()["number"])
        t.type(":play 2 --loop", "enter").wait_until(lambda: shows_playing(t), "the sign that it plays")
        assert t.prompt()["badge"].split() == ["▶2"]
        t.type(" ").wait_until(lambda: t.prompt() and "‖2" in t.prompt()["badge"], "the pause")
        t.type(" ").wait_until(lambda: shows_playing(t), "that it goes on")
        # A space in a line is a space.
        t.type("(+ 1 2)").wait_for(r"\(\+ 1 2\)$")
        assert "▶" in t.lines()[-1]
        t.type("ctrl-u").wait_until(lambda: shows_playing(t), "an empty line")
        t.type("ctrl-c").wait_until(lambda: shows_nothing(t), "the end")
        assert int(t.prompt()["number"]) == entries + 1, "keys are not entered in the timeline"
        # With nothing playing, a space is typed.
        t.type(" (+ 3 4)", "enter").wait_for(r"Out\[\d+\]: 7$")


def test_ctrl_z_pauses(home):
    """A stopped process cannot end its notes."""
    with prompt(home) as t:
        t.enter(SCALE)
        t.type(":play 2 --loop", "enter").wait_until(lambda: shows_playing(t), "the sign that it plays")
        t.type("ctrl-z")
        t.wait_until(lambda: _state(t.child.pid) == "T", "that it is stopped")
        t.child.kill(signal.SIGCONT)
        t.wait_until(lambda: t.prompt() and "‖" in t.prompt()["badge"], "the pause")


def _state(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as f:
        return f.read().rsplit(")", 1)[1].split()[0]


def test_another_window_shows_and_controls_playback(home):
    with prompt(home) as t, Terminal(home, **quiet(home)) as other:
        t.enter(SCALE)
        other.type(":play 2 --loop", "enter").wait_until(lambda: shows_playing(other), "the sign there")
        t.wait_until(lambda: shows_playing(t), "the sign here")
        other.type(" ").wait_until(lambda: other.prompt() and "‖2" in other.prompt()["badge"], "the pause")
        other.type("ctrl-c").wait_until(lambda: shows_nothing(other), "the end there")
        t.wait_until(lambda: shows_nothing(t), "the end here")


# --- devices --------------------------------------------------------------------------------------


def test_devices_are_listed_and_remembered(home):
    with prompt(home) as t:
        listed = t.enter(":midi devices")
        assert "memory" in listed and "no JACK server is running" in " ".join(listed.split())
        assert "this session plays on `memory`" in listed
        assert "unknown device `nowhere`" in t.enter(":midi connect nowhere")
        t.type("ctrl-d").wait_for_end()
    with Terminal(home, **quiet(home)) as t:
        assert "this session plays on `memory`" in t.enter(":midi devices")
        t.enter(":midi disconnect")
        assert "this session plays on" not in t.enter(":midi devices")
        assert "midi-device = auto" in t.enter(":midi default")
        assert "midi-device = memory" in t.enter(":midi default memory")
        assert 'midi-device = "memory"' in (home.folder / "config.toml").read_text()


def test_a_script_that_ends_paused_ends(home):
    done = subprocess.run([BINARY], input=f"{SCALE}\n:midi connect memory\n:play --loop\n:pause\n", text=True,
                          capture_output=True, timeout=PATIENCE, check=False, env=home.environment(**quiet(home)))
    assert (done.returncode, done.stderr) == (0, "")


def test_a_window_that_takes_over_shows_that_nothing_plays(home):
    with prompt(home) as t, Terminal(home, **quiet(home)) as other:
        t.enter(SCALE)
        t.type(":play 2 --loop", "enter").wait_until(lambda: shows_playing(t), "the sign here")
        other.wait_until(lambda: shows_playing(other), "the sign there")
        t.kill()
        other.wait_for("has taken over").wait_until(lambda: shows_nothing(other), "that nothing plays")


@needs_jack
def test_other_programs_stay_connected_to_the_virtual_port(home):
    with jack.JackServer() as server, jack.Receiver(server) as probe, Terminal(home, **server.env) as t:
        t.enter(SCALE)
        t.enter(":midi connect Fermata")
        server.connect(next(p for p in server.ports() if p.endswith(":Fermata")), "probe:in")
        for _ in range(2):
            before = len(keys(probe.messages))
            t.enter(":play 2 --tempo 1000%")
            probe.wait_until(lambda all_, n=before: len(keys(all_)) > n, "it is heard")
            t.enter(":set playback-gain 60")


def test_without_any_device_it_is_said_why(home):
    silent = quiet(home)
    del silent["FERMATA_MIDI_RECORD"]
    done = subprocess.run([BINARY], input="(note c4 :w)\n:play\n", text=True, capture_output=True, timeout=PATIENCE,
                          check=False, env=home.environment(**silent))
    assert done.returncode == 1
    assert "no synthesizer and no MIDI ports" in done.stderr and "no JACK server is running" in done.stderr
    done = subprocess.run([BINARY], input="(play (note c4 :w))\n", text=True, capture_output=True, timeout=PATIENCE,
                          check=False, env=home.environment(**silent))
    assert "not played: no synthesizer and no MIDI ports" in done.stderr


@needs_jack
def test_a_server_that_ends_and_returns_is_used_again(home):
    with jack.JackServer() as server, Terminal(home, **server.env) as t:
        with jack.Receiver(server) as probe:
            t.enter(SCALE)
            t.enter(":midi connect probe:in")
            t.type(":play 2 --loop", "enter")
            probe.wait_until(lambda all_: 67 in keys(all_), "it is heard")
            server.kill()
        t.wait_for(r"was lost; playback continues without sound")
        server.start()
        with jack.Receiver(server) as probe:
            t.wait_for(r"is back")
            probe.wait_until(lambda all_: 67 in keys(all_), "it is heard again")
            t.type("ctrl-c")
            t.wait_until(lambda: shows_nothing(t), "the end")
            probe.wait_until(lambda all_: not jack.sounding(all_), "silence")
            t.enter("(+ 1 2)")


@needs_jack
def test_no_note_sounds_on_when_the_program_is_killed(home):
    with jack.JackServer() as server, jack.Receiver(server) as probe, Terminal(home, **server.env) as t:
        t.enter("(part :piano (measure (chord c4 e4 g4 :w)))")
        t.enter(":midi connect probe:in")
        t.type(":play --tempo 10%", "enter")
        probe.wait_until(lambda all_: len(jack.sounding(all_)) == 3, "the chord sounds")
        server.wait_until(lambda: len(server.connections("probe:in")) == 2, "the guard is connected too")
        t.kill()
        probe.wait_until(lambda all_: not jack.sounding(all_), "silence")


# --- clients --------------------------------------------------------------------------------------


def test_clients_play_and_are_told_where_playback_is(home):
    with prompt(home) as t:
        t.enter(SCALE)
        with Client(home, "claude") as c:
            assert "memory" in [d["id"] for d in c.call("midi_devices")["devices"]]
            c.call("events.subscribe", kinds=["transport"])
            played = c.call("midi_play", measures="2", tempo=1000)
            assert played["output"].startswith("playing measure 2 on ")
            states = []
            while "stopped" not in states:
                event = _next_event(c)
                assert event["what"] == ["transport"]
                states.append(event["transport"]["state"])
                if states[-1] == "playing":
                    assert event["transport"]["measure"] == "2"
                    assert event["transport"]["started_by"] == "claude"
            assert "playing" in states
            for params, says in [({"measures": "9"}, "9"), ({"text": "(+ 1 2)"}, "play"),
                                 ({"proposal": 5}, "no such proposal"), ({"part": "x", "text": "y"}, "not several")]:
                with pytest.raises(AssertionError, match=says):
                    c.call("midi_play", **params)
        t.wait_for(r"claude")


def _next_event(client):
    import json
    while True:
        message = json.loads(client.file.readline())
        if message.get("method") == "events.event":
            return message["params"]


def test_clients_cannot_interrupt_the_user(home):
    with prompt(home) as t:
        t.enter(SCALE)
        t.type(":play 2 --loop", "enter").wait_until(lambda: shows_playing(t), "the sign that it plays")
        with Client(home, "claude") as c:
            for method in ("midi_play", "midi_stop"):
                with pytest.raises(AssertionError, match="user is playing"):
                    c.call(method)
        assert shows_playing(t)


def test_what_a_client_plays_goes_on_without_it_until_the_user_stops_it(home):
    with prompt(home) as t:
        t.enter(SCALE)
        with Client(home, "claude") as c:
            c.call("midi_play", measures="2", loop=True)
        t.wait_until(lambda: shows_playing(t), "the sign that it plays")
        with Client(home, "other") as c:
            assert c.call("midi_devices")["transport"]["state"] == "playing"
        t.type("ctrl-c").wait_until(lambda: shows_nothing(t), "the end")
        t.type("ctrl-d").wait_for_end()
    assert not jack.sounding(heard(home))


def test_midi_messages_of_clients_need_permission(home):
    with prompt(home) as t:
        with Client(home, "claude") as c:
            with pytest.raises(AssertionError, match="the policy for claude"):
                c.call("midi_send", messages=["90 3C 40"])
            t.enter(":ai allow claude")
            assert c.call("midi_send", messages=["90 3C 40", "803C40"]) == {
                "session": t.prompt()["session"], "sent": 2, "device": "memory"}
            for wrong in ("90 3C", "3C 40", "90 3C 40 3C", "90 3C 80", "9G 3C 40", "", "F0 41"):
                with pytest.raises(AssertionError, match="not one complete MIDI message|messages"):
                    c.call("midi_send", messages=[wrong])
        t.type("ctrl-d").wait_for_end()
    assert [m for _, m in heard(home)][:2] == [bytes([0x90, 0x3C, 0x40]), bytes([0x80, 0x3C, 0x40])]


def exclusive(length):
    return bytes([0xF0, 0x7D, *[1] * (length - 3), 0xF7])


@needs_jack
def test_an_exclusive_message_that_the_device_would_drop_is_refused(home):
    """JACK passes on 16,379 bytes at once."""
    with jack.JackServer() as server, jack.Receiver(server) as probe, Terminal(home, **server.env) as t:
        t.enter(":midi connect probe:in")
        t.enter(":ai allow claude")
        with Client(home, "claude") as c:
            with pytest.raises(AssertionError, match=r"messages\[1\] has 16380 bytes, but probe:in accepts at most 16379"):
                c.call("midi_send", messages=["90 3C 40", exclusive(16_380).hex()])
            assert c.call("midi_send", messages=[exclusive(16_379).hex()])["sent"] == 1
        probe.wait_until(lambda all_: any(len(m) == 16_379 for _, m in all_), "the long message")
        assert not any(m[0] == 0x90 for _, m in probe.messages)


def test_an_assistant_plays_through_mcp(home):
    with prompt(home) as t:
        t.enter(SCALE)
        with Host(home.folder) as host:
            host.initialize(name="claude")
            tools = {tool["name"] for tool in host.ask("tools/list")["result"]["tools"]}
            assert {"repl_midi_devices", "repl_midi_play", "repl_midi_stop", "repl_midi_send"} <= tools
            played = host.tool("repl_midi_play", {"measures": "2", "loop": True})
            assert played["structuredContent"]["output"].startswith("playing measure 2 on "), played
            t.wait_until(lambda: shows_playing(t), "the sign that it plays")
            listed = host.tool("repl_midi_devices")["structuredContent"]
            assert listed["transport"]["state"] == "playing" and listed["transport"]["measure"] == "2"
            assert not host.tool("repl_midi_stop").get("isError")
            t.wait_until(lambda: shows_nothing(t), "the end")
            refused = host.tool("repl_midi_send", {"messages": ["90 3C 40"]})
            assert refused["isError"] and refused["structuredContent"]["error"] == "not_permitted"
