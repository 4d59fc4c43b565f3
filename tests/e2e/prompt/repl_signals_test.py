"""Signals and the state of the terminal: Ctrl-C at any moment, Ctrl-D, Ctrl-Z and fg, a change of
the window's size, SIGTERM and SIGHUP; afterwards the terminal is as before and nothing is lost."""

import os
import re
import signal
import termios

import pytest
from support.program import BINARY
from support.terminal import Terminal

RUNAWAY = {
    "a loop": "(let loop [i 0] (loop (+ i 1)))",
    "a macro that expands into itself": "(do (defmacro m () '(m)) (m))",
    "a long reduction": "(reduce + 0 (range 100000000))",
}


def modes(terminal):
    """How the terminal processes keys, without the characters of the editor's keys."""
    iflag, oflag, cflag, lflag, *_ = termios.tcgetattr(terminal.child.fileno())
    return iflag & termios.ICRNL, oflag & termios.OPOST, lflag & (termios.ICANON | termios.ECHO | termios.ISIG)


COOKED = (termios.ICRNL, termios.OPOST, termios.ICANON | termios.ECHO | termios.ISIG)


def shell(home, **more):
    """An interactive shell that runs the program as a job."""
    t = Terminal(home, "--norc", "-i", ready=False, binary="/bin/bash", PS1="shell> ", HISTFILE="", **more)
    return t.wait_for(r"^shell>")


@pytest.mark.parametrize("what", RUNAWAY)
def test_ctrl_c_ends_a_runaway_evaluation_and_nothing_else(prompt, what):
    prompt.enter("(def kept 42)")
    prompt.start(RUNAWAY[what])
    # Either Ctrl-C ends it or a limit of the evaluator was faster; the session continues.
    # A terminal discards pending output when Ctrl-C is typed, so look in the timeline.
    prompt.type("ctrl-c").wait_for_prompt(3)
    assert "Err[2]:" in prompt.enter(":history 2")
    assert "Out[4]: 42" in prompt.enter("kept")


def test_ctrl_c_says_that_the_evaluation_was_cancelled(prompt):
    prompt.start("(reduce + 0 (map (fn (x) (reduce + 0 (range x))) (range 100000)))")
    prompt.type("ctrl-c").wait_for(r"^Err\[1\]: (cancelled|interrupted)")
    prompt.wait_for_prompt(2)


def test_ctrl_c_ends_a_long_print(home):
    with Terminal(home) as t:
        t.enter(":set output-lines 0")
        t.enter(":set pager off")
        t.type('(map (fn (x) "a line of some length that is printed again and again") (range 60000))', "enter")
        # Nobody reads for a while, so that the terminal is full; then Ctrl-C is typed.
        t.wait_for("printed again and again")
        t.type("ctrl-c")
        t.wait_for(r"the rest is hidden|In\[4\]:")
        t.wait_for_prompt(4)
        assert len(t.bytes) < 60_000 * 50, "all of it was printed"
        assert "Out[4]: 60000" in t.enter("(count $Out[3])")


@pytest.mark.parametrize("command, said", [
    (":score --musicxml", "interrupted(;| before it started;) nothing was changed"),
    (":export {file}", "interrupted(; did not write| before it started)")])
def test_ctrl_c_ends_a_long_command(home, command, said):
    file = home.path / "long.musicxml"
    with Terminal(home, columns=120) as t:
        t.enter("(add (apply seq (repeat-times 150000 (note c4 :q))));")
        t.start(command.format(file=file)).type("ctrl-c")
        t.wait_for(said)
        t.wait_for_prompt()
        assert not file.exists()
        assert re.search(r"Out\[\d+\]: 3", t.enter("(+ 1 2)"))


def test_ctrl_c_in_an_edit_of_several_lines_gives_all_of_it_up(prompt):
    prompt.type("(list 1", "enter", "2", "enter", "3", "up", "up").wait_for(r"3$")
    prompt.type("ctrl-c").wait_for(r"\^C\n\[session-1\] In\[1\]:$")
    assert "Out[1]: 3" in prompt.enter("(+ 1 2)")


def test_ctrl_c_in_the_pager_is_the_pagers(home):
    pager = home.path / "pager"
    # Reports Ctrl-C, and exits with q. It wakes up now and then, since bash runs no trap for a signal
    # that arrives just before it waits.
    pager.write_text("#!/bin/bash\ntrap 'echo caught' INT\necho paging\n"
                     "while [[ $key != q ]]; do read -rsn1 -t 0.2 key < /dev/tty; done\n")
    pager.chmod(0o700)
    with Terminal(home, rows=10, PAGER=str(pager)) as t:
        t.type("(range 2000)", "enter").wait_for("^paging")
        t.type("ctrl-c").wait_for("caught")
        t.type("q").wait_for_prompt(2)
        assert "Out[2]: 3" in t.enter("(+ 1 2)")
        # It did not count as a Ctrl-C at the following prompt.
        assert t.text().count("In[2]:") == 1
        assert "^C\n[session-1]" not in t.text()


def test_ctrl_d_with_text_on_the_line_deletes_and_does_not_leave(prompt):
    prompt.type("(+ 1 23)", "left", "left", "ctrl-d").wait_for(r"\(\+ 1 2\)$")
    prompt.type("end", "ctrl-d", "ctrl-d", "enter").wait_for(r"Out\[1\]: 3")
    prompt.wait_for_prompt(2)


def test_ctrl_z_and_fg_keep_what_was_typed(home):
    with shell(home) as t:
        t.type(BINARY, "enter").wait_for_prompt(1)
        t.type("(list 1", "enter", "2").wait_for(r"\.\. +2$")
        t.type("ctrl-z").wait_for(r"Stopped")
        t.wait_for(r"^shell> $|^shell>$")
        t.type("echo $((6*7))", "enter").wait_for("^42$")
        t.type("fg", "enter").wait_for(r"\[session-1\] In\[1\]: \(list 1\n +\.\. +2$")
        t.type(" 3)", "enter").wait_for(r"Out\[1\]: \(1 2 3\)")
        t.wait_for_prompt(2)
        t.type("ctrl-d").wait_until(lambda: t.lines()[-1].startswith("shell>"), "the shell")


# Reports each time when it has set up the terminal: keys typed earlier would be processed in the
# mode of the previous program.
PAGER = """#!/usr/bin/python3
import os, signal, termios, tty
terminal = os.open("/dev/tty", os.O_RDWR)
before = termios.tcgetattr(terminal)
times = 0
def begin(*_):
    global times
    times += 1
    tty.setcbreak(terminal)
    os.write(1, b"paging %d\\n" % times)
signal.signal(signal.SIGCONT, begin)
begin()
while os.read(terminal, 1) != b"q":
    pass
termios.tcsetattr(terminal, termios.TCSADRAIN, before)
"""


def test_ctrl_z_in_the_pager_stops_both(home):
    pager = home.path / "pager"
    pager.write_text(PAGER)
    pager.chmod(0o700)
    with shell(home, rows=12, PAGER=str(pager)) as t:
        t.type(BINARY, "enter").wait_for_prompt(1)
        t.type("(range 2000)", "enter").wait_for("^paging 1")
        t.type("ctrl-z").wait_for("Stopped")
        t.type("echo $((6*7))", "enter").wait_for("^42$")
        t.type("fg", "enter").wait_for("^paging 2")
        # Only the pager reads this; the prompt appears when it ends.
        t.type("q").wait_for_prompt(2)
        assert "Out[2]: 3" in t.enter("(+ 1 2)")


def test_ctrl_z_during_an_evaluation_stops_it_and_fg_goes_on(home):
    with shell(home) as t:
        t.type(BINARY, "enter").wait_for_prompt(1)
        t.start("(count (map (fn (x) (reduce + 0 (range 200))) (range 1000)))")
        t.type("ctrl-z").wait_for("Stopped")
        t.type("fg", "enter").wait_for(r"Out\[1\]: 1000")
        t.wait_for_prompt(2)


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_a_change_of_the_window_in_an_edit_of_several_lines_keeps_the_text(home, columns):
    with Terminal(home, columns=60) as t:
        t.type("(list 100 200 300 400", "enter", "500 600 700 800").wait_for("800$")
        t.resize(24, columns)
        t.type(" 900)")
        t.wait_until(lambda: "900)" in "".join(t.lines()[-3:]).replace("\n", ""), "the text")
        t.type("enter")
        t.wait_until(lambda: "Out[1]:" in t.text(), "the value")
        t.wait_until(lambda: "900)" in t.text().split("Out[1]:")[1].replace("\n", ""), "all of it")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_ends_it_keeps_the_unfinished_line_and_gives_the_terminal_back(home, number):
    with Terminal(home) as t:
        t.enter("(+ 1 2)")
        t.type("(list 1", "enter", "2 unfinished").wait_for("unfinished$")
        assert modes(t) != COOKED
        os.kill(t.child.pid, number)
        assert t.wait_for_end() == 0
        assert t.bytes.rstrip().endswith(b"\x1b[?2004l") or b"\x1b[?2004l" in t.bytes[-40:], "paste mode is on"
    assert (home.folder / "history").read_text().splitlines() == ["(+ 1 2)", "(list 1\\n  2 unfinished"]
    with Terminal(home) as t:
        t.type("up").wait_for(r"\(list 1\n +\.\. +2 unfinished$")


def test_the_terminal_is_as_it_was_after_each_way_of_leaving(home):
    with shell(home) as t:
        for leave in (["ctrl-d"], [":quit", "enter"]):
            t.type(f"{BINARY}", "enter").wait_until(t.prompt, "the prompt")
            t.type(*leave).wait_until(lambda: t.lines()[-1].startswith("shell>"), "the shell")
            t.type("stty -a | tr ' ;' '\\n\\n' | grep -xE 'icanon|echo|isig|icrnl|opost' | wc -l", "enter")
            t.wait_for("^5$")
            t.type("clear", "enter").wait_until(lambda: "5" not in t.screen.display[1], "a clear screen")


def test_sigterm_while_the_pager_runs_ends_both(home):
    pager = home.path / "pager"
    pager.write_text("#!/bin/bash\ntrap 'echo going; exit 0' TERM\necho paging\nwhile :; do read -rsn1 -t 0.1 < /dev/tty; done\n")
    pager.chmod(0o700)
    with Terminal(home, rows=10, PAGER=str(pager)) as t:
        t.type("(range 2000)", "enter").wait_for("^paging")
        os.kill(t.child.pid, signal.SIGTERM)
        assert t.wait_for_end() == 0
        assert re.search("^going", t.text(), re.M)
