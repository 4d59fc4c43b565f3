"""Several terminals on one home: the first runs the sessions, further ones attach to it, and all of them are live."""

import json
import os
import pathlib
import re
import signal
import stat
import time

import pytest
from support.client import Client
from support.program import PATIENCE, pipe, run_script
from support.short_life import ShortLife
from support.terminal import Terminal


def window(home, *args, **more):
    return Terminal(home, *args, columns=100, rows=50, **more)


def numbers(terminal):
    """The number and line of each prompt with a line."""
    return re.findall(r"In\[(\d+)\]: (\S.*)$", terminal.text(), re.M)


def test_what_is_entered_in_one_window_is_seen_in_the_other_at_once(home):
    with window(home) as first, window(home) as second:
        assert second.prompt()["session"] == first.prompt()["session"] == "session-1"
        first.enter("(note c4 :q)")
        second.wait_for(r"In\[1\]: \(note c4 :q\)")
        second.wait_for_prompt(2)
        shown = second.enter("(note d4 :q)")
        assert "(note d4 :q)" in shown and second.prompt()["number"] == "3"
        first.wait_for(r"In\[2\]: \(note d4 :q\)")
        first.wait_for_prompt(3)
        # Names defined in one window are known in the other, and undo reverts the last line, from either window.
        first.enter("(def tonic 60)")
        second.wait_for_prompt(4)
        assert re.search(r"^Out\[\d+\]: 60$", second.enter("tonic"), re.M), second.text()
        second.enter(":undo")
        first.wait_for(r":undo")
        assert "unknown" in first.enter("tonic"), first.text()
    history = json.loads("[" + ",".join((home.session() / "history.jsonl").read_text().split("\n")[1:-1]) + "]")
    indices = [e["index"] for e in history if "index" in e]
    assert indices == list(range(1, len(indices) + 1))


def test_what_is_being_typed_stays_whole_when_the_other_window_enters_a_line(home):
    with window(home) as first, window(home) as second:
        second.type("(list 1 2")
        second.wait_for(r"\(list 1 2")
        first.enter("(note e4 :q)")
        second.wait_for(r"In\[1\]: \(note e4 :q\)[\s\S]*In\[2\]: \(list 1 2$")
        second.type(" 3)", "enter")
        second.wait_for(r"^Out\[\d+\]: \(1 2 3\)$")
        first.wait_for(r"In\[2\]: \(list 1 2 3\)")


def test_a_client_has_one_fermata_however_many_windows_there_are(home):
    with window(home) as first, window(home) as second, window(home) as third:
        records = [p for p in (home.folder / "run").iterdir() if p.suffix == ".json"]
        assert [p.name for p in records] == [f"{first.child.pid}.json"]
        assert not [p for p in (home.folder / "run").iterdir() if p.suffix == ".sock"]
        with Client(home, "claude") as client:
            client.call("send_message", text="Try a plagal cadence")
            shown = second.enter("(+ 1 2)")
            assert "Try a plagal cadence" in shown, shown
            for other in (first, third):
                other.wait_for("Try a plagal cadence")
            assert client.call("get_history")["entries"][-1]["author"] == "user"


def test_commands_work_in_a_further_window(home):
    with window(home) as first, window(home) as second:
        second.enter(":set timing on")
        assert "took" in second.enter("(+ 1 2)")
        first.wait_for_prompt(3)
        second.enter(":set timing off")
        assert "In[2]" in second.enter(":history")
        second.enter(":session new Waltz")
        assert second.prompt()["session"] == "waltz" and first.prompt()["session"] == "session-1"
        second.enter("(note g4 :h)")
        assert "g4" not in first.text()
        second.enter(":session switch session-1")
        assert second.prompt()["session"] == "session-1"
        # Names defined in the other window are completed here.
        first.enter("(def subdominant 5)")
        second.wait_for_prompt(int(first.prompt()["number"]))
        second.type("subdom", "tab")
        second.wait_for(r"In\[\d+\]: subdominant")


def test_a_proposal_is_decided_in_either_window(home):
    with window(home) as first, window(home) as second, Client(home, "claude") as client:
        client.call("eval", text="(note c4 :w)")
        assert "claude" in second.enter(":proposals")
        second.enter(":accept 1")
        first.wait_for("accepted|:accept 1")
        assert "c4" in first.enter(":score")
        assert client.call("get_session")["proposals"] == []


def test_ctrl_c_gives_up_what_runs_in_the_other_process(home):
    with window(home) as first, window(home) as second:
        second.enter("(defn lp [n] (lp (+ n 1)))")
        second.start("(lp 0)").type("ctrl-c")
        second.wait_for_prompt()
        assert re.search("interrupted|cancelled|gave|deep|limit", second.text()), second.text()
        assert re.search(r"^Out\[\d+\]: 3$", first.enter("(+ 1 2)"), re.M)


@pytest.mark.parametrize("leaves", ["first", "second"])
@pytest.mark.parametrize("how", ["quit", "kill"])
def test_leaving_one_window_never_ends_the_others_session(home, leaves, how):
    with window(home) as first, window(home) as second:
        first.enter("(note c4 :q)")
        second.wait_for_prompt(2)
        stays, goes = (second, first) if leaves == "first" else (first, second)
        stays.type("(note d4")
        stays.wait_for(r"\(note d4")
        if how == "quit":
            goes.type(":quit", "enter")
            assert goes.wait_for_end() == 0
        else:
            goes.kill()
        if leaves == "first":
            stays.wait_for("this window has taken over")
        stays.type(" :q)", "enter")
        stays.wait_for_prompt(int(stays.prompt()["number"]) + 1 if stays.prompt() else None)
        shown = stays.enter(":score")
        assert "c4" in shown and "d4" in shown, shown
        with Client(home, "claude") as client:
            assert "d4" in client.call("get_score")["text"]


def test_of_several_windows_one_takes_over_and_the_others_attach_to_it(home):
    with window(home) as first, window(home) as second, window(home) as third:
        first.kill()
        for w in (second, third):
            w.wait_until(lambda w=w: w.enter("(+ 1 2)") and True, "a line")
        second.enter("(def x 5)")
        third.wait_for(r"\(def x 5\)")
        assert re.search(r"^Out\[\d+\]: 5$", third.enter("x"), re.M)
        records = [p for p in (home.folder / "run").iterdir() if p.suffix == ".json"]
        alive = [p for p in records if p.name != f"{first.child.pid}.json"]
        assert len(alive) == 1, records


def is_evaluating(process, since):
    """Whether the process has computed for a while since it had used so much time."""
    return seconds_used(process) - since > 0.1


def seconds_used(process):
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) / os.sysconf("SC_CLK_TCK")  # utime


def begin(host, second):
    """A line of the second window that the host is evaluating, for about a second."""
    second.enter("(defn lp [n] (lp (+ n 1)))")
    used = seconds_used(host.child.pid)
    second.type("(lp 0)", "enter").wait_until(lambda: is_evaluating(host.child.pid, used), "the evaluation")


def lines_entered(home):
    journal = (home.session() / "history.jsonl").read_text().splitlines()[1:]
    return [json.loads(line).get("text") for line in journal]


def test_a_process_that_ends_in_order_first_answers_the_line_of_another_window(home):
    with window(home) as first, window(home) as second:
        begin(first, second)
        first.type(":quit", "enter")
        assert first.wait_for_end() == 0
        second.wait_for("this window has taken over")
        second.wait_for_prompt(3)
        assert second.text().count("budget-exceeded") == 1, second.text()
        assert lines_entered(home).count("(lp 0)") == 1


def test_a_line_that_a_process_may_have_died_of_is_given_back(home):
    with window(home) as first, window(home) as second:
        begin(first, second)
        first.kill()
        second.wait_for("The line was not entered; press Enter to enter it now")
        second.wait_for(r"In\[2\]: \(lp 0\)$")
        assert "(lp 0)" not in lines_entered(home)
        second.type("enter")
        second.wait_for("budget-exceeded")
        second.wait_for_prompt(3)
        assert lines_entered(home).count("(lp 0)") == 1


def test_a_script_does_not_enter_again_what_a_process_may_have_died_of(home):
    with window(home) as first:
        script = ShortLife(home, "--session", "session-1")
        script.feed("(defn lp [n] (lp (+ n 1)))\n")
        assert script.read_until(lambda: script.shown == b"lp\n")
        used = seconds_used(first.child.pid)
        script.feed("(lp 0)\n")
        first.wait_until(lambda: is_evaluating(first.child.pid, used), "the evaluation")
        first.kill()
        script.feed("(+ 1 2)\n", close=True)
        assert script.end() == 1 and script.shown == b"lp\n3\n", script.shown
    assert "ended while it evaluated this line, which was not entered" in script.refused(), script.refused()
    assert "(lp 0)" not in lines_entered(home)


def test_a_pipe_for_a_session_that_is_open_goes_through_its_process(home):
    with window(home) as first:
        first.enter("(def x 7)")
        done = pipe(home, "x\n(note c4 :q)\n", "--session", "session-1")
        assert done.returncode == 0, done
        assert done.stdout == b"7\n(note c4 :q)\n"
        assert done.stderr.decode() == f"fermata: session session-1, open in process {first.child.pid}\n"
        first.wait_for(r"In\[3\]: \(note c4 :q\)")


@pytest.mark.parametrize("command, word", [(":session delete two --yes", "deleted"), (":session archive two", "archived")])
@pytest.mark.parametrize("where", ["host", "attached"])
def test_a_line_begun_for_a_session_that_is_put_away_is_not_entered_in_another(home, command, word, where):
    run_script(home, "(def x 2)\n", "--session", "two")
    with window(home, "--session", "session-1" if where == "attached" else "two") as host, \
            window(home, "--session", "two" if where == "attached" else "session-1") as other:
        puts, stays = (host, other) if where == "attached" else (other, host)
        stays.type("(note e4 :").wait_for(r"\(note e4 :$")
        puts.enter(command)
        stays.wait_for(f"Session two was {word} elsewhere; this is session session-1")
        stays.wait_for(r"^\[session-1\] In\[\d+\]:$")
        assert "the Up key brings it back" in stays.text()
        stays.type("q)")
        stays.wait_for(r"^\[session-1\] In\[\d+\]: q\)$")
        stays.type("ctrl-u", "up")
        stays.wait_for(r"^\[session-1\] In\[\d+\]: \(note e4 :$")
        assert "e4" not in puts.enter(":score")


def test_a_script_stops_when_its_session_is_put_away(home):
    script = ShortLife(home, "--session", "two")
    with window(home, "--session", "session-1") as other:
        script.feed("(def x 7)\nx\n")
        assert script.read_until(lambda: script.shown == b"x\n7\n")
        other.enter(":session delete two --yes")
        script.feed("(note e4 :q)\n", close=True)
        assert script.end() == 1 and script.shown == b"x\n7\n", script.shown
        said = script.refused()
        assert "Session two was deleted elsewhere" in said, said
        assert "e4" not in other.enter(":score")


def test_a_script_that_waits_for_its_next_line_takes_over_at_once(home):
    with window(home) as first:
        script = ShortLife(home, "--session", "session-1")
        script.feed("(def x 7)\nx\n")
        assert script.read_until(lambda: script.shown == b"x\n7\n")
        first.type(":quit", "enter")
        assert first.wait_for_end() == 0
    record, deadline = home.folder / "run" / f"{script.process.pid}.json", time.monotonic() + PATIENCE
    while not record.exists():
        assert time.monotonic() < deadline, "the script does not take over"
        time.sleep(0.01)
    with window(home) as second:
        assert re.search(r"^Out\[\d+\]: 8$", second.enter("(+ x 1)"), re.M)
        script.feed("(+ x 2)\n", close=True)
        assert script.end() == 0 and script.shown == b"x\n7\n9\n", script.refused()
        second.wait_for(r"this window has taken over")


def test_only_who_can_read_the_key_enters_lines_in_the_users_name(home):
    with window(home) as first, Client(home, "claude") as client:
        key = home.folder / "run" / "attach.key"
        assert stat.S_IMODE(os.stat(key).st_mode) == 0o600
        for word in ("", "0" * 48):
            with pytest.raises(AssertionError, match="not_permitted"):
                client.call("front_end.attach", key=word)
        with pytest.raises(AssertionError, match="not_permitted"):
            client.call("front_end.submit", text="(note c4 :q)")
        with pytest.raises(AssertionError, match="invalid_params"):
            client.call("system.hello", client="user", version="1")
        first.type(":quit", "enter")
        assert first.wait_for_end() == 0
    assert not key.exists()


def test_a_window_that_cannot_attach_follows_what_is_entered_in_the_other(home):
    with window(home) as first:
        first.enter("(def x 7)")
        os.kill(first.child.pid, signal.SIGSTOP)
        second = window(home, ready=False)
        second.wait_for("are read-only here")
        second.wait_for_prompt()
        os.kill(first.child.pid, signal.SIGCONT)
        with second:
            assert "read-only" in second.prompt()["badge"], second.text()
            first.enter("(note c4 :q)")
            second.wait_for(r"In\[2\]: \(note c4 :q\)")
            assert "nothing can be changed here" in second.enter("(note d4 :q)")
            # It is not offered to clients.
            record = json.loads((home.folder / "run" / f"{second.child.pid}.json").read_text())
            assert "socket" not in record and record["no_socket"]
        with Client(home, "claude") as client:
            assert "c4" in client.call("get_score")["text"]


def test_a_second_window_names_the_session_that_it_wants(home):
    run_script(home, "(def y 3)\n", "--session", "other")
    with window(home, "--session", "session-1") as first, window(home, "--session", "other") as second:
        assert (first.prompt()["session"], second.prompt()["session"]) == ("session-1", "other")
        assert re.search(r"^Out\[\d+\]: 3$", second.enter("y"), re.M)
        first.type(":quit", "enter")
        assert first.wait_for_end() == 0
        second.wait_for("this window has taken over")
        assert re.search(r"^Out\[\d+\]: 4$", second.enter("(+ y 1)"), re.M)


def test_a_file_is_meant_where_the_window_was_started(home):
    here, there = home.path / "here", home.path / "there"
    for folder in (here, there):
        folder.mkdir()
    with window(home, cwd=here) as first, window(home, cwd=there) as second:
        first.enter("(note c4 :q)")
        second.wait_for_prompt(2)
        second.enter(":session export mine.fermata")
        assert [p.name for p in there.iterdir()] == ["mine.fermata"] and not list(here.iterdir())
