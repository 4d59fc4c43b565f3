"""config.toml, the start-up file, pager and limits, timing, colours, the accessible prompt."""

import json
import re
import subprocess

import pytest
from support.program import BINARY, PATIENCE, Home, run_script
from support.terminal import Terminal


@pytest.fixture
def home():
    with Home() as h:
        h.folder.mkdir(mode=0o700)
        yield h


def config(home, *args, **environment):
    return subprocess.run([BINARY, "config", *args], capture_output=True, text=True, timeout=PATIENCE,
                          env=home.environment(**environment), check=False)


def test_settings_are_listed_read_written_and_used(home):
    assert config(home, "path").stdout == f"{home.folder}/config.toml\n"
    assert "display = fermata" in config(home).stdout
    assert config(home, "set", "display", "summary").stdout == "display = summary\n"
    assert config(home, "get", "display").stdout == "summary\n"
    assert (home.folder / "config.toml").read_text() == 'display = "summary"\n'
    listed = [json.loads(line) for line in config(home, "list", "--json").stdout.splitlines()]
    assert {s["name"]: s["from"] for s in listed}["display"] == "config.toml"
    with Terminal(home) as t:
        assert "Out[1]: note: 1 note" in t.enter("(note c4 :q)")
        # What the session says goes before.
        t.enter(":set display fermata")
        assert "Out[3]: (note c4 :q)" in t.enter("(note c4 :q)")


def test_wrong_names_values_and_words_are_refused(home):
    for args, says in [(("set", "dsplay", "staff"), "Did you mean `display`?"),
                       (("set", "display", "loud"), "one of fermata, compact"),
                       (("get", "colour"), "Did you mean `color`?")]:
        done = config(home, *args)
        assert done.returncode == 1 and says in done.stderr
    for args in [("get",), ("set", "display"), ("list", "x"), ("shout",)]:
        assert config(home, *args).returncode == 2
    assert not (home.folder / "config.toml").exists()


def test_a_fault_in_the_file_is_shown_with_its_line_and_ends_nothing(home):
    (home.folder / "config.toml").write_text('display = "summary"\nwidht = 3\n')
    with Terminal(home) as t:
        assert "config.toml:2: there is no setting `widht`. Did you mean `width`?" in t.text()
        assert "note: 1 note" in t.enter("(note c4 :q)")
    assert config(home).returncode == 1
    done = run_script(home, "(+ 1 2)\n")
    assert done.returncode == 0 and b"config.toml:2:" in done.stderr


def test_the_file_is_edited_and_checked(home):
    editor = home.path / "editor"
    editor.write_text("#!/bin/sh\necho 'display = \"loud\"' >> \"$1\"\n")
    editor.chmod(0o700)
    done = config(home, "edit", EDITOR=str(editor))
    assert done.returncode == 1 and "`loud` is no value of display" in done.stderr
    # It begins with every setting as a comment.
    assert '# output-lines = 500' in (home.folder / "config.toml").read_text()


def test_the_start_up_file_defines_and_leaves_no_trace_the_second_time(home):
    (home.folder / "init.ferm").write_text(
        "; mine\n(defn third-up [x]\n  (transpose M3 x))\n(def answer 42)\n:set display summary\n")
    with Terminal(home) as t:
        number = int(t.prompt()["number"])
        assert "note: 1 note" in t.enter("(third-up (note c4 :q))")
        t.enter(":session new other")
        assert re.search(r"Out\[\d+\]: 42", t.enter("answer"))
        t.enter(":session switch session-1")
        t.type("ctrl-d")
        t.wait_for_end()
    with Terminal(home) as t:
        shown = t.enter(":history --code")
        assert shown.count("(def answer 42)") == 1
        assert number == 4  # a function, a name, a setting


def test_a_fault_in_the_start_up_file_is_shown_with_its_place_and_ends_nothing(home):
    (home.folder / "init.ferm").write_text("(def a 1)\n\n(def b\n  (nte c4))\n:frobnicate\n(note c4 :q)\n(def c 3)\n")
    with Terminal(home, rows=40) as t:
        text = t.text()
        assert re.search(r"init\.ferm:4:4: unknown-form", text)
        assert re.search(r"init\.ferm:5: there is no command `:frobnicate`", text)
        assert re.search(r"init\.ferm:6: this would write into the score", text)
        shown = t.enter("(list a c)")
        assert "(1 3)" in shown
        assert "empty" in t.enter(":score")


def test_long_output_goes_through_less_when_there_is_no_pager(home):
    tools = home.path / "bin"
    tools.mkdir()
    less = tools / "less"
    less.write_text(f"#!/bin/sh\necho \"$@\" > {home.path}/options\ncat > {home.path}/paged\n")
    less.chmod(0o700)
    with Terminal(home, PAGER="", PATH=f"{tools}:/usr/bin:/bin", rows=10) as t:
        t.type(":help", "enter")
        t.wait_for_prompt(2)
        assert ":history" in (home.path / "paged").read_text()
        assert (home.path / "options").read_text() == "-FRX\n"
        (home.path / "paged").unlink()
        t.type("(+ 1 2)", "enter").wait_for_prompt(3)
        assert not (home.path / "paged").exists(), "what is short was paged"
        t.type(":set pager off", "enter").wait_for_prompt(4)
        t.type(":help", "enter").wait_for_prompt(5)
        assert not (home.path / "paged").exists()


def test_without_a_pager_a_long_result_is_cut_and_says_so(home):
    with Terminal(home) as t:
        t.enter(":set output-lines 5")
        shown = t.enter(":help")
        assert re.search(r"^\.\.\. \d+ more lines; `:set output-lines 0` shows all$", shown, re.M)
        assert len(shown.splitlines()) == 1 + 5 + 1 + 1
        # A line that is longer than the screen counts as what it takes.
        assert "more line; " in t.enter("(range 1000)")
        t.enter(":set output-lines 0")
        assert "more lines" not in t.enter(":help")
    # Scripts lose nothing.
    done = run_script(home, ":set output-lines 5\n:help\n")
    assert b"more lines" not in done.stdout and b":quit" in done.stdout


def test_timing_is_told_for_one_expression_or_for_all(home):
    with Terminal(home) as t:
        assert re.search(r"took \d+\.\d+ ms", t.enter(":time (+ 1 2)"))
        assert "took" not in t.enter("(+ 1 2)")
        t.enter(":time on")
        assert re.search(r"Out\[\d+\]: 3\ntook \d+\.\d ms", t.enter("(+ 1 2)"))
        t.enter(":time off")
        assert "took" not in t.enter("(+ 1 2)")


def test_colours_can_be_switched_off_and_brackets_plain(home):
    with Terminal(home) as t:
        t.type("(list (+ 1 (- 3 2)))")
        t.wait_for(r"\(list \(\+ 1 \(- 3 2\)\)\)$")
        colors = t.color_of("(list (+ 1 (- 3 2)))")
        assert colors[0] != colors[6], "nested brackets have one colour"
        t.type("ctrl-c").wait_for_prompt()
        t.enter(":set brackets plain")
        t.type("(list (+ 1 (- 3 2)))")
        t.wait_for(r"\(list \(\+ 1 \(- 3 2\)\)\)$")
        colors = t.color_of("(list (+ 1 (- 3 2)))")
        assert colors[0] == colors[6]
        t.type("ctrl-c").wait_for_prompt()
        t.enter(":set color off")
        before = len(t.bytes)
        t.type("(list 1)", "enter")
        t.wait_for(r"Out\[\d+\]: \(1\)")
        assert not re.search(rb"\x1b\[[0-9;]*m", t.bytes[before:])


def words_of(t):
    """What was written, as somebody hears it."""
    return t.bytes.decode()


@pytest.mark.parametrize("how", ["option", "config"])
def test_the_accessible_prompt_writes_each_line_once_in_words(home, how):
    if how == "config":
        config(home, "set", "accessible", "on")
    with Terminal(home, *(["--accessible"] if how == "option" else []), columns=200, ready=False) as t:
        t.wait_for(r"^session-1, In 1:")
        t.type("(+ 1 2)", "enter").wait_for(r"^Out 1: 3$")
        t.wait_for(r"session-1, In 2:")
        t.type("(nte c4)", "enter")
        t.wait_for(r"Error 2: unknown-form: .*At line 1, column 2: nte\. did you mean `note`\?")
        t.type("(list", "enter").wait_for(r"goes on:")
        t.type("1)", "enter").wait_for(r"^Out 3: \(1\)$")
        t.type("// hello", "enter").wait_for(r"^You, 4: hello$")
        # Between two prompts the terminal driver would take the key for itself.
        t.wait_for(r"session-1, In 5:")
        t.type("ctrl-d")
        t.wait_for_end()
        # No escape sequence at all, and no sign that has to be seen.
        assert "\x1b" not in words_of(t)
        assert not re.search(r"\^\^|✉|Δ|\] In\[", words_of(t))


def test_the_accessible_prompt_says_how_many_messages_wait(home):
    from support.client import Client

    with Terminal(home, "--accessible", ready=False) as t:
        t.wait_for(r"In 1:")
        with Client(home, "Claude") as c:
            c.call("send_message", text="try B flat")
            t.type("enter").wait_for(r"Message 1 from Claude.*: try B flat")
