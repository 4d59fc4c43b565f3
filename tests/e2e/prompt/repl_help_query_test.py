"""Asking for help and hiding values at the prompt: `?note`, `note?`, `:whos`, a `;` at the end of a line."""

import re

from support.program import run_script
from support.terminal import Terminal


def test_a_question_mark_asks_for_help(home):
    with Terminal(home, columns=120, rows=60) as t:
        t.enter("(defn third-up [x] (transpose M3 x))")
        for line in ("?note", "note?", "? note"):
            assert "(note PITCH" in t.enter(line)
        assert "(defn third-up [x] (transpose M3 x))" in t.enter("third-up?")
        assert ":accept [N] [MEASURES]" in t.enter("?accept")
        assert "Did you mean `note`?" in t.enter("?nte")
        # In the timeline it is a request for help, not an expression.
        assert ":help note" in t.enter(":history --grep note")
        assert "Out[" in t.enter("(even? 2)") and "true" in t.enter("(even? 2)")


def test_names_are_completed_behind_a_question_mark(home):
    with Terminal(home, columns=120, rows=60) as t:
        t.type("?retrogr", "tab").wait_for(r"\?retrograde ?$")


def test_a_semicolon_at_the_end_silences_the_output(home):
    with Terminal(home, columns=120, rows=60) as t:
        shown = t.enter("(note c4 :q);")
        assert "Out" not in shown and "Δ" not in shown
        assert "(note c4 :q)" in t.enter("$Out[1]")
        assert "(note c4 :q)" in t.enter(":score")
        assert "Out[4]: 3" in t.enter("(+ 1 2) ; a comment shows it")
        # Errors are shown all the same.
        assert "Err[5]" in t.enter("(nte c4);")


def test_a_semicolon_silences_a_script_too(home):
    done = run_script(home, "(def x 7);\n(+ x 1);\n(+ x 2)\n")
    assert done.stdout.decode().split() == ["9"], done


def test_a_semicolon_is_no_part_of_a_file_name_or_of_words(home, tmp_path):
    plain, quoted = tmp_path / "x.ly", tmp_path / "y.ly;"
    with Terminal(home, columns=160, rows=60) as t:
        t.enter("(note c4 :q);")
        assert t.enter(f":export {plain};").splitlines()[1:-1] == []
        assert plain.exists() and [f.name for f in tmp_path.iterdir()] == ["x.ly"]
        # In quotes it belongs to the name; of this one no format is known, which is shown.
        assert "y.ly;" in t.enter(f':export "{quoted}";')
        assert [f.name for f in tmp_path.iterdir()] == ["x.ly"]
        assert t.enter(":session rename Bach chorale;").splitlines()[1:-1] == []
        assert re.search(r"Bach chorale\b(?!;)", t.enter(":session info"))
        assert t.enter(":history;").splitlines()[1:-1] == []
        # Failures are shown all the same.
        assert "Did you mean `history`?" in t.enter(":help histroy;") or "histroy" in t.text()
        assert "took" in t.enter(":time (+ 40000000 2);") and "40000002" not in t.text()


def test_a_semicolon_silences_a_command_in_a_script(home, tmp_path):
    file = tmp_path / "x.ferm"
    done = run_script(home, f"(note c4 :q);\n:export {file};\n:undo;\n:history;\n:run {file};\n(+ 1 2)\n")
    assert (done.returncode, done.stdout.decode(), done.stderr.decode()) == (0, "3\n", "")
    assert file.exists()


def test_definitions_are_listed(home):
    with Terminal(home, columns=120, rows=60) as t:
        assert "no definitions" in t.enter(":whos")
        t.enter("(def motif (seq (note c4 :q) (note d4 :h)))")
        t.enter("(defn third-up [x] (transpose M3 x))")
        shown = t.enter(":whos")
        assert re.search(r"^motif +seq +2 items, 3 quarters +In\[2\]$", shown, re.M), shown
        assert re.search(r"^third-up +function +In\[3\]$", shown, re.M), shown
        assert "motif" not in t.enter(":whos third").split("\n", 1)[1]
