"""A proposal on a score that changes while it is open: what `:diff` shows is what `:accept` does.

Expected results are worked out by hand: c5 d5 e5 f5 are in measures 1 to 4.
"""

import re

import pytest
from support.client import Client
from support.program import Home
from support.terminal import Terminal

FOUR = "(part :violin " + "".join(f"(measure (note {n} :w))" for n in ("c5", "d5", "e5", "f5")) + ")"


@pytest.fixture
def at_work():
    with Home() as home, Terminal(home, columns=160, rows=60) as t, Client(home, "claude") as c:
        t.enter(FOUR)
        yield t, c


def propose(t, c, text):
    number = c.call("eval", text=text)["proposal"]
    t.wait_for(r"Δ1\]")
    return number


def notes(t):
    return re.findall(r"\(note (\w+)", t.enter(":score violin").split(":score violin", 1)[1])


def in_one_line(shown):
    return " ".join(shown.split())


def test_what_is_shown_of_a_proposal_that_was_left_behind_is_what_is_taken(at_work):
    t, c = at_work
    n = propose(t, c, "(replace (measures 3) (measure (note g5 :w)))")
    t.enter("(insert-measure (measures 1) (measure (note b4 :w)))")
    shown = in_one_line(t.enter(f":diff {n}"))
    assert re.search(r"measure 4 - \(measure :number .4. \(note e5 :w\)\) \+ \(measure :number .4. \(note g5 :w\)\)", shown), shown
    assert "d5" not in shown and f"this is what `:accept {n}` would change now" in shown
    assert "adapted to the current score" in in_one_line(t.enter(f":accept {n}"))
    assert notes(t) == ["b4", "c5", "d5", "g5", "f5"]
    t.enter(":undo")
    assert notes(t) == ["b4", "c5", "d5", "e5", "f5"]


def test_what_i_wrote_meanwhile_is_written_over_only_when_i_say_so(at_work):
    t, c = at_work
    n = propose(t, c, "(replace (measures 3) (measure (note g5 :w)))")
    t.enter("(replace (measures 3) (measure (note a5 :w)))")
    shown = in_one_line(t.enter(f":diff {n}"))
    # Both: its original change, and its current effect.
    for gone in ("e5", "a5"):
        assert re.search(rf"- \(measure :number .3. \(note {gone} :w\)\)", shown), shown
    refused = in_one_line(t.enter(f":accept {n}"))
    assert "would overwrite measure 3 of Violin" in refused and "--again" in refused
    assert notes(t) == ["c5", "d5", "a5", "f5"] and t.prompt()["badge"].strip() == "Δ1"
    assert "evaluated again" in in_one_line(t.enter(f":accept {n} --again"))
    assert notes(t) == ["c5", "d5", "g5", "f5"]


def test_what_is_put_behind_my_notes_is_taken_behind_them(at_work):
    t, c = at_work
    n = propose(t, c, "(note g5 :w)")
    t.enter("(note a5 :w)")
    shown = in_one_line(t.enter(f":diff {n}"))
    assert "Evaluated again, it would change:" in shown and f"`:accept {n}` accepts this." in shown
    t.enter(f":accept {n}")
    assert notes(t) == ["c5", "d5", "e5", "f5", "a5", "g5"]


def test_new_measures_of_a_proposal_are_taken_by_the_numbers_of_its_diff(at_work):
    t, c = at_work
    n = propose(t, c, "(insert-measure (measures 3) (measure (note b5 :w)) (measure (note c6 :w)))")
    assert "measures 3 to 4, new" in t.enter(f":diff {n}")
    assert "cannot be accepted without the new one before it" in in_one_line(t.enter(f":accept {n} 4"))
    assert "1 measure accepted, 1 left out" in t.enter(f":accept {n} 3")
    assert notes(t) == ["c5", "d5", "b5", "e5", "f5"]


def test_after_a_part_of_a_proposal_notes_go_on_behind_it(at_work):
    t, c = at_work
    n = propose(t, c, "(note g5 :w) (note a5 :w)")
    t.enter(f":accept {n} 5")
    t.enter("(note c4 :w)")
    assert notes(t) == ["c5", "d5", "e5", "f5", "g5", "c4"]


def test_a_proposal_of_which_nothing_is_taken_still_waits(at_work):
    t, c = at_work
    n = propose(t, c, "(do (replace (measures 2) (measure (note d5 :w :tie start))) "
                      "(replace (measures 3) (measure (note d5 :w :tie stop))))")
    said = in_one_line(t.enter(f":accept {n} 2"))
    assert "it stays open" in said and "accepted" not in said
    assert t.prompt()["badge"].strip() == "Δ1"


def test_the_history_of_a_measure_follows_it(at_work):
    t, _ = at_work
    t.enter("(replace (measures 3) (measure (note g5 :w)))")
    t.enter("(insert-measure (measures 1) (measure (note b4 :w)) (measure (note b4 :w)))")
    # g5 is in measure 5 now; c5, which nobody changed, in measure 3.
    assert "In[2]" in t.enter(":history --measures 5 --code")
    third = t.enter(":history --measures 3 --code")
    assert "In[2]" not in third and "In[1]" in third
    assert "In[2]" in t.enter(":blame 5")
