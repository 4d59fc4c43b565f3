"""What Ctrl-C stops, what ends when a client disconnects, and what a slow preview delays; and how to get
out of what cannot continue."""

import json
import os
import select
import signal
import subprocess

import pytest
from support.client import Client
from support.program import BINARY, PATIENCE, Home, pipe, run_script
from support.terminal import Terminal

LOOP = "(defn lp [n] (lp (+ n 1))) (lp 0)"


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_what_was_done_before_an_interruption_is_printed(home, words):
    run = subprocess.Popen([BINARY, "eval", *words, "-e", "(+ 1 2)", "-e", "(let loop [i 0] (loop (+ i 1)))",
                            "-e", "(+ 3 4)"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=home.environment())
    first = run.stdout.readline()  # at once, though nobody sees it on a terminal
    run.send_signal(signal.SIGINT)
    out, error = run.communicate(timeout=PATIENCE)
    assert run.returncode == 1
    assert b"3" in first and b"7" not in out
    assert error.endswith(b"fermata eval: interrupted; the rest was not evaluated\n"), error


def ask(client, method, **params):
    """Sends a request without waiting for the reply."""
    client.file.write(json.dumps({"id": "later", "method": method, "params": params}).encode() + b"\n")
    client.file.flush()


def is_at_work(client):
    """Waits until an evaluation has started: when the session answers a later request on another connection."""
    client.call("get_session")


def waits_in_vain(home, line):
    """Cancels a line that waits for a client's evaluation; False: the line came first."""
    with Terminal(home) as t, Client(home, "c") as c, Client(home) as other:
        t.enter("(note g4 :w)")
        t.enter(":ai allow c")
        before = other.call("get_session")
        ask(c, "eval", text=LOOP)
        is_at_work(other)
        t.start(line).type("ctrl-c").wait_for_prompt()
        answer = json.loads(c.file.readline())
        entries = [e["text"] for e in other.call("get_history", limit=2)["entries"]]
        assert sorted(entries) == sorted([LOOP, line])
        if entries != [LOOP, line]:
            return False
        assert other.call("get_session")["revision"] == before["revision"]
        assert answer["error"]["data"]["code"] == "cancelled", answer
        assert "3" in t.enter("(+ 1 2)")
        return True


@pytest.mark.parametrize("line", ["(note c4 :w)", "(+ 1 1)", ":undo"])
def test_ctrl_c_gives_up_a_line_that_waits_behind_a_client(line):
    # Nothing shows when an evaluation starts, so the line may come before it: then try again.
    for _ in range(20):
        with Home() as home:
            if waits_in_vain(home, line):
                return
    raise AssertionError("the line never came behind the client's evaluation")


def test_a_client_that_hangs_up_lets_the_line_go_on(home):
    with Terminal(home) as t, Client(home, "c") as c, Client(home) as other:
        t.enter(":ai allow c")
        ask(c, "eval", text=LOOP)
        is_at_work(other)
        c.__exit__()
        t.enter("(+ 6 6)")
        entries = {e["text"]: e for e in other.call("get_history", limit=3)["entries"]}
        assert "12" in t.text()
        if LOOP in entries:  # otherwise it disconnected before the evaluation started
            assert "cancelled" in json.dumps(entries[LOOP])


def test_endless_previews_of_others_do_not_hold_up_mine(home):
    with Terminal(home), Client(home, "quick") as quick:
        slow = [Client(home, "slow") for _ in range(4)]
        try:
            for c in slow:
                ask(c, "eval_preview", text=LOOP)
                is_at_work(quick)
            assert quick.call("eval_preview", text="(+ 1 1)")["output"] == "2"
            assert quick.call("eval", text="(note d4 :w)")["proposal"] == 1
            # None of them has finished.
            assert select.select([c.socket for c in slow], [], [], 0)[0] == []
        finally:
            for c in slow:
                c.__exit__()


def test_what_changes_only_names_is_a_change_and_says_which(home):
    with Terminal(home) as t, Client(home, "c") as c:
        made = c.call("eval", text="(key-inference on)")
        assert made["delta"] == "key inference on"
        t.wait_for(r"Δ1\]")
        assert "key inference on" in t.enter(":diff 1")
        t.enter(":ai allow c")
        assert c.call("eval", text="(def zz 9)")["changed"] is True
        undone = c.call("undo")
        assert undone["changed"] is True and undone["before"] == undone["after"], undone


def test_a_socket_that_was_removed_is_there_again(home):
    with Terminal(home) as t, Client(home) as before:
        before.call("system.ping")
        (home.folder / "repl.sock").unlink()
        with Client(home) as after:  # waits for the socket
            assert after.call("system.ping")["pong"]
        assert before.call("system.ping")["pong"]
        t.type(":quit", "enter")
        assert t.wait_for_end() == 0
    assert not (home.folder / "repl.sock").exists()


def test_what_killed_prompts_have_left_goes_with_the_next_start(home):
    for _ in range(2):
        with Terminal(home), Terminal(home):
            pass
    left = sorted(p.name for p in (home.folder / "run").iterdir())
    assert len(left) > 2
    run_script(home, "(+ 1 2)\n")
    assert [p.name for p in (home.folder / "run").iterdir() if p.suffix] == []


def test_a_script_without_a_session_does_not_touch_the_one_at_the_prompt(home):
    with Terminal(home) as t:
        t.enter("(def x 1)")
        done = pipe(home, "(note c4)\n")
        assert (done.returncode, done.stderr) == (0, b""), done
        assert os.listdir(home.folder / "sessions") == ["session-1"]
        assert "c4" not in t.enter(":score")


def test_ctrl_d_in_an_unfinished_expression_says_how_to_leave(home):
    with Terminal(home) as t:
        t.type("(note c4", "enter", "ctrl-d").wait_for("Ctrl-C cancels it, then Ctrl-D quits")
        t.type("ctrl-c").wait_until(t.prompt, "the prompt")
        # After a character it deletes as usual.
        t.type("(+ 1 23)", "left", "left", "ctrl-d").wait_for(r"\(\+ 1 2\)$")
        t.type("ctrl-c").wait_until(t.prompt, "the prompt")
        t.type("ctrl-d")
        assert t.wait_for_end() == 0


def test_errors_stand_where_they_belong_among_the_results():
    import subprocess
    done = subprocess.run([BINARY, "eval", "-e", "(+ 1 1)", "-e", "(nte)", "-e", "(+ 2 2)"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    lines = done.stdout.decode().splitlines()
    assert lines[0] == "2" and lines[-1] == "4" and "unknown-form" in lines[1]
    empty = subprocess.run([BINARY, "eval", "-e", " "], capture_output=True, check=False)
    assert empty.returncode == 2 and b"empty expression" in empty.stderr


def test_a_program_without_music_is_compiled_with_a_word(home):
    import subprocess
    (home.path / "sum.ferm").write_text("(+ 1 2)\n")
    done = subprocess.run([BINARY, "compile", home.path / "sum.ferm"], capture_output=True, check=False)
    assert done.returncode == 0 and b"produces no music" in done.stderr
    (home.path / "note.ferm").write_text("(note c4 :w)\n")
    done = subprocess.run([BINARY, "compile", home.path / "note.ferm"], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
