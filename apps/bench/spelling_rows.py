"""Pitch spelling: how many notes of a score are spelled as the composer did, from their keys on a keyboard alone.

Protocol (Meredith, The ps13 pitch spelling algorithm, 2006): onset, length and key of each note, tied ones once; no key
signature, no bars. Shares of all notes of a collection.

  strict    the same spelling
  tolerant  up to a shift of the whole work by a diminished second, where that is better
  signed    strict, with the key signatures given

Beside: ps13s1 with 10 notes before and 40 after; for `signed` the twelve names around the signature, three fifths down
and eight up. Collections are folders of note tables (tests/data/spelling; $FERMATA_NOTE_TABLES names others, separated
by colons): written notes of score files, or the tables of DCML. Those are under a licence that allows no copies of them
here."""

import collections

from accuracy import Accuracy, answers, folders, place, share, table

# Published, on other notes than these. ps13 on the 195,972 notes of Meredith's own corpus: 99.31 strict and 99.43
# tolerant, the variant ps13s1 99.44 (Meredith 2006). With bars given, 216,464 notes by Bach and others: 98.2, piano
# music 95.6 (Bouquillard & Jacquemard, Engraving-oriented joint estimation of pitch spelling and local and global
# keys, 2024).
PUBLISHED = {"strict": ("ps13, Meredith's corpus", 99.31), "tolerant": ("ps13s1, Meredith's corpus", 99.44),
             "signed": ("PSE with bars, pianos", 95.6)}


def notes_of(path):
    """(onset, length, key, spelled) of the notes, without those tied to; the signature of each; the signatures."""
    found, in_force, signatures = [], [], []
    for row in table(path):
        if row.get("tie") in ("stop", "both") or row.get("tied") in ("0", "-1"):
            continue
        if "fifths" in row:
            in_force.append(int(row["fifths"]))
            if not signatures or signatures[-1][2] != row["fifths"]:
                signatures.append(("signature", row["onset_q"], row["fifths"]))
        found.append((row["onset_q"], row["dur_q"], row["midi"], row["name"]))
    return found, in_force, signatures


def exact(text):
    """Decimal lengths of some tables as thousandths, which is near enough to spell by."""
    return f"{round(float(text) * 1000)}/1000" if "." in text else text


def in_window(key, fifths):
    return next(p for p in range(fifths - 3, fifths + 9) if (7 * p - int(key)) % 12 == 0)


def right(given, truth, shift=0):
    return sum(g + shift == t for g, t in zip(given, truth))


def counts(path):
    """How many notes come out right, by method and score; and how many there are."""
    notes, in_force, signatures = notes_of(path)
    truth = [place(n[3]) for n in notes]
    known = [("note", onset, exact(length), key) for onset, length, key, _ in notes]
    found = {"notes": len(notes)}
    for method in ("spelling", "ps13s1"):
        given = [place(line[0]) for line in answers(method, known)]
        found[method, "strict"] = right(given, truth)
        found[method, "tolerant"] = max(right(given, truth, shift) for shift in (-12, 0, 12))
    if signatures:
        given = [place(line[0]) for line in answers("spelling", known + signatures)]
        found["spelling", "signed"] = right(given, truth)
        window = [in_window(key, fifths) for (_, _, key, _), fifths in zip(notes, in_force)]
        found["window", "signed"] = right(window, truth)
    return found


# Songs modulate far, and some singers' keys differ only in name: their goal is lower.
GOALS = {"strict": 99.4, "tolerant": 99.5, "signed": 99.4}
SONG_GOALS = {"strict": 98, "tolerant": 98, "signed": 98.5}


def rows(binary, home):
    for folder in folders("FERMATA_NOTE_TABLES", "tests/data/spelling"):
        total, works = collections.Counter(), 0
        for path in sorted(folder.glob("*.tsv")):
            total.update(counts(path))
            works += 1
        songs = "lieder" in folder.name or "tests/data" in str(folder)
        for score in ("strict", "tolerant", "signed"):
            if ("spelling", score) not in total:
                continue
            beside = "window" if score == "signed" else "ps13s1"
            yield Accuracy(f"{folder.name} ({works}): {score}", share(total["spelling", score], total["notes"]),
                           (beside, share(total[beside, score], total["notes"])), PUBLISHED[score],
                           (SONG_GOALS if songs else GOALS)[score])
