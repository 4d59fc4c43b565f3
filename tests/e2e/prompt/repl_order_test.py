"""One order: on the screen, in the history and in the entry numbers, whoever sends something at the same time."""

import re
import threading

import pytest
from support.client import Client
from support.terminal import Terminal

LINES = 25


def timeline_on_screen(text):
    """(index, what) of everything numbered on the screen, in the order in which it appears
    there."""
    found = []
    for line in text.splitlines():
        if m := re.match(r"\[(\d+)\] \[(.+?) \(ipc\)\]: (.*)", line):
            found.append((int(m[1]), f"{m[2]}: {m[3]}"))
        elif m := re.match(r"Out\[(\d+)\]: (.*)", line):
            found.append((int(m[1]), f"= {m[2]}"))
    return found


def history(client):
    """The same for the session's history, over the socket."""
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
    # Messages of one client never overtake each other.
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


def test_what_a_client_evaluates_with_permission_is_shown_before_the_next_line(home):
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
        t.start("(reduce + 0 (map (fn [x] (reduce + 0 (range 1000000))) (range 1000000)))")
        assert c.call("list_sessions")
        t.type("ctrl-c")
        t.wait_for(r"Err\[1\]: cancelled")


def test_three_windows_and_clients_make_one_timeline_and_each_window_shows_it(home):
    with Terminal(home, rows=50, columns=120) as a, Terminal(home, rows=50, columns=120) as b, \
            Terminal(home, rows=50, columns=120) as c, Client(home, "One") as one, Client(home, "Two") as two:
        assert [t.prompt()["session"] for t in (a, b, c)] == ["session-1"] * 3
        # Messages of clients wait until a line is entered in any window, which adds them to the timeline.
        for i in range(3):
            one.call("send_message", text=f"alpha {i}")
            two.call("send_message", text=f"beta {i}")
        c.enter("(+ 1 0)")
        for number, (t, value) in enumerate(((a, 2), (b, 3), (c, 4)), 9):
            t.type(f"(+ {value} 0)", "enter")
            for window in (a, b, c):
                window.wait_for_prompt(number)
        expected = history(one)
        assert [what for _, what in expected] == [
            f"{who}: {words} {i}" for i in range(3) for who, words in (("One", "alpha"), ("Two", "beta"))
        ] + ["= 1", "= 2", "= 3", "= 4"]
        for t in (a, b, c):
            assert timeline_on_screen(t.text()) == expected, t.text()
        # A window that switches to another session is independent of the others.
        b.enter(":session new Aside")
        b.enter("(def x 1)")
        assert "unknown-name" in a.enter("x")
        assert "unknown-name" in c.enter("x")
        for t in (c, a, b):
            t.type(":quit", "enter")
            assert t.wait_for_end() == 0
