"""Hands and voices of keyboard music: which staff, and which voice on it, a note of a MIDI file gets.

Protocol: all in one channel of one track, no names. The k-th sounding of a key in the answer is the k-th in the score;
a key with another number of notes counts as wrong, which costs a program that joins unisons of several parts.

  hands    share of notes on the staff, upper or lower, where the score has them
  voices   share of notes whose staff and voice are those of the score, when the voices that the answer has in a measure
           of the score are renamed to those that fit best, each to one

Collections are, first, note tables of spelling_rows.py: of each the part with two staves, without grace notes, as its
score has it, read by its grid and as if it were a recording. Then the recordings of transcription_rows.py, whose files
hold what was played; notes of other parts are played along, but not counted.

Beside: hands that meet at middle C, each with one voice; and the import of the same file by MuseScore 3 if
`musescore3` is installed. The goal is, for hands, what is published, for voices what the better of these two reaches."""

import collections
import itertools
import os
import pathlib
import shutil
import subprocess
from fractions import Fraction

import mido

import written_score
from accuracy import Accuracy, folders, share, table

TICKS = 3840  # a quarter: sixteenths of septuplets come out
MIDDLE_C = 60

# A bidirectional LSTM, on the validation part of its own 337 recordings (BACHprop's readme). Of voices on staves no
# comparable figure was found.
PUBLISHED = {"hands": ("BACHprop, its recordings", 92.4)}
GOALS = {"hands": 92.4}


def exact(text):
    """Decimals of some tables mean 48ths and simpler."""
    return Fraction(text).limit_denominator(96)


def written_notes(path):
    """[onset, length, key, (staff, voice), measure] of the keyboard part, tied notes merged; of unisons the first."""
    rows = [r for r in table(path) if not r["grace"].strip("0")]
    keyboard = next((r.get("part") for r in rows if r["staff"] == "2"), "none")
    found, held, taken = [], {}, set()
    for row in rows:
        if row.get("part") != keyboard:
            continue
        onset, length, key = exact(row["onset_q"]), exact(row["dur_q"]), int(row["midi"])
        if row.get("tie") in ("stop", "both") or row.get("tied") in ("0", "-1"):
            if (note := held.get(key)) and note[0] + note[1] == onset:
                note[1] += length
            continue
        if length <= 0 or (onset, key) in taken:
            continue
        taken.add((onset, key))
        held[key] = [onset, length, key, (int(row["staff"]), row["voice"]), row["measure"]]
        found.append(held[key])
    return sorted(found, key=lambda n: (n[0], n[2]))


def file_of(notes, path):
    """A file that plays the notes; one that is struck again ends before."""
    ends, events = {}, []
    for onset, length, key, *_ in reversed(notes):
        end = min(onset + length, ends.get(key, onset + length))
        ends[key] = onset
        events += [(onset, 1, key), (end, 0, key)]
    track, now = mido.MidiTrack(), 0
    for at, begins, key in sorted(events):
        tick = round(at * TICKS)
        track.append(mido.Message("note_on", note=key, velocity=64 * begins, time=tick - now))
        now = tick
    mido.MidiFile(type=0, ticks_per_beat=TICKS, tracks=[track]).save(str(path))


def played_notes(path):
    """The same for a recording: onset and length are what was played; notes that are not counted have no staff."""
    rows = [r for r in table(path) if r["kind"] != "deletion"]
    keyboard = next((r["staff"].split(".")[0] + "." for r in rows if r["staff"].endswith(".2")), "")
    found = []
    for row in rows:
        counts = row["kind"] == "match" and row["staff"].startswith(keyboard)
        place = (int(row["staff"].split(".")[-1]), row["voice"]) if counts else None
        found.append([float(row["perf_on_s"]), 0, int(row["midi"]), place, row["bar"]])
    return sorted(found, key=lambda n: n[0])


def places(notes, text):
    """(staff, voice) in a MusicXML file for each of the notes, staves counted from the top; or nothing."""
    by_key, staves = collections.defaultdict(list), set()
    for n in written_score.read(text).notes:
        by_key[n.key].append((n.onset, (n.part, n.staff), n.voice))
        staves.add((n.part, n.staff))
    number = {staff: i + 1 for i, staff in enumerate(sorted(staves))}
    counts, used, found = collections.Counter(n[2] for n in notes), collections.Counter(), []
    for note in notes:
        key = note[2]
        same = sorted(by_key[key])
        found.append((number[same[used[key]][1]], same[used[key]][2]) if len(same) == counts[key] else None)
        used[key] += 1
    return found


def best_renaming(pairs):
    """How many of (answer, truth) agree when the answers are renamed one to one."""
    agree = collections.Counter(p for p in pairs if p[0])
    ours, truth = sorted({a for a, _ in agree}), sorted({t for _, t in agree})
    if len(ours) > len(truth):
        ours, truth, agree = truth, ours, collections.Counter({(t, a): n for (a, t), n in agree.items()})
    if len(truth) > 8:
        raise SystemExit("bench: more than eight voices in a measure")
    return max((sum(agree[a, t] for a, t in zip(ours, order)) for order in itertools.permutations(truth, len(ours))),
               default=0)


def right(notes, given):
    """How many notes are on the right staff, and in the right voice."""
    measures, hands = collections.defaultdict(list), 0
    for note, place in zip(notes, given):
        if note[3]:
            hands += place is not None and place[0] == note[3][0]
            measures[note[4]].append((place, note[3]))
    return {"hands": hands, "voices": sum(map(best_renaming, measures.values()))}


def by_product(binary, path, home, options):
    environment = {**os.environ, "FERMATA_HOME": home}
    command = [binary, "transcribe", *options, path]
    return subprocess.run(command, env=environment, capture_output=True, check=True).stdout


def by_musescore(path, home):
    """Its import as MusicXML, or nothing when it fails."""
    out = pathlib.Path(home) / "import.musicxml"
    out.unlink(missing_ok=True)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": home, "XDG_RUNTIME_DIR": home}
    subprocess.run(["musescore3", "-o", out, path], env=environment, capture_output=True)
    return out.read_bytes() if out.exists() else None


def collections_of(home):
    """(name, [(notes, file)], options of the product)."""
    for folder in folders("FERMATA_NOTE_TABLES", "tests/data/spelling"):
        pieces = []
        for path in sorted(folder.glob("*.tsv")):
            if notes := written_notes(path):
                file = pathlib.Path(home) / (path.stem[:60] + ".mid")
                file_of(notes, file)
                pieces.append((notes, file))
        yield f"{folder.name}, by the grid", pieces, []
        yield f"{folder.name}, as if played", pieces, ["--performed"]
    groups = collections.defaultdict(list)
    for folder in folders("FERMATA_RECORDINGS", "tests/data/transcription"):
        for path in sorted(folder.glob("*.mid")):
            truth = path.with_name(path.name.removesuffix(".mid") + ".notes.tsv")
            level = ".".join(path.name.split(".")[1:-1]) or folder.name
            notes = played_notes(truth) if truth.exists() else []
            if len({n[3][0] for n in notes if n[3]}) == 2:
                groups[level].append((notes, path))
    for level, pieces in sorted(groups.items()):
        yield f"{level}, recorded", pieces, ["--performed"]


def rows(binary, home):
    peer = shutil.which("musescore3")
    for name, pieces, options in collections_of(home):
        if not pieces:
            continue
        totals = collections.defaultdict(collections.Counter)
        for notes, path in pieces:
            totals["all"]["notes"] += sum(n[3] is not None for n in notes)
            totals["ours"].update(right(notes, places(notes, by_product(binary, path, home, options))))
            totals["middle C"].update(right(notes, [(1 if n[2] >= MIDDLE_C else 2, "1") for n in notes]))
            if peer and (text := by_musescore(path, home)):
                totals["MuseScore 3"].update(right(notes, places(notes, text)))
        for score in ("hands", "voices"):
            def percent(who):
                return share(totals[who][score], totals["all"]["notes"])

            beside = [("middle C" if score == "hands" else "middle C, one each", percent("middle C")),
                      ("MuseScore 3", percent("MuseScore 3")) if peer else ("MuseScore: not installed", None)]
            yield Accuracy(f"{name} ({len(pieces)}): {score}", percent("ours"), beside, PUBLISHED.get(score),
                           GOALS.get(score, max(value for _, value in beside if value is not None)))
