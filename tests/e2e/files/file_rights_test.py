"""Files without permission to read or write, and links in place of files."""

import os
import pathlib
import subprocess

import pytest

from support.program import BINARY, PATIENCE, Home, run_script


@pytest.fixture
def home():
    with Home() as h:
        done = run_script(h, "(def x 5)\n(note c4 :q)\n")
        assert done.returncode == 0, done.stderr
        yield h


def as_nobody():
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)


def script_of_its_owner(home, text, *args):
    """Runs the program as a user to whom file modes apply, and who owns the home."""
    if os.geteuid() == 0:
        for place in [home.path, *home.path.rglob("*")]:
            os.chown(place, 65534, 65534)
    try:
        return subprocess.run([BINARY, *args], input=text.encode(), env=home.environment(), check=False,
                              capture_output=True, timeout=PATIENCE, preexec_fn=as_nobody)
    except PermissionError:
        pytest.skip("the program itself is out of reach of another user")


def test_a_session_folder_without_rights_is_an_error_and_no_empty_session(home):
    home.session().chmod(0)
    try:
        done = script_of_its_owner(home, "x\n", "--session", "session-1")
        said = (done.stdout + done.stderr).decode()
        assert done.returncode == 1 and "Permission denied" in said, done
        assert "session-1" in said and "permissions" in said, done
        assert "In[" not in said and "unbound" not in said, done
        # It is neither treated as a new session nor missing in the list.
        other = script_of_its_owner(home, ":session list\n", "--session", "Other")
        assert other.returncode == 0 and b"session-1" in other.stdout, other
    finally:
        home.session().chmod(0o700)
    assert run_script(home, "x\n", "--session", "session-1").stdout == b"5\n"


@pytest.mark.parametrize("name", ["history.jsonl", "journal.lock"])
def test_a_file_that_may_only_be_read_leaves_a_session_that_can_be_read(home, name):
    (home.session() / name).chmod(0o400)
    before = (home.session() / "history.jsonl").read_bytes()
    done = script_of_its_owner(home, "x\n:history\n", "--session", "session-1")
    said = (done.stdout + done.stderr).decode()
    assert said.startswith("5\n") and "(note c4 :q)" in said, done
    assert (home.session() / "history.jsonl").read_bytes() == before


@pytest.mark.parametrize("name", ["journal.lock", "history.jsonl"])
def test_a_link_in_the_folder_of_a_session_is_not_followed(home, name):
    precious = home.path / "precious"
    precious.write_text("precious\n")
    kept = home.session() / "kept"
    (home.session() / name).rename(kept)
    (home.session() / name).symlink_to(precious)
    done = run_script(home, "(def x 6)\nx\n", "--session", "session-1")
    said = (done.stdout + done.stderr).decode()
    assert done.returncode == 1 and name in said and "symbolic link" in said, done
    assert precious.read_text() == "precious\n"
    (home.session() / name).unlink()
    kept.rename(home.session() / name)
    assert run_script(home, "x\n", "--session", "session-1").stdout == b"5\n"


def test_the_log_and_the_record_of_a_process_are_not_written_through_links(home):
    precious = home.path / "precious"
    precious.write_text("precious\n")
    (home.folder / "run").mkdir(mode=0o700, exist_ok=True)
    for place in (home.folder / "fermata.log", home.folder / "run" / ".lock", home.folder / "active-session.json.new"):
        if place.exists() or place.is_symlink():
            place.unlink()
        place.symlink_to(precious)
    done = run_script(home, "x\n:session new Other\n", "--session", "session-1")
    assert done.stdout.startswith(b"5\n"), done
    assert precious.read_text() == "precious\n"


def test_convert_makes_the_file_that_a_dangling_link_leads_to(home):
    source = home.path / "a.ferm"
    source.write_text("(note c4 :q)\n")
    links = home.path / "links"
    links.mkdir()
    (links / "first.musicxml").symlink_to("second.musicxml")
    (links / "second.musicxml").symlink_to(home.path / "target.musicxml")

    def convert(to):
        return subprocess.run([BINARY, "convert", source, to], env=home.environment(), check=False,
                              capture_output=True, timeout=PATIENCE)

    done = convert(links / "first.musicxml")
    assert done.returncode == 0, done
    assert (links / "first.musicxml").is_symlink() and (links / "second.musicxml").is_symlink()
    assert b"<score-partwise" in (home.path / "target.musicxml").read_bytes()
    # A link to a folder that does not exist: an error names it, and the link is kept.
    lost = links / "lost.musicxml"
    lost.symlink_to(pathlib.Path(home.path) / "nowhere" / "x.musicxml")
    done = convert(lost)
    assert done.returncode == 1 and b"nowhere" in done.stderr, done
    assert lost.is_symlink()
