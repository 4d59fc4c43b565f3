"""kill -9 at random moments, again and again in the same home: what was shown is there at the next
start. A round is one run of the program. It reads a script from a pipe: first it lists the timeline of
the runs before, which is compared with what they had shown, then it continues to work, and is
killed after a random number of bytes plus a random delay.

For more rounds, and more homes at once: FERMATA_CRASH_ROUNDS=2000 FERMATA_CRASH_HOMES=2.
"""

import concurrent.futures
import json
import os
import random
import re
import shutil
import time

import pytest
from support.client import Client
from support.program import Home, last_session, run_script
from support.short_life import ShortLife

ROUNDS = int(os.environ.get("FERMATA_CRASH_ROUNDS", "40"))
HOMES = int(os.environ.get("FERMATA_CRASH_HOMES", "2"))
SEED = int(os.environ.get("FERMATA_CRASH_SEED", "20260201"))

# After so many runs a home is replaced by a new one, so that late rounds are as fast as
# early ones.
LIVES = 100


def crash(rounds, kind):
    """Runs rounds of one kind, divided among several homes in parallel."""
    counts = {"rounds": 0, "checked": 0}

    def work(worker):
        dice = random.Random(f"{SEED} {kind.__name__} {worker}")
        left = (rounds + HOMES - 1) // HOMES
        while left > 0:
            with Home() as home:
                musician = kind(home, dice)
                for _ in range(min(left, LIVES)):
                    musician.live()
                    counts["rounds"] += 1
                musician.search_history()
                counts["checked"] += musician.checked
            left -= LIVES

    with concurrent.futures.ThreadPoolExecutor(HOMES) as pool:
        for done in [pool.submit(work, i) for i in range(HOMES)]:
            done.result()
    print(f"{kind.__name__}: {counts['rounds']} kills, {counts['checked']} shown things compared")
    assert counts["checked"] > counts["rounds"]


class Musician:
    """A user whose program is killed all the time."""

    def __init__(self, home, dice):
        self.home, self.dice = home, dice
        self.round = self.checked = 0

    def live(self):
        self.round += 1
        life = ShortLife(self.home, "--session", last_session(self.home))
        try:
            self.spend(life)
        finally:
            life.kill()
        self.killed(life)

    def wait(self, life, size, seconds=0.004):
        """Waits for so many bytes, and a moment longer."""
        assert life.read_until(lambda: len(life.shown) >= size), "it ended by itself"
        time.sleep(self.dice.random() * seconds)

    @staticmethod
    def failures(text):
        """The error messages, each of which begins with a line number of the script."""
        whole = text[:text.rfind("\n") + 1]
        return [found[1] for found in re.finditer(r"^line(?::\d+:\d+: [\w-]+|:\d+): (.*)$", whole, re.M)]

    def sound(self):
        """Checks that nothing was set aside as damaged."""
        assert not list(self.home.folder.glob("**/*.damaged-*"))


class OfOneSession(Musician):
    """Notes, definitions, messages, undo, branches. The timeline contains what each run had shown,
    byte for byte and in order."""

    def __init__(self, home, dice):
        super().__init__(home, dice)
        self.last = 1  # an entry that is known to exist
        self.open = []  # (mark, what was shown after it, failures), not yet compared
        self.branches = ["main"]

    def line(self, number):
        pick = self.dice.random()
        if pick < 0.25:
            return f"(note {self.dice.choice('cdefgab')}4 :{self.dice.choice('8q')})"
        if pick < 0.45:
            return f"(def v{number} {number})"
        if pick < 0.55:
            return f"(+ {number} 0)"
        if pick < 0.60:
            return f"// words {number}"
        if pick < 0.72:
            return f":undo {self.dice.choice(['', '2'])}"
        if pick < 0.80:
            return ":redo"
        if pick < 0.84:
            self.branches.append(f"b{number}")
            return f":branch b{number}"
        if pick < 0.92:
            return f":switch-branch {self.dice.choice(self.branches[-3:] + ['main'])}"
        if pick < 0.95:
            return f":merge {self.dice.choice(self.branches[-3:])} 1 --theirs"
        return self.dice.choice([":session save", f":session tag t{number}", f"(no-form-{number})"])

    def listing(self):
        return f":history {self.last}: --json --limit 10000000\n"

    def spend(self, life):
        self.mark = 1_000_000 + self.round
        script = "".join(self.line(self.round * 1000 + i) + "\n" for i in range(200))
        life.feed(f"{self.listing()}(+ {self.mark} 0)\n{script}")
        self.early = self.dice.random() < 0.1  # while it starts and reads the session
        if self.early:
            return self.wait(life, 0, 0.08)
        mark = f"{self.mark}\n".encode()
        assert life.read_until(lambda: mark in life.shown), "it ended by itself"
        self.wait(life, len(life.shown) + self.dice.randrange(1, 1500))

    def killed(self, life):
        text = "\n" + life.shown.decode()  # the first run has nothing to list before the mark
        listed, mark, behind = text.partition(f"\n{self.mark}\n")
        if not mark:
            assert self.early, text[-500:]
            return  # it was killed before it showed anything new
        if self.round > 1:
            self.compare(listed)
        self.open = [(self.mark, behind, self.failures(life.refused()))]

    def compare(self, listed):
        entries = [json.loads(line) for line in listed.splitlines() if line.startswith("{")]
        indices = [e["index"] for e in entries]
        assert indices == list(range(indices[0], indices[0] + len(indices)))
        for mark, behind, failures in self.open:
            begin = next(i for i, e in enumerate(entries) if e.get("text") == f"(+ {mark} 0)")
            recorded, failed = "", []
            for e in entries[begin + 1:]:
                if e["text"].startswith(":history"):
                    break
                if e.get("ok") and e.get("output"):
                    recorded += e["output"] + "\n"
                if e.get("ok") is False:
                    failed.append(e["error"]["message"] if "error" in e else e["output"].split("\n")[0])
            assert recorded.startswith(behind), f"shown: {behind!r}\nrecorded: {recorded!r}"
            assert failed[:len(failures)] == failures, f"shown: {failures}\nrecorded: {failed}"
            self.checked += behind.count("\n") + len(failures)
        self.last = indices[-1]

    def search_history(self):
        """Typing everything again, undisturbed, gives the same score and branches."""
        done = run_script(self.home, self.listing())
        self.compare(done.stdout.decode())
        done = run_script(self.home, ":history 1: --json --limit 10000000\n")
        entries = [json.loads(line) for line in done.stdout.decode().splitlines()]
        typed = "".join(e["text"] + "\n" for e in entries if e["kind"] in ("eval", "command")
                        and not e["text"].startswith((":history", ":session")))
        look = ":switch-branch main\n:score\n:branches\n"
        with Home() as quiet:
            run_script(quiet, typed)
            assert self.seen(quiet, look) == self.seen(self.home, look)
        self.sound()

    @staticmethod
    def seen(home, look):
        return re.sub(r"after entry \d+, [-0-9: ]+", "", run_script(home, look).stdout.decode())


class OfManySessions(Musician):
    """Sessions that are created, renamed, archived, cloned and deleted."""

    def __init__(self, home, dice):
        super().__init__(home, dice)
        self.facts = {}  # slug -> what was shown of it

    def script(self):
        for i in range(40):
            slug = f"s{self.round}-{i}"
            value = self.round * 1000 + i
            yield f":session new {slug}", "made"
            yield f"(+ {value} 0)", "value"
            yield "(note c4 :q)", "note"
            yield f":session rename Name {value}", "renamed"
            if i % 4 == 0:
                yield ":session archive", "archived"
            elif i % 4 == 1:
                yield ":session delete --yes", "deleted"
            elif i % 4 == 2:
                yield ":session switch session-1", "left"
                yield f":session {self.dice.choice(['archive', 'delete --yes'])} {slug}", "put away"
            else:
                yield ":session switch session-1", "left"

    def spend(self, life):
        life.feed("".join(line + "\n" for line, _ in self.script()))
        if self.dice.random() < 0.1:
            return self.wait(life, 0, 0.08)
        self.wait(life, self.dice.randrange(1, 600), 0.02)

    def killed(self, life):
        self.facts = {}
        slug = None
        assert self.failures(life.refused()) == []  # each of these commands can be carried out
        for line in life.shown.decode().split("\n")[:-1]:
            if found := re.fullmatch(r"created (s\d+-\d+)", line):
                slug = found[1]
                self.facts[slug] = {}
            elif line.isdigit():
                self.facts[slug]["value"] = line
            elif found := re.fullmatch(r"session renamed to (.*); its id is still (\S+)", line):
                self.facts[found[2]]["name"] = found[1]
            elif found := re.fullmatch(r"(s\d+-\d+) was moved to the (archive|trash)[;,].*", line):
                self.facts[found[1]]["place"] = found[2]
            elif line == "(note c4 :q)":
                self.facts[slug]["note"] = line
            else:
                assert line == "switched to session-1", life.shown
        # A session that archives itself is moved when it is closed; that is reported in the next session.
        for slug, place in re.findall(r"^fermata: Session (s\d+-\d+) was moved to the (archive|trash)[;,]",
                                      life.refused(), re.M):
            self.facts[slug]["place"] = place
        self.compare()

    def places(self, slug):
        folders = {"sessions": self.home.folder / "sessions" / slug,
                   "archive": self.home.folder / "archive" / slug}
        found = {name: f for name, f in folders.items() if f.exists()}
        for f in (self.home.folder / "trash").glob(f"{slug}-20*"):
            found["trash"] = f
        return found

    def compare(self):
        """Checks that each is in one place, with what was shown in it, and then removes it."""
        listed = run_script(self.home, ":session list\n:session list --archived\n(quote sound)\n")
        assert listed.stdout.endswith(b"sound\n"), listed.stderr
        for slug, fact in self.facts.items():
            places = self.places(slug)
            assert len(places) == 1, (slug, places)
            place, folder = next(iter(places.items()))
            if "place" in fact:
                assert place == fact["place"], (slug, fact)
            timeline = (folder / "history.jsonl").read_text()
            if "value" in fact:
                assert f'"output":"{fact["value"]}"' in timeline
            if "note" in fact:
                entries = [json.loads(line) for line in timeline.splitlines()[1:]]
                assert any(e.get("text") == e.get("output") == fact["note"] for e in entries), timeline
            if "name" in fact and place != "trash":
                assert re.search(rf"^[* ] {slug} +{fact['name']} ", listed.stdout.decode(), re.M)
            self.checked += 1 + len(fact)
        self.sound()
        for folder in ("archive", "trash", "sessions"):
            for old in (self.home.folder / folder).glob("s[0-9]*-*"):
                shutil.rmtree(old)

    def search_history(self):
        assert run_script(self.home, "(+ 1 1)\n").stdout == b"2\n"


class OfProposals(Musician):
    """A client proposes; the user accepts, rejects and looks. Proposals that the client was told
    are open are open, and what was shown as accepted stays accepted."""

    def __init__(self, home, dice):
        super().__init__(home, dice)
        self.told = {}  # number of a proposal -> what it defines
        self.said = {}  # number -> "accepted" or "rejected", as it was shown

    def spend(self, life):
        life.feed("(quote up)\n")
        assert life.read_until(lambda: b"up\n" in life.shown), "it ended by itself"
        until = time.monotonic() + self.dice.random() * 0.06
        try:
            with Client(self.home, "Claude") as c:
                for i in range(20):
                    name = f"p{self.round}-{i}"
                    made = c.call("propose", text=f"(def {name} {self.round * 100 + i})")
                    number = made["proposal"]
                    self.told[number] = (name, self.round * 100 + i)
                    wish = self.dice.choice([":accept", ":accept", ":reject", ":diff"])
                    life.feed(f"{wish} {number}\n")
                    if time.monotonic() > until:
                        break
                    if self.dice.random() < 0.5:
                        seen = len(life.shown)
                        life.read_until(lambda: len(life.shown) > seen)
        except OSError:
            pass

    def killed(self, life):
        for number in re.findall(r"^accepted Δ(\d+)", life.shown.decode(), re.M):
            self.said[int(number)] = "accepted"
        for number in re.findall(r"^rejected Δ(\d+)", life.shown.decode(), re.M):
            self.said[int(number)] = "rejected"
        self.compare()

    def compare(self):
        names = [name for name, _ in self.told.values()]
        # Open proposals are rejected in the end, so that they do not stay open forever.
        done = run_script(self.home, ":proposals --all\n" + "".join(f"{n}\n" for n in names)
                          + '"values"\n' + "".join(f":reject {n}\n" for n in self.told))
        found = {int(number): (state, what) for number, state, what in re.findall(
            r"^Δ(\d+)  Claude \(ipc\)  (\w+)  (.*?\))  ", done.stdout.decode(), re.M)}
        values = []
        for number, (name, value) in self.told.items():
            state, what = found[number]
            assert what == f"(def {name} {value})"
            assert state == self.said.get(number, state)
            if state == "accepted":
                values.append(str(value))
            else:
                assert f"unknown-name: `{name}`" in done.stderr.decode(), done.stderr
        shown = done.stdout.decode().partition('\n"values"\n')[0].split("\n")
        assert [line for line in shown if line.isdigit()] == values
        self.checked += len(self.told)
        self.told.clear()
        self.said.clear()

    def search_history(self):
        self.sound()


@pytest.mark.parametrize("kind", [OfOneSession, OfManySessions, OfProposals])
def test_killed_at_any_moment_it_loses_nothing_that_was_shown(kind):
    crash(ROUNDS, kind)
