"""Everything that MusicXML 4.0 can attach to a note can be written in the language and gets into the file.

The lists come from the schema (its element groups and enumerations), not from our tables.
"""

import re
import subprocess

import pytest
from support.program import ROOT, Home, run_script

XSD = ROOT / "tests/data/xsd/musicxml.xsd"
SCHEMA = XSD.read_text()


def elements(name):
    group = re.search(rf'<xs:complexType name="{name}">(.*?)</xs:complexType>', SCHEMA, re.S)[1]
    return re.findall(r'element name="([^"]*)"', group)


def words(name):
    kind = re.search(rf'<xs:simpleType name="{name}">(.*?)</xs:simpleType>', SCHEMA, re.S)[1]
    return [w for w in re.findall(r'enumeration value="([^"]*)"', kind) if w]


# The content of elements that cannot be empty.
INSIDE = {
    "other-articulation": '"x"', "other-ornament": '"x"', "other-technical": '"x"',
    "other-dynamics": '"x"', "tremolo": "3", "accidental-mark": '"sharp"', "fingering": '"3"',
    "pluck": '"p"', "fret": "3", "string": "2", "tap": '"T"', "handbell": ":damp",
    "hammer-on": "start", "pull-off": "start", "wavy-line": "start",
}
# Enumerations whose values follow an option of a note.
OPTIONS = {
    "fermata-shape": "fermata", "notehead-value": "notehead", "accidental-value": "accidental",
    "handbell-value": "handbell", "breath-mark-value": "breath-mark", "caesura-value": "caesura",
    "hole-closed-value": "hole", "harmon-closed-value": "harmon-mute", "arrow-direction": "arrow",
}


def cases():
    for group in ("articulations", "ornaments", "technical"):
        for name in elements(group):
            yield f"<{name}", f"(note c4 :w :{name} {INSIDE.get(name, '')})"
    for kind, option in OPTIONS.items():
        for word in words(kind):
            # The default shape may be omitted.
            usual = f"|<{option}/>" if word == "normal" else ""
            yield f">{word}</{usual}", f"(note c4 :w :{option} :{word.replace(' ', '-')})"
    for name in elements("dynamics"):
        yield f"<{name}", f"({name} {INSIDE.get(name, '')}) (note c4 :w)"
    for word in words("bar-style"):
        yield f"<bar-style>{word}<|<measure", f"(note c4 :w) (barline :{word})"
    for word in words("clef-sign"):
        yield f"<sign>{word}<", f"(clef :sign \"{word}\" :line 2) (note c4 :w)"
        yield f"<sign>{word}<", f"(clef :sign {word.swapcase()} :line 2) (note c4 :w)"
    for word in words("kind-value"):
        yield f">{word}</kind>", f"(harmony :root c :kind {word}) (note c4 :w)"
    for word in words("degree-type-value"):
        yield f">{word}</degree-type>", (f"(harmony :root c :kind major :degree ({word} 5)) "
                                         "(note c4 :w)")
    for strokes in range(9):
        yield f'<tremolo type="start">{strokes}<', (
            f"(note c4 :h :double-tremolo (start {strokes})) "
            f"(note e4 :h :double-tremolo (stop {strokes}))")
    for typed, alter in (("2", "2"), ("1/2", "0.5")):
        yield f"<bend-alter>{alter}<", f"(note c4 :w :bend {typed})"
    # What MusicXML allows in <prefix> and <suffix>: accidental values, plus, slash, back-slash.
    for figure, wanted in (("##4", "<prefix>double-sharp</prefix>"),
                           ("bb7", "<prefix>flat-flat</prefix>"),
                           ("x4", "<prefix>double-sharp</prefix>"),
                           ("n6", "<prefix>natural</prefix>"),
                           ("+4", "<prefix>plus</prefix>"),
                           ("6+", "<suffix>plus</suffix>"),
                           ("6#", "<suffix>sharp</suffix>"),
                           ("/5", "<suffix>slash</suffix>"),
                           ("5/", "<suffix>slash</suffix>"),
                           ("5\\\\", "<suffix>back-slash</suffix>")):
        yield wanted, f'(figured-bass "{figure}") (note c4 :w)'


CASES = list(cases())


@pytest.fixture(scope="module")
def written():
    """The measures of one score that contains all of it, each as MusicXML."""
    with Home() as home:
        source, target = home.path / "all.ferm", home.path / "all.musicxml"
        source.write_text("(score (part :flute\n" + "\n".join(
            f"(measure {form})" for _, form in CASES) + "))\n")
        done = run_script(home, "", "compile", str(source), "-o", str(target))
        assert done.returncode == 0, done.stderr.decode()
        # What cannot be written would be reported here; a few spanners start here only for their marks.
        told = [line for line in done.stderr.decode().splitlines() if "begins on c4" not in line]
        assert told == []
        checked = subprocess.run(["xmllint", "--nonet", "--noout", "--schema",
                                  str(XSD.with_name("musicxml-local.xsd")), str(target)],
                                 capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stderr
        back = home.path / "back.ferm"
        assert run_script(home, "", "import", str(target), "-o", str(back)).returncode == 0
        again = home.path / "again.musicxml"
        assert run_script(home, "", "compile", str(back), "-o", str(again)).returncode == 0
        assert again.read_text() == target.read_text()
        return re.findall(r"<measure .*?</measure>", target.read_text(), re.S)


def test_the_schema_was_read():
    assert len(CASES) > 200 and len(words("notehead-value")) == 28


@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda n: CASES[n][1])
def test_it_is_in_the_file(written, number):
    wanted, form = CASES[number]
    assert any(w in written[number] for w in wanted.split("|")), written[number]


@pytest.mark.parametrize("option", sorted(set(OPTIONS.values())))
def test_a_word_that_is_none_is_refused(option):
    with Home() as home:
        done = run_script(home, f"(note c4 :w :{option} :nonsense)\n")
    assert done.returncode == 1 and b"nonsense" in done.stderr


@pytest.mark.parametrize("form", [
    "(clef :sign x)", "(note c4 :double-tremolo (start 9))", "(note c4 :mark (staccato sideways))",
    "(octave-shift :down :size 10)", "(key -3 :mode majr)", "(sound (:tempo fast))",
    "(sound (:tempoo 90))", "(note c4 :accidental-mark foo)", "(note c4 :ornament-accidental foo)",
    "(note c4 :notehead (x :filled maybe))", "(harmony :root c :kind minr)",
    "(harmony :root c :degree (ad 9))", "(layout :system maybe)",
    "(key c :major :cancel-location nowhere)", "(xml \"<note>\")", "(xml \"<foo/>\")",
    "(xml \"<!-- x -->\")", "(note c4 :xml (:foo \"x\"))", "(note c4 :id \"a b\")",
    "(defaults :instrument hron)", "(note c4 :breath-mark foo)", "(note c4 :arpeggiate sideways)",
])
def test_nothing_is_taken_that_would_be_lost_in_the_file(form):
    with Home() as home:
        done = run_script(home, form + "\n:score\n")
    assert done.returncode == 1 and done.stderr
    assert b"(part" not in done.stdout, "nothing was added to the score"


def test_two_notes_with_one_id_are_told_of():
    with Home() as home:
        source = home.path / "ids.ferm"
        source.write_text("(measure (note c4 :h :id a1) (note d4 :h :id a1))\n")
        checked = run_script(home, "", "check", str(source))
        assert b"the id a1" in checked.stdout + checked.stderr
        done = run_script(home, "", "compile", str(source), "-o", str(home.path / "ids.musicxml"))
        assert b"the id a1" in done.stderr
