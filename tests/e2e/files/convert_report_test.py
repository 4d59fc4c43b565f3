"""`fermata convert --report`: what LilyPond output leaves out is counted, everything else is written.

Expected values follow MusicXML 4.0 and the LilyPond notation reference 2.24.
"""

import json
import subprocess

import pytest
from support.program import BINARY, PATIENCE


def fermata(home, *words, code=0):
    done = subprocess.run([BINARY, *map(str, words)], env=home.environment(), capture_output=True,
                          timeout=PATIENCE, check=False)
    assert done.returncode == code, done.stderr.decode()
    return done


def part(measures):
    return ('<score-partwise version="4.0"><part-list><score-part id="P1"><part-name>Flute</part-name>'
            '</score-part></part-list><part id="P1">' + measures + "</part></score-partwise>")


def measure(content):
    return ('<measure number="1"><attributes><divisions>1</divisions><time><beats>4</beats>'
            f"<beat-type>4</beat-type></time></attributes>{content}</measure>")


def note(step, notations="", tie="", more=""):
    return (f"<note><pitch><step>{step}</step><octave>4</octave></pitch><duration>1</duration>{tie}"
            f"<voice>1</voice><type>quarter</type>{more}"
            + (f"<notations>{notations}</notations>" if notations else "") + "</note>")


def beside(kind):
    return f"<direction><direction-type>{kind}</direction-type></direction>"


def drum(step):
    return (f"<note><unpitched><display-step>{step}</display-step><display-octave>4</display-octave>"
            "</unpitched><duration>1</duration><voice>1</voice><type>quarter</type></note>")


TRIPLET = ("<dot/><time-modification><actual-notes>3</actual-notes><normal-notes>2</normal-notes>"
           "</time-modification>")
REST = note("D") + note("E") + note("F")


def once(what):
    return [f"left out for LilyPond: {what} (1, first in measure 1)"]


@pytest.mark.parametrize("content, written, left_out", [
    (note("C", '<tied type="start"/>') + note("C", '<tied type="stop"/>'), "c'4~ c'4",
     once("separate sounds of notes joined by a drawn tie")),
    (note("C", tie='<tie type="start"/>') + note("C", tie='<tie type="stop"/>'),
     "c'4-\\tweak Tie.stencil ##f ~ c'4", []),
    (note("C", '<tied type="stop"/>') + REST, "c'4 d'4", once("drawn ties without a first note")),
    (beside('<wedge type="crescendo"/>') + note("C") + REST, "c'4 d'4", once("hairpins with one end")),
    (beside('<octave-shift type="down" size="8"/>') + note("C") + REST, "c'4 d'4",
     once("octave lines with one end")),
    (beside('<pedal type="start" line="yes"/>') + note("C") + REST, "c'4 d'4",
     once("pedals with one end")),
    (beside('<pedal type="start"/>') + note("C") + REST, "<>\\sustainOn", []),
    (note("C", '<slur type="start"/>') + REST, "c'4 d'4", once("slurs with one end")),
    (note("C", '<ornaments><wavy-line type="start"/></ornaments>') + REST, "c'4 d'4",
     once("wavy lines with one end")),
    (note("C", '<slide type="start"/>') + note("D") + note("E", '<slide type="stop"/>'), "c'4 d'4 e'4",
     once("slides over other notes")),
    (drum("E") + REST, "e'4 d'4", once("sounds of notes without pitch")),
    (note("C", '<tuplet type="start"/><tuplet type="stop"/>', more=TRIPLET) + REST,
     "bracket-visibility = ##t \\tuplet 3/2 { c'4. }", []),
    (note("C", '<tuplet type="start"/><tuplet type="stop"/>') + REST, "c'4 d'4",
     once("tuplet brackets over notes that are no tuplet")),
])
def test_a_line_is_written_or_counted(home, content, written, left_out):
    source, target = home.path / "a.musicxml", home.path / "a.ly"
    source.write_text(part(measure(content)))
    done = fermata(home, "convert", source, target, "--report", "--json")
    assert json.loads(done.stderr.decode().splitlines()[-1])["left_out"] == left_out
    assert written in target.read_text()
    # The same in words.
    done = fermata(home, "convert", source, target, "--report")
    for line in left_out:
        assert line.removeprefix("left out for LilyPond: ") in done.stderr.decode()


def test_a_timewise_score_has_the_measures_of_all_parts_side_by_side(home):
    parts = "".join(f'<score-part id="{i}"><part-name/></score-part>' for i in ("P1", "P2"))

    def numbered(i, content):
        return f'<measure number="{i}">{content}</measure>'

    def in_part(i, content):
        return f'<part id="{i}">{content}</part>'

    timewise = (f"<score-timewise><part-list>{parts}</part-list>"
                + numbered(1, in_part("P1", note("C")))
                + numbered(2, in_part("P1", note("D")) + in_part("P2", note("E"))) + "</score-timewise>")
    partwise = (f"<score-partwise><part-list>{parts}</part-list>"
                + in_part("P1", numbered(1, note("C")) + numbered(2, note("D")))
                + in_part("P2", numbered(1, "") + numbered(2, note("E"))) + "</score-partwise>")
    written = []
    for name, text in ("timewise", timewise), ("partwise", partwise):
        source, target = home.path / f"{name}.musicxml", home.path / f"{name}.ferm"
        source.write_text(text)
        fermata(home, "convert", source, target)
        written.append(target.read_text())
    assert written[0] == written[1]


@pytest.mark.parametrize("command", [["check"], ["convert", "--report", "--json"]])
def test_the_place_of_a_fault_is_said_once(home, command):
    source = home.path / "torn.musicxml"
    for mark in "", "\ufeff":
        source.write_text(mark + "<score-partwise>\n<part-list></score-partwise>\n", encoding="utf-8")
        target = [home.path / "a.ly"] if command[0] == "convert" else []
        first = fermata(home, command[0], source, *target, *command[1:], code=1).stderr.decode().splitlines()[0]
        assert first.startswith(f"{source}:2:")
        assert "line 2" not in first
        assert first.endswith("(inside score-partwise/part-list)")
