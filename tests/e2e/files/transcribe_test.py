"""Performed MIDI files to notation at the shell. The files are recordings with known scores (tests/data/transcription),
and some that are written here byte by byte; expected positions come from the tables or are computed by hand."""

import subprocess
import xml.etree.ElementTree as ET
from collections import Counter
from fractions import Fraction

import pytest
from support.midi_file import midi_file
from support.program import BINARY, PATIENCE, ROOT, Home

DATA = ROOT / "tests/data/transcription"
SCHEMA = ROOT / "tests/data/xsd/musicxml-local.xsd"
STEPS = dict(zip("CDEFGAB", (0, 2, 4, 5, 7, 9, 11)))


def fermata(*words, cwd=None):
    with Home() as home:
        return subprocess.run([BINARY, *map(str, words)], env=home.environment(), cwd=cwd, capture_output=True,
                              text=True, timeout=PATIENCE, check=False)


def notes(path):
    """(onset in quarters, MIDI key) of each note of a MusicXML file, tied notes once."""
    found = []
    for part in ET.parse(path).getroot().iter("part"):
        start = Fraction(0)
        for measure in part.iter("measure"):
            at = last = longest = Fraction(0)
            for item in measure:
                if item.tag == "attributes" and item.find("divisions") is not None:
                    divisions = int(item.find("divisions").text)
                elif item.tag in ("backup", "forward"):
                    step = Fraction(int(item.find("duration").text), divisions)
                    at += step if item.tag == "forward" else -step
                elif item.tag == "note" and item.find("grace") is None:
                    length = Fraction(int(item.find("duration").text), divisions)
                    onset = last if item.find("chord") is not None else at
                    if item.find("chord") is None:
                        last, at = at, at + length
                    pitch = item.find("pitch")
                    if pitch is not None and "stop" not in [t.get("type") for t in item.findall("tie")]:
                        key = (STEPS[pitch.find("step").text] + int(pitch.findtext("alter", "0"))
                               + 12 * (int(pitch.find("octave").text) + 1))
                        found.append((start + onset, key))
                longest = max(longest, at)
            start += longest
    return sorted(found)


def truth(name):
    rows = (DATA / f"{name}.notes.tsv").read_text().splitlines()[1:]
    return sorted({(Fraction(r.split("\t")[4]), int(r.split("\t")[2])) for r in rows})


def assert_valid(path):
    checked = subprocess.run(["xmllint", "--nonet", "--noout", "--schema", str(SCHEMA), str(path)],
                             capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr


# `least`: the share of the notes that are where the score has them; a beginning that is read half a beat late counts as wrong.
@pytest.mark.parametrize("name, unit, fifths, least", [("franz-widmung", "4", "-1", 0.95),
                                                       ("lehmann-seal-song", "4", "-3", 0.55),
                                                       ("gray-under-the-cliffs", "8", "-3", 0.9)])
def test_a_recording_becomes_the_score_that_was_played(tmp_path, name, unit, fifths, least):
    out = tmp_path / "out.musicxml"
    done = fermata("transcribe", DATA / f"{name}.mid", "-o", out)
    assert done.returncode == 0, done.stderr
    assert_valid(out)
    root = ET.parse(out).getroot()
    # How many beats a measure has is often not clear.
    assert root.findtext(".//time/beat-type") == unit
    assert root.findtext(".//key/fifths") == fifths  # of the printed score
    assert root.findtext(".//staves") == "2"
    got, wanted = notes(out), truth(name)
    # Where the first barline is put does not matter: the commonest distance of the notes of each key.
    distances = Counter(a - b for key in range(128) for a, b in
                        zip([at for at, k in got if k == key], [at for at, k in wanted if k == key]))
    shift = distances.most_common(1)[0][0]
    right = set(wanted) & {(at - shift, key) for at, key in got}
    assert len(right) >= least * len(wanted)


def test_the_next_likeliest_readings_go_to_numbered_files(tmp_path):
    out = tmp_path / "song.musicxml"
    done = fermata("transcribe", DATA / "gray-voice.mid", "-o", out, "--alternatives", "3")
    assert done.returncode == 0
    for path in (out, tmp_path / "song-2.musicxml", tmp_path / "song-3.musicxml"):
        assert_valid(path)
        assert f"note: {path}: " in done.stderr
    metres = {ET.parse(p).getroot().findtext(".//time/beats") for p in tmp_path.iterdir()}
    assert len(metres) == 3


def test_what_is_known_is_kept_to(tmp_path):
    out = tmp_path / "out.musicxml"
    done = fermata("transcribe", DATA / "franz-widmung.mid", "-o", out, "--meter", "3/4", "--grid", "8", "--no-triplets")
    assert done.returncode == 0
    assert ET.parse(out).getroot().findtext(".//time/beats") == "3"
    assert all(at % Fraction(1, 2) == 0 for at, key in notes(out))
    done = fermata("transcribe", DATA / "franz-widmung.mid", "-o", out, "--tempo", "104")
    # Twice the tempo of the printed score, 52.
    assert abs(float(ET.parse(out).getroot().find(".//sound[@tempo]").get("tempo")) - 104) < 15


def test_notes_on_the_grid_of_the_file_stay_there(tmp_path):
    song, out = tmp_path / "grid.mid", tmp_path / "out.musicxml"
    song.write_bytes(midi_file([event for key in (60, 62, 64, 65, 67, 69, 71, 72)
                                for event in ((0, (0x90, key, 64)), (480, (0x80, key, 0)))]))
    done = fermata("transcribe", song, "-o", out)
    assert done.returncode == 0 and "the notes lie on the grid of the file" in done.stderr
    assert notes(out) == [(Fraction(i), key) for i, key in enumerate((60, 62, 64, 65, 67, 69, 71, 72))]
    for options in (["--performed"], ["--meter", "4/4"], ["--tempo", "120"], ["--grid", "16"], ["--no-triplets"]):
        done = fermata("transcribe", song, "-o", out, *options)
        assert done.returncode == 0 and "lie on the grid" not in done.stderr
        assert [key for at, key in notes(out)] == [60, 62, 64, 65, 67, 69, 71, 72]


# Each note is up to 40 ms beside the click: beats at 100 to a minute, from 0.5 s on.
HURRIED = [(0.46, 60), (1.13, 62), (1.42, 64), (1.66, 65), (2.3, 67), (2.94, 69), (3.19, 71), (3.5, 72)]
ON_THE_BEAT = [(Fraction(n, 2), key) for n, key in zip((0, 2, 3, 4, 6, 8, 9, 10), (60, 62, 64, 65, 67, 69, 71, 72))]


def hurried(path):
    events, at = [], 0
    for seconds, key in HURRIED:
        tick = round(seconds * 960)
        events += [(tick - at, (0x90, key, 64)), (96, (0x80, key, 0))]
        at = tick + 96
    path.write_bytes(midi_file(events))
    return path


def test_a_take_to_a_metronome_keeps_to_its_beats(tmp_path):
    song, out, beats = hurried(tmp_path / "take.mid"), tmp_path / "out.musicxml", tmp_path / "beats.txt"
    beats.write_text("".join(f"{0.5 + 0.6 * i}\tbeat {i + 1}\n" for i in range(8)) + "\n")
    for options in (["--tempo", "100", "--exact-tempo", "--first-beat", "0.5"], ["--beats", beats]):
        done = fermata("transcribe", song, "-o", out, "--meter", "4/4", *options)
        assert done.returncode == 0, done.stderr
        assert_valid(out)
        root = ET.parse(out).getroot()
        assert root.find(".//sound[@tempo]").get("tempo") == "100"
        assert root.find(".//measure").get("number") == "1"
        assert notes(out) == ON_THE_BEAT


def test_quintuplets_and_five_beats_are_written_if_they_are_asked_for(tmp_path):
    song, out = tmp_path / "five.mid", tmp_path / "out.musicxml"
    # Four quarters and a run of five in each measure: (onset and length in fifths of a quarter, key).
    measure = [(5 * k, 5, key) for k, key in enumerate((48, 60, 62, 64))] + [(20 + k, 1, 72 + k) for k in range(5)]
    played = [(25 * m + at, length, key) for m in range(4) for at, length, key in measure]
    song.write_bytes(midi_file([event for _, length, key in played
                                for event in ((0, (0x90, key, 64)), (96 * length, (0x80, key, 0)))]))
    done = fermata("transcribe", song, "-o", out, "--meter", "5/4", "--tuplets", "3,5", "--tempo", "120", "--exact-tempo")
    assert done.returncode == 0, done.stderr
    assert_valid(out)
    root = ET.parse(out).getroot()
    assert root.findtext(".//time/beats") == "5" and root.findtext(".//actual-notes") == "5"
    assert notes(out) == [(Fraction(at, 5), key) for at, _, key in played]


def test_swung_eighths_are_written_equal_and_marked(tmp_path):
    song, out = tmp_path / "swing.mid", tmp_path / "out.musicxml"
    keys = (60, 64, 67, 69, 70, 69, 67, 64) * 4
    song.write_bytes(midi_file([event for i, key in enumerate(keys)
                                for event in ((0, (0x90, key, 64)), (160 if i % 2 else 320, (0x80, key, 0)))]))
    for options, marks in ([], 1), (["--swing", "on"], 1), (["--swing", "off"], 0):
        done = fermata("transcribe", "--performed", song, "-o", out, "--meter", "4/4", "--tempo", "120", *options)
        assert done.returncode == 0, done.stderr
        assert_valid(out)
        assert [w.text for w in ET.parse(out).getroot().iter("words")].count("Swing") == marks
        assert not marks or [at for at, _ in notes(out)] == [Fraction(i, 2) for i in range(len(keys))]


def test_beats_that_cannot_be_read_are_an_error(tmp_path):
    song, beats = hurried(tmp_path / "take.mid"), tmp_path / "beats.txt"
    for text, message in (("0\n0.5\nlast\n", "line 3 does not begin with a time"), ("1\n", "at least two beats"),
                          ("2\n1\n", "beat 2 is not later")):
        beats.write_text(text)
        done = fermata("transcribe", song, "--beats", beats)
        assert done.returncode == 1 and message in done.stderr and done.stdout == ""
    assert fermata("transcribe", song, "--exact-tempo").returncode == 2
    assert fermata("transcribe", song, "--tempo", "100", "--exact-tempo", "--first-beat", "nan").returncode == 1


def test_the_take_itself_is_not_overwritten(tmp_path):
    song = tmp_path / "take.mid"
    song.write_bytes((DATA / "gray-voice.mid").read_bytes())
    done = fermata("transcribe", song, "-o", song)
    assert done.returncode == 1 and "which would be overwritten" in done.stderr
    assert song.read_bytes() == (DATA / "gray-voice.mid").read_bytes()


def test_a_free_performance_is_not_converted_but_transcribed(tmp_path):
    done = fermata("convert", DATA / "franz-widmung.mid", tmp_path / "out.musicxml")
    assert done.returncode == 1
    assert "fermata transcribe" in done.stderr


@pytest.mark.parametrize("arguments, message", [
    (("--meter", "7/8"), "`7/8` is not a meter that can be recognized"),
    (("--tempo", "nan"), "--tempo"),
    (("--alternatives", "2"), "only one reading fits standard output"),
    (("-o", "out.unknown"), "no format has the extension .unknown"),
])
def test_what_cannot_be_done_is_an_error(tmp_path, arguments, message):
    done = fermata("transcribe", DATA / "gray-voice.mid", *arguments, cwd=tmp_path)
    assert done.returncode == 1 and message in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_file_without_notes_or_that_is_no_midi_file_is_an_error(tmp_path):
    empty, other = tmp_path / "empty.mid", tmp_path / "other.mid"
    empty.write_bytes(midi_file([]))
    other.write_bytes(b"not a MIDI file")
    for path, message in ((empty, "there are no notes"), (other, "other.mid"), (tmp_path / "none.mid", "none.mid")):
        done = fermata("transcribe", path)
        assert done.returncode == 1 and message in done.stderr and done.stdout == ""


@pytest.mark.parametrize("options", [[], ["--tempo", "500"], ["--tempo", "20"], ["--meter", "3/4"]])
def test_notes_hours_apart_are_written(tmp_path, options):
    song, out = tmp_path / "far.mid", tmp_path / "out.musicxml"
    hour = 3600 * 960  # ticks
    song.write_bytes(midi_file([event for key in (60, 62, 64, 65)
                                for event in ((10 * hour, (0x90, key, 64)), (960, (0x80, key, 0)))]))
    done = fermata("transcribe", "--performed", song, "-o", out, *options)
    assert done.returncode == 0, done.stderr
    assert [key for at, key in notes(out)] == [60, 62, 64, 65]


def test_the_help_names_each_meter():
    said = fermata("transcribe", "--help").stdout
    for meter in ("2/4", "3/4", "4/4", "5/4", "6/8", "9/8", "12/8"):
        assert meter in said
