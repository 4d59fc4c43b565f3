"""Inserted and deleted measures in a long piece: the journal is short and gives exactly the same score."""

import json

from support.program import run_script
from support.terminal import Terminal

MEASURES = 300
# Adjacent measures differ: among equal ones, the last would be deleted.
PIECE = " ".join(f"(note {'cdefgab'[i % 7]}4 :h) (note e4 :h)" for i in range(MEASURES)) + "\n"
EDITS = ("(delete (measures 2))\n(delete (measures 100))\n(insert-measure (measures 5) :count 3)\n"
         ":undo\n:undo\n:redo\n(delete (measures 7))\n")


def journal(home):
    return home.session() / "history.jsonl"


def saved_hash(home):
    return json.loads((home.session() / "checkpoint.json").read_text())["score_hash"]


def replayed_hash(home):
    """The hash of the score that the journal alone gives."""
    for name in ("checkpoint.json", "env.json", "score.ferm"):
        (home.session() / name).unlink(missing_ok=True)
    got = run_script(home, ":session save\n")
    assert got.returncode == 0 and not got.stderr, got.stderr
    return saved_hash(home)


def test_the_journal_of_edits_that_renumber_is_short_and_gives_the_same_score(home):
    assert run_script(home, PIECE).returncode == 0
    before = journal(home).stat().st_size
    got = run_script(home, EDITS + ":session save\n")
    assert got.returncode == 0, got.stderr
    # Seven lines; one that contained the measures it renumbers would take more than 100,000 bytes.
    assert journal(home).stat().st_size - before < 20_000
    saved = saved_hash(home)
    assert replayed_hash(home) == saved
    # The last one returns to where it was: 300 measures minus two.
    got = run_script(home, ":undo\n:score --summary\n:session save\n")
    assert f"{MEASURES - 2} measures" in got.stdout.decode(), got.stdout
    saved = saved_hash(home)
    assert replayed_hash(home) == saved


def test_a_killed_session_has_its_numbers_again(home):
    assert run_script(home, PIECE).returncode == 0
    with Terminal(home) as t:
        for line in EDITS.splitlines():
            t.enter(line)
        shown = t.enter(":score piano 5-6").split(":score", 1)[1].splitlines()[1:-1]
        t.kill()
    saved = replayed_hash(home)
    with Terminal(home) as t:
        assert t.enter(":score piano 5-6").split(":score", 1)[1].splitlines()[1:-1] == shown
    assert replayed_hash(home) == saved


def test_a_journal_of_before_is_taken_on_and_one_of_later_left_alone(home):
    assert run_script(home, "(note c4 :w)\n(note d4 :w)\n(delete (measures 1))\n").returncode == 0
    text = journal(home).read_bytes()
    now = b'"version":2'
    assert text.split(b"\n")[0].count(now) == 1
    journal(home).write_bytes(text.replace(now, b'"version":1', 1))
    got = run_script(home, ":score\n")
    assert got.returncode == 0 and b"d4" in got.stdout and b"c4" not in got.stdout, got.stdout
    assert journal(home).read_bytes().startswith(text)

    later = journal(home).read_bytes().replace(now, b'"version":3', 1)
    journal(home).write_bytes(later)
    got = run_script(home, ":score\n")
    assert b"newer version of Fermata" in got.stdout + got.stderr, got
    assert journal(home).read_bytes() == later
