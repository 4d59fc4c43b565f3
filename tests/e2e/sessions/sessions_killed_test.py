"""The program is killed between any two disk operations: sessions are intact afterwards, each under one
name. And the syncs among these operations: what is reported as done would survive a power cut."""

import json
import os
import shutil
import subprocess
import zipfile

import pytest

from support.program import BINARY, PATIENCE, run_script
from support.steps import Steps, built, survives


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return built(tmp_path_factory.mktemp("steps"))


@pytest.fixture
def steps(library, home, tmp_path):
    return Steps(library, home, tmp_path / "log")


def prepared(home):
    """Three sessions, the third of which is archived, and one as an archive file."""
    done = run_script(home, "(def me 1)\n(note c4 :q)\n:session new Second\n(def me 2)\n(note d4 :q)\n"
                            ":session new Third\n(def me 3)\n:session switch session-1\n:session archive third\n"
                            f":session export {home.path}/old.fermata\n")
    assert done.returncode == 0, done.stderr


def sessions(home):
    """All folders of sessions, except those that are being created."""
    return [f.parent for place in ("sessions", "archive", "trash")
            for f in sorted((home.folder / place).glob("[!.]*/history.jsonl"))]


def journals(home):
    return {f: (f / "history.jsonl").read_bytes() for f in sessions(home)}


def is_whole_archive(file):
    with zipfile.ZipFile(file) as z:
        return z.testzip() is None and {"fermata-archive.json", "history.jsonl"} <= set(z.namelist())


# The command, and the sessions that it may have copied.
MOVES = {
    ":session archive second": (), ":session delete second --yes": (), ":session archive": (),
    ":session delete --yes": (), ":session unarchive third": (), ":session rename Else": (),
    ":session clone Copy": ("session-1",), ":session import {home}/old.fermata": ("session-1",),
    ":session export {home}/old.fermata": (), ":session export {home}/new.fermata": (),
}


@pytest.mark.parametrize("command", MOVES)
def test_a_session_is_whole_under_one_name_wherever_the_program_ends(home, steps, command):
    prepared(home)
    before = {f.name: text for f, text in journals(home).items()}
    assert set(before) == {"session-1", "second", "third"}
    whole = home.path / "whole"
    shutil.copytree(home.folder, whole)
    old = (home.path / "old.fermata").read_bytes()
    line = command.format(home=home.path)
    done, taken = steps.run(text=line + "\n")
    assert done.returncode == 0, done
    assert len(taken) > 5, taken
    killed = 0
    for at in range(1, len(taken) + 1):
        shutil.rmtree(home.folder)
        shutil.copytree(whole, home.folder)
        (home.path / "old.fermata").write_bytes(old)
        (home.path / "new.fermata").unlink(missing_ok=True)
        died, _ = steps.run(text=line + "\n", kill_at=at)
        # Because of threads there may be one step less than the time before.
        assert died.returncode in (-9, 0), died
        killed += died.returncode == -9
        where = (at, taken[at - 1])
        found = journals(home)
        for slug, text in before.items():
            lines = text.split(b"\n", 1)[1]
            have = [f for f, now in found.items() if now.split(b"\n", 1)[1].startswith(lines)]
            copies = [f for f in have if slug in MOVES[command] and f.name not in before]
            assert len(have) - len(copies) == 1 and len(copies) <= 1, (where, slug, have)
            # Its name matches the folder.
            assert all(f.name == slug or f.name.startswith(slug + "-") or f in copies for f in have), (where, have)
        assert len(found) <= len(before) + 1 + (":session archive" == command or "delete --yes" in command), \
            (where, found)
        names = [json.loads((f / "meta.json").read_text())["name"] for f in found
                 if f.parent.name != "trash" and (f / "meta.json").exists()]
        assert len(names) == len(set(names)), (where, names)
        assert is_whole_archive(home.path / "old.fermata"), where
        if (home.path / "new.fermata").exists():
            assert is_whole_archive(home.path / "new.fermata"), where
        # The next process finds them.
        again = run_script(home, ":session list\n:session list --archived\n")
        assert again.returncode == 0, (where, again)
        for f in found:
            if f.parent.name != "trash":
                assert f.name in again.stdout.decode(), (where, f, again.stdout)
        here = next(f for f in found if f.name.startswith("second"))
        if here.parent.name == "sessions":
            got = run_script(home, "me\n:score\n", "--session", "second")
            assert got.returncode == 0 and got.stdout.startswith(b"2\n"), (where, got)
    # Most of them must have reached that step, or the test shows nothing.
    assert killed > len(taken) // 2, (killed, len(taken))


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("by", ["prompt", "shell"])
def test_what_is_said_to_be_exported_or_imported_is_on_the_disk(home, steps, there, by):
    prepared(home)
    file = home.path / "out.fermata"
    if there:
        file.write_bytes(b"something else")
        os.chmod(file, 0o640)
    if by == "prompt":
        done, taken = steps.run(text=f":session export {file}{' --yes' if there else ''}\n")
    else:
        done, taken = steps.run("session", "export", "session-1", "-o", file, *["--yes"] * there)
    assert done.returncode == 0 and b"wrote session-1" in done.stdout, done
    assert is_whole_archive(file)
    assert survives(taken, file), taken
    # The content of the archive is among the writes, so the sync after them means something.
    draft = next(one for what, one, other in reversed(taken) if what == "rename" and other == str(file))
    assert any(what == "write" and one.startswith(draft) for what, one, _ in taken), taken
    if there:
        assert file.stat().st_mode & 0o777 == 0o640
    # Nothing else is left next to it.
    assert sorted(p.name for p in home.path.iterdir()) == ["f", "old.fermata", "out.fermata"]
    done, taken = steps.run("session", "import", file) if by == "shell" else \
        steps.run(text=f":session import {file}\n")
    assert done.returncode == 0 and b"created session-1-2" in done.stdout, done
    made = home.session("session-1-2")
    assert survives_in_moved_folder(taken, made), taken


def survives_in_moved_folder(taken, folder):
    """Its journal and its summary were on disk before the folder got its name, and the name is on disk."""
    moved = next(i for i, (what, _, to) in enumerate(taken) if what == "rename" and to == str(folder))
    draft = taken[moved][1]
    return all(survives(taken[:moved], f"{draft}/{name}") for name in ("history.jsonl", "meta.json")) and \
        ("sync", str(folder.parent), "") in taken[moved:]


def test_a_new_home_and_a_new_session_are_on_the_disk_with_the_first_line(home, steps):
    done, taken = steps.run(text="(def x 1)\n:session save\n")
    assert done.returncode == 0, done
    for made in (home.folder, home.folder / "sessions", home.session()):
        at = taken.index(("mkdir", str(made), ""))
        assert ("sync", str(made.parent), "") in taken[at:], (made, taken)
    assert survives(taken, home.session() / "history.jsonl"), taken
    assert survives(taken, home.session() / "meta.json"), taken


def export(home, file, *more, **how):
    return subprocess.run([BINARY, "session", "export", "session-1", "-o", file, *more], env=home.environment(),
                          capture_output=True, timeout=PATIENCE, check=False, **how)


def test_an_archive_that_cannot_be_written_leaves_the_one_that_was_there(home, tmp_path):
    prepared(home)
    small = tmp_path / "small"
    small.mkdir()
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", small],
                                           capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        file = small / "kept.fermata"
        assert export(home, file).returncode == 0
        kept = file.read_bytes()
        with open(small / "filler", "wb", buffering=0) as f:
            try:
                while True:
                    f.write(b"x" * 4096)
            except OSError:
                pass
        for said in (export(home, file), export(home, small / "new.fermata")):
            assert said.returncode == 1 and b"unwritable-file" in said.stderr, said
            assert b"No space left on device" in said.stderr and b".fermata" in said.stderr, said
        assert file.read_bytes() == kept
        assert sorted(p.name for p in small.iterdir()) == ["filler", "kept.fermata"]
        (small / "filler").unlink()
        subprocess.run(["mount", "-o", "remount,ro", small], check=True)
        for said in (export(home, file), export(home, small / "new.fermata")):
            assert said.returncode == 1 and b"unwritable-file" in said.stderr, said
            assert b"Read-only file system" in said.stderr, said
        assert file.read_bytes() == kept
    finally:
        subprocess.run(["umount", "-l", small], check=True)


def test_an_archive_takes_the_place_of_no_folder_and_no_device(home):
    prepared(home)
    (home.path / "folder").mkdir()
    os.mkfifo(home.path / "pipe")
    for name in ("folder", "pipe", "nowhere/x.fermata"):
        said = export(home, home.path / name)
        assert said.returncode == 1 and b"unwritable-file" in said.stderr, said
        assert str(home.path / name).encode() in said.stderr, said
    assert (home.path / "folder").is_dir() and (home.path / "pipe").is_fifo()
    (home.path / "link").symlink_to(home.path / "old.fermata")
    (home.path / "old.fermata").write_bytes(b"")
    assert export(home, home.path / "link", "--yes").returncode == 0
    assert (home.path / "link").is_symlink() and is_whole_archive(home.path / "old.fermata")
