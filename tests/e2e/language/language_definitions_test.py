"""Definitions are restored exactly when the program is restarted.

Each run is a process of its own on the same home; only the disk connects them.
"""

import signal

from support.program import run_script
from support.terminal import Terminal


def lines(home, *texts):
    """The result of each text, one line each. All must succeed."""
    done = run_script(home, "\n".join(texts) + "\n")
    assert done.stderr == b""
    assert done.returncode == 0
    return done.stdout.decode().splitlines()


# An expression for every kind of value, and the name of the kind.
VALUES = {
    "whole": ("42", ":number"),
    "below-zero": ("-7", ":number"),
    "fraction": ("22/7", ":number"),
    "largest": ("9223372036854775807", ":number"),
    "inexact": ("0.1", None),
    "tiny": ("1e-300", None),
    "yes": ("true", None),
    "no": ("false", None),
    "nothing": ("nil", None),
    "text": (r'"a \"b\" \\ \n\t ü 𝄞 \u0085"', ":string"),
    "no-text": ('""', ":string"),
    "word": ("'dolce", ":symbol"),
    "key-word": (":espressivo", ":keyword"),
    "tone": ("f#4", ":pitch"),
    "quarter-tone": ("c#+4", ":pitch"),
    "step": ("(as-interval -P5)", ":interval"),
    "length": ("(as-duration :q..)", ":duration"),
    "tones": ("(c4 e4 (g4 bb4))", ":list"),
    "none": ("(list)", ":list"),
    "data": ("'(a (b . c) [d e] \"f\" 1/2 :g $Out[3] (quote h))", ":list"),
    "tone-alone": ("(note c4 :q. :staccato :slur (start 2) :lyric \"la\")", ":note"),
    "together": ("(chord (c4 (note e4 :tie start) g4) :h)", ":chord"),
    "silence": ("(rest :measure)", ":rest"),
    "ornament": ("(grace (seq (note d4 :16) (note e4 :16)) :slash)", None),
    "triplet": ("(tuplet 3:2 (note c4 :8) (tuplet 5:4 (note d4 :32) (note e4 :8)))", None),
    "motif": ("(seq (note g4 :8) (note g4 :8) (note g4 :8) (note eb4 :h :fermata))", ":seq"),
    "layers": ("(par (note c4 :h) (seq (note e4 :q) (note f4 :q)))", None),
    "mark": ("(tempo \"Allegro\" :q 120)", None),
    "bar": ("(measure :number 5 (key f# :minor) (time (3+2 8)) (note c#4 :q.) (note d4 :q))", None),
    "voice": ("(part :piano (measure (voice 1 (note c5 :w)) (voice 5 :staff 2 (note c3 :w))))", None),
    "piece": ("(score :title \"T\" (group :brace (part :flute (measure (rest :measure))) (part :oboe)))",
              None),
    "failure": ("(try (/ 1 0))", ":error"),
}


def test_a_value_of_every_kind_comes_back_from_a_restart(home):
    names = [f"a-{n}" for n in VALUES]  # "text", "rest" and others are words of the language
    # First as data: music would otherwise be added to the score when it is only named.
    ask = [f"(printed {n})" for n in names] + [f"(type {n})" for n in names]
    lines(home, *(f"(def a-{n} {expression})" for n, (expression, _) in VALUES.items()))
    first = lines(home, *ask)
    assert lines(home, *ask) == first
    for name, kind in zip(names, first[len(names):]):
        expected = VALUES[name[2:]][1]
        assert expected in (None, kind), name
    # They can be used, not only printed.
    assert lines(home, "(= a-fraction 22/7)", "(+ a-whole a-below-zero)", "(count a-tones)",
                 "(transpose a-step a-tone)", "(count a-motif)", "(error-message a-failure)") == [
        "true", "35", "3", "b3", "4", '"/: division by zero"']


def test_closures_keep_what_they_captured(home):
    lines(home,
          "(defn adder [k] (fn [x] (+ x k)))",
          "(def add3 (adder 3))",
          "(def k 100)",  # not the value captured by add3
          "(def counter (let [a 1 b (list 2 3)] (fn [c] (list a b c))))",
          "(def deep ((fn [a] (fn [b] (fn [c] (list a b c)))) (note c4 :h)))",
          "(def shadow (let [note 7 list 8] (fn [] (+ note list))))",
          "(def moved (partial transpose +2))",
          "(def both (comp (fn [x] (* x 10)) add3))")
    ask = ["(add3 4)", "(counter c4)", "(printed ((deep 2) 3))", "(shadow)", "(moved c4)", "(both 1)",
           "(printed add3)", "(source adder)"]
    expected = ["7", "(1 (2 3) c4)", '"((note c4 :h) 2 3)"', "15", "d4", "40"]
    first = lines(home, *ask)
    assert first[:6] == expected
    assert lines(home, *ask) == first
    # Created by a loaded function, saved and loaded again.
    lines(home, "(def add5 (adder 5))", "(def add8 (comp add3 add5))")
    assert lines(home, "(add8 0)", "(add5 0)") == ["8", "5"]


def test_recursive_and_mutually_recursive_functions_find_each_other(home):
    lines(home,
          "(defn fact [n] (if (< n 2) 1 (* n (fact (- n 1)))))",
          "(defn even-one? [n] (if (= n 0) true (odd-one? (- n 1))))",
          "(defn odd-one? [n] (if (= n 0) false (even-one? (- n 1))))",
          "(def looping ((fn outer [k] (fn [n] (if (= n 0) k ((outer (+ k n)) (- n 1))))) 0))")
    ask = ["(fact 10)", "(even-one? 10)", "(odd-one? 7)", "(looping 4)"]
    assert lines(home, *ask) == ["3628800", "true", "true", "10"]
    # If one of them is redefined, the other uses the new definition, even after a restart.
    lines(home, "(defn odd-one? [n] 5)")
    assert lines(home, "(even-one? 10)", "(fact 5)") == ["5", "120"]


def test_macros_come_back_and_functions_keep_the_ones_they_were_made_with(home):
    lines(home,
          "(defmacro if-not [test body] `(if ,test nil ,body))",
          "(defmacro in-thirds [x] `(seq ,x (transpose M3 ,x)))",
          "(defmacro all [& xs] `(list ,@xs))",
          "(defn safe [a b] (if-not (= b 0) (/ a b)))")
    ask = ["(if-not false 3)", "(printed (in-thirds (note c4 :q)))", "(all 1 (+ 1 1) c4)", "(safe 6 3)",
           "(printed (safe 6 0))"]
    expected = ["3", '"(seq (note c4 :q) (note e4 :q))"', "(1 2 c4)", "2", '"nil"']
    assert lines(home, *ask) == expected
    lines(home, "(defmacro if-not [test body] :changed)")
    assert lines(home, "(if-not false 3)", "(safe 6 3)") == [":changed", "2"]


def test_definitions_survive_a_process_that_is_killed(home):
    with Terminal(home) as t:
        t.enter("(defn third [x] (transpose M3 x))")
        t.enter("(def cell (let [k 3] (fn [x] (* k x))))")
        t.enter("(defmacro twice [x] `(list ,x ,x))")
        t.kill(signal.SIGKILL)
    assert lines(home, "(third c4)", "(cell 5)", "(twice (cell 2))") == ["e4", "15", "(6 6)"]


def test_failed_input_can_be_recalled_as_data_and_corrected(home):
    run_script(home, "(/ 1 0)\n")
    # In the same process and in a later one that reads the journal.
    assert run_script(home, "(/ 3 0)\n(nth 1 $In[2])\n").stdout == b"3\n"
    assert run_script(home, "$In[1]\n").stdout == b"(/ 1 0)\n"
