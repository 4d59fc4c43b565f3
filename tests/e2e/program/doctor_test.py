"""`fermata doctor`: what it finds, what it advises, and its exit status."""

import json
import os
import re
import subprocess

import pytest
from support import jack
from support.program import BINARY, PATIENCE, run_script
from support.terminal import Terminal


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
    assert any("`fermata mcp` works" in t for t in texts(findings, "ok"))
    assert not home.folder.exists()


def test_sessions_and_a_running_prompt_are_looked_after(home):
    run_script(home, "(+ 1 2)\n")
    with Terminal(home) as t:
        findings = found(home)
        assert not texts(findings, "wrong")
        assert any("session-1:" in x and "all readable" in x for x in texts(findings, "ok"))
        assert any(f"process {t.child.pid} answers" in x for x in texts(findings, "ok"))
    # A killed process leaves its files behind, which is reported but harmless.
    findings = found(home)
    assert not texts(findings, "wrong")
    assert any("left behind by a process" in x for x in texts(findings, "note"))
    # Its advice says what happens.
    assert "removed at the next start" in str(findings)
    with Terminal(home):
        assert not any("left behind by" in x for x in texts(found(home), "note"))


def test_a_home_that_others_can_read_is_wrong(home):
    run_script(home, "(+ 1 2)\n")
    home.folder.chmod(0o755)
    findings = found(home)
    wrong = [f for f in findings if f["level"] == "wrong"]
    assert len(wrong) == 1 and "other users (mode 755)" in wrong[0]["text"]
    assert wrong[0]["advice"] == f"chmod go-rwx {home.folder}"
    human = doctor(home)
    assert human.returncode == 1
    assert "1 problem found" in human.stdout and "-> chmod go-rwx" in human.stdout


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
    assert any("the last 17 bytes" in t for t in texts(findings, "note"))


DAMAGE = [
    ("history.jsonl", lambda b: b.split(b"\n")[0] + b"\n", "history.jsonl has 0 entries, but 2 entries were saved"),
    ("history.jsonl", lambda b: b"", "history.jsonl has 0 entries, but 2 entries were saved"),
    ("history.jsonl", lambda b: None, "history.jsonl does not exist; it had 2 entries"),
    ("history.jsonl", lambda b: bytes(len(b)), "history.jsonl has 0 entries, but 2 entries were saved"),
    ("history.jsonl", lambda b: b"garbage\n" * 50, "the first line is not that of a Fermata journal"),
    ("history.jsonl", lambda b: b.replace(b"fermata-history", b"fermata-hystery", 1), "the first line of history.jsonl"),
    ("history.jsonl", lambda b: b[:-1] + b"\0" * 300, "history.jsonl has 1 entry, but 2 entries were saved"),
    ("history.jsonl", lambda b: b + bytes(300), "300 bytes of history.jsonl at its end are no entries"),
    ("history.jsonl", lambda b: b"\n".join(b.split(b"\n")[:1] + b.split(b"\n")[2:]),
     "line 2 of history.jsonl is damaged: found entry 2 where entry 1 was expected"),
    ("checkpoint.json", lambda b: b"{", "the saved state is unusable"),
    ("checkpoint.json", lambda b: b[:len(b) // 2], "the saved state is unusable"),
    ("checkpoint.json", lambda b: b"", "the saved state is unusable"),
    ("env.json", lambda b: b"", "the saved state is unusable"),
    ("env.json", lambda b: None, "the saved state is unusable"),
    ("score.ferm", lambda b: b"garbage (", "score.ferm is not a valid score"),
]


@pytest.mark.parametrize("name, damage, says", DAMAGE, ids=[f"{n}-{i}" for i, (n, _, _) in enumerate(DAMAGE)])
def test_whatever_is_damaged_or_emptied_of_a_session_is_found_and_left_alone(home, name, damage, says):
    run_script(home, "(part :violin (measure (note c5 :w)))\n(def a 1)\n")
    assert texts(found(home), "wrong") == []
    assert any("session-1: 2 entries, all readable" in t for t in texts(found(home), "ok"))
    file = home.session() / name
    now = damage(file.read_bytes())
    if now is None:
        file.unlink()
    else:
        file.write_bytes(now)
    files = {f.name: f.read_bytes() for f in home.session().iterdir()}
    findings = found(home)
    wrong = [f for f in findings if f["level"] == "wrong"]
    assert [f for f in wrong if says in f["text"] and f["advice"]], findings
    assert not any("all readable" in f["text"] for f in findings)
    assert "No problems found" not in doctor(home).stdout
    assert files == {f.name: f.read_bytes() for f in home.session().iterdir()}


def test_a_score_that_was_edited_outside_is_noted_and_one_entry_is_one_entry(home):
    run_script(home, "(part :violin (measure (note c5 :w)))\n")
    assert any("session-1: 1 entry, all readable" in t for t in texts(found(home), "ok"))
    score = home.session() / "score.ferm"
    score.write_text(score.read_text().replace("c5", "d5"))
    findings = found(home)
    assert not texts(findings, "wrong")
    assert any("score.ferm was edited outside" in t for t in texts(findings, "note"))


def test_faults_of_the_configuration_are_findings(home):
    home.folder.mkdir(mode=0o700)
    (home.folder / "config.toml").write_text("display = \"loud\"\n")
    assert any("config.toml:1: invalid value for display: `loud`" in t for t in texts(found(home), "wrong"))


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
    ("a folder for a history", "is not a file", {}),
    ("a history for all to read", "is accessible to other users", {}),
    ("an open start-up file", "ends in the middle of an expression", {}),
    ("a folder for a start-up file", "is not a valid start-up file", {}),
    ("a file for sessions", "is not a folder", {}),
    ("no such pager", "the pager `no-such-pager` was not found", {"PAGER": "no-such-pager -x"}),
    ("no such editor", "the editor `no-such-editor` was not found", {"EDITOR": "no-such-editor"}),
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


@pytest.mark.parametrize("columns", [20, 30, 40, 80])
def test_at_a_terminal_its_lines_are_broken_by_itself_and_in_a_file_they_are_whole(home, columns):
    run_script(home, "(+ 1 2)\n")
    home.folder.chmod(0o755)
    assert "\n" + " " * 16 + " -> " in doctor(home).stdout
    findings = [f for f in found(home) if f["area"] != "terminal"]
    with Terminal(home, "doctor", columns=columns, rows=200, ready=False) as t:
        t.wait_for_end()
        lines = t.bytes.decode().replace("\r", "").split("\n")
        # Nothing is lost; a path or an address is never broken, whatever its length.
        shown = "".join(lines).replace(" ", "")
        assert all((f["text"] + f["advice"]).replace(" ", "") in shown.replace("->", "") for f in findings), lines
        assert not [line for line in lines if len(line) > columns and "/" not in line.split()[-1]]


@pytest.fixture
def read_only_home(home):
    """A home with a session on a disk mounted read-only."""
    home.folder.mkdir(mode=0o700)
    mounted = os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs", home.folder], capture_output=True,
        check=False).returncode == 0
    if not mounted:
        pytest.skip("no file system can be mounted here")
    run_script(home, "(+ 1 2)\n")
    subprocess.run(["mount", "-o", "remount,ro", home.folder], check=True)
    yield home
    subprocess.run(["umount", "-l", home.folder], check=True)


def test_on_a_read_only_disk_nobody_is_sent_to_chmod(read_only_home):
    findings = found(read_only_home)
    wrong = [f for f in findings if f["level"] == "wrong"]
    assert any("Read-only file system" in f["text"] for f in wrong), findings
    assert all("mounted read-only" in f["advice"] for f in wrong if f["area"] == "home"), wrong
    assert not any("chmod" in f["advice"] or "MB of disk space left" in f["text"] for f in findings), findings


@pytest.mark.parametrize("variable, other", [("VISUAL", "EDITOR"), ("EDITOR", "VISUAL")])
def test_the_variable_that_is_wrong_is_named(home, variable, other):
    run_script(home, "(+ 1 2)\n")
    findings = found(home, **{variable: "no-such-editor", other: "sh" if variable == "VISUAL" else ""})
    advice = [f["advice"] for f in findings if "no-such-editor" in f["text"]]
    assert advice == [f"set {variable} to an installed editor"]


def test_what_its_owner_cannot_read_is_advised_by_its_cause(home):
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    run_script(home, "(+ 1 2)\n")
    (home.session() / "history.jsonl").chmod(0)
    assert any(f["advice"] == f"chmod u+rw {home.session()}/history.jsonl" for f in found(home))


def test_a_home_that_cannot_be_made_is_wrong(read_only_home):
    findings = found(read_only_home, FERMATA_HOME=str(read_only_home.folder / "none" / "f"))
    wrong = [f for f in findings if f["level"] == "wrong"]
    assert any("cannot be created" in f["text"] and "read-only" in f["advice"] for f in wrong), findings


# --- sound ----------------------------------------------------------------------------------------

WITHOUT_SOUND = {"JACK_DEFAULT_SERVER": "fermata-none", "JACK_NO_START_SERVER": "1",
                 "PULSE_SERVER": "unix:/nonexistent", "ALSA_CONFIG_PATH": "/dev/null"}


def of_sound(findings, level):
    return [(f["text"], f["advice"]) for f in findings if f["level"] == level and f["area"] == "sound"]


def test_without_a_sound_system_there_are_notes_and_nothing_is_wrong(home):
    findings = found(home, **WITHOUT_SOUND)
    assert not of_sound(findings, "wrong")
    notes = of_sound(findings, "note")
    assert any(text.startswith("no synthesizer: no sound output is available: ") and advice for text, advice in notes)
    assert ("no MIDI ports", "") in notes
    assert any("no JACK server is running" in text and "jackd2" in advice for text, advice in notes)


def test_a_soundfont_of_the_settings_that_is_missing_is_wrong(home, tmp_path):
    missing = str(tmp_path / "none.sf2")
    subprocess.run([BINARY, "config", "set", "soundfont", missing], env=home.environment(), check=True,
                   capture_output=True)
    assert of_sound(found(home, **WITHOUT_SOUND), "wrong") == [
        (f"no synthesizer: there is no soundfont {missing} (setting soundfont = {missing})",
         "Run `fermata config set soundfont auto` to have one chosen automatically.")]


def test_a_device_of_the_settings_that_is_not_there_is_noted(home):
    subprocess.run([BINARY, "config", "set", "midi-device", "nosuch"], env=home.environment(), check=True,
                   capture_output=True)
    assert ("unknown device `nosuch` (setting midi-device = nosuch)", "`fermata devices` lists the devices.") in \
        of_sound(found(home, **WITHOUT_SOUND), "note")


@pytest.mark.skipif(not jack.is_available(), reason="no JACK server starts here")
def test_the_synthesizer_and_the_ports_are_named(home):
    with jack.JackServer() as server:
        environment = {**WITHOUT_SOUND, **server.env}
        assert any(re.fullmatch(r"the synthesizer plays on jack, with /.*\.sf[23]", text)
                   for text, _ in of_sound(found(home, **environment), "ok"))
        assert ("no MIDI ports", "") in of_sound(found(home, **environment), "note")
        with jack.Receiver(server):
            assert ("1 MIDI port", "") in of_sound(found(home, **environment), "ok")
        # An output that does not answer, while another one would.
        subprocess.run([BINARY, "config", "set", "audio-output", "pulse"], env=home.environment(), check=True,
                       capture_output=True)
        assert any(text.startswith("no synthesizer: ") and text.endswith("(setting audio-output = pulse)")
                   for text, _ in of_sound(found(home, **environment), "note"))
