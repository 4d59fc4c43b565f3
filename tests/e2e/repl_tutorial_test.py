"""The tutorial: whoever types what it shows gets through, and nothing of theirs is touched."""

import re

import pytest
from support.program import Home, run_script
from support.terminal import Terminal


@pytest.fixture
def home():
    with Home() as h:
        yield h


def asked_for(t, step):
    """What the lesson says to type: the indented lines at its end."""
    t.wait_for(rf"^{step} of 12: ")
    t.wait_until(lambda: re.search(r"\[tutorial[^\]]*\] In\[\d+\]:$", t.text()), "the prompt")
    lesson = t.text().rsplit(f"\n{step} of 12: ", 1)[1]
    return [line[4:] for line in lesson.splitlines() if line.startswith("    ")]


def test_the_first_ten_minutes(home):
    with Terminal(home, rows=50) as t:
        t.enter("(def mine 7)")
        t.type(":tutorial", "enter")
        for step in range(1, 13):
            lines = asked_for(t, step)
            assert lines
            for line in lines:
                # What is shown indented is indented by the prompt itself.
                t.type(line.strip(), "enter")
        t.wait_for("That was the tutorial")
        t.wait_for(r"^\[session-1\] In\[\d+\]:$")
        assert re.search(r"Out\[\d+\]: 7", t.enter("mine"))
        assert "empty" in t.enter(":score")
        assert "unknown-name" in t.enter("motif")
        # Nothing but what was typed is in the timeline of the session.
        assert "transpose" not in t.enter(":history").split(":history", 1)[1]


def test_something_else_does_not_pass_a_step_and_gets_a_hint(home):
    with Terminal(home, rows=50) as t:
        t.type(":tutorial", "enter")
        asked_for(t, 1)
        t.type("(+ 1 2)", "enter").wait_for("Not yet: Type the form with both parentheses")
        t.type(":tutorial skip", "enter")
        asked_for(t, 2)
        t.type(":tutorial 5", "enter")
        asked_for(t, 5)
        t.type(":tutorial off", "enter").wait_for(r"^\[session-1\] In\[\d+\]:$")
        assert "no step of the tutorial" in t.enter(":tutorial 99")
        assert "not on" in t.enter(":tutorial off")


def test_a_tutorial_that_was_left_in_the_middle_says_how_to_go_on_at_the_next_start(home):
    with Terminal(home, rows=50) as t:
        t.type(":tutorial", "enter")
        asked_for(t, 1)
        t.type("ctrl-d")
        assert t.wait_for_end() == 0
    with Terminal(home, rows=50) as t:
        assert t.prompt()["session"] == "tutorial"
        assert "`:session list` shows your own sessions" in t.text().replace("\n", " ")
        t.type(":tutorial 3", "enter")
        asked_for(t, 3)
        t.type(":tutorial off", "enter").wait_for(r"^\[session-1\] In\[\d+\]:$")


def test_the_tutorial_is_there_again_after_its_session_was_put_into_the_archive(home):
    with Terminal(home, rows=50) as t:
        t.type(":tutorial", "enter")
        asked_for(t, 1)
        t.type(":session archive", "enter").wait_for(r"^\[session-1\] In\[\d+\]:$")
        t.type(":tutorial", "enter").wait_for(r"^\[tutorial-2\] In\[1\]:$")
        assert t.text().count("\n1 of 12: ") == 2
        t.type("(note c4 :q)", "enter").wait_for("^2 of 12: ")
        t.type(":tutorial off", "enter").wait_for(r"^\[session-1\] In\[\d+\]:$")


def test_a_script_is_told_that_it_needs_a_terminal(home):
    done = run_script(home, ":tutorial\n(+ 1 2)\n")
    assert done.returncode == 1
    assert b"at the prompt of a terminal only" in done.stderr
    assert done.stdout == b"3\n"
