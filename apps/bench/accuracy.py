"""What the accuracy tables share: their rows, the product's answers, the line of fifths."""

import dataclasses
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
LETTERS = {"F": -1, "C": 0, "G": 1, "D": 2, "A": 3, "E": 4, "B": 5}


@dataclasses.dataclass
class Accuracy:
    """Percent, beside a simple method on the same notes and what others published, on theirs or ours."""
    what: str
    ours: float
    baseline: tuple = None   # (name, percent), or a list of such; no percent: the name says why
    published: tuple = None  # (name, percent)
    goal: float = None       # at least


def head():
    print(f"{'':52} {'ours':>6}  {'beside':24} {'':>6}  {'published':28} {'':>6}  goal")


def show(row):
    def cells(pair, width):
        name, value = pair or ("", None)
        return f"{name:{width}} {'' if value is None else f'{value:.1f}':>6}"

    said = "" if row.goal is None else f">= {round(row.goal, 1):g} {'met' if row.ours >= row.goal else 'MISSED'}"
    first, *more = row.baseline if isinstance(row.baseline, list) else [row.baseline]
    print(f"{row.what:52} {row.ours:6.1f}  {cells(first, 24)}  {cells(row.published, 28)}  {said}".rstrip(),
          flush=True)
    for peer in more:
        print(f"{'':52} {'':6}  {cells(peer, 24)}".rstrip(), flush=True)


def show_all(rows):
    for row in rows:
        show(row)


def folders(variable, default):
    return [pathlib.Path(f) for f in os.environ.get(variable, str(ROOT / default)).split(":")]


def answers(question, facts):
    """What the product says (analysis_filter.hpp): a list of lists of cells."""
    binary = os.environ.get("FERMATA_BENCH_BIN", str(ROOT / "build/release/bin/fermata_bench"))
    text = "".join("\t".join(map(str, fact)) + "\n" for fact in facts)
    done = subprocess.run([binary, "analyse", question], input=text, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"bench: {done.stderr.strip()}")
    return [line.split("\t") for line in done.stdout.splitlines()]


def table(path):
    """The rows of a table with tabs and one line of headings."""
    heading, *lines = path.read_text().splitlines()
    names = heading.split("\t")
    return [dict(zip(names, line.split("\t"))) for line in lines]


def place(name):
    """A spelled tone on the line of fifths, its octave aside: C 0, F sharp 6, B flat -2."""
    signs = name[1:].rstrip("-0123456789")
    return LETTERS[name[0].upper()] + 7 * (signs.count("#") - signs.count("b"))


def share(right, of):
    return 100 * right / of if of else 0.0
