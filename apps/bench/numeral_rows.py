"""Harmony: chords and Roman numerals of songs, beside their analyses by people.

Protocol. With the spans and keys of the analyst given, each span counts once, however many measures it lasts; where the
analyst names a chord in two keys, the new one counts:

  root, bass           the same key on the keyboard
  quality              the same intervals above the root, added and missing tones included
  root and quality     both
  numeral              the whole numeral: "V65/V"

Blind, from the notes alone, sampled every eighth from the first to the last chord of the analyst:

  key                  the same tonic, as spelled, and mode
  degree               the same number and accidental, and what it is applied to
  quality, inversion, root, numeral    as above
  key and numeral      the whole label

An augmented sixth has its name for a degree, and a Cad64 is the tonic's 64. Collections are folders with NAME.mxl and
NAME.rntxt, an analysis in RomanText, or with NAME.notes.tsv and NAME.chords.tsv (tests/data/theory; $FERMATA_ANALYSES
names others, separated by colons).

Beside, with spans: nine templates (four triads, five sevenths) on the share of each tone in the span; blind: the same
on each quarter, the key of the whole piece."""

import collections
import math
import re
from fractions import Fraction

import roman_text
import written_score
from accuracy import Accuracy, answers, folders, place, share, table

TEMPLATES = ((0, 4, 7), (0, 3, 7), (0, 3, 6), (0, 4, 8), (0, 4, 7, 10), (0, 4, 7, 11), (0, 3, 7, 10), (0, 3, 6, 10),
             (0, 3, 6, 9))
STEPS = written_score.STEPS
INVERSIONS = {"6": 1, "64": 2, "65": 1, "43": 2, "42": 3, "2": 3}

# AugmentedNet on the test part of When in Rome, no spans and no keys given (its readme; Nápoles López, Gotham &
# Fujinaga, ISMIR 2021): other pieces than the songs here, after training on some of their kind. Nobody gives the spans.
BLIND = {"key": 81.8, "degree": 69.2, "quality": 85.9, "inversion": 90.3, "root": 90.3, "key and numeral": 56.4}
GOALS = {"root and quality": 78, "numeral": 65}
BLIND_GOALS = {"key": 75, "root": 68, "key and numeral": 35}


class Label:
    """What can be compared of a chord: from the product's line KEY TONES BASS NUMERAL."""

    def __init__(self, key, tones, bass, numeral):
        classes = [7 * place(t) % 12 for t in tones.split()]
        self.key = key
        self.root = classes[0]
        self.bass = 7 * place(bass) % 12
        self.quality = frozenset((c - classes[0]) % 12 for c in classes)
        minor = key.endswith("minor")
        numeral = numeral.replace("Cad64", "i64" if minor else "I64")
        self.numeral = numeral
        head, *applied = numeral.replace("/o", "ø").split("/")
        self.inversion = INVERSIONS.get("".join(re.findall(r"\d", head.split("[")[0])), 0)
        self.degree = "/".join(degree(part) for part in [head, *applied])


def degree(numeral):
    """Number and accidental whatever the quality: "bVI", "VII"; or the name of an augmented sixth."""
    return re.match(r"(?:It|Fr|Ger|Sw|N)|[b#]*[IViv]+", numeral)[0].translate(str.maketrans("iv", "IV"))


def analyses_in():
    """(folder, its analyses) where there are some."""
    for folder in folders("FERMATA_ANALYSES", "tests/data/theory"):
        if paths := sorted([*folder.glob("*.rntxt"), *folder.glob("*.chords.tsv")]):
            yield folder, paths


def truth_of(path):
    """The notes and the analyst's (begin, end, label)."""
    if path.suffix == ".rntxt":
        score = written_score.read_file(path.with_suffix(".mxl"))
        notes = [(n.onset, n.length, n.name) for n in score.notes if n.length]
        chords = [(c.begin, c.end, c.key, c.figure) for c in roman_text.chords_of(path.read_text(), score)]
    else:
        notes = [(Fraction(r["onset_q"]), Fraction(r["dur_q"]), r["name"])
                 for r in table(path.with_name(path.name.replace(".chords.", ".notes.")))]
        chords = [(Fraction(r["onset_q"]), Fraction(r["end_q"]), r["key"], r["figure"]) for r in table(path)]
    read = answers("figures", [("figure", key, figure) for _, _, key, figure in chords])
    return notes, [(begin, end, Label(key_name(key), *line))
                   for (begin, end, key, _), line in zip(chords, read) if len(line) == 3]


def key_name(text):
    """As the product writes it: "Bb", "g" and "G minor" alike."""
    tonic, *mode = text.split()
    minor = mode == ["minor"] or (not mode and tonic[0].islower())
    return f"{tonic[0].lower()}{tonic[1:]} {'minor' if minor else 'major'}"


def facts(notes):
    return [("note", *n) for n in notes]


def with_spans(notes, truth):
    """The product's labels by the beginnings of their spans."""
    given = facts(notes)
    for begin, end, label in truth:
        given += [("span", begin, end), ("key", begin, label.key)]
    return {Fraction(line[0]): Label(*line[2:]) for line in answers("chords", given)}


def plain(notes):
    """(from, to, key on the keyboard) for the templates; the length of a float is near enough."""
    return [(float(onset), float(onset + length), semitones(name)) for onset, length, name in notes]


def semitones(name):
    """From C0. A C flat is below the C of its octave."""
    octave = int(re.search(r"-?\d+$", name)[0])
    return 12 * octave + STEPS[name[0].upper()] + name.count("#") - name[1:].count("b")


def by_template(sounding, begin, end):
    """(root, quality, bass) by the plain templates: what sounds inside less what sounds outside, less a tenth for every
    tone that is missing, and a bonus when the lowest tone is the root or another member."""
    here = [(min(end, off) - max(begin, on), key) for on, off, key in sounding if on < end and off > begin]
    if not here:
        return None
    bass, weights = min(key for _, key in here) % 12, [0.0] * 12
    for length, key in here:
        weights[key % 12] += length
    total = sum(weights)

    def fit(candidate):
        root, template = candidate
        members = [(root + step) % 12 for step in template]
        inside = sum(weights[m] for m in members)
        missing = sum(weights[m] == 0 for m in members)
        bonus = 0.15 if bass == root else 0.05 if bass in members else 0
        return (2 * inside - total) / total - 0.1 * missing + bonus

    root, template = max(((r, t) for t in TEMPLATES for r in range(12)), key=fit)
    return root, frozenset(template), bass


def same(ours, truth):
    """Which parts of two labels agree."""
    if ours is None:
        return {}
    found = {part: getattr(ours, part) == getattr(truth, part)
             for part in ("key", "degree", "quality", "inversion", "root", "bass", "numeral")}
    found["root and quality"] = found["root"] and found["quality"]
    found["key and numeral"] = found["key"] and found["numeral"]
    return found


def same_by_template(guess, truth):
    if guess is None:
        return {}
    found = {"root": guess[0] == truth.root, "quality": guess[1] == truth.quality, "bass": guess[2] == truth.bass}
    return {**found, "root and quality": found["root"] and found["quality"]}


def sampled(spans, times):
    """What holds at each time."""
    spans, found, i = sorted(spans, key=lambda s: s[0]), [], 0
    for at in times:
        while i < len(spans) and spans[i][1] <= at:
            i += 1
        found.append(spans[i][2] if i < len(spans) and spans[i][0] <= at else None)
    return found


def measured(paths):
    """Counters of what is right with spans and blind, ours and the baseline's, and how many there are of each."""
    right = collections.defaultdict(collections.Counter)
    for path in paths:
        notes, truth = truth_of(path)
        ours, sounding = with_spans(notes, truth), plain(notes)
        for begin, end, label in truth:
            right["spans"].update(same(ours.get(begin), label))
            right["spans, templates"].update(same_by_template(by_template(sounding, float(begin), float(end)), label))
        right["spans"]["all"] += len(truth)

        blind = [(Fraction(b), Fraction(e), Label(*rest)) for b, e, *rest in answers("analysis", facts(notes))]
        times = [Fraction(n, 2) for n in range(math.ceil(truth[0][0] * 2), math.ceil(truth[-1][1] * 2))]
        home = answers("key", facts(notes))[0][0]
        quarters = {}
        for label, found, at in zip(sampled(truth, times), sampled(blind, times), times):
            if label is None:
                continue
            right["blind"]["all"] += 1
            right["blind"].update(same(found, label))
            quarter = at // 1
            if quarter not in quarters:
                quarters[quarter] = by_template(sounding, quarter, quarter + 1)
            right["blind, templates"].update({**same_by_template(quarters[quarter], label), "key": home == label.key})
    return right


def rows(binary, home):
    for folder, paths in analyses_in():
        right = measured(paths)
        chords, eighths = right["spans"]["all"], right["blind"]["all"]

        def beside(task, part):
            count = right[task + ", templates"].get(part)
            return count and ("one key" if part == "key" else "templates", share(count, right[task]["all"]))

        for part in ("root", "quality", "bass", "root and quality", "numeral"):
            yield Accuracy(f"{folder.name}: spans given, {part}", share(right["spans"][part], chords),
                           beside("spans", part), None, GOALS.get(part))
        for part in ("key", "degree", "quality", "inversion", "root", "numeral", "key and numeral"):
            published = ("AugmentedNet, When in Rome", BLIND[part]) if part in BLIND else None
            yield Accuracy(f"{folder.name}: blind, {part}", share(right["blind"][part], eighths),
                           beside("blind", part), published, BLIND_GOALS.get(part))
