"""A part can be named by the word it was created with, at the prompt and by clients."""

import pytest
from support.client import Client
from support.program import run_script
from support.terminal import Terminal


@pytest.mark.parametrize("word, printed", [("cello", "Violoncello"), ("double-bass", "Contrabass")])
def test_what_a_part_was_made_with_names_it(home, word, printed):
    made = f"(part :{word} (measure (note c3 :w)) (measure (note d3 :w)))"
    with Terminal(home, columns=110, rows=40) as t, Client(home, "claude") as c:
        t.enter(made)
        t.enter("(part :flute (measure (note g5 :w)))")
        for name in (word, printed):
            shown = t.enter(f":score {name}")
            assert "d3" in shown and "g5" not in shown
            assert "there is no part" not in t.enter(f":score {name} --staff")
            assert "In[1]" in t.enter(f":blame 1 {name}")
            listed = t.enter(f":history --part {name}")
            assert "In[1]: (part" in listed and ":flute" not in listed
            assert "d3" in c.call("get_score", part=name)["text"]
            assert [e["index"] for e in c.call("get_history", part=name)["entries"]] == [1]


def test_a_part_that_never_was_is_said_to_be_none(home):
    script = "(part :cello (measure (note c3 :w)))\n:history --part nope\n:history --part cello --errors\n"
    done = run_script(home, script)
    assert b"no part `nope` exists, now or earlier" in done.stderr, done
    assert b"The only part is Violoncello." in done.stderr
    assert b"no matching entries" in done.stdout
    with Terminal(home), Client(home, "claude") as c:
        with pytest.raises(AssertionError, match="no part `nope` exists, now or earlier"):
            c.call("get_history", part="nope")
