"""Measures are identified by their printed number everywhere.

Numbers and notes are determined by hand: the pickup (g4) is measure 0, a4 measure 1, b4 measure 2.
"""

import pytest
from support.client import Client
from support.program import Home, run_script
from support.terminal import Terminal

UPBEAT = "(part :violin (measure :pickup (note g4 :q)) (measure (note a4 :w)) (measure (note b4 :w)))"


def play(home, *lines):
    done = run_script(home, "".join(line + "\n" for line in lines))
    assert done.returncode == 0, done
    return done.stdout.decode()


def refused(home, *lines):
    done = run_script(home, "".join(line + "\n" for line in lines))
    assert done.returncode == 1, done
    return " ".join(done.stderr.decode().split())


@pytest.mark.parametrize("asked, there", [("0", "g"), ("1", "a"), ("2", "b"), ("0-1", "ga"), ("1-", "ab"), ("-1", "ga"),
                                          ("-1:", "b")])
def test_a_piece_with_an_upbeat_is_shown_and_blamed_by_its_numbers(home, asked, there):
    shown = play(home, UPBEAT, f":score {asked}").split(UPBEAT[:5])[-1]
    shown = shown[shown.index("; Violin"):]
    blamed = play(home, f":blame {asked}")
    for note in "gab":
        assert (f"(note {note}4" in shown) == (note in there), shown
        assert (f"{note}4 :" in blamed.split("Entries that")[0] or f"\nbeat 1      {note}4 :" in blamed) == (note in there), blamed


def test_the_staff_shows_the_measure_that_is_asked_for(home):
    play(home, UPBEAT)
    one, two = (play(home, f":score {n} --staff") for n in (1, 2))
    assert one != two
    assert "does not exist" in refused(home, ":score 3 --staff")


def test_a_piece_without_an_upbeat_has_no_measure_0(home):
    assert "there is no measure 0; Violin has 1 to 2" in refused(
        home, "(part :violin (measure (note a4 :w)) (measure (note b4 :w)))", ":score 0")


def test_a_proposal_is_taken_by_the_number_above_its_diff():
    with Home() as home, Terminal(home, columns=120, rows=50) as t, Client(home, "Claude") as c:
        t.enter(UPBEAT)
        c.call("eval", text="(edit (measures 1) (fn [x] (transpose 2 x)))")
        t.wait_for(r"Δ1\]")
        shown = t.enter(":diff 1")
        assert "\nmeasure 1\n" in shown and '(measure :number "1"' in shown and "measure 2" not in shown
        assert "nothing changes in these measures" in t.enter(":accept 1 2")
        assert "1 measure accepted" in t.enter(":accept 1 1")
        assert "(note b4" in t.enter(":score 1")


def test_branches_are_merged_by_the_numbers_that_conflicts_name(home):
    play(home, UPBEAT, ":branch b", ":switch-branch b", "(replace (measures 1) (measure (note e5 :w)))",
         ":switch-branch main", "(replace (measures 1) (measure (note f5 :w)))")
    said = refused(home, ":merge b")
    assert "measure 1 changed on both branches" in said and ":merge b 1 --theirs" in said
    assert "(note e5 :w)" in play(home, ":merge b 1 --theirs", ":score 1")


def test_what_was_merged_is_blamed_and_looked_back_at_by_who_wrote_it(home):
    play(home, "(part :flute (measure (note c5 :w)) (measure (note d5 :w)) (measure (note e5 :w)) (measure (note f5 :w)))",
         ":branch b", ":switch-branch b", "(insert-measure (measures 3) (measure (note a5 :w)))",
         "(replace (measures 4) (measure (note f#5 :w)))", ":switch-branch main", ":merge b")
    blamed = play(home, ":blame 4")
    assert "In[5]: (replace" in blamed and "In[1]: (part" in blamed and "[7]: :merge b" in blamed
    fourth, third = (play(home, f":history --measures {n}") for n in (4, 3))
    assert "In[1]" in fourth and "In[5]" in fourth and ":merge b" in fourth and "switch-branch" not in fourth
    assert "In[4]" in third and ":merge b" in third and "In[1]" not in third and "switch-branch" not in third


def test_all_parts_are_blamed_each_under_its_name(home):
    play(home, "(part :flute (measure (note c5 :w)) (measure (note d5 :w)))",
         '(part :bass (measure (note c3 :w)) (measure (note d3 :w)) (measure (rehearsal "B") (note e3 :w)))')
    both = play(home, ":blame 2")
    assert "Flute, measure 2\nbeat 1      d5 :w" in both and "Bass, measure 2\nbeat 1      d3 :w" in both
    for asked in ("3", "B"):
        shown = play(home, f":blame {asked}")
        assert "Bass, measure 3\nbeat 1      e3 :w" in shown and "Flute" not in shown
    assert all(note in play(home, ":blame 1-3") for note in ("c5 :w", "d5 :w", "c3 :w", "d3 :w", "e3 :w"))
    assert "measure 3 does not exist; Flute has the measures 1 to 2" in refused(home, ":blame 3 flute")


def test_clients_read_the_number_beside_the_place():
    with Home() as home, Terminal(home) as t, Client(home, "Claude") as c:
        t.enter(UPBEAT)
        rows = c.call("get_measures", **{"from": 1, "to": 3})["measures"]
        assert [(row["measure"], row["number"]) for row in rows] == [(1, "0"), (2, "1"), (3, "2")]
        t.enter("(replace (measures 1) (measure (note e5 :w)))")
        changed = c.call("get_history")["entries"][-1]["touched"]
        assert [(row["measures"], row["numbers"]) for row in changed] == [([2, 2], ["1", "1"])]
