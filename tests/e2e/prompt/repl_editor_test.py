"""The user's editor ($VISUAL, $EDITOR): whatever it does and whatever happens while it runs, the
text is what was saved or what it was before, and the terminal belongs to the prompt again."""

import os
import re
import signal

import pytest
from support.program import BINARY
from support.terminal import Terminal

# An editor that reports when it has set up the terminal, and the keys it receives. `q` saves the text
# with each 1 replaced by 40 and exits; `f` saves and fails.
EDITOR = """#!/usr/bin/python3
import os, signal, sys, termios, tty
terminal = os.open("/dev/tty", os.O_RDWR)
before = termios.tcgetattr(terminal)
times = 0
def say(text):
    os.write(1, text.encode() + b"\\n")
def begin(*_):
    global times
    times += 1
    tty.setcbreak(terminal)
    say("editing %d" % times)
def leave(status):
    termios.tcsetattr(terminal, termios.TCSADRAIN, before)
    os._exit(status)
def save():
    with open(sys.argv[-1]) as f:
        text = f.read()
    with open(sys.argv[-1], "w") as f:
        f.write(text.replace("1", "40") + "\\n")
def end(number, _):
    say("ended by " + signal.Signals(number).name)
    save()
    leave(0)
signal.signal(signal.SIGINT, lambda *_: say("interrupted"))
signal.signal(signal.SIGWINCH, lambda *_: say("as wide as %d" % os.get_terminal_size(1).columns))
signal.signal(signal.SIGCONT, begin)
signal.signal(signal.SIGTERM, end)
signal.signal(signal.SIGHUP, end)
say("arguments: " + " ".join(sys.argv[1:-1]))
begin()
while True:
    key = os.read(terminal, 1)
    if key in b"qf":
        save()
        leave(key == b"f")
"""


def program(home, text, name="editor"):
    path = home.path / name
    path.write_text(text)
    path.chmod(0o700)
    return str(path)


def shell(home, **more):
    t = Terminal(home, "--norc", "-i", ready=False, binary="/bin/bash", PS1="shell> ", HISTFILE="", **more)
    return t.wait_for(r"^shell>")


def begin(t):
    """Starts the editor on an expression with 1 + 2."""
    t.enter("(+ 1 2)")
    t.type(":edit", "enter").wait_for("^editing 1$")


def check_edited(t, number=2):
    t.wait_for(rf"In\[{number}\]: \(\+ 40 2\)$")
    t.type("enter").wait_for(rf"Out\[{number}\]: 42")
    t.wait_for_prompt(number + 1)


def test_ctrl_c_in_the_editor_is_the_editors(home):
    with Terminal(home, EDITOR=program(home, EDITOR)) as t:
        begin(t)
        t.type("ctrl-c").wait_for("^interrupted")
        t.type("ctrl-c").wait_until(lambda: len(re.findall("^interrupted", t.text(), re.M)) == 2, "both")
        t.type("q")
        check_edited(t)
        assert "^C\n[session-1]" not in t.text()


def test_ctrl_z_in_the_editor_stops_both_and_fg_goes_on(home):
    with shell(home, EDITOR=program(home, EDITOR)) as t:
        t.type(BINARY, "enter").wait_for_prompt(1)
        begin(t)
        for time in (2, 3):
            t.type("ctrl-z").wait_until(lambda n=time: t.text().count("Stopped") == n - 1, "the shell")
            t.wait_until(lambda: t.lines()[-1] == "shell>", "the shell")
            t.type("fg", "enter").wait_for(rf"^editing {time}$")
        t.type("q")
        check_edited(t)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_what_ends_the_program_ends_the_editor_and_what_it_saved_is_there_next_time(home, number):
    with Terminal(home, EDITOR=program(home, EDITOR)) as t:
        begin(t)
        os.kill(t.child.pid, number)
        assert t.wait_for_end() == 0
        assert f"ended by {number.name}" in t.text()
    with Terminal(home) as t:
        t.type("up").wait_for(r"In\[2\]: \(\+ 40 2\)$")


def test_a_change_of_the_window_reaches_the_editor_and_the_prompt_after_it(home):
    with Terminal(home, EDITOR=program(home, EDITOR)) as t:
        begin(t)
        t.resize(24, 50)
        t.wait_for("^as wide as 50")
        t.type("q")
        check_edited(t)
        # The prompt also uses the new size: a line longer than the window wraps at its edge.
        t.type(f"(list {'1 ' * 30}").wait_until(
            lambda: len(t.lines()[-1]) < 50 and t.lines()[-2].startswith("[session-1]"), "two rows")


@pytest.mark.parametrize("how, editor, said", [
    ("does not exist", "no-such-editor", "the editor `no-such-editor` cannot be found"),
    ("is no program", "/dev/null", "the editor `/dev/null` cannot be run"),
    ("ends with 1", "false", "the editor `false` ended with 1"),
    ("is killed", "kill -9 $$ #", "was ended by a signal (Killed)"),
    ("deletes the file", "rm", "the editor left no file"),
])
def test_an_editor_that_fails_leaves_the_text_as_it_was(home, how, editor, said):
    with Terminal(home, EDITOR=editor, columns=120) as t:
        t.type("(+ 1", "enter", " 2)", "\x18\x05")
        t.wait_for(re.escape(said))
        assert "the text is unchanged" in t.text().replace("\n", " ")
        t.wait_for(r"In\[1\]: \(\+ 1\n +\.\. +2\)$")
        t.type("enter").wait_for(r"Out\[1\]: 3")
    assert not list(home.path.glob("tmp/*"))


@pytest.mark.parametrize("how, wrote", [
    ("is not UTF-8", b"(note c4 :q) ; Dvor\xe1k in Latin-1"),
    ("is cut in a character", "(text \"♯".encode()[:-1]),
    ("has zero bytes", b"(+ 1\0 2)"),
])
def test_what_the_editor_wrote_and_is_no_text_is_kept_in_a_file(home, how, wrote):
    (home.path / "wrote").write_bytes(wrote)
    (home.path / "tmp").mkdir()
    with Terminal(home, EDITOR=f"cp {home.path}/wrote", TMPDIR=str(home.path / "tmp"), columns=200) as t:
        t.type("(+ 1 2)", "\x18\x05")
        kept = t.wait_for(r"the editor's output is in (\S+)")
        name = re.search(r"the editor's output is in (\S+)", t.text())[1]
        with open(name, "rb") as f:
            assert f.read() == wrote
        t.wait_for(r"In\[1\]: \(\+ 1 2\)$")
        t.type("enter").wait_for(r"Out\[1\]: 3")
        assert kept


def test_what_was_saved_by_an_editor_that_fails_later_is_kept_in_a_file(home):
    (home.path / "tmp").mkdir()
    with Terminal(home, EDITOR=program(home, EDITOR), TMPDIR=str(home.path / "tmp"), columns=200) as t:
        begin(t)
        t.type("f").wait_for(r"ended with 1; the text is unchanged; the editor's output is in ")
        t.wait_for(r"In\[2\]: \(\+ 1 2\)$")
    assert [f.read_text() for f in (home.path / "tmp").iterdir()] == ["(+ 40 2)\n"]


def test_an_editor_that_saves_leaves_no_file_behind(home):
    (home.path / "tmp").mkdir()
    with Terminal(home, EDITOR=program(home, EDITOR), TMPDIR=str(home.path / "tmp")) as t:
        begin(t)
        t.type("q")
        check_edited(t)
    assert not list((home.path / "tmp").iterdir())


def test_visual_comes_before_editor_and_either_may_have_arguments(home):
    editor = program(home, EDITOR, "my editor")
    quoted = f"'{editor}' -f '+set tw=72'"
    with Terminal(home, VISUAL=quoted, EDITOR="false") as t:
        begin(t)
        t.wait_for(r"^arguments: -f \+set tw=72$")
        t.type("q")
        check_edited(t)
    with Terminal(home, VISUAL="", EDITOR=quoted) as t:
        t.type("(list 1)", "\x18\x05").wait_for("^editing 1$")
        t.type("q").wait_for(r"\(list 40\)$")


def test_an_editor_that_empties_the_file_leaves_an_empty_line(home):
    with Terminal(home, EDITOR="cp /dev/null") as t:
        # Wait for the typed text first: the earlier prompt looks like the one expected.
        t.type("(+ 1 2)").wait_for(r"\(\+ 1 2\)$")
        t.type("\x18\x05").wait_for_prompt(1)
        t.type("(* 2 3)", "enter").wait_for(r"^Out\[1\]: 6$")


def test_what_was_typed_ahead_of_the_editor_is_typed_at_the_prompt_afterwards(home):
    with Terminal(home, EDITOR=program(home, EDITOR)) as t:
        t.enter("(+ 1 2)")
        # The editor would take the `q` of `quarter` as its own key, and end.
        t.type(":edit\r;quarter").wait_for("^editing 1$")
        t.type("q").wait_for(r"In\[2\]: \(\+ 40 2\);quarter$")
        t.type("enter").wait_for(r"Out\[2\]: 42")
        t.wait_for_prompt(3)
        t.type("(* 1 5)", "\x18\x05;q\r").wait_for("editing 1(?s:.*)editing 1$")
        t.type("q").wait_for(r"Out\[3\]: 200")
        t.wait_for_prompt(4)
