"""Lines that begin with a colon, valid and invalid, alone and among expressions; and their completion."""

import re

import pytest
from support.client import Client
from support.program import run_script
from support.terminal import Terminal


@pytest.mark.parametrize("line, says", [
    (":", r"missing command name.*\n.*`:help` lists"),
    (" :  ", r"missing command name"),
    ("::", r"missing command name"),
    ("::help", r"Did you mean `:help`"),
    (":HELP", r"Did you mean `:help`"),
    (":History", r"Did you mean `:history`"),
    (":Session List", r"Did you mean `:session list`"),
    (":hlep", r"Did you mean `:help`"),
    (":histroy 3", r"Did you mean `:history`"),
    (":!ls", r"unknown command `:!ls`"),
    (":no-such-thing", r"unknown command `:no-such-thing`.*\n.*`:help` lists"),
    (": help", r"Type an expression to evaluate it"),
    (":help   ", r"Type an expression to evaluate it"),
    (":session lst", r"Did you mean `:session list`"),
])
def test_a_colon_line_says_what_it_is_or_what_was_meant(home, line, says):
    done = run_script(home, line + "\n")
    assert re.search(says, (done.stdout + done.stderr).decode())
    assert done.returncode == (0 if says.startswith("Type an expression") else 1)


@pytest.mark.parametrize("line, value", [(":8", ":8"), (":q.", ":q."), (":16", ":16")])
def test_a_duration_by_itself_is_still_a_value(home, line, value):
    assert run_script(home, line + "\n").stdout.decode() == value + "\n"


def test_two_slashes_alone_say_nothing_and_take_no_number(prompt):
    prompt.type("//", "enter")
    prompt.wait_until(lambda: prompt.text().count("In[1]:") == 2, "the same prompt again")


def test_pasted_commands_and_expressions_run_one_after_another(prompt):
    prompt.type("\x1b[200~(def a 1)\n:set timing off\n(list a\n  2)\n// look\n(+ a 41)\x1b[201~", "enter")
    prompt.wait_for_prompt(6)
    text = prompt.text()
    assert re.search(r"^Out\[1\]: a$", text, re.M)
    assert re.search(r"^timing = off$", text, re.M)
    assert re.search(r"^Out\[3\]: \(1 2\)$", text, re.M)
    assert re.search(r"^\[4\] \[you\]: look$", text, re.M)
    assert re.search(r"^Out\[5\]: 42$", text, re.M)


def test_what_stands_behind_a_failure_is_left_in_the_line(prompt):
    prompt.type("\x1b[200~:set timing off\n(nte c4)\n(+ 1 2)\n:undo\x1b[201~", "enter")
    prompt.wait_for(r"Err\[2\]")
    prompt.wait_for(r"In\[3\]: \(\+ 1 2\)\n +\.\. :undo$")


def test_an_expression_behind_a_command_goes_on_over_lines(prompt):
    prompt.type(":time (list 1", "enter").wait_for(r"^ +\.\.$")
    prompt.type("2)", "enter").wait_for(r"\(1 2\)")
    prompt.wait_for_prompt(3)


def test_quit_inside_an_unfinished_expression_is_part_of_it(prompt):
    prompt.type("(list 1", "enter", ":quit", "enter").wait_for(r":quit\n +\.\.$")
    prompt.type("ctrl-c").wait_for_prompt(1)
    prompt.type(":quit", "enter")
    assert prompt.wait_for_end() == 0


def test_history_shows_every_kind_with_its_index(prompt):
    prompt.enter("(+ 1 2)")
    prompt.enter(":score")
    prompt.enter("// hello")
    prompt.enter("(nte c4)")
    shown = prompt.enter(":history")
    for line in [r"^In\[1\]: \(\+ 1 2\)$", r"^Out\[1\]: 3$", r"^\[2\]     :score$", r"^        ; the score is empty$",
                 r"^\[3\] \[you\]: hello$", r"^In\[4\]: \(nte c4\)$", r"^Err\[4\]: unknown-form"]:
        assert re.search(line, shown, re.M), (line, shown)


def complete(prompt, typed, times=1):
    """The line after Tab."""
    prompt.type(typed, *["tab"] * times, "~")
    prompt.wait_for(r"~$")
    line = re.split(r"In\[\d+\]: ", prompt.text())[-1].rstrip("~")
    prompt.type("ctrl-c")
    prompt.wait_until(prompt.prompt, "the prompt")
    return line


def test_tab_knows_what_else_an_argument_may_be(prompt):
    assert complete(prompt, ":time of") == ":time off "
    assert complete(prompt, ":time (tupl").rstrip() == ":time (tuplet"
    assert complete(prompt, ":help :hist") == ":help :history "
    assert complete(prompt, "  :hist") == "  :history "
    assert complete(prompt, " :set displ") == " :set display "
    assert complete(prompt, "(key c maj") == "(key c major "
    # Messages to clients are not completed.
    assert complete(prompt, "// a tupl") == "// a tupl"
    assert complete(prompt, " // (tupl") == " // (tupl"


def test_tab_knows_sections_by_their_rehearsal_marks(prompt):
    prompt.enter('(part :violin (measure (rehearsal "Intro") (note c5 :w)) (measure (note d5 :w))'
                 ' (measure (rehearsal "Second theme") (note e5 :w)))')
    assert complete(prompt, ":score Int") == ":score Intro "
    assert complete(prompt, ":score violin Sec") == ':score violin "Second theme" '
    assert complete(prompt, ":history --measures Int") == ":history --measures Intro "
    # And the completed lines are accepted.
    shown = prompt.enter(":score violin Intro")
    assert "c5" in shown and "d5" in shown and "e5" not in shown
    assert "e5" in prompt.enter(':score "second theme"')
    assert "Did you mean `Intro`" in prompt.enter(":history --measures Intor")


def test_tab_offers_no_names_between_the_brackets_of_an_entry(prompt):
    prompt.enter("(def motif-a (seq (note c4 :q)))")
    assert complete(prompt, "(list $Out[", 2) == "(list $Out["
    assert complete(prompt, "(list $In[mo") == "(list $In[mo"
    assert complete(prompt, "(list $Out[1] motif").rstrip() == "(list $Out[1] motif-a"


def test_tab_knows_branches_tags_and_parts(home):
    with Terminal(home) as t:
        t.enter("(part :flute (measure (note c5 :w)))")
        t.enter(":branch brighter")
        t.enter(":session tag sketch")
        assert complete(t, ":switch-branch mai") == ":switch-branch main "
        # The current branch cannot be merged into itself.
        assert complete(t, ":merge mai") == ":merge mai"
        assert complete(t, ":merge brig") == ":merge brighter "
        assert complete(t, ":diff brig") == ":diff brighter "
        assert complete(t, ":session tag -sk") == ":session tag -sketch "
        assert complete(t, ":history --par") == ":history --part "
        assert complete(t, ":history --part flu") == ":history --part Flute "


def test_tab_knows_proposals_and_who_made_them(home):
    with Terminal(home, columns=120) as t, Client(home, "Claude") as c:
        t.enter('(part :violin (measure (rehearsal "Intro") (note c5 :w)))')
        t.enter(":branch other")
        for i in range(2):
            c.call("eval", text="(part :violin (measure (note d5 :w)))")
            t.wait_for(rf"Δ{i + 1}\]")
        t.enter(":reject 1")
        # 1 is decided; only 2 is still open.
        assert complete(t, ":accept ") == ":accept 2 "
        assert complete(t, ":reject ") == ":reject 2 "
        assert complete(t, ":accept 2 Int") == ":accept 2 Intro "
        assert complete(t, ":merge other Int") == ":merge other Intro "
        assert complete(t, ":ai off Cla") == ":ai off Claude "
        assert complete(t, ":history --author Cla") == ":history --author Claude "


def test_tab_knows_archived_sessions_where_they_are_meant(prompt):
    prompt.enter(":session new Requiem")
    prompt.enter(":session switch session-1")
    prompt.enter(":session archive requiem")
    assert complete(prompt, ":session unarchive req") == ":session unarchive requiem "


def test_tab_quotes_files_with_blanks_and_keeps_other_letters(home):
    folder = home.path / "music"
    folder.mkdir()
    (folder / "my song.fermata").write_text("")
    (folder / "élégie.fermata").write_text("")
    (folder / "a folder").mkdir()
    (folder / "a folder" / "音楽.fermata").write_text("")
    with Terminal(home, columns=120) as t:
        assert complete(t, f":session import {folder}/my") == f':session import "{folder}/my song.fermata" '
        assert complete(t, f':session import "{folder}/my so') == f':session import "{folder}/my song.fermata" '
        assert complete(t, f":session import {folder}/él") == f":session import {folder}/élégie.fermata "
        assert complete(t, f":session import {folder}/a", 2) == f':session import "{folder}/a folder/音楽.fermata" '
        assert complete(t, f'(list "{folder}/él') == f'(list "{folder}/élégie.fermata"'
        assert complete(t, f'(list "{folder}/a f') == f'(list "{folder}/a folder/'


def test_tab_knows_whoever_was_here(home):
    with Terminal(home, columns=120) as t:
        with Client(home, "Claude Code") as c:
            c.call("send_message", text="hello")
        t.wait_for("✉1")
        t.enter("(+ 1 2)")
        for line in (":history --author ", ":history --author Cl", ":ai off ", ":ai preview Cla"):
            expected = re.sub(r"Cl?a?$", "", line)
            if line != ":history --author ":  # there it is one of several
                assert complete(t, line) == expected + '"Claude Code" '
        assert complete(t, ":history --author yo") == ":history --author you "
        # It can be found in the form in which it is shown.
        for author in ('"Claude Code"', '"claude code (ipc)"'):
            assert "hello" in t.enter(f":history --author {author}")
        assert "In[2]: (+ 1 2)" in t.enter(":history --author you --code")


# The words of a form are those in the tables that it uses.
@pytest.mark.parametrize("typed, becomes", [
    ("(key d :min", "(key d :minor"),
    ("(key d :ma", "(key d :major"),
    ("(clef :ten", "(clef :tenor"),
    ("(part :violi", "(part :violin"),
    ("(barline :fi", "(barline :final"),
    ("(time :co", "(time :common"),
    ("(note c4 :q :tie both", "(note c4 :q :tie both"),
    ("(note c4 :q :slur con", "(note c4 :q :slur continue"),
    ("(scale d :dor", "(scale d :dorian"),
    ("(row-form :RI10", "(row-form :RI10"),
    ("(cadence :pla", "(cadence :plagal"),
])
def test_tab_completes_the_words_of_a_form(prompt, typed, becomes):
    assert complete(prompt, typed).rstrip() == becomes


def test_tab_offers_no_note_values_where_none_are_taken(prompt):
    for typed in ("(score :", "(scale d :", "(row-form :P1", "(repeat :"):
        prompt.type(typed, "tab", "tab", "~").wait_for(r"~$")
        shown = prompt.text()
        prompt.type("ctrl-c").wait_until(prompt.prompt, "the prompt")
        assert ":maxima" not in shown and ":breve" not in shown


def test_a_second_word_that_is_none_is_told_the_nearest(home):
    for line, says in [(":s sav", "Did you mean `:s save`?"), (":s frob", "unknown command `:s frob`"),
                       (":session frob", "takes one of info, new, list"),
                       (":help session", ":session switch SESSION"), (":help s", ":session new [NAME]")]:
        done = run_script(home, line + "\n")
        assert says in (done.stdout + done.stderr).decode()


@pytest.mark.parametrize("typed, becomes", [
    (":set tim", ":set timing "),
    (":set timing o", ":set timing o"),
    (":set timing of", ":set timing off "),
    (":set brackets rain", ":set brackets rainbow "),
    (":explain unknown-f", ":explain unknown-form "),
    (":help rhy", ":help rhythm "),
    (":session sw", ":session switch "),
    (":session set ke", ":session set key "),
    (":ai pre", ":ai preview "),
    (":doc retrogr", ":doc retrograde "),
    ("(note c#", "(note c#"),
    ("(note c4 :fing", "(note c4 :finger"),  # fingering, fingernails
    ("(note c4 :arpegg", "(note c4 :arpeggiate "),  # and not its synonym arpeggio
])
def test_tab_completes_each_kind_of_word(prompt, typed, becomes):
    assert complete(prompt, typed) == becomes


def test_tab_lists_pitches_for_a_letter(prompt):
    prompt.type("(note e", "tab", "tab").wait_for(r"\be4\b").wait_for(r"\beb4\b").wait_for("e#4")


def test_tab_answers_with_a_hundred_thousand_names(prompt):
    for begin in range(0, 100_000, 25_000):
        names = " ".join(f"(def name-{i} {i})" for i in range(begin, begin + 25_000))
        prompt.type(f"\x1b[200~(do {names} nil)\x1b[201~", "enter")
        prompt.wait_for_prompt(begin // 25_000 + 2)
    prompt.type("(list name-", "tab", "tab").wait_for(r"more$")
    prompt.type("ctrl-c").wait_for_prompt(5)
    prompt.type(":doc name-", "tab", "tab", "tab").wait_until(
        lambda: len(re.findall(r"more$", prompt.text(), re.M)) >= 2, "another list")
    prompt.type("ctrl-c").wait_for_prompt(5)
    # After each key the form's signature is drawn below, however many names are defined.
    prompt.type("(list name-5", "alt-h").wait_for(r"\(list")
    prompt.type(")", "enter").wait_for(r"Out\[5\]: \(5\)")
