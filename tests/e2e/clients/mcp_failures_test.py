"""`fermata mcp` and real instances when something unexpected happens: odd names, calls that are
cancelled, forms that outlive what they ask about, and instances that are stopped or have no socket."""

import subprocess

import pytest
from support.mcp_host import Host
from support.program import BINARY, Home
from support.session import Session

# Runs longer than any evaluation by a client may.
ENDLESS = ("(map (fn (x) (map (fn (y) (map (fn (z) (+ x y z)) (range 300))) (range 300)))"
           " (range 3000))")


@pytest.fixture
def home():
    with Home() as made:
        yield made


@pytest.fixture
def session(home):
    with Session(home) as running:
        yield running


def say(session, line):
    """Enters a line and returns when it is done."""
    session.line(line)
    session.line('"done"')
    return session.until('"done"')


def cancel(host, number):
    host.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})


# --- how the host is called --------------------------------------------------------------------------


@pytest.mark.parametrize("name", [
    "user", " user ", "you\0", "\x1b[1muser", "\u202euser", "user" + " " * 70 + "x", "SYSTEM\t", "\n", "me: you"])
def test_whatever_a_host_is_called_its_words_arrive_once_and_it_is_told_so(session, name):
    with Host(session.home.folder) as host:
        host.initialize(name=name)
        for number in (1, 2):
            result = host.tool("repl_send_message", {"text": f"hi {number}"})
            assert not result.get("isError"), result
            assert result["structuredContent"]["waiting"] == number
    shown = "".join(say(session, '"x"'))
    assert "hi 1" in shown and "hi 2" in shown
    # No client can use the user's name.
    assert not any(line.strip().lower().startswith(("user:", "you:", "system:")) for line in shown.split("\n"))


# --- what is cancelled ---------------------------------------------------------------------------------


def test_a_cancelled_preview_makes_room_for_the_next_call(session):
    with Host(session.home.folder) as host:
        host.initialize()
        number = host.request("tools/call", {"name": "repl_eval_preview", "arguments": {"text": ENDLESS}})
        cancel(host, number)
        result = host.tool("repl_eval_preview", {"text": "(+ 1 2)"})
        assert result["structuredContent"]["output"] == "3"
        assert host.is_silent()


def test_a_cancelled_evaluation_changes_nothing_and_frees_the_prompt(session):
    say(session, ":ai allow")
    with Host(session.home.folder) as host:
        host.initialize()
        before = host.tool("repl_get_session")["structuredContent"]
        numbers = [host.request("tools/call", {"name": "repl_eval", "arguments": {
            "text": f"(def big {ENDLESS}) (note f4 :w)"}}) for _ in range(2)]
        for number in numbers:
            cancel(host, number)
        say(session, "(+ 1 1)")
        after = host.tool("repl_get_session")["structuredContent"]
        assert after["revision"] == before["revision"] and "big" not in after["definitions"]
        assert host.is_silent()


# --- forms that outlive what they ask about ------------------------------------------------------------


def propose(host, text):
    """The number of the call, and of its form."""
    number = host.request("tools/call", {"name": "repl_propose", "arguments": {"text": text}})
    while True:
        form = host.read()
        if form.get("method") == "elicitation/create":
            return number, form["id"]
        assert form.get("id") != number, form


def answer(host, form, decision):
    host.send({"jsonrpc": "2.0", "id": form,
               "result": {"action": "accept", "content": {"decision": decision}}})


def result_of(host, number):
    while True:
        message = host.read()
        if message.get("id") == number and "result" in message:
            return message["result"]["structuredContent"]


def test_the_result_of_a_proposal_says_what_became_of_it_whoever_decided(session):
    with Host(session.home.folder) as host:
        host.initialize(capabilities={"elicitation": {}})
        for musician, form_says, outcome in [(":accept 1", "accept", "accepted"), (":accept 2", "later", "accepted"),
                                             (":reject 3", "later", "rejected"), (":reject 4", "accept", "rejected"),
                                             (":ai off", "accept", "proposed")]:
            number, form = propose(host, "(note d4 :q)")
            say(session, musician)
            answer(host, form, form_says)
            result = result_of(host, number)
            assert result["outcome"] == outcome and result["note"], (musician, result)
        assert result["proposal"] == 5
        say(session, ":ai ask")
        # Nothing was lost in between: the last one can still be accepted.
        assert host.tool("repl_get_session")["structuredContent"]["proposals"] == [5]


def test_a_fermata_that_dies_while_the_form_is_open_leaves_the_number_of_the_proposal(home):
    with Host(home.folder) as host:
        host.initialize(capabilities={"elicitation": {}})
        with Session(home) as session:
            number, form = propose(host, "(note d4 :q)")
            session.process.kill()
            session.process.wait()
            answer(host, form, "accept")
            error = result_of(host, number)
            assert error["error"] == "session_lost" and error["retryable"] is False
            assert error["proposal"] == 1 and error["outcome"] in ("proposed", "unknown")
            assert "again" in error["hint"]
        with Session(home):
            assert host.tool("repl_get_session")["structuredContent"]["proposals"] == [1]


# --- which Fermata ----------------------------------------------------------------------------------------


def test_a_session_may_be_called_like_a_measure(session):
    say(session, ':session new "6/8 jig"')
    say(session, ":session switch session-1")
    with Host(session.home.folder) as host:
        host.initialize()
        found = host.tool("repl_get_session", {"session": "6/8 jig"})["structuredContent"]
        assert found["name"] == "6/8 jig"
        assert host.tool("repl_get_session", {"session": "99999999/x"})["structuredContent"]["error"] == "stale_handle"


def test_more_sessions_than_a_page_holds_are_all_there(home):
    with Session(home) as first:
        many = {f"n{i}" for i in range(120)}
        for name in sorted(many):
            first.line(f":session new {name}")
        say(first, '"made"')
        with Host(home.folder, cwd="/") as host:
            host.initialize()
            seen, cursor = [], None
            while not seen or cursor:
                result = host.tool("repl_list_sessions", {"cursor": cursor} if cursor else {})
                assert len(result["content"][0]["text"]) <= 20_000
                seen += [row["session"] for row in result["structuredContent"]["sessions"]]
                cursor = result["structuredContent"].get("next_cursor")
            assert many <= set(seen) and len(seen) == result["structuredContent"]["total"]
            assert host.tool("repl_list_sessions", {"cursor": "x"})["structuredContent"]["error"] == "invalid_params"
            for name in ("n0", "n61", "n119"):
                found = host.tool("repl_get_session", {"session": name})["structuredContent"]
                assert found["session"] == name
            uris, cursor = [], ""
            while cursor is not None:
                page = host.ask("resources/list", {"cursor": cursor})["result"]
                uris += [row["uri"] for row in page["resources"]]
                cursor = page.get("nextCursor")
            assert {f"fermata://session/{name}/score" for name in many} <= set(uris)
            assert len(uris) == len(set(uris))
            found = host.ask("completion/complete", {
                "ref": {"type": "ref/resource", "uri": "fermata://session/{session}/score"},
                "argument": {"name": "session", "value": "n"}})["result"]["completion"]
            assert found["total"] == 120 and found["hasMore"] and len(found["values"]) == 100


class Unreachable(Session):
    """A Fermata that could not open its socket."""

    def find_socket(self):
        return None


def test_a_fermata_without_a_socket_is_not_said_to_be_none(home):
    (home.folder / "repl.sock").mkdir(parents=True)
    with Unreachable(home) as running, Host(home.folder) as host:
        host.initialize()
        error = host.tool("repl_get_score")["structuredContent"]
        assert error["error"] == "no_session"
        assert str(running.process.pid) in error["message"] and "is not a socket" in error["message"]
    with Host(home.folder) as host:
        host.initialize()
        assert host.tool("repl_get_score")["structuredContent"]["message"] == "no Fermata is running"


def test_a_fermata_whose_path_is_too_long_for_a_socket_is_not_said_to_be_none(home):
    long = home.folder / ("x" * 100)
    home.environment = lambda **more: {**Home.environment(home, **more), "FERMATA_HOME": str(long)}
    with Unreachable(home), Host(long) as host:
        host.initialize()
        assert "too long" in host.tool("repl_get_score")["structuredContent"]["message"]


def test_the_doctor_says_why_a_running_fermata_has_no_socket(home):
    (home.folder / "repl.sock").mkdir(parents=True)
    with Unreachable(home) as running:
        said = subprocess.run([BINARY, "doctor"], capture_output=True, text=True, env=home.environment(),
                              check=False).stdout
        assert f"process {running.process.pid} has no socket" in " ".join(said.split()), said
        assert f"{running.process.pid}.json was left" not in " ".join(said.split())
