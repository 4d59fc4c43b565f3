"""Records every disk operation of the program, or kills the program before one of them. After a kill,
everything written before remains, synced or not; what would remain after a power cut is determined from
the syncs among the operations."""

import os
import pathlib
import subprocess

import pytest

from support.program import BINARY, PATIENCE, last_session


def built(folder):
    """Builds the library that is placed between the program and the system."""
    library = pathlib.Path(folder) / "steps.so"
    made = subprocess.run(["cc", "-shared", "-fPIC", "-o", library,
                           pathlib.Path(__file__).with_name("steps.c"), "-ldl"],
                          capture_output=True, check=False)
    assert made.returncode == 0, made.stderr.decode()
    with open(BINARY, "rb") as f:
        if b"__asan_init" in f.read() or b"__tsan_init" in open(BINARY, "rb").read():
            pytest.skip("a sanitizer wants to be the first library")
    return library


class Steps:
    def __init__(self, library, home, log):
        self.library, self.home, self.log = library, home, log

    def environment(self, kill_at=None):
        env = self.home.environment(LD_PRELOAD=str(self.library), STEPS_BELOW=str(self.home.path),
                                    STEPS_LOG=str(self.log))
        if kill_at:
            env["STEPS_KILL_AT"] = str(kill_at)
        return env

    def run(self, *args, text="", kill_at=None):
        """The result, and the steps as (what, path, other path)."""
        self.log.unlink(missing_ok=True)
        if not args:
            args = ("--session", last_session(self.home))
        done = subprocess.run([BINARY, *map(str, args)], input=text.encode(), capture_output=True,
                              env=self.environment(kill_at), timeout=PATIENCE, check=False)
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return done, [tuple(line.split("\t")) for line in lines]


def survives(steps, path):
    """Whether the last data written to `path` survives a power cut, according to POSIX: the content
    was synced after the last write to it, and then the folder that has its name."""
    path = os.path.realpath(path)
    folder = os.path.dirname(path)
    name, content = path, False
    there = False
    for what, one, other in steps:
        if what == "rename" and other == path:
            content, there = (synced_last(steps, one)), False
        elif what in ("write", "open", "truncate") and one == name:
            content, there = False, there
        elif what == "sync" and one == name:
            content = True
        elif what == "sync" and one == folder:
            there = True
    return content and there


def synced_last(steps, path):
    """Whether the last thing done to the content of a file before it got another name was a sync."""
    last = None
    for what, one, other in steps:
        if one == path and what in ("write", "open", "truncate", "sync"):
            last = what
        if what == "rename" and other == path:
            last = what
    return last == "sync"
