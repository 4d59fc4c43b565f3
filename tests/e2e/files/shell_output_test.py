"""Shell commands whose output cannot be written: none of them reports success."""

import os
import pathlib
import resource
import subprocess

import pytest

from support.program import BINARY, PATIENCE, Home, run_script
from support.terminal import Terminal

SONG = "(score (part :flute (measure (time 4 4) (note c4   :w))))\n"


@pytest.fixture
def home():
    with Home() as h:
        assert run_script(h, "(def x 5)\n(note c4 :q)\n").returncode == 0
        (h.path / "song.ferm").write_text(SONG)
        for args in (["compile", h.path / "song.ferm", "-o", h.path / "song.musicxml"],
                     ["session", "export", "session-1", "-o", h.path / "one.fermata"]):
            subprocess.run([BINARY, *args], env=h.environment(), check=True, capture_output=True)
        yield h


def shell(home, args, **more):
    more = {"stdout": subprocess.PIPE, **more}
    return subprocess.run([BINARY, *(a.format(home=home.path) for a in args)], stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, env=home.environment(EDITOR="true"), timeout=PATIENCE,
                          cwd=home.path, check=False, **more)


def contents(folder):
    """Every file below, except records of running processes and locks."""
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None for p in folder.rglob("*")
            if p.name != "journal.lock" and p.parent.name != "run"}


PRINTING = (["config"], ["config", "list", "--json"], ["config", "get", "width"], ["config", "path"],
            ["config", "set", "width", "50"], ["session", "export", "session-1"],
            ["session", "import", "{home}/one.fermata"], ["fmt", "--check", "{home}/song.ferm"],
            ["show", "forms"], ["show", "note", "--json"], ["doctor"], ["doctor", "--json"],
            ["eval", "-e", "(+ 1 2)"], ["eval", "--json", "-e", "(+ 1 2)"], ["--version"], ["--help"],
            ["compile", "{home}/song.ferm", "-o", "-"], ["import", "{home}/song.musicxml"],
            ["convert", "{home}/song.ferm", "/dev/full", "--to", "musicxml"])


@pytest.mark.parametrize("args", PRINTING, ids=" ".join)
def test_what_cannot_be_printed_is_a_failure(home, args):
    with open("/dev/full", "wb") as full:
        done = shell(home, args, stdout=full)
    assert done.returncode == 1, done
    assert b"cannot write to standard output" in done.stderr or b"cannot write to /dev/full" in done.stderr
    # With output written in several pieces, the reason is lost after the first.
    if args[0] not in ("show", "--version", "--help"):
        assert b"No space left on device" in done.stderr


@pytest.mark.parametrize("args", PRINTING, ids=" ".join)
def test_with_standard_output_closed_it_fails_and_no_file_gets_what_was_meant_for_it(home, args):
    before = contents(home.path)
    done = shell(home, args, stdout=None, preexec_fn=lambda: os.close(1))
    if args[0] == "convert":
        assert done.returncode == 1 and b"cannot write to /dev/full" in done.stderr
        return
    assert done.returncode == 1, done
    assert b"cannot write to standard output" in done.stderr
    if args[0] not in ("show", "--version", "--help"):
        assert b"Bad file descriptor" in done.stderr
    after = contents(home.path)
    changed = {name for name in after if before.get(name) != after[name]}
    assert all(name.startswith("f/") or name == "session-1.fermata" for name in changed), changed


def test_a_script_with_standard_output_closed_says_so(home):
    done = subprocess.run([BINARY], input=b"(def y 6)\n", stderr=subprocess.PIPE, env=home.environment(),
                          timeout=PATIENCE, check=False, preexec_fn=lambda: os.close(1))
    assert done.returncode == 1
    assert b"line:1: cannot write to standard output: Bad file descriptor" in done.stderr


PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'


@pytest.mark.parametrize("how, reason", [("full", b"No space left on device"), ("a closed pipe", b"Broken pipe"),
                                         ("closed", b"Bad file descriptor")])
def test_an_mcp_host_that_cannot_be_answered_is_a_failure(home, how, reason):
    reader, pipe = os.pipe()
    os.close(reader)
    with open("/dev/full", "wb") as full:
        done = subprocess.run([BINARY, "mcp"], input=PING, stderr=subprocess.PIPE, env=home.environment(),
                              timeout=PATIENCE, check=False, stdout=pipe if how == "a closed pipe" else full,
                              preexec_fn=(lambda: os.close(1)) if how == "closed" else None)
    os.close(pipe)
    assert done.returncode == 1
    assert b"cannot write to standard output: " + reason in done.stderr


def test_an_mcp_host_that_leaves_with_everything_answered_is_no_failure(home):
    done = subprocess.run([BINARY, "mcp"], input=PING, capture_output=True, env=home.environment(),
                          timeout=PATIENCE, check=False)
    assert done.returncode == 0 and done.stderr == b"" and b'"id":1' in done.stdout


def test_a_difference_that_cannot_be_printed_is_trouble_as_for_diff(home):
    with open("/dev/full", "wb") as full:
        done = shell(home, ["diff", "{home}/song.ferm", "{home}/song.musicxml"], stdout=full)
    assert done.returncode == 2 and b"standard output" in done.stderr


def test_a_closed_output_pipe_is_not_reported_as_an_error(home):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = shell(home, ["doctor"], stdout=writer)
    finally:
        os.close(writer)
    assert done.stderr == b""


def test_a_script_whose_results_cannot_be_written_ends_and_says_where(home):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([BINARY, "--session", "session-1"], input=b"(def y 6)\n(+ 1 2)\n(def z 7)\n", stdout=full,
                              stderr=subprocess.PIPE, env=home.environment(), timeout=PATIENCE, check=False)
    assert done.returncode == 1
    assert b"line:1: cannot write to standard output: No space left on device" in done.stderr
    # As the message says, nothing after it was run; what was run is kept.
    assert run_script(home, "y\n").stdout == b"6\n"
    assert b"unknown-name" in run_script(home, "z\n").stderr


# Commands that write, and what their error message names.
WRITING = ((["config", "set", "width", "50"], "{home}/f/config.toml"), (["config", "edit"], "{home}/f/config.toml"),
           (["session", "export", "session-1"], "session-1.fermata"),
           (["session", "export", "session-1", "-o", "{home}/two.fermata"], "{home}/two.fermata"),
           (["session", "import", "{home}/one.fermata"], "{home}/f/sessions/"),
           (["fmt", "{home}/song.ferm"], "{home}/song.ferm"),
           (["convert", "{home}/song.ferm", "{home}/new.musicxml"], "{home}/new.musicxml"),
           (["convert", "{home}/song.ferm", "{home}/song.musicxml", "--compact"], "{home}/song.musicxml"),
           (["convert", "{home}/song.musicxml", "{home}/new.mxl"], "{home}/new.mxl"),
           (["compile", "{home}/song.ferm", "-o", "{home}/new.musicxml"], "{home}/new.musicxml"),
           (["import", "{home}/song.musicxml", "-o", "{home}/new.ferm"], "{home}/new.ferm"))


def nothing_fits():
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


# ThreadSanitizer itself writes a file at startup, before any of the program runs.
@pytest.mark.skipif(b"libtsan.so" in pathlib.Path(BINARY).read_bytes(),
                    reason="no program with ThreadSanitizer starts where no file may be written")
@pytest.mark.parametrize("args, where", WRITING)
def test_where_nothing_fits_nothing_is_changed_and_the_place_is_named(home, args, where):
    before = contents(home.path)
    done = shell(home, args, preexec_fn=nothing_fits)
    assert done.returncode == 1 and done.stdout == b"", done
    assert b"cannot write" in done.stderr and b"File too large" in done.stderr
    assert where.format(home=home.path) in done.stderr.decode()
    assert contents(home.path) == before


def as_nobody():
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)


@pytest.mark.parametrize("args, where", WRITING)
def test_where_nothing_may_be_written_nothing_is_changed_and_the_place_is_named(home, args, where):
    before = contents(home.path)
    for folder, _, files in os.walk(home.path):
        os.chmod(folder, 0o555)
        for name in files:
            os.chmod(os.path.join(folder, name), 0o444)
    try:
        done = shell(home, args, preexec_fn=as_nobody)
    except PermissionError:
        pytest.skip("the program itself is out of reach of another user")
    finally:
        for folder, _, files in os.walk(home.path):
            os.chmod(folder, 0o755)
            for name in files:
                os.chmod(os.path.join(folder, name), 0o644)
    assert done.returncode == 1 and done.stdout == b"", done
    assert b"Permission denied" in done.stderr and where.format(home=home.path) in done.stderr.decode()
    assert contents(home.path) == before


def test_a_history_that_cannot_be_written_is_said_once_and_lines_are_still_taken(home):
    names = set(os.listdir(home.folder))
    with Terminal(home) as t:
        t.enter("(+ 1 2)")
    made = set(os.listdir(home.folder)) - names
    assert made, "the history has a file"
    file = next(home.folder / n for n in made if (home.folder / n).is_file())
    os.remove(file)
    os.mkdir(file)
    with Terminal(home) as t:
        assert "cannot open the history" in t.text().replace("\n", " ")
        t.enter("(+ 2 3)")
        shown = t.enter("(+ 3 4)")
        assert "Out[" in shown and "7" in shown
        said = t.text().replace("\n", " ")
        assert said.count("cannot open the history") + said.count("cannot add to the history") == 1


def test_settings_that_are_kept_elsewhere_stay_a_link(home):
    elsewhere = home.path / "dotfiles"
    elsewhere.mkdir()
    (elsewhere / "fermata.toml").write_text('# mine\ncolor = "off"\n')
    link = home.folder / "config.toml"
    link.symlink_to(elsewhere / "fermata.toml")
    assert shell(home, ["config", "set", "timing", "on"]).returncode == 0
    assert link.is_symlink()
    assert (elsewhere / "fermata.toml").read_text() == '# mine\ncolor = "off"\ntiming = true\n'
    assert not [p for p in home.folder.iterdir() if p.name.startswith("config.toml.")]
