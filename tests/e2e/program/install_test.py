"""`cmake --install`: what is installed where, and that the commands in the README work with it."""

import gzip
import os
import pathlib
import re
import shutil
import subprocess

import pytest
from support.program import BINARY, PATIENCE, ROOT, Home

BUILD = pathlib.Path(BINARY).parent.parent


def run(*args, **options):
    done = subprocess.run([*map(str, args)], capture_output=True, text=True, timeout=PATIENCE, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    if not (BUILD / "share" / "fermata.1.gz").exists():
        pytest.skip("this build installs nothing")
    where = tmp_path_factory.mktemp("install")
    run("cmake", "--install", BUILD, "--prefix", where)
    return where


@pytest.fixture
def installed(prefix):
    """The environment of a user who has installed Fermata."""
    with Home() as home:
        yield home.environment(PATH=f"{prefix}/bin:{os.environ['PATH']}")


def test_everything_is_in_its_place(prefix):
    for path in ("bin/fermata", "libexec/fermata/fermata_mcp", "share/man/man1/fermata.1.gz",
                 "share/bash-completion/completions/fermata", "share/zsh/site-functions/_fermata",
                 "share/fish/vendor_completions.d/fermata.fish", "share/doc/fermata/README.md",
                 "share/doc/fermata/copyright", "share/doc/fermata/docs/commands.md"):
        assert (prefix / path).is_file(), path
    assert not list(prefix.rglob("*.desktop"))


def test_the_components_that_become_packages_leave_nothing_out(prefix, tmp_path):
    for component in ("program", "debug"):
        run("cmake", "--install", BUILD, "--prefix", tmp_path, "--component", component)
    assert {f.relative_to(tmp_path) for f in tmp_path.rglob("*")} == {f.relative_to(prefix) for f in prefix.rglob("*")}


@pytest.mark.parametrize("program", ["bin/fermata", "libexec/fermata/fermata_mcp"])
def test_programs_are_stripped_and_their_symbols_are_where_gdb_looks(prefix, program):
    sections = run("readelf", "-S", "-W", prefix / program)
    assert ".debug_info" not in sections and ".symtab" not in sections
    build_id = re.search(r"Build ID: (\w+)", run("readelf", "-n", prefix / program))[1]
    symbols = prefix / "lib/debug/.build-id" / build_id[:2] / f"{build_id[2:]}.debug"
    assert ".debug_info" in run("readelf", "-S", "-W", symbols)
    assert build_id in run("readelf", "-n", symbols)


def test_the_lines_of_the_readme_run_as_written(installed, tmp_path):
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("## Files", 1)[1].split("\n## ", 1)[0]
    lines = [line[4:] for line in section.splitlines() if line.startswith("    ")]
    assert len(lines) >= 4
    (tmp_path / "song.ferm").write_text("(part :violin (measure (note c5 :w)))\n")
    for line in lines:
        run("sh", "-c", line, cwd=tmp_path, env=installed, stdin=subprocess.DEVNULL)


def test_the_installed_program_finds_its_mcp_server(installed, prefix):
    request = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
    # The process has the name of the lean program.
    server = subprocess.Popen(["fermata", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=installed)
    try:
        server.stdin.write(request.encode())
        server.stdin.flush()
        assert server.stdout.readline()
        assert os.readlink(f"/proc/{server.pid}/exe") == str(prefix / "libexec/fermata/fermata_mcp")
    finally:
        server.stdin.close()
        server.wait(PATIENCE)
        server.stdout.close()


def test_the_manual_page_is_shown_and_complete(prefix):
    page = prefix / "share/man/man1/fermata.1.gz"
    source = gzip.decompress(page.read_bytes()).decode()
    for words in (".TH FERMATA 1", "fermata session export", "\\-\\-json", ":undo", ":export", "FERMATA_HOME"):
        assert words in source, words
    if not shutil.which("man") or not shutil.which("groff"):
        pytest.skip("no man or groff here")
    shown = subprocess.run(["man", "--warnings=all", "-l", page], capture_output=True, text=True, timeout=PATIENCE,
                           env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": ""},
                           check=False)
    assert shown.returncode == 0 and "SYNOPSIS" in shown.stdout, shown.stderr
    assert not [line for line in shown.stderr.splitlines() if "can't break line" not in line and "cannot" not in line
                ], shown.stderr


def completions_of_bash(prefix, env, *words):
    """The completions that bash offers for the last of these words."""
    quoted = " ".join("'" + w + "'" for w in words)
    script = (f"source {prefix}/share/bash-completion/completions/fermata; COMP_WORDS=({quoted}); "
              f"COMP_CWORD={len(words) - 1}; _fermata; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
    return set(run("bash", "--norc", "-c", script, env=env).split("\n")) - {""}


def test_bash_completes_subcommands_options_and_values(prefix, installed, tmp_path):
    home = pathlib.Path(installed["FERMATA_HOME"])
    (home / "sessions" / "my-piece").mkdir(parents=True)

    def offered(*words):
        return completions_of_bash(prefix, installed, "fermata", *words)

    assert {"check", "convert", "session", "doctor"} <= offered("")
    assert offered("che") == {"check"}
    assert offered("check", "--j") == {"--json"}
    assert offered("session", "") == {"list", "export", "import"}
    assert offered("session", "export", "") == {"my-piece"}
    assert offered("--session", "my") == {"my-piece"}
    assert offered("convert", "--to", "m") == {"midi", "musicxml", "mxl"}
    assert offered("config", "g") == {"get"}
    assert "durations" in offered("show", "d")
    song = tmp_path / "a song.ferm"
    song.write_text("")
    assert offered("check", f"{tmp_path}/a") == {str(song)}


@pytest.mark.parametrize("shell, file", [("zsh", "share/zsh/site-functions/_fermata"),
                                         ("fish", "share/fish/vendor_completions.d/fermata.fish")])
def test_the_scripts_of_other_shells_can_be_read_by_them(prefix, shell, file):
    if not shutil.which(shell):
        pytest.skip(f"no {shell} here")
    run(shell, "-n", prefix / file)


def test_the_desktop_is_not_asked_for(prefix):
    needed = run("readelf", "-d", prefix / "bin/fermata")
    assert not re.search(r"NEEDED.*(gtk|Qt|X11|wayland)", needed)
