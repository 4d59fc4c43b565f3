"""MusicXML files that other programs read wrongly: as files, through Fermata text, and transposed.

Expected results come from the MusicXML specification and from the bug reports, calculated by hand; the
comparison does not use the program (support/musicxml_compare.py).
"""

import json
import subprocess
import xml.etree.ElementTree as ET
from fractions import Fraction as F

import pytest
from support.client import Client
from support.musicxml_compare import difference
from support.program import BINARY, PATIENCE, ROOT, run_script
from support.terminal import Terminal

INPUTS = ROOT / "tests" / "data" / "bug-inputs"
FILES = sorted(p.stem for p in INPUTS.glob("*.musicxml"))


def fermata(home, *words, code=0):
    done = subprocess.run([BINARY, *map(str, words)], env=home.environment(), capture_output=True,
                          timeout=PATIENCE, check=False)
    assert done.returncode == code, done.stderr.decode()
    return done


def converted(home, source, target):
    fermata(home, "convert", source, home.path / target)
    return home.path / target


def by_text(home, name):
    return converted(home, converted(home, INPUTS / f"{name}.musicxml", "a.ferm"), "b.musicxml")


# Not preserved unchanged: separate tests check what happens to them.
REPAIRED = ("p40_backup_before_start", "p49_doctype_entity")


def without_beams(path):
    """A file without what the program adds to a score written from Fermata text."""
    root = ET.parse(path).getroot()
    for note in root.iter("note"):
        for beam in note.findall("beam"):
            note.remove(beam)
    for e in root.iter():
        e.text, e.tail = (e.text or "").strip() if len(e) else e.text, None
    return ET.tostring(root)


@pytest.mark.parametrize("name", [f for f in FILES if f not in REPAIRED])
def test_a_file_keeps_all_that_it_says(home, name):
    source = (INPUTS / f"{name}.musicxml").read_text(encoding="utf-8")
    direct = converted(home, INPUTS / f"{name}.musicxml", "direct.musicxml")
    assert difference(source, direct.read_text(encoding="utf-8")) is None
    assert without_beams(direct) == without_beams(by_text(home, name))


def notes_of(path, part=0):
    """(onset in the measure, name, length) of every note of a part, in quarters, measure by measure."""
    divisions, out = F(1), []
    for number, measure in enumerate(ET.parse(path).getroot().findall("part")[part].findall("measure"), 1):
        now = onset = F(0)
        for e in measure:
            divisions = F(e.findtext("divisions") or divisions) if e.tag == "attributes" else divisions
            length = F(e.findtext("duration") or 0) / divisions
            if e.tag in ("backup", "forward"):
                now += length if e.tag == "forward" else -length
            if e.tag != "note":
                continue
            if e.find("chord") is None:
                onset, now = now, now + length
            if e.find("pitch") is not None:
                sign = {"1": "#", "-1": "b"}.get(e.findtext("pitch/alter"), "")
                out.append((number, onset, e.findtext("pitch/step") + sign + e.findtext("pitch/octave"), length))
    return sorted(out)


HAND_MADE = {
    "p01_chord_unequal_durations": [(1, 0, "B4", 1), (1, 0, "D4", 2), (1, 0, "G3", 3), (1, 3, "C5", 1)],
    "p02_chord_member_without_voice": [(1, 0, "A3", 3), (1, 0, "E4", 3), (1, 0, "E5", 4), (1, 0, "G4", 3)],
    "p03_nested_tuplet_both_stop": [
        (1, 0, "C5", F(1, 3)), (1, F(1, 3), "D5", F(1, 3)),
        *((1, F(2, 3) + F(i, 21), p, F(1, 21)) for i, p in enumerate("E5 F5 G5 A5 B5 C6 D6".split()))],
    "p04_nested_both_start": [(1, 0, "C5", F(1, 9)), (1, F(1, 9), "D5", F(1, 9)), (1, F(2, 9), "E5", F(1, 9)),
                              (1, F(1, 3), "F5", F(1, 3)), (1, F(2, 3), "G5", F(1, 3))],
    "p06_tuplet_unequal": [(1, 0, "F4", 2), (1, 2, "A4", F(4, 3)), (1, F(10, 3), "E5", F(2, 3)),
                           (2, 0, "G4", 1), (2, 1, "D5", 3)],
    "p07_single_note_tuplet": [(1, 0, "C5", 1), (1, 1, "D5", 1)],
    "p19_time_denominators": [(1, 0, "C5", F(5, 4)), (2, 0, "C5", F(7, 8)), (3, 0, "C5", F(8, 3))],
    "p25_no_divisions": [(1, 0, "C5", 1), (1, 1, "D5", 1), (1, 2, "E5", 2)],
    "p26_huge_divisions": [*((1, F(i, 11), "C5", F(1, 11)) for i in range(11)),
                           *((1, 1 + F(i, 13), "D5", F(1, 13)) for i in range(13)),
                           *((1, 2 + F(i, 7), "E5", F(1, 7)) for i in range(7))],
    "p33_transpose_change_double": [(1, 0, "D5", 4), (2, 0, "A5", 4), (3, 0, "C5", 4)],
}


@pytest.mark.parametrize("name", HAND_MADE)
def test_notes_are_where_they_belong(home, name):
    wanted = [(m, F(at), pitch, F(length)) for m, at, pitch, length in HAND_MADE[name]]
    assert notes_of(by_text(home, name)) == sorted(wanted)


def test_a_chord_member_without_a_voice_is_in_the_voice_of_its_chord(home):
    root = ET.parse(by_text(home, "p02_chord_member_without_voice")).getroot()
    assert {n.findtext("pitch/step") + n.findtext("pitch/octave") for n in root.iter("note")
            if n.findtext("voice") == "2" and n.find("pitch") is not None} == {"A3", "E4", "G4"}


def test_nothing_begins_before_its_measure(home):
    done = fermata(home, "convert", INPUTS / "p40_backup_before_start.musicxml", home.path / "a.musicxml")
    assert b"backup" in done.stderr
    assert (1, F(0), "E4", F(4)) in notes_of(home.path / "a.musicxml")


def test_parts_may_have_different_numbers_of_measures(home):
    root = ET.parse(by_text(home, "p42_part_lengths_differ")).getroot()
    assert [m.get("number") for m in root.find("part").findall("measure")] == ["1", "2a", "X3"]


def test_an_entity_of_the_document_is_its_text_or_is_refused(home):
    done = subprocess.run([BINARY, "convert", INPUTS / "p49_doctype_entity.musicxml", home.path / "a.musicxml"],
                          env=home.environment(), capture_output=True, timeout=PATIENCE, check=False)
    if done.returncode == 0:
        assert "rit." in [w.text for w in ET.parse(home.path / "a.musicxml").getroot().iter("words")]
    else:
        assert b"entit" in done.stderr


# --- transposed by a major second

def transposed(home, name):
    """The score a major second higher, and the remarks about it."""
    text = converted(home, INPUTS / f"{name}.musicxml", "a.ferm").read_text(encoding="utf-8")
    (home.path / "up.ferm").write_text(f"(transpose M2 {text})", encoding="utf-8")
    done = fermata(home, "convert", home.path / "up.ferm", home.path / "up.musicxml")
    return ET.parse(home.path / "up.musicxml").getroot(), done.stderr.decode()


def pitches(root):
    return [n.findtext("pitch/step") + n.findtext("pitch/octave") + (n.findtext("pitch/alter") or "")
            for n in root.iter("note")]


def test_a_key_with_octaves_of_its_signs_moves_and_loses_them(home):
    root, said = transposed(home, "p51_key_octave_cancel_transposed")
    assert root.findtext(".//fifths") == "0" and pitches(root) == ["C5"]
    assert root.find(".//key-octave") is None and "transpose dropped <key-octave>" in said


def test_a_key_of_any_signs_moves_whatever_glyphs_it_names(home):
    root, _ = transposed(home, "p52_key_accidental_smufl_transposed")
    assert (root.findtext(".//key-step"), root.findtext(".//key-alter")) == ("F", "1")
    assert pitches(root) == ["C5"] and root.find(".//key-accidental") is None
    # The key is understood, not only preserved.
    done = fermata(home, "import", INPUTS / "p52_key_accidental_smufl_transposed.musicxml")
    assert b"accidentalFlat" in done.stdout and b"(xml" not in done.stdout


def test_all_chords_of_a_polychord_move(home):
    root, _ = transposed(home, "p53_polychord_transposed")
    h = root.find(".//harmony")
    roots = [(r.findtext("root-step"), r.findtext("root-alter")) for r in h.findall("root")]
    assert roots == [("B", None), ("C", "1")]
    assert [k.text for k in h.findall("kind")] == ["minor-seventh", "dominant"]
    assert root.findtext(".//fifths") == "2" and pitches(root) == ["D5"]


def test_the_key_of_a_numeral_moves_and_the_numeral_stays(home):
    root, _ = transposed(home, "p54_numeral_key_transposed")
    assert root.findtext(".//numeral-root") == "5" and root.findtext(".//numeral-fifths") == "2"
    assert root.findtext(".//key/fifths") == "2" and pitches(root) == ["A4"]


def test_the_text_of_a_root_goes_when_the_root_moves(home):
    root, said = transposed(home, "p55_root_text_transposed")
    step = root.find(".//root-step")
    assert step.text == "D" and step.get("text") is None
    assert "transpose dropped the text of <root-step>: it refers to the old pitches" in said


# --- what is dropped is reported

EXPRESSION = "(transpose M2 (seq (note c4 :q :fret 3) (note d4 :q :fret 5)))"
SAID = "transpose dropped <fret> (2 times): it refers to the old pitches"


def test_what_is_dropped_is_said_in_the_timeline(home):
    done = run_script(home, EXPRESSION + "\n:history\n")
    assert done.stdout.decode().count(SAID) == 1, done.stdout.decode()


def test_what_is_dropped_is_said_by_eval_apart_from_the_value(home):
    done = fermata(home, "eval", "-e", EXPRESSION)
    assert SAID in done.stderr.decode() and "dropped" not in done.stdout.decode()
    told = json.loads(fermata(home, "eval", "--json", "-e", EXPRESSION).stdout)
    assert told["remarks"] == [SAID]
    assert "remarks" not in json.loads(fermata(home, "eval", "--json", "-e", "(note c4 :q)").stdout)


def test_a_client_and_the_user_are_told_what_is_dropped(home):
    with Terminal(home) as t, Client(home, "c") as c:
        assert c.call("eval_preview", text=EXPRESSION)["remarks"] == [SAID]
        t.enter(EXPRESSION)
        assert SAID in t.text()
        assert c.call("get_history", limit=1)["entries"][0]["remarks"] == [SAID]
