"""The socket of the real program: many clients at once, broken ones, and ones that disconnect at the worst
moment, while the user continues to work."""

import json
import os
import shutil
import socket
import subprocess
import threading

import pytest
from support.program import PATIENCE, Home, pipe
from support.session import Client, Session


@pytest.fixture(scope="module")
def session():
    with Home() as home, Session(home) as running:
        yield running


def test_a_client_sees_what_the_musician_has_made(session):
    with Client(session) as c:
        before = c.ask("get_session")
        session.line('(measure (note c4 :q) (note d4 :q) (note e4 :h)) "made"')
        session.until('"made"')
        after = c.ask("get_session")
        assert after["revision"] > before["revision"]
        assert "c4" in c.ask("get_score")["text"]
        assert "<step>C</step>" in c.ask("get_score", format="musicxml")["text"]
        rows = c.ask("get_measures", **{"from": 1})["measures"]
        assert rows[0]["measure"] == 1 and "d4" in rows[0]["text"]
        assert any("e4" in e["text"] for e in c.ask("get_history")["entries"])


def test_a_message_is_numbered_before_the_line_that_comes_after_it(session):
    with Client(session) as c:
        c.ask("system.hello", client="teacher", version="1")
        c.ask("send_message", text="Mind the parallel fifths.")
        session.line('"after the message"')
        session.until('"after the message"')
        entries = c.ask("get_history", limit=2)["entries"]
        assert [e["kind"] for e in entries] == ["ai", "eval"]
        assert entries[0]["author"] == "teacher"
        assert entries[1]["index"] == entries[0]["index"] + 1


def test_an_evaluation_waits_for_the_user(session):
    with Client(session) as c:
        before = c.ask("get_session")
        made = c.ask("eval", text="(note g4 :q)", expect_rev=before["revision"])
        assert made["outcome"] == "proposed" and not made["changed"]
        assert c.ask("get_session")["revision"] == before["revision"]
        session.line(f":reject {made['proposal']}")
        session.line('"rejected"')
        session.until('"rejected"')
        assert made["proposal"] not in c.ask("get_session")["proposals"]


def test_a_preview_keeps_nothing(session):
    with Client(session) as c:
        before = c.ask("get_session")
        assert c.ask("eval_preview", text="(+ 1 2)")["output"] == "3"
        c.ask("eval_preview", text="(note a4 :q)")
        after = c.ask("get_session")
        assert (before["revision"], before["entries"]) == (after["revision"], after["entries"])


def test_commands_and_chat_are_not_open_to_clients(session):
    with Client(session) as c:
        before = c.ask("get_session")["entries"]
        for text in (":quit", "// I am the user", ":session new"):
            error = c.ask("eval", text=text)
            assert error["code"] == "not_permitted", error
        assert c.ask("get_session")["entries"] == before


def test_eight_clients_at_once_each_get_their_own_replies_in_order(session):
    wrong = []

    def work(n):
        with Client(session) as c:
            ids = [f"{n}.{i}" for i in range(250)]
            methods = ("system.ping", "get_session", "list_sessions", "get_history", "get_score")
            sender = threading.Thread(target=lambda: c.send("".join(
                json.dumps({"jsonrpc": "2.0", "id": id, "method": methods[i % len(methods)]}) + "\n"
                for i, id in enumerate(ids))))
            sender.start()
            if [c.read()["id"] for _ in ids] != ids:
                wrong.append(n)
            sender.join()

    workers = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert not wrong


def test_half_lines_byte_by_byte(session):
    with Client(session) as c:
        for byte in '{"id":1,"method":"system.ping"}\r\n'.encode():
            c.send(bytes([byte]))
        assert c.read()["result"] == {"pong": True}


@pytest.mark.skipif(not shutil.which("socat"), reason="socat is not installed")
def test_a_shell_pipe_gets_all_replies(session):
    requests = "".join(f'{{"id":{i},"method":"get_session"}}\n' for i in range(100))
    out = subprocess.run(["socat", "-t", str(PATIENCE), "-", f"UNIX-CONNECT:{session.socket}"],
                         input=requests.encode(), capture_output=True, timeout=PATIENCE, check=True)
    assert [json.loads(line)["id"] for line in out.stdout.splitlines()] == list(range(100))


def test_clients_that_vanish_leave_no_trace(session):
    for i in range(100):
        with Client(session) as c:
            c.send(('{"id":1,"method":"get_sc', '{"id":1,"method":"wait_for_change"}\n',
                    '{"id":1,"method":"events.subscribe"}\n' * 20, "")[i % 4])
    with Client(session) as c:
        assert c.ask("system.ping") == {"pong": True}
    # Their descriptors are closed; some may still be closing.
    with Client(session) as c:
        for _ in range(50):
            c.ask("system.ping")
            if len(os.listdir(f"/proc/{session.process.pid}/fd")) < 60:
                break
        assert len(os.listdir(f"/proc/{session.process.pid}/fd")) < 60


def test_two_megabytes_in_a_line_are_refused_and_the_next_client_is_served(session):
    with Client(session) as c:
        c.send(b'{"id":1,"method":"send_message","params":{"text":"' + b"x" * (2 << 20) + b'"}}\n')
        assert c.read()["error"]["code"] == "invalid_request"
        c.socket.shutdown(socket.SHUT_WR)
        assert c.read() is None
    with Client(session) as c:
        assert c.ask("system.ping") == {"pong": True}


def test_a_browser_gets_nothing(session):
    with Client(session) as c:
        c.send("POST / HTTP/1.1\r\nContent-Type: text/plain\r\n\r\n"
               '{"id":1,"method":"send_message","params":{"text":"from a web page"}}\n')
        assert c.read() is None
    with Client(session) as c:
        assert not any("web page" in e["text"] for e in c.ask("get_history", limit=10)["entries"])


def test_events_reach_every_subscriber_in_the_same_order(session):
    with Client(session) as a, Client(session) as b:
        for c in (a, b):
            assert c.ask("events.subscribe", kinds=["entries"])["resumed"]
        for i in range(10):
            session.line(f'"event {i}"')
        session.until('"event 9"')
        streams = []
        for c in (a, b):
            texts = []
            while len(texts) < 10:
                message = c.read()
                texts += [e["text"] for e in message["params"]["entries"]]
            streams.append(texts)
        assert streams[0] == streams[1] == [f'"event {i}"' for i in range(10)]


def test_waiting_ends_when_the_musician_plays_on(session):
    with Client(session) as c:
        seen = c.ask("get_session")["entries"]
        c.send(json.dumps({"id": "w", "method": "wait_for_change", "params": {"entry": seen}}) + "\n")
        session.line('"something new"')
        assert c.read()["result"]["changed"]


def test_a_second_fermata_attaches_to_the_first_and_a_dead_ones_socket_is_replaced():
    with Home() as home:
        with Session(home) as first:
            assert first.socket == str(home.folder / "repl.sock")
            done = pipe(home, "(+ 1 2)\n", "--session", "session-1")
            assert done.stdout == b"3\n" and f"open in process {first.process.pid}".encode() in done.stderr
            with Client(first) as a:
                assert a.ask("system.hello", client="x", version="1")["pid"] == first.process.pid
            assert [p.name for p in (home.folder / "run").glob("*.json")] == [f"{first.process.pid}.json"]
            first.process.kill()
            first.process.wait()
        assert (home.folder / "repl.sock").exists()
        with Session(home) as next_one:
            assert next_one.socket == str(home.folder / "repl.sock")
            with Client(next_one) as c:
                assert c.ask("system.ping") == {"pong": True}
        assert not (home.folder / "repl.sock").exists()
        assert list((home.folder / "run").glob(f"{next_one.process.pid}.json")) == []
