"""Step entry at the prompt: notes come from a real JACK port, values from the keys of the terminal."""

from recording_test import needs_jack, no_midi, silent
from support import jack
from support.terminal import Terminal


def strike(keyboard, *keys):
    """The keys together, then none."""
    keyboard.play([(i, (0x90, key, 80)) for i, key in enumerate(keys)] +
                  [(1000 + i, (0x80, key, 64)) for i, key in enumerate(keys)])


def has_line(t, text, value):
    """Waits until this is the input line, in a prompt with this value."""
    return t.wait_until(lambda: t.lines() and f"step :{value}]" in t.lines()[-1] and t.lines()[-1].endswith(text),
                        f"the line {text}")


def begin(t, source):
    t.type(":step", "enter")
    t.wait_for(f"step entry from {source}")
    return has_line(t, '(phrase "")', "q")


@needs_jack
def test_notes_are_played_and_their_values_typed(home):
    with jack.JackServer() as server, jack.Keyboard(server) as keyboard, \
            Terminal(home, columns=100, **silent(home, **server.env)) as t:
        begin(t, "keyboard:out")
        strike(keyboard, 60)
        has_line(t, '(phrase "c4:q ")', "q").type("4")
        has_line(t, '(phrase "c4:q ")', "8")
        strike(keyboard, 62)
        has_line(t, '(phrase "c4:q d4:8 ")', "8").type("06")
        has_line(t, '(phrase "c4:q d4:8 r ")', "h")
        strike(keyboard, 60, 64, 67)
        has_line(t, '(phrase "c4:q d4:8 r <c4 e4 g4>:h ")', "h").type("t")
        has_line(t, '(phrase "c4:q d4:8 r <c4 e4 g4>:h ~ <c4 e4 g4> ")', "h").type("\x7f")
        has_line(t, '(phrase "c4:q d4:8 r <c4 e4 g4>:h ")', "h").type("4t")
        has_line(t, '(phrase "c4:q d4:8 r <c4 e4 g4>:h ~ <c4 e4 g4>:8 ")', "8").type("6", "enter")
        # The next phrase goes on with the same value.
        has_line(t, '(phrase "")', "h")
        strike(keyboard, 65)
        has_line(t, '(phrase "f4:h ")', "h").type("ctrl-c").wait_for_prompt()
        assert "step" not in t.prompt()["badge"]
        score = " ".join(t.enter(":score").split()).split(":score", 1)[1]
        assert "(note c4 :q) (note d4 :8) (rest :8) (chord (c4 e4 g4) :h :tie :start)" in score
        assert "(chord (c4 e4 g4) :8 :tie :stop)" in score
        assert "f4" not in score
        # The keys mean what they did before.
        assert "456" in t.enter("(+ 400 56)").splitlines()[1]
        t.type("ctrl-d").wait_for_end()


@needs_jack
def test_text_that_was_edited_stays_and_an_empty_phrase_ends_step_entry(home):
    with jack.JackServer() as server, jack.Keyboard(server) as keyboard, \
            Terminal(home, columns=100, **silent(home, **server.env)) as t:
        begin(t, "keyboard:out").type("\x7f")  # the quotes stay
        strike(keyboard, 60)
        has_line(t, '(phrase "c4:q ")', "q").type("e ")
        strike(keyboard, 62)
        has_line(t, '(phrase "c4:q e d4:q ")', "q").type("\x7f")
        has_line(t, '(phrase "c4:q e ")', "q").type("enter")
        has_line(t, '(phrase "")', "q").type("enter").wait_for_prompt()
        assert "step" not in t.prompt()["badge"]
        score = " ".join(t.enter(":score").split())
        assert "(note c4 :q) (note e4 :q)" in score and "d4" not in score
        t.type("ctrl-d").wait_for_end()


@needs_jack
def test_notes_go_to_the_window_that_enters_steps(home):
    with jack.JackServer() as server, jack.Keyboard(server) as keyboard, \
            Terminal(home, columns=100, **silent(home, **server.env)) as host, \
            Terminal(home, columns=100, **silent(home, **server.env)) as t:
        begin(t, "keyboard:out")
        strike(keyboard, 60, 64)
        has_line(t, '(phrase "<c4 e4>:q ")', "q").type("enter")
        has_line(t, '(phrase "")', "q")
        # The other window shows what was entered, and its own line is empty.
        host.wait_for(r"chord|<c4 e4>")
        host.wait_for_prompt()
        # The process that heard the notes ends, and step entry with it.
        host.type("ctrl-d").wait_for_end()
        t.wait_until(lambda: t.lines()[-1].endswith('(phrase "")') and "step" not in t.lines()[-1], "the end of step entry")
        t.type("ctrl-c").wait_for_prompt()
        t.type("ctrl-d").wait_for_end()


def test_without_inputs_step_entry_does_not_begin(home):
    with Terminal(home, columns=100, **no_midi(home)) as t:
        said = t.enter(":step")
        assert "no MIDI" in said and "step entry from" not in said
        assert "step" not in t.prompt()["badge"]
        t.type("ctrl-d").wait_for_end()
