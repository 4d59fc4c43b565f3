"""The README is true, line by line."""

import json
import os
import pathlib
import re
import subprocess

import pytest
from support.program import BINARY, PATIENCE, ROOT
from support.terminal import PROMPT, Terminal

README = (ROOT / "README.md").read_text(encoding="utf-8")


def session_to_type_along(name):
    """(prompt, input, resulting lines) of the block after <!-- name -->."""
    block = re.search(rf"<!-- {name} -->\n```\n(.*?)```", README, re.S)[1]
    steps = []
    for line in block.splitlines():
        if m := re.match(rf"({PROMPT}) (.*)", line):
            steps.append((m[1], m[m.lastindex], []))
        else:
            steps[-1][2].append(line)
    return steps


def as_pattern(line):
    """A line of the README as a pattern; `...` at its end matches anything, a line `...` any lines."""
    if line == "...":
        return r"(?:.*\n)*?"
    if line.endswith("..."):
        return re.escape(line[:-3]) + r".*\n"
    return re.escape(line) + r"\n"


@pytest.mark.parametrize("name", ["session", "staff"])
def test_what_is_typed_along_goes_as_the_readme_says(home, name):
    with Terminal(home, rows=60, columns=100) as t:
        for prompt, typed, expected in session_to_type_along(name):
            assert t.lines()[-1] == prompt, f"before {typed}"
            before = len(t.lines())
            if typed == ":quit":
                t.type(typed, "enter")
                assert t.wait_for_end() == 0
                continue
            t.enter(typed)
            shown = "".join(line + "\n" for line in t.lines()[before:-1])
            wanted = "".join(as_pattern(line) for line in expected)
            assert re.fullmatch(wanted, shown), f"{typed} gave:\n{shown}"


def test_the_commands_of_the_readme_work(home, tmp_path):
    section = README.split("## Files", 1)[1].split("\n## ", 1)[0]
    commands = re.findall(r"^    (.*)$", section, re.M)
    assert len(commands) >= 4
    (tmp_path / "song.ferm").write_text("(score (part :piano (measure (note c4 :w))))\n")
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    (bin_folder / "fermata").symlink_to(BINARY)
    environment = home.environment()
    environment["PATH"] = f"{bin_folder}{os.pathsep}{environment['PATH']}"
    for command in commands:
        done = subprocess.run(command, shell=True, cwd=tmp_path, env=environment, check=False,
                              capture_output=True, timeout=PATIENCE)
        assert done.returncode == 0, f"{command}: {done.stderr.decode()}"


def test_the_snippet_for_clients_is_json_and_names_a_command_that_there_is():
    snippet = json.loads(re.search(r"```json\n(.*?)```", README, re.S)[1])
    server = snippet["mcpServers"]["fermata"]
    assert server["command"] == "fermata"
    done = subprocess.run([BINARY, *server["args"], "--help"], capture_output=True, check=False,
                          timeout=PATIENCE)
    assert done.returncode == 0


def test_what_the_readme_points_at_exists():
    for path in re.findall(r"`(docs/[^`]+)`", README):
        assert (ROOT / path).exists(), path
    verbs = subprocess.run([str(ROOT / "dev"), "help"], capture_output=True, check=True,
                           timeout=PATIENCE).stdout.decode()
    for verb in re.findall(r"\./dev (\w+)", README):
        assert re.search(rf"^  {verb}\b", verbs, re.M), verb
    assert pathlib.Path(ROOT / "LICENSE").exists()
