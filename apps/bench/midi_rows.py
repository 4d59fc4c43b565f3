"""Playback: lateness beside a thread that only sleeps, scores as events and as MIDI files beside mido,
and rendering beside FluidSynth's own program."""

import os
import pathlib
import shutil
import subprocess
import time

import google_benchmark

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


def rows(binary, home):
    yield from files(home)
    yield from rendering(binary, home)
    yield from first_sound(binary, home)
    yield from lateness()
    if os.geteuid() == 0:
        yield from lateness(NO_PRIORITY)
