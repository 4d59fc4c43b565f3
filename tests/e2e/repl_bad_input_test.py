"""Input that is wrong: a clear error that says where, and the session goes on as before.

Each row is given to the prompt in a terminal and without one. Afterwards the same session still
evaluates, its score is untouched, and its history has no gap.
"""

import json

import pytest
from support.program import Home, run_script
from support.terminal import Terminal

BAD = {
    # fault: (input, code of the error)
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


@pytest.fixture
def home():
    with Home() as h:
        yield h


def entries(home):
    lines = (home.session() / "history.jsonl").read_bytes().decode("utf-8").splitlines()
    found = []
    for line in lines:
        found += indices(json.loads(line))
    return found


def indices(value):
    """Every index of an entry in a line of the journal, whatever it is wrapped in."""
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
        for number, (text, code) in enumerate(BAD.values(), start=2):
            t.type(text, "enter")
            t.wait_for_prompt(number + 1)
            assert f"Err[{number}]: {code or ''}" in t.text()
        assert f"Out[{len(BAD) + 2}]: 3" in t.enter("(+ 1 2)")


def test_bytes_that_are_not_utf8_are_named_with_their_place(home):
    done = run_script(home, b'(def x 1)\n(words "caf\xe9")\n(+ x 1)\n')
    assert done.returncode == 1
    assert "invalid-utf8" in done.stderr.decode("utf-8")
    assert done.stdout == b"x\n2\n"
    # The journal is UTF-8 all the same, and the session loads again.
    assert run_script(home, "(+ x 2)\n").stdout == b"3\n"


def test_bytes_that_are_not_utf8_can_be_typed(home):
    with Terminal(home) as t:
        t.child.send(b'"caf\xff"\r')
        t.wait_for(r"Err\[1\]: invalid-utf8")
        t.wait_for_prompt(3)
        assert r"\xff" in t.text()


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
    # A word of that length is an error that does not repeat all of it.
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
