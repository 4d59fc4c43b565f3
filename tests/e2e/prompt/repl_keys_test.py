"""Keys for editing several lines, vi mode, the editor, completion at every position."""

import re

import pytest
from support.terminal import Terminal


def test_ctrl_k_and_ctrl_u_cut_within_the_line_that_the_cursor_is_in(prompt):
    prompt.type("(list 1 2", "alt-enter", "3 4", "alt-enter", "5)")
    prompt.wait_for(r"5\)$")
    prompt.type("up", "home", "right", "right", "right", "ctrl-k")
    prompt.wait_for(r"\(list 1 2\n +\.\. +3\n")
    assert "5)" in prompt.lines()[-1], "the line below was cut as well"
    prompt.type("ctrl-y").wait_for(r"\.\. +3 4\n")
    prompt.type("ctrl-u").wait_for(r"\(list 1 2\n +\.\.\n +\.\. +5\)")
    # At the start of a line the newline itself is deleted.
    prompt.type("ctrl-u").wait_for(r"\(list 1 2\n +\.\. +5\)")
    prompt.type("enter")
    prompt.wait_for(r"Out\[1\]: \(1 2 5\)")


def test_the_mode_of_vi_is_shown_where_inputrc_wants_it(home):
    inputrc = home.path / "inputrc"
    inputrc.write_text("set editing-mode vi\nset show-mode-in-prompt on\n"
                       'set vi-cmd-mode-string "\\1\\e[2 q\\2<N>"\nset vi-ins-mode-string "<I>"\n')
    with Terminal(home, INPUTRC=str(inputrc), ready=False) as t:
        t.wait_for(r"^<I>\[session-1\] In\[1\]:")
        t.type("(+ 1 9)").wait_for(r"9\)$")
        t.type("escape").wait_for(r"^<N>\[session-1\] In\[1\]: \(\+ 1 9\)$")
        assert b"\x1b[2 q" in t.bytes, "the shape of the cursor was not switched"
        t.type("hr2").wait_for(r"\(\+ 1 2\)")
        t.type("enter").wait_for(r"Out\[1\]: 3")
        t.wait_for(r"^<I>\[session-1\] In\[2\]:")


def test_no_mode_is_shown_unless_it_is_wanted(prompt):
    assert prompt.lines()[-1].startswith("[session-1]")


def test_edit_opens_the_last_expression_in_the_editor(home):
    editor = home.path / "editor"
    editor.write_text("#!/bin/sh\nsed -i 's/1/40/' \"$1\"\n")
    editor.chmod(0o700)
    with Terminal(home, VISUAL=str(editor), EDITOR="false") as t:
        t.enter("(+ 1 2)")
        t.enter("// words")
        t.type(":edit", "enter").wait_for(r"In\[3\]: \(\+ 40 2\)$")
        t.type("enter").wait_for(r"Out\[3\]: 42")
        t.wait_for_prompt(4)
        t.type(":edit 1", "enter").wait_for(r"In\[4\]: \(\+ 40 2\)$")
        t.type("ctrl-c").wait_for_prompt(4)
        assert "no such entry: 99" in t.enter(":edit 99")


def test_an_example_is_put_into_the_line_to_be_changed(prompt):
    prompt.type(":examples cadence --insert", "enter")
    prompt.wait_for(r"In\[1\]: \(seq \(chord \(c4 e4 g4\) :h\)")
    prompt.type("enter").wait_for(r"Out\[1\]: \(seq \(chord")
    prompt.wait_for_prompt(2)
    assert "minuet" in prompt.enter(":examples")
    assert "0 9 10" in prompt.enter(":examples row --run")


@pytest.mark.parametrize("typed, becomes", [
    (":hist", ":history"),
    (":history --gr", ":history --grep"),
    (":ai al", ":ai allow"),
    (":set disp", ":set display"),
    (":set display muk", ":set display muk"),
    (":set display musi", ":set display musicxml"),
    (":explain overf", ":explain overfull-measure"),
    (":help propos", ":help proposals"),
    (":examples minu", ":examples minuet"),
    (":score --sta", ":score --staff"),
    (":time (tupl", ":time (tuplet"),
    (":tutorial sk", ":tutorial skip"),
    ("(note c4 :stacc", "(note c4 :staccat"),
    ("(retrogr", "(retrograde"),
])
def test_tab_knows_what_can_stand_there(prompt, typed, becomes):
    prompt.type(typed, "tab", "!")
    prompt.wait_for(r"In\[1\]: .*!$")
    line = prompt.lines()[-1].split("In[1]: ", 1)[1].rstrip("!").rstrip()
    assert line.startswith(becomes)


def test_tab_completes_parts_with_quotes_where_they_are_needed(prompt):
    prompt.enter('(part :violin :name "Violin I" (measure (note c5 :w)))')
    prompt.type(":score Vio", "tab").wait_for(r':score "Violin I"$')
    prompt.type(" --staff", "enter").wait_for("├𝄞")


def test_tab_completes_files_in_strings(home):
    folder = home.path / "music"
    folder.mkdir()
    (folder / "sonata.musicxml").write_text("")
    (folder / "songs").mkdir()
    with Terminal(home) as t:
        t.type(f'(def x "{folder}/son', "tab", "tab")
        t.wait_for(r"sonata\.musicxml +.*songs/")
        t.type("at", "tab").wait_for(r'music/sonata\.musicxml"?$')


def test_completion_answers_with_thousands_of_definitions(prompt):
    names = " ".join(f"(def a-name-of-mine-{i} {i})" for i in range(5000))
    prompt.type(f"\x1b[200~{names}\x1b[201~", "enter").wait_for(r"In\[2\]:")
    prompt.type("(list a-name-of-mi", "tab", "tab", "tab").wait_for(r"^\.\.\. \d+ more$")
    prompt.type("ctrl-c").wait_for_prompt(2)
    # With no letter typed everything matches; the time limit ends the search.
    prompt.type("(list ", "tab", "tab").wait_for(r"more$")
    prompt.type("1)", "enter").wait_for(r"Out\[2\]: \(1\)")


def test_the_brackets_at_the_cursor_stand_out(prompt):
    prompt.type("(list (+ 1 2))")
    prompt.wait_for(r"\(list \(\+ 1 2\)\)$")
    y = prompt.cursor()[0]
    row = prompt.screen.buffer[y]
    begin = len("[session-1] In[1]: ")
    end = begin + len("(list (+ 1 2))") - 1
    prompt.wait_until(lambda: row[begin].reverse and row[end].reverse, "the pair to stand out")
    assert not row[begin + 6].reverse
    # A form in its colour; one that does not exist, in the colour of errors.
    assert prompt.color_of("list")[0] != "default"
    prompt.type("ctrl-c").wait_for_prompt()
    prompt.type("(lisst 1)")
    prompt.wait_for(r"\(lisst 1\)$")
    assert set(prompt.color_of("lisst")) == {"red"}


def test_quit_inside_an_unfinished_expression_says_once_how_to_leave(home):
    says = ":quit is part of the unfinished expression; Ctrl-C cancels it"
    with Terminal(home, columns=100) as t:
        t.type("(seq", "enter", ":quit", "enter").wait_for(says)
        # Below the text, where the hint of a form appears, and removed by the next key.
        t.type("(note c4 :q)", "enter").wait_until(lambda: says not in t.text(), "the remark to go")
        t.type(":quit", "enter").wait_for(r":quit\n +\.\. *\n? *$")
        assert says not in t.text()
        t.type("ctrl-c").wait_until(t.prompt, "the prompt")
        # The next expression is a separate one.
        t.type("(seq", "enter", ":undo", "enter").wait_for(":undo is part of the unfinished expression")
        t.type("ctrl-c").wait_until(t.prompt, "the prompt")
        assert "belongs to" not in t.text()
        # What the message says is true.
        t.type(":quit", "enter")
        assert t.wait_for_end() == 0


@pytest.mark.parametrize("how", [{"TERM": "dumb"}, {"args": ["--accessible"]}])
def test_where_lines_are_written_once_the_way_out_stands_between_them(home, how):
    how = dict(how)
    with Terminal(home, *how.pop("args", []), columns=100, ready=False, **how) as t:
        t.wait_for(r"In.*1.*: ?$")
        t.type("(seq", "enter").wait_for(r"(\.\.|continued:)$")
        for _ in range(2):
            t.type(":quit", "enter")
        t.type("(note c4 :q)", "enter").wait_for(r"note c4 :q\)\n *(\.\.|continued:)$")
        assert t.text().count(":quit is part of the unfinished expression; Ctrl-C cancels it") == 1
        t.type("ctrl-d").wait_for(r"Ctrl-C cancels it, then Ctrl-D quits\n *(\.\.|continued:)$")
        t.type("ctrl-c").wait_for(r"\^C\n.*In\b.*1.*:$")
        t.type("ctrl-d")
        assert t.wait_for_end() == 0


def test_a_tempo_is_tapped_with_the_space_bar(home):
    with Terminal(home, columns=100) as t:
        assert "Tap with the space bar" in t.enter(":tap")
        t.wait_until(lambda: t.prompt() and t.prompt()["badge"] == " tap", "the prompt")
        # However quickly it is tapped: what comes within a tenth of a second counts once.
        t.wait_until(lambda: t.prompt() and (re.fullmatch(r" tap :q \d+", t.prompt()["badge"]) or not t.type(" ")),
                     "a tempo")
        t.type("enter").wait_for(r"\(tempo :q \d+\)$")
        tempo = re.search(r"\(tempo :q (\d+)\)$", t.lines()[-1])[1]
        assert 30 <= int(tempo) <= 600
        t.type("enter").wait_for_prompt()
        assert f"(tempo :q {tempo})" in t.enter(":score")
        # The key means what it did before; a tempo that is given up leaves nothing.
        assert "tap" not in t.prompt()["badge"]
        t.enter(":tap")
        t.type(" ", " ", "ctrl-c").wait_for_prompt()
        assert "Out[5]: 3" in t.enter("(+ 1 2)") or "3" in t.enter("(+ 1 2)")
        assert "tap" not in t.prompt()["badge"]
        t.type("ctrl-d").wait_for_end()
