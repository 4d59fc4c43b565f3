"""Playback: lateness beside a thread that only sleeps, scores as events and as MIDI files beside mido,
and rendering and memory beside FluidSynth's own program."""

import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

import google_benchmark
import key_rows
import pexpect

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests/e2e"))

from support import jack, pulseaudio  # noqa: E402, the servers of the tests

SOUNDFONT = "/usr/share/sounds/sf2/TimGM6mb.sf2"


def best(command, env=None, times=3):
    """The shortest time of a few runs, in seconds."""
    def once():
        begin = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
        return time.perf_counter() - begin
    return min(once() for _ in range(times))


# Without the right to real-time priority, also for root.
NO_PRIORITY = ("setpriv", "--bounding-set=-sys_nice", "prlimit", "--rtprio=0")


def lateness(prefix=()):
    records = google_benchmark.measured("lateness|command_to_silence", prefix)
    transport = next(r for n, r in records.items() if n.startswith("transport_lateness"))
    fifo = int(transport["fifo"])
    floor = next(r for n, r in records.items() if n.startswith(f"nanosleep_lateness/{fifo}"))
    name = "FIFO" if fifo else "no FIFO"
    for which in ("p50", "p99", "max"):
        # 1 ms is the goal of the architecture for p99.
        goal = [("<=", max(3, 1000 / floor[which]))] if which == "p99" else []
        yield (f"10,000 events under load, late, {which}", transport[which], "us",
               f"clock_nanosleep, {name}, {which}", floor[which], *goal)
    stop = next(r for n, r in records.items() if n.startswith("command_to_silence"))
    for which in ("p50", "max"):
        yield (f"stop to silence under load, {name}, {which}", stop[which], "us", None, None)


def read_with_mido(path):
    try:
        import mido
    except ImportError:
        return None
    begin = time.perf_counter()
    mido.MidiFile(path)
    return (time.perf_counter() - begin) * 1000


def files(home):
    path = os.path.join(home, "scale.mid")
    os.environ["FERMATA_BENCH_MIDI"] = path
    records = google_benchmark.measured("score_to_events|score_to_plan|events_to_smf|smf_read")
    for name, what in (("score_to_events", "100,000 notes to events"), ("score_to_plan", "100,000 notes to a plan"),
                       ("events_to_smf", "their events to a MIDI file")):
        record = next(r for n, r in records.items() if n.startswith(name))
        yield (f"{what}, notes/s", record["notes"], "1/s", None, None)
    plan = next(r for n, r in records.items() if n.startswith("score_to_plan"))
    yield ("the plan, for a note", plan["bytes"] / 100_000, "bytes", None, None)
    read = next(r for n, r in records.items() if n.startswith("smf_read"))["real_time"]
    mido = read_with_mido(path)
    yield ("read that file", read, "ms", "mido" if mido else None, mido, *([("<=", 0.1)] if mido else []))


def rendering(binary, home):
    """Three minutes of music to a WAV file. FluidSynth has the same soundfont, rate and file."""
    song = pathlib.Path(home) / "song.ferm"
    measure = "(measure (chord c3 e3 g3 c4 :q) (chord d3 f3 a3 d4 :q) (chord e3 g3 b3 e4 :q) (chord f3 a3 c4 f4 :q))"
    song.write_text("(score (part :piano " + measure * 90 + "))", encoding="utf-8")
    midi, wav = str(song.with_suffix(".mid")), str(song.with_suffix(".wav"))
    env = {**os.environ, "FERMATA_HOME": home}
    subprocess.run([binary, "compile", str(song), "-o", midi], check=True, env=env, capture_output=True)
    ours = best([binary, "render", str(song), "-o", wav, "--soundfont", SOUNDFONT], env)
    yield ("render 180 s of music, times real time", 180 / ours, "x", None, None)
    if shutil.which("fluidsynth"):
        theirs = best(["fluidsynth", "-ni", "-F", os.path.join(home, "theirs.wav"), "-r", "48000", SOUNDFONT, midi])
        yield ("the same", ours, "s", "fluidsynth -F", theirs, ("<=", 1.5))


def first_sound(binary, home):
    """From the start of the program to the first note in memory, as written in its log."""
    song = pathlib.Path(home) / "note.ferm"
    song.write_text("(score (part :piano (measure (note c4 :64) (rest :64))))", encoding="utf-8")
    env = {**os.environ, "FERMATA_HOME": home, "FERMATA_MIDI_RECORD": os.path.join(home, "heard"),
           "JACK_NO_START_SERVER": "1"}
    # A note of 1/64 at 1000 %: 3 ms; the program has ended then.
    ours = best([binary, "play", str(song), "--device", "memory", "--tempo", "1000%"], env, 10) * 1000
    floor = best([binary, "--version"], env, 10) * 1000
    yield ("start, play a note of 3 ms, end", ours, "ms", "fermata --version", floor)


def is_note(message):
    return message[0] & 0xF0 == 0x90 and message[2] > 0


def until(started, heard):
    """Milliseconds from the start of a program, by a command, until it is heard; then it is ended."""
    begin = time.perf_counter()
    with subprocess.Popen(started[0], env=started[1], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as p:
        try:
            heard()
            return (time.perf_counter() - begin) * 1000
        finally:
            p.kill()


def first_note_at_a_port(command, env):
    """On a JACK server without hardware, 128 frames a period."""
    with jack.JackServer() as server:
        def once():
            with jack.Receiver(server) as probe:
                return until((command, {**env, **server.env}),
                             lambda: probe.wait_until(lambda all_: any(is_note(m) for _, m in all_), "a note"))
        return statistics.median(once() for _ in range(7))


def first_sound_of(command, server, env):
    """Until a sample comes out of the speakers."""
    recording = server.open_recording()
    try:
        def heard():
            while not any(os.read(recording.stdout.fileno(), 4096)):
                pass
        return until((command, {**env, **server.env}), heard)
    finally:
        recording.kill()
        recording.wait()
        recording.stdout.close()


def cold_start(binary, home):
    """From the start of the program to the first sound of a file, as others hear it. 150 ms is the goal."""
    song, midi = os.path.join(home, "whole.ferm"), os.path.join(home, "whole.mid")
    pathlib.Path(song).write_text("(score (part :piano (measure (note c4 :w))))", encoding="utf-8")
    env = {**os.environ, "FERMATA_HOME": home}
    subprocess.run([binary, "compile", song, "-o", midi], check=True, env=env, capture_output=True)
    theirs = None
    if pulseaudio.is_available():
        with pulseaudio.PulseAudio() as server:
            def median(command):
                return statistics.median(first_sound_of(command, server, env) for _ in range(7))
            ours = median([binary, "play", song, "--soundfont", SOUNDFONT])
            if shutil.which("fluidsynth"):
                theirs = median(["fluidsynth", "-ni", "-a", "pulseaudio", SOUNDFONT, midi])
        goal = [("<=", 150 / theirs)] if theirs else []
        yield "start to first sound of the synthesizer", ours, "ms", "fluidsynth", theirs, *goal
    if jack.is_available():
        ours = first_note_at_a_port([binary, "play", song, "--device", "jack:probe:in"], env)
        yield ("start to first note at a JACK port", ours, "ms", "fluidsynth, to first sound", theirs,
               *([("<=", 150 / theirs)] if theirs else []))


def shown_note(binary, home):
    """From a note at a MIDI input to its name in the prompt, while a take is recorded."""
    if not jack.is_available():
        return
    with jack.JackServer() as server, jack.Keyboard(server) as keyboard:
        child = key_rows.start(binary, home, **server.env)
        child.send(":record\r")
        child.expect_exact("recording take")
        key_rows.drain(child)
        samples = []
        for _ in range(30):
            # The keyboard plays four periods after the beginning of the present one: three later at least.
            begin = time.perf_counter() + 3 * jack.PERIOD / jack.RATE
            keyboard.send([(0, bytes([0x90, 60, 80]))])
            child.read_nonblocking(1 << 16, 10)
            samples.append((time.perf_counter() - begin) * 1000)
            keyboard.wait_until_sent()
            keyboard.play([(0, bytes([0x80, 60, 64]))])
            key_rows.drain(child)
        child.close(force=True)
    # The goal is 20 ms.
    floor = key_rows.echo_floor()
    yield ("a played note in the prompt", statistics.median(samples), "ms", "echo of a key by the kernel", floor,
           ("<=", 20 / floor))


def chords(count):
    """A score of chords of ten notes, fast sixteenths."""
    chord = ("(chord c3 e3 g3 b3 d4 f4 a4 c5 e5 g5 :16)", "(chord d3 f3 a3 c4 e4 g4 b4 d5 f5 a5 :16)")
    measures = [" ".join(chord[i % 2] for i in range(min(16, count - begin))) for begin in range(0, count, 16)]
    return "(score (part :piano (measure (tempo :q 1920) " + ") (measure ".join(measures) + ")))"


def held(pid):
    """MiB that a process holds, and the most that it has held."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return [int(re.search(rf"{name}:\s*(\d+)", text)[1]) / 1024 for name in ("VmRSS", "VmHWM")]


def held_while_writing(command, folder, env=None):
    """The same of a program, once it has written a megabyte of sound into a folder: everything was read then."""
    folder.mkdir()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env) as p:
        try:
            end = time.monotonic() + 120
            while sum(f.stat().st_size for f in folder.iterdir()) < 1_000_000:
                if p.poll() is not None or time.monotonic() > end:
                    raise SystemExit(f"bench: {command[0]} writes no sound")
                time.sleep(0.01)
            return held(p.pid)
        finally:
            p.kill()


def held_while_playing(binary, song, env):
    """The same of `fermata play`, once it plays."""
    child = pexpect.spawn(binary, ["play", song, "--device", "memory"], env=env, timeout=120)
    try:
        child.expect("measure 1, beat")
        return held(child.pid)
    finally:
        child.close(force=True)


def memory(binary, home):
    """100,000 notes while they are played and rendered; FluidSynth has them as a MIDI file. With a note
    instead, both hold what they need without music."""
    home = pathlib.Path(home)
    env = {**os.environ, "FERMATA_HOME": str(home), "FERMATA_MIDI_RECORD": str(home / "heard"),
           "JACK_NO_START_SERVER": "1"}
    ours, theirs = {}, {}
    note = "(score (part :piano (measure (note c4 :w)) (measure (note c4 :w))))"
    for name, text in (("note", note), ("many", chords(10_000))):
        song, midi = str(home / f"{name}.ferm"), str(home / f"{name}.mid")
        pathlib.Path(song).write_text(text, encoding="utf-8")
        subprocess.run([binary, "compile", song, "-o", midi], check=True, env=env, capture_output=True)
        ours[name] = held_while_playing(binary, song, env)
        if shutil.which("fluidsynth"):
            folder = home / f"{name}-live"
            theirs[name] = held_while_writing(
                ["fluidsynth", "-ni", "-a", "file", "-o", f"audio.file.name={folder}/out.wav", SOUNDFONT, midi], folder)
    yield "play 100,000 notes, resident", ours["many"][0], "MiB", "play a note", ours["note"][0]
    yield "play 100,000 notes, at most", ours["many"][1], "MiB", "play a note", ours["note"][1]
    if theirs:
        yield ("what 100,000 notes take while played", ours["many"][0] - ours["note"][0], "MiB", "fluidsynth",
               theirs["many"][0] - theirs["note"][0])
    folder = home / "ours-rendered"
    most = held_while_writing([binary, "render", str(home / "many.ferm"), "-o", str(folder / "out.wav"),
                               "--soundfont", SOUNDFONT], folder, env)[1]
    if not theirs:
        yield "render 100,000 notes, at most", most, "MiB", None, None
        return
    folder = home / "theirs-rendered"
    peer = held_while_writing(["fluidsynth", "-ni", "-F", str(folder / "out.wav"), "-r", "48000", SOUNDFONT,
                               str(home / "many.mid")], folder)[1]
    yield "render 100,000 notes, at most", most, "MiB", "fluidsynth -F", peer


def rows(binary, home):
    yield from files(home)
    yield from rendering(binary, home)
    yield from first_sound(binary, home)
    yield from cold_start(binary, home)
    yield from shown_note(binary, home)
    yield from memory(binary, home)
    yield from lateness()
    if os.geteuid() == 0:
        yield from lateness(NO_PRIORITY)
