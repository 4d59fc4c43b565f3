"""The statements in docs/ipc.md, one by one, with the real program and a real socket."""

import json
import os
import pathlib
import signal
import socket
import stat
import threading

import pytest
from support.mcp_host import Host
from support.program import Home, run_script
from support.session import Client, Session
from support.terminal import Terminal


@pytest.fixture(scope="module")
def session():
    with Home() as home, Session(home) as running:
        yield running


@pytest.fixture
def client(session):
    with Client(session) as c:
        yield c


def rpc(client, message):
    client.send(json.dumps(message) + "\n")
    return client.read()


# --- envelopes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 7, -1, 2**53, "a", "", "♯", None])
def test_an_id_comes_back_as_it_was(client, number):
    assert rpc(client, {"id": number, "method": "system.ping"}) == {"id": number, "result": {"pong": True}}
    assert rpc(client, {"jsonrpc": "2.0", "id": number, "method": "system.ping"}) == {
        "jsonrpc": "2.0", "id": number, "result": {"pong": True}}


def test_the_two_envelopes_spell_the_same_error_each_in_its_way(client):
    short = rpc(client, {"id": 1, "method": "get_session", "params": {"session": "nowhere"}})["error"]
    full = rpc(client, {"jsonrpc": "2.0", "id": 1, "method": "get_session",
                        "params": {"session": "nowhere"}})["error"]
    assert short["code"] == "not_found" and full["code"] == -32002
    assert full["data"]["name"] == "not_found"
    assert short["message"] == full["message"]


def test_notifications_are_done_and_never_answered(session, client):
    client.send('{"jsonrpc":"2.0","method":"no.such.method"}\n'
                '{"jsonrpc":"2.0","method":"send_message","params":{"text":"quietly"}}\n')
    # The next reply is for the next request, and the message is there.
    assert client.ask("get_session")["queued"] >= 1
    session.line('"shown"')
    session.until('"shown"')
    assert any(e["text"] == "quietly" for e in client.ask("get_history", limit=5)["entries"])


def test_a_batch_is_one_array_of_the_replies_that_are_wanted(client):
    client.send(json.dumps([
        {"jsonrpc": "2.0", "id": "a", "method": "system.ping"},
        {"jsonrpc": "2.0", "method": "system.ping"},
        {"jsonrpc": "2.0", "id": 0, "method": "nonsense"},
        7,
    ]) + "\n")
    replies = client.read()
    assert [r.get("id") for r in replies] == ["a", 0, None]
    assert replies[0]["result"] == {"pong": True}
    assert replies[1]["error"]["code"] == -32601 and replies[2]["error"]["code"] == -32600
    # A batch of notifications alone has no reply; an empty one is no request (JSON-RPC 2.0, 6).
    client.send('[{"jsonrpc":"2.0","method":"system.ping"}]\n[]\n')
    assert client.read()["error"]["code"] == -32600


LINE = 1_048_576


def batch_of(method, count, **params):
    return json.dumps([{"jsonrpc": "2.0", "id": i, "method": method, "params": params} for i in range(count)]) + "\n"


@pytest.mark.parametrize("count", [1, 230, 256])
def test_the_replies_of_a_batch_are_one_line_that_is_no_longer_than_any_other(client, count):
    # One reply has about 36,000 bytes: 256 of them would fill nine lines.
    client.send(batch_of("rpc.discover", count))
    line = client.lines.readline()
    assert 0 < len(line) <= LINE + 1
    replies = json.loads(line)
    assert [r["id"] for r in replies] == list(range(count))
    late = [r["error"] for r in replies if "error" in r]
    assert len(late) < count and (count == 1) == (not late)
    for error in late:
        assert error["code"] == -32004 and error["data"]["max"] == LINE and error["data"]["hint"]
    assert client.ask("system.ping") == {"pong": True}


def test_three_long_pages_in_a_batch_do_not_make_a_longer_line():
    with Home() as home, Session(home) as session, Client(session) as client:
        session.line("(score (part :piano " + "(measure (note c4 :q) (note d4 :q) (note e4 :h))" * 700 + ')) "made"')
        session.until('"made"')
        page = {"format": "musicxml", "limit": 400_000}
        one = len(client.ask("get_score", **page)["text"])
        assert 3 * one > LINE, one
        client.send(batch_of("get_score", 3, **page))
        line = client.lines.readline()
        assert len(line) <= LINE + 1
        # Any of the three may be the last to be ready.
        assert sorted("error" in r for r in json.loads(line)) == [False, False, True]
        assert client.ask("system.ping") == {"pong": True}


def test_events_of_texts_that_grow_in_json_are_no_longer_than_a_line():
    with Home() as home, Session(home) as session, Client(session) as client:
        for i in range(60):
            # Each byte takes six; the text begins with visible characters.
            assert "ticket" in client.ask("send_message", text="x" + "\x01" * 31_999), i
            if i % 20 == 19:
                session.line(f'"shown {i}"')
                session.until(f'"shown {i}"')
        client.send(json.dumps({"id": "s", "method": "events.subscribe", "params": {"since": 0}}) + "\n")
        last = client.read()["result"]["entries"]
        indices = []
        while not indices or indices[-1] < last:
            line = client.lines.readline()
            assert 0 < len(line) <= LINE + 1
            for entry in json.loads(line)["params"]["entries"]:
                indices.append(entry["index"])
                assert entry["kind"] != "ai" or entry["truncated"]
        assert indices == list(range(1, last + 1))


@pytest.mark.parametrize("text", [" ", "\t\n \r\n", "\u00a0\u3000", "\u200b", "\x1b[31m"])
def test_a_message_of_blanks_alone_is_refused(client, text):
    before = client.ask("get_session")["queued"]
    assert client.ask("send_message", text=text)["code"] == "invalid_params"
    assert client.ask("get_session")["queued"] == before


def test_one_client_too_many_is_told_so_and_let_in_later():
    with Home() as home, Session(home) as session:
        clients = []
        try:
            while len(clients) < 300:
                c = Client(session)
                clients.append(c)
                try:
                    c.send('{"id":1,"method":"system.ping"}\n')
                except BrokenPipeError:
                    pass  # refused and closed already; what was sent before can still be read
                reply = c.read()
                if "error" in reply:
                    break
            assert reply["id"] is None and reply["error"]["code"] == "busy", len(clients)
            assert reply["error"]["data"]["max"] == len(clients) - 1
            # Closed, with a reset if there was unread data.
            try:
                assert c.lines.readline() == b""
            except ConnectionResetError:
                pass
            assert clients[0].ask("system.ping") == {"pong": True}
            with Host(home.folder) as host:
                host.initialize()
                refused = host.tool("repl_get_session")["structuredContent"]
                assert "clients are already connected" in refused["message"] and refused["retryable"] is True
                for c in clients:
                    c.__exit__()
                clients.clear()
                # As soon as it has noticed that they disconnected.
                while host.tool("repl_get_session").get("isError"):
                    pass
        finally:
            for c in clients:
                c.__exit__()


def test_parameters_go_by_position_too_and_null_is_not_given(client):
    client.ask("send_message", text="x")
    assert rpc(client, {"jsonrpc": "2.0", "id": 1, "method": "eval_preview", "params": ["(+ 1 2)"]})[
        "result"]["output"] == "3"
    assert "result" in rpc(client, {"id": 1, "method": "get_session", "params": {"session": None}})


def test_tools_and_methods_have_the_same_names(client):
    assert client.ask("repl_get_session") == client.ask("get_session")


# --- errors ---------------------------------------------------------------------------------------

WRONG = [
    ('{"id":1,"method":"get_scroe"}', "method_not_found", {"nearest": "get_score"}),
    ('{"id":1,"method":"get_session","params":{"sesion":"x"}}', "invalid_params", {"nearest": "session"}),
    ('{"id":1,"method":"send_message","params":{}}', "invalid_params", {"param": "text"}),
    ('{"id":1,"method":"send_message","params":{"text":7}}', "invalid_params",
     {"param": "text", "got": 7}),
    ('{"id":1,"method":"get_measures","params":{"from":0}}', "out_of_range",
     {"param": "from", "min": 1, "got": 0}),
    ('{"id":1,"method":"get_session","params":{"session":"sesion-1"}}', "not_found", {}),
    ('{"id":1,"method":"eval","params":{"text":"1","expect_rev":999}}', "conflict", {"revision": 0}),
    ('{"id":1,"method":"eval_preview","params":{"text":"(+ 1 motiff)"}}', "eval_error",
     {"code": "unknown-name", "span": [5, 11], "line": 1, "column": 6}),
    ('{"id":1,"method":"eval","params":{"text":":quit"}}', "not_permitted", {}),
    ('{"id":1,"method":"undo"}', "not_permitted", {}),
    ('{"id":1,"method":"answer_proposal","params":{"proposal":1,"accept":true}}', "not_permitted", {}),
    ('{"id":1,"method":7}', "invalid_request", {}),
    ('{"id":1}', "invalid_request", {}),
    ("no json", "parse_error", {}),
    ('{"id":1,"method":"system.hello","params":{"client":"x","version":"1","protocol_version":"9.0.0"}}',
     "invalid_params", {"param": "protocol_version", "expected": "1.0.0"}),
]


def test_each_error_says_what_where_and_what_to_do_next():
    with Home() as home, Session(home) as fresh, Client(fresh) as c:
        for line, code, data in WRONG:
            c.send(line + "\n")
            error = c.read()["error"]
            assert error["code"] == code, (line, error)
            assert error["message"] and error["data"]["hint"], (line, error)
            for name, value in data.items():
                assert error["data"].get(name) == value, (line, error)
        assert c.ask("get_session")["entries"] == 1, "nothing of it was done"


def test_bytes_that_are_no_utf8_are_refused_with_their_place(client):
    client.send(b'{"id":1,"method":"send_message","params":{"text":"\xff"}}\n')
    error = client.read()["error"]
    assert error["code"] == "parse_error" and "UTF-8" in error["message"]
    assert client.ask("system.ping") == {"pong": True}


def test_ten_thousand_nested_lists_are_refused(client):
    client.send('{"id":1,"method":"eval_preview","params":{"text":' + json.dumps(
        "(" * 10000 + ")" * 10000) + "}}\n" + "[" * 10000 + "\n")
    assert client.read()["error"]["data"]["code"] == "nesting-too-deep"
    assert client.read()["error"]["code"] == "parse_error"
    assert client.ask("system.ping") == {"pong": True}


# --- sizes ----------------------------------------------------------------------------------------


def test_a_line_of_just_a_mebibyte_is_taken_and_one_byte_more_is_not(session):
    head, tail = '{"id":1,"method":"system.ping","params":{"pad":"', '"}}'
    for size, fits in ((1 << 20, True), ((1 << 20) + 1, False)):
        with Client(session) as c:
            c.send(head + "x" * (size - len(head) - len(tail)) + tail + "\n")
            error = c.read()["error"]
            assert error["code"] == ("invalid_params" if fits else "invalid_request")
            if not fits:
                c.socket.shutdown(socket.SHUT_WR)
                assert c.read() is None


def test_a_long_score_comes_in_pages_that_join_without_gap():
    with Home() as home, Session(home) as s, Client(s) as c:
        s.line("(score (part :piano " + "(measure (note c4 :8) (note d4 :8) (note e4 :q) (note f4 :h))" * 800
               + ')) "made"')
        s.until('"made"')
        first, pages, cursor = 1, 0, None
        while True:
            page = c.ask("get_score", **({"cursor": cursor} if cursor else {}))
            assert page["from"] == first and len(json.dumps(page)) < 20_000
            pages, first, cursor = pages + 1, page["to"] + 1, page.get("next_cursor")
            if not cursor:
                break
        assert first == 801 and pages > 2
        # MusicXML of the whole score is larger than a line: it is also paged, and never exceeds the limit.
        c.send('{"id":1,"method":"get_score","params":{"format":"musicxml","limit":400000}}\n')
        line = c.lines.readline()
        assert len(line) <= (1 << 20) + 1 and json.loads(line)["result"]["next_cursor"]
        assert c.ask("get_score", cursor="made up")["code"] == "invalid_params"


def test_a_long_timeline_comes_in_pages_that_join_without_gap():
    with Home() as home, Session(home) as s, Client(s) as c:
        for i in range(60):
            s.line(f'"{i} {"x" * 700}"')
        s.until('"59 ')
        seen, cursor = [], None
        while True:
            page = c.ask("get_history", limit=1000, **({"cursor": cursor} if cursor else {}))
            assert len(json.dumps(page)) < 20_000
            seen += [e["index"] for e in page["entries"]]
            cursor = page.get("next_cursor")
            if not cursor:
                break
        assert seen == list(range(1, page["total"] + 1))


# --- files ----------------------------------------------------------------------------------------


def test_only_this_user_can_reach_the_socket(session):
    path = pathlib.Path(session.socket)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE((path.parent / "run").stat().st_mode) == 0o700
    record = json.loads((path.parent / "run" / f"{session.process.pid}.json").read_text())
    assert record["socket"] == str(path) and record["protocol_version"] == "1.0.0"
    assert "tcp" not in record


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_another_user_is_rejected_even_if_file_permissions_allow_access():
    with Home() as home, Session(home) as s:
        path = pathlib.Path(s.socket)
        home.path.chmod(0o755)
        path.parent.chmod(0o755)
        path.chmod(0o666)
        child = os.fork()
        if child == 0:
            os.setuid(65534)
            try:
                with Client(s) as c:
                    c.send('{"id":1,"method":"system.ping"}\n')
                    os._exit(0 if c.read() is None else 1)
            except OSError:
                os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        with Client(s) as c:
            assert c.ask("system.ping") == {"pong": True}


def test_what_a_killed_fermata_left_is_replaced():
    with Home() as home:
        with Session(home) as s:
            s.process.send_signal(signal.SIGKILL)
            s.process.wait()
        assert (home.folder / "repl.sock").exists()
        with Session(home) as s, Client(s) as c:
            assert s.socket == str(home.folder / "repl.sock")
            assert c.ask("system.ping") == {"pong": True}


# --- readers and writers that do not keep up --------------------------------------------------------


def test_a_reader_that_falls_behind_holds_up_nobody_and_gets_everything_later():
    with Home() as home, Session(home) as s, Client(s) as behind, Client(s) as other:
        # A receive window as small as possible; unread data waits on the server.
        behind.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for c in (behind, other):
            assert c.ask("events.subscribe", kinds=["entries"])["subscription"]
        text = "x" * 4900
        lines = 1200  # two copies of each text: twelve megabytes
        printed = threading.Thread(target=s.until, args=('"the end"',))
        printed.start()  # the output of the session must be read as well

        def write():
            for _ in range(lines):
                s.line(f'"{text}"')
            s.line('"the end"')

        writing = threading.Thread(target=write)
        writing.start()

        def take(client, seen):
            seen += client.read()["params"]["entries"]

        seen, seen_late = [], []
        while not seen or seen[-1]["text"] != '"the end"':
            before = len(seen)
            take(other, seen)
            # A client that reads nothing for half a minute is disconnected, so it reads a little now and then.
            if len(seen) // 200 > before // 200:
                take(behind, seen_late)
        writing.join()
        printed.join()
        assert len(seen_late) < len(seen) == lines + 1
        while len(seen_late) < len(seen):
            take(behind, seen_late)
        assert seen_late == seen
        assert behind.ask("system.ping") == {"pong": True}


def test_who_comes_back_gets_all_that_was_promised_though_nothing_else_happens():
    with Home() as home:
        lines = 300  # of ten kilobytes each in an event
        done = run_script(home, "".join(f'"{i:04}{"x" * 4800}"\n' for i in range(lines)))
        assert done.returncode == 0
        with Session(home) as s, Client(s) as c, Client(s) as other:
            total = lines + 1  # and one that Session enters when it starts
            assert c.ask("events.subscribe", since=1, kinds=["entries"])["resumed"]
            other.ask("send_message", text="no entry yet")
            indices = []
            while not indices or indices[-1] < total:
                indices += [e["index"] for e in c.read()["params"]["entries"]]
            assert indices == list(range(2, total + 1))


def test_a_client_that_vanishes_inside_a_line_does_not_send_it(session):
    with Client(session) as c:
        before = c.ask("get_session")["queued"]
        with Client(session) as other:
            other.send('{"id":1,"method":"send_message","params":{"text":"half"')
        with Client(session) as other:
            other.send('{"id":1,"method":"send_message","params":{"text":"whole"}}')
            other.socket.shutdown(socket.SHUT_WR)  # the last line needs no LF when it is complete
            assert other.read()["result"]["waiting"] == before + 1
            assert other.read() is None
        assert c.ask("get_session")["queued"] == before + 1


def test_replies_keep_the_order_of_requests_unless_asked_otherwise(client):
    client.send('{"id":1,"method":"wait_for_change","params":{"revision":1000000,"timeout":0.3}}\n'
                '{"id":2,"method":"system.ping"}\n')
    assert [client.read()["id"], client.read()["id"]] == [1, 2]
    client.send('{"id":3,"method":"wait_for_change","params":{"revision":1000000,"timeout":0.3},"unordered":true}\n'
                '{"id":4,"method":"system.ping"}\n')
    assert [client.read()["id"], client.read()["id"]] == [4, 3]


# --- events ---------------------------------------------------------------------------------------


def test_after_a_reconnect_nothing_is_missing(session):
    with Client(session) as c:
        c.ask("events.subscribe", kinds=["entries"])
        session.line('"before the break"')
        session.until('"before the break"')
        last = None
        while last is None or last["text"] != '"before the break"':
            last = c.read()["params"]["entries"][-1]
        seen = last["index"]
    for i in range(120):
        session.line(f'"missed {i}"')
    session.until('"missed 119"')
    with Client(session) as c:
        assert c.ask("events.subscribe", kinds=["entries"], since=seen)["resumed"]
        texts, numbers = [], []
        while len(texts) < 120:
            event = c.read()["params"]
            texts += [e["text"] for e in event["entries"]]
            numbers.append(event["number"])
        assert texts == [f'"missed {i}"' for i in range(120)]
        assert numbers == list(range(1, len(numbers) + 1))
        # An entry that this session does not have: an error instead of a gap.
        assert not c.ask("events.subscribe", since=1_000_000)["resumed"]


def test_a_stream_tells_when_a_session_comes(client):
    client.ask("events.subscribe", kinds=["sessions"])
    with_name = client.ask  # the reply to the creation comes in order with the event
    client.send('{"id":"new","method":"session_create","params":{"name":"Second thoughts"}}\n')
    got = [client.read(), client.read()]
    event = next(m for m in got if m.get("method") == "events.event")
    assert event["params"]["what"] == ["sessions"]
    made = next(m for m in got if m.get("id") == "new")["result"]["session"]
    assert made in [s["session"] for s in with_name("list_sessions")["sessions"]]
    with_name("session_switch", session="session-1")


def test_the_same_key_again_does_nothing_again(session):
    with Client(session) as c:
        c.ask("system.hello", client="teacher", version="1")
        first = c.ask("send_message", text="once", idempotency_key="k1")
    with Client(session) as c:  # after a reconnect, because the reply may have been lost
        c.ask("system.hello", client="teacher", version="1")
        again = c.ask("send_message", text="once", idempotency_key="k1")
        assert again["ticket"] == first["ticket"] and again["waiting"] == first["waiting"]
        assert c.ask("send_message", text="once", idempotency_key="k2")["ticket"] == first["ticket"] + 1
        one = c.ask("eval", text="(note c4)", idempotency_key="e1")
        assert c.ask("eval", text="(note c4)", idempotency_key="e1") == one


def test_the_analysis_names_keys_chords_cadences_and_faults_by_measure():
    # I - IV - V - I in C major for four voices, from a harmony textbook's first exercise; the last
    # measure moves two fifths in parallel.
    with Home() as home, Session(home) as s, Client(s) as c:
        s.line("(score (part :choir (measure (chord (c3 g3 e4 c5) :w)) (measure (chord (f3 a3 c4 f4) :w))"
               " (measure (chord (g3 b3 d4 g4) :w)) (measure (chord (c3 g3 e4 c5) :w)))) \"made\"")
        s.until('"made"')
        all_of_it = c.ask("analyze")
        assert all_of_it["key"]["name"] == "c major"
        assert [(r["measure"], r["numeral"]) for r in all_of_it["chords"]] == [
            (1, "I"), (2, "IV"), (3, "V"), (4, "I")]
        assert [(r["measure"], r["kind"]) for r in all_of_it["cadences"]] == [(4, "authentic")]
        assert (3, "parallel fifths") in [(r["measure"], r["fault"]) for r in all_of_it["voice_leading"]]
        some = c.ask("analyze", what=["chords"], **{"from": 3})
        assert [r["measure"] for r in some["chords"]] == [3, 4] and "key" not in some
        assert c.ask("analyze", what=["colour"])["code"] in ("invalid_params", "type_mismatch")


def test_the_analysis_refuses_quarter_tones_and_names_the_first():
    with Home() as home, Session(home) as s, Client(s) as c:
        s.line("(score (part :flute (measure (note c5 :w)) (measure (note e+5 :w)) (measure (note c5 :w))))"
               " \"made\"")
        s.until('"made"')
        refused = c.ask("analyze")
        assert refused["code"] == "failed" and "e+5 in measure 2" in refused["message"]
        assert "code" not in c.ask("analyze", **{"from": 3})


def test_nothing_waits_for_enter():
    with Home() as home, Terminal(home) as t:
        record = json.loads(next((home.folder / "run").glob("*.json")).read_text())

        class Running:
            socket = record["socket"]

        t.type("(half a li")
        t.wait_for("half a li")
        with Client(Running) as c:
            for method in ("get_score", "get_history", "get_session", "list_sessions", "system.ping"):
                assert "code" not in c.ask(method), method
        t.type("ctrl-c").wait_for_prompt()
        t.start("(reduce + 0 (map (fn [x] (reduce + 0 (range 1000000))) (range 1000000)))")
        with Client(Running) as c:
            for method in ("get_score", "get_history", "get_session", "list_sessions", "system.ping"):
                assert "code" not in c.ask(method), method
            # An evaluation by a client does not wait for the user's either.
            assert c.ask("eval_preview", text="(+ 1 2)")["output"] == "3"
        t.type("ctrl-c")
        t.wait_for(r"cancelled")
