"""Blocked standard output: a pipe that nobody reads, a terminal stopped with Ctrl-S. Signals still end the program."""

import fcntl
import os
import signal
import subprocess

import pytest
from support.program import BINARY, PATIENCE
from support.terminal import Terminal

SIGNALS = [signal.SIGINT, signal.SIGTERM]
POLL = {"7", "271", "73"}  # poll and ppoll on x86-64, ppoll on arm64


def full(write_end):
    """Fills a pipe, so that writing to it blocks."""
    fcntl.fcntl(write_end, fcntl.F_SETPIPE_SZ, 4096)
    flags = fcntl.fcntl(write_end, fcntl.F_GETFL)
    fcntl.fcntl(write_end, fcntl.F_SETFL, flags | os.O_NONBLOCK)
    try:
        while True:
            os.write(write_end, b"x" * 4096)
    except BlockingIOError:
        pass
    fcntl.fcntl(write_end, fcntl.F_SETFL, flags)


def waits(pid):
    """Waits until every thread of a process waits in the kernel, twice in a row: it has nothing more to do."""
    def idle():
        states = []
        if not os.path.exists(f"/proc/{pid}/task"):
            return True
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/stat") as f:
                states.append(f.read().rsplit(")", 1)[1].split()[0])
        return all(s in "SZ" for s in states)

    while not (idle() and idle()):
        pass


def is_stalled(pid):
    """Whether the main thread waits in poll(2) for one file alone, the output; the prompt waits for three."""
    with open(f"/proc/{pid}/syscall") as f:
        call = f.read().split()
    return call[0] in POLL and int(call[2], 16) == 1


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("arguments", [[], ["--session", "s"], ["mcp"], ["show", "forms"],
                                       ["eval", "-e", "(list 1 2 3)"]], ids=" ".join)
def test_a_full_pipe_holds_up_no_signal(home, arguments, number):
    read_end, write_end = os.pipe()
    full(write_end)
    run = subprocess.Popen([BINARY, *arguments], stdin=subprocess.PIPE, stdout=write_end, stderr=subprocess.PIPE,
                           env=home.environment())
    os.close(write_end)
    if arguments == ["mcp"]:
        run.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
                        b'"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n')
    else:
        run.stdin.write(b"(list 1 2 3)\n" * 2000)
    run.stdin.flush()
    waits(run.pid)
    run.send_signal(number)
    # As long as a test may take: the pipe would block forever.
    run.wait(PATIENCE)
    run.stdin.close()
    os.close(read_end)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_stopped_terminal_holds_up_no_signal(home, number):
    with Terminal(home) as t:
        t.child.send("\x13")  # Ctrl-S: output of the program blocks from now on
        t.type("(list 1 2 3)", "enter")
        waits(t.child.pid)
        os.kill(t.child.pid, number)
        t.child.wait()
    # Everything was saved, and the next prompt is normal.
    with Terminal(home) as t:
        assert "3" in t.enter("(+ 1 2)")


def test_ctrl_c_at_a_stopped_terminal_starts_it_again(home):
    with Terminal(home) as t:
        t.child.send("\x13")
        # Read as a whole, since the Ctrl-C discards what is not read yet.
        t.child.send("(list 1 2 3)\r")
        t.wait_until(lambda: is_stalled(t.child.pid), "the output to block")
        t.type("ctrl-c")
        t.wait_for_prompt(2)
        assert "3" in t.enter("(+ 1 2)")
