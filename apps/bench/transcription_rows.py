"""Recordings to notation: how much of the rhythm of the score comes out, beside a grid of constant tempo.

Recordings are NAME.mid with NAME.notes.tsv (tests/data/transcription; $FERMATA_RECORDINGS names other folders, separated
by colons, whose files are grouped by their level, NAME.LEVEL.mid). Only the onsets, lengths and keys of the file are used.

  IOI   share of neighbouring onsets of the score whose distance comes out, with the best of the factors 1/4 to 4
  IOI1  the same with the factor 1
  VAL   share of notes whose length comes out, with that factor
  ABS   share of notes whose position comes out, up to the commonest shift

Averages are over recordings. The grid: of 40 to 240 quarters a minute and 10 phases the one that is nearest to
sixteenths, then the nearest quarter or third of a quarter."""

import collections
import math
import os
import pathlib
import statistics
import subprocess
import time
from fractions import Fraction

import written_score

ROOT = pathlib.Path(__file__).resolve().parents[2]
FACTORS = [Fraction(f) for f in ("1/4", "1/3", "1/2", "2/3", "3/4", "1", "4/3", "3/2", "2", "3", "4")]


def truth(path):
    """(played from, played to, key, onset, length) of the notes that the score has; all that were played."""
    matched, played = [], []
    for row in path.read_text().splitlines()[1:]:
        on, off, key, _, onset, length, *_, kind = row.split("\t")
        if kind == "deletion":
            continue
        played.append((float(on), float(off), int(key)))
        matched.append((Fraction(onset), Fraction(length)) if kind == "match" else None)
    order = sorted(range(len(played)), key=lambda i: played[i][0])
    return [(*played[i], matched[i]) for i in order]


def written(text):
    """(onset, length, key) of the notes of a MusicXML file, ties merged and grace notes included."""
    return [(n.onset, n.length, n.key) for n in written_score.read(text).notes]


def paired(played, notes):
    """For each played note (onset, length) in the score, or nothing: of each key the k-th with the k-th."""
    by_key = collections.defaultdict(list)
    for onset, length, key in sorted(notes):
        by_key[key].append((onset, length))
    counts = collections.Counter(p[2] for p in played)
    used = collections.Counter()
    found = []
    for p in played:
        key = p[2]
        found.append(by_key[key][used[key]] if len(by_key[key]) == counts[key] else None)
        used[key] += 1
    return found


def measures(played, found):
    by_onset = collections.defaultdict(list)
    for p, f in zip(played, found):
        if p[3]:
            by_onset[p[3][0]].append(f[0] if f else None)
    onsets = [(o, statistics.median([x for x in xs if x is not None]) if any(x is not None for x in xs) else None)
              for o, xs in sorted(by_onset.items())]

    def share(factor):
        right = sum(a[1] is not None and b[1] is not None and b[1] - a[1] == factor * (b[0] - a[0])
                    for a, b in zip(onsets, onsets[1:]))
        return 100 * right / max(1, len(onsets) - 1)

    factor = max(FACTORS, key=lambda f: (share(f), -f))
    scored = [(p[3], f) for p, f in zip(played, found) if p[3]]
    lengths = sum(f is not None and f[1] == factor * t[1] for t, f in scored)
    shifts = collections.Counter(f[0] - factor * t[0] for t, f in scored if f)
    return {"IOI": share(factor), "IOI1": share(Fraction(1)), "VAL": 100 * lengths / len(scored),
            "ABS": 100 * max(shifts.values(), default=0) / len(scored)}


def snapped(x, grids):
    return min((Fraction(round(x * g), g) for g in grids), key=lambda f: (round(abs(f - x), 9), f.denominator))


def on_constant_grid(played):
    sixteenths = min(((tempo, phase / 10) for tempo in range(40, 241) for phase in range(10)),
                     key=lambda c: sum(abs((x := (p[0] * c[0] / 60 + c[1] / 4) * 4) - round(x)) for p in played))
    tempo, phase = sixteenths
    place = lambda s: snapped(s * tempo / 60 + phase / 4, (4, 3))
    return [(place(p[0]), max(Fraction(1, 4), place(p[1]) - place(p[0]))) for p in played]


def groups():
    folders = os.environ.get("FERMATA_RECORDINGS", str(ROOT / "tests/data/transcription")).split(":")
    found = collections.defaultdict(list)
    for folder in map(pathlib.Path, folders):
        for path in sorted(folder.glob("*.mid")):
            if path.with_suffix("").with_suffix(path.with_suffix("").suffix + ".notes.tsv").exists():
                parts = path.name.split(".")
                found[".".join(parts[1:-1]) or folder.name].append(path)
    return found


def ten_minutes(path):
    """Writes a recording again and again; returns its length in seconds."""
    import mido
    song = mido.MidiFile(str(ROOT / "tests/data/transcription/gray-under-the-cliffs.mid"))
    messages = [m for m in song.tracks[0] if not m.is_meta or m.type == "set_tempo"]
    track = mido.MidiTrack(messages * math.ceil(600 / song.length))
    mido.MidiFile(type=0, ticks_per_beat=song.ticks_per_beat, tracks=[track]).save(str(path))
    return mido.MidiFile(str(path)).length


def rows(binary, home):
    environment = {**os.environ, "FERMATA_HOME": home}
    for group, paths in sorted(groups().items()):
        ours, grid = collections.defaultdict(list), collections.defaultdict(list)
        for path in paths:
            played = truth(path.parent / (path.name.removesuffix(".mid") + ".notes.tsv"))
            done = subprocess.run([binary, "transcribe", "--performed", path], env=environment, capture_output=True,
                                  text=True, check=True)
            for name, value in measures(played, paired(played, written(done.stdout))).items():
                ours[name].append(value)
            for name, value in measures(played, on_constant_grid(played)).items():
                grid[name].append(value)
        for name in ("IOI", "IOI1", "VAL", "ABS"):
            yield (f"{group}: {name}", statistics.mean(ours[name]), "%", "constant tempo", statistics.mean(grid[name]))
    long = pathlib.Path(home) / "long.mid"
    length = ten_minutes(long)
    began = time.perf_counter()
    subprocess.run([binary, "transcribe", "--performed", long], env=environment, capture_output=True, check=True)
    yield ("ten minutes to notation", (time.perf_counter() - began) * 600 / length, "s", "goal", 1.0, ("<=", 1))
