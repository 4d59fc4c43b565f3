"""If the disk is full or has lost something, what exists can still be viewed, and exported elsewhere."""

import os
import re
import subprocess

import pytest

from support.program import BINARY, PATIENCE, Home, run_script
from support.terminal import Terminal

MUSIC = "(part :violin (measure (note c5 :w)) (measure (note d5 :w)))\n"


@pytest.fixture
def full_disk(home):
    """A home on a full disk of 256 KiB, with a session that contains music."""
    home.folder.mkdir()
    mounted = os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", home.folder], capture_output=True,
        check=False).returncode == 0
    if not mounted:
        pytest.skip("no file system can be mounted here")
    assert run_script(home, MUSIC).returncode == 0
    journal = home.session() / "history.jsonl"
    # The journal ends at the end of a disk page.
    for _ in range(2):
        before = journal.stat().st_size
        run_script(home, "// x\n")
        around = journal.stat().st_size - before - 1
        words = -(journal.stat().st_size + around) % 4096 or 4096
        run_script(home, "// " + "x" * words + "\n")
        if journal.stat().st_size % 4096 == 0:
            break
    assert journal.stat().st_size % 4096 == 0
    with open(home.folder / "filler", "wb", buffering=0) as f:
        try:
            while True:
                f.write(b"x" * 512)
        except OSError:
            pass
    yield home
    subprocess.run(["umount", "-l", home.folder], check=True)


def imported(file):
    with Home() as other:
        made = subprocess.run([BINARY, "session", "import", file], env=other.environment(),
                              capture_output=True, timeout=PATIENCE, check=False)
        assert made.returncode == 0, made
        slug = re.search(r"created (\S+);", made.stdout.decode())[1]
        return run_script(other, ":score\n", "--session", slug).stdout.decode()


def test_on_a_full_disk_the_work_is_seen_and_carried_to_another(full_disk):
    home = full_disk
    file = home.path / "x.fermata"
    before = (home.session() / "history.jsonl").read_bytes()
    done = run_script(home, ":score\n:history --code\n:session list\n:session info\n:help undo\n"
                            f":session export {file}\n")
    said, complaints = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == 0, done
    assert "c5" in said and "d5" in said and "In[1]: (part" in said, said
    assert re.search(r"\* session-1 .*1 part", said), said
    assert f"wrote session-1 to {file}" in said
    assert complaints.count("nothing can be saved: ") == 6, complaints
    assert (home.session() / "history.jsonl").read_bytes() == before
    score = imported(file)
    assert "c5" in score and "d5" in score


def test_at_the_prompt_a_full_disk_does_not_take_the_next_number(full_disk):
    with Terminal(full_disk, columns=100) as t:
        first = re.search(r"In\[(\d+)\]", t.text())[1]
        shown = t.enter(":score")
        assert "c5" in shown and "(system) This is not in the timeline" in " ".join(shown.split())
        assert "In[0]" not in shown and "[0]" not in shown
        assert t.enter("(note e5 :q)").count("No space left on device") == 1
        assert re.findall(r"In\[(\d+)\]", t.text())[-1] == first


def test_a_session_that_could_not_be_begun_on_a_full_disk_leaves_nothing(full_disk):
    home = full_disk
    for _ in range(2):
        done = run_script(home, ":session new foo\n:session info\n", "--session", "session-1")
        assert "created foo\n" in done.stdout.decode(), done
        assert b"nothing is saved" in done.stderr, done.stderr
        assert not home.session("foo").exists() and not home.session("foo-2").exists()
    (home.folder / "filler").unlink()
    done = run_script(home, ":session list\n:session new foo\n")
    assert "foo" not in done.stdout.decode().split("created")[0]
    assert "created foo\n" in done.stdout.decode()
    assert home.session("foo").exists()


def as_nobody():
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)


@pytest.mark.parametrize("fresh", (False, True))
def test_in_a_home_that_cannot_be_written_to_the_work_is_carried_elsewhere(home, fresh):
    home.folder.mkdir()
    if not fresh:
        assert run_script(home, MUSIC).returncode == 0
    there = home.path / "usb"
    there.mkdir()
    os.chmod(there, 0o777)
    os.chmod(home.path, 0o755)
    everything = [home.folder, *home.folder.rglob("*")]
    for path in everything:
        os.chmod(path, 0o555 if path.is_dir() else 0o444)
    script = f"(part :flute (measure (note g5 :w)))\n:session export {there}/x.fermata\n"
    try:
        done = subprocess.run([BINARY, "--session", "session-1"], input=script.encode(), env=home.environment(),
                              capture_output=True, timeout=PATIENCE, preexec_fn=as_nobody, check=False)
    except PermissionError:
        pytest.skip("the program itself is out of reach of another user")
    finally:
        for path in everything:
            os.chmod(path, 0o755 if path.is_dir() else 0o644)
    assert done.returncode == 0, done
    assert f"wrote session-1 to {there}/x.fermata" in done.stdout.decode(), done
    score = imported(there / "x.fermata")
    assert "g5" in score and ("c5" in score) != fresh, score
    assert list(there.iterdir()) == [there / "x.fermata"]


def test_a_session_with_a_damaged_old_line_is_exported_imported_and_cloned_whole(home):
    assert run_script(home, MUSIC + "(def x 1)\n").returncode == 0
    journal = home.session() / "history.jsonl"
    text = bytearray(journal.read_bytes())
    text[text.index(b"(part :violin")] ^= 1
    journal.write_bytes(text)
    file = home.path / "x.fermata"
    done = run_script(home, f":session export {file}\n:session clone Copy\n:score\n")
    said = done.stdout.decode()
    assert done.returncode == 0, done
    assert "Line 2 of its journal is damaged" in said
    assert "c5" in said.split("copied to")[1]
    assert "c5" in imported(file)


@pytest.mark.parametrize("how", ("killed", "elsewhere"))
def test_a_session_that_is_not_closed_is_listed_as_it_is(home, how):
    with Terminal(home, columns=100) as t:
        t.enter(MUSIC.strip())
        t.enter(":session new Second")
        meta = home.session() / "meta.json"
        t.wait_until(lambda: '"entries":2' in meta.read_text())
        if how == "killed":
            t.kill()
        listed = run_script(home, ":session list\n", "--session", "third").stdout.decode()
    line = next(line for line in listed.splitlines() if " session-1 " in line)
    assert "1 part" in line and "empty" not in line, line


def test_a_session_in_the_archive_is_said_to_be_there(home):
    assert run_script(home, MUSIC + ":session archive\n").returncode == 0
    done = run_script(home, "(def x 1)\n", "--session", "session-1")
    assert done.returncode == 1 and done.stdout == b"", done
    assert b"session session-1 is archived" in done.stderr
    assert b":session unarchive session-1" in done.stderr
    assert not home.session("session-1-2").exists()
    done = run_script(home, ":session switch session-1\n")
    assert done.returncode == 1 and b"is archived" in done.stderr


def test_an_archive_is_called_as_one_says_and_takes_no_other_file_away(home):
    run_script(home, MUSIC + ":session new Second\n(def x 1)\n")
    letter = home.path / "letter.fermata"
    letter.write_text("Dear Clara")
    done = run_script(home, ":session export session-1 ~/a.fermata\n:session export ~/b.fermata\n"
                            ":session export ~/a.fermata\n:session export ~/letter.fermata\n"
                            ":session export session-1 ~/a.fermata\n:session import ~/a.fermata\n:score\n")
    said, complaints = done.stdout.decode(), done.stderr.decode()
    assert f"wrote session-1 to {home.path}/a.fermata\nwrote second to {home.path}/b.fermata\n" in said, done
    assert f"line:5: {home.path}/a.fermata already exists and is an archive of session session-1" not in said
    assert "a.fermata already exists and is an archive of session session-1" in complaints
    assert "letter.fermata already exists and is not a session archive" in complaints
    assert letter.read_text() == "Dear Clara"
    note = home.path / "letter.txt"
    note.write_text("Dear Robert")
    for more in ("", " --yes"):
        done_so = run_script(home, f":session export ~/letter.txt{more}\n", "--session", "session-1")
        assert done_so.returncode == 1 and b"letter.txt is not the name of a session archive" in done_so.stderr
    assert note.read_text() == "Dear Robert"
    assert "c5" in said.split("created ")[-1]
    done = run_script(home, ":session export ~/letter.fermata --yes\n", "--session", "session-1")
    assert done.returncode == 0, done
    assert "c5" in imported(letter)


def test_what_cannot_be_read_has_the_code_of_that(home):
    for name in ("nope", "folder"):
        (home.path / "folder").mkdir(exist_ok=True)
        done = subprocess.run([BINARY, "session", "import", home.path / name], env=home.environment(),
                              capture_output=True, timeout=PATIENCE, check=False)
        assert done.returncode == 1, done
        if name == "nope":
            assert b"unreadable-file" in done.stderr and b"No such file" in done.stderr, done


@pytest.mark.parametrize("way", ["prompt", "shell"])
@pytest.mark.parametrize("left", ["nothing", "no byte", "half a line", "one line"])
def test_a_session_without_its_journal_is_exported_with_what_was_saved(home, way, left):
    assert run_script(home, MUSIC + "\n(def x 7)\n:session new Second\n").returncode == 0
    journal = home.session() / "history.jsonl"
    text = journal.read_bytes()
    if left == "nothing":
        journal.unlink()
    else:
        journal.write_bytes({"no byte": b"", "half a line": text[:20], "one line": text[:text.index(b"\n") + 1]}[left])
    file = home.path / "saved.fermata"
    if way == "prompt":
        done = run_script(home, f":session export session-1 {file}\n", "--session", "second")
    else:
        done = subprocess.run([BINARY, "session", "export", "session-1", "-o", file], env=home.environment(),
                              capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done
    assert b"The last saved score and definitions are included as entry 1" in done.stdout, done
    assert b"the entries leading to it are lost" in done.stdout, done
    with Home() as other:
        done = run_script(other, f":session import {file}\n:score\nx\n:undo\n:score\n")
        assert b"c5" in done.stdout and b"\n7\n" in done.stdout, done
        assert done.stdout.endswith(b"; the score is empty\n"), done


def test_a_session_that_was_killed_before_its_first_line_has_lost_nothing(home):
    run_script(home, "x\n")
    home.session("begun").mkdir()
    (home.session("begun") / "history.jsonl").write_bytes(b"")
    done = run_script(home, "(def x 7)\nx\n", "--session", "begun")
    assert done.returncode == 0 and b"lost" not in done.stderr, done


def test_an_emptied_journal_is_not_taken_for_a_new_session(home):
    assert run_script(home, MUSIC).returncode == 0
    for name in ("checkpoint.json", "env.json", "history.index"):
        (home.session() / name).unlink(missing_ok=True)
    (home.session() / "history.jsonl").write_bytes(b"")
    done = run_script(home, ":reload\n:score\n", "--session", "session-1")
    assert b"timeline of this session is lost" in done.stderr, done
    assert b"loaded score.ferm" in done.stdout and b"c5" in done.stdout


def test_a_list_of_a_long_timeline_costs_neither_the_disk_nor_the_screen(home):
    """By hand: 3,000 entries, each with two lines; the limit shows ten lines of them."""
    lines = "".join(f"(+ {i} 0)\n" for i in range(3_000))
    assert run_script(home, lines).returncode == 0
    journal = home.session() / "history.jsonl"
    before = journal.stat().st_size
    script = run_script(home, ":history 1:3000\n:history 1:3000 --json\n:history --grep 2999 --code\n")
    assert script.stdout.count(b"In[") == 3_001, script.stdout[-500:]
    assert script.stdout.count(b'{"index"') == 3_000
    assert journal.stat().st_size - before < 3_000
    with Terminal(home, columns=100) as t:
        t.enter(":set output-lines 10")
        for command in (":history 1:", ":history 1: --json"):
            size = journal.stat().st_size
            shown = t.enter(command)
            assert re.search(r"\.\.\. 29\d\d more entries; `:set output-lines 0` shows all|"
                             r"\.\.\. 3\d\d\d more entries; `:set output-lines 0` shows all",
                             " ".join(shown.split())), shown
            assert len(shown.splitlines()) < 20
            assert journal.stat().st_size - size < 600
        assert "of the timeline)" in t.enter(":history --commands --limit 1")


@pytest.mark.parametrize("limit", [1, 5, 10, 50, 119, 120, 500])
def test_what_is_shown_of_a_list_and_what_is_said_to_be_left_is_all_of_it(home, limit):
    """By hand: 60 entries of two lines each; of an odd number of lines the last entry is not whole."""
    assert run_script(home, "".join(f"(+ {i} 0)\n" for i in range(60))).returncode == 0
    with Terminal(home, columns=100, rows=24) as t:
        t.enter(f":set output-lines {limit}")
        shown = t.enter(":history 1:60")
        whole = len(re.findall(r"^Out\[\d+\]: \d+$|^ *Out\[\d+\]: \d+$", shown, re.M))
        left = re.search(r"\.\.\. (\d+) more entr(y|ies); ", shown)
        assert whole == min(limit // 2, 60), shown
        assert (int(left[1]) if left else 0) == 60 - whole, shown
