"""The command line: plain arguments, JSON for programs, names that do not exist, and file formats chosen
by extension."""

import json
import subprocess
import zipfile

import pytest
from support.program import BINARY, PATIENCE, Home, run_script


@pytest.fixture
def home():
    with Home() as h:
        yield h


def fermata(home, *args, stdin=""):
    return subprocess.run([BINARY, *map(str, args)], input=stdin, capture_output=True, text=True,
                          timeout=PATIENCE, env=home.environment(), check=False)


def test_eval_takes_expressions_as_plain_arguments(home):
    assert fermata(home, "eval", "(+ 1 2)").stdout == "3\n"
    assert fermata(home, "eval", "(def a 2)", "(* a a)").stdout == "a\n4\n"
    # Expressions from -e come first, so that scripts that use it continue to work.
    assert fermata(home, "eval", "-e", "(def a 2)", "(* a a)").stdout == "a\n4\n"
    assert json.loads(fermata(home, "eval", "--json", "(+ 1 2)").stdout)["values"][0]["value"] == "3"
    none = fermata(home, "eval")
    assert none.returncode == 2 and "no expression given" in none.stderr


def test_check_reports_each_file_as_json(home, tmp_path):
    good, bad, short = tmp_path / "good.ferm", tmp_path / "bad.ferm", tmp_path / "short.ferm"
    good.write_text("(measure (note c4 :w))\n")
    bad.write_text("(measure (note c4 :w))\n(nte d4)\n")
    short.write_text("(part :violin (measure (note c5 :w)) (measure (note c5 :h)))\n")
    done = fermata(home, "check", "--json", good, bad, short, tmp_path / "none.ferm")
    assert done.returncode == 1 and done.stderr == ""
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert [r["file"] for r in reports] == [str(f) for f in (good, bad, short, tmp_path / "none.ferm")]
    assert [r["ok"] for r in reports] == [True, False, True, False]
    assert reports[0] == {"file": str(good), "ok": True, "errors": [], "warnings": []}
    fault = reports[1]["errors"][0]
    # By hand: line 2, the name begins after the parenthesis, the first line has 23 bytes.
    assert (fault["code"], fault["line"], fault["column"], fault["begin"], fault["end"]) == \
        ("unknown-form", 2, 2, 24, 27)
    assert reports[2]["warnings"] and not reports[2]["errors"]
    assert reports[3]["errors"][0]["code"] == "unreadable-file"
    assert fermata(home, "check", "--json", good).returncode == 0


def test_what_changes_no_exit_code_is_called_a_warning(home, tmp_path):
    short = tmp_path / "short.ferm"
    short.write_text("(part :violin (measure (note c5 :w)) (measure (note c5 :h)))\n")
    for args in (["check", short], ["compile", short, "-o", "-"], ["convert", short, tmp_path / "short.xml"]):
        done = fermata(home, *args)
        assert done.returncode == 0
        assert f"{short}: warning: " in done.stderr and "invalid-score" not in done.stderr, done.stderr


@pytest.mark.parametrize("args, says", [
    (["check", "--jsn", "x.ferm"], "unknown option --jsn for `fermata check`\nDid you mean --json?"),
    (["--sesion", "a"], "unknown option --sesion for `fermata`\nDid you mean --session?"),
    (["session", "export", "a", "--outptu=b"], "unknown option --outptu=b for `fermata session export`\n"
                                               "Did you mean --output?"),
    (["convert", "a.ferm", "b.ly", "--reprot"], "Did you mean --report?"),
    (["check", "a.ferm", "--zzzzzz"], "`fermata check --help` lists the options."),
    (["chek"], "unknown subcommand or file `chek`\nDid you mean `fermata check`?"),
    (["session", "exprot", "a"], "Did you mean `fermata session export`?"),
    (["a.ferm", "b.ferm"], "`b.ferm`"),
    (["doctor", "now"], "unexpected argument `now`"),
    (["check"], "files"),
])
def test_a_wrong_command_line_is_answered_with_the_nearest_name(home, args, says):
    done = fermata(home, *args)
    assert done.returncode == 2, done
    assert done.stderr.startswith("fermata: ") and says in done.stderr, done.stderr
    assert len(done.stderr.splitlines()) <= 2 and done.stdout == ""
    assert not home.folder.exists()


def test_help_and_version_go_to_standard_output(home):
    assert fermata(home, "--help").stdout.startswith("Fermata: ")
    assert "--json" in fermata(home, "check", "--help").stdout
    assert fermata(home, "--version").stdout.startswith("fermata ")


@pytest.mark.parametrize("name", ["song.musicxml", "song.xml", "song.mxl", "song.ly", "song.ferm", "song.MID"])
def test_a_session_archive_is_not_named_like_another_format(home, tmp_path, name):
    run_script(home, "(note c4 :q)\n")
    target = tmp_path / name
    for done in (fermata(home, "session", "export", "session-1", "-o", target),
                 fermata(home, "session", "export", "session-1", "-o", target, "--yes"),
                 fermata(home, "--session", "session-1", stdin=f":session export {target}\n")):
        assert done.returncode == 1 and "not the name of a session archive" in done.stderr, done
        assert ".fermata" in done.stderr and ":export" in done.stderr
        assert not target.exists()


def test_a_session_archive_has_the_usual_names(home, tmp_path):
    run_script(home, "(note c4 :q)\n")
    for name in ("a.fermata", "a.zip", "a", "a.2026-11-29"):
        assert fermata(home, "session", "export", "session-1", "-o", tmp_path / name).returncode == 0
        assert zipfile.is_zipfile(tmp_path / name)


@pytest.mark.parametrize("args", [
    ["import", "{song}", "-o", "{tmp}/out.musicxml"],
    ["convert", "{song}", "{tmp}/out.musicxml", "--to", "mxl"],
    ["convert", "{song}", "{tmp}/out.ly", "--to", "fermata"],
    ["compile", "{song}", "-t", "musicxml", "-o", "{tmp}/out.ferm"],
])
def test_a_score_file_is_what_its_name_says(home, tmp_path, args):
    song = tmp_path / "song.ferm"
    song.write_text("(measure (note c4 :w))\n")
    done = fermata(home, *(a.format(song=song, tmp=tmp_path) for a in args))
    assert done.returncode == 1 and "but the output format is" in done.stderr, done
    assert [f.name for f in tmp_path.iterdir()] == ["song.ferm"]
    # If the name has no extension, the option decides.
    assert fermata(home, "convert", song, tmp_path / "out", "--to", "musicxml").returncode == 0
