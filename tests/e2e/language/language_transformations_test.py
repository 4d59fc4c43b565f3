"""Transformations at the command line: the input, and the text of the result."""

import pytest
from support.program import Home, run_script


def evaluated(*forms):
    with Home() as home:
        arguments = [word for form in forms for word in ("-e", form)]
        done = run_script(home, "", "eval", *arguments)
        return done.stdout.decode(), done.stderr.decode(), done.returncode


@pytest.mark.parametrize("text, expected", [
    # Three quarters in the time of one are a triplet of eighths, and back.
    ("(diminish 3 (note c4 :q) (note d4 :q) (note e4 :q))",
     "(tuplet 3:2 (note c4 :8) (note d4 :8) (note e4 :8))"),
    ("(augment 3 (diminish 3 (note c4 :q) (note d4 :q) (note e4 :q)))",
     "(seq (note c4 :q) (note d4 :q) (note e4 :q))"),
    ("(diminish 5 (augment 5 (note c4 :q)))", "(note c4 :q)"),
    # C E G about C is C Ab F: F minor.
    ('(invert c4 (seq (harmony "C") (note e4 :q)))', '(seq (harmony "Fm") (note ab3 :q))'),
    # D sharp major is not used in notation: E flat major, and its notes.
    ("(transpose M2 (measure (key c# :major) (note c#4 :w)))",
     "(measure (key :eb :major) (note eb4 :w))"),
    ("(zip-rhythm (tuplet 3:2 (note c4 :8) (rest :8) (note e4 :8)) (g4 a4))",
     "(tuplet 3:2 (note g4 :8) (rest :8) (note a4 :8))"),
    # A chord without a name on the notes of the scale keeps its type.
    ('(transpose :steps 1 :key c-major (seq (harmony "E7") (note e4)))',
     '(seq (harmony "F7") (note f4 :q))'),
    ('(sequence 3 :steps 1 :key c-major (harmony "E7"))',
     '(seq (harmony "E7") (harmony "F7") (harmony "G7"))'),
    # 4/4 twice as long is 4/2, twice as short 4/8.
    ("(augment 2 (score (measure (note c4 :w)) (measure (note d4 :w))))",
     "(score (time 4 2) (measure (note c4 :breve)) (measure (note d4 :breve)))"),
    ("(augment 2 (measure (note c4 :w)))", "(measure (time 4 2) (note c4 :breve))"),
    ("(diminish 2 (score (measure (note c4 :w)) (measure (note d4 :w))))",
     "(score (time 4 8) (measure (note c4 :h)) (measure (note d4 :h)))"),
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


@pytest.mark.parametrize("text, expected", [
    ("(voice-leading-faults (score (part :violin (measure (note e6 :w))) (part :violin (measure "
     "(note g5 :w))) (part :viola (measure (note d4 :w))) (part :cello (measure (note c2 :w)))))",
     "()"),
    # The lowest string of a violin is g3; a choir's bass ends at e2.
    ("(voice-leading-faults (score (part :violin (measure (note f3 :w)))))",
     "((0 :out-of-range 1 1))"),
    ("(voice-leading-faults (chord (c2 g3 e4 c5) :w))", "((0 :out-of-range 1 1))"),
])
def test_every_instrument_has_its_own_range(text, expected):
    out, err, code = evaluated(text)
    assert code == 0, err
    assert out.split("\n")[-2] == expected


@pytest.mark.parametrize("phrase", ["(c4:q {3:2 d:8 e f}) g:h", "(c4:q [d e f]:q) g:h", "[c4 d e]:q~ e:h."])
def test_a_sign_behind_a_group_is_that_of_its_last_note(phrase):
    out, err, code = evaluated(f'(score (part #p"{phrase}"))')
    assert code == 0, err
    assert "part" in out


@pytest.mark.parametrize("words", ["Glo-_ri-a in", "Glo - _ ri -- a in", "Glo--__ri-a in"])
def test_the_signs_of_a_melisma_are_never_sung(words):
    out, err, code = evaluated(f'(printed (score (measure (lyrics "{words}" (note c4 :8) (note d4 :8) '
                               '(note e4 :q) (note f4 :q) (note g4 :q)))))')
    assert code == 0, err
    assert '(lyrics \\"Glo-_ ri-a in\\"' in out
