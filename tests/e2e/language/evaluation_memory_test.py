"""How much memory evaluations may use, what the user is told if one needs more, and that it is freed."""

import json
import re
import subprocess

import pytest
from support.client import Client
from support.program import BINARY, PATIENCE, Home, run_script
from support.terminal import Terminal

# 9,000,000 notes, each a separate value: 13 GB without a limit.
TOO_MUCH = "(apply seq (repeat-times 9000000 (note c4 :64)))"
LIMIT = 64  # MiB

ADVICE = "fermata config set evaluation-memory"


@pytest.fixture
def home():
    with Home() as h:
        h.folder.mkdir()
        (h.folder / "config.toml").write_text(f"evaluation-memory = {LIMIT}\n", encoding="utf-8")
        yield h


def kibibytes(pid, what):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.search(rf"{what}:\s*(\d+) kB", status.read())[1])


def is_sanitized():
    """Sanitizers keep freed memory, and shadow memory for everything."""
    libraries = subprocess.run(["ldd", BINARY], capture_output=True, check=False).stdout
    return b"libasan" in libraries or b"libtsan" in libraries


def test_a_line_that_needs_too_much_is_told_so_and_changes_nothing(home):
    with Terminal(home) as t:
        t.enter("(note c4 :q)")
        before = kibibytes(t.child.pid, "VmRSS")
        shown = " ".join(t.enter(TOO_MUCH).split())
        assert "budget-exceeded" in shown and f"({LIMIT} MiB)" in shown and "nothing was changed" in shown
        assert "3" in t.enter("(+ 1 2)")
        assert "1 note" in t.enter(":score --summary") or "1 measure" in t.text()
        if not is_sanitized():
            # Other threads and the terminal need less than the margin allowed here.
            assert kibibytes(t.child.pid, "VmHWM") - before < 2 * LIMIT * 1024
            t.wait_until(lambda: kibibytes(t.child.pid, "VmRSS") - before < LIMIT * 1024 // 2,
                         "the memory to be given back")


def test_a_client_over_the_memory_limit_gets_an_error_and_the_user_continues(home):
    with Terminal(home) as t, Client(home, "c") as c:
        request = {"id": "large", "method": "eval_preview", "params": {"text": TOO_MUCH}}
        c.file.write(json.dumps(request).encode() + b"\n")
        c.file.flush()
        answer = json.loads(c.file.readline())
        assert "budget-exceeded" in json.dumps(answer["error"]), answer
        assert f"{LIMIT} MiB" in json.dumps(answer["error"])
        assert "3" in t.enter("(+ 1 2)")
        if not is_sanitized():
            assert kibibytes(t.child.pid, "VmHWM") < (3 * LIMIT + 64) * 1024


def test_ctrl_c_stops_what_makes_notes(home):
    (home.folder / "config.toml").write_text("evaluation-memory = 2000\n", encoding="utf-8")
    with Terminal(home) as t:
        line = "(count (map (fn [i] (do (apply seq (map (fn [k] (note c4 :64)) (range 0 2000))) i)) (range 0 9000)))"
        t.start(line).type("ctrl-c").wait_for_prompt()
        assert "interrupted" in t.text() and "nothing was changed" in " ".join(t.text().split())
        assert "3" in t.enter("(+ 1 2)")


def test_commands_keep_to_it_too(home):
    run = subprocess.run([BINARY, "eval", "--json", "-e", TOO_MUCH], capture_output=True, timeout=PATIENCE,
                         env=home.environment(), check=False)
    assert run.returncode == 1
    fault = json.loads(run.stdout)["errors"][0]
    assert fault["code"] == "budget-exceeded" and f"({LIMIT} MiB)" in fault["message"]
    assert ADVICE in fault["hint"]
    program = home.path / "large.ferm"
    program.write_text(TOO_MUCH, encoding="utf-8")
    checked = subprocess.run([BINARY, "check", str(program)], capture_output=True, timeout=PATIENCE,
                             env=home.environment(), check=False)
    assert checked.returncode == 1 and f"({LIMIT} MiB)" in checked.stderr.decode()


def test_the_limit_is_a_setting_with_bounds(home):
    def config(*words):
        return subprocess.run([BINARY, "config", *words], capture_output=True, timeout=PATIENCE,
                              env=home.environment(), check=False)

    assert config("get", "evaluation-memory").stdout == b"64\n"
    assert config("set", "evaluation-memory", "8").returncode == 1
    assert config("set", "evaluation-memory", "512").returncode == 0
    assert "512" in (home.folder / "config.toml").read_text(encoding="utf-8")
    assert b"3" in run_script(home, "(+ 1 2)\n").stdout
