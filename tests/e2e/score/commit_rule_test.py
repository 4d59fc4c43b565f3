"""Looking must not write: what enters the score at the prompt, in a script, from a client, from a file."""

import re
import subprocess

import pytest
from support.client import Client
from support.program import BINARY, PATIENCE, run_script
from support.terminal import Terminal


LOOKS = ["motif", "$Out[1]", "%", "(transpose +2 motif)", "(retrograde motif)", "(seq-of motif)",
         "(do (note c4 :q))", "(let [m motif] m)", "(selected 1)", "(key-at 1)"]


def test_looking_leaves_the_score_as_it_is(home):
    with Terminal(home, columns=120, rows=60) as t:
        assert "Δ Piano added; 1 note added" in t.enter("(note c4 :w)")
        t.enter("(def motif (seq (note g4 :8) (note eb4 :8)))")
        t.enter("(defn seq-of [m] (seq m m))")
        before = t.enter(":score")
        for line in LOOKS:
            shown = t.enter(line)
            assert re.search(r"^Out\[\d+\]: ", shown, re.M) and "Δ" not in shown, shown
        assert [x.strip() for x in t.enter(":score").splitlines()[1:-1]] == \
            [x.strip() for x in before.splitlines()[1:-1]]


def test_add_enters_what_was_looked_at_and_the_echo_says_where(home):
    with Terminal(home, columns=120, rows=60) as t:
        t.enter("(part :piano (measure (note c5 :w)))")
        t.enter("(transpose +2 (note c4 :q))")
        shown = t.enter("(add %)")
        assert "Out[3]: (note d4 :q)" in shown
        assert re.search(r"^ {8}Δ Piano, measure 2: 1 measure added; 1 note added$", shown, re.M), shown
        shown = t.enter("(note e4 :q) (note f4 :h) (note g4 :w)")
        assert "Δ Piano, measures 2 to 3: 1 measure added, 1 changed; 3 notes added" in shown, shown
        # An edit has it as its value, and shows it once.
        assert t.enter("(delete 3)").count("measure 3: 1 measure removed; 1 note removed") == 1
        assert t.enter("(+ 1 2)").count("Δ") == 0


def test_the_echo_is_in_words_for_who_hears_it(home):
    with Terminal(home, "--accessible", columns=120, rows=60, ready=False) as t:
        t.wait_for(r"^session-1, In 1:$")
        t.type("(part :piano (measure (note c5 :w)))", "enter").wait_for(r"^session-1, In 2:$")
        t.type("(note c4 :w)", "enter").wait_for(r"^session-1, In 3:$")
        assert "Score: Piano, measure 2: 1 measure added; 1 note added" in t.text()
        t.type("%", "enter").wait_for(r"^session-1, In 4:$")
        assert t.text().count("Score:") == 2


def test_the_setting_says_what_enters_the_score(home):
    def notes(t):
        return len(re.findall(r"\(note", t.enter(":score").split(":score", 1)[1]))
    with Terminal(home, columns=120, rows=60) as t:
        t.enter("(def motif (seq (note c4 :q) (note d4 :q)))")
        assert "commit = everything" in t.enter(":set commit everything")
        t.enter("motif")
        assert notes(t) == 2
        assert "scratch is on: commit = nothing" in t.enter(":scratch on")
        assert re.search(r"^commit = nothing +;", t.enter(":set"), re.M)
        t.enter("(note e4 :q)")
        t.enter("(add motif)")
        assert notes(t) == 2
        assert "scratch is off: commit = notation" in t.enter(":scratch off")
        t.enter("motif")
        assert notes(t) == 2
        assert "purple" in t.enter(":set commit purple")
        t.enter(":set commit nothing")
        assert "scratch is on" in t.enter(":scratch")


def test_config_toml_says_it_for_all_sessions(home):
    home.folder.mkdir(parents=True)
    (home.folder / "config.toml").write_text('commit = "everything"\n')
    score = run_script(home, "(def m (note c4 :q))\nm\n:score\n").stdout.decode()
    assert "(measure" in score
    # The session's setting takes precedence; `default` resets it.
    said = run_script(home, "(def m (note c4 :q))\n:set commit notation\nm\n:score\n"
                            ":set commit default\nm\n:score\n", "--session", "other").stdout.decode()
    before, after = said.split("commit follows config.toml")
    assert "score is empty" in before and "(measure" in after


def test_a_file_has_all_of_its_music_in_the_score(home):
    source = home.path / "piece.ferm"
    source.write_text("(def motif (seq (note c4 :q) (note d4 :q)))\nmotif\n(transpose +2 motif)\n")
    done = subprocess.run([BINARY, "compile", source], capture_output=True, text=True, check=True,
                          timeout=PATIENCE, env=home.environment())
    assert done.stdout.count("<note") == 4


def test_a_script_follows_the_rule_of_the_prompt(home):
    done = run_script(home, "(def m (note c4 :q))\nm\n(transpose +2 m)\n:score\n(add m)\n:score\n")
    said = done.stdout.decode()
    assert done.returncode == 0 and "score is empty" in said and "(measure" in said


def test_a_client_follows_it_too(home):
    with Terminal(home, columns=120, rows=60) as t, Client(home, "Claude") as c:
        t.enter("(def motif (seq (note c4 :q) (note d4 :q)))")
        assert c.call("get_session")["commit"] == "notation"
        with pytest.raises(AssertionError, match=r"\(add X\)"):
            c.call("propose", text="(transpose +2 motif)")
        t.enter(":ai allow")
        looked = c.call("eval", text="(transpose +2 motif)")
        assert looked["before"] == looked["after"] and not looked["changed"]
        added = c.call("eval", text="(add (transpose +2 motif))")
        assert added["after"] == added["before"] + 1 and added["changed"]
        added = c.call("eval", text="(note g4 :q)")
        assert "measure 1: 1 measure changed; 1 note added" in added["delta"], added
        assert "measure 1: " in c.call("eval_preview", text="(note g4 :q)")["delta"]
