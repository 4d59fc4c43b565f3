"""Dependencies run in one direction: core <- midi <- io <- messages <- actors <- apps.

ALLOWED lists what each folder may include. A failure names file, line and include. Folders inside these form no cycles
either, and none is too large to find something in. Each folder has a README that names only existing files, and
the slow tests are the same in the documentation and in the build.
"""

import collections
import os
import pathlib
import re

import pytest

ROOT = pathlib.Path(os.environ.get("FERMATA_SOURCE", pathlib.Path(__file__).parents[3]))

ALLOWED = {
    "core": {"core"},
    "midi": {"core", "midi"},
    "io": {"core", "midi", "io"},
    "messages": {"core", "midi", "io", "messages"},
    "actors": {"core", "midi", "io", "messages", "actors"},
    "apps": {"core", "midi", "io", "messages", "actors", "apps"},
}

# Pure code has no threads, no files, no clocks other than chrono's units, no sockets and no actors.
FORBIDDEN_IN_CORE = re.compile(
    r"""<(
        thread | mutex | shared_mutex | condition_variable | future | stop_token
      | fstream | filesystem | iostream
      | caf/.* | boost/asio.* | boost/beast.*
      | sys/.* | netinet/.* | arpa/.* | netdb\.h | poll\.h | unistd\.h | fcntl\.h | pthread\.h
    )>""",
    re.VERBOSE,
)
# Actors start at messages/: the folders below can be used without them.
FORBIDDEN_BELOW_MESSAGES = re.compile(r"<caf/.*>")

SOURCE = {".cpp", ".hpp", ".inc"}
TEST_SOURCE = SOURCE | {".py"}
MOST_SOURCES = 65  # in one folder, without those below it

INCLUDE = re.compile(r'^\s*#\s*include\s*(?P<what>"(?P<path>[^"]+)"|<[^>]+>)')


def includes(folder):
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix not in SOURCE:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if match := INCLUDE.match(line):
                yield f"{path.relative_to(ROOT)}:{number}", match["what"], match["path"]


@pytest.mark.parametrize("folder", ALLOWED)
def test_a_folder_includes_only_what_lies_below_it(folder):
    wrong = []
    for place, what, path in includes(folder):
        if path is not None and path.split("/")[0] not in ALLOWED[folder]:
            wrong.append(f"{place}: {what} ({folder} may include {sorted(ALLOWED[folder])})")
    assert not wrong, "\n".join(wrong)


def test_core_knows_no_threads_files_sockets_or_actors():
    wrong = [
        f"{place}: {what}"
        for place, what, _ in includes("core")
        if FORBIDDEN_IN_CORE.match(what)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("folder", ["midi", "io"])
def test_what_lies_below_messages_names_no_actors(folder):
    wrong = [
        f"{place}: {what}"
        for place, what, _ in includes(folder)
        if FORBIDDEN_BELOW_MESSAGES.match(what)
    ]
    assert not wrong, "\n".join(wrong)


def includes_between_folders():
    """For each folder with sources, the folders that it includes, each with one include as an example."""
    edges = collections.defaultdict(dict)
    for top in ALLOWED:
        for place, what, path in includes(top):
            if path is not None and (ROOT / path).exists():
                folder, included = os.path.dirname(place), os.path.dirname(path)
                if folder != included:
                    edges[folder].setdefault(included, f"{place}: {what}")
    return edges


def shortest_cycle(start, edges):
    """The folders of a shortest cycle through this one, beginning with it; empty if there is none."""
    came_from = {start: None}
    queue = collections.deque([start])
    while queue:
        folder = queue.popleft()
        for included in sorted(edges.get(folder, ())):
            if included == start:
                path = [folder]
                while came_from[path[-1]] is not None:
                    path.append(came_from[path[-1]])
                return path[::-1]
            if included not in came_from:
                came_from[included] = folder
                queue.append(included)
    return []


def test_folders_do_not_include_each_other_in_a_circle():
    edges = includes_between_folders()
    cycles = sorted((shortest_cycle(folder, edges) for folder in sorted(edges)), key=len)
    wrong, named = [], set()
    for cycle in filter(None, cycles):
        steps = list(zip(cycle, [*cycle[1:], cycle[0]]))
        # One include can close many cycles: name the shortest only.
        if named.isdisjoint(steps):
            wrong.append("cycle: " + " -> ".join([*cycle, cycle[0]]))
            wrong += [f"  {edges[folder][included]}" for folder, included in steps]
        named.update(steps)
    assert not wrong, "\n".join(wrong)


def rows_of(folder):
    """The subfolders in the table below "A folder may include those in the rows above it" of its README, by row."""
    text = (ROOT / folder / "README.md").read_text(encoding="utf-8")
    table = text.split("may include those in the rows above it", 1)[1]
    rows = re.findall(r"^\| `(\w+)/` \|", table, re.MULTILINE)
    return {name: row for row, name in enumerate(rows)}


WITH_ROWS = sorted(
    str(readme.parent.relative_to(ROOT))
    for top in ALLOWED
    for readme in (ROOT / top).rglob("README.md")
    if "may include those in the rows above it" in readme.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("folder", WITH_ROWS)
def test_folders_include_only_those_in_the_rows_above_them(folder):
    rows = rows_of(folder)
    there = {path.name for path in (ROOT / folder).iterdir() if path.is_dir()}
    assert set(rows) == there
    wrong = []
    for place, what, path in includes(folder):
        names = [p.removeprefix(folder + "/").split("/", 1) for p in (place, path or "") if p.startswith(folder + "/")]
        if len(names) == 2 and all(len(n) == 2 for n in names) and rows[names[1][0]] > rows[names[0][0]]:
            wrong.append(f"{place}: {what} ({names[1][0]}/ is below {names[0][0]}/ in the table)")
    assert not wrong, "\n".join(wrong)


def test_the_folders_with_an_order_are_found():
    assert {"core", "core/lang", "core/score", "core/session", "io"} <= set(WITH_ROWS)


def test_no_folder_has_too_many_source_files():
    sources = collections.Counter(
        path.parent.relative_to(ROOT)
        for top in [*ALLOWED, "tests"]
        for path in (ROOT / top).rglob("*")
        if path.suffix in (TEST_SOURCE if top == "tests" else SOURCE)
    )
    wrong = [
        f"{folder} has {count} source files, and at most {MOST_SOURCES} are allowed; divide it by subject"
        for folder, count in sorted(sources.items())
        if count > MOST_SOURCES
    ]
    assert not wrong, "\n".join(wrong)


def sources_and_tests():
    """Folders that need a README: those with code, tests or pages of our own."""
    wanted = {".cpp", ".hpp", ".inc", ".py", ".mjs", ".md", ".cmake", ".supp"}
    skipped = {"build", ".git", ".ci", "corpus", "decisions", "support", "cmake", "sanitizers", "conformance"}
    for path in [ROOT, *sorted(ROOT.rglob("*"))]:
        inside = path.relative_to(ROOT).parts
        if path.is_dir() and not skipped & set(inside) and inside[:2] != ("tests", "data"):
            if any(file.suffix in wanted and file.name != "README.md" for file in path.iterdir()):
                yield path.relative_to(ROOT)


def test_every_folder_says_what_lives_there_and_names_only_what_there_is():
    wrong = []
    for folder in sources_and_tests():
        if folder.parts[:1] == ("tests",) and len(folder.parts) > 2:
            continue  # these mirror the folders they test
        page = ROOT / folder / "README.md"
        if not page.exists():
            wrong.append(f"{folder} has no README.md")
            continue
        for name in re.findall(r"`([\w/.-]+\.(?:hpp|cpp|inc|py|mjs|md|txt|json))`", page.read_text(encoding="utf-8")):
            if not any((base / name).exists() for base in (ROOT / folder, ROOT)) and \
                    not list(ROOT.glob(f"{folder}/**/{name}")):
                wrong.append(f"{folder}/README.md names {name}, which is not there")
    assert not wrong, "\n".join(wrong)


def test_the_documentation_names_the_slow_tests_of_the_build():
    listed = re.search(r"set\(FERMATA_SLOW_TESTS\s+([^)]*)\)",
                       (ROOT / "config" / "cmake" / "FermataTests.cmake").read_text(encoding="utf-8"))[1].split()
    page = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\| `((?:e2e\.|tests_)\w+)` \| (\d+) \|$", page, re.MULTILINE)
    assert documented == list(zip(listed[::2], listed[1::2]))
    files = {path.name for path in (ROOT / "tests" / "e2e").rglob("*_test.py")}
    for name, _ in documented:
        assert not name.startswith("e2e.") or name.removeprefix("e2e.") + "_test.py" in files, name
