"""The notes and measures of a MusicXML file in written time: what the truth of a measurement is read from,
independently of the product."""

import dataclasses
import io
import xml.etree.ElementTree as ET
import zipfile
from fractions import Fraction

STEPS = dict(zip("CDEFGAB", (0, 2, 4, 5, 7, 9, 11)))


@dataclasses.dataclass
class Note:
    onset: Fraction   # in quarters, repeats not unfolded
    length: Fraction  # ties merged; a grace note has none
    key: int          # MIDI key as written
    name: str         # "Bb3"
    part: int
    staff: int
    voice: str
    measure: int      # index


@dataclasses.dataclass
class Measure:
    number: str
    start: Fraction
    length: Fraction
    beats: str        # the time signature in force: "6/8"


@dataclasses.dataclass
class Score:
    notes: list
    measures: list


def read_file(path):
    """.musicxml and .mxl."""
    data = path.read_bytes()
    if data[:2] == b"PK":
        packed = zipfile.ZipFile(io.BytesIO(data))
        container = ET.fromstring(packed.read("META-INF/container.xml"))
        root = next(e for e in container.iter() if e.tag.endswith("rootfile"))
        data = packed.read(root.get("full-path"))
    return read(data)


def read(text):
    notes, measures = [], []
    for index, part in enumerate(ET.fromstring(text).iter("part")):
        found, of_part = part_of(part, index)
        notes += found
        if len(of_part) > len(measures):
            measures = of_part
    return Score(sorted(notes, key=lambda n: (n.onset, n.key)), measures)


def part_of(part, index):
    notes, measures = [], []
    start, open_ties, divisions, beats = Fraction(0), {}, 1, "4/4"
    for place, measure in enumerate(part.iter("measure")):
        at = last = longest = Fraction(0)
        for item in measure:
            if item.tag == "attributes":
                divisions = int(item.findtext("divisions", str(divisions)))
                time = item.find("time")
                if time is not None and time.find("beats") is not None:
                    beats = f"{time.findtext('beats')}/{time.findtext('beat-type')}"
            elif item.tag in ("backup", "forward"):
                step = Fraction(int(item.findtext("duration")), divisions)
                at += step if item.tag == "forward" else -step
            elif item.tag == "note":
                length = Fraction(int(item.findtext("duration", "0")), divisions)
                in_chord = item.find("chord") is not None
                onset = last if in_chord else at
                if not in_chord:
                    last, at = at, at + length
                if item.find("pitch") is not None and item.find("cue") is None:
                    tied(notes, open_ties, item, Note(
                        start + onset, Fraction(0), *sound_of(item.find("pitch")), index,
                        int(item.findtext("staff", "1")), item.findtext("voice", "1"), place), length)
            longest = max(longest, at)
        measures.append(Measure(measure.get("number", ""), start, longest, beats))
        start += longest
    return notes, measures


def sound_of(pitch):
    step, octave = pitch.findtext("step"), int(pitch.findtext("octave"))
    alter = round(float(pitch.findtext("alter", "0")))
    return STEPS[step] + alter + 12 * (octave + 1), step + ("#" * alter if alter > 0 else "b" * -alter) + str(octave)


def tied(notes, open_ties, item, note, length):
    """Adds a note, or its length to that of the note it is tied to."""
    ties = {t.get("type") for t in item.findall("tie")}
    held = open_ties.pop((note.voice, note.key), None) if "stop" in ties else None
    if held is None:
        notes.append(held := note)
    held.length += length
    if "start" in ties:
        open_ties[note.voice, note.key] = held
