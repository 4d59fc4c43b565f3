"""Keys of songs, beside those that people heard.

Protocol, for the collections of numeral_rows.py:

  whole      the key of the whole piece, of the pieces whose first and last key agree
  weighted   the same with a half for a key a fifth above, 0.3 for the relative and 0.2 for the parallel (MIREX)
  first      the first key of those followed through the piece
  last       the last one
  local      sampled every eighth from the first to the last chord of the analyst

No key signature is given. Tonics are compared as spelled, for `weighted` by their sound. Beside: the profiles of
Krumhansl & Kessler (1982), correlated with the lengths of the twelve tones in the whole piece (Krumhansl & Schmuckler
1990); its key goes for first, last and local."""

import collections
import math
import statistics
from fractions import Fraction

from accuracy import Accuracy, answers, place, share
from numeral_rows import analyses_in, facts, plain, sampled, truth_of

MAJOR = (6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88)
MINOR = (6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17)

# AugmentedNet on the test part of When in Rome, from the notes alone (its readme; Nápoles López, Gotham & Fujinaga,
# ISMIR 2021). For whole songs no comparable figure was found.
LOCAL = ("AugmentedNet, When in Rome", 81.8)


def sound_of(key):
    """(pitch class of the tonic, whether minor)."""
    tonic, mode = key.split()
    return 7 * place(tonic) % 12, mode == "minor"


def by_profile(sounding):
    """As `sound_of` has it: the highest correlation with the two profiles on twelve tonics."""
    weights = [0.0] * 12
    for on, off, key in sounding:
        weights[key % 12] += off - on
    return max(((tonic, minor) for minor in (False, True) for tonic in range(12)),
               key=lambda k: statistics.correlation([weights[(k[0] + i) % 12] for i in range(12)],
                                                    MINOR if k[1] else MAJOR))


def weighted(guess, truth):
    if guess == truth:
        return 1
    if guess[1] == truth[1]:
        return 0.5 if guess[0] == (truth[0] + 7) % 12 else 0
    relative = (truth[0] + (3 if truth[1] else 9)) % 12
    return 0.3 if guess[0] == relative else 0.2 if guess[0] == truth[0] else 0


def measured(paths):
    right = collections.Counter()
    for path in paths:
        notes, truth = truth_of(path)
        known, beside = facts(notes), by_profile(plain(notes))
        whole = answers("key", known)[0][0]
        changes = [(Fraction(at), key) for at, key in answers("keys", known)]
        first, last = truth[0][2].key, truth[-1][2].key
        right["pieces"] += 1
        right["first"] += changes[0][1] == first
        right["last"] += changes[-1][1] == last
        right["first beside"] += beside == sound_of(first)
        right["last beside"] += beside == sound_of(last)
        if first == last:
            right["closed"] += 1
            right["whole"] += whole == first
            right["whole beside"] += beside == sound_of(first)
            right["weighted"] += weighted(sound_of(whole), sound_of(first))
            right["weighted beside"] += weighted(beside, sound_of(first))
        times = [Fraction(n, 2) for n in range(math.ceil(truth[0][0] * 2), math.ceil(truth[-1][1] * 2))]
        ends = [at for at, _ in changes[1:]] + [math.inf]
        ours = sampled([(min(at, times[0]), end, key) for (at, key), end in zip(changes, ends)], times)
        for label, key in zip(sampled(truth, times), ours):
            if label is not None:
                right["eighths"] += 1
                right["local"] += key == label.key
                right["local beside"] += beside == sound_of(label.key)
    return right


def rows(binary, home):
    for folder, paths in analyses_in():
        right = measured(paths)
        for what, of, goal in (("whole", "closed", 95), ("weighted", "closed", None), ("first", "pieces", 95),
                               ("last", "pieces", 95), ("local", "eighths", 75)):
            if not right[of]:
                continue
            yield Accuracy(f"{folder.name} ({right['pieces']}): {what}", share(right[what], right[of]),
                           ("Krumhansl-Kessler", share(right[what + " beside"], right[of])),
                           LOCAL if what == "local" else None, goal)
