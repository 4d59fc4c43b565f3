"""The tutorial: typing what it shows leads to its end, and none of the user's data is touched."""

import re

import pytest
from support.program import run_script
from support.terminal import Terminal


def asked_for(t, step):
    """What the lesson asks the user to type: the indented lines at its end."""
    t.wait_for(rf"^{step} of 13: ")
    t.wait_until(lambda: re.search(r"\[tutorial[^\]]*\] In\[\d+\]:$", t.text()), "the prompt")
    lesson = t.text().rsplit(f"\n{step} of 13: ", 1)[1]
    return [line[4:] for line in lesson.splitlines() if line.startswith("    ")]


def test_the_first_ten_minutes(home):
    with Terminal(home, rows=50) as t:
        t.enter("(def mine 7)")
        t.type(":tutorial", "enter")
        for step in range(1, 14):
            lines = asked_for(t, step)
            assert lines
            for line in lines:
                # Not with the indentation: the prompt adds its own.
                t.type(line.strip(), "enter")
        t.wait_for("That was the tutorial")
        t.wait_for(r"^\[session-1\] In\[\d+\]:$")
        assert re.search(r"Out\[\d+\]: 7", t.enter("mine"))
        assert "empty" in t.enter(":score")
        assert "unknown-name" in t.enter("motif")
        # The timeline of the session contains only what was typed.
        assert "transpose" not in t.enter(":history").split(":history", 1)[1]


def test_what_a_session_said_when_it_was_opened_is_not_said_again_behind_the_tutorial(home):
    run_script(home, "(note c4 :q)\n")
    file = home.session() / "score.ferm"
    file.write_text(file.read_text().replace("c4", "e4"))
    with Terminal(home, rows=70, columns=160) as t:
        t.wait_for("edited outside")
        t.type(":tutorial", "enter")
        asked_for(t, 1)
        t.type(":tutorial off", "enter").wait_for(r"^\[session-1\] In\[\d+\]:$")
        t.enter("(+ 1 2)")
        assert t.text().count("edited outside") == 1


def test_something_else_does_not_pass_a_step_and_gets_a_hint(home):
    with Terminal(home, rows=50) as t:
        t.type(":tutorial", "enter")
        asked_for(t, 1)
        t.type("(+ 1 2)", "enter").wait_for("Not yet: Type the form with both parentheses")
        t.type(":tutorial skip", "enter")
        asked_for(t, 2)
        t.type(":tutorial 5", "enter")
        asked_for(t, 5)
        t.type(":tutorial off", "enter").wait_for(r"^\[session-1\] In\[\d+\]:$")
        assert "not a step of the tutorial" in t.enter(":tutorial 99")
        assert "not running" in t.enter(":tutorial off")


# Valid input that is not what the step asks for.
BESIDE = {1: "(+ 1 2)", 2: "(transpose M3 (note c4 :q))", 3: "(def other 5)", 4: "(retrograde (seq (note c4 :q)))",
          5: "(seq (note c4 :q) (note d4 :q))", 6: "(note c4 :q)", 7: ":help note", 8: "(note c4 :q)", 9: ":score",
          10: ":midi devices", 11: ":redo", 12: "(+ 1 2)", 13: ":help history"}


@pytest.mark.parametrize("step", range(1, 14))
def test_each_step_waits_for_the_right_thing_whatever_else_is_typed(home, step):
    with Terminal(home, rows=60) as t:
        t.type(":tutorial", "enter")
        asked_for(t, 1)
        # What the later steps refer to.
        t.type("(note c4 :q)", "enter")
        asked_for(t, 2)
        t.type(":tutorial 3", "enter")
        asked_for(t, 3)
        t.type("(def motif (seq (note g4 :8) (note eb4 :h)))", "enter")
        asked_for(t, 4)
        if step != 4:
            t.type(f":tutorial {step}", "enter")
        lines = asked_for(t, step)
        hints = t.text().count("Not yet: ")

        def lessons():
            return len(re.findall(rf"^{step + 1} of 13: ", t.text(), re.M))

        lessons_before = lessons()

        def said(count):
            t.wait_until(lambda: t.text().count("Not yet: ") == hints + count and t.prompt(), f"hint {count}")

        t.type(BESIDE[step], "enter")
        said(1)
        # An empty line is not an answer, and there is no message.
        number = int(t.prompt()["number"])
        t.type("enter").wait_until(lambda: len(re.findall(rf"In\[{number}\]:", t.text())) >= 2, "a fresh line")
        t.type("enter").wait_until(lambda: len(re.findall(rf"In\[{number}\]:", t.text())) >= 3, "a fresh line")
        assert t.text().count("Not yet: ") == hints + 1
        mistakes = 0
        if step != 6:  # where the step asks for an error
            t.type("(transposed M3 motif)", "enter").wait_for(r"Err\[\d+\]: unknown-form")
            mistakes = 1
            said(2)
        t.type(":session info", "enter")
        said(2 + mistakes)
        t.type(":nonsense", "enter")
        said(3 + mistakes)
        # The lesson was shown once, and none of this completes it.
        assert lessons() == lessons_before
        for line in lines:
            t.type(line.strip(), "enter")
        if step == 13:
            t.wait_for("That was the tutorial")
        else:
            t.wait_until(lambda: lessons() > lessons_before, "the next lesson")


@pytest.mark.parametrize("leave", ["ctrl-d", "kill"])
def test_whoever_comes_back_to_the_tutorial_leaves_it_for_where_they_were_before(home, leave):
    with Terminal(home, rows=60) as t:
        t.enter("(def mine 7)")
        t.type(":session new Second", "enter").wait_for(r"^\[second\] In\[\d+\]:$")
        t.type(":tutorial", "enter")
        asked_for(t, 1)
        if leave == "kill":
            t.kill()
        else:
            t.type(leave)
            t.wait_for_end()
    # By name: the session used last is recorded separately, and a kill may come before that.
    with Terminal(home, "--session", "tutorial", rows=60) as t:
        t.type(":tutorial", "enter")
        asked_for(t, 1)
        t.type(":tutorial off", "enter").wait_for(r"^\[second\] In\[\d+\]:$")
        # A session that was archived meanwhile is not created again.
        t.type(":tutorial", "enter")
        asked_for(t, 1)
    run_script(home, ":session delete second --yes\n", "--session", "session-1")
    with Terminal(home, "--session", "tutorial", rows=60) as t:
        t.type(":tutorial", "enter")
        asked_for(t, 1)
        t.type(":tutorial off", "enter").wait_for(r"^\[session-1\] In\[\d+\]:$")
    assert not home.session("second").exists()


@pytest.mark.parametrize("step", [1, 4, 6, 9, 13])
@pytest.mark.parametrize("leave", ["ctrl-d", "kill", ":quit"])
def test_whoever_leaves_in_a_step_can_come_back_to_it(home, step, leave):
    with Terminal(home, rows=60) as t:
        t.enter("(def mine 7)")
        t.type(":tutorial", "enter")
        asked_for(t, 1)
        t.type("(note c4 :q)", "enter")
        asked_for(t, 2)
        t.type("(def motif (seq (note g4 :8) (note eb4 :h)))", "enter").wait_for("Not yet")
        t.wait_for_prompt()
        t.enter(f":tutorial {step}")  # a first step is above already
        asked_for(t, step)
        if leave == "kill":
            t.kill()
        else:
            t.type(leave, *(["enter"] if leave == ":quit" else []))
            assert t.wait_for_end() == 0
    with Terminal(home, rows=60) as t:
        assert t.prompt()["session"] == "tutorial"
        # Until it is requested, no lesson gets in the way.
        assert "Not yet" not in t.enter("(+ 1 2)")
        t.type(f":tutorial {step}", "enter")
        for line in asked_for(t, step):
            t.type(line.strip(), "enter")
        t.wait_for("That was the tutorial" if step == 13 else rf"^{step + 1} of 13: ")
        t.wait_for_prompt()
        if step < 13:
            t.type(":tutorial off", "enter")
        t.wait_for(r"^\[session-1\] In\[\d+\]:$")
        assert re.search(r"Out\[\d+\]: 7", t.enter("mine"))


@pytest.mark.parametrize("leave", ["ctrl-d", "kill", ":quit"])
def test_it_goes_on_where_it_was_left_another_day(home, leave):
    with Terminal(home, rows=60) as t:
        t.type(":tutorial", "enter")
        asked_for(t, 1)
        t.type("(note c4 :q)", "enter")
        asked_for(t, 2)
        t.type(":tutorial skip", "enter")
        asked_for(t, 3)
        if leave == "kill":
            t.kill()
        else:
            t.type(leave, *(["enter"] if leave == ":quit" else []))
            assert t.wait_for_end() == 0
    with Terminal(home, rows=60) as t:
        t.type(":tutorial", "enter")
        for line in asked_for(t, 3):
            t.type(line.strip(), "enter")
        asked_for(t, 4)
        t.type(":tutorial restart", "enter")
        asked_for(t, 1)
        t.type(":tutorial 13", "enter")
        for line in asked_for(t, 13):
            t.type(line.strip(), "enter")
        t.wait_for("That was the tutorial")
        t.wait_for(r"^\[session-1\] In\[\d+\]:$")
        # After the end it starts from the beginning.
        t.type(":tutorial", "enter").wait_until(lambda: t.text().count("\n1 of 13: ") == 2, "the first step")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"step":0}', '{"step":-5}', '{"step":99}', '{"step":"x"}',
                                     '{"step":1e300}'])
def test_a_damaged_note_of_the_step_is_no_reason_to_stay_away(home, content):
    home.folder.mkdir(0o700)
    (home.folder / "tutorial.json").write_text(content)
    with Terminal(home, rows=60) as t:
        t.type(":tutorial", "enter").wait_for(r"^13? of 13: ")


def test_a_session_changed_to_in_a_step_ends_the_tutorial_and_it_goes_on_there_later(home):
    with Terminal(home, rows=60) as t:
        t.type(":tutorial", "enter")
        asked_for(t, 1)
        t.type("(note c4 :q)", "enter")
        asked_for(t, 2)
        t.type(":session switch session-1", "enter").wait_for(r"^\[session-1\] In\[\d+\]:$")
        assert "Not yet" not in t.enter("(+ 1 2)")
        t.type(":tutorial", "enter").wait_until(lambda: len(re.findall("^2 of 13: ", t.text(), re.M)) == 2, "step 2")
        t.wait_until(lambda: (t.prompt() or {"session": ""})["session"] == "tutorial", "the session")
        t.type("(transpose M3 %)", "enter").wait_for("^3 of 13: ")


def test_what_is_short_for_a_command_passes_its_step_as_well(home):
    with Terminal(home, rows=60) as t:
        t.type(":tutorial", "enter")
        asked_for(t, 1)
        t.type("(note c4 :q)", "enter")
        asked_for(t, 2)
        t.type(":tutorial 11", "enter")
        asked_for(t, 11)
        t.type(":u", "enter").wait_for("^12 of 13: ")


def test_a_tutorial_that_was_left_in_the_middle_says_how_to_go_on_at_the_next_start(home):
    with Terminal(home, rows=50) as t:
        t.type(":tutorial", "enter")
        asked_for(t, 1)
        t.type("ctrl-d")
        assert t.wait_for_end() == 0
    with Terminal(home, rows=50) as t:
        assert t.prompt()["session"] == "tutorial"
        assert "`:session list` lists your own sessions" in t.text().replace("\n", " ")
        t.type(":tutorial 3", "enter")
        asked_for(t, 3)
        t.type(":tutorial off", "enter").wait_for(r"^\[session-1\] In\[\d+\]:$")


def test_the_tutorial_is_there_again_after_its_session_was_put_into_the_archive(home):
    with Terminal(home, rows=50) as t:
        t.type(":tutorial", "enter")
        asked_for(t, 1)
        t.type(":session archive", "enter").wait_for(r"^\[session-1\] In\[\d+\]:$")
        t.type(":tutorial", "enter").wait_for(r"^\[tutorial-2\] In\[1\]:$")
        assert t.text().count("\n1 of 13: ") == 2
        t.type("(note c4 :q)", "enter").wait_for("^2 of 13: ")
        t.type(":tutorial off", "enter").wait_for(r"^\[session-1\] In\[\d+\]:$")


def test_a_tutorial_in_the_archive_is_one_of_two_from_whereever_it_was_put_there(home):
    with Terminal(home, rows=50) as t:
        t.type(":tutorial", "enter")
        asked_for(t, 1)
        t.type(":tutorial off", "enter").wait_for(r"^\[session-1\] In\[\d+\]:$")
        assert "archive" in t.enter(":session archive tutorial")
        t.type(":tutorial", "enter").wait_for(r"^\[tutorial-2\] In\[1\]:$")
        # The session it was started from is archived meanwhile: it returns to another one.
        assert "archive" in t.enter(":session archive session-1")
        t.type(":tutorial off", "enter").wait_for(r"^\[session-1-2\] In\[1\]:$")


def test_a_tutorial_that_another_window_has_begun_goes_on_in_the_next(home):
    with Terminal(home, rows=50) as first, Terminal(home, rows=50) as second:
        first.type(":tutorial", "enter")
        asked_for(first, 1)
        # The other window stays in its session, and shows no lessons.
        assert second.prompt()["session"] == "session-1"
        assert re.search(r"Out\[\d+\]: 3", second.enter("(+ 1 2)"))
        assert "Not yet" not in second.text()
        first.type(":quit", "enter")
        assert first.wait_for_end() == 0
        second.wait_for(r"In\[2\]:$")
        second.type(":tutorial", "enter")
        asked_for(second, 1)


def test_a_start_in_a_session_of_the_archive_says_where_it_is(home):
    run_script(home, ":session new Aside\n:session archive\n")
    done = run_script(home, "(+ 1 2)\n", "--session", "aside")
    assert done.returncode != 0 and b"is archived" in done.stderr
    assert b"3" not in done.stdout


def test_a_script_is_told_that_it_needs_a_terminal(home):
    done = run_script(home, ":tutorial\n(+ 1 2)\n")
    assert done.returncode == 1
    assert b"only works at a terminal prompt" in done.stderr
    assert done.stdout == b"3\n"


def test_an_entry_that_has_no_value_is_not_said_to_be_missing(home):
    done = run_script(home, "(+ 1 2)\n:help\n(list $Out[-1])\n(list $In[2])\n(list $Out[9])\n%\n")
    said = done.stderr.decode()
    assert "entry $Out[2] has no value" in said and "`%` is the last value" in said
    assert "entry $In[2] is not an expression" in said
    assert "no such entry: $Out[9]" in said and "entries 1 to 4" in said
    assert done.stdout.endswith(b"3\n")
