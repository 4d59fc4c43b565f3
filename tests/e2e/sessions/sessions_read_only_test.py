"""A session that another process writes to can be read, and no byte of it is changed."""

import contextlib
import hashlib
import os
import re
import signal

import pytest
from support.program import Home, run_script
from support.terminal import Terminal


@pytest.fixture
def home():
    with Home() as h:
        run_script(h, "(def x 7)\n:session new Second\n")
        yield h


def bytes_of(folder):
    return {p.name: (hashlib.sha256(p.read_bytes()).hexdigest(), p.stat().st_mtime_ns)
            for p in sorted(folder.iterdir())}


def opened(home, session="session-1"):
    return Terminal(home, "--session", session, columns=200, rows=60)


@contextlib.contextmanager
def paused(terminal):
    """Stops a process, so that delayed writes come after this. It keeps its lock."""
    os.kill(terminal.child.pid, signal.SIGSTOP)
    yield
    os.kill(terminal.child.pid, signal.SIGCONT)


@contextlib.contextmanager
def reading(home, writer, **more):
    """A second window that could not attach, because the first process did not respond."""
    with paused(writer):
        second = Terminal(home, "--session", "session-1", columns=200, rows=60, ready=False, **more)
        second.wait_for("are read-only here")
        second.wait_for_prompt()
    with second:
        yield second


def read(home, writer, lines, session="session-1"):
    """Reads a session in a second process, and checks that it changes no file."""
    with paused(writer):
        before = bytes_of(home.session(session))
        done = run_script(home, lines, "--session", session)
        assert bytes_of(home.session(session)) == before
    return done


def test_what_is_answered_beside_has_no_number(home):
    with opened(home) as first, reading(home, first) as second:
        shown = second.enter("(+ 1 2)")
        assert re.search(r"^Out: 3$", shown, re.M) and "[0]" not in shown, shown
        shown = second.enter("(nothing-of-that-name)")
        assert re.search(r"^Err: ", shown, re.M) and "[0]" not in shown, shown


def test_a_second_process_reads_the_same_score_and_history(home):
    with opened(home) as first:
        first.enter("(note c4 :q)")
        first.enter("(def y 8)")
        done = read(home, first, "x\ny\n:score\n:history --code\n:session info\n:session list\n")
        assert done.returncode == 0, done
        there = first.enter(":history --code")
        out = done.stdout.decode()
        assert out.startswith("7\n8\n")
        for line in ("(def x 7)", "(note c4 :q)", "(def y 8)"):
            assert line in out and line in there
        # Which process has it, as of which entry it is shown, and what the user can do.
        said = done.stderr.decode()
        entries = re.search(r"entries: (\d+)", out)[1]
        assert f"is open in process {first.child.pid}, which is writing to it" in said, said
        assert entries and "Here it is read-only and shows what happens there" in said, said
        assert "`:session switch session-1`" in said and "`:session clone`" in said
        assert f"read-only: process {first.child.pid} is writing to it" in out
        assert re.search(rf"^\* session-1 .*read-only: process {first.child.pid}", out, re.M), out


CHANGES = (
    "(note d4 :q)", "(def x 9)", "// for the other one", ":undo", ":session rename Else", ":session tag draft",
    ":session save", ":reload", ":set display staff", ":scratch on", ":branch idea", ":ai off",
    ":session set key d minor", ":time (def x 9)", ":session archive", ":session delete --yes")


def test_each_change_is_refused_with_what_to_do(home):
    with opened(home) as first:
        first.enter("(note c4 :q)")
        done = read(home, first, "".join(f"{change}\nx\n" for change in CHANGES) + ":history --limit 1 --code\n")
        assert done.returncode == 1
        assert done.stdout.decode().startswith("7\n" * len(CHANGES) + "In["), done
        assert "(note c4 :q)" in done.stdout.decode()
        refusals = dict(re.findall(r"^line:(\d+): (.*(?:\n(?!line:).*)*)", done.stderr.decode(), re.M))
        for number, change in enumerate(CHANGES):
            said = refusals[str(2 * number + 1)]
            assert f"process {first.child.pid}" in said, (change, said)
            assert "`:session switch session-1`" in said or "`:quit`" in said, (change, said)
        assert len(refusals) == len(CHANGES)


SHOWN = ("x", "(+ x 1)", ":score", ":history", ":blame 1", ":help", ":session info", ":branches", ":proposals",
         ":time x", ":set", ":ai", ":explain unknown-name", "; a comment")


def test_what_only_shows_is_shown(home):
    with opened(home) as first:
        first.enter("(note c4 :q)")
        done = read(home, first, "".join(f"{shown}\n(quote end-{i})\n" for i, shown in enumerate(SHOWN)))
        assert done.returncode == 0, done
        parts = re.split(r"^end-\d+\n", done.stdout.decode(), flags=re.M)
        assert len(parts) == len(SHOWN) + 1 and parts[-1] == ""
        assert [shown for shown, part in zip(SHOWN, parts) if not part] == ["; a comment"], parts
        done = read(home, first, ":diff\n")
        assert b"no proposal is open" in done.stderr, done


def test_what_the_first_process_writes_meanwhile_is_seen_at_once(home):
    with opened(home) as first, reading(home, first) as second:
        assert second.prompt()["badge"] == " read-only"
        first.enter("(def y 8)")
        second.wait_for(r"\(def y 8\)")
        with paused(first):
            before = bytes_of(home.session())
            second.enter("(+ y 100)")
            second.wait_for(r"108")
            assert second.prompt()["badge"] == " read-only"
            assert bytes_of(home.session()) == before
        first.type(":quit", "enter")
        assert first.wait_for_end() == 0
        refused = second.enter("(def z 9)")
        assert "nothing can be changed here" in refused, refused
        second.enter(":session switch session-1")
        second.wait_for(r"has closed it; it can now be written to here")
        second.wait_until(lambda: second.prompt() and second.prompt()["badge"] == "", "a prompt to write at")
        second.enter("(def z 9)")
        second.type(":quit", "enter")
        assert second.wait_for_end() == 0
    assert run_script(home, "(+ x y z)\n", "--session", "session-1").stdout == b"24\n"


def test_after_the_first_process_is_killed_the_second_can_write(home):
    with opened(home) as first, reading(home, first) as second:
        first.enter("(def y 8)")
        second.wait_for(r"\(def y 8\)")
        first.kill(signal.SIGKILL)
        with open(home.session() / "history.jsonl", "ab") as journal:
            journal.write(b'{"index":')  # as left by an interrupted write
        torn = bytes_of(home.session())
        assert "nothing can be changed here" in second.enter("(def z 9)")
        assert bytes_of(home.session()) == torn
        second.enter(":session switch session-1")
        second.wait_until(lambda: second.prompt() and second.prompt()["badge"] == "", "a prompt to write at")
        second.enter("(def z 9)")
        second.type(":quit", "enter")
        assert second.wait_for_end() == 0
    assert run_script(home, "(+ x y z)\n", "--session", "session-1").stdout == b"24\n"


def test_a_line_that_is_being_written_is_neither_read_nor_cut(home):
    with opened(home) as first:
        with open(home.session() / "history.jsonl", "ab") as journal:
            journal.write(b'{"index":')
        done = read(home, first, "x\n")
        assert done.stdout == b"7\n" and b"torn" not in done.stderr, done


def test_damage_is_left_where_it_is(home):
    run_script(home, ":session save\n", "--session", "session-1")
    with opened(home) as first:
        for name in ("checkpoint.json", "meta.json", "env.json"):
            (home.session() / name).write_text("{")
        done = read(home, first, "x\n")
        assert done.stdout == b"7\n" and b"checkpoint.json could not be used" in done.stderr, done


def test_a_copy_of_it_can_be_written_to(home):
    with opened(home) as first:
        first.enter("(def y 8)")
        done = read(home, first, ":session clone Mine\n(def z 9)\n(+ x y z)\n")
        assert done.returncode == 0 and done.stdout.endswith(b"24\n"), done


def test_one_that_is_switched_to_and_left_again_is_whole(home):
    with opened(home) as first:
        first.enter("(def y 8)")
        with paused(first):
            before = bytes_of(home.session())
            done = run_script(home, ":session switch session-1\n(+ x y)\n:session switch second\n(def w 1)\nw\n",
                              "--session", "second")
            assert done.returncode == 0 and b"\n15\n" in done.stdout and done.stdout.endswith(b"1\n"), done
            assert bytes_of(home.session()) == before
    assert b"switched to" not in run_script(home, ":history --all\n", "--session", "session-1").stdout


def test_the_start_up_file_is_not_run_where_nothing_can_be_defined(home):
    (home.folder / "init.ferm").write_text("(def k 1)\n")
    with opened(home) as first, reading(home, first) as second:
        second.wait_for(r"init\.ferm was not run")
        assert "nothing can be changed here" not in second.text()


def test_many_lines_are_read_while_many_are_written(home):
    """It is consistent whenever it is read."""
    with opened(home) as first:
        first.type("".join(f"(note c4 :q)\r(def v{i} {i})\r" for i in range(60)))
        for _ in range(8):
            done = run_script(home, "x\n", "--session", "session-1")
            assert done.stdout == b"7\n" and b"damaged" not in done.stderr and b"lost" not in done.stderr, done
        first.wait_for(r"v59")
    names = [p.name for p in home.session().iterdir()]
    assert not [name for name in names if "damaged" in name], names
    assert os.path.exists(home.session() / "history.jsonl")
