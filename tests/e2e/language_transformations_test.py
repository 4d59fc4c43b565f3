"""Transformations at the command line: what goes in, and the text that comes out."""

import pytest
from support.program import Home, run_script


def evaluated(*forms):
    with Home() as home:
        arguments = [word for form in forms for word in ("-e", form)]
        done = run_script(home, "", "eval", *arguments)
        return done.stdout.decode(), done.stderr.decode(), done.returncode


@pytest.mark.parametrize("text, expected", [
    # Three quarters in the time of one are an eighth triplet, and back.
    ("(diminish 3 (note c4 :q) (note d4 :q) (note e4 :q))",
     "(tuplet 3:2 (note c4 :8) (note d4 :8) (note e4 :8))"),
    ("(augment 3 (diminish 3 (note c4 :q) (note d4 :q) (note e4 :q)))",
     "(seq (note c4 :q) (note d4 :q) (note e4 :q))"),
    ("(diminish 5 (augment 5 (note c4 :q)))", "(note c4 :q)"),
    # C E G about C is C Ab F: F minor.
    ('(invert c4 (seq (harmony "C") (note e4 :q)))', '(seq (harmony "Fm") (note ab3 :q))'),
    # D sharp major does not exist on paper: E flat major, and its notes.
    ("(transpose M2 (measure (key c# :major) (note c#4 :w)))",
     "(measure (key :eb :major) (note eb4 :w))"),
    ("(zip-rhythm (tuplet 3:2 (note c4 :8) (rest :8) (note e4 :8)) (g4 a4))",
     "(tuplet 3:2 (note g4 :8) (rest :8) (note a4 :8))"),
    ('(rn "V9 iv7" :key c-major)', "((g3 b3 d4 f4 a4) (f4 ab4 c5 eb5))"),
])
def test_a_transformation_gives_what_a_musician_writes(text, expected):
    out, err, code = evaluated(text)
    assert code == 0, err
    assert expected in " ".join(out.split())


def test_bar_checks_are_no_obstacle_to_music_read_backwards():
    out, err, code = evaluated('(retrograde #p"c4:q d e f | g a b c |")')
    assert code == 0, err
    assert "c4" in out


def test_music_without_end_is_refused_and_nothing_is_changed():
    out, err, code = evaluated("(augment 1024 (augment 1024 (augment 1024 (note c4))))")
    assert code != 0
    assert "budget-exceeded" in err
