"""Keys: from a keystroke to its letter on the screen, with colours, hints and long texts."""

import os
import statistics
import time

import pexpect

PROMPT = r"In\[\d+\]: "


def start(binary, home, **more):
    env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    env.update(FERMATA_HOME=home, TERM="xterm-256color", LANG="C.UTF-8", PAGER="cat", **more)
    child = pexpect.spawn(binary, [], env=env, timeout=30, dimensions=(50, 100))
    child.delaybeforesend = None
    child.expect(PROMPT)
    time.sleep(0.2)
    drain(child)
    return child


def drain(child):
    """Everything that is there, until nothing comes for a moment."""
    while True:
        try:
            child.read_nonblocking(1 << 16, 0.05)
        except pexpect.TIMEOUT:
            return


def latency_ms(child, key, times=100, undo=b"\x7f"):
    """Median time from a key until what it draws begins to come; the key is undone each time."""
    samples = []
    for _ in range(times):
        begin = time.perf_counter()
        child.send(key)
        child.read_nonblocking(1 << 16, 10)
        samples.append((time.perf_counter() - begin) * 1000)
        drain_quickly(child)
        # Not before it is drawn that the key is gone: two keys at once may come to nothing.
        child.send(undo)
        child.read_nonblocking(1 << 16, 10)
        drain_quickly(child)
    return statistics.median(samples)


def drain_quickly(child):
    while True:
        try:
            child.read_nonblocking(1 << 16, 0.01)
        except pexpect.TIMEOUT:
            return


def echo_floor():
    """The same through a terminal whose kernel echoes: nobody is faster."""
    child = pexpect.spawn("/bin/cat", [], timeout=30)
    child.delaybeforesend = None
    drain(child)
    value = latency_ms(child, b"x")
    child.close()
    return value


def paste_seconds(child):
    """From the first byte of a paste of 256 KiB until the last one is on the screen."""
    text = ("12345 " * (256 * 1024 // 6)).encode()
    begin = time.perf_counter()
    child.send(b"\x1b[200~(list " + text + b"the-end\x1b[201~")
    child.expect_exact("the-end")
    return time.perf_counter() - begin


def paste_floor():
    """The same through a program that only copies."""
    child = pexpect.spawn("/bin/sh", ["-c", "stty raw -echo; echo ready; exec cat > /dev/null"], timeout=30)
    child.delaybeforesend = None
    child.expect_exact("ready")
    begin = time.perf_counter()
    child.send(b"12345 " * (256 * 1024 // 6))
    value = time.perf_counter() - begin
    child.close(force=True)
    return value


def rows(binary, home):
    floor = echo_floor()
    child = start(binary, home)
    child.send("(seq (note c4 :q)")
    drain(child)
    yield "keystroke to screen, one line, colours", latency_ms(child, b"x"), "ms", "kernel echo", floor
    child.send("\x15")
    # Forty lines of notes, pasted; the key is typed at the end of all that.
    text = "\n".join("  (measure (note c4 :q) (note d4 :q) (chord (c4 e4 g4) :h))" for _ in range(40))
    child.send(f"\x1b[200~(part :flute\n{text}\x1b[201~")
    drain(child)
    yield "keystroke to screen, 40 lines, colours", latency_ms(child, b"x"), "ms", "kernel echo", floor
    child.send("\x03")
    drain(child)
    child.send("\x1b[200~" + "(list " + "1 " * 10_000 + "\x1b[201~")
    drain(child)
    yield "keystroke to screen, 20 kB, colours", latency_ms(child, b"x", 30), "ms", "kernel echo", floor
    child.close(force=True)
    child = start(binary, home)
    yield "paste of 256 KiB, per MiB", paste_seconds(child) * 4, "s", "cat in raw mode", paste_floor() * 4
    child.close(force=True)
    child = start(binary, home, NO_COLOR="1")
    child.send("(seq (note c4 :q)")
    drain(child)
    yield "keystroke to screen, one line, no colours", latency_ms(child, b"x"), "ms", "kernel echo", floor
    child.close(force=True)
