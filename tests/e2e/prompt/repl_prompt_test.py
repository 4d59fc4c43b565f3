"""What a user sees at the prompt: values, errors, commands, messages, interrupts, exiting."""

import re
import signal

import pytest
from support.terminal import Terminal


def test_the_prompt_names_the_session_and_the_number_of_the_next_entry(prompt):
    assert prompt.lines()[-1] == "[session-1] In[1]:"
    assert prompt.cursor()[1] == len("[session-1] In[1]: ")


def test_a_note_is_evaluated_and_shown_with_its_number(prompt):
    shown = prompt.enter("(note c4 :q)")
    assert shown.splitlines() == [
        "[session-1] In[1]: (note c4 :q)",
        "Out[1]: (note c4 :q)",
        "        \u0394 Piano added; 1 note added",
        "[session-1] In[2]:",
    ]


def test_arithmetic_definitions_and_history_references(prompt):
    # 1/3 + 1/6 = 1/2 exactly.
    assert "Out[1]: 1/2" in prompt.enter("(+ 1/3 1/6)")
    prompt.enter("(def x 20)")
    assert "Out[3]: 41" in prompt.enter("(+ x 21)")
    assert "Out[4]: 1/2" in prompt.enter("$Out[1]")


def test_an_error_shows_its_code_and_carets_below_the_place(prompt):
    lines = prompt.enter("(nte c4 :q)").splitlines()
    assert lines[1].startswith("Err[1]: unknown-form: ")
    assert lines[2:4] == ["  (nte c4 :q)", "   ^^^"]
    assert any("did you mean" in line for line in lines[4:]), "no suggestion"
    # Nothing was damaged.
    assert "Out[2]: 3" in prompt.enter("(+ 1 2)")


def test_help_lists_commands_and_tells_of_one_form(prompt):
    shown = prompt.enter(":help")
    for command in (":help", ":history", ":session", ":quit", ":undo"):
        assert command in shown
    assert "(note" in prompt.enter(":help note")


def test_an_unknown_command_names_the_nearest(prompt):
    assert ":history" in prompt.enter(":histroy") or "history" in prompt.lines()[-2]


def test_history_shows_what_happened_in_order(prompt):
    prompt.enter("(+ 1 2)")
    prompt.enter("// what about bar 3?")
    prompt.enter("(nte)")
    shown = prompt.enter(":history")
    at = [shown.index(part) for part in ("In[1]: (+ 1 2)", "Out[1]: 3", "[2] [you]: what about bar 3?",
                                         "In[3]: (nte)", "Err[3]: unknown-form")]
    assert at == sorted(at)


def test_messages_to_clients_are_shown_with_their_number(prompt):
    assert "[1] [you]: try B♭ in bar 3" in prompt.enter("// try B♭ in bar 3")


def test_sessions_are_made_listed_switched_and_described(prompt):
    prompt.enter("(def x 1)")
    shown = prompt.enter(":session new Bach Chorale")
    assert re.search(r"^\[bach-chorale\] In\[\d+\]:$", shown, re.M)
    assert "unknown-name" in prompt.enter("x"), "the new session has the old one's definitions"
    shown = prompt.enter(":session list")
    assert "bach-chorale" in shown and "session-1" in shown
    assert prompt.enter(":session switch session-1").splitlines()[-1].startswith("[session-1] In[")
    assert re.search(r"^Out\[\d+\]: 1$", prompt.enter("x"), re.M)
    assert "session-1" in prompt.enter(":session info")


def test_the_score_grows_and_undo_takes_back(prompt):
    prompt.enter("(measure (note c4 :h) (note d4 :h))")
    assert "d4" in prompt.enter(":score")
    prompt.enter(":undo")
    assert "d4" not in prompt.enter(":score").split(":score", 1)[1]
    prompt.enter(":redo")
    assert "d4" in prompt.enter(":score").split(":score", 1)[1]


def test_a_runaway_evaluation_is_stopped_by_ctrl_c(prompt):
    prompt.type("(def before 7)", "enter").wait_for_prompt(2)
    # Deep recursion also ends by itself; what matters is that the prompt comes back intact.
    prompt.start("(let [f (fn [f] (f f))] (f f))").type("ctrl-c")
    prompt.wait_for(r"Err\[2\]: (cancelled|budget-exceeded)")
    prompt.wait_for_prompt(3)
    assert "Out[3]: 7" in prompt.enter("before")


def test_an_endless_loop_is_interrupted_within_its_budget(prompt):
    prompt.start("(reduce + 0 (map (fn [x] (reduce + 0 (range 1000000))) (range 1000000)))").type("ctrl-c")
    prompt.wait_for(r"Err\[1\]: cancelled")
    prompt.wait_for_prompt(2)


def test_ctrl_c_at_the_prompt_only_clears_the_line(prompt):
    prompt.type("(note c4")
    prompt.wait_for(r"\(note c4$")
    prompt.type("ctrl-c")
    prompt.wait_for_prompt(1)
    assert "(note c4^C" in prompt.text()
    prompt.type("ctrl-c").wait_until(lambda: prompt.text().count("^C") == 2, "the second ^C")
    assert "Out[1]: 3" in prompt.enter("(+ 1 2)")


def test_ctrl_c_gives_up_all_lines_of_an_unfinished_expression(prompt):
    prompt.type("(seq", "enter", "c4")
    prompt.wait_for(r"\.\. +c4$")
    prompt.type("ctrl-c")
    prompt.wait_for_prompt(1)
    assert "Out[1]: 3" in prompt.enter("(+ 1 2)")


def test_ctrl_d_and_quit_leave_with_status_0(home):
    for farewell in (["ctrl-d"], [":quit", "enter"], [":q", "enter"]):
        with Terminal(home) as t:
            t.type(*farewell)
            assert t.wait_for_end() == 0


def test_ctrl_d_in_a_line_that_is_not_empty_does_not_leave(prompt):
    prompt.type("(+ 1 2)", "ctrl-d", "enter")
    prompt.wait_for_prompt(2)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_end_saves_and_leaves(home, number):
    with Terminal(home) as t:
        t.enter("(def x 42)")
        assert t.kill(number) == 0
    with Terminal(home) as t:
        assert re.search(r"Out\[\d+\]: 42", t.enter("x"))


def test_the_terminal_is_left_as_it_was(home):
    with Terminal(home) as t:
        t.type("ctrl-d")
        t.wait_for_end()
        assert t.bytes.count(b"\x1b[?2004h") == t.bytes.count(b"\x1b[?2004l")
        assert t.cursor()[1] == 0


def test_an_empty_line_is_no_entry(prompt):
    prompt.type("enter", "enter", "enter")
    prompt.wait_until(lambda: prompt.text().count("In[1]:") == 4, "four prompts")
    assert "Out[1]: 3" in prompt.enter("(+ 1 2)")


def test_clear_empties_the_screen_and_goes_on(prompt):
    prompt.enter("(+ 1 2)")
    prompt.type(":clear", "enter")
    prompt.wait_until(lambda: prompt.screen.display[0].startswith("[session-1] In["), "a clear screen")


def test_no_color_and_dumb_terminals_get_plain_text(home):
    with Terminal(home, NO_COLOR="1") as t:
        t.enter("(nte)")
        assert not re.search(rb"\x1b\[[0-9;]*m", t.bytes)
    with Terminal(home, TERM="dumb") as t:
        t.type("(+ 1", "enter")
        t.wait_for(r"\.\. *$")
        t.type("2)", "enter")
        t.wait_for(r"Out\[\d+\]: 3")
        assert b"\x1b" not in t.bytes


def test_a_narrow_terminal_shows_everything(home):
    with Terminal(home, columns=24, rows=20) as t:
        t.type("(list 1 2 3 4 5 6 7 8 9 10 11 12)", "enter")
        t.wait_for_prompt(2)
        joined = "".join(t.lines())
        assert "(list 1 2 3 4 5 6 7 8 9 10 11 12)" in joined
        assert "Out[1]: (1 2 3 4 5 6 7 8 9 10 11 12)" in " ".join(joined.split())


def test_resizing_while_typing_keeps_the_line(prompt):
    prompt.type("(+ 1 2 3 4 5 6 7 8 9)")
    prompt.wait_for(r"9\)$")
    prompt.resize(24, 40)
    prompt.type("enter")
    prompt.wait_for(r"Out\[1\]: 45")


def test_stopping_and_going_on_keeps_the_line(prompt):
    prompt.type("(+ 1 2")
    prompt.wait_for(r"\(\+ 1 2$")
    prompt.type("ctrl-z")
    # No shell waits for this child, so we check its state ourselves.
    stat = f"/proc/{prompt.child.pid}/stat"
    prompt.wait_until(lambda: open(stat).read().rsplit(")", 1)[1].split()[0] == "T", "a stop")
    prompt.child.kill(signal.SIGCONT)
    prompt.type(")", "enter")
    prompt.wait_for(r"Out\[1\]: 3")


def test_a_line_can_be_edited_in_the_editor_of_the_user(home):
    editor = home.path / "editor"
    editor.write_text("#!/bin/sh\nsed -i 's/2/40/' \"$1\"\n")
    editor.chmod(0o700)
    with Terminal(home, EDITOR=str(editor)) as t:
        t.type("(+ 1 2)", "\x18\x05")
        t.wait_for(r"In\[1\]: \(\+ 1 40\)$")
        t.type("enter")
        t.wait_for(r"Out\[1\]: 41")


def test_an_editor_that_fails_leaves_the_line_as_it_was(home):
    with Terminal(home, EDITOR="false") as t:
        t.type("(+ 1 2)", "\x18\x05")
        t.wait_for("the editor `false` ended with 1")
        t.wait_for(r"In\[1\]: \(\+ 1 2\)$")


def test_long_output_goes_through_the_pager_that_the_user_set(home):
    with Terminal(home, PAGER=f"cat > {home.path}/paged", rows=10) as t:
        t.type(":help", "enter")
        t.wait_for_prompt(2)
        assert ":history" in (home.path / "paged").read_text()
