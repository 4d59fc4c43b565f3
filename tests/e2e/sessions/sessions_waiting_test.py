"""What is pending in other sessions, and what is shown while the user waits for a session."""

import os
import subprocess

from support.client import Client
from support.program import BINARY, PATIENCE, run_script
from support.terminal import Terminal


def in_one_line(shown):
    return " ".join(shown.split())


def test_the_list_of_sessions_says_what_waits_in_them(home):
    with Terminal(home, columns=160) as t, Client(home, "claude") as c:
        t.enter("(part :violin (measure (note c5 :w)))")
        t.enter(":session new Second")
        t.wait_for(r"\[second\] In")
        for text in ("one", "two"):
            c.call("send_message", text=text, session="session-1")
        c.call("eval", text="(def a 1)", session="session-1")
        shown = in_one_line(t.enter(":session list"))
        assert ", 2 unread messages, 1 open proposal" in shown
        assert shown.count("unread") == 1
        t.enter(":session switch session-1")
        t.wait_for(r"\[session-1.*\] In")
        t.enter(":reject 1")
        assert "unread" not in t.enter(":session list").split(":session list", 1)[1]


def test_who_asks_for_an_archived_session_is_told_where_it_can_be_brought_back(home):
    run_script(home, "(+ 1 2)\n:session new Second\n:session archive session-1\n")
    done = run_script(home, "(+ 1 2)\n", "--session", "session-1")
    assert done.returncode == 1
    said = in_one_line(done.stderr.decode())
    assert "Start `fermata` without --session; there `:session unarchive session-1` restores it." in said
    assert b"session-1 was restored" in run_script(home, ":session unarchive session-1\n").stdout


def test_the_stored_sessions_are_listed_without_a_prompt(home):
    def listed():
        return subprocess.run([BINARY, "session", "list"], env=home.environment(), capture_output=True, text=True,
                              timeout=PATIENCE, check=True).stdout
    assert listed() == "no sessions\n"
    run_script(home, "(part :violin (measure (note c5 :w)))\n:session new Second\n")
    first, second = listed().splitlines()
    assert first.startswith("* second") or second.startswith("* second")
    assert any(line.split()[:1] == ["session-1"] and "1 part, 1 measure" in line for line in (first, second))


def test_a_timeline_that_takes_long_to_read_is_said_to_be_read(home):
    run_script(home, "(def a 1)\n" + f"// {'words ' * 1000}\n" * 200)
    meta = home.session() / "meta.json"
    said = meta.read_bytes()
    meta.unlink()
    os.mkfifo(meta, 0o600)  # a disk that answers only when told to
    with Terminal(home, columns=120, ready=False) as t:
        t.wait_for(r"Opening session-1: loading its timeline \(1 MB\) from disk")
        slow = os.open(meta, os.O_WRONLY)
        again = meta.with_name("again")
        again.write_bytes(said)
        again.rename(meta)
        os.write(slow, said)
        os.close(slow)
        t.wait_for_prompt()
        assert t.text().count("Opening session-1") == 1
        assert "Out" in t.enter("a")


def test_a_command_is_not_timed_as_if_it_were_an_expression(home):
    with Terminal(home, columns=120) as t:
        assert "`:score` is a command" in in_one_line(t.enter(":time :score"))
        # An error is shown once.
        assert t.enter(":time (foo)").split("(foo)", 1)[1].count("`foo`") == 1
        assert "took" in t.enter(":time :keyword")
