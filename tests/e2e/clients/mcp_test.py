"""`fermata mcp` as a process: its output is only protocol, how it exits, and instances that are absent,
slow, more than one, or die at the worst moment."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time

import pytest
from support.mcp_host import Host
from support.repl_stub import ReplStub


@pytest.fixture
def home():
    # Short, because the address of a Unix socket has at most 107 bytes.
    with tempfile.TemporaryDirectory(prefix="fermata-") as folder:
        yield pathlib.Path(folder)


def test_everything_static_is_answered_without_a_running_fermata(home):
    with Host(home) as host:
        assert host.ask("server/discover", modern=True)["result"]["supportedVersions"] == ["2026-07-28"]
        assert host.initialize()["protocolVersion"] == "2025-11-25"
        for modern in (False, True):
            assert len(host.ask("tools/list", modern=modern)["result"]["tools"]) >= 15
            assert len(host.ask("prompts/list", modern=modern)["result"]["prompts"]) >= 5
            assert host.ask("resources/list", modern=modern)["result"]["resources"] == []
        # And nothing was created.
        assert list(home.iterdir()) == []


def test_it_loads_no_library_but_those_of_c(home):
    # Hosts keep one running for every conversation, for days; each library costs half a megabyte.
    with Host(home) as host:
        host.initialize()
        maps = pathlib.Path(f"/proc/{host.process.pid}/maps").read_text()
    loaded = {pathlib.Path(line.split()[-1]).name for line in maps.splitlines() if ".so" in line}
    if not any(name.startswith(("libasan", "libtsan")) for name in loaded):
        assert {name.split(".")[0] for name in loaded} <= {"libc", "libm", "ld-linux-x86-64"}


def test_broken_input_is_answered_and_survived(home):
    with Host(home) as host:
        for line in (b"nonsense\n", b"[]\n", b"\xff\xfe\n", b'{"jsonrpc":"2.0"}\n', b"7\r\n",
                     b'{"a":' * 10000 + b"\n"):
            host.write(line)
            reply = host.read()
            assert "error" in reply and "id" not in reply
        host.write(b"\n\r\n")
        assert host.ask("ping")["result"] == {}


def test_whoever_gave_an_id_is_answered_under_it(home):
    with Host(home) as host:
        for number, line in ((1, '{"jsonrpc":"2.0","id":1}'), ("a", '{"id":"a","params":{}}')):
            host.write(line + "\n")
            reply = host.read()
            assert reply["id"] == number and reply["error"]["code"] == -32600


def test_a_line_that_is_too_long_is_passed_over_and_the_next_one_read(home):
    with Host(home) as host:
        limit = 16 * 1024 * 1024
        assert host.ask("ping")["result"] == {}
        for more in (1, 3 * limit):
            host.write(b"x" * (limit + more) + b"\n")
            error = host.read()["error"]
            assert error["code"] == -32600 and str(limit) in error["message"]
            assert host.ask("ping")["result"] == {}
        # A line of exactly that length is read: it is not JSON.
        host.write(b"x" * limit + b"\n")
        assert host.read()["error"]["code"] == -32700
        host.process.stdin.close()
        assert host.read() is None
        host.wait_for_end()
        assert host.process.returncode == 0


def test_lines_may_come_in_pieces_with_crlf_and_inside_a_character(home):
    with Host(home) as host:
        line = '{"jsonrpc":"2.0","id":"♯","method":"ping"}\r\n'.encode()
        for i in range(len(line)):
            host.write(line[i:i + 1])
        assert host.read()["id"] == "♯"


@pytest.mark.parametrize("how", ["eof", signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_ends_at_once_also_while_a_call_waits(home, how):
    stub = ReplStub(home)
    stub.answers["wait_for_change"] = lambda request: threading.Event().wait()
    with Host(home) as host:
        host.initialize()
        host.request("tools/call", {"name": "repl_wait_for_change", "arguments": {}})
        stub.wait_for("wait_for_change")
        if how == "eof":
            host.process.stdin.close()
            # Nobody knows when something will happen, so it reports at once that nothing has.
            assert host.read()["result"]["structuredContent"]["error"] == "timed_out"
        else:
            host.process.send_signal(how)
        host.wait_for_end()
        assert host.process.returncode == 0
    stub.die()


def test_a_call_that_takes_its_time_is_answered_after_the_input_has_ended(home):
    stub = ReplStub(home)
    gate = threading.Event()

    def slow(_):
        gate.wait()
        return {"slow": True}

    stub.answers["get_score"] = slow
    with Host(home) as host:
        host.initialize()
        asked = host.request("tools/call", {"name": "repl_get_score", "arguments": {}})
        stub.wait_for("get_score")
        host.process.stdin.close()
        with pytest.raises(subprocess.TimeoutExpired):
            host.process.wait(0.5)
        gate.set()
        answer = host.read()
        assert answer["id"] == asked and answer["result"]["structuredContent"]["slow"]
        assert host.read() is None
        host.wait_for_end()
        assert host.process.returncode == 0 and host.process.stderr.read() == b""
    stub.die()


@pytest.mark.parametrize("input_ends", [True, False])
def test_it_ends_at_once_when_nobody_reads_the_answer_to_a_slow_call(home, input_ends):
    stub = ReplStub(home)
    gate = threading.Event()

    def slow(_):
        gate.wait()
        return {"slow": True}

    stub.answers["get_score"] = slow
    with Host(home) as host:
        host.initialize()
        host.request("tools/call", {"name": "repl_get_score", "arguments": {}})
        stub.wait_for("get_score")
        if input_ends:
            host.process.stdin.close()
        host.process.stdout.close()
        # While the call is still waiting.
        host.wait_for_end()
        assert host.process.returncode == 1
        assert "the answers to 1 calls" in host.process.stderr.read().decode()
    gate.set()
    stub.die()


def test_replies_under_way_still_go_out_when_the_input_ends(home):
    stub = ReplStub(home)
    with Host(home) as host:
        for _ in range(20):
            host.request("tools/call", {"name": "repl_get_session", "arguments": {}})
        # The hello and twenty more.
        stub.wait_until(lambda: stub.answered == 21)
        host.process.stdin.close()
        assert sorted(host.read()["id"] for _ in range(20)) == list(range(1, 21))
        assert host.read() is None
        host.wait_for_end()
    stub.die()


def test_a_host_that_reads_late_gets_every_answer_whole(home):
    with Host(home) as host:
        host.initialize()
        # Enough to fill several pipes.
        wanted = [host.request("tools/list") for _ in range(20)]
        host.process.stdin.close()
        with pytest.raises(subprocess.TimeoutExpired):
            host.process.wait(0.5)
        assert [host.read()["id"] for _ in wanted] == wanted
        assert host.read() is None
        host.wait_for_end()
        assert host.process.returncode == 0 and host.process.stderr.read() == b""


@pytest.mark.parametrize("how", ["leaves", signal.SIGTERM])
def test_answers_that_nobody_took_are_no_success(home, how):
    with Host(home) as host:
        host.initialize()
        for _ in range(20):
            host.request("tools/list")
        host.read()
        host.process.stdin.close()
        if how == "leaves":
            host.process.stdout.close()
        else:
            host.process.send_signal(how)
        host.wait_for_end()
        assert host.process.returncode == 1
        said = host.process.stderr.read().decode()
        assert "cannot write to standard output" in said and "did not receive" in said


def test_a_host_that_closes_its_end_is_left(home):
    with Host(home) as host:
        host.process.stdout.close()
        host.process.stdout = open(os.devnull, "rb")
        for _ in range(3):
            try:
                host.request("tools/list")
            except BrokenPipeError:
                break
        host.wait_for_end()
        assert host.process.returncode is not None


def test_a_fermata_that_starts_later_is_found_by_the_next_call(home):
    with Host(home) as host:
        host.initialize()
        result = host.tool("repl_get_score")
        assert result["isError"] and result["structuredContent"]["error"] == "no_session"
        assert result["structuredContent"]["sessions"] == []
        stub = ReplStub(home)
        assert host.tool("repl_get_score")["structuredContent"]["of"] == "stub"
        stub.die()


def test_a_restarted_fermata_is_found_again_and_a_query_is_repeated(home):
    stub = ReplStub(home, instance="first")
    with Host(home) as host:
        host.initialize()
        assert host.tool("repl_get_score")["structuredContent"]["of"] == "first"

        second = []

        def die(_):
            second.append(ReplStub(home, instance="second", pid=os.getppid(), name="run/2.sock"))
            stub.die()
            return {}

        stub.answers["get_score"] = die
        assert host.tool("repl_get_score")["structuredContent"]["of"] == "second"
        second[0].die()


def test_a_write_whose_fermata_died_is_not_repeated(home):
    stub = ReplStub(home, instance="first")
    with Host(home) as host:
        host.initialize()
        host.tool("repl_get_session")

        second = []

        def die(_):
            second.append(ReplStub(home, instance="second", pid=os.getppid(), name="run/2.sock"))
            stub.die()
            return {}

        stub.answers["eval"] = die
        result = host.tool("repl_eval", {"text": "(note c4 :q)"})
        assert result["isError"]
        assert result["structuredContent"]["error"] == "session_lost"
        assert result["structuredContent"]["outcome"] == "unknown"
        assert [r for r in second[0].asked if r["method"] == "eval"] == []
        second[0].die()


def test_files_that_a_crash_left_behind_are_no_fermata(home):
    stub = ReplStub(home)
    stub.die(leave_files=True)
    with Host(home) as host:
        host.initialize()
        assert host.tool("repl_get_score")["structuredContent"]["error"] == "no_session"


def test_among_several_none_is_picked_silently(home):
    a = ReplStub(home, pid=os.getpid(), cwd="/a", name="repl.sock", instance="a")
    b = ReplStub(home, pid=os.getppid(), cwd=str(home), name="run/b.sock", instance="b")
    with Host(home, cwd="/") as host:
        host.initialize()
        result = host.tool("repl_get_score")
        assert result["structuredContent"]["error"] == "several_instances"
        assert {i["instance"] for i in result["structuredContent"]["instances"]} == {
            str(os.getpid()), str(os.getppid())}
        named = host.tool("repl_get_score", {"session": f"{os.getpid()}/main"})
        assert named["structuredContent"]["of"] == "a"
        assert named["structuredContent"]["instance"] == str(os.getpid())
    # In the folder of one of them, that one is used.
    with Host(home, cwd=str(home)) as host:
        host.initialize()
        result = host.tool("repl_get_score")["structuredContent"]
        assert result["of"] == "b" and "note" in result
    with Host(home, cwd="/", env={"CLAUDE_PROJECT_DIR": "/a"}) as host:
        host.initialize()
        assert host.tool("repl_get_score")["structuredContent"]["of"] == "a"
    a.die()
    b.die()


def test_a_cancelled_call_is_never_answered(home):
    stub = ReplStub(home)
    with Host(home) as host:
        host.initialize()
        gate = threading.Event()

        def wait(_):
            gate.wait()
            return {"session": "main"}

        stub.answers["wait_for_change"] = wait
        waiting = host.request("tools/call", {"name": "repl_wait_for_change", "arguments": {}})
        stub.wait_for("wait_for_change")
        host.send({"jsonrpc": "2.0", "method": "notifications/cancelled",
                   "params": {"requestId": waiting}})
        gate.set()
        # Later calls are answered; this one is not.
        assert host.tool("repl_get_session")["structuredContent"]["of"] == "stub"
        assert host.is_silent()
    stub.die()


def test_a_slow_call_does_not_hold_up_others(home):
    stub = ReplStub(home)
    gate = threading.Event()

    def slow(_):
        gate.wait()
        return {"slow": True}

    stub.answers["get_score"] = slow
    with Host(home) as host:
        host.initialize()
        first = host.request("tools/call", {"name": "repl_get_score", "arguments": {}})
        assert host.tool("repl_get_session")["structuredContent"]["of"] == "stub"
        gate.set()
        assert host.read()["id"] == first
    stub.die()


def test_subscribers_hear_of_changes_and_of_fermatas_that_come_and_go(home):
    with Host(home) as host:
        host.initialize()
        host.ask("resources/subscribe", {"uri": "fermata://session/main/score"})
        stub = ReplStub(home)
        # One notification that there is another instance, one to read the subscribed resource again; in any order.
        first, second = sorted((host.read(), host.read()), key=lambda m: m["method"])
        assert first["method"] == "notifications/resources/list_changed"
        assert second == {"jsonrpc": "2.0", "method": "notifications/resources/updated",
                          "params": {"uri": "fermata://session/main/score"}}
        stub.send(stub.connections[0], {"jsonrpc": "2.0", "method": "events.event", "params": {
            "subscription": 1, "session": "main", "what": ["score"], "entries": []}})
        assert host.read()["method"] == "notifications/resources/updated"
        stub.die()
        assert host.read()["method"] == "notifications/resources/list_changed"


def test_one_result_of_hundreds_of_kilobytes_comes_whole(home):
    stub = ReplStub(home)
    text = "♯\"\\\n" * 60000
    stub.answers["get_score"] = lambda _: {"text": text}
    with Host(home) as host:
        host.initialize()
        result = host.tool("repl_get_score")
        assert result["structuredContent"]["text"] == text
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    stub.die()


def test_a_thousand_calls_in_flight_are_all_answered(home):
    stub = ReplStub(home)
    with Host(home) as host:
        host.initialize()
        ids = {host.request("tools/call", {"name": "repl_get_session", "arguments": {}})
               for _ in range(1000)}
        assert {host.read()["id"] for _ in range(1000)} == ids
    stub.die()


def test_another_major_version_of_the_protocol_is_said(home):
    stub = ReplStub(home)

    original = stub._answer

    def answer(conn, request):
        if request["method"] == "system.hello":
            stub.send(conn, {"jsonrpc": "2.0", "id": request["id"], "error": {
                "code": -32602, "message": "protocol 1.0.0 is not supported",
                "data": {"name": "invalid_params", "hint": "update the older side"}}})
        else:
            original(conn, request)

    stub._answer = answer
    with Host(home) as host:
        host.initialize()
        result = host.tool("repl_get_score")
        assert result["isError"]
        assert "not supported" in result["structuredContent"]["message"]
        # It exists: reporting that none is running would mislead the user.
        assert result["structuredContent"]["error"] == "invalid_params"
        assert host.tool("repl_send_message", {"text": "x"})["isError"]
    # If the hello is refused, no request is sent after it.
    assert {r["method"] for r in stub.asked} == {"system.hello"}
    stub.die()
