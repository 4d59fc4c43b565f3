"""Where nothing, or nothing more, can be written: no command reports success for something it did not do."""

import os
import re
import resource
import subprocess

import pytest

from support.program import BINARY, PATIENCE, run_script

CLAIMS = re.compile(r"^(saved|wrote|copied to|.* was moved|.* goes to the|.* was restored|loaded score)", re.M)


def contents(folder):
    """Every file below, with its content, except records of running processes and locks."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*")
            if p.is_file() and p.name != "journal.lock" and p.parent.name != "run"}


def prepared(home):
    done = run_script(home, "(def x 5)\n(note c4 :q)\n:session new Second\n(def x 6)\n"
                            ":session new Third\n:session archive\n:session switch session-1\n"
                            f":session export {home.path}/one.fermata\n")
    assert done.returncode == 0, done.stderr
    assert (home.folder / "archive" / "third").exists()


# Commands that need the disk.
COMMANDS = (":session save", ":save", ":session archive", ":session archive second",
            ":session delete --yes", ":session delete second --yes", ":session clone Copy",
            ":session unarchive third", ":session export {there}/x.fermata", ":session export second {there}/y.fermata",
            ":session import {home}/one.fermata", ":reload")


# Moving a folder needs no space.
DONE_WITHOUT_ROOM = {":session archive second": "archive/second", ":session delete second --yes": "trash",
                     ":session unarchive third": "sessions/third"}


def as_nobody():
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)


@pytest.mark.parametrize("command", COMMANDS)
def test_in_a_home_that_cannot_be_written_to_nothing_is_said_to_have_been_done(home, command):
    prepared(home)
    (home.folder / "sessions" / "session-1" / "score.ferm").write_text("(score)\n")
    before = contents(home.folder)
    os.chmod(home.path, 0o755)
    os.chmod(home.path / "one.fermata", 0o644)
    for folder, _, files in os.walk(home.folder):
        os.chmod(folder, 0o555)
        for name in files:
            os.chmod(os.path.join(folder, name), 0o444)
    line = command.format(home=home.path, there=home.folder)
    try:
        got = subprocess.run([BINARY, "--session", "session-1"], input=f"x\n{line}\nx\n".encode(), env=home.environment(),
                             capture_output=True, timeout=PATIENCE, preexec_fn=as_nobody, check=False)
    except PermissionError:
        pytest.skip("the program itself is out of reach of another user")
    finally:
        for folder, _, files in os.walk(home.folder):
            os.chmod(folder, 0o755)
            for name in files:
                os.chmod(os.path.join(folder, name), 0o644)
    said = got.stdout.decode()
    assert said.startswith("5\n"), got
    assert not CLAIMS.search(said), said
    # It is refused with a reason, and the user stays in the same session.
    assert got.returncode == 1 and b"line:2: " in got.stderr, got
    assert said.endswith("5\n"), said
    assert contents(home.folder) == before


@pytest.fixture
def small_disk(home):
    """A home on a disk of one mebibyte."""
    home.folder.mkdir()
    mounted = os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", home.folder], capture_output=True,
        check=False).returncode == 0
    if not mounted:
        pytest.skip("no file system can be mounted here")
    yield home
    subprocess.run(["umount", "-l", home.folder], check=True)


def fill(folder):
    with open(folder / "filler", "wb", buffering=0) as f:
        try:
            while True:
                f.write(b"x" * 4096)
        except OSError:
            pass


def end_at_a_page(home):
    """Makes the journal end at the end of a disk page, so that no space is left in it."""
    journal = home.session() / "history.jsonl"

    def say(words):
        before = journal.stat().st_size
        assert run_script(home, "// " + words + "\n", "--session", "session-1").returncode == 0
        return journal.stat().st_size - before

    around = say("x") - 1
    words = -(journal.stat().st_size + around) % 4096
    say("x" * (words or 4096))
    assert journal.stat().st_size % 4096 == 0


@pytest.mark.parametrize("command", COMMANDS + (":session rename Else", ":session tag draft", "(def x 7)"))
def test_on_a_full_disk_nothing_is_said_to_have_been_done(small_disk, command):
    home = small_disk
    prepared(home)
    end_at_a_page(home)
    fill(home.folder)
    line = command.format(home=home.path, there=home.folder)
    got = run_script(home, f"{line}\n", "--session", "session-1")
    said = got.stdout.decode()
    everything = said + got.stderr.decode()
    assert "No space left on device" in everything, got
    if said_done := CLAIMS.search(said):
        # What needs no space is done, with a remark that it is not in the timeline.
        assert command in DONE_WITHOUT_ROOM and "This is not in the timeline" in everything, got
        assert (home.folder / DONE_WITHOUT_ROOM[command]).exists() or "trash" in said_done[0], got
    else:
        assert got.returncode == 1 and "Else" not in said and "draft" not in said, got
        # What is refused is not done: all sessions are where they were.
        for place in ("sessions/session-1", "sessions/second", "archive/third"):
            assert (home.folder / place / "history.jsonl").exists(), (place, got)
    (home.folder / "filler").unlink()
    again = run_script(home, "x\n:session list\n", "--session", "session-1")
    assert again.returncode == 0, again.stderr
    lists = again.stdout.decode()
    assert lists.startswith("5\n"), lists
    assert "Else" not in lists and "#draft" not in lists, lists
    # A session that archives itself is where it was.
    assert re.search(r"session-1 ", lists), lists
    everywhere = [p.parent.name for p in home.folder.rglob("history.jsonl")]
    assert {"session-1", "second", "third"} <= {re.sub(r"-\d{14}.*", "", name) for name in everywhere}
    assert not list(home.folder.rglob("*.damaged-*"))
    assert not list((home.folder / "sessions").glob(".*"))


def test_an_archive_that_cannot_be_written_whole_is_not_there(home):
    prepared(home)
    lines = "".join(f'(str "{i} {os.urandom(300).hex()}")\n' for i in range(100))
    assert run_script(home, lines).returncode == 0
    old = home.path / "old.fermata"
    old.write_bytes((home.path / "one.fermata").read_bytes())

    def small():
        resource.setrlimit(resource.RLIMIT_FSIZE, (8_000, 8_000))

    for file in (home.path / "new.fermata", old):
        before = file.read_bytes() if file.exists() else None
        got = subprocess.run([BINARY, "session", "export", "session-1", "-o", file],
                             env=home.environment(), capture_output=True, timeout=PATIENCE,
                             preexec_fn=small, check=False)
        assert got.returncode == 1 and b"wrote" not in got.stdout, got
        assert b"File too large" in got.stderr, got
        assert (file.read_bytes() if file.exists() else None) == before
    assert sorted(p.name for p in home.path.glob("*.fermata*")) == ["old.fermata", "one.fermata"]
