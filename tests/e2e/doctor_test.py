"""`fermata doctor`: what it finds, what it advises, and its exit status."""

import json
import os
import subprocess

import pytest
from support.program import BINARY, PATIENCE, Home, run_script
from support.terminal import Terminal


@pytest.fixture
def home():
    with Home() as h:
        yield h


def doctor(home, *args, **environment):
    return subprocess.run([BINARY, "doctor", *args], capture_output=True, text=True, timeout=PATIENCE,
                          env=home.environment(**environment), check=False)


def found(home, **environment):
    done = doctor(home, "--json", **environment)
    report = json.loads(done.stdout)
    wrong = [f for f in report["findings"] if f["level"] == "wrong"]
    assert done.returncode == (1 if wrong else 0)
    assert report["wrong"] == len(wrong)
    return report["findings"]


def texts(findings, level):
    return [f["text"] for f in findings if f["level"] == level]


def test_a_fresh_installation_is_sound_and_nothing_is_made(home):
    findings = found(home)
    assert not texts(findings, "wrong")
    assert any("`fermata mcp` answers" in t for t in texts(findings, "ok"))
    assert not home.folder.exists()


def test_sessions_and_a_running_prompt_are_looked_after(home):
    run_script(home, "(+ 1 2)\n")
    with Terminal(home) as t:
        findings = found(home)
        assert not texts(findings, "wrong")
        assert any("session-1:" in x and "all readable" in x for x in texts(findings, "ok"))
        assert any(f"process {t.child.pid} answers" in x for x in texts(findings, "ok"))
    # Killed: it leaves its files, which is worth knowing and harmless.
    findings = found(home)
    assert not texts(findings, "wrong")
    assert any("left by a Fermata that is gone" in x for x in texts(findings, "note"))


def test_a_home_that_others_can_read_is_wrong(home):
    run_script(home, "(+ 1 2)\n")
    home.folder.chmod(0o755)
    findings = found(home)
    wrong = [f for f in findings if f["level"] == "wrong"]
    assert len(wrong) == 1 and "others (mode 755)" in wrong[0]["text"]
    assert wrong[0]["advice"] == f"chmod go-rwx {home.folder}"
    human = doctor(home)
    assert human.returncode == 1
    assert "1 thing is wrong" in human.stdout and "-> chmod go-rwx" in human.stdout


def test_a_damaged_journal_is_found_with_its_line(home):
    run_script(home, "(+ 1 2)\n(+ 3 4)\n(+ 5 6)\n")
    journal = home.session() / "history.jsonl"
    lines = journal.read_bytes().split(b"\n")
    lines[2] = lines[2].replace(b'"kind"', b'"knid"')
    journal.write_bytes(b"\n".join(lines))
    assert any("session-1: line 3 of history.jsonl is damaged" in t
               for t in texts(found(home), "wrong"))


def test_a_journal_that_was_being_written_is_only_noted(home):
    run_script(home, "(+ 1 2)\n")
    with (home.session() / "history.jsonl").open("ab") as f:
        f.write(b'{"index": 99, "ti')
    findings = found(home)
    assert not texts(findings, "wrong")
    assert any("17 bytes at the end" in t for t in texts(findings, "note"))


def test_faults_of_the_configuration_are_findings(home):
    home.folder.mkdir(mode=0o700)
    (home.folder / "config.toml").write_text("display = \"loud\"\n")
    assert any("config.toml:1: `loud`" in t for t in texts(found(home), "wrong"))


def test_a_home_that_is_a_file_or_too_deep_is_wrong(home):
    home.folder.write_text("")
    assert any("is not a folder" in t for t in texts(found(home), "wrong"))
    deep = home.path / ("x" * 100)
    assert any("too long for a socket" in t
               for t in texts(found(home, FERMATA_HOME=str(deep)), "wrong"))


def test_an_instance_that_does_not_answer_is_wrong(home):
    (home.folder / "run").mkdir(parents=True, mode=0o700)
    home.folder.chmod(0o700)
    (home.folder / "run" / f"{os.getpid()}.json").write_text(json.dumps(
        {"id": "x", "pid": os.getpid(), "started": "2026-01-01T00:00:00.000Z",
         "socket": str(home.folder / "repl.sock"), "cwd": "/", "version": "0",
         "protocol_version": "1.0.0"}))
    assert any(f"process {os.getpid()} does not answer" in t for t in texts(found(home), "wrong"))


@pytest.mark.parametrize("fault, says, environment", [
    ("a folder for a history", "is no file", {}),
    ("a history for all to read", "is open to others", {}),
    ("an open start-up file", "ends inside an expression", {}),
    ("a folder for a start-up file", "cannot be read as a start-up file", {}),
    ("a file for sessions", "is not a folder", {}),
    ("no such pager", "the pager `no-such-pager` is not there", {"PAGER": "no-such-pager -x"}),
    ("no such editor", "the editor `no-such-editor` is not there", {"EDITOR": "no-such-editor"}),
])
def test_what_editing_needs_is_looked_at(home, fault, says, environment):
    run_script(home, "(+ 1 2)\n")
    if fault == "a folder for a history":
        (home.folder / "history").mkdir()
    elif fault == "a history for all to read":
        (home.folder / "history").write_text("(+ 1 2)\n")
        (home.folder / "history").chmod(0o644)
    elif fault == "an open start-up file":
        (home.folder / "init.ferm").write_text("(def a\n")
    elif fault == "a folder for a start-up file":
        (home.folder / "init.ferm").mkdir()
    elif fault == "a file for sessions":
        (home.folder / "sessions").rename(home.folder / "elsewhere")
        (home.folder / "sessions").write_text("")
    findings = found(home, **environment)
    wrong = [f for f in findings if f["level"] == "wrong"]
    assert any(says in f["text"] and f["advice"] for f in wrong), findings
    assert len(wrong) == 1
