"""How values and the score are shown: text, compact, summary, MusicXML, staves, nothing."""

import re

import pytest
from support.program import run_script
from support.terminal import Terminal

NOTES = "(seq (note c4 :q) (note d4 :q) (note e4 :h))"


@pytest.fixture
def prompt(home):
    with Terminal(home, rows=40) as t:
        yield t


def test_the_display_is_set_for_the_session_and_kept_with_it(home):
    with Terminal(home, rows=40) as t:
        assert "display = staff" in t.enter(":set display staff")
        shown = t.enter("(note c4 :q)")
        # The head is below its ledger line, the stem goes up through the staff.
        assert re.search(r"^Out\[2\]:\n┌.*┐\n(.*\n){7}└", shown, re.M)
        assert re.search(r"^ +─●─$", shown, re.M)
        t.type("ctrl-d")
        t.wait_for_end()
    with Terminal(home, rows=40) as t:
        assert "●" in t.enter("(note g4 :q)")
        t.enter(":set display fermata")
        assert re.search(r"Out\[\d+\]: \(note g4 :q\)", t.enter("(note g4 :q)"))


def test_every_way_of_showing_the_same_notes(prompt):
    for display, seen in [("compact", r"Out\[\d+\]: .*\(phrase \"c4:q d e:h\"\)"),
                          ("summary", r"Out\[\d+\]: seq: 3 notes"),
                          ("musicxml", r"<score-partwise"),
                          ("staff", r"├𝄞"),
                          ("explicit", r"Out\[\d+\]: \(seq \(note c4 :q\)")]:
        prompt.enter(f":set display {display}")
        assert re.search(seen, prompt.enter(NOTES)), display
    prompt.enter(":set display silent")
    assert "Out[" not in prompt.enter(NOTES)
    # The value exists all the same.
    prompt.enter(":set display default")
    assert "(note c4 :q)" in prompt.enter("%")


def test_a_grand_staff_with_brace_key_and_time(prompt):
    prompt.enter("(part :piano (staff 1 (measure (key g :major) (time 3 4) (note d5 :h.)))"
                 " (staff 2 (measure (note g3 :h.))))")
    shown = prompt.enter(":score --staff")
    lines = shown.splitlines()
    top = next(i for i, line in enumerate(lines) if line.startswith("⎧"))
    assert lines[top - 1] == "Piano"
    assert "♯" in lines[top]  # F sharp on the top line
    assert "○" in lines[top + 2]  # d5 on the fourth line
    assert any(line.startswith("⎨") for line in lines)
    bottom = next(i for i, line in enumerate(lines) if line.startswith("⎩"))
    bass = lines[bottom - 8:bottom + 1]
    assert "𝄢" in bass[2] and "♯" in bass[2]  # the clef and F sharp on the fourth line
    assert "○" in bass[1]  # g3 in the top space
    # Barlines extend from the top of the upper staff to the bottom of the lower one.
    column = lines[top].index("┐")
    assert all(len(line) > column and line[column] != " " for line in lines[top:bottom + 1])


def test_measures_of_a_part_can_be_seen_alone(prompt):
    prompt.enter("(part :flute (measure (note c5 :w)) (measure (note a4 :w)))")
    shown = prompt.enter(":score flute 2 --staff")
    assert shown.count("○") == 1
    assert "<step>A</step>" in prompt.enter(":score flute 2 --musicxml")
    assert "1 part, 2 measures" in prompt.enter(":score --summary")
    assert "cannot be used together" in prompt.enter(":score --staff --summary")


def test_systems_are_as_wide_as_the_terminal(home):
    with Terminal(home, columns=50, rows=60) as t:
        t.enter("(part :flute (measure (note g4 :q) (note a4 :q) (note g4 :q) (note a4 :q))"
                " (measure (note g4 :q) (note a4 :q) (note g4 :q) (note a4 :q))"
                " (measure (note g4 :q) (note a4 :q) (note g4 :q) (note a4 :q)))")
        shown = t.enter(":score --staff")
        assert shown.count("𝄞") == 2
        assert re.search(r"^3$", shown, re.M), "the second system does not say its measure"


def test_without_utf8_staves_are_drawn_in_ascii(home):
    with Terminal(home, LANG="C", rows=40) as t:
        t.enter(":display staff")
        shown = t.enter("(note c4 :q)").split("Out[2]:", 1)[1]
        assert re.search(r"^ +-@-$", shown, re.M)
        assert shown.isascii()


def test_scripts_show_in_the_same_ways(home):
    done = run_script(home, f":set display summary\n{NOTES}\n:set display silent\n{NOTES}\n")
    assert done.stdout.decode() == "display = summary\nseq: 3 notes, 1 measure\ndisplay = silent\n"


@pytest.mark.parametrize("sign, drawn", [
    ("(key d :major)", "♯"), ("(clef :bass)", "𝄢"), ("(time 3 4)", "3"), ("(f)", "f"), ('(words "dolce")', "dolce"),
    ("(barline final)", "┃"), ('(tempo "Adagio" :q 60)', "Adagio ♩ = 60"), ("(harmony :root c :kind dominant)", "C7"),
])
def test_a_sign_alone_is_drawn_in_an_empty_measure(home, sign, drawn):
    done = run_script(home, f":scratch on\n:set display staff\n{sign}\n:set display summary\n{sign}\n")
    picture, summary = done.stdout.decode().split("display = staff\n")[1].split("display = summary\n")
    assert drawn in picture and "┌" in picture and "cannot be shown" not in picture
    assert summary.count("\n") == 1 and summary.startswith("(")


@pytest.mark.parametrize("display", ["fermata", "compact", "summary", "musicxml", "staff"])
@pytest.mark.parametrize("value", ["42", "1/3", '"text"', "true", "c4", "M3", "(list 1 2 3)", "(list)"])
def test_what_is_no_music_is_shown_as_text_in_every_way(home, display, value):
    done = run_script(home, f":set display {display}\n{value}\n")
    plain = {"(list 1 2 3)": "(1 2 3)", "(list)": "()"}.get(value, value)
    assert done.stdout.decode() == f"display = {display}\n{plain}\n"
