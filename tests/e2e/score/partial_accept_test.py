"""Accepting some measures of a proposal: they fit between those that stay, and repairs are reported.

Expected results follow by hand from the rules in core/score/merge/copy_measures.hpp: a slur, tie or repeat is
complete or removed, and signatures outside the accepted measures do not change.
"""

import pytest
from support.client import Client
from support.program import Home
from support.terminal import Terminal

SIX = "(score (part :violin (measure (key c major) (time 4/4) (note c4 :w)) " + "(measure (note c4 :w)) " * 5 + "))"

# The proposal, the measures accepted, the message, and then the content of measures 3 to 5.
PROPOSED = [
    ("(replace (measures 2 5) (measure (note d4 :w :slur start)) (measure (note e4 :w)) "
     "(measure (note f4 :w :slur stop)) (measure (note g4 :w)))",
     "3-4", "dropped at the edges: a slur into measure 4", ["c4", "e4", "f4", "c4"]),
    ("(replace (measures 2 5) (measure (note d4 :w)) (measure (note d4 :w :tie start)) "
     "(measure (note d4 :w :tie stop)) (measure (note d4 :w)))",
     "-3", "dropped at the edges: a tie out of measure 3", ["d4", "d4", "c4", "c4"]),
    ("(replace (measures 2 5) (measure (key d major) (note d4 :w)) (measure (note e4 :w)) "
     "(measure (note f#4 :w)) (measure (note g4 :w)))",
     "3-4", "measure 3 begins with the new key measure 5 restores the former key",
     ["c4", "e4", "f#4", "c4"]),
    ("(replace (measures 2 5) (measure (time 3/4) (note d4 :h.)) (measure (note e4 :h.)) "
     "(measure (note f4 :h.)) (measure (note g4 :h.)))",
     "4-", "measure 4 begins with the new metre", ["c4", "c4", "f4", "g4"]),
]


@pytest.mark.parametrize("proposal, measures, said, notes", PROPOSED, ids=["slur", "tie", "key", "metre"])
def test_the_edges_of_a_partly_accepted_proposal_are_repaired_and_reported(proposal, measures, said, notes):
    with Home() as home, Terminal(home, columns=160, rows=50) as t, Client(home, "Claude") as c:
        t.enter(SIX)
        made = c.call("eval", text=proposal)
        assert made["proposal"] == 1
        t.wait_for(r"Δ1\]")
        t.enter("(+ 1 1)")
        shown = " ".join(t.enter(f":accept 1 {measures}").split())
        assert "accepted Δ1 in part" in shown and said in shown
        # The entry shows what was accepted, not what the whole proposal would have changed.
        assert "]: accepted in part: Violin, measure" in shown and "4 measures changed" not in shown
        for number, note in enumerate(notes, start=2):
            text = t.enter(f":score violin {number}").split(f":score violin {number}", 1)[1]
            assert f"(note {note} " in text
            assert "slur" not in text and "tie" not in text
        # It is undone and redone as one change.
        t.enter(":undo")
        assert "(note c4" in t.enter(":score violin 3-4")
        t.enter(":redo")
        again = t.enter(":score violin 3")
        assert f"(note {notes[1]} " in again


def test_what_is_in_no_measure_is_left_out_and_that_is_said():
    with Home() as home, Terminal(home, columns=160, rows=50) as t, Client(home, "Claude") as c:
        t.enter(SIX)
        c.call("eval", text='(def motif 7) (score :title "Song" (part :violin '
               "(measure (key c major) (time 4/4) (note c4 :w)) (measure (note d4 :w)) " + "(measure (note c4 :w)) " * 4 + "))")
        t.wait_for(r"Δ1\]")
        t.enter("(+ 1 1)")
        shown = " ".join(t.enter(":accept 1 2").split())
        assert "Not accepted, because it belongs to no measure: the definition of motif, titles and credits" in shown, shown
        assert "unknown-name" in t.enter("motif")
        assert "Not accepted, because it belongs to no measure" in t.enter(":history -3:")


def test_what_is_accepted_while_entries_are_only_tried_is_taken():
    with Home() as home, Terminal(home, columns=160, rows=50) as t, Client(home, "Claude") as c:
        t.enter(SIX)
        c.call("eval", text="(replace (measures 2) (measure (note d4 :w)))")
        t.wait_for(r"Δ1\]")
        t.enter("(replace (measures 2) (measure (note e4 :w)))")
        t.enter(":scratch on")
        shown = " ".join(t.enter(":accept 1 --again").split())
        assert "evaluated again" in shown
        assert "(note d4" in t.enter(":score violin 2")


def test_all_measures_of_a_proposal_need_no_mending():
    with Home() as home, Terminal(home, columns=160, rows=50) as t, Client(home, "Claude") as c:
        t.enter(SIX)
        c.call("eval", text=PROPOSED[0][0])
        t.wait_for(r"Δ1\]")
        t.enter("(+ 1 1)")
        shown = t.enter(":accept 1 1-")
        assert "4 measures accepted, 0 left out" in shown and "dropped at the edges" not in shown
        assert ":slur :start" in t.enter(":score violin 2") and ":slur :stop" in t.enter(":score violin -3:-3")


@pytest.mark.parametrize("command", [":score 5-", ":score -2", ":score -1:", ":score 2:3", ":blame 5-", ":history --measures 5-",
                                     ":history --measures -2"])
def test_open_ranges_of_measures_are_understood(command):
    with Home() as home, Terminal(home, columns=120, rows=50) as t:
        t.enter(SIX)
        shown = t.enter(command).split(command, 1)[1]
        assert "c4" in shown and "is not a range" not in shown


def test_open_ranges_of_a_branch_are_merged():
    with Home() as home, Terminal(home, columns=120, rows=50) as t:
        t.enter(SIX)
        t.enter(":branch b")
        t.enter(":switch-branch b")
        t.enter("(replace (measures 3 6) " + "(measure (note e4 :w))" * 4 + ")")
        t.enter(":switch-branch main")
        assert "merged 2 measures from b" in t.enter(":merge b 5-")
        assert "(note c4" in t.enter(":score 4") and "(note e4" in t.enter(":score 5")
        assert "merged 2 measures from b" in t.enter(":merge b -4")
        assert "(note e4" in t.enter(":score 3")


def test_measures_that_nobody_changed_are_taken_beside_one_that_changed():
    with Home() as home, Terminal(home, columns=160, rows=50) as t, Client(home, "Claude") as c:
        t.enter("(score (part :flute " + "(measure (note c4 :w)) " * 4 + ") (part :oboe " + "(measure (note c4 :w)) " * 4 + "))")
        c.call("eval", text="(edit (measures 1 4) (fn [m] (transpose M2 m)))")
        t.wait_for(r"Δ1\]")
        t.enter("(replace (select :part 1 :measures 2) (measure (note g4 :w)))")
        refused = " ".join(t.enter(":accept 1 2").split())
        # Nothing is said about `:accept 1` that it does not do.
        assert "these measures have changed" in refused and "`:accept 1` accepts" not in refused
        shown = " ".join(t.enter(":accept 1 4").split())
        assert "accepted Δ1 in part" in shown and "(note d4" in t.enter(":score flute 4")
        assert "(note g4" in t.enter(":score flute 2") and "(note c4" in t.enter(":score oboe 3")


SCALE = "(score (part :violin " + "".join(f"(measure (note {p}4 :w)) " for p in "cdefga") + "))"


def test_what_is_left_of_a_proposal_stays_open_also_over_a_restart():
    with Home() as home:
        with Terminal(home, columns=160, rows=50) as t, Client(home, "Claude") as c:
            t.enter(SCALE)
            c.call("eval", text="(edit (measures 1 4) (fn [m] (transpose P8 m)))")
            t.wait_for(r"Δ1\]")
            t.enter("(+ 1 1)")
            assert "The rest of Δ1 stays open" in " ".join(t.enter(":accept 1 1").split())
            assert "open (measure 1 accepted)" in t.enter(":proposals")
            assert c.call("get_session")["proposals"] == [1]
            left = c.call("get_proposal", proposal=1)
            assert left["state"] == "open" and "measures 2 to 4" in left["delta"], left
            assert "(note c5" in t.enter(":score violin 1") and "(note d4" in t.enter(":score violin 2")
        with Terminal(home, columns=160, rows=50) as t:
            assert "measures 2 to 4" in t.enter(":proposals")
            assert "accepted Δ1" in t.enter(":accept 1")
            for number, note in enumerate(("c5", "d5", "e5", "f5", "g4", "a4"), start=1):
                assert f"(note {note} " in t.enter(f":score violin {number}")
            assert "no proposal is open" in t.enter(":proposals")


def test_of_what_is_left_nothing_is_taken_when_it_is_rejected():
    with Home() as home, Terminal(home, columns=160, rows=50) as t, Client(home, "Claude") as c:
        t.enter(SCALE)
        c.call("eval", text="(edit (measures 1 4) (fn [m] (transpose P8 m)))")
        t.wait_for(r"Δ1\]")
        t.enter(":accept 1 4")
        assert "rejected Δ1" in t.enter(":reject 1 enough")
        assert "(note c4" in t.enter(":score violin 1") and "(note f5" in t.enter(":score violin 4")
