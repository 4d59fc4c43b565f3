"""Pictures of staves compared with an oracle that is independent of the program: the line or space of each
pitch in each clef, the ledger lines and accidentals it needs, and its stem.

Sources: any primer of notation (a clef puts its own note on its own line; an accidental applies to its line
until the barline; stems up below the middle line, an octave long, and to the middle line from ledger
lines), Gardner Read, Music Notation (1979), chapters 4, 5, 9.
"""

import random
import re

import pytest
from support.program import run_script

LETTERS = "cdefgab"
# clef: its own note, and the line (1 is the bottom) of that note
CLEFS = {"treble": ("g4", 1), "bass": ("f3", 3), "alto": ("c4", 2), "tenor": ("c4", 3)}


def steps(pitch):
    """The number of letters from c0 up to this one: white keys, without black ones."""
    return 7 * int(pitch[-1]) + LETTERS.index(pitch[0])


def place(pitch, clef):
    """Steps above the bottom line."""
    own, line = CLEFS[clef]
    return steps(pitch) - steps(own) + 2 * line


def pitches(low, high):
    return [LETTERS[n % 7] + str(n // 7) for n in range(steps(low), steps(high) + 1)]


class Picture:
    """An ASCII picture of one system, as cells by place on the staff."""

    def __init__(self, lines):
        # The five lines and the spaces between them: nine rows, the first and last of them lines.
        self.lines = lines
        tops = [i for i in range(len(lines) - 8)
                if all(re.match(r"[/<\\|]?\|[-#bnxGFC]", lines[i + 2 * k]) for k in range(5))]
        self.staves = []
        while tops:
            self.staves.append(tops[0] + 8)  # the row of the bottom line
            tops = [t for t in tops if t > self.staves[-1]]

    def cell(self, stave, at, column):
        row = self.staves[stave] - at
        if not 0 <= row < len(self.lines) or not 0 <= column < len(self.lines[row]):
            return " "
        return self.lines[row][column]

    def heads(self, stave, signs, low, high):
        """(column, place) of each head between these places, from left to right."""
        found = []
        for at in range(low, high + 1):
            row = self.staves[stave] - at
            if 0 <= row < len(self.lines):
                found += [(x, at) for x, sign in enumerate(self.lines[row]) if sign in signs]
        return sorted(found)


def draw(home, music, width=1000):
    done = run_script(home, f":set display staff\n:set width {width}\n{music}\n", LANG="C")
    assert not done.stderr, done.stderr
    return Picture(done.stdout.decode().splitlines()[2:])


def measure(notes, clef, *more):
    return f"(measure (clef :{clef}) {' '.join(more)} (time {len(notes)} 4) {' '.join(notes)})"


@pytest.mark.parametrize("clef", CLEFS)
def test_every_pitch_stands_on_its_line_or_space_with_its_ledger_lines(home, clef):
    all_pitches = pitches("a1", "e6")
    picture = draw(home, measure([f"(note {p} :q :stem none)" for p in all_pitches], clef))
    heads = picture.heads(0, "@", -40, 60)
    assert [at for _, at in heads] == [place(p, clef) for p in all_pitches]
    for x, at in heads:
        needed = set(range(10, at + 1, 2)) | set(range(-2, at - 1, -2))
        drawn = {p for p in range(-40, 60) if not 0 <= p <= 8 and picture.cell(0, p, x - 1) == "-"
                 and picture.cell(0, p, x + 1) == "-"}
        assert drawn == needed, f"ledger lines of the note at {at}"


def test_the_staves_of_a_piano_have_their_own_clefs(home):
    high, low = pitches("c4", "c6"), pitches("c2", "c4")
    staff = [" ".join(f"(note {p} :q :stem none)" for p in notes) for notes in (high, low)]
    time = f"(time {len(high)} 4)"
    picture = draw(home, f"(part :piano (staff 1 (measure {time} {staff[0]}))"
                         f" (staff 2 (measure {staff[1]})))")
    assert len(picture.staves) == 2
    assert [at for _, at in picture.heads(0, "@", -2, 20)] == [place(p, "treble") for p in high]
    assert [at for _, at in picture.heads(1, "@", -8, 10)] == [place(p, "bass") for p in low]
    # Notes that sound together are vertically aligned.
    assert ([x for x, _ in picture.heads(0, "@", -2, 20)]
            == [x for x, _ in picture.heads(1, "@", -8, 10)])


@pytest.mark.parametrize("clef", ["treble", "bass", "alto"])
def test_stems_are_an_octave_long_and_reach_the_middle_line(home, clef):
    all_pitches = pitches("c2", "c6")
    picture = draw(home, measure([f"(note {p} :q)" for p in all_pitches], clef))
    for (x, at), pitch in zip(picture.heads(0, "@", -40, 60), all_pitches, strict=True):
        assert at == place(pitch, clef)
        if at >= 4:  # on the middle line and above it: down
            expected = set(range(min(at - 7, 4), at))
        else:
            expected = set(range(at + 1, max(at + 7, 4) + 1))
        drawn = {p for p in range(-40, 60) if picture.cell(0, p, x) == "|"}
        assert drawn == expected, f"the stem of {pitch} at {at}"


SHARPS = "fcgdaeb"


def in_key(letter, fifths):
    if fifths > 0:
        return 1 if letter in SHARPS[:fifths] else 0
    return -1 if letter in SHARPS[::-1][:-fifths] else 0


@pytest.mark.parametrize("key, fifths", [("c", 0), ("d", 2), ("e", 4), ("bb", -2), ("ab", -4), ("c#", 7)])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_accidental_stands_where_the_one_in_force_is_another(home, key, fifths, seed):
    chance = random.Random(seed * 100 + fifths)
    measures, expected = [], []
    for _ in range(3):
        in_force, notes = {}, []
        for _ in range(12):
            letter, octave = chance.choice(LETTERS), chance.choice("45")
            alter = chance.choice([-1, 0, 0, 1])
            sign = {-1: "b", 0: "", 1: "#"}[alter]
            notes.append(f"(note {letter}{sign}{octave} :q :stem none)")
            before = in_force.get((letter, octave), in_key(letter, fifths))
            in_force[letter, octave] = alter
            expected.append((place(letter + octave, "treble"), "" if alter == before else "n#b"[alter]))
        signature = f"(key {key} :major) (time 12 4)" if not measures else ""
        measures.append(f"(measure {signature} {' '.join(notes)})")
    picture = draw(home, f"(part :flute {' '.join(measures)})")
    drawn = []
    for x, at in picture.heads(0, "@", -10, 20):
        sign = picture.cell(0, at, x - 1)
        drawn.append((at, sign if sign in "#bn" else ""))
    assert drawn == expected


# --- marks around the notes ------------------------------------------------------------------------

FOUR = ["(note c5 :q{})", "(note d5 :q{})", "(note e5 :q{})", "(note f5 :q{})"]  # places 5 to 8, stems down


def four(*options):
    return [note.format(" " + option if option else "") for note, option in zip(FOUR, options, strict=True)]


def columns(picture):
    return [x for x, _ in picture.heads(0, "@", 0, 10)]


def rows(picture, above):
    bottom = picture.staves[0]
    return picture.lines[:bottom - 8] if above else picture.lines[bottom + 1:]


def test_dynamics_stand_below_their_notes_and_a_hairpin_between_them(home):
    a, b, c, d = four("", "", "", "")
    picture = draw(home, f"(measure (p) (cresc) {a} {b} (cresc-stop) (f) {c} (dim) {d} (dim-stop))")
    x = columns(picture)
    row = next(r for r in rows(picture, above=False) if "<" in r)
    assert row[x[0]] == "p" and row[x[2]] == "f"
    # It opens to the right, from after the p up to the f; the other one closes.
    assert re.fullmatch(r" *p <-+ f +-+>", row), row
    assert row.index("<") > x[0] and row.rindex(">") > x[3]


@pytest.mark.parametrize("ends", [(0, 1), (0, 3), (1, 2)])
def test_a_slur_goes_from_its_first_to_its_last_head_on_the_side_of_the_heads(home, ends):
    options = ["", "", "", ""]
    options[ends[0]], options[ends[1]] = ":slur start", ":slur stop"
    picture = draw(home, f"(measure {' '.join(four(*options))})")
    x = columns(picture)
    width = x[ends[1]] - x[ends[0]] - 1
    curve = "(" + "~" * width + ")"
    found = [(i, r.index(curve)) for i, r in enumerate(picture.lines) if curve in r]
    assert [column for _, column in found] == [x[ends[0]]]
    # Stems go down, so it is above all heads that it spans.
    at = picture.staves[0] - found[0][0]
    assert at > max(place(p, "treble") for p in ["c5", "d5", "e5", "f5"][ends[0]:ends[1] + 1])


def test_a_slur_over_stems_that_go_up_lies_below(home):
    picture = draw(home, "(measure (time 2 4) (note e4 :q :slur start) (note f4 :q :slur stop))")
    x = columns(picture)
    row = next(i for i, r in enumerate(picture.lines) if "(" in r)
    assert picture.lines[row].index("(") == x[0] and picture.lines[row].index(")") == x[1]
    assert picture.staves[0] - row < place("e4", "treble")


def test_articulations_are_opposite_to_the_stem_in_a_space(home):
    picture = draw(home, "(measure (note c5 :q :staccato) (note f4 :q :tenuto) (note d5 :q :accent)"
                         " (note e4 :q :staccato))")
    (c5, f4, d5, e4) = picture.heads(0, "@", 0, 10)
    assert picture.cell(0, 7, c5[0]) == "."  # c5 in the third space: the next space above
    assert picture.cell(0, -1, f4[0]) == "-"  # f4 in the first space: below the staff
    assert picture.cell(0, 7, d5[0]) == ">"  # d5 on the fourth line: the space above
    assert picture.cell(0, -1, e4[0]) == "."


def test_syllables_stand_under_their_notes_with_hyphens_and_lines(home):
    picture = draw(home, '(part :voice (measure (note c5 :q :lyric ("Hal" begin)) (note d5 :q :lyric ("le" middle))'
                         ' (note e5 :q :lyric ("lu" middle)) (note f5 :q :lyric ("ja" end :extend plain)))'
                         " (measure (note c5 :h) (note d5 :h)))")
    x = [column for column, _ in picture.heads(0, "@o", 0, 8)]
    row = next(r for r in rows(picture, above=False) if "Hal" in r)
    for column, syllable in zip(x, ["Hal", "le", "lu", "ja"]):
        assert row.startswith(syllable, column)
    assert re.search(r"Hal *- *le *- *lu *- *ja_+$", row), row
    assert len(row) - 1 == x[-1], "the line does not reach the last note"


def test_every_verse_has_a_row(home):
    picture = draw(home, '(measure (note c5 :h :lyric "one" :lyric ("two" :verse 2)) (note d5 :h :lyric "eins"'
                         ' :lyric ("zwei" :verse 2)))')
    found = [r.split() for r in rows(picture, above=False) if r.strip(" |")]
    assert ["one", "eins"] in found and found.index(["two", "zwei"]) == found.index(["one", "eins"]) + 1


def test_endings_have_brackets_with_their_numbers(home):
    picture = draw(home, "(part :flute (repeat (measure (note c5 :w)) (ending 1 (measure (note d5 :w)))"
                         " (ending 2 (measure (note e5 :w)))))")
    top = picture.lines[picture.staves[0] - 8]
    row = next(r for r in rows(picture, above=True) if "1." in r)
    assert re.search(r"\|1\.-+\| *\|2\.-+", row), row
    x = [column for column, _ in picture.heads(0, "o", 0, 8)]
    # Each bracket is above its measure.
    assert row.index("1.") < x[1] < row.index("2.") < x[2]
    assert top[row.index("|1.")] in "|I"


def test_tempo_words_and_rehearsal_marks_stand_above_their_place(home):
    picture = draw(home, '(measure (tempo "Allegro" :q 120) (note c5 :h) (rehearsal "B") (words "dolce") (note d5 :h))')
    x = [column for column, _ in picture.heads(0, "o", 0, 10)]
    above = rows(picture, above=True)
    tempo = next(r for r in above if "Allegro" in r)
    assert tempo.startswith("Allegro quarter = 120", x[0])
    for text in ["[B]", "dolce"]:
        row = next(r for r in above if text in r)
        assert row.index(text) == x[1]


def test_what_has_no_picture_is_named_below(home):
    picture = draw(home, "(measure (note c5 :q :glissando start) (note d5 :q :glissando stop :notehead diamond)"
                         " (note e5 :q :cue) (note f5 :q :cue))")
    assert picture.lines[-1] == "not drawn: cue size (2), glissando, notehead diamond"


def test_a_mark_without_a_sign_is_written_out(home):
    picture = draw(home, "(measure (note c5 :h :snap-pizzicato) (note d5 :h :fingering \"3\"))")
    assert any("snap-pizzicato" in r for r in rows(picture, above=True))
    assert any(r.strip() == "3" or " 3" in r for r in rows(picture, above=True))
    assert not any("not drawn" in line for line in picture.lines)


def test_slurs_hairpins_and_lines_go_on_in_the_next_system(home):
    bars = [f"(measure {' '.join(four('', '', '', ''))})" for _ in range(4)]
    bars[0] = bars[0].replace("(note c5 :q)", '(cresc) (note c5 :q :slur start :lyric ("ah" :extend plain))', 1)
    bars[3] = bars[3].replace("(note f5 :q)", "(note f5 :q :slur stop) (cresc-stop)", 1)
    done = run_script(home, f":set display staff\n:set width 50\n(part :flute {' '.join(bars)})\n", LANG="C")
    systems = done.stdout.decode().split("\n\n")
    assert len(systems) == 2
    for system in systems:
        assert re.search(r"<-+$", system, re.M), "the hairpin is not in both systems"
        assert re.search(r"~~~~", system), "the slur is not in both systems"
        assert re.search(r"__", system), "the line of the syllable is not in both systems"
    assert re.search(r"\(~+$", systems[0], re.M) and not re.search(r"~\)", systems[0])
    assert re.search(r"~\)", systems[1]) and not re.search(r"\(~", systems[1])
    assert max(len(line) for line in done.stdout.decode().splitlines()) <= 50


def test_long_words_are_broken_and_lose_nothing(home):
    text = "with a great deal of expression and a little slower than before, but not too much"
    done = run_script(home, f':set display staff\n:set width 40\n(measure (words "{text}") (note c5 :w))\n', LANG="C")
    picture = done.stdout.decode().split("width = 40\n")[1]
    above = picture[:picture.index("|--")]
    assert " ".join(above.split()) == text
    assert max(len(line) for line in picture.splitlines()) <= 40


def test_wide_and_combining_characters_keep_their_cells(home):
    done = run_script(home, ':set display staff\n(measure (note c5 :q :lyric "音") (note d5 :q :lyric "e\u0301")'
                            ' (note e5 :h :lyric "x"))\n')
    lines = done.stdout.decode().splitlines()
    heads = sorted(i for line in lines for i, c in enumerate(line) if c in "●○")
    row = next(line for line in lines if "音" in line)
    # In cells: the first character takes two, the accent none.
    cells, at = {}, 0
    for c in row:
        if c != "\u0301":
            cells[c] = at
            at += 2 if c == "音" else 1
    assert [cells["音"], cells["e"], cells["x"]] == heads


def test_a_part_whose_name_stands_on_two_lines_is_called_by_it_on_one(home):
    done = run_script(home, '(score (part :name "Chant\\nVoice" (measure (note c4 :w))) (part :name "Piano" (measure (note d4 :w))))\n'
                      ':score "Chant Voice"\n:score "chant voice" --staff\n:score "Chant Vice"\n')
    shown, said = done.stdout.decode(), done.stderr.decode()
    assert "Did you mean `Chant Voice`?" in said
    assert shown.count("(note c4 :w)") == 2 and shown.count("(note d4 :w)") == 1
    assert "○" in shown.rsplit("(part", 1)[1]


def test_of_several_parts_with_one_name_none_is_left_out_in_silence(home):
    score = "(score " + "".join(f'(part :id V{i} :name "Violin" (measure (note {p}4 :w)))' for i, p in enumerate("cd")) + ")"
    done = run_script(home, f"{score}\n:score Violin --staff\n:score V1 --staff\n:score 7\n")
    said = done.stderr.decode()
    assert "more than one part is called `Violin`: V0, V1" in said
    assert "Violin has 1 measure; 7 does not exist" in said
    assert "├" in done.stdout.decode()


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_a_recitation_on_one_note_is_cut_and_named_and_makes_no_line_wider(home, columns):
    words = "so the poor stone was left all alone with nobody to talk to but the grass and the wind"
    done = run_script(home, f':set width {columns}\n(measure (note c5 :h :lyric "{words}") (note c5 :h :lyric "end"))\n:score --staff\n')
    picture = done.stdout.decode().split("┌", 1)[1]
    assert max(map(len, picture.splitlines())) <= columns
    assert "so the" in picture and "…" in picture and "end" in picture
    assert "not drawn: end of a long syllable" in " ".join(picture.split())
