"""The prompt: from exec to the first prompt, one evaluation echoed, doing nothing."""

import os
import statistics
import subprocess
import time

import pexpect

PROMPT = "In\\[\\d+\\]: "


def start(binary, home):
    env = dict(os.environ, FERMATA_HOME=home, TERM="xterm", NO_COLOR="1")
    child = pexpect.spawn(binary, [], env=env, encoding="utf-8", timeout=30, dimensions=(24, 100))
    child.delaybeforesend = None  # pexpect would wait 50 ms before each line
    return child


def median_ms(times, action):
    samples = []
    for _ in range(times):
        begin = time.perf_counter()
        action()
        samples.append((time.perf_counter() - begin) * 1000)
    return statistics.median(samples)


def start_to_prompt(binary, home):
    child = start(binary, home)
    child.expect(PROMPT)
    child.sendeof()
    child.expect(pexpect.EOF)
    child.close()


def once_to_prompt(binary, home, times=15):
    samples = []
    for _ in range(times):
        begin = time.perf_counter()
        child = start(binary, home)
        child.expect(PROMPT)
        samples.append((time.perf_counter() - begin) * 1000)
        child.sendeof()
        child.expect(pexpect.EOF)
        child.close()
    return statistics.median(samples)


def cpu_seconds(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rows(binary, home):
    def python_in_a_terminal():
        child = pexpect.spawn("/usr/bin/python3", ["-c", "print('In[1]: ')"], timeout=30)
        child.expect(PROMPT)
        child.expect(pexpect.EOF)
        child.close()

    python_ms = median_ms(15, lambda: subprocess.run(["/usr/bin/python3", "-c", "pass"], check=True))
    version_ms = median_ms(15, lambda: subprocess.run([binary, "--version"], check=True,
                                                      stdout=subprocess.DEVNULL))
    yield "exec to --version", version_ms, "ms", "python3 -c pass", python_ms
    prompt_ms = once_to_prompt(binary, home)
    yield "exec to prompt (pty)", prompt_ms, "ms", "python3 -c pass", python_ms, ("<=", 2)
    yield "exec to prompt (pty)", prompt_ms, "ms", "python3 printing once (pty)", \
        median_ms(15, python_in_a_terminal)

    child = start(binary, home)
    child.expect(PROMPT)
    child.setecho(False)
    samples = []
    for i in range(200):
        begin = time.perf_counter()
        child.send(f"(+ {i} 1000)\r")
        child.expect(rf"Out\[\d+\]: (\x1b\[[0-9;]*m)*{i + 1000}\b")
        samples.append((time.perf_counter() - begin) * 1000)
    cat = pexpect.spawn("/bin/cat", [], encoding="utf-8", timeout=30)
    cat.delaybeforesend = None
    cat.setecho(False)
    floor = []
    for i in range(200):
        begin = time.perf_counter()
        cat.send(f"({i + 1000})\n")
        cat.expect(rf"\({i + 1000}\)")
        floor.append((time.perf_counter() - begin) * 1000)
    cat.close()
    yield "echo of one evaluation (pty), median", statistics.median(samples), "ms", "cat in a pty", \
        statistics.median(floor)

    before = cpu_seconds(child.pid)
    time.sleep(10)
    yield "idle CPU over 10 s", (cpu_seconds(child.pid) - before) * 10, "percent", None, None
    resident = next(line for line in open(f"/proc/{child.pid}/status") if line.startswith("VmRSS"))
    yield "resident memory of the prompt", int(resident.split()[1]) / 1024, "MiB", None, None
    child.sendeof()
    child.close()
