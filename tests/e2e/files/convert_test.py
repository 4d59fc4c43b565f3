"""Score files at the shell: convert, import, compile, diff."""

import json
import os
import pathlib
import re
import subprocess
import xml.etree.ElementTree
import zipfile

import pytest
from support.program import BINARY, PATIENCE, ROOT, little_memory

DATA = ROOT / "tests" / "data"


def fermata(home, *words, code=0):
    done = subprocess.run([BINARY, *map(str, words)], env=home.environment(), capture_output=True,
                          timeout=PATIENCE)
    assert done.returncode == code, done.stderr.decode()
    return done


def score(*contents, part='<score-part id="P1"><part-name>Flute</part-name></score-part>'):
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<score-partwise version="4.0">\n'
            f'<part-list>{part}</part-list>\n<part id="P1">\n'
            + "".join(f'<measure number="{i}">\n{c}</measure>\n' for i, c in enumerate(contents, 1))
            + "</part>\n</score-partwise>\n")


def note(step, inside="", duration=1, kind="quarter", octave=4):
    return (f"<note><pitch><step>{step}</step><octave>{octave}</octave></pitch><duration>{duration}"
            f"</duration>{inside}<voice>1</voice><type>{kind}</type></note>\n")


COMMON_TIME = ("<attributes><divisions>1</divisions><key><fifths>0</fifths></key>"
               "<time><beats>4</beats><beat-type>4</beat-type></time></attributes>\n")


def write(home, name, text):
    path = pathlib.Path(home.path) / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("words", [["check", "-"], ["compile", "-"], ["fmt", "-"], ["import", "-"],
                                   ["convert", "-", "q.ferm", "--from", "musicxml"],
                                   ["convert", "-", "-"], ["fmt", "/dev/zero"], ["compile", "/dev/zero"],
                                   ["check", "endless.ferm"], ["diff", "endless.ferm", "endless.ferm"]],
                         ids=" ".join)
def test_input_without_end_is_refused_as_soon_as_it_is_too_long(home, words):
    (home.path / "endless.ferm").symlink_to("/dev/zero")
    with open("/dev/zero") as endless:
        done = subprocess.run([BINARY, *words], stdin=endless, capture_output=True, timeout=PATIENCE, cwd=home.path,
                              env=home.environment(), preexec_fn=little_memory(), check=False)
    assert done.returncode == (2 if words[0] == "diff" else 1) and done.stdout == b""
    assert done.stderr.startswith(b"input-too-large: "), done.stderr[:300]
    assert not (home.path / "q.ferm").exists()


LINE_ENDS = ["\n", "\r\n", "\r"]


@pytest.mark.parametrize("end", LINE_ENDS)
def test_whatever_ends_the_lines_of_a_program_it_is_the_same_music(home, end):
    path = home.path / "a.ferm"
    lines = ["; one", '(score (part :flute (measure (words "A', 'B") (note c4 :w))))', "(nte)"]
    path.write_bytes(end.join(lines[:3]).encode())
    written = fermata(home, "compile", path).stdout
    path.write_bytes("\n".join(lines[:3]).encode())
    assert written == fermata(home, "compile", path).stdout and b"&#13;" not in written
    path.write_bytes(end.join(lines).encode())
    said = fermata(home, "check", path, code=1).stderr.decode()
    assert said.startswith(f"{path}:4:2: unknown-form: ") and "  4 | (nte)\n" in said
    path.write_bytes(end.join(lines[:3]).encode())
    fermata(home, "fmt", path)
    assert b"\r" not in path.read_bytes()


@pytest.mark.parametrize("line,says", [
    (":undo", "`:undo` is a prompt command"), ("  :undo 2", "`:undo` is a prompt command"),
    (":foo x y", "`:foo` is a prompt command"), ("\ufeff:q", "`:q` is a prompt command"),
    ("// hello", "`//` starts a message"), ("// it is (me", "`//` starts a message")])
def test_what_only_the_prompt_understands_is_a_fault_of_a_program(home, line, says):
    music = "(score (part :flute (measure (note c4 :w))))"
    path = write(home, "a.ferm", f"{music}\n{line}\n(list\n:q\n)\n")
    write(home, "b.musicxml", "kept")
    for words in (["check", path], ["compile", path, "-o", home.path / "b.musicxml"],
                  ["convert", path, home.path / "b.musicxml"], ["import", path]):
        done = fermata(home, *words, code=1)
        assert done.stdout == b""
        said = done.stderr.decode()
        assert re.match(rf"{re.escape(str(path))}:2:\d+: misplaced: ", said) and says in said, said
        assert said.count("misplaced: ") == 1
    assert (home.path / "b.musicxml").read_text() == "kept"
    done = fermata(home, "eval", "-e", f"1\n{line}", code=1)
    assert says in done.stderr.decode() and done.stdout == b""
    # They still work as values.
    assert fermata(home, "eval", "-e", "(list :undo)", "-e", "(list\n:q\n)", "-e", ":8").stdout.decode().splitlines() \
        == ["(:undo)", "(:q)", ":8"]


def test_an_input_of_nothing_takes_the_place_of_no_file(home):
    old = write(home, "song.musicxml", score(COMMON_TIME + note("C", duration=4, kind="whole")))
    kept = old.read_bytes()
    definitions = write(home, "d.ferm", "(def x 1)\n")
    before = definitions.read_bytes()
    for words, closed in ((["compile", "-", "-o", old], False), (["compile", "-", "-o", old], True),
                          (["convert", "-", old, "--from", "fermata"], True),
                          (["convert", definitions, definitions], False)):
        command = " ".join(map(str, [BINARY, *words])) + (" <&-" if closed else " </dev/null")
        done = subprocess.run(["sh", "-c", command], env=home.environment(), capture_output=True, timeout=PATIENCE)
        assert done.returncode == 1 and b"produces no music; " in done.stderr, done
        assert old.read_bytes() == kept and definitions.read_bytes() == before
    # If nothing can be lost, it is only a remark.
    for words in (["compile", definitions, "-o", home.path / "new.musicxml"], ["compile", definitions],
                  ["convert", definitions, home.path / "new.ly"]):
        assert b"note: the program produces no music" in fermata(home, *words).stderr
    assert (home.path / "new.musicxml").exists()
    # A program that explicitly gives an empty score means it.
    empty = write(home, "empty.ferm", "(score)\n")
    assert b"note: the program produces no music" in fermata(home, "compile", empty, "-o", old).stderr
    assert old.read_bytes() != kept


def test_a_wrong_name_is_called_by_what_it_is(home):
    song = write(home, "a.ferm", "(score (part :flute (measure (note c4 :w))))")
    for words, says, code in ((["compile", "-t", "foo", song], "unknown format `foo`", 2),
                              (["convert", song, "-", "--from", "foo"], "unknown format `foo`", 2),
                              (["convert", song, "-", "--to", ".foo"], "unknown format `.foo`", 2),
                              (["compile", song, "-o", "x.foo"], "no format has the extension .foo", 1),
                              (["compile", song, "-o", ""], "option --output is empty", 2),
                              (["compile", ""], "argument `input` is empty", 2),
                              (["check", ""], "argument `files` is empty", 2)):
        said = fermata(home, *words, code=code).stderr.decode()
        assert says in said and len(said.splitlines()) > 1, said


def test_a_fault_of_a_file_names_it_once(home):
    path = write(home, "e.musicxml", "<score-partwise><x")
    said = fermata(home, "check", path, code=1).stderr.decode()
    assert said.splitlines()[0].count("e.musicxml") == 1 and ":1:18: invalid-xml: " in said, said
    assert "line 1" not in said


def test_musicxml_on_standard_input_is_taken_for_what_it_is(home):
    path = write(home, "a.musicxml", score(COMMON_TIME + note("G", duration=4, kind="whole")))
    fermata(home, "convert", path, home.path / "a.mxl")
    for name in ("a.musicxml", "a.mxl"):
        with open(home.path / name, "rb") as file:
            done = subprocess.run([BINARY, "import", "-"], stdin=file, env=home.environment(), capture_output=True,
                                  timeout=PATIENCE)
        assert done.returncode == 0 and b"(note g4 :w" in done.stdout, done
        with open(home.path / name, "rb") as file:
            assert subprocess.run([BINARY, "check", "-"], stdin=file, env=home.environment(), capture_output=True,
                                  timeout=PATIENCE).returncode == 0
        # If a program is required, this is one error.
        said = fermata(home, "compile", home.path / name, code=1).stderr.decode()
        assert "this is MusicXML" in said and "`fermata import" in said and said.count("unsupported-format") == 1


def test_a_compressed_file_holds_what_the_plain_one_says_and_never_changes_by_itself(home):
    source = DATA / "musicxml" / "kainhofer" / "01a-Pitches-Pitches.xml"
    here = pathlib.Path(home.path)
    fermata(home, "convert", source, here / "a.musicxml")
    fermata(home, "convert", source, here / "a.mxl")
    os.utime(here / "a.mxl", (0, 0))
    fermata(home, "convert", source, here / "b.mxl")
    assert (here / "a.mxl").read_bytes() == (here / "b.mxl").read_bytes()
    # A zip archive as another program writes it, and the container that the specification requires.
    with zipfile.ZipFile(here / "a.mxl") as archive:
        assert archive.testzip() is None
        assert archive.namelist()[0] == "mimetype"
        assert b'full-path="score.musicxml"' in archive.read("META-INF/container.xml")
        assert archive.read("score.musicxml") == (here / "a.musicxml").read_bytes()
    fermata(home, "convert", here / "a.mxl", here / "c.musicxml")
    assert (here / "c.musicxml").read_bytes() == (here / "a.musicxml").read_bytes()
    assert fermata(home, "diff", source, here / "a.mxl").stdout == b"no difference\n"


def test_a_file_is_passed_on_as_it_is_and_our_own_text_is_completed(home):
    # F sharp in C major and two eighths, without accidental and beam.
    sharp = ("<note><pitch><step>F</step><alter>1</alter><octave>4</octave></pitch><duration>1"
             "</duration><voice>1</voice><type>eighth</type></note>\n")
    given = write(home, "given.musicxml", score(COMMON_TIME.replace(
        "<divisions>1", "<divisions>2") + sharp * 2 + note("C", duration=6, kind="half")))
    copy = pathlib.Path(home.path) / "copy.musicxml"
    fermata(home, "convert", given, copy)
    text = copy.read_text()
    assert "<accidental>" not in text and "<beam" not in text
    ours = write(home, "ours.ferm", "(measure (note f#4 :8) (note f#4 :8) (note c4 :h.))")
    fermata(home, "compile", ours, "-o", copy)
    text = copy.read_text()
    assert text.count("<accidental>sharp</accidental>") == 1 and text.count("<beam") == 2
    # The same with convert.
    again = pathlib.Path(home.path) / "again.musicxml"
    fermata(home, "convert", ours, again)
    assert again.read_text() == text


def test_import_writes_text_that_means_the_same_score(home):
    source = DATA / "musicxml" / "openscore" / "Bishop_Henry_Home_Sweet_Home_lc6486038.mxl"
    here = pathlib.Path(home.path)
    fermata(home, "import", source, "-o", here / "song.ferm")
    assert (here / "song.ferm").read_text().startswith("(score")
    assert fermata(home, "diff", source, here / "song.ferm").stdout == b"no difference\n"
    # Without -o the result is printed.
    assert fermata(home, "import", source).stdout == (here / "song.ferm").read_bytes()


def test_the_report_says_what_was_kept_as_xml_and_what_was_left_out(home):
    source = write(home, "odd.musicxml", score(
        COMMON_TIME + "<!-- slowly -->\n" + '<grouping type="start" number="1"/>\n'
        + note("C", duration=4, kind="whole").replace("<duration>", '<duration mood="calm">')))
    target = pathlib.Path(home.path) / "out.musicxml"
    done = fermata(home, "convert", source, target, "--report")
    said = done.stderr.decode()
    assert "grouping: kept as XML 1: P1 measure 1\n" in said
    assert "comment: DROPPED 1: P1 measure 1\n" in said
    assert "duration/@mood: DROPPED 1: P1 measure 1\n" in said
    done = fermata(home, "convert", source, target, "--report", "--json")
    report = json.loads(done.stderr.decode().splitlines()[-1])
    assert report["dropped"] == 2
    rows = {row["name"]: row for row in report["elements"]}
    assert rows["grouping"]["fragment_places"] == [{"part": "P1", "measure": "1", "count": 1}]
    assert rows["note"]["typed"] == 1
    assert '<grouping type="start" number="1"/>' in target.read_text()


def test_what_a_poorer_format_cannot_say_is_told(home):
    def hammer(end):
        return f'<notations><technical><hammer-on type="{end}"/></technical></notations></note>'
    source = write(home, "poor.musicxml", score(
        COMMON_TIME + note("C").replace("</note>", hammer("start"))
        + note("D").replace("</note>", hammer("stop")) + note("E") + note("F")))
    done = fermata(home, "convert", source, pathlib.Path(home.path) / "out.ly")
    assert "hammer-ons" in done.stderr.decode() and "left out" in done.stderr.decode()
    done = fermata(home, "convert", source, pathlib.Path(home.path) / "out.ly", "--report", "--json")
    report = json.loads(done.stderr)  # and nothing beside it
    assert len(report["left_out"]) == 1 and "hammer-ons" in report["left_out"][0]
    assert "c'4 d'4 e'4 f'4" in (pathlib.Path(home.path) / "out.ly").read_text()


def test_notes_that_are_tied_or_slurred_to_nothing_are_told_on_import(home):
    slur = "<notations><slur type=\"start\"/></notations>"
    dangling = note("D").replace("</note>", slur + "</note>")
    source = write(home, "lines.musicxml", score(
        COMMON_TIME + note("C", '<tie type="start"/>') + dangling + note("E") + note("F")))
    said = fermata(home, "convert", source, pathlib.Path(home.path) / "o.musicxml").stderr.decode()
    assert "the tie from c4 leads nowhere" in said
    assert "a slur begins on d4 and has no end" in said
    done = fermata(home, "convert", source, pathlib.Path(home.path) / "o.musicxml", "--report", "--json")
    warnings = [w["message"] for w in json.loads(done.stderr)["warnings"]]
    for message in ("the tie from c4 leads nowhere", "a slur begins on d4 and has no end"):
        assert any(message in w for w in warnings), warnings


@pytest.mark.parametrize("contents, message", [
    (COMMON_TIME + "".join(note(s) for s in "CDEFG"), "too long for 4/4"),
    (COMMON_TIME + note("C") + note("D"), "a half short of 4/4 after d4"),
    (COMMON_TIME + note("C", octave=1) + note("D") + note("E") + note("F"), "below the range"),
    (COMMON_TIME + note("C").replace("</note>", '<notations><tuplet type="start"/></notations></note>')
     + note("D") + note("E") + note("F"), "a tuplet bracket begins on c4 and has no end"),
])
def test_music_that_does_not_add_up_is_said_in_a_musicians_words_and_read_all_the_same(
        home, contents, message):
    full = COMMON_TIME + note("C", duration=4, kind="whole")
    source = write(home, "music.musicxml", score(
        full, contents, full,
        part='<score-part id="P1"><part-name>Flute</part-name><score-instrument id="I1">'
             '<instrument-name>Flute</instrument-name></score-instrument></score-part>'))
    done = fermata(home, "convert", source, pathlib.Path(home.path) / "o.musicxml")
    assert message in done.stderr.decode()
    assert "measure 2" in done.stderr.decode()
    # `check` reports the same.
    assert message in fermata(home, "check", source).stderr.decode()


@pytest.mark.parametrize("command", ["check", "compile", "convert"])
def test_every_command_that_reads_a_program_tells_what_does_not_add_up_in_it(home, command):
    source = write(home, "tied.ferm", "(note c4 :q :tie start) (note d4 :q)\n")
    target = [] if command == "check" else [pathlib.Path(home.path) / "o.musicxml"]
    option = ["-o"] if command == "compile" else []
    done = fermata(home, command, source, *option, *target)
    assert "the tie from c4 leads nowhere" in done.stderr.decode()
    assert done.returncode == 0


@pytest.mark.parametrize("bad, code", [(b"\0", "invalid-token"), (b"\xe9", "invalid-utf8")])
@pytest.mark.parametrize("command", ["check", "compile", "convert", "fmt", "diff"])
def test_a_byte_that_is_no_text_is_named_with_its_place(home, command, bad, code):
    source = pathlib.Path(home.path) / "song.ferm"
    source.write_bytes(b"(note c4 :q)\n(note d4 :q)" + bad + b"(note e4 :q)\n")
    more = {"convert": [pathlib.Path(home.path) / "o.musicxml"], "diff": [source]}.get(command, [])
    said = fermata(home, command, source, *more, code=2 if command == "diff" else 1).stderr.decode("utf-8")
    place, line, caret, *_ = said.splitlines()
    assert place.startswith(f"{source}:2:13: {code}: ")
    assert line == "  2 | (note d4 :q)\ufffd(note e4 :q)"
    assert caret == "      " + " " * 12 + "^"


def test_a_fault_in_a_packed_or_converted_score_names_no_line(home):
    broken = score("<note><nonsense>\u00e9</note>")
    packed = pathlib.Path(home.path) / "a.mxl"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("META-INF/container.xml", '<container><rootfiles><rootfile full-path="a.xml"/>'
                                                   "</rootfiles></container>")
        archive.writestr("a.xml", broken)
    wide = pathlib.Path(home.path) / "wide.musicxml"
    wide.write_bytes(broken.replace("UTF-8", "UTF-16").encode("utf-16"))
    for path in (packed, wide):
        said = fermata(home, "check", path, code=1).stderr.decode("utf-8")
        assert said.startswith(f"{path}: invalid-xml: ")
        assert "^" not in said
    # If the text is what the file contains, errors have line numbers.
    plain = write(home, "plain.musicxml", broken)
    assert fermata(home, "check", plain, code=1).stderr.decode("utf-8").startswith(f"{plain}:6:")


def test_a_difference_is_told_in_beats_of_the_metre(home):
    eighths = "(measure (time 6 8) (phrase \"c4:8 d4 e4 f4 g4 a4\"))"
    a = write(home, "a.ferm", eighths)
    b = write(home, "b.ferm", eighths.replace("f4", "c5"))
    done = fermata(home, "diff", a, b, code=1)
    assert "beat 4: f4:8 -> c5:8 (pitch)" in done.stdout.decode()
    item = json.loads(fermata(home, "diff", "--json", a, b, code=1).stdout)[
        "parts"][0]["measures"][0]["items"][0]
    assert (item["beat"], item["at"]) == ("4", "3/2")


def test_an_imported_file_is_laid_out_as_the_formatter_leaves_it(home):
    # The formatter has its own tests; this only checks that the two agree, for many kinds of music.
    here = pathlib.Path(home.path)
    made = []
    for source in sorted((DATA / "musicxml" / "kainhofer").glob("*.xml"))[::4]:
        made.append(here / (source.stem + ".ferm"))
        fermata(home, "import", source, "-o", made[-1])
    assert made and fermata(home, "fmt", "--check", *made).stdout == b""


def test_musicxml_is_written_indented_or_compact_as_one_likes_and_says_the_same(home):
    source = DATA / "musicxml" / "kainhofer" / "01a-Pitches-Pitches.xml"
    here = pathlib.Path(home.path)
    fermata(home, "convert", source, here / "a.musicxml")
    fermata(home, "convert", "--compact", source, here / "b.musicxml")
    pretty, compact = ((here / name).read_text() for name in ("a.musicxml", "b.musicxml"))
    assert "\n  <" in pretty and "\n  <" not in compact and len(compact) < len(pretty)
    # Compared with another parser: without white space between elements both are the same document.
    canonical = [xml.etree.ElementTree.canonicalize(t, strip_text=True) for t in (pretty, compact)]
    assert canonical[0] == canonical[1]
    refused = fermata(home, "convert", "--compact", source, here / "c.ly", code=1)
    assert b"--compact is for MusicXML" in refused.stderr and not (here / "c.ly").exists()


def test_the_help_of_convert_lists_the_formats_that_the_documentation_lists(home):
    page = (ROOT / "docs" / "file-formats.md").read_text()
    table = page.partition("```text\n")[2].partition("```")[0]
    shown = fermata(home, "convert", "--help").stdout.decode()
    for line in table.splitlines():
        assert " ".join(line.split()) in " ".join(shown.split())
    for name in ("fermata", "musicxml", "mxl", "lilypond"):
        assert f"\n  {name}" in table or table.startswith(f"  {name}")


SEXTUPLET = "".join(
    f"<note><pitch><step>C</step><octave>5</octave></pitch><duration>1</duration><voice>1</voice>"
    f"<type>16th</type><time-modification><actual-notes>6</actual-notes><normal-notes>4</normal-notes>"
    f"</time-modification><notations>{mark}</notations></note>"
    for mark in ('<tuplet type="start"/>', "<ornaments><tremolo type=\"unmeasured\">0</tremolo></ornaments>",
                 "", "", "", '<tuplet type="stop"/>'))


def test_lilypond_has_the_tuplets_of_the_score_and_the_report_what_is_missing(home):
    source = write(home, "a.musicxml", score("<attributes><divisions>6</divisions></attributes>" + SEXTUPLET))
    target = pathlib.Path(home.path) / "a.ly"
    done = fermata(home, "convert", "--report", "--json", source, target)
    assert "\\tuplet 6/4 {" in target.read_text()
    # LilyPond has no sign for an unmeasured tremolo.
    report = json.loads(done.stderr.decode().splitlines()[-1])
    assert report["left_out"] == ["left out for LilyPond: unmeasured tremolos (1, first in measure 1)"]


def test_quarter_tones_are_not_rounded_where_semitones_are_counted(home):
    for call, tone in (("(chord-name c4 e+4 g4)", "e+4"), ("(interval-vector c4 e+4)", "e+4"),
                       ("(prime-form c4 ed4 g4)", "ed4"), ("(find-key (seq (note e+4)))", "e+4")):
        done = fermata(home, "eval", "-e", call, code=1)
        assert done.stdout == b""
        assert f"{tone} is not one of the twelve pitch classes" in done.stderr.decode()


def test_formatting_twice_changes_nothing_whatever_ends_the_lines(home):
    text = b"(\xc2\x80s c\nb) fals(a ,b) #|y x" + b"\r" * 17 + b" \t\t |#"
    source = pathlib.Path(home.path) / "a.ferm"
    source.write_bytes(text)
    fermata(home, "fmt", source)
    once = source.read_bytes()
    assert b"\r" not in once
    fermata(home, "fmt", "--check", source)
