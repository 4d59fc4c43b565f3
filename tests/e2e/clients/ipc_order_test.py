"""Requests sent at once to the real program: each sees the results of those before it."""

import json

import pytest
from support.client import Client
from support.terminal import Terminal


def at_once(client, *requests, batch=False):
    """The results, in order; all requests are sent in one write."""
    all = [{"jsonrpc": "2.0", "id": i, "method": method, "params": params}
           for i, (method, params) in enumerate(requests)]
    lines = [all] if batch else all
    client.file.write(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    client.file.flush()
    replies = [json.loads(client.file.readline()) for _ in lines]
    replies = replies[0] if batch else replies
    assert [r["id"] for r in replies] == list(range(len(requests))), replies
    return [r["result"] for r in replies]


@pytest.mark.parametrize("batch", [False, True])
def test_what_stands_behind_a_switch_or_a_new_session_goes_there(home, batch):
    with Terminal(home) as t, Client(home, "claude") as c:
        t.enter(":ai allow")
        t.enter(":session new one")
        t.enter(":ai allow")
        t.enter(":session switch session-1")
        for _ in range(5):
            before = c.call("get_session", session="one")["revision"]
            switched, played = at_once(c, ("session_switch", {"session": "one"}),
                                       ("eval", {"text": "(note c4 :q)"}), batch=batch)
            assert (switched["session"], switched["before"]) == ("one", "session-1")
            assert (played["session"], played["after"]) == ("one", before + 1)
            there, back, asked, noticed = at_once(
                c, ("propose", {"text": "(note d4 :q)"}), ("session_switch", {"session": "session-1"}),
                ("propose", {"text": "(note e4 :q)"}), ("list_sessions", {}), batch=batch)
            assert (there["session"], asked["session"]) == ("one", "session-1")
            assert (back["changed"], back["before"]) == (True, "one")
            assert [s["session"] for s in noticed["sessions"] if s["active"]] == ["session-1"]
        made, said, back = at_once(c, ("session_create", {"name": "X"}), ("send_message", {"text": "for X"}),
                                   ("session_switch", {"session": "session-1"}), batch=batch)
        assert (made["session"], said["session"]) == ("x", "x")
        assert (back["before"], back["changed"]) == ("x", True)
        assert c.call("get_session", session="x")["queued"] == 1
        # None of it went into the user's session.
        assert c.call("get_session", session="session-1")["revision"] == 0


def test_a_save_and_a_message_know_of_the_evaluations_before_them(home):
    with Terminal(home) as t, Client(home, "claude") as c:
        t.enter(":ai allow")
        t.enter("(defn spin (n) (if (= n 0) 0 (spin (- n 1))))")
        first, said, second, saved, seen, tried = at_once(
            c, ("eval", {"text": "(spin 20000) (note e4 :q)"}), ("send_message", {"text": "after"}),
            ("eval", {"text": "(note f4 :q)"}), ("session_save", {}), ("get_session", {}),
            ("eval_preview", {"text": "(note g4 :q)"}))
        assert first["after"] == 1 and said["revision"] == 1
        assert second["after"] == 2
        assert saved["saved"] and saved["revision"] == 2
        assert seen["revision"] == 2 and tried["revision"] == 2
        kept = (home.session("session-1") / "history.jsonl").read_text()
        assert "(note f4 :q)" in kept
