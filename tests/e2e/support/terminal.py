"""The prompt in a real pseudo-terminal, and the content of its screen (pyte)."""

import re
import signal
import time

import pexpect
import pyte

from support.program import BINARY, PATIENCE

KEYS = {
    "enter": "\r", "tab": "\t", "up": "\x1b[A", "down": "\x1b[B", "left": "\x1b[D", "right": "\x1b[C",
    "home": "\x01", "end": "\x05", "escape": "\x1b", "ctrl-c": "\x03", "ctrl-d": "\x04",
    "ctrl-k": "\x0b", "ctrl-r": "\x12", "ctrl-u": "\x15", "ctrl-y": "\x19", "ctrl-z": "\x1a", "alt-h": "\x1bh", "alt-enter": "\x1b\r",
}

# A prompt is ready when it is the last thing on the screen.
PROMPT = r"\[(?P<session>[a-z0-9-]+)(?P<badge>[^\]]*)\] In\[(?P<number>\d+)\]:"


class Terminal:
    """`with Terminal(home) as t:` starts the prompt and waits until it is ready."""

    def __init__(self, home, *args, rows=24, columns=80, ready=True, binary=BINARY, cwd=None, **environment):
        self.rows, self.columns = rows, columns
        self.screen = pyte.HistoryScreen(columns, rows, history=20_000, ratio=0.5)
        self.stream = pyte.ByteStream(self.screen)
        self.bytes = b""  # everything the program wrote
        self.child = pexpect.spawn(
            binary, list(args), env=home.environment(**environment), dimensions=(rows, columns),
            timeout=PATIENCE, echo=True, cwd=cwd and str(cwd),
        )
        self.child.delaybeforesend = None
        if ready:
            self.wait_for_prompt()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.child.isalive():
            self.child.kill(signal.SIGKILL)
            self.child.wait()  # a large process takes a while to end
        self.child.close(force=True)

    # --- writing --------------------------------------------------------------------------------

    def type(self, *texts):
        """Types texts; a name in KEYS stands for that key."""
        for text in texts:
            self.child.send(KEYS.get(text, text))
        return self

    def start(self, line):
        """Types a line and Enter, and waits until it was taken; what it starts may run for long.

        A terminal drops what was typed and not read yet when Ctrl-C is pressed, the Enter too.
        """
        before = len(self.wait_for_prompt().lines())
        typed = "".join(line.split())

        def is_shown():
            return typed in "".join("".join(self.lines()[before - 1:]).split())

        self.type(line).wait_until(is_shown, f"{line!r} on the screen")
        assert self.cursor()[1] != 0, "the line ends at the edge of the screen: it cannot be told when it was taken"
        # If it needs no time, its result and the prompt may be there already.
        return self.type("enter").wait_until(lambda: self.cursor()[1] == 0 or self.prompt(), f"{line!r} to be taken")

    def enter(self, text):
        """Types a line and Enter, and waits for the next prompt. Returns what was added to the screen."""
        number = self.wait_for_prompt().prompt()["number"]
        before = len(self.lines())
        # The prompt may be redrawn before the line is accepted, if a message from a client appears above
        # it: wait for the typed text, at least its end, however the line was broken.
        end = "".join(text.split())[-8:] if text.isprintable() else ""

        def taken():
            behind = self.lines()[before - 1:]
            return self.prompt() and (self.prompt()["number"] != number or len(behind) > 1) and \
                end in "".join("".join(behind[:-1]).split())

        self.type(text, "enter")
        self.wait_until(taken, f"a prompt after {text!r}")
        return "\n".join(self.lines()[before - 1:])

    # --- reading --------------------------------------------------------------------------------

    def read(self, timeout):
        """Reads what the program wrote; False if there was nothing or it has ended."""
        try:
            data = self.child.read_nonblocking(1 << 16, timeout)
        except pexpect.TIMEOUT:
            return False
        self.bytes += data
        self.stream.feed(data)
        return True

    def lines(self):
        """All lines, including those that have scrolled out, without trailing blanks."""
        def text(row):
            return "".join(row[x].data for x in range(self.columns)).rstrip()

        shown = [text(row) for row in self.screen.history.top]
        shown += [line.rstrip() for line in self.screen.display]
        while shown and not shown[-1]:
            shown.pop()
        return shown

    def text(self):
        return "\n".join(self.lines())

    def prompt(self):
        """The prompt, as a match, if the screen ends with one that waits for a line, else None."""
        lines = self.lines()
        return re.fullmatch(PROMPT, lines[-1]) if lines else None

    def color_of(self, text):
        """The colour of each character of the last occurrence of a text on the screen."""
        for y in range(self.rows - 1, -1, -1):
            x = self.screen.display[y].rfind(text)
            if x >= 0:
                return [self.screen.buffer[y][x + i].fg for i in range(len(text))]
        raise AssertionError(f"{text!r} is not on the screen:\n{self.text()}")

    def cursor(self):
        return self.screen.cursor.y, self.screen.cursor.x

    # --- waiting --------------------------------------------------------------------------------

    def wait_until(self, condition, what="it"):
        deadline = time.monotonic() + PATIENCE
        while not condition():
            try:
                self.read(0.2)
            except pexpect.EOF:
                if condition():
                    return self
                raise AssertionError(f"the program ended before {what}; it showed:\n{self.text()}") from None
            if time.monotonic() > deadline:
                raise AssertionError(f"waited in vain for {what}; the screen:\n{self.text()}")
        return self

    def wait_for(self, pattern):
        """Waits until the text of the screen matches this pattern."""
        return self.wait_until(lambda: re.search(pattern, self.text(), re.M), repr(pattern))

    def wait_for_prompt(self, number=None):
        def ready():
            p = self.prompt()
            return p and (number is None or int(p["number"]) == number)

        return self.wait_until(ready, f"the prompt{'' if number is None else ' ' + str(number)}")

    def wait_for_end(self):
        """Waits until the program has ended; returns its exit status."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                self.read(0.2)
            except pexpect.EOF:
                self.child.wait()
                return self.child.exitstatus if self.child.signalstatus is None else -self.child.signalstatus
        raise AssertionError(f"the program does not end; the screen:\n{self.text()}")

    def kill(self, number=signal.SIGKILL):
        self.child.kill(number)
        return self.wait_for_end()

    def resize(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)
