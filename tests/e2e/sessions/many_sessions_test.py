"""Clients that create sessions endlessly, and processes that run out of resources meanwhile."""

import json
import resource

from support.program import Home, run_script
from support.session import Client, Session


def status(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as f:
        return dict(line.rstrip("\n").split(":\t", 1) for line in f if ":\t" in line)


def make_sessions(client, count):
    """The slugs of the sessions created, and the errors of the others."""
    made, errors = [], []
    for i in range(count):
        client.send(json.dumps({"id": i, "method": "session_create", "params": {"name": f"sketch {i}"}}) + "\n")
        answer = client.read()
        if "error" in answer:
            errors.append(answer["error"])
        else:
            made.append(answer["result"]["session"])
    return made, errors


def is_on_disk(home, slug):
    journal = home.session(slug) / "history.jsonl"
    return journal.exists() and journal.read_bytes().startswith(b'{"format":"fermata-history"')


def test_a_client_that_makes_sessions_in_a_loop_is_told_to_wait():
    with Home() as home:
        with Session(home) as s:
            threads = int(status(s.process.pid)["Threads"])
            with Client(s) as c:
                made, errors = make_sessions(c, 100)
            assert len(made) >= 32 and errors, (len(made), errors[:1])
            for error in errors:
                assert error["code"] == "busy", error
                assert error["data"]["retry_after_ms"] > 0, error
            assert all(is_on_disk(home, slug) for slug in made)
            # No session has threads of its own.
            assert int(status(s.process.pid)["Threads"]) <= threads + 20
            # Everything else continues.
            s.line("(+ 40 2)")
            s.until("42")
            s.line(":session new Mine")
            s.line('"mine"')
            s.until('"mine"')
        assert s.process.returncode == 0
        listed = run_script(home, ":session list\n").stdout.decode()
        assert all(slug in listed for slug in made)


def test_sessions_that_nobody_uses_are_there_when_somebody_does():
    with Home() as home:
        names = [f"s{i}" for i in range(40)]
        lines = "".join(f":session new {name}\n(def x {i})\n" for i, name in enumerate(names))
        with Session(home) as s:
            s.line(lines + '"made"')
            s.until('"made"')
            with Client(s) as c:
                for i, name in enumerate(names):
                    c.send(json.dumps({"id": i, "method": "eval_preview", "params": {"text": "x", "session": name}})
                           + "\n")
                    answer = c.read()
                    assert answer["result"]["output"] == str(i), answer
        assert s.process.returncode == 0


class SessionWithFewDescriptors(Session):
    def __init__(self, home, limit):
        self.limit = limit
        super().__init__(home)

    def find_socket(self):
        # Only from here on, since startup needs some.
        resource.prlimit(self.process.pid, resource.RLIMIT_NOFILE, (self.limit, self.limit))
        return super().find_socket()


def test_with_too_few_descriptors_nothing_is_acknowledged_that_is_not_saved():
    with Home() as home:
        with SessionWithFewDescriptors(home, 40) as s:
            with Client(s) as c:
                made, errors = make_sessions(c, 31)
            assert made and errors, (made, errors)
            assert all("kept in memory" not in e["message"] for e in errors)
            assert all(is_on_disk(home, slug) for slug in made), made
            s.line("(def x 42)")
            s.line("x")
            s.until("42")
        assert s.process.returncode == 0
        again = run_script(home, "x\n:session list\n", "--session", "session-1").stdout.decode()
        assert again.startswith("42\n"), again
        assert all(slug in again for slug in made)
        # What a refused session leaves behind is at most a session without entries.
        for journal in (home.folder / "sessions").glob("*/history.jsonl"):
            if journal.parent.name not in {"session-1", *made}:
                assert journal.read_bytes().count(b"\n") <= 2, journal


def test_without_further_threads_every_session_can_be_made_and_written():
    # The limit on tasks is per user and does not apply to root; the memory for stacks applies to everyone.
    with Home() as home:
        with Session(home) as s:
            used = int(status(s.process.pid)["VmSize"].split()[0]) * 1024
            room = used + (48 << 20)
            resource.prlimit(s.process.pid, resource.RLIMIT_AS, (room, room))
            with Client(s) as c:
                made, _ = make_sessions(c, 30)
                assert len(made) == 30
                c.send('{"id":"w","method":"send_message","params":{"text":"words"}}\n')
                assert "result" in c.read()
            s.line("(+ 40 2)")
            s.until("42")
        assert s.process.returncode == 0


def test_a_name_that_looks_like_the_users_is_refused():
    with Home() as home, Session(home) as s, Client(s) as c:
        for name in ("y\u200bou", "\u0443ou", "you]: x", "us\u0435r", "\uff59\uff4f\uff55"):
            c.send(json.dumps({"id": 1, "method": "system.hello", "params": {"client": name, "version": "1"}}) + "\n")
            assert "reserved author name" in c.read()["error"]["message"], name
        c.send(json.dumps({"id": 1, "method": "system.hello", "params": {"client": "bob]: [ann", "version": "1"}})
               + "\n")
        assert "result" in c.read()
        c.send(json.dumps({"id": 2, "method": "send_message", "params": {"text": "a\u200bb\u2028[you]: c"}}) + "\n")
        assert "result" in c.read()
        s.line("1")
        shown = "".join(s.until("[you]: c"))
        assert "[bob): (ann (ipc)]: a<U+200B>b<U+2028>[you]: c" in shown, shown
