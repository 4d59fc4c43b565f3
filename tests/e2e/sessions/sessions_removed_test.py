"""The files of an open session are removed or moved by another program: nothing is lost silently."""

import shutil

import pytest
from support.client import Client
from support.program import run_script
from support.short_life import ShortLife
from support.terminal import Terminal


def remove_folder(home):
    shutil.rmtree(home.session())


def move_folder(home):
    home.session().rename(home.session("elsewhere"))


def move_journal(home):
    (home.session() / "history.jsonl").rename(home.path / "moved")


def replace_journal(home):
    shutil.copy(home.session() / "history.jsonl", home.path / "copy")
    (home.path / "copy").rename(home.session() / "history.jsonl")


TAKEN = (remove_folder, move_folder, move_journal, replace_journal)


@pytest.mark.parametrize("take", TAKEN)
def test_a_script_whose_session_is_taken_away_fails(home, take):
    script = ShortLife(home, "--session", "session-1")
    script.feed("(def x 5)\nx\n")
    assert script.read_until(lambda: script.shown.endswith(b"5\n"))
    take(home)
    script.feed("(def y 6)\n", close=True)
    assert script.end() == 1
    assert script.shown == b"x\n5\n"
    refused = script.refused()
    assert "line:3: " in refused and "history.jsonl" in refused and ":save" in refused, refused
    assert "session-1 is not saved" in refused, refused


def test_at_the_prompt_it_is_refused_saved_again_and_whole_afterwards(home):
    with Terminal(home) as t:
        t.enter("(def x 5)")
        with Client(home, "friend") as c:
            t.enter(":ai allow")
            remove_folder(home)
            t.enter("(def y 6)")
            t.wait_for("no longer exists")
            for method, more in (("session_save", {}), ("eval", {"text": "(def z 7)"}),
                                 ("undo", {}), ("send_message", {"text": "hello"})):
                with pytest.raises(AssertionError, match="no longer exists"):
                    c.call(method, **more)
            t.enter(":save")
            t.wait_for("^saved session-1")
            assert c.call("session_save")["saved"] is True
            assert c.call("eval", text="(def z 7)")["outcome"] == "done"
        t.type(":quit", "enter")
        assert t.wait_for_end() == 0
    again = run_script(home, "(+ x z)\ny\n")
    assert again.stdout == b"12\n" and b"`y` is not defined" in again.stderr, again


def test_leaving_says_what_is_not_saved(home):
    with Terminal(home) as t:
        t.enter("(def x 5)")
        remove_folder(home)
        t.type("\x04")
        t.wait_for("session-1 is not saved")
        assert t.wait_for_end() == 1
    assert not home.session().exists()
