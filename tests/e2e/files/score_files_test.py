"""`:export`, `:import`, `:run` and `fermata FILE`: scores in the user's own files."""

import re
import subprocess
import xml.etree.ElementTree as ET
import zipfile

import pytest
from support.client import Client
from support.program import BINARY, PATIENCE, run_script
from support.terminal import Terminal

TUNE = "(part :violin (measure (note c5 :q) (note d5 :q) (note e5 :h)))"


def said(done):
    return done.stdout.decode() + done.stderr.decode()


def steps_in(musicxml):
    """The letters of the notes in a MusicXML document, read by Python's own parser."""
    return [s.text for s in ET.fromstring(musicxml).iter("step")]


def command(home, *args, cwd=None):
    return subprocess.run([BINARY, *args], capture_output=True, text=True, timeout=PATIENCE, cwd=cwd,
                          env=home.environment(), check=False)


def test_a_file_that_cannot_be_there_is_refused_with_the_reason(home, tmp_path):
    done = run_script(home, f"{TUNE}\n:export {tmp_path}/none/song.ly\n")
    assert f"the folder {tmp_path}/none does not exist" in said(done) and done.returncode == 1
    loop = tmp_path / "loop.ly"
    loop.symlink_to(loop)
    (tmp_path / "song.ferm").write_text(TUNE)
    done = command(home, "convert", str(tmp_path / "song.ferm"), str(loop))
    assert done.returncode != 0 and "cannot write" in done.stderr, done
    assert loop.is_symlink()


# --- :export -----------------------------------------------------------------------------------------------


def test_the_score_is_written_in_the_format_that_the_name_says(home, tmp_path):
    names = ["song.musicxml", "song.xml", "song.mxl", "song.ly", "song.ferm"]
    done = run_script(home, TUNE + "\n" + "".join(f":export {tmp_path}/{n}\n" for n in names))
    assert done.returncode == 0, said(done)
    assert steps_in((tmp_path / "song.musicxml").read_text()) == ["C", "D", "E"]
    assert steps_in((tmp_path / "song.xml").read_text()) == ["C", "D", "E"]
    with zipfile.ZipFile(tmp_path / "song.mxl") as z:
        inside = [n for n in z.namelist() if not n.startswith("META-INF") and n != "mimetype"]
        assert steps_in(z.read(inside[0])) == ["C", "D", "E"]
    assert re.search(r"c''4\s+d''4\s+e''2", (tmp_path / "song.ly").read_text())
    assert "(note c5 :q)" in (tmp_path / "song.ferm").read_text()
    # LilyPond input has no place for sounds, and that is said once.
    assert re.search(r"^left out for LilyPond: playback data", said(done), re.M), said(done)


def test_a_file_that_is_there_is_replaced_only_when_that_is_said(home, tmp_path):
    file = tmp_path / "song.musicxml"
    file.write_text("precious")
    done = run_script(home, f"{TUNE}\n:export {file}\n")
    assert done.returncode == 1 and "already exists" in said(done) and "--yes" in said(done)
    assert file.read_text() == "precious"
    done = run_script(home, f":export {file} --yes\n", "--session", "session-1")
    assert done.returncode == 0, said(done)
    assert steps_in(file.read_text()) == ["C", "D", "E"]


@pytest.mark.parametrize("line, says", [
    (":export", "needs an argument"),
    (":export {tmp}/song.pdf", "musicxml"),
    (":export {tmp}/none/song.musicxml", "none does not exist"),
    (":export -", "is not a file name"),
    (":export a.ferm b.ferm", "unexpected argument `b.ferm`"),
])
def test_what_cannot_be_exported_is_said_and_nothing_is_written(home, tmp_path, line, says):
    done = run_script(home, TUNE + "\n" + line.format(tmp=tmp_path) + "\n")
    assert done.returncode == 1 and says in said(done), said(done)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_score_is_not_written(home, tmp_path):
    done = run_script(home, f":export {tmp_path}/song.musicxml\n")
    assert done.returncode == 1 and "the score is empty" in said(done)
    assert not (tmp_path / "song.musicxml").exists()


def test_looking_at_the_file_changes_nothing_in_the_session(home, tmp_path):
    done = run_script(home, f"{TUNE}\n:export {tmp_path}/song.mxl\n:undo\n:score\n")
    # Undo reverted the part, not the export.
    assert "score is empty" in said(done)


# --- :import -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["song.musicxml", "song.mxl", "song.ferm"])
def test_an_imported_score_replaces_the_current_one_as_one_step(home, tmp_path, name):
    run_script(home, f"{TUNE}\n:export {tmp_path}/{name}\n")
    done = run_script(home, "(part :flute (measure (note g4 :w)))\n(part :flute (measure (note a4 :w)))\n"
                            f":import {tmp_path}/{name}\n:score\n:undo\n:score\n", "--session", "other")
    assert done.returncode == 0, said(done)
    shown = said(done).split("replaced the score", 1)[1]
    imported, back = re.split(r"(?i)undid", shown, maxsplit=1)
    assert "c5" in imported and "g4" not in imported
    assert "g4" in back and "a4" in back and "c5" not in back


@pytest.mark.parametrize("name, content, says", [
    ("song.musicxml", "<score-partwise>", "Nothing was imported"),
    ("song.ferm", "(measure (nte c4 :w))", "unknown-form"),
    ("song.ferm", "(def a 1)", "has no music"),
    ("song.ferm", "(measure (note c4 :w))\n:undo\n", "`:undo`"),
    ("song.ferm", "", "empty"),
    ("song.ly", "c'4", "can only be written"),
    ("song.pdf", "", "musicxml"),
    ("none.musicxml", None, "No such file"),
])
def test_what_cannot_be_imported_leaves_the_score_as_it_was(home, tmp_path, name, content, says):
    if content is not None:
        (tmp_path / name).write_text(content)
    done = run_script(home, f"{TUNE}\n:import {tmp_path}/{name}\n:score\n")
    assert done.returncode == 1 and says in said(done), said(done)
    assert "c5" in done.stdout.decode().split("\n", 1)[1]


# --- :run --------------------------------------------------------------------------------------------------

PROGRAM = """; a motif and what becomes of it
(def motif (seq (note g4 :8) (note g4 :8) (note g4 :8) (note eb4 :8)))
(measure motif motif)
(transpose +2 (note c4 :q))
"""


def test_a_program_is_run_as_a_whole_with_its_definitions_and_undone_as_a_whole(home, tmp_path):
    file = tmp_path / "piece with a blank.ferm"
    file.write_text(PROGRAM)
    done = run_script(home, f':run "{file}"\n(retrograde motif)\n:score\n:undo\n:score\nmotif\n')
    text = said(done)
    assert "ran " in text and "3 expressions" in text
    score = text.split("; the score is empty")[0]
    # All music in a file is added to the score, as when it is compiled, including results of calls.
    assert score.count("(note g4 :8)") >= 6 and "(note d4 :q)" in score
    assert "the score is empty" in text
    assert "unknown-name" in text.split("the score is empty", 1)[1]


@pytest.mark.parametrize("content, says", [
    ("(def a 1)\n(measure (note c4 :w))\n(nte d4)\n", ":3:2: unknown-form"),
    ("(def a 1)\n// words\n", "`//`"),
    ("(def a 1\n", "unclosed"),
    ('<?xml version="1.0"?><score-partwise/>', "this is MusicXML"),
    ("\n", "empty"),
])
def test_a_program_with_a_fault_does_nothing(home, tmp_path, content, says):
    file = tmp_path / "piece.ferm"
    file.write_text(content)
    done = run_script(home, f":run {file}\na\n:score\n")
    assert done.returncode == 1 and says in said(done), said(done)
    assert "unknown-name" in said(done) and "score is empty" in said(done)


def test_other_formats_are_not_run(home, tmp_path):
    (tmp_path / "song.musicxml").write_text("<score-partwise/>")
    done = run_script(home, f":run {tmp_path}/song.musicxml\n")
    assert done.returncode == 1 and ":import" in said(done)


def test_a_running_program_is_stopped_by_ctrl_c_and_nothing_of_it_stays(home, tmp_path):
    file = tmp_path / "long.ferm"
    file.write_text("(def a 1)\n(defn spin [n] (if (= n 0) 0 (spin (- n 1))))\n"
                    "(map (fn [x] (spin 1000)) (range 100000000))\n")
    with Terminal(home) as t:
        t.type(f":run {file}", "enter").wait_for(":run ")
        t.type("ctrl-c").wait_for_prompt(2)
        assert "unknown-name" in t.enter("a")


def test_clients_cannot_use_files(home, tmp_path):
    target = tmp_path / "song.musicxml"
    with Terminal(home) as t:
        t.enter(TUNE)
        with Client(home, "Claude") as c, pytest.raises(AssertionError):
            c.call("eval", text=f":export {target}")
        assert not target.exists()


# --- fermata FILE ------------------------------------------------------------------------------------------


def test_a_file_is_opened_in_a_session_of_its_name(home, tmp_path):
    (tmp_path / "piece.ferm").write_text(PROGRAM)
    done = subprocess.run([BINARY, "piece.ferm"], input="motif\n:score\n", capture_output=True, text=True,
                          cwd=tmp_path, timeout=PATIENCE, env=home.environment(), check=False)
    assert done.returncode == 0, done.stderr
    assert "g4" in done.stdout and "ran " in done.stdout
    assert home.session("piece").is_dir()
    # Input changes the session and never the file.
    assert (tmp_path / "piece.ferm").read_text() == PROGRAM


def test_a_file_that_is_opened_again_is_not_read_again_but_that_is_said(home, tmp_path):
    file = tmp_path / "piece.ferm"
    file.write_text(PROGRAM)
    with Terminal(home, str(file), ready=False, columns=160) as t:
        t.wait_for(r"^\[piece\] In\[2\]:$")
        t.enter("(measure (note a5 :w))")
    with Terminal(home, str(file), ready=False, columns=160) as t:
        t.wait_for(r"was already read into this session")
        assert f':run "{file}"' in t.text()
        assert "a5" in t.enter(":score") and t.text().count("ran ") == 0


def test_a_musicxml_file_is_imported_and_another_session_is_left_alone(home, tmp_path):
    run_script(home, f"{TUNE}\n:export {tmp_path}/song.musicxml\n")
    with Terminal(home, str(tmp_path / "song.musicxml"), ready=False) as t:
        t.wait_for(r"^\[song\] In\[2\]:$")
        assert "c5" in t.enter(":score")
    run_script(home, "(def mine 1)\n", "--session", "other")
    (tmp_path / "other.ferm").write_text(PROGRAM)
    done = command(home, str(tmp_path / "other.ferm"))
    assert done.returncode == 1 and "already has other work" in done.stderr and "--session NAME" in done.stderr
    done = command(home, str(tmp_path / "other.ferm"), "--session", "third")
    assert done.returncode == 0 and home.session("third").is_dir()


@pytest.mark.parametrize("name, says", [
    ("none.ferm", "does not exist"), ("song.ly", "can only be written"), ("song.pdf", "musicxml"),
])
def test_what_cannot_be_opened_makes_no_session(home, tmp_path, name, says):
    if name != "none.ferm":
        (tmp_path / name).write_text("")
    done = command(home, str(tmp_path / name))
    assert done.returncode == 1 and says in done.stderr, done.stderr
    assert not home.folder.exists()
