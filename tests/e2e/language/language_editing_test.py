"""Editing music: retrograde, rotate, replace, delete, with everything attached to the notes."""

import subprocess

import pytest
from support.program import BINARY, run_script


def run(home, *texts):
    done = run_script(home, "\n".join(texts) + "\n")
    assert done.stderr == b""
    return done.stdout.decode().splitlines()


MEASURES = "(printed (selected (measures 1 -1)))"


def test_a_part_with_a_hairpin_over_the_barline_is_turned_and_exported(home):
    run(home, "(part :flute (measure (note c5 :h) (cresc) (note d5 :h)) (measure (note e5 :h) "
              "(hairpin-stop) (note f5 :h)))")
    written = run(home, "(edit (measures 1 2) (fn [m] m))", "(printed (retrograde (selected (measures 1 2))))")
    assert "(dim) (note e5 :h)" in written[-1]
    source = home.path / "back.ferm"
    source.write_text("(retrograde (part :flute (measure (note c5 :h) (cresc) (note d5 :h)) "
                      "(measure (note e5 :h) (hairpin-stop) (note f5 :h))))")
    done = subprocess.run([BINARY, "compile", source], capture_output=True, env=home.environment(),
                          check=True)
    wedges = [line.strip() for line in done.stdout.decode().splitlines() if "<wedge" in line]
    assert wedges == ['<wedge type="diminuendo" number="1"/>', '<wedge type="stop" number="1"/>'] or \
        wedges == ['<wedge type="diminuendo"/>', '<wedge type="stop"/>']


def test_endings_are_not_turned_and_the_message_says_why(home):
    done = run_script(home, "(retrograde (part (repeat (measure (note c4 :w)) (ending 1 (measure (note d4 "
                            ":w))) (ending 2 (measure (note e4 :w))))))\n")
    error = done.stderr.decode()
    assert "endings cannot be reversed" in error and "write out the repeats" in error


def test_new_notes_leave_the_words_over_them(home):
    run(home, "(measure (p) (note c4 :h) (words \"dolce\") (note d4 :h))",
        "(replace (select :measures 1 :beats 3) (note a4 :q) (note b4 :q))")
    assert "(words \\\"dolce\\\") (note a4 :q) (note b4 :q)" in run(home, MEASURES)[0]


def test_a_deleted_first_ending_takes_its_repeat_along_and_undo_brings_both_back(home):
    run(home, "(score (part :flute (repeat (measure (note c4 :w)) (ending 1 (measure (note d4 :w))) "
              "(ending 2 (measure (note e4 :w))))))")
    before = run(home, MEASURES)
    assert ":repeat-start" in before[0] and ":ending 1" in before[0]
    run(home, "(delete (measures 2))")
    after = run(home, MEASURES)
    assert "repeat" not in after[0] and "ending" not in after[0]
    run(home, ":undo")
    assert run(home, MEASURES) == before


def test_a_rotation_takes_tied_notes_together(home):
    assert run(home, "(printed (rotate 1 (seq (note c4 :q :tie start) (note c4 :q :tie stop) (note d4 :h))))") == [
        '"(seq (note d4 :h) (note c4 :q :tie :start) (note c4 :q :tie :stop))"']


def test_a_question_about_the_key_changes_nothing(home):
    answers = run(home, "(note c5 :w)", "(key d :major)", "(note d5 :w)", "(key-at 1)", "(note f#5 :q)")
    assert answers[3] == "(key :c :major)"
    last = run(home, "(printed (selected (measures -1)))")[0]
    assert "(key" not in last and "(note f#5 :q)" in last


# Not the first one: its signatures go to the measure that becomes the first, which is then equal to it.
@pytest.mark.parametrize("place", [2, 3, 4])
def test_of_equal_measures_the_one_that_was_edited_is_named(home, place):
    equal = "(part :flute " + 4 * "(measure (note c4 :w)) " + ")\n"
    for edit, says in ((f"(delete (measures {place}))", f"measure {place}: 1 measure removed; 1 note removed"),
                       (f"(insert-measure {place} (measure (note c4 :w)))", f"measure {place}: 1 measure added; 1 note added"),
                       (f"(replace (measures {place}) (measure (note d4 :w)))", f"measure {place}: 1 measure changed; 1 note changed")):
        done = run_script(home, equal + edit + "\n", "--session", f"edit-{place}-{edit[1:4]}")
        assert says in done.stdout.decode().splitlines()[-1], done
