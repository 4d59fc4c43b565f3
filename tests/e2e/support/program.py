"""Where the program is and how it is started: in a home of its own, separate from the user's settings."""

import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(os.environ.get("FERMATA_SOURCE", pathlib.Path(__file__).parents[3]))
BINARY = os.path.abspath(os.environ.get("FERMATA_BIN", ROOT / "build" / "release" / "bin" / "fermata"))

# The timeout for things that never take long. It is only a safeguard: every wait ends as soon as its
# condition holds.
PATIENCE = float(os.environ.get("FERMATA_PATIENCE", "240"))


def little_memory():
    """For `preexec_fn`: limits memory, so that a test of something endless ends. No limit with
    a sanitizer, which reserves terabytes and uses little of them."""
    libraries = subprocess.run(["ldd", BINARY], capture_output=True, check=False).stdout
    if b"libasan" in libraries or b"libtsan" in libraries:
        return None
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))


class Home:
    """A $FERMATA_HOME that is removed after the test.

    Not below pytest's tmp_path: the path of a Unix socket has at most 107 bytes.
    """

    def __enter__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="ferm-"))
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def environment(self, **more):
        kept = {k: v for k, v in os.environ.items()
                if k.startswith(("ASAN_", "UBSAN_", "LSAN_", "TSAN_", "LD_")) or k == "PATH"}
        return {
            **kept,
            "HOME": str(self.path),
            "FERMATA_HOME": str(self.path / "f"),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "INPUTRC": "/dev/null",
            "PAGER": "cat",  # long output stays on the screen, where a test reads it
            **more,
        }

    @property
    def folder(self):
        return self.path / "f"

    def session(self, slug="session-1"):
        return self.folder / "sessions" / slug


def last_session(home):
    """The session used last; the first one of a new home if there is none, or if it
    is in the archive or the trash."""
    try:
        slug = json.loads((home.folder / "active-session.json").read_text())["session"]
    except (FileNotFoundError, NotADirectoryError):
        return "session-1"
    return slug if home.session(slug).exists() else "session-1"


def pipe(home, text, *args, **environment):
    """Runs Fermata without a terminal: `text` (str or bytes) on standard input. Without `--session` nothing is kept."""
    data = text.encode() if isinstance(text, str) else text
    return subprocess.run(
        [BINARY, *args],
        input=data,
        capture_output=True,
        timeout=PATIENCE,
        env=home.environment(**environment),
        check=False,
    )


def run_script(home, text, *args, **environment):
    """The same for the session used last, unless `args` name another one. The first line of standard
    error, which names the session, is left out."""
    at_prompt = not args or args[0].startswith("-")  # subcommands have no session
    if at_prompt and "--session" not in args:
        args = (*args, "--session", last_session(home))
    done = pipe(home, text, *args, **environment)
    done.stderr = re.sub(rb"\Afermata: session [a-z0-9-]+(, open in process \d+)?\n", b"", done.stderr)
    return done
