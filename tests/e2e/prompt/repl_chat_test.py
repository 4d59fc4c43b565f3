"""Messages from clients on the real socket: a badge while the user types, and at Enter all of them, in order."""

import re

from support.client import Client
from support.terminal import Terminal


def test_messages_wait_behind_a_badge_and_come_in_order_at_enter(home):
    with Terminal(home, rows=40) as t, Client(home, "Claude") as one, Client(home, "Other") as two:
        t.type("(+ 1 ")
        t.wait_for(r"\(\+ 1$")
        for i in range(5):
            (one if i % 2 == 0 else two).call("send_message", text=f"remark {i}")
            # The badge counts up, the entry number accounts for the entries before it, the line is kept.
            t.wait_for(rf"\[session-1 ✉{i + 1}\] In\[{i + 2}\]: \(\+ 1$")
            assert "remark" not in t.text()
        t.type("2)", "enter").wait_for(r"Out\[6\]: 3")
        t.wait_for_prompt(7)
        shown = re.findall(r"^\[(\d)\] \[(Claude|Other) .*\]: remark (\d)$", t.text(), re.M)
        assert shown == [(str(i + 1), "Claude" if i % 2 == 0 else "Other", str(i)) for i in range(5)]
        assert t.text().index("remark 4") < t.text().index("Out[6]")
        assert "✉" not in t.lines()[-1]
