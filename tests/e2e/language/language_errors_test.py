"""Every error code can occur: an input that gives it, how it is shown, and its explanation."""

import json
import pathlib

import pytest
from support.program import Home, run_script
from support.terminal import Terminal

TABLE = pathlib.Path(__file__).with_name("error_inputs.tsv")
SONG = '(score (part :flute (measure (note c4 :w :golpe))))\n'


def rows():
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            code, way, text, message = line.split("\t")
            yield code, way, text, message


def run(home, *args, data="", **environment):
    done = run_script(home, data, *args, **environment)
    return done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), done.returncode


def contents(text):
    if text == "{10000 lists}":
        return b"(" * 10_000 + b")" * 10_000
    if text == "{70 million blanks}":
        return b" " * 70_000_000 + b"1"
    return text.encode().decode("unicode_escape").encode("latin-1")


def codes():
    with Home() as home:
        out, _, _ = run(home, "show", "errors", "--format", "json")
    return {item["keyword"]: item for item in json.loads(out)[0]["items"]}


CODES = codes()


@pytest.mark.parametrize("code,way,text,message", rows())
def test_the_input_gives_exactly_this_error(code, way, text, message):
    with Home() as home:
        folder = home.path
        (folder / "song.ferm").write_text(SONG)
        if way == "eval":
            _, said, status = run(home, "eval", "-e", text)
        elif way in ("ferm", "xml"):
            file = folder / ("a.ferm" if way == "ferm" else "a.musicxml")
            file.write_bytes(contents(text))
            out, said, status = run(home, "check", str(file))
            said += out
        elif way == "args":
            _, said, status = run(home, *text.replace("{dir}", str(folder)).split())
        elif way == "home":
            (folder / "f").write_text("")
            out, said, status = run(home, data="1\n")
        else:
            assert way == "type"
            with Terminal(home) as terminal:
                terminal.start(text).type("ctrl-c")
                terminal.wait_for(rf"Err\[1\]: {code}")
                terminal.wait_for_prompt(2)
            return
    assert message in said
    if way == "home":  # the user's line is not at fault, so it is answered
        assert (out, status) == ("1\n", 0)
        return
    first = said.splitlines()[0]
    if code == "left-out":  # a warning: nothing failed, so there is no code
        assert "warning: left out" in first, said
    else:
        assert status != 0
        assert f"{code}: " in first, said
    others = [c for c in CODES if c != code and any(
        line.startswith(f"{c}: ") or f": {c}: " in line for line in said.splitlines())]
    assert not others, said


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_an_input_an_explanation_and_an_example(code):
    assert code in {row[0] for row in rows()}
    with Home() as home:
        out, err, status = run(home, data=f":explain {code}\n")
    assert status == 0 and err == ""
    head, *more = out.splitlines()
    assert head.startswith(f"{code}: ")
    example = [line for line in more if line.startswith("example: ")]
    assert example and len(more) >= 2, out


def test_no_row_names_a_code_that_is_not_there():
    assert {row[0] for row in rows()} <= set(CODES)
