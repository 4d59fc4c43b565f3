"""Sessions, branches and archives at a real prompt and on a real disk."""

import json
import os
import re
import resource
import shutil
import subprocess
import threading
import unicodedata

import pytest
from support.client import Client
from support.program import BINARY, PATIENCE, Home, run_script
from support.terminal import Terminal


def test_a_branch_is_tried_left_and_merged(home):
    with Terminal(home, columns=120) as t:
        t.enter("(part :piano (measure (note c4 :w)) (measure (note d4 :w)))")
        assert "branch brighter begins here" in t.enter(":branch brighter")
        t.enter(":switch-branch brighter")
        t.enter("(part :piano (measure (note e5 :w)))")
        shown = t.enter(":branches")
        assert "* brighter  from main after entry 1" in shown
        assert "e5" in t.enter(":diff main brighter")
        t.enter(":switch-branch main")
        assert "e5" not in t.enter(":score")
        t.type("ctrl-d")
        assert t.wait_for_end() == 0
    with Terminal(home, columns=120) as t:
        assert "* main" in t.enter(":branches")
        t.enter(":switch-branch brighter")
        assert "e5" in t.enter(":score")
        assert "nothing to undo" not in t.enter(":undo")
        assert "e5" not in t.enter(":score")


def test_deleting_asks_and_enter_answers(home):
    with Terminal(home, columns=100) as t:
        t.enter(":session new Second")
        t.wait_for(r"\[second\] In")
        assert "Add --yes to confirm: `:session delete session-1 --yes`" in t.enter(":session delete session-1")
        # A second Enter by habit, or an unclear answer, deletes nothing.
        t.type("enter")
        t.enter("n")
        assert home.session("session-1").exists()
        assert "was moved to the trash" in t.enter(":session delete session-1 --yes")
        assert not home.session("session-1").exists()
        assert [p.name[:10] for p in (home.folder / "trash").iterdir()] == ["session-1-"]


def test_what_is_not_there_is_not_asked_about(home):
    with Terminal(home, columns=100) as t:
        t.enter(":session new Second")
        t.wait_for(r"\[second\] In")
        for name in ("nope", "secnd"):
            assert f"unknown session `{name}`" in t.enter(":session delete " + name)
            assert "--yes" not in t.text()
    refused = run_script(home, ":session delete nope\n")
    assert refused.returncode == 1 and b"nope" in refused.stderr and b"--yes" not in refused.stderr


def test_an_option_makes_no_session(home):
    done = run_script(home, ":session new --yes\n:session list\n")
    assert b"has no option --yes" in done.stderr and b"--yes" not in done.stdout


def test_names_in_other_languages_give_ids_that_can_be_read(home):
    for name, slug in [("Für Elise", "fur-elise"), ("Dvořák", "dvorak"), ("Ä Ö ü", "a-o-u"), ("Weiß", "weiss")]:
        run_script(home, f":session new {name}\n")
        assert home.session(slug).is_dir()


def test_every_latin_letter_with_marks_is_its_letter_in_an_id(home):
    """Expected: Python's unicodedata, canonical decomposition."""
    letters = {}
    for code in [*range(0xC0, 0x250), *range(0x1E00, 0x1F00)]:
        plain, *marks = unicodedata.normalize("NFD", chr(code))
        if marks and plain.isascii() and plain.isalpha():
            letters[chr(code)] = plain.lower()
    assert len(letters) > 400
    marked = sorted(letters)
    for i in range(0, len(marked), 60):
        name = "".join(marked[i:i + 60])
        run_script(home, f":session new {name}\n")
        assert home.session("".join(letters[c] for c in name)).is_dir()


def test_a_definition_made_while_scratching_is_there(home):
    with Terminal(home) as t:
        t.enter(":scratch on")
        assert "Out[2]: q" in t.enter("(def q 1)")
        assert "Out[3]: 1" in t.enter("q")
        t.enter("(note c4 :q)")
        assert "empty" in t.enter(":score")
        t.enter(":undo")
        assert "unknown" in t.enter("q") or "not" in t.enter("q")
        t.enter(":scratch off")
        t.enter("(note c4 :q)")
        assert "empty" not in t.enter(":score")


def test_a_script_deletes_only_with_yes(home):
    run_script(home, ":session new Second\n(def x 1)\n")
    refused = run_script(home, ":session delete session-1\n")
    assert refused.returncode == 1 and b"--yes" in refused.stderr
    assert home.session("session-1").exists()
    assert run_script(home, ":session delete session-1 --yes\n").returncode == 0
    assert not home.session("session-1").exists()


def test_archiving_the_session_one_is_in_goes_to_another(home):
    with Terminal(home, columns=100) as t:
        t.enter("(def x 7)")
        t.enter(":session new Second")
        t.wait_for(r"\[second\] In")
        t.type(":session archive", "enter")
        t.wait_until(lambda: t.prompt() and t.prompt()["session"] == "session-1", "the other session")
        # It is moved when nobody uses it any more, and reported only then.
        t.wait_for("Session second was moved to the archive")
        assert (home.folder / "archive" / "second" / "history.jsonl").exists()
        assert re.search(r"Out\[\d+\]: 7", t.enter("x"))
        assert "second" in t.enter(":session list --archived")
        t.enter(":session unarchive second")
        t.enter(":session switch second")
        t.wait_for(r"^\[second\] In\[\d+\]:$")


@pytest.mark.parametrize("command, place", [(":session archive", "archive"), (":session delete --yes", "trash")])
def test_a_script_hears_where_its_session_went_when_it_is_there(home, command, place):
    done = run_script(home, f"(def x 7)\n:session new Second\n{command}\nx\n")
    assert done.returncode == 0 and done.stdout == b"x\ncreated second\nswitched to session-1\n7\n", done
    assert re.search(fr"^fermata: Session second was moved to the {place}[;,] ", done.stderr.decode(), re.M), done
    assert [p.name[:6] for p in (home.folder / place).iterdir()] == ["second"]


def test_a_session_whose_id_is_taken_meanwhile_comes_back_under_the_next(home):
    run_script(home, ":session new Draft\n(def x 7)\n:session archive\n")
    # As if another process had created one of that name.
    shutil.copytree(home.folder / "archive" / "draft", home.session("draft"))
    done = run_script(home, ":session unarchive draft\n:session switch draft-2\nx\n:session info\n")
    said = done.stdout.decode()
    assert done.returncode == 0, done
    assert said.startswith("draft-2 was restored; `:session switch draft-2` goes there\nit used to be "
                           "draft, which is now the id of another session\n"), said
    assert "\n7\n" in said and "Draft 2" in said
    assert not (home.folder / "archive" / "draft").exists() and home.session("draft").exists()


def test_a_session_comes_back_under_a_name_of_its_own(home):
    run_script(home, ":session new Draft\n(def x 7)\n:session archive\n")
    # As if another process had given one that name.
    shutil.copytree(home.folder / "archive" / "draft", home.session("other"))
    done = run_script(home, ":session unarchive draft\n:session list\n")
    assert done.returncode == 0, done
    names = re.findall(r"^[* ] (\S+) +(\S.*?)  ", done.stdout.decode(), re.M)
    assert ("draft", "Draft 2") in names and ("other", "Draft") in names, done


def test_the_session_chosen_last_opens_again_and_can_be_named(home):
    run_script(home, "(def x 1)\n:session new Second\n(def x 2)\n:session switch session-1\n")
    assert run_script(home, "x\n").stdout == b"1\n"
    assert run_script(home, "x\n", "--session", "Second").stdout == b"2\n"
    assert run_script(home, "x\n").stdout == b"2\n"
    assert run_script(home, "(def y 3)\n", "--session", "A new one").returncode == 0
    assert home.session("a-new-one").exists()


def test_a_session_travels_as_one_file(home):
    archive = home.path / "out.fermata"
    run_script(home, "(def x 41)\n(note c4 :q)\n")
    made = subprocess.run([BINARY, "session", "export", "session-1", "-o", archive],
                          env=home.environment(), capture_output=True, check=False)
    assert made.returncode == 0, made.stderr
    with Home() as other:
        taken = subprocess.run([BINARY, "session", "import", archive, "--name", "From afar"],
                               env=other.environment(), capture_output=True, check=False)
        assert taken.returncode == 0, taken.stderr
        assert run_script(other, "(+ x 1)\n", "--session", "from-afar").stdout == b"42\n"
    wrong = subprocess.run([BINARY, "session", "import", BINARY], env=home.environment(),
                           capture_output=True, check=False)
    assert wrong.returncode == 1 and b"archive" in wrong.stderr
    wrong = subprocess.run([BINARY, "session", "export", "sesion-1"], env=home.environment(),
                           capture_output=True, check=False)
    assert wrong.returncode == 1 and b"session-1" in wrong.stderr


def test_an_archive_is_written_while_the_session_is_open(home):
    archive = home.path / "out.fermata"
    with Terminal(home) as t:
        t.enter("(def x 5)")
        made = subprocess.run([BINARY, "session", "export", "session-1", "-o", archive],
                              env=home.environment(), capture_output=True, check=False)
        assert made.returncode == 0, made.stderr
        assert re.search(r"Out\[\d+\]: 5", t.enter("x"))
    with Home() as other:
        subprocess.run([BINARY, "session", "import", archive], env=other.environment(), check=True,
                       capture_output=True)
        assert run_script(other, "x\n", "--session", "session-1").stdout == b"5\n"


def test_two_processes_in_one_home_write_one_journal(home):
    with Terminal(home, columns=120) as first, Terminal(home, columns=120) as second:
        assert [t.prompt()["session"] for t in (first, second)] == ["session-1"] * 2
        first.enter("(def x 1)")
        second.wait_for(r"\(def x 1\)")
        second.enter("(def x 2)")
        first.wait_for(r"\(def x 2\)")
        assert re.search(r"Out\[\d+\]: 2", first.enter("x"))
        read = run_script(home, "x\n(def x 3)\n", "--session", "session-1")
        assert read.stdout == b"2\nx\n" and read.returncode == 0, read
        assert re.search(r"Out\[\d+\]: 3", second.enter("x"))
    assert [p.name for p in (home.folder / "sessions").iterdir()] == ["session-1"]
    entries = [json.loads(line) for line in (home.session() / "history.jsonl").read_text().splitlines()[1:]]
    assert [e["index"] for e in entries if "index" in e] == list(range(1, 7))


def as_nobody():
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)


def test_the_list_counts_what_another_process_has_entered_by_now(home):
    with Terminal(home) as t:
        for n in range(1, 4):
            t.enter(f"(note c{n} :q)")
            listed = run_script(home, ":session list\n", "--session", "other")
            line = next(x for x in listed.stdout.decode().splitlines() if " session-1 " in x)
            assert re.search(rf" {n} entr(y|ies), ", line), (n, listed)
            # The summary of the score may be a second old, and says so.
            assert "empty score" not in line, line
            assert re.search(r"score unknown until opened|1 part.*?( at entry \d)?$", line), line


def test_where_nothing_can_be_written_one_can_look_and_try(home):
    run_script(home, "(def x 5)\n(note c4 :q)\n")
    before = {p.name: p.read_bytes() for p in home.session().iterdir()}
    os.chmod(home.path, 0o755)
    for folder, _, files in os.walk(home.folder):
        os.chmod(folder, 0o555)
        for name in files:
            os.chmod(os.path.join(folder, name), 0o444)
    try:
        got = subprocess.run([BINARY, "--session", "session-1"], input=b"x\n(def y (+ x 1))\ny\n:history 1:2 --code\n",
                             env=home.environment(), capture_output=True, timeout=PATIENCE,
                             preexec_fn=as_nobody, check=False)
    except PermissionError:
        pytest.skip("the program itself is out of reach of another user")
    finally:
        for folder, _, files in os.walk(home.folder):
            os.chmod(folder, 0o755)
            for name in files:
                os.chmod(os.path.join(folder, name), 0o644)
    assert b"\n6\n" in got.stdout, got
    assert b"nothing can be written here" in got.stderr
    assert b"In[1]: (def x 5)" in got.stdout
    assert {p.name: p.read_bytes() for p in home.session().iterdir()} == before


def test_a_home_that_cannot_be_made_still_gives_a_prompt(home):
    (home.path / "f").write_text("a file is in the way")
    got = run_script(home, "(+ 1 2)\n")
    assert b"3\n" in got.stdout and b"nothing can be written here" in got.stderr


def test_on_a_full_disk_lines_are_refused_and_nothing_shown_is_lost(home):
    """A limit on the file size stands in for a full disk: writes fail in the same way."""
    run_script(home, "(def x 5)\n")
    room = (home.session() / "history.jsonl").stat().st_size + 2_000

    def small_disk():
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    lines = "".join(f'(str "line {i} is somewhat longer than it need be")\n' for i in range(40))
    got = subprocess.run([BINARY, "--session", "session-1"], input=lines.encode(), env=home.environment(),
                         capture_output=True, timeout=PATIENCE, preexec_fn=small_disk, check=False)
    shown = got.stdout.decode().splitlines()
    assert 0 < len(shown) < 40, got
    assert b"File too large" in got.stderr and got.returncode == 1
    again = run_script(home, 'x\n:history 1: --code --grep "longer than" --json\n')
    assert again.stdout.startswith(b"5\n")
    kept = [line for line in again.stdout.decode().splitlines() if "is somewhat" in line]
    assert len(kept) == len(shown)


def test_a_hand_edited_score_is_offered_and_taken(home):
    with Terminal(home, columns=120) as t:
        t.enter("(part :piano (measure (note c4 :w)))")
        t.enter(":session save")
        (home.session() / "score.ferm").write_text("(score (part :flute (measure (note c6 :w))))\n")
        t.enter("(+ 1 1)")
        t.wait_for("score.ferm was edited outside")
        t.wait_for_prompt(5)
        assert "loaded score.ferm" in t.enter(":reload")
        assert "c6" in t.enter(":score")
        t.enter(":undo")
        assert "c6" not in t.enter(":score")


def test_a_name_that_is_too_long_is_refused_wherever_it_is_given(home):
    long = "n" * 201
    run_script(home, f"(+ 1 2)\n:session export -o {home.path / 'pack.fermata'}\n")
    for done in (run_script(home, f":session new {long}\n"), run_script(home, f":session rename {long}\n"),
                 run_script(home, f":session clone {long}\n"), run_script(home, "(+ 1 2)\n", "--session", long),
                 run_script(home, "", "session", "import", "--name", long, str(home.path / "pack.fermata"))):
        assert done.returncode != 0 and b"at most 200 bytes; this one has 201" in done.stderr, done
    with Terminal(home), Client(home, "claude") as c:
        with pytest.raises(AssertionError, match="shorten it to 200 bytes"):
            c.call("session_create", name=long)
    assert [s.name for s in (home.folder / "sessions").iterdir()] == ["session-1"]


def test_a_second_edit_leaves_the_first_to_be_taken(home):
    run_script(home, "(score (part :flute (measure (note c4 :w))))\n")
    file = home.session() / "score.ferm"

    def edit(before, after):
        assert before in file.read_text()
        file.write_text(file.read_text().replace(before, after))

    edit("c4", "e4")
    first = file.read_text()
    told = run_script(home, "(note a4 :w)\n").stderr.decode()
    assert "score.edited.ferm" in told and "score.edited-1" not in told
    edit("a4", "b4")
    second = file.read_text()
    told = run_script(home, "(note g4 :w)\n").stderr.decode()
    assert "score.edited-1.ferm" in told
    assert (home.session() / "score.edited.ferm").read_text() == second
    assert (home.session() / "score.edited-1.ferm").read_text() == first
    done = run_script(home, ":reload\n:score\n:reload\n:score\n")
    assert done.returncode == 0
    one, other = done.stdout.decode().split("loaded score.edited-1.ferm")
    assert "loaded score.ferm" in one and "score.edited-1.ferm is waiting too" in one
    assert "b4" in one and "e4" not in one and "e4" in other and "b4" not in other
    assert not list(home.session().glob("score.edited*"))


def test_an_emptied_journal_and_an_edit_that_waits_are_both_told_and_kept(home):
    run_script(home, "(score (part :flute (measure (note c4 :w))))\n")
    file = home.session() / "score.ferm"
    file.write_text(file.read_text().replace("c4", "e4"))
    run_script(home, "(note a4 :w)\n(note b4 :w)\n")
    (home.session() / "history.jsonl").write_text("")
    done = run_script(home, ":reload\n:score\n:reload\n:score\n")
    told = done.stderr.decode()
    assert "The last saved score is in score.edited.ferm" in told
    assert "score.edited-1.ferm" in told
    one, other = done.stdout.decode().split("loaded score.edited-1.ferm")
    assert "b4" in one and "e4" in other and "b4" not in other


def test_a_hand_edited_score_goes_to_the_branch_that_it_was_made_of(home):
    with Terminal(home, columns=160) as t:
        t.enter("(part :piano (measure (note c4 :w)))")
        t.enter(":branch b")
        t.enter(":session save")
        file = home.session() / "score.ferm"
        file.write_text(file.read_text().replace("c4", "d4"))
        t.enter(":switch-branch b")
        t.wait_for("score.ferm was edited outside")
        t.wait_for_prompt(6)
        # Said before anything is loaded.
        t.wait_for(r"dropping changes made since\s+score\.ferm was saved")
        shown = " ".join(t.enter(":reload").split())
        assert "held the score of branch main" in shown and "`:switch-branch main` switches to it" in shown
        assert "c4" in t.enter(":score")
        t.enter(":switch-branch main")
        assert "loaded score.ferm" in t.enter(":reload")
        assert "d4" in t.enter(":score")
        t.enter(":switch-branch b")
        assert "c4" in t.enter(":score")


def test_sixty_four_senders_and_a_typist_make_one_timeline(home):
    clients, messages, lines = 64, 4, 20
    with Terminal(home, rows=40, columns=120) as t:
        start = threading.Barrier(clients + 1)
        failures, refused = [], []

        def talk(name):
            try:
                with Client(home, name) as c:
                    start.wait()
                    for i in range(messages):
                        while True:
                            try:
                                c.call("send_message", text=f"message {i}")
                                break
                            except AssertionError as e:
                                # Only a full queue is a reason to try again.
                                assert "busy" in str(e) and "retry_after_ms" in str(e), e
                                refused.append(name)
                                threading.Event().wait(0.05)
            except Exception as e:
                failures.append(e)
                start.abort()

        threads = [threading.Thread(target=talk, args=(f"client{k}",)) for k in range(clients)]
        for thread in threads:
            thread.start()
        start.wait()
        for i in range(lines):
            t.type(f"(* {i} {i})", "enter")
            t.wait_for(rf"^Out\[\d+\]: {i * i}$")
        while any(thread.is_alive() for thread in threads):
            t.type("enter")
            t.read(0.1)
        for thread in threads:
            thread.join()
        assert not failures
        t.type("(quote the-end)", "enter")
        t.wait_for(r"^Out\[\d+\]: the-end$")
        t.wait_for_prompt()
        found = []
        for line in t.lines():
            if m := re.match(r"\[(\d+)\] \[(client\d+) \(ipc\)\]: (.*)", line):
                found.append((int(m[1]), m[2], m[3]))
            elif m := re.match(r"Out\[(\d+)\]: (.*)", line):
                found.append((int(m[1]), "", m[2]))
    assert [i for i, _, _ in found] == list(range(1, lines + 1 + clients * messages + 1))
    for k in range(clients):
        own = [what for _, who, what in found if who == f"client{k}"]
        assert own == [f"message {i}" for i in range(messages)]


def test_a_queue_that_is_full_says_when_to_come_back(home):
    with Terminal(home) as t, Client(home, "Claude") as c:
        for i in range(256):
            c.call("send_message", text=f"message {i}")
        with pytest.raises(AssertionError, match="busy.*retry_after_ms"):
            c.call("send_message", text="one too many")
        t.wait_for("✉256")
        t.type("enter")
        t.wait_for(r"^\[256\] \[Claude \(ipc\)\]: message 255$")
        c.call("send_message", text="now it fits")
        t.wait_for("✉1")


ROUNDS = int(os.environ.get("FERMATA_CRASH_ROUNDS", "24"))


def test_killed_again_and_again_it_loses_nothing_that_was_shown(home):
    """The program is killed at random moments while it runs a script; every value printed
    before is in the history afterwards, in order, and the indices have no gap. More rounds:
    FERMATA_CRASH_ROUNDS=1000."""
    import random

    random.seed(20260201)
    shown_before = []
    for round_number in range(ROUNDS):
        child = subprocess.Popen([BINARY, "--session", "session-1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, env=home.environment())
        script = "".join(f"(def v{round_number}-{i} {round_number * 1000 + i})\n"
                         f"(+ {round_number * 1000 + i} 0)\n(note c4 :8)\n"
                         + (":undo\n" if i % 5 == 4 else "")
                         + (":session save\n" if i % 7 == 6 else "") for i in range(200))
        threading.Thread(target=feed, args=(child, script), daemon=True).start()
        wanted = random.randrange(1, 60)
        shown = []
        while len(shown) < wanted:
            line = child.stdout.readline()
            if not line:
                break
            shown.append(line)
        child.kill()
        shown += child.stdout.readlines()
        child.wait()
        if shown and not shown[-1].endswith(b"\n"):
            shown.pop()
        shown_before += [int(x) for x in shown if x.strip().isdigit()]
    got = run_script(home, ":history 1: --json --limit 10000000\n")
    assert got.returncode == 0, got.stderr[-300:]
    import json

    entries = [json.loads(line) for line in got.stdout.decode().splitlines()
               if line.startswith("{")]
    assert [e["index"] for e in entries] == list(range(1, len(entries) + 1))
    recorded = [int(e["output"]) for e in entries
                if e["kind"] == "eval" and e.get("output", "").isdigit()]
    position = iter(recorded)
    assert all(any(value == other for other in position) for value in shown_before)
    assert not list(home.session().glob("*.damaged-*"))
    shutil.rmtree(home.folder / "run", ignore_errors=True)


def feed(child, script):
    try:
        child.stdin.write(script.encode())
        child.stdin.flush()
    except (BrokenPipeError, ValueError):
        pass


def test_the_history_can_be_listed_all_day(home):
    """If each list contained the previous one, the fortieth would not fit on any disk."""
    script = "(note c4 :q)\n" + ":history\n" * 40 + ":history --json\n" * 3
    done = run_script(home, script)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout) < 200_000
    assert b"entries of the timeline)" in done.stdout
    assert (home.session() / "history.jsonl").stat().st_size < 500_000


def test_a_journal_that_is_gone_leaves_the_saved_score_to_be_taken(home):
    assert run_script(home, "(note c4 :q)\n(note d4 :q)\n").returncode == 0
    (home.session() / "history.jsonl").unlink()
    with Terminal(home, columns=120) as t:
        shown = " ".join(t.text().split())
        assert "entries at its end are lost" in shown
        assert "`:reload` loads it" in shown
        assert "loaded score.ferm" in t.enter(":reload")
        score = t.enter(":score")
        assert "c4" in score and "d4" in score


def test_who_wrote_a_note_is_known_after_undo_and_redo(home):
    done = run_script(home, "(note c4 :q)\n:undo\n:redo\n:blame 1\n")
    assert done.returncode == 0, done.stderr
    assert re.search(rb"beat 1 +c4 :q +staff 1, voice 1 +In\[1\]", done.stdout)
    assert b"before the first entry" not in done.stdout


def test_a_client_that_makes_a_session_says_so_where_the_musician_is(home):
    with Terminal(home, columns=120) as t, Client(home, "cli\x1b[31m\nIn[9]: x") as c:
        made = c.call("session_create", name="Sketch\x1b[2J\nIn[9]: (score)")
        t.wait_for(r"\[session-1.*\] In\[2\]")
        shown = " ".join(t.enter("(+ 1 1)").split())
        assert made["session"] == "sketch-in-9-score"
        assert "made sketch-in-9-score the active session" in " ".join(t.text().split()), shown
        # Neither name begins a new line.
        assert not any(line.startswith("In[9]") for line in t.lines())
        assert "Sketch In[9]: (score)" in t.enter(":session list")


def test_a_client_that_makes_or_chooses_a_session_does_not_move_the_musicians_next_start(home):
    with Terminal(home, columns=140) as t, Client(home, "claude") as c:
        c.call("session_create", name="From claude")
        t.wait_for("made from-claude the active session")
        t.enter("(note d5 :w)")
        listed = t.enter(":session list")
        assert re.search(r"^\* session-1 ", listed, re.M), listed
        assert re.search(r"^  from-claude .*active for clients", listed, re.M | re.S), listed
        t.type(":quit", "enter").wait_for_end()
    with Terminal(home) as t:
        assert t.prompt()["session"] == "session-1"
        assert "d5" in t.enter(":score")
        # A session that the user switches to is opened at the next start.
        t.enter(":session switch from-claude")
        t.wait_for(r"\[from-claude\] In")
        with Client(home, "claude") as c:
            c.call("session_switch", session="session-1")
        t.type(":quit", "enter").wait_for_end()
    with Terminal(home) as t:
        assert t.prompt()["session"] == "from-claude"


def test_what_was_just_announced_is_not_announced_again_in_a_copy(home):
    with Terminal(home, columns=140) as t, Client(home, "claude") as c:
        c.call("session_create", name="Sketch")
        t.wait_for("made sketch the active session")
        t.wait_for(r"^\[session-1\] In\[2\]:$")
        t.type(":session clone Copy", "enter")
        t.wait_for(r"^\[copy\] In\[\d+\]:$")
        t.enter("(+ 1 2)")
        assert t.text().count("made sketch the active session") == 1, t.text()
    script = run_script(home, ":session switch session-1\n:session clone Other\n(+ 1 2)\n")
    assert b"active session" not in script.stdout + script.stderr, script


@pytest.mark.parametrize("command", [":session archive", ":session delete --yes"])
def test_who_puts_a_session_away_takes_every_window_of_it_along(home, command):
    with Terminal(home) as t:
        t.enter("(def x 1)")
        t.enter(":session new two")
        t.wait_for(r"\[two\] In")
        t.enter("(def x 2)")
        t.enter(":session switch session-1")
        t.wait_for(r"^\[session-1\] In\[\d+\]:$")
        with Terminal(home) as other:
            assert other.prompt()["session"] == "session-1"
            t.type(command, "enter").wait_for("switched to two")
            for window in (t, other):
                window.wait_for(r"^\[two\] In\[\d+\]:$")
                assert re.search(r"Out\[\d+\]: 2", window.enter("x"))


def test_the_history_says_who_entered_a_command(home):
    with Terminal(home, columns=140) as t, Client(home, "claude") as c:
        t.enter("(note c4 :w)")
        t.enter(":ai allow claude")
        c.call("undo", count=1)
        t.wait_for(r"^\[3\]     :undo 1   ; claude \(ipc\)$")
        for command in (":history", ":history --author claude"):
            assert re.search(r"^\[3\]     :undo 1   ; claude \(ipc\)$", t.enter(command), re.M), t.text()


def test_many_steps_are_told_as_a_range(home):
    notes = "(note c4 :q)\n" * 40
    done = run_script(home, f"{notes}:undo 40\n:redo 39\n:history --commands\n:blame 1\n")
    said = done.stdout.decode()
    assert done.returncode == 0, done
    assert "Undid In[40] to In[1]: " in said and "Redid In[1] to In[39]: " in said, said
    assert "In[20]" not in said
    assert re.search(r"beat 1 +c4 :q +staff 1, voice 1 +In\[1\]", said), said
