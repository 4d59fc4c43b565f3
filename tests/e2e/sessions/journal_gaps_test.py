"""A journal that lost lines or everything, at the prompt: intact data is loaded, and the saved score is offered."""

import pytest

from support.program import run_script
from support.terminal import Terminal

PIECE = "(part :violin (measure (note c5 :w)) (measure (note d5 :w)) (measure (note e5 :w)))"
LINES = (PIECE, "// hi", "(replace (measures 2) (measure (note g5 :w)))",
         "(part :cello (measure (clef :bass) (note c3 :w)))", ":undo", ":redo", "(def z 1)")


def journal(home):
    return home.session() / "history.jsonl"


def played(home, ending):
    with Terminal(home) as t:
        for line in LINES:
            t.enter(line)
        if ending == "killed":
            t.kill()
        else:
            t.type("ctrl-d")
            t.wait_for_end()
    return journal(home).read_bytes().splitlines(True)


def line_of(lines, entry):
    return next(i for i, line in enumerate(lines) if line.startswith(b'{"index":%d,' % entry))


@pytest.mark.parametrize("ending", ("closed", "killed"))
def test_an_entry_that_an_editor_took_out_is_all_that_is_missing(home, ending):
    lines = played(home, ending)
    del lines[line_of(lines, 2)]
    journal(home).write_bytes(b"".join(lines))
    got = run_script(home, ":score\n:history 1:7\nz\n")
    said, told = got.stdout.decode(), " ".join(got.stderr.decode().split())
    assert got.returncode == 0, got
    assert all(sound in said for sound in ("g5", "cello", "In[3]", "In[4]")), said
    assert said.rstrip().endswith("1"), said
    assert "entry 2 is lost" in told, told
    assert not list(home.session().glob("*.damaged-*"))


def test_where_a_change_is_missing_the_rest_of_it_is_taken_on_request(home):
    lines = played(home, "killed")
    for name in ("checkpoint.json", "env.json", "score.ferm"):
        (home.session() / name).unlink(missing_ok=True)
    del lines[line_of(lines, 3)]
    journal(home).write_bytes(b"".join(lines))
    got = run_script(home, ":score\n:reload\n:score\n")
    before, after = got.stdout.decode().split("loaded score.ferm")
    assert "g5" not in before and "cello" not in before, got
    assert "cello" in after and "d5" in after and "g5" not in after, got
    assert b"entry 3 is missing and has changed the score" in b" ".join(got.stderr.split()), got


@pytest.mark.parametrize("what", ("words", "bytes", "folder"))
def test_a_journal_that_is_none_any_more_does_not_keep_the_session_shut(home, what):
    played(home, "closed")
    journal(home).unlink()
    if what == "folder":
        journal(home).mkdir()
    else:
        journal(home).write_bytes(b"hello\nworld\n" if what == "words" else bytes(range(1, 250)) * 3)
    got = run_script(home, ":session info\n:score\n:reload\n:score\n:session list\n")
    said, told = got.stdout.decode(), " ".join(got.stderr.decode().split())
    assert got.returncode == 0, got
    assert "history.jsonl.damaged-1" in told and "timeline of this session is lost" in told, told
    assert "g5" in said.split("loaded score.ferm")[1] and "cello" in said, said
    assert "session-2" not in said
    assert (home.session() / "history.jsonl.damaged-1").exists()
    assert (home.session() / "history.jsonl.damaged-1.reason").read_text().strip()
    # The next time nothing is reported.
    got = run_script(home, ":score\n")
    assert b"g5" in got.stdout and b"damaged" not in got.stderr, got
