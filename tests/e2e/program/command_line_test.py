"""The command line: plain arguments, JSON for programs, names that do not exist, and file formats chosen
by extension."""

import json
import re
import shlex
import subprocess
import zipfile

import pytest
from support.program import BINARY, PATIENCE, run_script


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


MISUSES = [
    # unknown options, with the nearest
    ("check --jsn x.ferm", "unknown option --jsn for `fermata check`\nDid you mean --json?"),
    ("check --jsn", "unknown option --jsn for `fermata check`\nDid you mean --json?"),
    ("check -x", "unknown option -x for `fermata check`\n`fermata check --help` lists the options."),
    ("--sesion a", "unknown option --sesion for `fermata`\nDid you mean --session?"),
    ("session export a --outptu=b", "unknown option --outptu=b for `fermata session export`\n"
                                    "Did you mean --output?"),
    ("convert a.ferm b.ly --reprot", "Did you mean --report?"),
    ("check a.ferm --zzzzzz", "`fermata check --help` lists the options."),
    ("doctor --yes", "unknown option --yes for `fermata doctor`"),
    # unknown subcommands, and files that do not exist
    ("chek", "unknown subcommand or file `chek`\nDid you mean `fermata check`?"),
    ("session exprot a", "unknown subcommand `exprot`\nDid you mean `fermata session export`?"),
    ("-- chek", "unknown subcommand or file `chek`"),
    ("chek check a.ferm", "unknown subcommand or file `chek`"),
    ("a.ferm check b.ferm", "unexpected argument `a.ferm`\n`fermata --help` shows the usage."),
    # missing arguments
    ("session", "missing subcommand for `fermata session`\nChoose list, export or import;"),
    ("check", "missing argument `files`: Fermata text or score files; - for standard input\n"
              "`fermata check --help` shows the usage."),
    ("check --", "missing argument `files`"),
    ("fmt", "missing argument `files`"),
    ("convert", "missing argument `input`"),
    ("convert a.ferm", "missing argument `output`: score file to write"),
    ("import", "missing argument `input`"),
    ("diff a.ferm", "missing argument `right`: score file to compare it with\n`fermata diff --help`"),
    ("session export", "missing argument `session`: id or name\n`fermata session export --help`"),
    ("session import", "missing argument `file`"),
    ("completion", "missing argument `shell`"),
    ("eval", "no expression given; for example: fermata eval '(note c4 :q)'"),
    ("config get", "`get` takes the name of one setting\nUsage: fermata config [list | get NAME | set NAME VALUE"),
    ("config set", "`set` takes the name of a setting and a value\nUsage: "),
    ("config set display", "`set` takes the name of a setting and a value\nUsage: "),
    # arguments too many
    ("a.ferm b.ferm", "unexpected argument `b.ferm`"),
    ("repl a.ferm b.ferm", "unexpected argument `b.ferm`\n`fermata repl --help` shows the usage."),
    ("convert a.ferm b.ly c", "unexpected argument `c`\n`fermata convert --help` shows the usage."),
    ("import a.xml b.ferm", "unexpected argument `b.ferm`"),
    ("compile a.ferm b.xml", "unexpected argument `b.xml`"),
    ("diff a b c", "unexpected argument `c`"),
    ("doctor now", "unexpected argument `now`"),
    ("manual bash", "unexpected argument `bash`"),
    ("mcp x", "unexpected argument `x`"),
    ("show forms clefs", "unexpected argument `clefs`"),
    ("completion bash zsh", "unexpected argument `zsh`"),
    ("session list all", "unexpected argument `all`"),
    ("session export a b", "unexpected argument `b`"),
    ("config set a b c", "unexpected argument `c`"),
    ("config get a b", "`get` takes the name of one setting"),
    ("config list a", "`list` takes no arguments"),
    ("config path a", "`path` takes no arguments"),
    ("config edit a", "`edit` takes no arguments"),
    # options without a value, with one too many, given twice
    ("--session", "option --session needs a value: SESSION\n`fermata --help` lists the options."),
    ("--home", "option --home needs a value: FOLDER"),
    ("--tcp", "option --tcp needs a value: PORT"),
    ("eval -e", "option --expression needs a value: EXPRESSION"),
    ("compile a.ferm -o", "option --output needs a value: FILE\n`fermata compile --help`"),
    ("compile -t", "option --target needs a value: FORMAT"),
    ("convert a.ferm b.ly --from", "option --from needs a value: FORMAT"),
    ("mcp --socket", "option --socket needs a value: FILE"),
    ("show --format", "option --format needs a value: text|json"),
    ("session import a --name", "option --name needs a value: NAME"),
    ("check a.ferm --json=3", "option --json takes no value\n`fermata check --help`"),
    ("check a.ferm --json=maybe", "option --json takes no value"),
    ("--no-color=yes", "option --no-color takes no value\n`fermata --help`"),
    ("--session a --session b", "option --session can be given only once"),
    ("convert a b --to ly --to mxl", "option --to can be given only once"),
    # options of the prompt before a subcommand, where they would be ignored
    ("--home a session list", "option --home must come after the subcommand\nWrite `fermata session list --home`."),
    ("--session a check b.ferm", "`fermata check` has no option --session\n`fermata check --help` lists"),
    # values that are none
    ("show --format xml", "invalid value `xml` for option --format\nChoose text or json."),
    ("completion tcsh", "invalid value `tcsh` for argument `shell`\n"),
    ("completion tcsh", "Choose bash, zsh or fish."),
    ("config shout", "invalid value `shout` for argument `action`\n"),
    ("config lst", "Did you mean `list`? Choose list, get, set, path or edit."),
    ("compile a.ferm -t foo", "unknown format `foo`\n"),
    ("convert a b --to foo", "unknown format `foo`\n"),
    ("--tcp nonsense --session a", "`nonsense` is not a TCP address; give PORT"),
    ("--tcp 65536 --session a", "with a port from 0 to 65535"),
    ("--tcp -1 --session a", "with a port from 0 to 65535"),
    ("show --json --format text", "--json cannot be used together with --format"),
    # empty values
    ("''", "argument `file` is empty\nWrite a value for it (FILE), or leave it out."),
    ("repl ''", "argument `file` is empty"),
    ("--session ''", "option --session is empty\nWrite a value for it (SESSION), or leave it out."),
    ("--home ''", "option --home is empty"),
    ("--tcp ''", "option --tcp is empty"),
    ("eval ''", "empty expression; for example: fermata eval '(note c4 :q)'"),
    ("check ''", "argument `files` is empty\nWrite a value for it (FILE)."),
    ("compile ''", "argument `input` is empty"),
    ("compile a.ferm -o ''", "option --output is empty"),
    ("convert a ''", "argument `output` is empty"),
    ("fmt ''", "argument `files` is empty"),
    ("show ''", "argument `topic` is empty"),
    ("diff a ''", "argument `right` is empty"),
    ("completion ''", "argument `shell` is empty"),
    ("config ''", "argument `action` is empty"),
    ("config set display ''", "argument `value` is empty"),
    ("mcp --socket ''", "option --socket is empty"),
    ("session list --home ''", "option --home is empty"),
    ("session export ''", "argument `session` is empty"),
    ("session import ''", "argument `file` is empty"),
]


@pytest.mark.parametrize("line, says", MISUSES)
def test_a_wrong_command_line_is_answered_with_what_is_wrong_and_what_to_do(home, line, says):
    done = fermata(home, *shlex.split(line))
    assert done.returncode == 2, done
    assert re.match(r"fermata( \w+)?: ", done.stderr) and says in done.stderr, done.stderr
    assert 1 <= len(done.stderr.splitlines()) <= 2 and done.stdout == "", done
    # The parser's own words.
    assert not re.search(r"required|not expected|missing\n|not in \{|Error|Could not convert|At Most", done.stderr)
    assert not (home.folder / "sessions").exists()


@pytest.mark.parametrize("line", [
    "check none.ferm", "compile none.ferm", "import none.xml", "convert none.ferm -", "fmt none.ferm",
    "diff none.ferm none.ferm",
    "session import none.fermata", "session export none", "none.ferm"])
def test_what_does_not_exist_is_named(home, line):
    done = fermata(home, *shlex.split(line))
    # As diff(1), which says 1 of a difference.
    assert done.returncode == (2 if line.startswith("diff") else 1), done
    assert "none" in done.stderr.splitlines()[0]
    assert done.stdout == ""


def test_an_unknown_topic_is_answered_with_the_nearest_or_with_all(home):
    for topic, says in (("durtions", "did you mean `durations`?"), ("zzzzzz", "topics: ")):
        done = fermata(home, "show", topic)
        assert done.returncode == 2 and done.stdout == "" and says in done.stderr, done
        assert len(done.stderr.splitlines()) == 2


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
