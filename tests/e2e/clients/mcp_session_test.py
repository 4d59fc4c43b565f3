"""`fermata mcp` with a real session."""

import json

import pytest
from support.mcp_host import Host
from support.program import Home
from support.session import Client, Session


@pytest.fixture(scope="module")
def session():
    with Home() as home, Session(home) as running:
        running.line("(score (part :piano " + "(measure (note c4 :q) (note d4 :q) (note e4 :h))" * 700 + ')) "made"')
        running.until('"made"')
        yield running


@pytest.fixture
def host(session):
    with Host(session.home.folder) as h:
        h.initialize()
        yield h


def test_no_result_is_longer_than_what_clients_take_and_pages_join(session, host):
    for i in range(40):
        session.line('"' + str(i) + r" quoted \\ and more" * 60 + '"')
    session.line('"all of it"')
    session.until('"all of it"')
    for tool, arguments, many in [("repl_get_score", {}, True),
                                  ("repl_get_score", {"format": "musicxml"}, True),
                                  ("repl_get_measures", {"from": 1, "to": 700}, True),
                                  ("repl_get_history", {"limit": 1000}, True),
                                  ("repl_list_sessions", {}, False), ("repl_get_session", {}, False),
                                  ("repl_analyze", {}, False)]:
        pages, cursor = 0, None
        while pages == 0 or cursor:
            result = host.tool(tool, {**arguments, **({"cursor": cursor} if cursor else {})})
            assert not result.get("isError"), result
            assert len(result["content"][0]["text"]) <= 20_000, tool
            assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
            cursor = result["structuredContent"].get("next_cursor")
            pages += 1
        assert (pages > 1) == many, tool


@pytest.mark.parametrize("tool", ["repl_send_message", "repl_eval_preview", "repl_eval", "repl_propose"])
@pytest.mark.parametrize("text", ["x" * 1_100_000, "\x01" * 200_000, '"' * 1_100_000],
                         ids=["long", "grows in JSON", "doubles in JSON"])
def test_a_call_that_makes_too_long_a_line_is_refused_before_it_is_sent(session, host, tool, text):
    waiting = host.tool("repl_get_session")["structuredContent"]["queued"]
    result = host.tool(tool, {"text": text})
    error = result["structuredContent"]
    assert result["isError"] and error["error"] == "out_of_range", error
    assert error["data"]["max"] == 1_048_576 and error["data"]["got"] > 1_048_576
    assert error["retryable"] is False and "outcome" not in error
    assert "1048576" in error["message"] and error["hint"]
    # The same Fermata is still running, and nothing has changed.
    assert host.tool("repl_get_session")["structuredContent"]["queued"] == waiting


def test_the_list_of_resources_changes_when_a_session_appears(session, host):
    before = {r["uri"] for r in host.ask("resources/list")["result"]["resources"]}
    session.line(":session new Nocturne")
    message = host.read()
    assert message["method"] == "notifications/resources/list_changed"
    after = {r["uri"] for r in host.ask("resources/list")["result"]["resources"]}
    assert any("nocturne" in uri for uri in after - before)
    session.line(":session switch session-1")
    session.line('"back"')
    session.until('"back"')


def test_a_key_makes_a_repeated_write_harmless_over_a_new_connection(session):
    tickets = set()
    for _ in range(2):
        with Host(session.home.folder) as host:
            host.initialize()
            result = host.tool("repl_send_message", {"text": "once", "idempotency_key": "abc"})
            tickets.add(result["structuredContent"]["ticket"])
    assert len(tickets) == 1


def test_waiting_ends_when_the_musician_plays_on(session, host):
    seen = host.tool("repl_get_active_session")["structuredContent"]["entries"]
    waiting = host.request("tools/call", {"name": "repl_wait_for_change", "arguments": {"entry": seen}})
    session.line('"something new"')
    reply = host.read()
    assert reply["id"] == waiting and reply["result"]["structuredContent"]["changed"]


def test_every_failed_call_says_how_to_go_on(session, host):
    for tool, arguments, error in [
        ("repl_get_session", {"session": "sesion-1"}, "not_found"),
        ("repl_get_measures", {"from": 0}, "out_of_range"),
        ("repl_get_measures", {}, "invalid_params"),
        ("repl_get_measures", {"from": 9999}, "out_of_range"),
        ("repl_eval", {"text": "(+ 1 motiff)"}, "eval_error"),
        ("repl_eval", {"text": "(note c4)", "expect_rev": 99999}, "conflict"),
        ("repl_undo", {}, "not_permitted"),
        ("repl_get_score", {"cursor": "made up"}, "invalid_params"),
        ("repl_send_message", {"text": ""}, "out_of_range"),
        ("repl_get_score", {"format": "pdf"}, "invalid_params"),
    ]:
        result = host.tool(tool, arguments)
        content = result["structuredContent"]
        assert result["isError"], (tool, arguments)
        assert content["error"] == error, content
        assert content["message"] and content["hint"], content
        assert content["hint"] in result["content"][0]["text"]


def test_what_the_musician_forbids_stays_undone(session, host):
    with Client(session) as c:
        before = c.ask("get_session")["revision"]
        session.line(":ai off")
        session.line('"off"')
        session.until('"off"')
        for tool, arguments in [("repl_eval", {"text": "(note c4)"}), ("repl_propose", {"text": "(note c4)"}),
                                ("repl_send_message", {"text": "x"}), ("repl_session_create", {})]:
            assert host.tool(tool, arguments)["structuredContent"]["error"] == "not_permitted", tool
        assert c.ask("get_session")["revision"] == before
        session.line(":ai ask")
        session.line('"on"')
        session.until('"on"')
