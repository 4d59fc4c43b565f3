"""What was shown is kept, across restarts and kill -9 at any moment."""

import re

import pytest
from support.program import run_script
from support.terminal import Terminal


def shown_results(terminal):
    """index -> value for every Out line on the screen."""
    return {int(n): v for n, v in re.findall(r"^Out\[(\d+)\]: (.*)$", terminal.text(), re.M)}


def test_a_restart_brings_the_session_back(home):
    with Terminal(home) as t:
        t.enter("(def motif (seq (note g4 :8) (note g4 :8) (note g4 :8) (note eb4 :h)))")
        t.enter("(measure (note c4 :w))")
        t.enter("// the Fifth")
        score = t.enter(":score").split(":score", 1)[1].splitlines()[1:-1]
        number = int(t.prompt()["number"])
        t.type("ctrl-d")
        assert t.wait_for_end() == 0
    with Terminal(home) as t:
        assert t.prompt()["session"] == "session-1"
        assert int(t.prompt()["number"]) >= number
        assert t.enter(":score").split(":score", 1)[1].splitlines()[1:-1] == score
        assert "[3] [you]: the Fifth" in t.enter(":history")
        assert "(note eb4 :h)" in t.enter("motif")


def test_the_session_used_last_is_the_one_that_opens(home):
    with Terminal(home) as t:
        t.enter(":session new Second")
        t.enter("(def x 2)")
        t.type("ctrl-d")
        t.wait_for_end()
    with Terminal(home) as t:
        assert t.prompt()["session"] == "second"
        assert re.search(r"Out\[\d+\]: 2$", t.enter("x"), re.M)


@pytest.mark.parametrize("after", range(5))
def test_kill_9_loses_nothing_that_was_shown(home, after):
    """Killed as soon as the n-th result is on the screen, with more lines waiting."""
    with Terminal(home) as t:
        for i in range(12):
            t.type(f"(def v{i} {i * i})", "enter", f"v{i}", "enter")
        t.wait_until(lambda: len(shown_results(t)) > after, "results")
        t.kill()
        shown = shown_results(t)
    with Terminal(home) as t:
        for number, value in shown.items():
            assert re.search(rf"^Out\[\d+\]: {value}$", t.enter(f"$Out[{number}]"), re.M)


def test_kill_9_in_the_middle_of_an_evaluation_keeps_what_came_before(home):
    with Terminal(home) as t:
        t.enter("(def x 5)")
        t.start("(reduce + 0 (map (fn [x] (reduce + 0 (range 1000000))) (range 1000000)))")
        t.kill()
    assert run_script(home, "x\n").stdout == b"5\n"


def test_kill_9_while_typing_loses_only_the_line(home):
    with Terminal(home) as t:
        t.enter("(def x 5)")
        t.type("(half a li")
        t.wait_for("half a li")
        t.kill()
    with Terminal(home) as t:
        assert re.search(r"Out\[\d+\]: 5", t.enter("x"))


def test_an_incomplete_last_line_of_the_journal_is_truncated_and_reported(home):
    with Terminal(home) as t:
        t.enter("(def x 5)")
        t.enter("(+ x 1)")
        t.kill()
    journal = home.session() / "history.jsonl"
    with journal.open("ab") as f:
        f.write(b'{"index":3,"half a li')
    with Terminal(home) as t:
        assert re.search(r"Out\[\d+\]: 5", t.enter("x"))
        assert "Out[2]: 6" in t.enter(":history")
