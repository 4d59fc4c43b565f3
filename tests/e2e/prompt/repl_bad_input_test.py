"""Invalid input: a clear error with its position, and the session continues as before.

Each row is given to the prompt in a terminal and without one. Afterwards the same session still
evaluates, its score is untouched, and its history has no gap.
"""

import json
import re
import signal
import subprocess

import pytest
from support.client import Client
from support.mcp_host import Host
from support.program import BINARY, PATIENCE, run_script
from support.session import Session
from support.terminal import Terminal

BAD = {
    # kind of error: (input, error code)
    "stray-delimiter": ("(+ 1 2))", "stray-delimiter"),
    "mismatched-delimiter": ("(note c4]", "mismatched-delimiter"),
    "unknown-form": ("(nte c4 :q)", "unknown-form"),
    "unknown-name": ("motiff", "unknown-name"),
    "unknown-keyword": ("(note c4 :q :stacato)", "unknown-keyword"),
    "wrong-type": ('(+ 1 "two")', "wrong-type"),
    "wrong-argument-count": ("(note)", "wrong-argument-count"),
    "division-by-zero": ("(/ 1 0)", "division-by-zero"),
    "bad-duration": ("(note c4 :7)", None),
    "bad-pitch": ("(note h4 :q)", None),
    "bad-octave": ("(note c44 :q)", None),
    "overfull-measure": ("(measure (note c4 :w) (note d4 :q))", "overfull-measure"),
    "overfull-measure-3-4": ("(measure :time (3 4) (note c4 :w))", "overfull-measure"),
    "misplaced": ("(measure (score))", None),
    "no-such-entry": ("$Out[999]", "no-such-entry"),
    "reserved-name": ("(def c4 1)", "reserved-name"),
    "not-callable": ("(1 2 3)", "not-callable"),
    "bad-escape": (r'"\q"', "invalid-token"),
    "own-error": ('(error "no such mode")', "user-error"),
    "runaway": ("(let [f (fn [f] (f f))] (f f))", "budget-exceeded"),
}


def entries(home):
    lines = (home.session() / "history.jsonl").read_bytes().decode("utf-8").splitlines()
    found = []
    for line in lines:
        found += indices(json.loads(line))
    return found


def indices(value):
    """The index of every entry in a line of the journal, at any depth."""
    if isinstance(value, dict):
        if "index" in value and "kind" in value:
            return [value["index"]]
        return [i for v in value.values() for i in indices(v)]
    if isinstance(value, list):
        return [i for v in value for i in indices(v)]
    return []


@pytest.mark.parametrize("fault", BAD)
def test_a_fault_is_explained_and_changes_nothing(home, fault):
    text, code = BAD[fault]
    done = run_script(home, f"(def before 1)\n{text}\n(+ before 1)\n:score\n")
    assert done.returncode == 1
    error = done.stderr.decode()
    assert error.startswith("line:2:") or error.startswith("line: "), error
    if code:
        assert f"{code}: " in error
    assert done.stdout.decode().splitlines()[:2] == ["before", "2"]
    assert len(error.splitlines()) >= 2, "no place, no advice"


def test_all_faults_in_one_terminal_leave_it_usable(home):
    with Terminal(home, rows=50) as t:
        for number, (text, code) in enumerate(BAD.values(), start=1):
            t.type(text, "enter")
            t.wait_for_prompt(number + 1)
            assert f"Err[{number}]: {code or ''}" in t.text()
        assert f"Out[{len(BAD) + 1}]: 3" in t.enter("(+ 1 2)")


NOT_UTF8 = {
    # kind of line: (the line, the text recorded for it, column of the first invalid byte)
    "a value": (b'(words "caf\xe9")', '(words "caf\ufffd")', 12),
    "a note with a comment": (b"(note g4 :q) ; caf\xe9", "(note g4 :q) ; caf\ufffd", 19),
    "words": (b"// na\xefve \xff", "// na\ufffdve \ufffd", 6),
    "a branch": (b":branch b\xe9la", ":branch b\ufffdla", 10),
    "another name": (b":session rename B\xe9la", ":session rename B\ufffdla", 18),
    "a tag": (b":session tag b\xe9", ":session tag b\ufffd", 15),
    "half a character": (b'"\xe2\x99"', '"\ufffd\ufffd"', 2),
    "behind a character": (b'"\xc3\xa9\xed\xa0\x80"', '"\u00e9\ufffd\ufffd\ufffd"', 3),
}


def killed(home, script, last):
    """Runs a script until it has printed the last line, then kill -9. Returns standard error."""
    run = subprocess.Popen([BINARY, "--session", "session-1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, env=home.environment())
    run.stdin.write(script)
    run.stdin.flush()
    for line in run.stdout:
        if line == last:
            break
    run.kill()
    return run.communicate(timeout=PATIENCE)[1].decode("utf-8").removeprefix("fermata: session session-1\n")


def texts(home):
    """The text of each entry in the journal; checks that every file of the session is UTF-8 and all JSON is valid."""
    for path in home.session().iterdir():
        if path.suffix in (".json", ".jsonl", ".ferm"):
            for line in path.read_bytes().decode("utf-8").splitlines():
                assert path.suffix == ".ferm" or json.loads(line)
    lines = (home.session() / "history.jsonl").read_text("utf-8").splitlines()
    return [line["text"] for line in map(json.loads, lines[1:]) if "text" in line]


@pytest.mark.parametrize("kind", NOT_UTF8)
def test_a_line_that_is_not_utf8_is_refused_with_its_place_and_kept(home, kind):
    line, kept, column = NOT_UTF8[kind]
    error = killed(home, b"(note c4 :q)\n" + line + b'\n(note d4 :q)\n"done"\n', b'"done"\n')
    said = error.splitlines()
    assert said[0].startswith(f"line:2:{column}: invalid-utf8: "), error
    assert said[1] == f"  2 | {kept}"
    assert said[2] == "      " + " " * (column - 1) + "^"
    assert texts(home) == ["(note c4 :q)", kept, "(note d4 :q)", '"done"']
    # None of it was executed, and everything else is unchanged.
    done = run_script(home, ":history 1:4\n:branches\n:session\n:score\n:s save\n")
    assert (done.returncode, done.stderr) == (0, b""), done.stderr
    shown = done.stdout.decode("utf-8")
    assert kept in shown and "invalid-utf8" in shown
    assert "b\ufffdla" not in shown.replace(kept, "")
    assert "c4 :q" in shown and "d4 :q" in shown and "g4 :q" not in shown.replace(kept, "")
    texts(home)  # including the files of the checkpoint


def test_what_the_startup_file_says_in_other_letters_is_not_done(home):
    home.folder.mkdir()
    (home.folder / "init.ferm").write_bytes(b'(def a 1)\n:session tag b\xe9\n(def b\n  "\xff")\n(def c 3)\n')
    with Terminal(home) as t:
        shown = t.text()
        assert "init.ferm:2:15: invalid-utf8" in shown
        assert "init.ferm:4:4: invalid-utf8" in shown
        assert "Out[3]: 4" in t.enter("(+ a c)")  # two definitions before it
        t.kill()
    assert texts(home)[-1] == "(+ a c)"
    assert "\ufffd" not in (home.session() / "meta.json").read_text("utf-8")


def test_clients_are_told_of_such_a_line_in_utf8(home):
    with Session(home) as session, Client(home, "peer") as client, Host(home.folder) as host:
        host.initialize()
        client.call("events.subscribe", kinds=["entries"])
        for number, (line, _, _) in enumerate(NOT_UTF8.values(), start=1):
            session.process.stdin.write(line + b"\n")
            session.line(f'"done {number}"')
            session.until(f'"done {number}"')
        wanted = {kept for _, kept, _ in NOT_UTF8.values()}
        told = set()
        while not wanted <= told:  # what the subscription sends
            told |= set(strings(json.loads(client.file.readline().decode("utf-8"))))
        assert wanted <= set(strings(client.call("get_history", limit=100)))
        assert wanted <= set(strings(host.tool("repl_get_history", {"limit": 100})["structuredContent"]))
        for resource in host.ask("resources/list")["result"]["resources"]:
            assert "result" in host.ask("resources/read", {"uri": resource["uri"]})
    texts(home)


def strings(value):
    """All strings in a JSON value."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [s for v in inner for s in strings(v)]


def test_what_is_typed_in_other_letters_is_seen(home):
    with Terminal(home) as t:
        # Nothing vanishes, and nothing reappears in the next line.
        t.child.send(b'"caf\xe9"\r')
        t.wait_for('Out.1.: "caf\ufffd"').wait_for_prompt(2)
        t.child.send(b"// caf\xe9 x\r")
        t.wait_for_prompt(3)
        t.child.send(b'"\xff"\r')
        t.wait_for('Out.3.: "\ufffd"').wait_for_prompt(4)
        # A character in two pieces is one character, and half a character does not block anything else.
        t.child.send(b'"\xc3')
        t.wait_until(lambda: t.lines()[-1].endswith('"'), "the quote")
        t.resize(24, 60)
        t.child.send(b'\xa9"\r')
        t.wait_for('Out.4.: "\u00e9"').wait_for_prompt(5)
        t.child.send(b'(+ 1 1)\xe2\x99')
        t.wait_until(lambda: t.lines()[-1].endswith("(+ 1 1)"), "the line")
        t.type("ctrl-c")
        assert "Out[5]: 3" in t.enter("(+ 1 2)")
        t.kill()
    assert texts(home) == ['"caf\ufffd"', "caf\ufffd x", '"\ufffd"', '"\u00e9"', "(+ 1 2)"]


WRONG_AND_OPEN = {
    "a bracket of another kind": (b"(a ] (", "mismatched-delimiter", 4),
    "no such escape": (b'(note c4 :q "\\q"', "invalid-token", 14),
    "too deep": (b"(" * 1200, "nesting-too-deep", 1001),
    "not UTF-8": (b'(words "\xe9" (', "invalid-utf8", 9),
}


@pytest.mark.parametrize("fault", WRONG_AND_OPEN)
def test_a_wrong_line_that_leaves_a_bracket_open_takes_nothing_with_it(home, fault):
    line, code, column = WRONG_AND_OPEN[fault]
    run = subprocess.Popen([BINARY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           env=home.environment())
    # The pipe stays open: the input is not read to its end first.
    run.stdin.write(line + b"\n(+ 1 2)\n(+ 3\n  4)\n")
    run.stdin.flush()
    assert [run.stdout.readline(), run.stdout.readline()] == [b"3\n", b"7\n"]
    assert run.stderr.readline().decode().startswith(f"line:1:{column}: {code}: ")
    run.communicate(timeout=PATIENCE)
    assert run.returncode == 1
    # The same at both kinds of prompt.
    for term in ("xterm-256color", "dumb"):
        with Terminal(home, "--session", term, TERM=term) as t:
            t.child.send(line + b"\r")
            if code != "invalid-utf8":  # a keyboard sends UTF-8
                t.wait_for(f"Err.1.: {code}").wait_for_prompt(2)
                assert "Out[2]: 3" in t.enter("(+ 1 2)")


def test_a_wrong_line_in_the_startup_file_takes_nothing_with_it(home):
    home.folder.mkdir()
    (home.folder / "init.ferm").write_text("(def a 1)\n(def b ] (\n(def c 3)\n")
    with Terminal(home) as t:
        assert "init.ferm:2:8: mismatched-delimiter" in t.text()
        assert "Out[3]: 4" in t.enter("(+ a c)")  # two definitions before it


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_script_that_is_interrupted_says_where(home, number):
    run = subprocess.Popen([BINARY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           env=home.environment())
    run.stdin.write(b"(+ 1 2)\n\n(let loop [i 0] (loop (+ i 1)))\n(+ 3 4)\n")
    run.stdin.flush()
    assert run.stdout.readline() == b"3\n"
    run.send_signal(number)
    out, error = run.communicate(timeout=PATIENCE)
    assert (run.returncode, out) == (1, b"")
    assert re.fullmatch(rb"line:[13]: interrupted; the lines after this one were not run\n", error), error


def test_ten_thousand_nested_lists_fail_cleanly(home):
    deep = "(" * 10_000 + ")" * 10_000
    done = run_script(home, f"{deep}\n(+ 1 2)\n")
    assert done.returncode == 1
    assert "nesting-too-deep" in done.stderr.decode()
    assert done.stdout == b"3\n"
    with Terminal(home) as t:
        t.type("(" * 10_000, "enter")
        t.wait_for(r"Err\[\d+\]: nesting-too-deep")
        t.wait_for_prompt()


def test_a_line_of_two_mebibytes_is_taken(home):
    long = '(count "' + "x" * (2 << 20) + '")'
    done = run_script(home, f"{long}\n(+ 1 2)\n")
    assert done.stdout.splitlines()[-1] == b"3"
    assert done.returncode in (0, 1)
    # A word of that length is an error whose message does not repeat all of it.
    done = run_script(home, "y" * (2 << 20) + "\n(+ 1 2)\n")
    assert done.returncode == 1
    assert done.stdout == b"3\n"
    assert "unknown-name" in done.stderr.decode()
    assert len(done.stderr) < 10_000


def test_null_bytes_do_not_cut_the_line(home):
    done = run_script(home, b"(+ 1 2)\0(+ 3 4)\n(+ 5 6)\n")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == b"11"


def test_the_history_has_no_gap_after_all_this(home):
    script = "\n".join(text for text, _ in BAD.values()) + "\n"
    run_script(home, script)
    found = entries(home)
    assert found == list(range(1, len(found) + 1))
    assert len(found) >= len(BAD)
