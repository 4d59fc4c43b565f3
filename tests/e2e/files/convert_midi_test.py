"""MIDI files at the shell and at the prompt. Expected bytes and times are computed by hand from the
Standard MIDI Files 1.0 specification; files are read here by a reader of its own."""

import struct
import subprocess

import pytest
from support.midi_file import midi_file
from support.program import run_script
from convert_test import fermata


def chunks(data):
    at = 0
    while at < len(data):
        kind, length = data[at:at + 4], struct.unpack(">I", data[at + 4:at + 8])[0]
        yield kind, data[at + 8:at + 8 + length]
        at += 8 + length


def variable(data, at):
    value = 0
    while True:
        byte = data[at]
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at


def events(track):
    """(tick, status, data) of each event; metas as (tick, 0xFF, kind, data)."""
    at = tick = status = 0
    while at < len(track):
        delta, at = variable(track, at)
        tick += delta
        if track[at] >= 0x80:
            status = track[at]
            at += 1
        if status == 0xFF:
            kind = track[at]
            length, at = variable(track, at + 1)
            yield tick, 0xFF, kind, track[at:at + length]
            at += length
        else:
            count = 1 if status & 0xF0 in (0xC0, 0xD0) else 2
            yield tick, status, *track[at:at + count]
            at += count


def read(path):
    (head, header), *tracks = chunks(path.read_bytes())
    assert head == b"MThd"
    form, count, division = struct.unpack(">HHH", header)
    assert count == len(tracks)
    return form, division, [list(events(data)) for kind, data in tracks if kind == b"MTrk"]


def notes(tracks, division):
    """(start, length, key) in quarter notes, of all tracks."""
    found, sounding = [], {}
    for track in tracks:
        for tick, status, *data in track:
            if status & 0xF0 == 0x90 and data[1] > 0:
                sounding[status & 0x0F, data[0]] = tick
            elif status & 0xF0 in (0x80, 0x90):
                begin = sounding.pop((status & 0x0F, data[0]))
                found.append((begin / division, (tick - begin) / division, data[0]))
    assert not sounding, "a note that never ends"
    return sorted(found)


def test_a_score_becomes_a_midi_file_with_its_notes_tempo_and_repeats(home, tmp_path):
    source = tmp_path / "song.ferm"
    source.write_text('(tempo 90)\n(repeat (measure #p"c4:q d e4:h"))\n(measure #p"g4:w")\n')
    target = tmp_path / "song.mid"
    fermata(home, "convert", source, target)
    form, division, tracks = read(target)
    assert form == 1
    tempos = [data for track in tracks for tick, status, kind, *data in track if status == 0xFF and kind == 0x51]
    assert int.from_bytes(tempos[0][0], "big") == 666_667  # 60 s / 90, in microseconds
    starts = [(begin, key) for begin, length, key in notes(tracks, division)]
    assert starts == [(0, 60), (1, 62), (2, 64), (4, 60), (5, 62), (6, 64), (8, 67)]


def test_notes_come_back_from_the_midi_file_that_was_written(home, tmp_path):
    source = tmp_path / "song.ferm"
    source.write_text('(part :piano (key d :major) (time 3 4) #p"d4:q f#:8 g a:q | <d4 f# a>:h.")\n')
    fermata(home, "convert", source, tmp_path / "song.mid")
    fermata(home, "convert", tmp_path / "song.mid", tmp_path / "back.ferm")
    fermata(home, "convert", tmp_path / "back.ferm", tmp_path / "again.mid")
    text = (tmp_path / "back.ferm").read_text()
    assert "(key :d :major)" in text and "(time 3 4)" in text, text
    _, division, tracks = read(tmp_path / "again.mid")
    assert [(begin, key) for begin, _, key in notes(tracks, division)] == [
        (0, 62), (1, 66), (1.5, 67), (2, 69), (3, 62), (3, 66), (3, 69)]


def test_a_midi_file_is_imported_at_the_prompt_and_exported(home, tmp_path):
    on, off = (0x90, 60, 80), (0x80, 60, 0)
    (tmp_path / "two.mid").write_bytes(midi_file([(0, on), (480, off), (480, on), (960, off)]))
    done = run_script(home, f":import {tmp_path}/two.mid\n:score\n:export {tmp_path}/out.mid\n")
    said = done.stdout.decode()
    assert "(note c4 :q)" in said and "(rest :q)" in said and "(note c4 :h)" in said, said
    _, division, tracks = read(tmp_path / "out.mid")
    assert [(begin, key) for begin, _, key in notes(tracks, division)] == [(0, 60), (2, 60)]


def test_oddities_are_warnings_with_track_and_byte(home, tmp_path):
    odd = midi_file([(0, (0x90, 60, 80)), (480, (0x80, 60, 0))])[:-4]  # no end of track
    (tmp_path / "odd.mid").write_bytes(odd)
    done = fermata(home, "convert", tmp_path / "odd.mid", tmp_path / "odd.ferm")
    assert "track 1" in done.stderr.decode() and "byte" in done.stderr.decode()
    assert "(note c4 :q)" in (tmp_path / "odd.ferm").read_text()


@pytest.mark.parametrize("data, says", [
    (b"MThd\x00\x00", "half a header"),
    (midi_file([(0, (0x90, 60, 80)), (480, (0x80, 60, 0))], division=0), "division"),
    (midi_file([(17, (0x90, 60, 80)), (311, (0x80, 60, 0)), (5, (0x90, 62, 80)), (201, (0x80, 62, 0))]), "grid"),
    (b"", "no header"),
])
def test_what_is_no_midi_file_or_off_the_grid_is_refused_and_nothing_written(home, tmp_path, data, says):
    (tmp_path / "bad.mid").write_bytes(data)
    done = fermata(home, "convert", tmp_path / "bad.mid", tmp_path / "bad.ferm", code=1)
    said = done.stderr.decode()
    assert "bad.mid" in said
    assert says in said, said
    assert not (tmp_path / "bad.ferm").exists()


def test_notes_that_midi_has_no_key_for_are_named(home, tmp_path):
    source = tmp_path / "high.ferm"
    source.write_text("(note c4 :q) (note a9 :q)\n")
    done = fermata(home, "convert", source, tmp_path / "high.mid")
    assert "it would be 129" in done.stderr.decode(), done.stderr  # a4 is key 69, five octaves up
    _, division, tracks = read(tmp_path / "high.mid")
    assert [key for _, _, key in notes(tracks, division)] == [60]


# --- an independent reader and writer: midicsv and csvmidi of the package `midicsv` ----------------


def test_midicsv_reads_what_was_written(home, tmp_path):
    source, target = tmp_path / "song.ferm", tmp_path / "song.mid"
    source.write_text('(score (part :piano (measure (key d :major) (time 3 4) (tempo "Allegro" :q 100) (note d4 :q) '
                      '(note f#4 :8) (note g4 :8) (note a4 :q :lyric "la"))))\n')
    fermata(home, "convert", source, target)
    text = subprocess.run(["midicsv", target], check=True, capture_output=True, text=True).stdout
    rows = [[cell.strip() for cell in line.split(",")] for line in text.splitlines()]
    division = int(next(row for row in rows if row[2] == "Header")[5])
    named = {name: [row for row in rows if row[2] == name] for name in {row[2] for row in rows}}
    assert named["Tempo"][0][3] == "600000"  # microseconds in a quarter: 60 s / 100
    assert named["Time_signature"][0][3:5] == ["3", "2"]  # 3 over 2 to the power of 2
    assert named["Key_signature"][0][3:] == ["2", '"major"']
    assert named["Program_c"][0][4] == "0"  # General MIDI 1: Acoustic Grand Piano
    assert [row[3].strip('" ') for row in named["Lyric_t"]] == ["la"]
    starts = [(int(row[1]) / division, int(row[4])) for row in named["Note_on_c"]]
    assert starts == [(0, 62), (1, 66), (1.5, 67), (2, 69)]
    assert len(named["Note_off_c"]) == 4 and len(named["End_track"]) == len(named["Start_track"])


def test_a_file_that_csvmidi_wrote_is_read(home, tmp_path):
    source, target = tmp_path / "song.mid", tmp_path / "song.ferm"
    rows = """0, 0, Header, 1, 2, 96
1, 0, Start_track
1, 0, Time_signature, 3, 2, 24, 8
1, 0, Key_signature, -1, "major"
1, 0, Tempo, 750000
1, 0, End_track
2, 0, Start_track
2, 0, Title_t, "Flute"
2, 0, Program_c, 0, 73
2, 0, Note_on_c, 0, 77, 80
2, 96, Note_off_c, 0, 77, 0
2, 96, Note_on_c, 0, 79, 80
2, 144, Note_on_c, 0, 79, 0
2, 144, Note_on_c, 0, 81, 80
2, 288, Note_on_c, 0, 81, 0
2, 288, End_track
0, 0, End_of_file
"""
    subprocess.run(["csvmidi", "-", source], input=rows, check=True, text=True)
    fermata(home, "convert", source, target)
    text = target.read_text()
    for part in ("(key :f :major)", "(time 3 4)", "80", "Flute", "f5 :q", "g5 :8", "a5 :8 :tie :start", "a5 :q :tie :stop"):
        assert part in text, text


TRILL = "(score (part :piano (measure (note c5 :w :trill))))"


def converted(home, name, *options):
    (home.path / "song.ferm").write_text(TRILL)
    assert fermata(home, "convert", home.path / "song.ferm", home.path / name, *options).stderr == b""
    return home.path / name


def test_a_midi_file_may_be_written_as_the_score_stands(home):
    form, division, tracks = read(converted(home, "exact.mid", "--exact"))
    assert form == 1 and notes(tracks, division) == [(0, 4, 72)]
    _, division, tracks = read(converted(home, "played.mid"))
    assert len(notes(tracks, division)) > 4


def test_all_may_be_in_one_track(home):
    form, division, tracks = read(converted(home, "old.mid", "--exact", "--midi-format", "0"))
    assert (form, len(tracks)) == (0, 1) and notes(tracks, division) == [(0, 4, 72)]


@pytest.mark.parametrize("options", [["--exact"], ["--midi-format", "0"]])
def test_options_for_midi_files_are_refused_for_others(home, options):
    (home.path / "song.ferm").write_text(TRILL)
    done = fermata(home, "convert", home.path / "song.ferm", home.path / "song.musicxml", *options, code=1)
    assert f"{options[0]} is for MIDI files, not for musicxml" in done.stderr.decode()
    assert not (home.path / "song.musicxml").exists()


def test_an_rmi_file_is_a_midi_file_in_a_riff_container(home):
    """RIFF, the length of what follows, RMID, data, the length of the file in it (RP-029)."""
    data, plain = (converted(home, name).read_bytes() for name in ("song.rmi", "song.mid"))
    padded = plain + bytes(len(plain) % 2)
    assert data == (b"RIFF" + struct.pack("<I", 4 + 8 + len(padded)) + b"RMID" + b"data"
                    + struct.pack("<I", len(plain)) + padded)
    back = fermata(home, "convert", home.path / "song.rmi", "-", "--to", "fermata")
    assert b"c5" in back.stdout and back.stderr == b""
    # Under another name the container is an oddity.
    (home.path / "odd.mid").write_bytes(data)
    assert b"RIFF" in fermata(home, "convert", home.path / "odd.mid", "-", "--to", "fermata").stderr
