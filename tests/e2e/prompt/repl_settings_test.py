"""config.toml, the start-up file, the pager and limits, timing, colours, the accessible prompt."""

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
        # The session's setting takes precedence.
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


def test_what_else_is_wrong_in_the_file_does_not_fail_what_was_asked(home):
    (home.folder / "config.toml").write_text('widht = 3\n')
    done = config(home, "set", "width", "60")
    assert done.returncode == 0 and done.stdout == "width = 60\n" and "config.toml:1:" in done.stderr
    done = config(home, "get", "width")
    assert done.returncode == 0 and done.stdout == "60\n" and "config.toml:1:" in done.stderr
    assert config(home).returncode == 1  # listing all settings reports it as a failure


def test_a_setting_goes_back_to_its_default_as_it_does_at_the_prompt(home):
    config(home, "set", "width", "60")
    done = config(home, "set", "width", "default")
    assert done.returncode == 0 and re.fullmatch(r"width = \w+ \(default\)\n", done.stdout)
    assert (home.folder / "config.toml").read_text() == ""
    assert config(home, "set", "widht", "default").returncode == 1


def test_a_fault_in_the_file_is_shown_with_its_line_and_ends_nothing(home):
    (home.folder / "config.toml").write_text('display = "summary"\nwidht = 3\n')
    with Terminal(home) as t:
        assert "config.toml:2: unknown setting `widht`. Did you mean `width`?" in t.text()
        assert "note: 1 note" in t.enter("(note c4 :q)")
    assert config(home).returncode == 1
    done = run_script(home, "(+ 1 2)\n")
    assert done.returncode == 0 and b"config.toml:2:" in done.stderr


def test_the_file_is_edited_and_checked(home):
    editor = home.path / "editor"
    editor.write_text("#!/bin/sh\necho 'display = \"loud\"' >> \"$1\"\n")
    editor.chmod(0o700)
    done = config(home, "edit", EDITOR=str(editor))
    assert done.returncode == 1 and "invalid value for display: `loud`" in done.stderr
    # The file begins with every setting as a comment.
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
        assert re.search(r"init\.ferm:5: unknown command `:frobnicate`", text)
        assert re.search(r"init\.ferm:6: the start-up file must not change the score", text)
        shown = t.enter("(list a c)")
        assert "(1 3)" in shown
        assert "empty" in t.enter(":score")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("blank", ["\ufeff", "\u00a0", "\u3000"], ids=ascii)
def test_the_start_up_file_may_come_from_any_editor(home, blank, end):
    lines = [f"{blank}:set display summary", f"{blank}(def a", "  41)", f"{blank}// hello", "(def b ] (", ""]
    (home.folder / "init.ferm").write_bytes(end.join(lines).encode())
    with Terminal(home, rows=40) as t:
        shown = t.text()
        assert "init.ferm:4: messages cannot be sent" in shown and "init.ferm:5:8: mismatched-delimiter" in shown
        assert "display = summary" not in shown and "unknown" not in shown
        assert re.search(r"Out\[\d+\]: 42", t.enter("(+ a 1)"))
        assert re.search(r"Out\[\d+\]: note: 1 note", t.enter("(note c4 :q)"))


def test_the_start_up_file_says_what_it_does_not_do(home):
    (home.folder / "init.ferm").write_text("(def a 1)\n:quit\n:session new other\n:clear\n(def b 2)\n")
    with Terminal(home, rows=40) as t:
        text = t.text()
        for line, command in ((2, ":quit"), (3, ":session new"), (4, ":clear")):
            assert f"init.ferm:{line}: `{command}` is not allowed in the start-up file" in " ".join(text.split())
        assert "(1 2)" in t.enter("(list a b)")
        assert "other" not in t.enter(":session list")


def test_a_screen_reader_is_spared_brackets_in_the_timeline_too(home):
    with Terminal(home, "--accessible", ready=False, rows=40) as t:
        t.wait_for(r"In 1:$")
        t.type("(def a 1)", "enter").wait_for(r"In 2:$")
        t.type("(nte c4)", "enter").wait_for(r"In 3:$")
        t.type("// hm", "enter").wait_for(r"In 4:$")
        t.type("(part :violin (measure (note c5 :w)))", "enter").wait_for(r"In 5:$")
        t.type(":undo", "enter").wait_for(r"In 6:$")
        before = len(t.lines())
        t.type(":history", "enter").wait_for(r"In 7:$")
        shown = "\n".join(t.lines()[before:])
        for line in ("In 1: (def a 1)", "Out 1: a", "Error 2: unknown-form", "You, 3: hm",
                     "Command 5: :undo", "Undid In 4"):
            assert line in shown
        assert not re.search(r"\[\d+\]", shown)


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


@pytest.mark.parametrize("pager", ["/nonexistent", "/nonexistent --with options", "no-such-pager", "/etc/passwd",
                                   "exit 127"])
def test_where_the_pager_cannot_start_the_output_is_shown_and_that_is_said_once(home, pager):
    """By hand: 40 evaluations are listed, ten rows are shown, each has two."""
    run_script(home, "".join(f"(+ {i} 0)\n" for i in range(40)))
    with Terminal(home, PAGER=pager, rows=24, columns=120) as t:
        t.enter(":set output-lines 10")
        shown = t.enter(":history 1:40")
        whole = len(re.findall(r"^Out\[\d+\]: \d+$", shown, re.M))
        assert 0 < whole <= 5, shown
        assert f"... {40 - whole} more entries; `:set output-lines 0` shows all" in shown, shown
        help = t.enter(":help")
        assert re.search(r"^\.\.\. \d+ more lines; `:set output-lines 0` shows all$", help, re.M), help
        text = t.text()
        assert text.count("long output is shown here") == 1, text
        assert "not found" not in text, text  # what the shell would add
        t.enter(":set output-lines 0")
        assert "In[40]: (+ 39 0)" in t.enter(":history 1:40")


def test_without_a_pager_a_long_result_is_cut_and_says_so(home):
    with Terminal(home) as t:
        t.enter(":set output-lines 5")
        shown = t.enter(":help")
        assert re.search(r"^\.\.\. \d+ more lines; `:set output-lines 0` shows all$", shown, re.M)
        assert len(shown.splitlines()) == 1 + 5 + 1 + 1
        # A line longer than the screen counts as the rows it takes.
        assert " more lines; " in t.enter("(range 1000)")
        t.enter(":set output-lines 0")
        assert "more lines" not in t.enter(":help")
    # Script output is not truncated.
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
    """The output, as a screen reader speaks it."""
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
        t.type("(list", "enter").wait_for(r"continued:")
        t.type("1)", "enter").wait_for(r"^Out 3: \(1\)$")
        t.type("// hello", "enter").wait_for(r"^You, 4: hello$")
        # Between two prompts the terminal driver would handle the key itself.
        t.wait_for(r"session-1, In 5:")
        t.type("ctrl-d")
        t.wait_for_end()
        # No escape sequences, and no signs that have to be seen.
        assert "\x1b" not in words_of(t)
        assert not re.search(r"\^\^|✉|Δ|\] In\[", words_of(t))


@pytest.mark.parametrize("how", [{"TERM": "dumb"}, {"args": ["--accessible"]}])
def test_a_search_that_is_given_up_leaves_an_empty_prompt(home, how):
    how = dict(how)
    with Terminal(home, *how.pop("args", []), columns=100, ready=False, **how) as t:
        t.wait_for(r"In.*1.*: ?$")
        t.type("(list 41 42)", "enter").wait_for(r"In.*2.*: ?$")
        prompt = t.lines()[-1]
        t.type("ctrl-r").wait_for("i-search")
        t.type("41").wait_for("41': .*list 41")
        t.type("ctrl-c").wait_for(r"\^C.*\n.*In\b.*2.*:$")
        # The line is empty, and the prompt appears once.
        assert t.lines()[-1] == prompt and t.cursor()[1] <= len(prompt) + 1
        behind = t.text()[t.text().rindex("^C"):]
        assert "search" not in behind and "list" not in behind and behind.count("In") == 1
        t.type("(+ 1 2)", "enter").wait_for(r"Out.*2.*: 3$")


def test_the_accessible_prompt_leaves_the_musicians_own_words_alone(home):
    with Terminal(home, "--accessible", columns=200, rows=60, ready=False) as t:
        t.wait_for(r"^session-1, In 1:")
        number = 1
        for line, answer in (("// try F \u03947 then (\u03949)", r"^You, 1: try F \u03947 then \(\u03949\)$"),
                             ('(list "\u03947 chord")', r'^Out 2: \("\u03947 chord"\)$'),
                             ("(part :flute (measure (note c4 :w)))", r"^Out 3: "),
                             (":history", r"^You, 1: try F \u03947 then \(\u03949\)\r?\n(.|\n)*^changes: "),
                             (":session rename \u03947 blues", r"renamed to \u03947 blues"),
                             (":session list", r"session-1 +\u03947 blues "),
                             (":accept \u03943", r"no such proposal: 3")):
            t.wait_for(rf"^session-1, In {number}:")
            t.type(line, "enter").wait_for(answer)
            number += 1
        # Our signs are written as words, the user's are not.
        assert not re.search(r"proposal [79]", t.text()), t.text()


def test_the_accessible_prompt_marks_lists_in_words(home):
    with Terminal(home, "--accessible", columns=200, rows=60, ready=False) as t:
        number = 1
        for line, answer in (("(part :flute (measure (note c4 :w)))", r"^Out 1: "),
                             (":branch other", r"branch other begins here"),
                             ("(replace (measures 1) (measure (note d4 :w)))", r"^Out 3: "),
                             (":branches", r"^current: main .*\r?\n(.*\n)?other  from main"),
                             (":diff other main", r"^removed: \(measure .*\(note c4 :w\)\)\r?\n"
                                                  r"added: \(measure .*\(note d4 :w\)\)$"),
                             (":session list", r"^current: session-1 ")):
            t.wait_for(rf"^session-1, In {number}:")
            t.type(line, "enter").wait_for(answer)
            number += 1
        assert not re.search(r"^[-+*] ", t.text(), re.M), t.text()


def test_the_accessible_prompt_says_how_many_messages_wait(home):
    from support.client import Client

    with Terminal(home, "--accessible", ready=False) as t:
        t.wait_for(r"In 1:")
        with Client(home, "Claude") as c:
            c.call("send_message", text="try B flat")
            t.type("enter").wait_for(r"Message 1 from Claude.*: try B flat")
