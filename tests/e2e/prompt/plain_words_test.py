"""Everyday messages and suggestions of the prompt: small things that were wrong or unhelpful."""

import json
import re
import zipfile

import pytest

from support.client import Client
from support.program import Home, run_script
from support.terminal import Terminal

PIECE = "(part :violin (measure (note c5 :w)) (measure (note d5 :w)))"


def test_after_an_empty_score_was_taken_music_begins_at_its_beginning(home):
    with Terminal(home) as t:
        for line in (PIECE, ":session save"):
            t.enter(line)
        (home.session() / "score.ferm").write_text("(score)\n")
        assert "loaded score.ferm" in t.enter(":reload")
        t.enter("(note d5 :w)")
        shown = t.enter(":score 1")
        assert "d5" in shown, shown


def test_of_a_measure_that_goes_or_comes_only_that_is_told(home):
    script = f"{PIECE}\n(delete (measures 1))\n:diff 1 2\n(insert-measure (measures 1) (measure (note b4 :w)))\n:history 2\n"
    done = run_script(home, script)
    said = done.stdout.decode()
    assert done.returncode == 0, done
    assert "1 measure removed; 1 note removed" in said and "changed" not in said, said
    assert re.search(r"^- .*c5", said, re.M) and not re.search(r"^[-+] .*d5", said, re.M), said


def test_what_is_looked_for_is_found_to_its_first_entry(home):
    run_script(home, "".join(f"(+ 1 {i})\n" for i in range(26)))
    for question in ("--since 10m --code", "--grep + --code", "--author you --code"):
        shown = run_script(home, f":history {question}\n").stdout.decode()
        assert len(re.findall(r"^In\[\d+\]", shown, re.M)) == 26, shown
    shown = run_script(home, ":history --code --limit 5\n").stdout.decode()
    assert len(re.findall(r"^In\[\d+\]", shown, re.M)) == 5


def test_the_defaults_that_are_shown_hold_and_go_back(home):
    script = (":s set key\n(note c5 :w)\n:score --summary\n:s set key d minor\n:s set key default\n:s set key\n"
              ":s set time 3 4\n:s set time default\n:s set time\n")
    done = run_script(home, script)
    assert done.returncode == 0, done
    said = done.stdout.decode()
    assert said.count("key = c-major") == 3 and "C major" in said, said
    assert "time = 3/4" in said and said.rstrip().endswith("time = 4/4"), said


def test_ties_are_drawn_as_far_as_they_lead(home):
    with Terminal(home, columns=100) as t:
        t.enter("(part :violin (measure (note c5 :h :tie start) (note d5 :h)) (measure (note c5 :w)) (measure (note e5 :w)))")
        shown = t.enter(":score --staff")
        assert shown.count("╭") + shown.count("╰") == 1 and "╮" not in shown and "╯" not in shown, shown
    with Terminal(home, "--session", "other", columns=100) as t:
        t.enter("(part :violin (measure (chord (e4 g4 b4) :h :tie start) (chord (e4 g4 b4) :h :tie stop)))")
        shown = t.enter(":score --staff")
        assert shown.count("╭") + shown.count("╰") == 3 and shown.count("╮") + shown.count("╯") == 3, shown


@pytest.mark.parametrize("line, says", [
    (":set pager less -R", 'contain spaces: "like this"'),
    (":history --grep 'play d'", "Use double quotes"),
    (":history --limit none", "is not a positive number"),
])
def test_a_refusal_says_what_to_write_instead(home, line, says):
    done = run_script(home, line + "\n")
    assert done.returncode == 1 and says in done.stderr.decode(), done


def test_a_proposal_is_refused_by_its_reason_alone_and_remembered_by_its_part(home):
    with Terminal(home, columns=140) as t, Client(home, "claude") as c:
        t.enter("(part :violin (measure (note c4 :w)) (measure (note d4 :w)) (measure (note e4 :w)))")
        three = "(replace (measures 1 3) (seq (measure (note g4 :w)) (measure (note a4 :w)) (measure (note b4 :w))))"
        assert c.call("eval", text=three)["proposal"] == 1
        t.wait_for(r"Δ1\]")
        t.enter("(+ 1 1)")
        assert "rejected Δ1" in t.enter(":reject too high")
        assert "(too high)" in t.enter(":proposals --all")
        assert c.call("eval", text=three)["proposal"] == 2
        t.wait_for(r"Δ1\] In\[7\]")
        t.enter("(+ 1 1)")
        t.enter(":accept 2 2-3")
        assert "open (measures 2 to 3 accepted)" in t.enter(":proposals")
        assert "accepted Δ2: Violin, measure 1: 1 measure changed" in t.enter(":accept 2")
        assert "already accepted" in t.enter(":accept 2")


def test_a_staff_in_the_timeline_is_cut_rather_than_broken(home):
    with Terminal(home, columns=60, rows=50) as t:
        t.enter("(part :violin " + " ".join("(measure (note c5 :q) (note d5 :q) (note e5 :q) (note f5 :q))"
                                            for _ in range(6)) + ")")
        t.enter(":score --staff")
        shown = t.enter(":history -1: --commands")
        lines = [line for line in shown.splitlines() if "─" in line]
        # Each row of a staff is one line here, from its left end.
        assert lines and all(len(line) <= 60 and line.strip()[0] in "┌├└" for line in lines), shown


def changed_archive(home, path, change):
    """An archive of the session with its members changed."""
    good = home.path / "good.fermata"
    run_script(home, f":session export {good}\n", "--session", "session-1")
    with zipfile.ZipFile(good) as z:
        content = {name: z.read(name) for name in z.namelist()}
    change(content)
    with zipfile.ZipFile(path, "w") as z:
        for name, data in content.items():
            z.writestr(name, data)
    return path


def test_tags_from_an_archive_lose_escape_sequences_as_names_do(home):
    run_script(home, PIECE + "\n:session tag draft\n")

    def change(content):
        manifest = json.loads(content["fermata-archive.json"])
        manifest["tags"] = ["\x1b]0;x\x07draft", "\x1b[31mred"]
        content["fermata-archive.json"] = json.dumps(manifest).encode()

    file = changed_archive(home, home.path / "t.fermata", change)
    with Home() as other:
        done = run_script(other, f":session import {file}\n:session list\n")
        said = done.stdout.decode()
        assert "#draft #red" in said and "]0;x" not in said and "[31m" not in said, said


def test_an_archive_with_a_shorter_timeline_is_taken_with_a_word(home):
    run_script(home, PIECE + "\n(def x 1)\n(note e5 :w)\n(note f5 :w)\n")

    def shorter(content):
        lines = content["history.jsonl"].splitlines(True)
        content["history.jsonl"] = b"".join(lines[:3])

    def torn(content):
        content["history.jsonl"] += b'{"index":99,"ti'

    for change, says in ((shorter, "shorter than when"), (torn, "incomplete and was left out")):
        file = changed_archive(home, home.path / "s.fermata", change)
        with Home() as other:
            done = run_script(other, f":session import {file}\n:score\n")
            assert says in " ".join((done.stdout + done.stderr).decode().split()), done
        file.unlink()
        (home.path / "good.fermata").unlink()


def test_tab_offers_no_branch_to_itself(home):
    with Terminal(home, columns=100) as t:
        for line in (PIECE, ":branch alt", ":branch ally"):
            t.enter(line)
        t.type(":merge ma", "tab", "tab")
        t.wait_for(r":merge ma$")
        t.type("ctrl-u", ":diff alt al", "tab")
        t.wait_for(r":diff alt ally")
