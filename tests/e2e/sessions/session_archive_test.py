"""Session archives that are damaged or malicious."""

import json
import os
import re
import stat
import struct
import subprocess
import zipfile

import pytest

from support.program import BINARY, PATIENCE, Home, run_script


@pytest.fixture
def archive(home):
    run_script(home, "(def x 41)\n(note c4 :q)\n// words\n(note d4 :q)\n:session tag draft\n")
    file = home.path / "good.fermata"
    made = subprocess.run([BINARY, "session", "export", "session-1", "-o", file],
                          env=home.environment(), capture_output=True, check=False)
    assert made.returncode == 0, made
    return file


def members(file):
    with zipfile.ZipFile(file) as z:
        return {name: z.read(name) for name in z.namelist()}


def made_of(path, content, **how):
    with zipfile.ZipFile(path, "w", **how) as z:
        for name, data in content.items():
            z.writestr(name, data)
    return path


def take(file):
    """Imports into a new home; returns the result and every file that exists afterwards."""
    with Home() as other:
        got = subprocess.run([BINARY, "session", "import", file], env=other.environment(),
                             capture_output=True, timeout=PATIENCE, check=False)
        files = sorted(str(p.relative_to(other.path)) for p in other.path.rglob("*"))
        made = re.search(r"created (\S+);", got.stdout.decode())
        journal = other.session(made[1]).joinpath("history.jsonl").read_bytes() if made else None
        listed = run_script(other, ":session list\n")
        return got, listed.stdout.decode(), files, journal


def entries_of(journal):
    """Everything except the first line, which has the name that the session got here."""
    return journal.split(b"\n", 1)[1]


# The file, and what is wrong with it: in the whole archive, or in one of its members.
REFUSAL = r"(unsupported-format|input-too-large): {file}: (.+)"


def refused(file, why=".+"):
    got, listed, files, _ = take(file)
    assert got.returncode == 1 and got.stdout == b"", got
    said = re.search(REFUSAL.format(file=re.escape(str(file))), got.stderr.decode())
    assert said and re.search(why, said[2]), (got, why)
    assert "unpacked" not in got.stderr.decode(), got
    # Nothing of it is left, not even an incomplete folder.
    assert [f for f in files if "sessions/" in f] == [], files
    assert not any("evil" in f for f in files), files
    return got.stderr.decode()


def test_an_archive_that_breaks_off_anywhere_is_refused(archive, home):
    whole = archive.read_bytes()
    for size in range(0, len(whole), max(1, len(whole) // 40)):
        file = home.path / "cut.fermata"
        file.write_bytes(whole[:size])
        refused(file)


def test_an_archive_with_a_flipped_byte_is_refused_or_the_same(archive, home):
    whole = archive.read_bytes()
    entries = entries_of(members(archive)["history.jsonl"])
    count = entries.count(b'{"index":')
    assert count == 5
    bad = same = 0
    for at in range(0, len(whole), max(1, len(whole) // 40)):
        file = home.path / "flipped.fermata"
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1:])
        got, listed, _, journal = take(file)
        if got.returncode != 0:
            assert re.search(REFUSAL.format(file=re.escape(str(file))), got.stderr.decode()), got
            bad += 1
        else:
            # In data that is not used, such as the times of members, or that is derived from the
            # journal: the session is the same.
            assert "#draft" in listed and f" {count} entries, " in listed, listed
            name = entries_of(journal).removeprefix(entries)
            # Its name here is recorded after all the rest.
            assert entries_of(journal) == entries + name and name.count(b"\n") == 1, at
            assert b'"index":' not in name and b'["draft"]' in name, name
            same += 1
    assert bad > 5 and same > 5, (bad, same)


def test_members_that_lead_elsewhere_go_nowhere(archive, home):
    good = members(archive)
    file = made_of(home.path / "far.fermata",
                   {**good, "../../../evil": b"x", "/tmp/evil": b"x", "sessions/evil/history.jsonl": b"x"})
    got, listed, files, _ = take(file)
    assert got.returncode == 0, got
    assert not any("evil" in f for f in files)
    assert "#draft" in listed


def test_a_session_that_is_called_like_a_path_stays_in_its_folder(archive, home):
    good = members(archive)
    manifest = json.loads(good["fermata-archive.json"])
    manifest.update(session="../../evil", name="../../e\u001b[2Jvil\nIn[9]: x", tags=["a\u001b[2J\nb", "ok"])
    file = made_of(home.path / "named.fermata", {**good, "fermata-archive.json": json.dumps(manifest)})
    got, listed, files, _ = take(file)
    assert got.returncode == 0, got
    assert [f for f in files if f.endswith("/history.jsonl")] == [
        "f/sessions/e-2jvil-in-9-x/history.jsonl"], files
    assert "\x1b" not in listed and "\nIn[9]" not in listed, listed
    assert not any(line.startswith("b") for line in listed.splitlines()), listed


def test_a_link_in_an_archive_is_not_followed(archive, home):
    secret = home.path / "secret"
    secret.write_bytes(members(archive)["history.jsonl"])
    file = home.path / "link.fermata"
    with zipfile.ZipFile(file, "w") as z:
        z.writestr("fermata-archive.json", members(archive)["fermata-archive.json"])
        link = zipfile.ZipInfo("history.jsonl")
        link.create_system = 3
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        z.writestr(link, str(secret))
    refused(file)


def test_an_archive_without_a_session_is_refused(archive, home):
    good = members(archive)
    for name, content, why in (
            ("empty", {}, "."),
            ("no journal", {"fermata-archive.json": good["fermata-archive.json"]}, "it has no history.jsonl"),
            ("no manifest", {"history.jsonl": good["history.jsonl"]}, "it has no fermata-archive.json"),
            ("foreign manifest", {**good, "fermata-archive.json": b'{"format":"x"}'}, "not a session archive"),
            ("newer manifest", {**good, "fermata-archive.json": good["fermata-archive.json"].replace(
                b'"version":1', b'"version":2')}, "newer version of Fermata"),
            ("manifest that is no object", {**good, "fermata-archive.json": b"[]"},
             "fermata-archive.json in it is damaged"),
            ("huge manifest", {**good, "fermata-archive.json": b" " * (2 << 20)}, "is too large"),
            ("foreign journal", {**good, "history.jsonl": b"hello\n"}, "^history.jsonl in it: the first line"),
            ("newer journal", {**good, "history.jsonl": good["history.jsonl"].replace(
                b'"version":2', b'"version":3', 1)}, "^history.jsonl in it: .*newer version of Fermata"),
            ("empty journal", {**good, "history.jsonl": b""}, "^history.jsonl in it: the first line")):
        refused(made_of(home.path / (name.replace(" ", "-") + ".fermata"), content,
                        compression=zipfile.ZIP_DEFLATED), why)


def test_a_journal_that_would_fill_the_disk_is_refused_before_it_does(archive, home):
    good = members(archive)
    # A gibibyte of zeros in a one-mebibyte archive.
    bomb = home.path / "bomb.fermata"
    with zipfile.ZipFile(bomb, "w", compression=zipfile.ZIP_DEFLATED, compresslevel=1) as z:
        z.writestr("fermata-archive.json", good["fermata-archive.json"])
        with z.open("history.jsonl", "w", force_zip64=True) as f:
            f.write(good["history.jsonl"].splitlines(keepends=True)[0])
            for _ in range(64):
                f.write(bytes(1 << 20))
    assert "damaged" in refused(bomb)
    # An archive that claims to be larger than any disk.
    raw = bytearray(made_of(home.path / "liar.fermata", good).read_bytes())
    at = raw.rindex(b"PK\x01\x02", 0, raw.rindex(b"history.jsonl"))
    raw[at + 24:at + 28] = struct.pack("<I", 0xfffffff0)
    liar = home.path / "liar.fermata"
    liar.write_bytes(raw)
    refused(liar)


# Old and current archives: the checkpoint has the content of the line.
@pytest.mark.parametrize("without", (("checkpoint.json", "env.json"), ()))
def test_a_damaged_line_in_an_archive_costs_that_entry(archive, home, without):
    good = {name: data for name, data in members(archive).items() if name not in without}
    lines = good["history.jsonl"].splitlines(keepends=True)
    lines[1] = lines[1].replace(b"def", b"dxf")
    file = made_of(home.path / "worn.fermata", {**good, "history.jsonl": b"".join(lines)})
    with Home() as other:
        got = subprocess.run([BINARY, "session", "import", file], env=other.environment(),
                             capture_output=True, timeout=PATIENCE, check=False)
        assert got.returncode == 0, got
        seen = run_script(other, ":history 1:4\n:score\n", "--session", "session-1")
        text = seen.stdout.decode()
        assert "[1] (system) Entry 1 could not be read: " in text, text
        assert ("line 2 of history.jsonl" in text) == bool(without)
        assert "words" in text and "d4" in text, text


def flipped_in(file, name, to):
    """The archive with one byte of a member's compressed data changed, so that its checksum is wrong."""
    raw = bytearray(file.read_bytes())
    with zipfile.ZipFile(file) as z:
        about = z.getinfo(name)
    name_length, extra_length = struct.unpack("<HH", raw[about.header_offset + 26:about.header_offset + 30])
    raw[about.header_offset + 30 + name_length + extra_length + about.compress_size // 2] ^= 0x55
    to.write_bytes(raw)
    return to


DERIVED = ("score.ferm", "env.json", "checkpoint.json")


def in_another_home(file, *lines):
    with Home() as other:
        got = subprocess.run([BINARY, "session", "import", file], env=other.environment(),
                             capture_output=True, timeout=PATIENCE, check=False)
        return got, run_script(other, "".join(line + "\n" for line in lines), "--session", "session-1")


@pytest.mark.parametrize("name", DERIVED)
def test_damage_in_what_is_made_from_the_timeline_does_not_keep_a_session_away(archive, home, name):
    bad = flipped_in(archive, name, home.path / "bad.fermata")
    got, seen = in_another_home(bad, "x", ":score", ":history --limit 9")
    # Its uncompressed data is truncated, is something else, or does not end.
    assert got.returncode == 0, got
    assert re.search(rf"{re.escape(name)} in it is (damaged|too large)", got.stdout.decode()), got
    text = seen.stdout.decode()
    assert text.startswith("41\n") and "c4" in text and "d4" in text and "words" in text, seen
    assert seen.returncode == 0 and seen.stderr == b"", seen
    # The prompt reports it too.
    said = run_script(home, f":session import {bad} Again\nx\n").stdout.decode()
    assert re.search(fr"^created again\nLeft out, .*{re.escape(name)} in it is ", said, re.M), said
    assert said.endswith("41\n"), said


def test_damage_in_the_timeline_itself_is_refused(archive, home):
    refused(flipped_in(archive, "history.jsonl", home.path / "bad.fermata"), "history.jsonl in it is damaged")


def test_a_score_that_is_packed_like_a_bomb_is_left_out_and_the_session_is_there(archive, home):
    """A long repetitive piece may be compressed that much; a journal may not."""
    good = members(archive)
    file = made_of(home.path / "long.fermata", {**good, "score.ferm": b"; the same again\n" * (1 << 19)},
                   compression=zipfile.ZIP_DEFLATED)
    with zipfile.ZipFile(file) as z:
        about = z.getinfo("score.ferm")
        assert about.file_size > 100 * about.compress_size and about.file_size > 4 << 20
    got, seen = in_another_home(file, "x", ":score")
    assert got.returncode == 0 and re.search(r"Left out, .*score\.ferm in it", got.stdout.decode()), got
    assert seen.stdout.startswith(b"41\n") and b"c4" in seen.stdout and b"same" not in seen.stdout, seen


def test_an_imported_session_is_listed_with_its_score_before_it_is_opened(archive, home):
    got, listed, _, _ = take(archive)
    assert got.returncode == 0
    # By hand: two quarters in one measure of one part.
    assert re.search(r"session-1 .*5 entries, .*1 part, 1 measure", listed) and "unknown" not in listed, listed


def test_the_shell_lists_sessions_as_the_prompt_does(archive, home):
    run_script(home, f":session import {archive} Taken\n(+ 1 2)\n:session tag sketch\n:session new Other\n")
    # Killed before its summary was written.
    meta = home.session("taken") / "meta.json"
    for gone in (False, True):
        if gone:
            meta.unlink()
        shell = subprocess.run([BINARY, "session", "list"], env=home.environment(), capture_output=True, check=True)
        assert shell.stdout.count(b" B, ") + shell.stdout.count(b" KB, ") == shell.stdout.count(b"\n"), shell
        assert b" #sketch  " in shell.stdout, shell
        assert (b"score unknown until opened" in shell.stdout) == gone, shell
        prompt = run_script(home, ":session list\n", "--session", "other").stdout

        def of_taken(listed):
            return next(line.strip() for line in listed.decode().splitlines() if " Taken" in line)

        assert of_taken(shell.stdout) == of_taken(prompt)


def test_one_entry_is_no_entries(home):
    listed = run_script(home, "(+ 1 2)\n:session list\n").stdout.decode()
    assert re.search(r"session-1 .* 1 entry, ", listed), listed


@pytest.mark.parametrize("what", ("pipe", "folder", "device"))
def test_what_is_no_file_is_no_archive_and_is_not_waited_for(home, what):
    place = home.path / what
    if what == "pipe":
        os.mkfifo(place)
    elif what == "folder":
        place.mkdir()
    else:
        place = "/dev/zero"
    got = subprocess.run([BINARY, "session", "import", place], env=home.environment(),
                         capture_output=True, timeout=PATIENCE, check=False)
    assert got.returncode == 1 and b"unreadable-file" in got.stderr and str(place).encode() in got.stderr, got
    done = run_script(home, f":session import {place}\n(+ 1 2)\n")
    assert done.returncode == 1 and b"cannot read" in done.stderr and done.stdout == b"3\n", done


def pack(home, session, file, *more):
    return subprocess.run([BINARY, "session", "export", session, "-o", file, *more], env=home.environment(),
                          capture_output=True, timeout=PATIENCE, check=False)


def test_the_shell_writes_over_no_file_but_an_earlier_archive_of_the_session(home):
    run_script(home, "(def x 1)\n:session new Second\n(def x 2)\n:session archive\n")
    letter, file = home.path / "letter.fermata", home.path / "one.fermata"
    letter.write_text("Dear Clara")
    assert pack(home, "session-1", file).returncode == 0
    run_script(home, "(def x 3)\n", "--session", "session-1")
    assert pack(home, "session-1", file).returncode == 0
    no = pack(home, "session-1", letter)
    assert no.returncode == 1 and b"is not a session archive" in no.stderr and b"--yes" in no.stderr, no
    assert letter.read_text() == "Dear Clara"
    assert pack(home, "session-1", letter, "--yes").returncode == 0
    assert zipfile.is_zipfile(letter)
    aside = pack(home, "Second", home.path / "two.fermata")
    assert aside.returncode == 1 and b"session second is archived" in aside.stderr, aside


@pytest.mark.parametrize("door", ("prompt", "shell"))
def test_the_archive_of_a_deleted_session_stays_when_another_has_its_id(home, door):
    file = home.path / "kept.fermata"
    run_script(home, f"(def x 41)\n:session export {file}\n:session new Other\n:session delete session-1 --yes\n")
    made = run_script(home, ":session new session-1\n(def x 42)\n")
    assert b"created session-1" in made.stdout, made
    before = file.read_bytes()
    if door == "prompt":
        no = run_script(home, f":session export {file}\n", "--session", "session-1")
    else:
        no = pack(home, "session-1", file)
    assert no.returncode == 1 and b"another session session-1" in no.stderr, no
    assert file.read_bytes() == before


def test_a_session_with_a_dot_in_its_name_is_exported_by_its_name(home):
    where = home.path / "out"
    where.mkdir()
    lines = (":session new Sonata Op.5\n(def x 5)\n:session new Other\n(def x 6)\n"
             ':session export "Sonata Op.5"\n:session export Sonata Op.5\n'
             f':session export "Sonata Op.5" {where}/named.fermata\n:session export {where}/here.fermata\n')
    done = subprocess.run([BINARY, "--session", "session-1"], input=lines.encode(), env=home.environment(), cwd=where,
                          capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done
    assert sorted(p.name for p in where.iterdir()) == ["here.fermata", "named.fermata", "sonata-op-5.fermata"]
    for name, session in (("here", "other"), ("named", "sonata-op-5"), ("sonata-op-5", "sonata-op-5")):
        manifest = json.loads(members(where / f"{name}.fermata")["fermata-archive.json"])
        assert manifest["session"] == session, name
