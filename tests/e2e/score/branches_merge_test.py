"""Merging branches, and `:blame`, with the real program, killed and restarted in between.

Expected values are worked out by hand: the edits of both sides applied in turn on paper; each note
belongs to the entry that it was typed in.
"""

import re

import pytest
from support.client import Client
from support.program import run_script
from support.terminal import Terminal


def piece(notes, name="violin"):
    return f"(part :{name} " + " ".join(f"(measure (note {n} :w))" for n in notes.split()) + ")"


def put(measure, note):
    return f"(replace (measures {measure}) (measure (note {note} :w)))"


def insert(measure, note):
    return f"(insert-measure (measures {measure}) (measure (note {note} :w)))"


def without(measures):
    return f"(delete (measures {measures}))"


def play(home, *lines, **options):
    """Runs all lines in one process and returns the output. None of them may fail."""
    done = run_script(home, "".join(line + "\n" for line in lines), *options.get("args", ()))
    assert done.returncode == 0, (lines, done.stdout.decode(), done.stderr.decode())
    return done.stdout.decode()


def refused(home, line):
    done = run_script(home, line + "\n")
    assert done.returncode == 1, done
    return " ".join(done.stderr.decode().split())


def notes(home, part="violin", *before, **options):
    """The notes of a part, measure by measure, as shown by a new process."""
    shown = play(home, *before, f":score {part} 1-", **options)
    bars = [line for line in shown.splitlines() if line.startswith("(measure :number")]
    # Measures are counted by position.
    assert [re.search(r':number "(\d+)"', bar)[1] for bar in bars] == [str(i + 1) for i in range(len(bars))]
    return " | ".join(" ".join(re.findall(r"\((?:note )?([a-g][#b]*\d|rest)", bar)) for bar in bars)


def writers(shown):
    """The note and the author's entry in each line of `:blame`: [("c5", 1), ...]; 0: no entry."""
    found = re.findall(r"^beat \S+(?: \d/\d)? +(\S+) :\S+ +staff 1, voice \S+ +(?:(?:In)?\[(\d+)\]|from before)", shown, re.M)
    return [(note, int(entry or 0)) for note, entry in found]


def blamed(home, part="violin", *before):
    return writers(play(home, *before, f":blame 1- {part}"))


def parted(home, alt, main, start="c5 d5 e5 f5"):
    """Entry 1 is the piece; 2 and 3 create the branch; then its edits, the switch back, and ours."""
    play(home, piece(start), ":branch alt", ":switch-branch alt", *alt, ":switch-branch main", *main)


# --- a part added by a merge ---------------------------------------------------------------------


def test_a_merged_part_is_in_all_that_shows_or_keeps_the_score(home):
    said = play(home, piece("c5 d5"), ":branch alt", ":switch-branch alt", piece("c6", "flute"),
                ":switch-branch main", ":merge alt", ":score", ":score --summary")
    assert "merged part Flute from alt" in said
    assert "(part :flute" in said and "(note c6" in said and "2 parts" in said
    # After a restart, in the file, in MusicXML, in a clone, in an archive.
    again = play(home, ":score", ":score --musicxml", ":session save")
    assert "(part :violin" in again and "(part :flute" in again
    assert again.count("<part id=") == 2 and again.count("<score-part id=") == 2
    saved = (home.session() / "score.ferm").read_text()
    assert "(part :violin" in saved and "(part :flute" in saved
    copied = play(home, ":session clone Copy", ":score", ":score --summary")
    assert "(part :flute" in copied and "2 parts" in copied
    assert "(part :flute" in play(home, ":score", args=("--session", "copy"))
    # What is added or merged later is kept next to it.
    more = play(home, piece("g5", "oboe"), ":score", ":score --summary", args=("--session", "session-1"))
    assert "(part :flute" in more and "(part :oboe" in more and "3 parts" in more


def test_an_edit_of_the_file_after_a_merge_removes_no_part(home):
    play(home, piece("c5"), ":branch alt", ":switch-branch alt", piece("c6", "flute"),
         ":switch-branch main", ":merge alt", ":session save")
    file = home.session() / "score.ferm"
    file.write_text(file.read_text().replace("c5", "d5"))
    said = play(home, ":reload", ":score")
    assert "removed" not in said and "(note d5" in said and "(part :flute" in said


def test_a_client_sees_the_merged_part(home):
    with Terminal(home, columns=120) as t, Client(home, "claude") as c:
        for line in (piece("c5 d5"), ":branch alt", ":switch-branch alt", piece("c6", "flute"),
                     ":switch-branch main", ":merge alt"):
            t.enter(line)
        assert "(part :flute" in c.call("get_score")["text"]
        assert c.call("get_score", format="musicxml")["text"].count("<part id=") == 2
        t.enter(":undo")
        assert "(part :flute" not in c.call("get_score")["text"]


def test_a_part_that_went_on_the_other_branch_goes_here_too(home):
    play(home, piece("c5 d5"), piece("c6 d6", "flute"), ":branch less", ":switch-branch less",
         '(delete (select :part "Flute"))', ":switch-branch main")
    assert "merged the removal of part Flute from less" in play(home, ":merge less")
    assert "flute" not in play(home, ":score")
    assert notes(home, "flute", ":undo") == "c6 | d6"
    # If the part was changed here meanwhile, that is a conflict.
    play(home, '(replace (select :part "Flute" :measures 1) (measure (note a6 :w)))')
    assert "changed on both branches" in refused(home, ":merge less")
    assert notes(home, "flute") == "a6 | d6"
    play(home, ":merge less --theirs")
    assert "flute" not in play(home, ":score")


def test_a_title_of_the_other_branch_is_taken(home):
    titled = '(score :title "{}" ' + piece("c5") + ")"
    play(home, titled.format("Dawn"), ":branch alt", ":switch-branch alt", titled.format("Noon"),
         ":switch-branch main")
    assert "merged the work title from alt" in play(home, ":merge alt")
    assert '"Noon"' in play(home, ":score")
    play(home, ":undo", titled.format("Dusk"))
    assert "the work title changed on both branches" in refused(home, ":merge alt")
    assert '"Dusk"' in play(home, ":score")
    play(home, ":merge alt --theirs")
    assert '"Noon"' in play(home, ":score")


# --- inserted and deleted measures ----------------------------------------------------------------

BOTH = [
    # What alt does, what main does, and the result when alt is merged into main.
    ([without("1")], [put("4", "c6")], "d5 | e5 | c6"),
    ([without("4")], [put("1", "c6")], "c6 | d5 | e5"),
    ([insert("1", "b5")], [put("3", "c6")], "b5 | c5 | d5 | c6 | f5"),
    ([insert("1", "b5")], [put("1", "c6")], "b5 | c6 | d5 | e5 | f5"),
    ([put("3", "c6")], [insert("1", "b5")], "b5 | c5 | d5 | c6 | f5"),
    ([put("4", "c6")], [without("1")], "d5 | e5 | c6"),
    ([without("2")], [insert("1", "b5")], "b5 | c5 | e5 | f5"),
    ([insert("4", "b5")], [without("1")], "d5 | e5 | b5 | f5"),
    ([without("1")], [without("4")], "d5 | e5"),
    ([insert("2", "a5"), insert("2", "b5")], [put("4", "c6")], "c5 | b5 | a5 | d5 | e5 | c6"),
    (["(note g5 :w)"], [without("1"), put("1", "c6")], "c6 | e5 | f5 | g5"),
]


@pytest.mark.parametrize("alt, main, line", BOTH)
def test_what_each_branch_did_is_there_after_a_merge_and_a_restart(home, alt, main, line):
    parted(home, alt, main)
    before = notes(home)
    play(home, ":merge alt")
    assert notes(home) == line
    assert notes(home, "violin", ":undo") == before
    assert notes(home, "violin", ":redo") == line
    assert notes(home, "violin", ":session clone Copy", args=("--session", "session-1")) == line
    # Merging in the other direction gives the same music.
    play(home, ":undo", ":switch-branch alt", args=("--session", "session-1"))
    assert notes(home, "violin", ":merge main", args=("--session", "session-1")) == line


def test_a_number_is_a_measure_of_the_other_branch(home):
    parted(home, [insert("1", "b5"), put("3", "d6")], [put("4", "f6")])
    assert "merged 1 measure from alt" in play(home, ":merge alt 1")
    assert notes(home) == "b5 | c5 | d5 | e5 | f6"
    assert "nothing to merge from alt" in refused(home, ":merge alt 2")
    assert "alt has the measures 1 to 5" in refused(home, ":merge alt 6")
    play(home, ":merge alt 3")
    assert notes(home) == "b5 | c5 | d6 | e5 | f6"
    assert "measure 5 changed here only" in refused(home, ":merge alt")
    assert notes(home, "violin", ":undo 2") == "c5 | d5 | e5 | f6"
    # After undoing it, everything can be merged again.
    assert notes(home, "violin", ":merge alt") == "b5 | c5 | d6 | e5 | f6"


CONFLICTS = [
    # The conflict that is reported, and the result with --theirs.
    ([put("3", "e6")], [put("3", "e4")], "measure 3 changed on both branches", "c5 | d5 | e6 | f5"),
    ([put("3", "e6")], [put("3", "e4"), insert("1", "b5")], "measure 4 here and measure 3 of alt",
     "b5 | c5 | d5 | e6 | f5"),
    ([without("3")], [put("3", "e4"), put("1", "c6")], "measure 3 changed here, deleted in alt", "c6 | d5 | f5"),
    ([put("3", "e6")], [without("3")], "measure 3 of alt changed there, deleted here", "c5 | d5 | e6 | f5"),
    ([insert("3", "a5")], [insert("3", "b5")], "measure 3 changed on both branches", "c5 | d5 | a5 | e5 | f5"),
    ([insert("1", "b5"), put("2", "c4")], [put("1", "c6"), put("4", "f6")], "measure 1 here and measure 2 of alt",
     "b5 | c4 | d5 | e5 | f6"),
]


@pytest.mark.parametrize("alt, main, says, line", CONFLICTS)
def test_what_both_changed_is_refused_and_theirs_takes_it(home, alt, main, says, line):
    parted(home, alt, main)
    before = notes(home)
    assert says in refused(home, ":merge alt")
    assert notes(home) == before
    play(home, ":merge alt --theirs")
    assert notes(home) == line
    assert notes(home, "violin", ":undo") == before
    assert says in refused(home, ":merge alt")


def test_the_command_that_a_refusal_names_does_what_it_says(home):
    parted(home, [put("3", "e6"), put("1", "c6")], [put("3", "e4"), put("4", "f4")])
    named = re.findall(r"`:(merge [^`]*--theirs)`", refused(home, ":merge alt"))
    assert named == ["merge alt 3 --theirs"]
    assert notes(home, "violin", ":" + named[0]) == "c5 | d5 | e6 | f4"
    assert notes(home, "violin", ":merge alt") == "c6 | d5 | e6 | f4"


# --- undo, redo and merging again ---------------------------------------------------------------


def test_a_merge_is_undone_redone_and_repeated(home):
    parted(home, [put("2", "g5")], [], start="c5 d5")
    for _ in range(2):
        assert notes(home, "violin", ":merge alt") == "c5 | g5"
        assert notes(home, "violin", ":undo") == "c5 | d5"
        assert notes(home, "violin", ":redo") == "c5 | g5"
        assert "nothing to merge" in refused(home, ":merge alt")
        assert notes(home, "violin", ":undo") == "c5 | d5"
    play(home, ":merge alt")
    # What was merged is now common to both: alt continues from it, and so may main.
    play(home, ":switch-branch alt", put("2", "a5"), ":switch-branch main", put("1", "c6"))
    assert notes(home, "violin", ":merge alt") == "c6 | a5"
    # The same in one run.
    assert notes(home, "violin", ":undo", ":merge alt", ":undo", ":redo", ":undo", ":merge alt") == "c6 | a5"
    assert notes(home, "violin", ":switch-branch alt", ":merge main") == "c6 | a5"
    assert notes(home, "violin", ":undo") == "c5 | a5"


def test_killed_between_all_steps_it_is_the_same_music_by_the_same_writers(home):
    e4 = '(replace (select :part "Violin" :measures 3) (measure (note e4 :w)))'
    steps = [piece("c5 d5 e5 f5"), piece("c6 d6 e6 f6", "flute"), ":branch alt", ":switch-branch alt",
             insert("1", "b5"), without("5"), ":switch-branch main", e4, ":merge alt", ":undo", ":redo",
             ":undo", ":merge alt", insert("2", "a5"), ":undo"]
    for step in steps:
        with Terminal(home, columns=120) as t:
            t.enter(step)
            t.kill()
    # Typed entries: 1 violin, 2 flute, 5 b5 on alt, 8 e4 on main (restarts add no entries).
    assert notes(home) == "b5 | c5 | d5 | e4"
    assert notes(home, "flute") == "rest | c6 | d6 | e6"
    assert [note for note, _ in blamed(home)] == ["b5", "c5", "d5", "e4"]
    by_text = {"b5": "insert-measure", "c5": "part :violin", "d5": "part :violin", "e4": "replace"}
    for note, entry in blamed(home) + blamed(home, "flute"):
        wrote = play(home, f":history {entry} --code")
        assert by_text.get(note, "part :flute") in wrote, (note, wrote)


# --- who wrote what -----------------------------------------------------------------------------


@pytest.mark.parametrize("measure", [1, 2, 3])
def test_writers_are_known_behind_a_measure_that_came(home, measure):
    play(home, piece("c5 d5 e5"), insert(measure, "b5"))
    then = [("c5", 1), ("d5", 1), ("e5", 1)]
    now = [*then[:measure - 1], ("b5", 2), *then[measure - 1:]]
    assert blamed(home) == now
    # Also after undo and redo, in the same process and in a later one.
    assert blamed(home, "violin", ":undo") == then
    assert blamed(home) == then
    assert blamed(home, "violin", ":redo") == now
    assert blamed(home, "VIOLIN") == now and blamed(home, "P1") == now


@pytest.mark.parametrize("measure", [1, 2, 3])
def test_writers_are_known_behind_a_measure_that_went(home, measure):
    play(home, piece("c5 d5 e5"), put(3, "f5"), without(measure))
    then = [("c5", 1), ("d5", 1), ("f5", 2)]
    now = [*then[:measure - 1], *then[measure:]]
    assert blamed(home) == now
    assert blamed(home, "violin", ":undo") == then
    assert blamed(home, "violin", ":redo", ":undo") == then
    assert blamed(home, "violin", ":undo") == [("c5", 1), ("d5", 1), ("e5", 1)]
    assert blamed(home, "violin", ":redo 2") == now


def test_a_part_that_nobody_touched_keeps_its_writers(home):
    play(home, piece("c5 d5"), piece("c6 d6", "flute"), insert(1, "b5"), without(3))
    assert blamed(home) == [("b5", 3), ("c5", 1)]
    assert blamed(home, "flute") == [("c6", 2)]
    assert blamed(home, "flute", ":undo") == [("c6", 2), ("d6", 2)]
    assert blamed(home, "violin", ":undo") == [("c5", 1), ("d5", 1)]


def test_writers_are_known_through_a_merge(home):
    parted(home, [put(2, "g5"), insert(1, "b5")], [put(4, "f6")])
    # 1 the piece, 2 and 3 the branch, 4 g5, 5 b5, 6 back, 7 f6, 8 the merge.
    assert blamed(home, "violin", ":merge alt") == [("b5", 5), ("c5", 1), ("g5", 4), ("e5", 1), ("f6", 7)]
    assert blamed(home, "violin", ":undo") == [("c5", 1), ("d5", 1), ("e5", 1), ("f6", 7)]
    merged = [("b5", 5), ("c5", 1), ("g5", 4), ("e5", 1), ("f6", 7)]
    assert blamed(home, "violin", ":redo") == merged
    assert blamed(home, "violin", ":undo", ":merge alt") == merged
    # And through a second merge, into a branch that has neither.
    assert blamed(home, "violin", ":branch third from 1", ":switch-branch third", ":merge main") == merged
    # And in the branch that it came from.
    assert blamed(home, "violin", ":switch-branch alt", ":merge main") == merged


def test_of_notes_that_are_alike_each_is_its_writers(home):
    parted(home, [put(2, "g5"), put(4, "g5")], [insert(1, "b5"), insert(1, "a5")])
    # 4 and 5 are the g5 in measures 2 and 4 there, which are 4 and 6 here.
    until_g5 = [("a5", 8), ("b5", 7), ("c5", 1), ("g5", 4), ("e5", 1)]
    assert blamed(home, "violin", ":merge alt") == [*until_g5, ("g5", 5)]
    assert blamed(home, "violin", ":undo", ":merge alt 2") == [*until_g5, ("f5", 1)]


def test_a_client_stays_the_writer_of_its_notes(home):
    with Terminal(home, columns=140, rows=50) as t, Client(home, "claude") as c:
        for line in (piece("c5 d5 e5"), ":ai allow", ":branch alt", ":switch-branch alt"):
            t.enter(line)
        g5 = c.call("eval", text=put(2, "g5"))
        assert "proposal" not in g5 or g5["proposal"] is None
        t.type("enter")
        t.wait_for(r"claude \(ipc\)")
        t.enter(insert(1, "b5"))
        t.enter(":switch-branch main")
        assert "merged 2 measures from alt" in t.enter(":merge alt")
        shown = t.enter(":blame 1- violin")
        lines = {note: line for line in shown.splitlines()
                 if (found := writers(line)) for note, _ in found}
        assert "claude (ipc)" in lines["g5"]
        assert not any("claude" in lines[n] for n in ("b5", "c5", "e5"))
        t.kill()
    for undone in ((), (":undo", ":redo"), (":undo", ":merge alt 1 --theirs", ":merge alt 3"),
                   (insert(2, "a5"),), (":undo",), (without(1),)):
        shown = play(home, *undone, ":blame 1- violin")
        claudes = re.findall(r"beat 1 +(\S+) :w +staff 1, voice 1 +In\[\d+\]  claude \(ipc\)", shown)
        assert claudes == ["g5"], (undone, shown)
        assert "from before the first entry" not in shown


def test_a_proposal_that_was_merged_is_still_the_clients(home):
    with Terminal(home, columns=140, rows=50) as t, Client(home, "claude") as c:
        for line in (piece("c5 d5"), ":branch alt", ":switch-branch alt"):
            t.enter(line)
        assert c.call("eval", text=insert(1, "g5"))["proposal"] == 1
        t.wait_for(r"Δ1\]")
        t.enter("(+ 1 1)")
        t.enter(":accept 1")
        t.enter(":switch-branch main")
        t.enter(":merge alt 1")
        assert re.search(r"g5 :w +staff 1, voice 1 +In\[\d+\]  claude \(ipc\) Δ1", t.enter(":blame 1"))
        assert re.search(r"c5 :w +staff 1, voice 1 +In\[1\]  you", t.enter(":blame 2"))


WALTZ = "(part :cello (measure (key d :major) (time 3 4) (note c3 :h.)) (measure (note d3 :h.)))"
GOES, COMES = "(delete (measures 1))", "(insert-measure 2 (measure (note g3 :h.)))"
# By hand, step by step: the new measure comes first, with the attributes of the old first one.
BOTH = "(part :cello (measure (key :d :major) (time 3 4) (clef :bass) (note g3 :h.)) (measure (note d3 :h.)))"


@pytest.mark.parametrize("theirs, ours, merge", [(GOES, COMES, ":merge b"), (COMES, GOES, ":merge b"), (COMES, GOES, ":merge b 2")])
def test_key_metre_and_clef_outlive_the_measure_that_said_them(home, theirs, ours, merge):
    play(home, WALTZ, ":branch b", ":switch-branch b", theirs, ":switch-branch main", ours, merge)
    assert BOTH in " ".join(play(home, ":score").split())


@pytest.mark.parametrize("accept", [":accept 1", ":accept 1 1"])
def test_so_they_do_when_the_deletion_is_proposed(home, accept):
    with Terminal(home, columns=120) as t, Client(home, "claude") as c:
        t.enter(WALTZ)
        c.call("eval", text=GOES)
        t.wait_for(r"Δ1\]")
        t.enter(COMES)
        t.enter(accept)
        assert BOTH in " ".join(t.enter(":score").split())
