"""Proposals with wrong numbers and ranges: the error says what is wrong, and nothing is accepted by mistake."""

import json

import pytest
from support.client import Client
from support.program import Home, run_script
from support.terminal import Terminal


FOUR = "(part :violin " + "(measure (note c5 :w)) " * 4 + ")"
RAISED = "(edit (measures 3 4) (fn [m] (transpose M2 m)))"
TWO_CHANGED = "(part :violin (measure (note d5 :w)) (measure (note e5 :w)))"

# The input while proposal 2 is open and 1 was rejected, and the message.
WRONG = [
    (":accept 3", "no such proposal: 3"),
    (":accept 0", "no such proposal: 0"),
    (":accept -1", "no such proposal: -1"),
    (":accept 99999999999999999999", "99999999999999999999"),
    (":accept two", "two"),
    (":accept 1", "Δ1 is already rejected"),
    (":accept Δ7", "no such proposal: 7"),
    (":accept 2 x", "x"),
    (":accept 2 0", "0"),
    (":accept 2 3-1", "3-1"),
    (":accept 2 -2:-3", "-2:-3"),
    (":accept 2 40-", "parts are added or removed as a whole"),
    (":accept 2 -", "-"),
    (":accept 2 1.5", "1.5"),
    (":accept 2 40-50", "parts are added or removed as a whole"),
    (":accept 2 99999999999", "99999999999"),
    (":accept 2 5 6", "Usage: :accept [N] [MEASURES]"),
    (":reject 9", "no such proposal: 9"),
    (":diff 9", "no such proposal: 9"),
    (":diff 1 2 3", "Usage: :diff"),
    (":diff 900 901", "no such entry: 900"),
    (":hear 9", "no such proposal: 9"),
    (":hear 2 3", "Usage: :hear [N]"),
    (":hear x", "x"),
]


@pytest.fixture(scope="module")
def waiting():
    with Home() as home, Terminal(home, columns=160, rows=50) as t, Client(home, "Claude") as c:
        t.enter(FOUR)
        c.call("eval", text="(def refused 1)")
        t.wait_for(r"Δ1\]")
        t.enter(":reject 1 no")
        made = c.call("eval", text=TWO_CHANGED)
        assert made["proposal"] == 2
        t.wait_for(r"Δ1\]")
        t.enter("(+ 1 1)")  # what the client did is shown too
        yield t


@pytest.mark.parametrize("line, said", WRONG, ids=[line for line, _ in WRONG])
def test_a_wrong_number_or_range_is_said_and_the_proposal_still_waits(waiting, line, said):
    before = waiting.enter(":score --summary").splitlines()[1:-1]
    shown = " ".join(waiting.enter(line).split(line, 1)[1].split())
    assert said in shown and "accepted" not in shown and "Did you mean `" not in shown.replace(said, "")
    assert waiting.prompt()["badge"].strip() == "Δ1"
    assert waiting.enter(":score --summary").splitlines()[1:-1] == before
    assert "c5" in waiting.enter(":score") and "d5" not in waiting.enter(":score violin 1-2")


def test_a_range_that_begins_inside_and_ends_outside_takes_what_there_is(home):
    with Terminal(home, columns=120) as t, Client(home, "Claude") as c:
        t.enter(FOUR)
        c.call("eval", text=RAISED)
        t.wait_for(r"Δ1\]")
        t.enter("(+ 1 1)")
        said = t.enter(":accept 1 4-900")
        assert "accepted Δ1 in part: 1 measure accepted, 1 left out" in said
        # A second above c is d.
        assert "c5" in t.enter(":score violin 3") and "d5" in t.enter(":score violin 4")
        # The rest is still open.
        assert "Violin, measure 3" in t.enter(":proposals")
        assert "accepted Δ1" in t.enter(":accept")
        assert "d5" in t.enter(":score violin 3") and "d5" in t.enter(":score violin 4")
        assert "no proposal is open" in t.enter(":accept")


def test_who_is_barred_by_name_stays_barred_when_all_are_let_in_again(home):
    with Terminal(home, columns=120) as t, Client(home, "claude") as c, Client(home, "other") as o:
        for line in (":ai off claude", ":ai off", ":ai allow"):
            t.enter(line)
        assert o.call("eval", text="(def from-other 1)")["outcome"] == "done"
        with pytest.raises(AssertionError, match="not_permitted"):
            c.call("eval", text="(part :violin (measure (note c5 :w)))")
        assert "claude: off" in t.enter(":ai")
        t.type("ctrl-d")
        t.wait_for_end()
    # And after a restart, from the checkpoint.
    with Terminal(home, columns=120) as t, Client(home, "claude") as c:
        t.enter(":ai off")
        t.enter(":session save")
        t.type("ctrl-d")
        t.wait_for_end()
    with Terminal(home, columns=120) as t, Client(home, "claude") as c:
        t.enter(":ai allow")
        with pytest.raises(AssertionError, match="not_permitted"):
            c.call("eval", text="(part :violin (measure (note c5 :w)))")
        assert "no client named `cluade` has connected yet; did you mean `claude`?" in t.enter(":ai off cluade")


def test_a_key_that_comes_again_with_another_request_is_refused(home):
    with Terminal(home, columns=120) as t, Client(home, "claude") as c:
        first = c.call("eval", text="(def a 1)", idempotency_key="k")
        assert c.call("eval", text="(def a 1)", idempotency_key="k") == first
        with pytest.raises(AssertionError, match="a different request"):
            c.call("eval", text="(def b 2)", idempotency_key="k")
        t.wait_for(r"Δ1\]")


def test_the_name_of_a_client_keeps_nothing_of_an_escape_sequence(home):
    with Terminal(home, columns=120) as t, Client(home, "\x1b[31mred\x1b[0m") as c:
        c.call("send_message", text="\x1b[31mhello")
        t.wait_for("✉1")
        assert "[red (ipc)]: hello" in t.enter("(+ 1 2)")
        assert "31m" not in t.text()


def test_a_client_proposes_also_while_what_is_typed_is_only_tried(home):
    with Terminal(home, columns=120) as t, Client(home, "claude") as c:
        t.enter(":scratch on")
        assert c.call("eval", text="(note c4 :q)")["outcome"] == "proposed"
        assert "1 note added" in c.call("propose", text="(note d4 :q)")["delta"]
        assert "1 note added" in c.call("eval_preview", text="(note e4 :q)")["delta"]
        t.enter(":ai allow")
        tried = c.call("eval", text="(note f4 :q)")
        assert (tried["outcome"], tried["changed"], tried["scratch"]) == ("done", False, True)
        assert c.call("get_session")["scratch"] and c.call("get_session")["revision"] == 0
        t.enter(":accept 1")
        assert c.call("get_session")["revision"] == 1
        with pytest.raises(AssertionError, match="the text contains no expression"):
            c.call("propose", text="; only a comment")


def test_who_stops_clients_is_told_where_they_go_on(home):
    with Terminal(home, columns=120) as t, Client(home, "claude") as c:
        t.enter(":session new other")
        t.enter(":ai allow")
        t.enter(":session switch session-1")
        assert "other (allow)" in t.enter(":ai off")
        assert c.call("eval", text="(note c4 :q)", session="other")["outcome"] == "done"
        t.enter(":session switch other")
        t.enter(":ai preview claude")
        assert "as for all clients" in t.enter(":ai default claude")
        assert c.call("eval", text="(note c4 :q)", session="other")["outcome"] == "done"
        assert "may still" not in t.enter(":ai off")
        with pytest.raises(AssertionError, match="not_permitted"):
            c.call("eval", text="(note c4 :q)", session="other")
    with Terminal(home, columns=120) as t, Client(home, "claude") as c:
        t.enter(":session switch other")
        assert "claude" not in t.enter(":ai")


@pytest.mark.parametrize("command", [":scratch on", ":key-inference on", ":time on", ":display compact",
                                     ":ai preview"])
def test_a_setting_that_changes_is_told_to_clients(home, command):
    with Terminal(home, columns=120) as t, Client(home, "claude") as c:
        c.call("events.subscribe", kinds=["settings"])
        t.enter(command)
        event = json.loads(c.file.readline())
        assert event["method"] == "events.event" and "settings" in event["params"]["what"]
