"""Some measures of a branch or a proposal, requested by number when measures were deleted or moved.

Worked out by hand: measures there replace measures here, and deleted measures have their numbers here.
"""

import pytest
from support.client import Client
from support.program import run_script
from support.terminal import Terminal

UPBEAT = ("(part :violin (measure :pickup (key g :major) (time 4 4) (note c5 :q)) (measure (note d5 :w)) "
          "(measure (note e5 :w)) (measure (note f5 :w)))")
WITHOUT = ("(part :violin (measure (key :g :major) (time 4 4) (clef :treble) (note d5 :w)) (measure (note e5 :w)) "
           "(measure (note f5 :w)))")
UP = "(edit (measures 1 2) (fn [m] (transpose M2 m)))"


def shown(output):
    return " ".join(output.split())


def run(home, *lines):
    return run_script(home, "".join(line + "\n" for line in lines))


def merged(home, edit, *merges):
    done = run(home, UPBEAT, ":branch b", ":switch-branch b", edit, ":switch-branch main", *merges, ":score")
    assert done.returncode == 0, done.stderr.decode()
    return shown(done.stdout.decode())


@pytest.mark.parametrize("merges", [[":merge b 1-2"], [":merge b 1", ":merge b 2"], [":merge b 2", ":merge b 1"],
                                    [":merge b 0-"], [":merge b"]])
def test_measures_that_went_up_a_step_double_nothing(home, merges):
    score = merged(home, UP, *merges)
    assert "(note c5 :q)) (measure (note e5 :w)) (measure (note f#5 :w)) (measure (note f5 :w)))" in score


@pytest.mark.parametrize("merge", [":merge b 0", ":merge b 0-1"])
def test_an_upbeat_that_went_is_taken_by_its_number(home, merge):
    assert WITHOUT in merged(home, "(delete (measures 0))", merge)


def test_what_is_not_there_is_said_with_what_there_is(home):
    run(home, "(part :violin (measure :pickup (note c5 :q)) (measure (note d5 :w)))", ":branch b")
    for line, says in ((":blame 2 violin", "measure 2 does not exist; Violin has the measures 0 to 1"),
                       (":merge b 2", "measure 2 does not exist; b has the measures 0 to 1"),
                       (":merge b X1", "there is no measure X1; Violin has 0 to 1")):
        done = run(home, line)
        assert done.returncode == 1 and says in shown(done.stderr.decode()), done


def proposed(t, client, text):
    assert client.call("eval", text=text)["proposal"] == 1
    t.wait_for(r"Δ1\]")
    t.enter("(+ 1 1)")


def test_a_proposed_deletion_of_the_upbeat_is_taken_by_its_number(home):
    with Terminal(home, columns=150) as t, Client(home, "claude") as c:
        t.enter(UPBEAT)
        proposed(t, c, "(delete (measures 0))")
        assert "measure 0, deleted" in t.enter(":diff 1")
        assert "nothing changes in these measures" in t.enter(":accept 1 1")
        assert "1 measure accepted, 0 left out" in t.enter(":accept 1 0")
        assert WITHOUT in shown(t.enter(":score"))
        t.enter(":undo")
        assert ":pickup" in t.enter(":score")


def test_a_key_that_is_only_said_back_is_no_change(home):
    with Terminal(home, columns=150) as t, Client(home, "claude") as c:
        t.enter(WITHOUT)
        proposed(t, c, "(replace (measures 1) (measure (key d :major) (note d5 :w)))")
        assert "nothing changes in these measures" in t.enter(":accept 1 2")
        assert "claude (ipc)  open" in t.enter(":proposals")
        assert "1 measure accepted, 0 left out" in t.enter(":accept 1 1")
