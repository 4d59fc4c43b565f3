"""One order: on the screen, in the history, in the numbers, whoever speaks at the same time."""

import re
import threading

import pytest
from support.client import Client
from support.program import Home
from support.terminal import Terminal

LINES = 25


@pytest.fixture
def home():
    with Home() as h:
        yield h


def timeline_on_screen(text):
    """(index, what) of everything numbered that is on the screen, in the order in which it stands
    there."""
    found = []
    for line in text.splitlines():
        if m := re.match(r"\[(\d+)\] \[(.+?) \(ipc\)\]: (.*)", line):
            found.append((int(m[1]), f"{m[2]}: {m[3]}"))
        elif m := re.match(r"Out\[(\d+)\]: (.*)", line):
            found.append((int(m[1]), f"= {m[2]}"))
    return found


def history(client):
    """The same of the session's history, over the socket."""
    found, cursor = [], None
    while True:
        page = client.call("get_history", **({"cursor": cursor} if cursor else {}), limit=10_000)
        for entry in page["entries"]:
            if entry["kind"] == "ai":
                found.append((entry["index"], f'{entry["author"]}: {entry["text"]}'))
            elif entry["kind"] == "eval":
                found.append((entry["index"], f'= {entry["output"]}'))
        cursor = page.get("next_cursor") or page.get("cursor")
        if not cursor:
            return found


@pytest.mark.parametrize("clients, messages", [(8, 12), (64, 3)])
def test_many_clients_and_a_typist_make_one_timeline_without_gaps(home, clients, messages):
    with Terminal(home, rows=40, columns=120) as t:
        start = threading.Barrier(clients + 1)
        failures = []

        def talk(name):
            try:
                with Client(home, name) as c:
                    start.wait()
                    for i in range(messages):
                        c.call("send_message", text=f"message {i}")
            except Exception as e:  # shown below, in the test's own thread
                failures.append(e)
                start.abort()

        threads = [threading.Thread(target=talk, args=(f"client{k}",)) for k in range(clients)]
        for thread in threads:
            thread.start()
        start.wait()
        for i in range(LINES):
            t.type(f"(* {i} {i})", "enter")
            t.wait_for(rf"^Out\[\d+\]: {i * i}$")
        for thread in threads:
            thread.join()
        assert not failures
        t.type("(quote the-end)", "enter")
        t.wait_for(r"^Out\[\d+\]: the-end$")
        t.wait_for_prompt()

        screen = timeline_on_screen(t.text())
        with Client(home) as c:
            recorded = history(c)

    assert screen == recorded
    indices = [i for i, _ in screen]
    assert indices == list(range(1, LINES + 1 + clients * messages + 1))
    # Nobody's messages overtake each other.
    for k in range(clients):
        own = [what for _, what in screen if what.startswith(f"client{k}: ")]
        assert own == [f"client{k}: message {i}" for i in range(messages)]


def test_words_never_interrupt_a_line_and_the_badge_counts_them(home):
    with Terminal(home) as t, Client(home, "Claude") as c:
        t.type("(+ 1")
        t.wait_for(r"\(\+ 1$")
        c.call("send_message", text="try B flat")
        t.wait_for(r"^\[session-1 ✉1\] In\[2\]: \(\+ 1$")
        assert "try B flat" not in t.text()
        t.type(" 2)", "enter")
        t.wait_for_prompt(3)
        assert t.lines()[-4:] == [
            "[session-1 ✉1] In[2]: (+ 1 2)",
            "[1] [Claude (ipc)]: try B flat",
            "Out[2]: 3",
            "[session-1] In[3]:",
        ]


def test_words_that_would_steer_the_terminal_do_not(home):
    with Terminal(home) as t, Client(home, "Mallory") as c:
        c.call("send_message", text="\x1b[2J\x1b]0;title\x07\x9b31mred\x1b[0m\nsecond line")
        t.wait_for("✉1")
        t.type("enter")
        t.wait_for(r"^\[1\] \[Mallory \(ipc\)\]: red\n +second line$")
        assert b"\x1b]0;" not in t.bytes
        assert "Fermata" in t.text(), "the screen was cleared"


def test_what_a_client_evaluates_with_leave_is_shown_before_the_next_line(home):
    with Terminal(home) as t, Client(home, "Claude") as c:
        t.enter(":ai allow")
        t.type("(+ 1")
        t.wait_for(r"\(\+ 1$")
        c.call("eval", text="(note g4 :q)")
        t.wait_for(r"In\[3\]: \(\+ 1$")
        t.type(" 2)", "enter")
        t.wait_for_prompt(4)
        text = t.text()
        assert re.search(r"^In\[2\]: \(note g4 :q\) +; Claude \(ipc\)$", text, re.M)
        assert text.index("Out[2]: (note g4 :q)") < text.index("Out[3]: 3")


def test_queries_are_answered_while_somebody_types_and_while_something_runs(home):
    with Terminal(home) as t, Client(home) as c:
        t.type("(half a li")
        t.wait_for("half a li")
        assert c.call("get_score")
        t.type("ctrl-c").wait_for_prompt()
        t.type("(reduce + 0 (map (fn [x] (reduce + 0 (range 1000000))) (range 1000000)))", "enter")
        t.wait_until(lambda: t.cursor()[1] == 0, "the start")
        assert c.call("list_sessions")
        t.type("ctrl-c")
        t.wait_for(r"Err\[1\]: cancelled")


def test_three_prompts_on_one_home_and_clients_do_not_get_in_each_others_way(home):
    with Terminal(home, rows=40, columns=120) as a:
        a.enter("(def x 1)")
        with Terminal(home, rows=40, columns=120) as b, Terminal(home, rows=40, columns=120) as c, \
                Client(home, "One") as one, Client(home, "Two") as two:
            names = [t.prompt()["session"] for t in (a, b, c)]
            assert names == ["session-1", "session-2", "session-3"]
            # One that another has is only looked at.
            b.type(":session switch session-1", "enter").wait_for(r"^\[session-1 read-only\] In\[2\]:$")
            assert "nothing can be changed here" in b.enter("(def x 2)")
            b.type(":session switch session-2", "enter").wait_for(r"^\[session-2\] In\[\d+\]:$")
            # What clients say goes to the one they are connected to, and counts there.
            for i in range(3):
                one.call("send_message", text=f"alpha {i}")
                two.call("send_message", text=f"beta {i}")
            a.wait_for(r"^\[session-1 \u27096\] In\[8\]:$")
            a.enter("x")
            screen = timeline_on_screen(a.text())
            assert screen == history(one)
            assert [what for _, what in screen[1:-1]] == [
                f"{who}: {words} {i}" for i in range(3) for who, words in (("One", "alpha"), ("Two", "beta"))]
            for t in (b, c):
                assert "\u2709" not in t.enter("(+ 1 2)") and "alpha" not in t.text()
            # Nobody puts away what another one has open, but everybody their own.
            assert "is open in another process" in a.enter(":session archive session-2")
            a.enter(":session archive")
            # It goes when everybody has left it, and is said to be there when it is.
            a.wait_for(r"^\[session-4\] In\[2\]:$")
            assert "Session session-1 was moved to the archive" in a.text()
            assert (home.folder / "archive" / "session-1" / "meta.json").exists()
            assert "session-1 is back" in b.enter(":session unarchive session-1")
            b.type(":session switch session-1", "enter").wait_for(r"^\[session-1\] In\[\d+\]:$")
            assert re.search(r"Out\[\d+\]: 1$", b.enter("x"), re.M)
            for t in (c, a, b):
                t.type(":quit", "enter")
                assert t.wait_for_end() == 0
