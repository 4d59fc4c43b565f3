"""Speed of the program as a user or a client meets it, beside a peer or a physical floor.

Every row is measured in one run on one machine: absolute numbers vary with the machine, ratios
travel. `./dev bench` builds everything and runs this; a name as argument runs the rows of one file
only. Rows come from the modules below; each yields (name, value, unit, peer, peer value) and, where there
is a goal for the ratio, a sixth: ("<=", 2) or (">=", 20).

The modules of ACCURACY measure how often the product is right, on known music: their rows are `Accuracy`.
"""

import importlib
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import accuracy  # noqa: E402, beside this file

MODULES = [
    "prompt_rows", "key_rows", "session_rows", "socket_rows", "load_rows", "mcp_rows", "language_rows",
    "score_rows", "midi_rows", "transcription_rows", "memory_rows",
]
ACCURACY = ["spelling_rows", "tonality_rows", "numeral_rows", "hand_rows"]


def head():
    print(f"{'what':44} {'value':>12} {'unit':8} {'beside':34} {'its value':>12} {'ratio':>8}  goal")


def verdict(ratio, goal):
    word, bound = goal
    met = ratio <= bound if word == "<=" else ratio >= bound
    return f"{word} {bound:g} {'met' if met else 'MISSED'}"


def show(rows):
    for name, value, unit, peer, peer_value, *goal in rows:
        ratio = f"{value / peer_value:8.2f}" if peer_value else " " * 8
        beside = f"{peer_value:12.3f}" if peer_value else " " * 12
        said = verdict(value / peer_value, goal[0]) if goal and peer_value else ""
        print(f"{name:44} {value:12.3f} {unit:8} {peer or '':34} {beside} {ratio}  {said}".rstrip(),
              flush=True)


def main():
    chosen = sys.argv[1:] or [*MODULES, *ACCURACY]
    binary = os.environ.get("FERMATA_BIN", "build/release/bin/fermata")
    if not os.access(binary, os.X_OK):
        sys.exit(f"bench: {binary} does not exist; run ./dev bench")
    for name in chosen:
        if name not in MODULES + ACCURACY:
            sys.exit(f"bench: no rows called {name}; there are: {' '.join(MODULES + ACCURACY)}")
    if any(name in MODULES for name in chosen):
        head()
    for name in chosen:
        module = importlib.import_module(name)
        print(f"-- {name.removesuffix('_rows')}")
        with tempfile.TemporaryDirectory(prefix="fermata-bench-") as home:
            found = module.rows(os.path.abspath(binary), home)
            if name in ACCURACY:
                print(f"{module.__doc__}\n")
                accuracy.head()
                accuracy.show_all(found)
            else:
                show(found)


if __name__ == "__main__":
    main()
