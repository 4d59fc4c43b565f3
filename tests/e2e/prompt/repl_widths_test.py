"""Wide, combining and joined characters in narrow and wide terminals; terminals with few capabilities.

The width of characters comes from Python's Unicode database, not from the program.
"""

import re
import unicodedata

import pytest
from support.client import Client
from support.program import run_script
from support.terminal import Terminal

WIDTHS = [20, 40, 80, 200]
TEXTS = {
    "wide": '"音楽は音の芸術 である 長い文"',
    "combining": '"e\u0301le\u0301gie a\u0308o\u0308u\u0308 n\u0303"',
    "joined": '"\U0001F468\u200D\U0001F469\u200D\U0001F467 family \U0001F3B5 note"',
    "mixed": '"音e\u0301楽 \U0001F3BC a\u0300b \u05D0\u05D1 \u0E01\u0E33"',
}


def cells(c):
    if unicodedata.combining(c) or unicodedata.category(c) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


def end_of(text, columns, start):
    """Row and column after a text that wraps at the edge, without splitting wide characters."""
    row, x = 0, start
    for c in text:
        if x + cells(c) > columns:
            row, x = row + 1, 0
        x += cells(c)
    return (row + 1, 0) if x == columns else (row, x)


def screen_text(t):
    """The text on the screen, with rows joined, without the empty cells after wide characters."""
    return "".join("".join(t.screen.buffer[y][x].data for x in range(t.columns)) for y in range(t.rows))


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("name", TEXTS)
def test_the_cursor_is_behind_what_was_typed(home, columns, name):
    text = TEXTS[name]
    with Terminal(home, columns=columns, ready=columns > 20) as t:
        t.wait_for(r"In\[1\]:")
        prompt_row, prompt_column = t.cursor()
        t.type(text)
        down, x = end_of(text, columns, prompt_column)
        t.wait_until(lambda: t.cursor() == (prompt_row + down, x), f"the cursor at {prompt_row + down, x}")
        # Back to the start, a letter there, and to the end again.
        t.type("home", "(list ", "end", ")")
        down, x = end_of("(list " + text + ")", columns, prompt_column)
        t.wait_until(lambda: t.cursor() == (prompt_row + down, x), "the cursor at the end")
        t.type("enter").wait_until(lambda: "Out[1]:" in screen_text(t), "the value")
        # pyte shows nothing after a joiner, so check what the program wrote.
        written = t.bytes.decode().rsplit("Out[1]:", 1)[1] if name == "joined" else screen_text(t).split("Out[1]:")[1]
        assert unicodedata.normalize("NFC", text) in unicodedata.normalize("NFC", re.sub(r"\x1b\[\d*m", "", written))


def test_backspace_takes_a_character_with_its_accents(home):
    with Terminal(home) as t:
        t.type('"ae\u0301', "\x7f").wait_until(lambda: t.lines()[-1].endswith('"a'), "the letter to go")
        t.type('音', "\x7f", '"', "enter").wait_for(r'Out\[1\]: "a"')


@pytest.mark.parametrize("columns", [40, 80])
def test_names_of_wide_characters_are_completed_and_listed_in_columns(home, columns):
    names = ["音楽の主題", "音楽", "音色", "e\u0301le\u0301gie"]
    with Terminal(home, columns=columns) as t:
        for i, name in enumerate(names):
            t.enter(f"(def {unicodedata.normalize('NFC', name)} {i})")
        t.type("(list 音色", "tab").wait_until(lambda: "音色" in screen_text(t), "the name")
        t.type(")", "enter").wait_for(r"Out\[5\]: \(2\)")
        t.wait_for_prompt(6)
        t.type("(list 音", "tab", "tab").wait_for("音楽の主題")

        def words():
            y = t.cursor()[0] - 1
            return [x for x in range(columns) if t.screen.buffer[y][x].data == "音"]

        # Columns as wide as the longest name, ten cells, and two between them.
        t.wait_until(lambda: words() == [0, 12, 24], "the names in columns")


@pytest.mark.parametrize("columns", WIDTHS)
def test_hint_and_list_keep_to_the_width(home, columns):
    with Terminal(home, columns=columns, rows=30, ready=columns > 20) as t:
        t.wait_for(r"In\[1\]:")
        t.type("(tuplet ", "alt-h").wait_for(r"\(tuplet RAT")
        # One row below the text, truncated at the edge.
        y, _ = t.cursor()
        assert t.screen.display[y + 1].startswith("(tuplet RAT")
        assert not t.screen.display[y + 2].strip()
        t.type("alt-h", "ctrl-c")
        t.type(":s", "tab", "tab").wait_for("session")
        assert all(len(line) <= columns for line in t.lines())


@pytest.mark.parametrize("columns", [20, 40])
def test_narrow_terminals_lose_nothing_of_help_and_errors(home, columns):
    with Terminal(home, columns=columns, rows=200, ready=False) as t:
        t.wait_for(r"In\[1\]:")
        t.type("(nte c4 :q)", "enter").wait_until(lambda: "didyoumean`note`" in screen_text(t).replace(" ", ""), "advice")
        t.type(":help note", "enter").wait_until(lambda: "In[3]:" in screen_text(t), "the prompt")
        assert "example:(notec#4" in screen_text(t).replace(" ", "").replace("\n", "")


def test_a_dumb_terminal_gets_no_escape_sequences(home):
    with Terminal(home, TERM="dumb") as t:
        t.type("(list 1", "enter").wait_for(r"^ *\.\.")
        t.type("2)", "enter").wait_for(r"Out\[1\]: \(1 2\)")
        t.type("(nte)", "enter").wait_for(r"Err\[2\]")
        t.type(":set display staff", "enter").wait_for("display = staff")
        t.type("(note c4 :q)", "enter").wait_for("├")
        t.type("(tupl", "tab").wait_for("tuplet")
        t.type("ctrl-c").wait_for(r"\^C")
        t.type("ctrl-d")
        t.wait_for_end()
        assert not re.search(rb"\x1b\[[0-9;]*[A-HJKSTfm]", t.bytes), "it moves the cursor or colours"


def test_no_color_moves_the_cursor_and_never_colours(home):
    with Terminal(home, NO_COLOR="1") as t:
        t.enter("(list 1 (+ 2 3))")
        t.enter("(nte)")
        t.enter("// hello")
        t.enter(":help")
        assert not re.search(rb"\x1b\[[0-9;]*[1-9][0-9;]*m", t.bytes)


def test_vi_moves_over_wide_characters_and_keeps_its_colon_for_commands_of_ours(home):
    inputrc = home.path / "inputrc"
    inputrc.write_text("set editing-mode vi\nset keyseq-timeout 50\nset show-mode-in-prompt on\n"
                       'set vi-cmd-mode-string "<N>"\nset vi-ins-mode-string "<I>"\n')
    with Terminal(home, INPUTRC=str(inputrc), ready=False) as t:
        t.wait_for(r"^<I>\[session-1\] In\[1\]:")
        t.type('"音楽x"', "escape").wait_for(r"^<N>")
        # h moves by whole characters: from the quote to x, over 楽 to 音.
        t.type("hhhi", "-").wait_for(r'"-音楽x"$')
        t.type("escape").wait_for(r"^<N>.*\"$")
        t.type("0i", "(list ", "escape").wait_for(r"^<N>")
        t.type("A)", "enter").wait_for(r'Out\[1\]: \("-音楽x"\)')
        # A command begins with a colon in insert mode; in command mode the colon is not bound.
        t.wait_for(r"^<I>\[session-1\] In\[2\]:")
        t.type("escape").wait_for(r"^<N>\[session-1\] In\[2\]:")
        t.type(":", "i", ":score", "enter").wait_for("; the score is empty")


def test_the_accessible_prompt_reads_in_order_and_never_goes_back(home):
    with Terminal(home, "--accessible", ready=False) as t:
        t.wait_for(r"^session-1, In 1:")
        t.type("(list 音 1", "enter").wait_for("^continued:")
        t.type("2)", "enter")
        t.wait_for(r"^Error 1: ")
        t.wait_for(r"^session-1, In 2:")
        t.type(":set display staff", "enter").wait_for(r"^session-1, In 3:")
        t.type("(note c4 :q)", "enter").wait_for(r"^session-1, In 4:")
        assert not re.search(rb"\x1b\[\d*[ABHJ]", t.bytes), "the cursor went somewhere else"


def test_the_accessible_help_says_what_the_accessible_prompt_says(home):
    with Terminal(home, "--accessible", rows=200, ready=False) as t:
        t.wait_for(r"^session-1, In 1:")
        for number, topic in enumerate(("chat", "proposals", "topics", ":proposals"), 2):
            t.type(f":help {topic}", "enter").wait_for(rf"^session-1, In {number}:")
        words = " ".join(t.text().split())
        assert "[session, 2 messages]" in words and "[session, 1 proposal] in the prompt" in words
        assert "Δ" not in words and "✉" not in words


@pytest.mark.parametrize("columns", [40, 60, 80])
@pytest.mark.parametrize("topic", ["notes", "editing", "configuration", "topics", "session", "note"])
def test_help_is_broken_between_words(home, columns, topic):
    words = run_script(home, f":help {topic}\n").stdout.decode().split()
    with Terminal(home, columns=columns, rows=400) as t:
        shown = t.enter(f":help {topic}").split(f":help {topic}", 1)[1].rsplit("[session-1]", 1)[0]
        assert shown.split() == words
        # Nothing is wider than the terminal, and no word is that long, so the terminal broke no word.
        assert max(map(len, words)) <= columns


def test_errors_are_broken_between_words_and_their_carets_stay_in_place(home):
    with Terminal(home, columns=50) as t:
        shown = t.enter("(do (nte c4 :q) (list 1 2))")
        lines = shown.splitlines()
        caret = next(i for i, line in enumerate(lines) if line.strip() == "^^^")
        assert lines[caret - 1][lines[caret].index("^"):].startswith("nte")
        shown = t.enter("(def (f) 1)")
        assert all(len(line) <= 50 for line in shown.splitlines())


def test_the_tutorial_is_broken_between_words(home):
    with Terminal(home, columns=50, rows=60) as t:
        t.type(":tutorial", "enter").wait_for("1 of ")
        t.wait_for(r"In\[\d+\]:$")
        text = " ".join(t.text().split())
        assert "first the kind, then its contents. c4 is middle C, :q a quarter note." in text


def raw_lines(t):
    """The output as lines that the program ended itself; a line wrapped by the terminal is one line."""
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", t.bytes.decode())
    return text.replace("\r", "\n").split("\n")


def test_at_thirty_columns_the_greeting_and_the_help_are_broken_by_the_program(home):
    run_script(home, "(note c4 :q)\n")
    with Terminal(home, columns=30, rows=400) as t:
        for line in (":help", ":help topics", ":help display", ":set", ":set display x", ":examples", ":ai", ":branches",
                     ":session info", ":explain unknown-form", ":explain invalid-score", ":explain x", ":hear 7", ":accept 7 3-1"):
            t.enter(line)
        wide = [line for line in raw_lines(t) if len(line) > 30 and "In[" not in line]
        assert not wide
        words = " ".join(t.text().split())
        assert "Fermata 0.1.0 :tutorial to learn, :help for commands, Ctrl-D to quit" in words
        assert "fermata|compact|summary|musicxml|staff|silent" in words.replace("| ", "|")


def cells_of(line):
    return sum(cells(c) for c in unicodedata.normalize("NFC", line))


def output_of(t, line):
    """The output of a command, as lines that the program ended itself: everything between two prompts."""
    before = len(t.bytes)
    t.type(line, "enter")

    def written():
        # The line editor marks when it stops and when it resumes reading keys.
        return re.search(rb"\x1b\[\?2004l(.*)\x1b\[\?2004h", t.bytes[before:], re.S)

    t.wait_until(written, f"the end of {line}")
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written()[1].decode())
    return text.replace("\r", "").split("\n")


LISTS = [":history", ":history --code", ":history 1:3", ":session list", ":proposals", ":branches", ":help",
         ":help topics", ":help history", ":ai", ":blame 1", ":set", ":examples"]
# Commands that print more when more was typed.
CHANGING = (":history", ":history --code", ":session list")


@pytest.mark.parametrize("columns", [20, 30, 40, 80])
def test_what_a_list_shows_is_broken_by_the_program_and_nothing_of_it_is_lost(home, columns):
    home.folder.mkdir()
    (home.folder / "config.toml").write_text("output-lines = 0\n")
    run_script(home, "// 音楽は音の芸術である音楽は音の芸術である音楽は音の芸術である\n"
                     "(def e\u0301le\u0301gie-e\u0301le\u0301gie-e\u0301le\u0301gie-e\u0301le\u0301gie 1)\n"
                     "(seq (note c4 :q) (note d4 :q) (note e4 :q) (note f4 :q))\n"
                     "(def a-name-without-a-blank-that-is-longer-than-a-narrow-line 7)\n"
                     "(list 1 (list 2 (list 3\n (list 4 \"音楽は 音の 芸術\"))))\n:branch early from 3\n"
                     ":session rename 音楽の主題と変奏\n:help overfull-measure\n(nte c4 :q)\n:ai allow x\n")
    with Terminal(home, columns=200, rows=500) as wide:
        with Client(home, "Claude") as c:
            c.call("eval", text="(def proposed-by-a-client-in-one-long-word 1)")
        wide.wait_for(r"Δ1\]")
        wide.enter("(+ 1 2)")
        whole = {line: output_of(wide, line) for line in LISTS}
        wide.type("ctrl-d")
        assert wide.wait_for_end() == 0
    with Terminal(home, columns=columns, rows=500, ready=False) as t:
        t.wait_until(lambda: b"\x1b[?2004h" in t.bytes, "the prompt")
        for line in LISTS:
            lines = output_of(t, line)
            over = [part for part in lines if cells_of(part) > columns]
            assert not over, (line, over)
            if line not in CHANGING:
                assert "".join("".join(lines).split()) == "".join("".join(whole[line]).split()), line
