"""Several processes on one home: the first one has the session, and nothing that is shown is lost."""

import fcntl
import os
import re
import signal
import subprocess

import pytest
from support.program import BINARY, run_script
from support.terminal import Terminal


def held(folder):
    """Locks a folder like a process that has just started to create the session there."""
    folder.mkdir(parents=True)
    lock = os.open(folder / "journal.lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def journal(home, slug):
    return (home.session(slug) / "history.jsonl").read_text()


def test_what_is_entered_while_another_process_makes_the_first_session_is_kept(home):
    lock = held(home.session("session-1"))
    with Terminal(home) as t:
        assert t.prompt()["session"] == "session-2"
        assert "10" in t.enter("(def mine 10)") + t.enter("mine")
        assert "nothing is saved" not in t.text()
    assert "(def mine 10)" in journal(home, "session-2")
    assert not (home.session("session-1") / "history.jsonl").exists()
    os.close(lock)


@pytest.mark.parametrize("command", [":session new Song", ":session clone Song",
                                     ":session import {archive} Song"])
def test_a_name_that_another_process_takes_first_gives_the_next_one(home, command):
    archive = home.path / "a.fermata"
    run_script(home, f"(def x 7)\n:session export {archive}\n")
    lock = held(home.session("song"))
    done = run_script(home, f"{command.format(archive=archive)}\n(def mine 10)\n:session info\n")
    assert done.returncode == 0, done
    assert b"nothing is saved" not in done.stdout + done.stderr
    assert b"Song 2 (song-2)" in done.stdout, done
    assert "(def mine 10)" in journal(home, "song-2")
    assert [f.name for f in home.session("song").iterdir()] == ["journal.lock"]
    os.close(lock)


def test_an_import_from_the_shell_takes_the_next_name_too(home):
    archive = home.path / "a.fermata"
    run_script(home, f"(def x 7)\n:session export {archive}\n")
    lock = held(home.session("song"))
    done = subprocess.run([BINARY, "session", "import", archive, "--name", "Song"], check=False,
                          env=home.environment(), capture_output=True)
    assert done.returncode == 0, done
    assert run_script(home, "x\n", "--session", "song-2").stdout == b"7\n"
    os.close(lock)


def test_six_processes_in_a_new_home_keep_everything(home):
    started = [subprocess.Popen([BINARY, "--session", "session-1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, env=home.environment()) for _ in range(6)]
    for i, process in enumerate(started):
        process.stdin.write(f"(def mine-{i} {i + 10})\nmine-{i}\n".encode())
        process.stdin.flush()
    ends = [process.communicate() + (process.returncode,) for process in started]
    journals = [f.read_text() for f in home.folder.glob("sessions/*/history.jsonl")]
    for i, (out, err, status) in enumerate(ends):
        assert status == 0 and f"{i + 10}".encode() in out and b"nothing is saved" not in err, ends
        assert sum(text.count(f'"text":"(def mine-{i} {i + 10})"') for text in journals) == 1


def info(home, slug):
    return run_script(home, ":session info\n", "--session", slug).stdout.decode()


@pytest.mark.parametrize("way", ["clone", "import", "shell"])
def test_a_copy_of_a_renamed_and_tagged_session_has_a_name_of_its_own(home, way):
    archive = home.path / "a.fermata"
    said = run_script(home, "(def x 1)\n:session rename Foo\n:session tag old\n"
                            f":session export {archive}\n")
    assert archive.exists(), said
    if way == "clone":
        run_script(home, ":session clone Bar\n")
    elif way == "import":
        run_script(home, f":session import {archive} Bar\n")
    else:
        subprocess.run([BINARY, "session", "import", archive, "--name", "Bar"], check=True,
                       env=home.environment(), capture_output=True)
    for _ in range(2):
        assert info(home, "bar").startswith("Bar (bar)\n")
        assert "tags: old" in info(home, "bar")
        assert info(home, "session-1").startswith("Foo (session-1)\n")
    run_script(home, ":session archive bar\n:session unarchive bar\n", "--session", "session-1")
    assert info(home, "bar").startswith("Bar (bar)\n")
    # The name refers to only one session.
    done = run_script(home, ":session delete Foo --yes\n", "--session", "bar")
    assert done.returncode == 0, done
    assert [re.sub(r"-\d+$", "", p.name) for p in (home.folder / "trash").iterdir()] == ["session-1"]
    assert home.session("bar").exists()


def test_what_a_killed_copy_left_behind_is_cleaned_up_at_the_next_start(home):
    run_script(home, "(def x 1)\n")
    ended = subprocess.Popen(["true"])
    ended.wait()
    # Older versions put the process id after the name.
    left = [home.session(".copy.draft-aB3dEf"), home.session(".copy-2.draft-000000"),
            home.session(f".copy-{ended.pid}")]
    kept = [home.session(".copy.draft-worked"), home.session(".mine"), home.session(f".copy-{os.getpid()}"),
            home.session(f".letters-{ended.pid}"), home.session(f".No-Slug-{ended.pid}"),
            home.session(f".held-{ended.pid}")]
    for folder in left + kept:
        folder.mkdir()
        (folder / "history.jsonl").write_text("")
    (kept[3] / "to Clara.txt").write_text("")
    lock = os.open(kept[5] / "journal.lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)
    # A process that uses a draft holds its lock; its process id means nothing in another container.
    held = os.open(kept[0], os.O_RDONLY | os.O_DIRECTORY)
    fcntl.flock(held, fcntl.LOCK_EX)
    assert run_script(home, "x\n").stdout == b"1\n"
    os.close(held)
    os.close(lock)
    assert not any(folder.exists() for folder in left)
    assert all(folder.exists() for folder in kept)


def test_what_is_advised_for_a_session_that_is_open_elsewhere_is_what_helps(home):
    run_script(home, "(def x 7)\n:session new Second\n")
    with Terminal(home, "--session", "session-1", columns=200) as there:
        # While it does not respond, no window can attach to it.
        there.child.kill(signal.SIGSTOP)
        refused = run_script(home, ":session archive session-1\n", "--session", "second")
        there.child.kill(signal.SIGCONT)
        assert b"is open in another process" in refused.stderr, refused
        advised = set(re.findall(rb"`(:[^`]+)`", refused.stderr))
        assert advised == {b":quit"}, refused
        there.type(":quit", "enter")
        assert there.wait_for_end() == 0
    done = run_script(home, ":session switch session-1\nx\n", "--session", "second")
    assert done.returncode == 0 and done.stdout.endswith(b"7\n"), done
