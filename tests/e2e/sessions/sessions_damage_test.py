"""Sessions damaged on disk, as seen at the prompt; and sessions archived and restored in quick succession."""

import re

import pytest

from support.client import Client
from support.program import run_script
from support.terminal import Terminal


def journal(home):
    return home.session() / "history.jsonl"


def prepared(home):
    done = run_script(home, "(part :piano (measure (note c4 :w)))\n(def x 5)\n// words\n(note d4 :w)\n")
    assert done.returncode == 0, done.stderr
    return journal(home).read_bytes()


def after(home):
    got = run_script(home, "x\n:score\n:history 1:4\n")
    assert got.returncode == 0, got.stderr
    return got.stdout.decode(), " ".join(got.stderr.decode().split())


FIRST = {
    "a flipped byte": lambda first: first[:3] + bytes([first[3] ^ 1]) + first[4:],
    "zeros": lambda first: bytes(len(first) - 1) + b"\n",
    "nothing": lambda first: b"",
    "other words": lambda first: b"hello\n",
}


@pytest.mark.parametrize("way", FIRST)
@pytest.mark.parametrize("checkpoint", (True, False))
def test_a_journal_whose_first_line_is_damaged_opens(home, way, checkpoint):
    whole = prepared(home)
    end = whole.index(b"\n") + 1
    journal(home).write_bytes(FIRST[way](whole[:end]) + whole[end:])
    if not checkpoint:
        (home.session() / "checkpoint.json").unlink()
    said, told = after(home)
    assert said.startswith("5\n") and "c4" in said and "d4" in said and "words" in said, said
    assert "first line" in told and "history.jsonl.damaged-1" in told, told
    assert (home.session() / "history.jsonl.damaged-1.reason").read_text().strip()
    # It has been repaired: the next time nothing is reported.
    said, told = after(home)
    assert said.startswith("5\n") and "damaged" not in told, told


def test_a_flipped_byte_costs_one_entry_and_is_told(home):
    whole = prepared(home)
    at = whole.index(b"(def x 5)")
    journal(home).write_bytes(whole[:at + 7] + b"6" + whole[at + 8:])
    # A checkpoint has the result of the entry; without one it is lost.
    said, told = after(home)
    assert said.startswith("5\n") and "could not be read" in said, said
    (home.session() / "checkpoint.json").unlink()
    (home.session() / "env.json").unlink()
    got = run_script(home, ":score\n:history 1:4\nx\n")
    told = " ".join(got.stderr.decode().split())
    assert "entry 2 is lost; later entries are intact" in told, told
    assert b"d4" in got.stdout and b"words" in got.stdout, got.stdout
    assert "unknown-name" in told, told


def test_zeros_at_the_end_are_kept_and_told_apart_from_a_torn_line(home):
    whole = prepared(home)
    journal(home).write_bytes(whole + bytes(4096))
    said, told = after(home)
    assert said.startswith("5\n"), said
    assert "power cut" in told and "4096 bytes" in told and "damaged-1" in told, told
    assert (home.session() / "history.jsonl.damaged-1").read_bytes() == bytes(4096)


def test_a_session_without_its_journal_is_still_listed(home):
    prepared(home)
    run_script(home, ":session new Second\n")
    journal(home).unlink()
    assert re.search(r"session-1 ", run_script(home, ":session list\n").stdout.decode())
    got = run_script(home, ":reload\n:score\n", "--session", "session-1")
    assert b"loaded score.ferm" in got.stdout and b"d4" in got.stdout, got


def test_sessions_are_archived_and_restored_in_quick_succession(home):
    script = "".join(f":session new Draft\n(def x {i})\n:session archive\n:session list --archived\n"
                     ":session unarchive draft\n:session list\n:session switch draft\nx\n"
                     ":session delete --yes\n" for i in range(20))
    done = run_script(home, "(def y 1)\n" + script)
    assert done.returncode == 0, done.stderr
    said = done.stdout.decode()
    assert said.count("draft was restored") == 20
    assert re.findall(r"^(\d+)$", said, re.M) == [str(i) for i in range(20)]
    assert len(list((home.folder / "trash").iterdir())) == 20
    assert not list((home.folder / "archive").iterdir())


def test_a_client_and_a_musician_make_sessions_of_one_name(home):
    with Terminal(home, columns=120) as t, Client(home, "Claude") as c:
        made = {c.call("session_create", name="Fugue")["session"] for _ in range(5)}
        for _ in range(3):
            t.enter(":session clone Fugue")
        listed = t.enter(":session list")
        names = re.findall(r"(fugue[-\d]*) +(Fugue(?: \d+)?) ", listed)
        assert len(made) == 5 and len({slug for slug, _ in names}) == 8, listed
        assert len({name.strip() for _, name in names}) == 8, listed


@pytest.mark.parametrize("way", ["missing", "torn", "empty"])
def test_name_and_tags_outlive_their_file(home, way):
    run_script(home, ":session rename Chorale in D\n:session tag x y\n(def z 1)\n")
    meta = home.session() / "meta.json"
    text = meta.read_text()
    meta.unlink()
    if way != "missing":
        meta.write_text("" if way == "empty" else text[:len(text) // 2])
    # By its name, too, which is looked up in the list.
    done = run_script(home, "z\n:session list\n", "--session", "Chorale in D")
    said, told = done.stdout.decode(), " ".join(done.stderr.decode().split())
    assert done.returncode == 0 and said.startswith("1\n"), done
    assert re.search(r"^\* session-1 +Chorale in D +#x #y ", said, re.M), said
    assert "meta.json" in told and "Name, tags and dates were taken from the journal" in told, told
    again = run_script(home, ":session list\n")
    assert re.search(r"^\* session-1 +Chorale in D +#x #y ", again.stdout.decode(), re.M), again
    assert b"meta.json" not in again.stderr, again
