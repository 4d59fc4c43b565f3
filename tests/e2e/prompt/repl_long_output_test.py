"""Output longer than the screen: where it is broken, which program reads the keys meanwhile, and how it is
shown for screen readers and in a window of two lines."""

import itertools
import re
import threading

import pytest
from support.client import Client
from support.program import run_script
from support.terminal import Terminal

LONG = "(seq " + " ".join(f"(note {letter}{octave} :16)" for octave in (3, 4, 5) for letter in "cdefgab") + ")"


def tokens(text):
    return re.findall(r'"[^"]*"|[()]|[^\s()]+', text)


@pytest.mark.parametrize("columns", [33, 40, 57, 80])
def test_long_results_are_broken_between_tokens_only(home, columns):
    with Terminal(home, columns=columns, rows=60) as t:
        t.enter("(+ 1 2)")
        before = len(t.lines())
        t.type(LONG, "enter").wait_for_prompt(3)
        shown = t.text()[t.text().index("Out[2]: ") + len("Out[2]: "):]
        # The value ends where the line about the score begins.
        lines = list(itertools.takewhile(lambda x: not x.startswith("        \u0394 "), shown.split("\n")))
        # No token is broken: joined by blanks, the lines are the program that was typed.
        assert tokens(" ".join(lines)) == tokens(LONG), lines
        assert all(len(line) <= columns for line in lines) and before > 0


def test_a_string_is_not_broken_where_the_line_ends(home):
    with Terminal(home, columns=40, rows=30) as t:
        shown = t.enter('(list 1 2 3 "twenty letters and blanks" 4)')
        assert '"twenty letters and blanks"' in shown[shown.index("Out[1]"):]


def test_lines_typed_ahead_are_not_read_by_the_pager(home, tmp_path):
    keys = tmp_path / "keys"
    pager = tmp_path / "pager"
    # As less does, it reads keys from the terminal itself.
    pager.write_text(f"#!/bin/sh\ncat > /dev/null\nstty -icanon min 0 time 2 < /dev/tty\n"
                     f"dd bs=100 count=1 < /dev/tty >> {keys} 2> /dev/null\nstty icanon < /dev/tty\n")
    pager.chmod(0o700)
    with Terminal(home, PAGER=str(pager), rows=10) as t:
        # While a line with a long result runs, the next one is typed.
        t.start("(do (reduce + 0 (range 200000)) (range 400))")
        t.type("(+ 40 2)", "enter")
        t.wait_for(r"Out\[\d+\]: 42")
        assert not keys.exists() or keys.read_bytes() == b""
        # Nothing typed ahead: the pager is used as before.
        t.wait_until(t.prompt, "the prompt")
        t.type(":help", "enter").wait_until(keys.exists, "the pager")


def test_what_others_write_while_a_line_is_entered_opens_no_pager(home, tmp_path):
    opened = tmp_path / "opened"
    pager = tmp_path / "pager"
    pager.write_text(f"#!/bin/sh\ncat > /dev/null\ntouch {opened}\n")
    pager.chmod(0o700)
    with Terminal(home, PAGER=str(pager), rows=10) as t:
        t.enter(":ai allow")

        def write():
            with Client(home) as client:
                client.file.write(b'{"id":1,"method":"eval","params":{"text":"(+ 1 2)"}}\n' * 200)
                client.file.flush()
                for _ in range(200):
                    assert b'"done"' in client.file.readline()

        for i in range(3):
            writers = [threading.Thread(target=write) for _ in range(4)]
            for writer in writers:
                writer.start()
            t.type(f"(+ {i} 7000)", "enter").wait_for(rf"\]: {7000 + i}\b")
            for writer in writers:
                writer.join()
        assert not opened.exists()


@pytest.mark.parametrize("rows", [2, 3])
def test_a_hint_is_seen_in_a_small_window(home, rows):
    with Terminal(home, rows=rows, columns=30, ready=False) as t:
        t.wait_until(lambda: t.prompt(), "the prompt")
        t.type("(note c4 :q :dyn mf :lyric la", "alt-h")
        t.wait_until(lambda: t.screen.display[rows - 1].startswith("(note PITCH"), "the hint")
        # The end of the text is above it.
        assert "la" in t.screen.display[rows - 2]


BOX = re.compile("[\u2500-\u257f\U0001d100-\U0001d1ff\u266d-\u266f]")


def test_the_accessible_prompt_draws_no_staves(home):
    run_script(home, "(part :violin (measure (note c5 :w)))\n:score --staff\n")
    with Terminal(home, "--accessible", ready=False, rows=60) as t:
        t.wait_for(r"^session-1, In 3:$")
        t.type(":score --staff", "enter").wait_for(r"^session-1, In 4:$")
        assert "c5" in t.text()
        t.type(":set display staff", "enter").wait_for(r"^session-1, In 5:$")
        t.type("(measure (note g5 :w))", "enter").wait_for(r"^Out 5: .*g5")
        t.wait_for(r"^session-1, In 6:$")
        t.type(":history", "enter").wait_for(r"^session-1, In 7:$")
        assert not BOX.search(t.bytes.decode()), BOX.findall(t.bytes.decode())


def test_long_input_goes_on_in_the_next_row_of_an_accessible_prompt(home):
    with Terminal(home, "--accessible", ready=False, columns=40, rows=20) as t:
        t.wait_for(r"^session-1, In 1:$")
        t.type("(list 11 22 33 44 55 66 77 88 99 111 222 333)")
        t.wait_until(lambda: "333)" in t.text(), "the end of the input")
        # All of it is on the screen, from its beginning.
        assert "session-1, In 1: (list 11 22 33 44 55 66 77 88 99 111 222 333)" in "".join(t.screen.display)
        t.type("enter").wait_for(r"^Out 1: \(11 22")
        assert b"\x1b" not in t.bytes
        t.wait_for(r"^session-1, In 2:$")
        # Deleting across the edge of a row, then continuing.
        t.type("(list 1 2 3 4 5 6 7 8 9 10 11 12 13)" + "\x7f" * 14 + " 14)", "enter")
        t.wait_for(r"^Out 2: \(1 2 3 4 5 6 7 8 14\)|^Out 2: \(1 2 3 4 5 6 7 8 \d* ?14\)")


def test_history_shows_times_when_asked(home):
    done = run_script(home, "(+ 1 2)\n// words\n:history --time\n:history\n", TZ="UTC")
    timed, plain = done.stdout.decode().split("[2] [you]: words", 1)
    assert re.search(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\S*  In\[1\]: \(\+ 1 2\)", timed, re.M), timed
    # Its value is aligned below it.
    assert re.search(r"^ {20,}Out\[1\]: 3$", timed, re.M), timed
    assert re.search(r"^In\[1\]: \(\+ 1 2\)", plain, re.M), plain


def test_history_of_the_chat_has_the_words_of_both_sides(home):
    from support.client import Client

    with Terminal(home, columns=120, rows=40) as t:
        t.enter("(+ 1 2)")
        t.enter("// what now?")
        with Client(home, "Claude") as c:
            c.call("send_message", text="try B flat")
        t.enter("(+ 3 4)")
        shown = t.enter(":history --chat").split(":history --chat", 1)[1]
        assert "what now?" in shown and "try B flat" in shown and "(+ " not in shown
        assert "try B flat" in t.enter(":history --chat --grep flat").split("--grep flat", 1)[1]


def test_of_a_long_input_of_a_client_the_first_lines_are_shown(home):
    long = "(seq\n" + "\n".join(f"  (note c4 :q) ; line {n}" for n in range(2, 41)) + "\n)"
    with Terminal(home, columns=100, rows=60) as t, Client(home, "Composer") as client:
        t.enter(":ai allow")
        client.call("eval", text=long)
        t.wait_for(r"line 8$")
        t.wait_for_prompt()
        # By hand: 41 lines, of which eight are shown.
        assert re.search(r"^\.\.\. 33 more lines; `:history 2` shows all   ; Composer", t.text(), re.M), t.text()
        assert "line 9" not in t.text().split("Out[2]")[0]
        assert "line 40" in t.enter(":history 2")
        # A short one is shown whole.
        client.call("eval", text="(note d4 :q)")
        t.wait_for(r"^In\[\d+\]: \(note d4 :q\)   ; Composer")
