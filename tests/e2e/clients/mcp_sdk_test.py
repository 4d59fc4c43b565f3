"""The official TypeScript clients of both generations of the Model Context Protocol against the real
program, with a running session and without one."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest
from support.program import BINARY, PATIENCE, ROOT, Home
from support.session import Client, Session

NODE = shutil.which("node")
MODULES = pathlib.Path(os.environ.get("FERMATA_NODE", ROOT / "build" / "node"))

pytestmark = pytest.mark.skipif(
    not NODE, reason="node is not installed: the official clients are written for it (./dev setup)")

KINDS = ("v1", "v2-legacy", "v2-auto", "v2-modern")


def walk(kind, home, script="walk.mjs", *args):
    assert (MODULES / "node_modules").is_dir(), "run ./dev setup-node: the official clients are missing"
    done = subprocess.run([NODE, str(ROOT / "tests" / "mcp" / script), kind, *args, BINARY, "mcp"],
                          cwd=MODULES, env=home.environment(), capture_output=True,
                          timeout=2 * PATIENCE, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout.decode().splitlines()[-1])


@pytest.fixture(scope="module")
def session():
    with Home() as home, Session(home) as running:
        running.line('(measure (note c4 :w)) "made"')
        running.until('"made"')
        yield running


@pytest.mark.parametrize("kind", KINDS)
def test_an_official_client_walks_through_everything(kind, session):
    seen = walk(kind, session.home)
    assert seen["server"]["name"] == "fermata"
    assert seen["errors"] == []
    assert len(seen["tools"]) >= 15 and len(seen["prompts"]) == 5 and len(seen["templates"]) == 3
    if kind == "v2-modern" or kind == "v2-auto":
        assert seen["protocol"] == "2026-07-28"
        # Tools never change, so that capability is not declared.
        assert seen["streamEnded"] == "local"
    assert not seen["active"]["isError"]
    slug = seen["active"]["structured"]["session"]
    assert seen["sessions"]["structured"]["sessions"][0]["session"] == slug
    assert seen["preview"]["structured"]["output"] == "3"
    assert seen["message"]["structured"]["waiting"] >= 1
    assert seen["badValue"]["isError"]
    assert seen["badValue"]["structured"]["error"] == "out_of_range"
    assert not seen["wait"]["structured"]["changed"]
    assert seen["unknownTool"] == -32602 and seen["unknownResource"] == -32602
    assert seen["parallel"] == 50
    assert f"fermata://session/{slug}/score" in seen["resources"]
    if "honoured" in seen:
        assert seen["honoured"] == {"resourcesListChanged": True,
                                    "resourceSubscriptions": [f"fermata://session/{slug}/score"]}
    assert seen["read"] == "text/x-fermata" and seen["readMusicXml"] == "<?xml"
    assert seen["prompt"] and seen["completion"] == ["species"]
    assert seen["cancelled"] == "cancelled" and not seen["afterCancel"]


@pytest.mark.parametrize("kind", KINDS)
def test_an_official_client_is_told_how_to_start_a_session(kind):
    with Home() as home:
        seen = walk(kind, home)
    assert seen["active"]["isError"]
    assert seen["active"]["structured"]["error"] == "no_session"
    assert seen["resources"] == []
    assert seen["errors"] == []


@pytest.mark.parametrize("kind", ["v1", "v2-legacy", "v2-modern"])
@pytest.mark.parametrize("decision, outcome", [("accept", "accepted"), ("reject", "rejected"),
                                               ("later", "proposed"), ("decline", "proposed")])
def test_a_person_at_the_client_decides_about_a_proposal(kind, decision, outcome, session):
    with Client(session) as c:
        before = c.ask("get_session")
        seen = walk(kind, session.home, "decide.mjs", decision)
        after = c.ask("get_session")
    assert len(seen["forms"]) == 1 and "(measure (note g4 :w))" in seen["forms"][0]["message"]
    assert not seen["isError"] and seen["result"]["outcome"] == outcome
    changed = 1 if decision == "accept" else 0
    assert after["revision"] == before["revision"] + changed
    assert (seen["result"]["proposal"] in after["proposals"]) == (outcome == "proposed")
    if changed:
        with Client(session) as c:
            entry = c.ask("get_history", limit=1)["entries"][0]
        assert (entry["author"], entry["door"]) == (f"decide-{kind}", "mcp")


def test_messages_carry_the_name_of_the_client(session):
    walk("v1", session.home)
    session.line('"done"')
    session.until('"done"')
    entries = [e for e in session_history(session) if e["kind"] == "ai"]
    assert entries[-1]["author"] == "walk-v1" and entries[-1]["door"] == "mcp"


def session_history(session):
    with Client(session) as c:
        return c.ask("get_history", limit=20)["entries"]
