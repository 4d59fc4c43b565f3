"""Analyses in RomanText (Tymoczko, Gotham, Cuthbert & Ariza, The RomanText format, 2019) placed in the time of a score:
as much of the format as the analyses of When in Rome use."""

import dataclasses
import re
from fractions import Fraction

CHORD_PLACE = re.compile(r"b(\d+(?:\.\d+)?)$")
KEY = re.compile(r"([A-Ga-g][#b-]*):$")
MEASURE = re.compile(r"m(\d+)([a-z]?)(?:\s+(.*))?$")
COPY = re.compile(r"m(\d+)([a-z]?)(?:-(?:m)?(\d+)([a-z]?))?\s*=\s*m(\d+)([a-z]?)(?:-(?:m)?(\d+)([a-z]?))?")
MARKS = {"||", ":||", "||:", ":||:", ";"}


@dataclasses.dataclass
class Chord:
    begin: Fraction
    end: Fraction
    key: str
    figure: str


def beat_length(beats):
    """In quarters; three eighths and more by three are beats of three (3/8 counted slowly has three)."""
    count, unit = (int(x) for x in beats.split("/"))
    compound = count > 3 and count % 3 == 0
    return Fraction(4, unit) * (3 if compound else 1)


def beat(text):
    """Written decimals mean simple fractions: 2.67 is two and two thirds."""
    return Fraction(text).limit_denominator(12 if len(text.split(".")[-1]) > 1 else 10)


def measures_of(text):
    """(number, letter) -> [(beat, key, figure)]; without numerals the harmony goes on."""
    measures, key = {}, None
    for line in text.splitlines():
        line = line.strip().replace("♭", "b").replace("♯", "#")
        if copy := COPY.match(line):
            first, last = int(copy[1]), int(copy[3] or copy[1])
            source = int(copy[5])
            for i in range(last - first + 1):
                chords = measures.get((source + i, copy[6] if i == 0 else ""), [])
                measures[first + i, copy[2] if i == 0 else ""] = list(chords)
                key = chords[-1][1] if chords else key
        elif found := MEASURE.match(line):
            at, chords = Fraction(1), []
            for word in (found[3] or "").split():
                if word in MARKS:
                    continue
                if place := CHORD_PLACE.match(word):
                    at = beat(place[1])
                elif said := KEY.match(word):
                    key = said[1].replace("-", "b")
                elif key:
                    chords.append((at, key, word))
            measures[int(found[1]), found[2]] = chords
    return measures


def full_length(measure):
    count, unit = (int(x) for x in measure.beats.split("/"))
    return Fraction(4 * count, unit)


def places_of(numbers, score):
    """The index in the score of each measure of an analysis, or nothing where the analysis writes out a repeat.

    Analyses number an ending by what it replaces, "10a 11a 10b 11b"; scores go on counting. A pickup is measure 0. The
    second part of a measure that a repeat sign cuts in two is no measure of its own."""
    measures = score.measures
    counted = [i for i, m in enumerate(measures)
               if i == 0 or m.number.isdigit() or measures[i - 1].length + m.length > full_length(m)]
    pickup = measures[0].number == "0" or measures[0].length < full_length(measures[0])
    at, before, found = None, None, []
    for number, letter in numbers:
        if at is None:
            at = number if pickup else number - 1
        else:
            next_ending = letter > before[1] and number <= before[0]
            at += 1 if next_ending else number - before[0]
        before = number, letter
        found.append(counted[at] if 0 <= at < len(counted) else None)
    return found


def chords_of(text, score):
    """The chords in the written time of the score, each up to the next one or the end of the piece."""
    analysed = measures_of(text)
    places = places_of(list(analysed), score)
    starts = []
    for place, chords in zip(places, analysed.values()):
        if place is None:
            continue
        measure = score.measures[place]
        length = beat_length(measure.beats)
        missing = max(Fraction(0), full_length(measure) - measure.length) if place == 0 else 0
        for at, key, figure in chords:
            starts.append((measure.start + max(Fraction(0), (at - 1) * length - missing), key, figure))
    end = score.measures[-1].start + score.measures[-1].length
    return [Chord(a[0], b[0], a[1], a[2]) for a, b in zip(starts, starts[1:] + [(end,)]) if a[0] < b[0]]
