"""`fermata render`: sound files that other programs can read, with the pitches that are written."""

import array
import math
import os
import pathlib
import signal
import subprocess
import sys
import time
import wave

import pexpect
import pytest
from support.program import BINARY, PATIENCE

SOUNDFONTS = ["/usr/share/sounds/sf2/TimGM6mb.sf2", "/usr/share/sounds/sf2/FluidR3_GM.sf2",
              "/usr/share/sounds/sf3/default-GM.sf3"]

pytestmark = pytest.mark.skipif(not any(os.path.exists(f) for f in SOUNDFONTS),
                                reason="no soundfont is installed (package timgm6mb-soundfont)")

# The tempo is 120: a quarter note lasts half a second.
FOUR_NOTES = """(part :alto-recorder
  (measure (note a4 :q) (note c5 :q) (note g4 :q) (rest :q)))
"""


def arguments(*args):
    return [BINARY, "render", *map(str, args)]


def render(home, *args, stdin="", **environment):
    return subprocess.run(arguments(*args), input=stdin, capture_output=True, text=True, timeout=PATIENCE,
                          env=home.environment(**environment), check=False)


@pytest.fixture
def song(tmp_path):
    file = tmp_path / "song.ferm"
    file.write_text(FOUR_NOTES)
    return file


def samples(file):
    """The rate and the left channel of a WAV file of 16 bits, by Python's reader."""
    with wave.open(str(file)) as sound:
        assert (sound.getnchannels(), sound.getsampwidth()) == (2, 2)
        both = array.array("h", sound.readframes(sound.getnframes()))
        if sys.byteorder == "big":
            both.byteswap()
        return sound.getframerate(), both[::2]


def power(values, frequency, rate):
    """At one frequency, in decibels (Goertzel 1958)."""
    factor = 2 * math.cos(2 * math.pi * frequency / rate)
    before = now = 0.0
    for x in values:
        before, now = now, x + factor * now - before
    return 10 * math.log10(now * now + before * before - factor * now * before + 1e-9)


def sounds(file, key, begin, end):
    """Whether this key, and no neighbour of it, is heard: by 15 decibels, where a held tone has more
    than 20 and everything else less than 10. Times in seconds; a longer part than half a second would
    be too strict with the tuning of the soundfont."""
    rate, left = samples(file)
    part = left[int(begin * rate):int(end * rate)]
    if max(map(abs, part)) < 50:
        return False
    at = [power(part, 440 * 2 ** ((k - 69) / 12), rate) for k in (key, key - 1, key + 1)]
    return at[0] > max(at[1:]) + 15


def test_a_score_is_heard_as_written(home, song, tmp_path):
    out = tmp_path / "song.wav"
    done = render(home, song, "-o", out)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"wrote {out} (")
    for key, begin in ((69, 0), (72, 0.5), (67, 1)):
        assert sounds(out, key, begin + 0.1, begin + 0.4), key
    assert not sounds(out, 72, 0.1, 0.4)
    rate, left = samples(out)
    assert rate == 48_000
    # A measure lasts two seconds, and the tail of the sound ten at most.
    assert 2 <= len(left) / rate < 12
    assert max(map(abs, left[-480:])) < 50
    assert max(map(abs, left)) > 1_000
    assert sorted(f.name for f in tmp_path.iterdir()) == ["song.ferm", "song.wav"]


def test_only_some_measures_and_parts_are_rendered(home, tmp_path):
    score, out = tmp_path / "duo.ferm", tmp_path / "out.wav"
    score.write_text('(part :alto-recorder :name "Upper" (measure (note a4 :w)) (measure (note c5 :w)))\n'
                     '(part :alto-recorder :name "Lower" (measure (note f4 :w)) (measure (note g4 :w)))\n')

    def heard(*args):
        done = render(home, score, "-o", out, *args)
        assert done.returncode == 0, done.stderr
        rate, left = samples(out)
        first = [k for k in (69, 72, 65, 67) if sounds(out, k, 0.2, 0.6)]
        second = [k for k in (69, 72, 65, 67) if len(left) > 3 * rate and sounds(out, k, 2.2, 2.6)]
        return first, second

    assert heard() == ([69, 65], [72, 67])
    assert heard("--part", "Upper") == ([69], [72])
    assert heard("--part", "Lower") == ([65], [67])
    assert heard("--part", "Lower", "--part", "Upper") == ([69, 65], [72, 67])
    assert heard("--measures", "2") == ([72, 67], [])
    assert heard("--measures", "2:", "--part", "Lower") == ([67], [])
    assert heard("--measures", ":1") == ([69, 65], [])


def test_exact_rendering_has_no_ornaments(home, tmp_path):
    score, out = tmp_path / "trill.ferm", tmp_path / "out.wav"
    score.write_text("(part :alto-recorder (measure (note a4 :w :trill)))\n")
    assert render(home, score, "-o", out).returncode == 0
    assert sounds(out, 69, 0.2, 0.7) and sounds(out, 71, 0.2, 0.7)
    assert render(home, score, "-o", out, "--exact").returncode == 0
    assert sounds(out, 69, 0.2, 0.6) and not sounds(out, 71, 0.2, 0.6)


def test_other_formats_have_their_marks(home, song, tmp_path):
    """FLAC (RFC 9639, section 8) and Ogg (RFC 3533, section 6) with Vorbis (Vorbis I, section 4.2)."""
    flac, ogg = tmp_path / "song.flac", tmp_path / "song.ogg"
    assert render(home, song, "-o", flac, "--sample-rate", 44100).returncode == 0
    data = flac.read_bytes()
    assert data[:4] == b"fLaC"
    about = int.from_bytes(data[18:26], "big")  # of STREAMINFO: rate, channels - 1, bits - 1, frames
    assert (about >> 44, (about >> 41 & 7) + 1, (about >> 36 & 31) + 1) == (44_100, 2, 24)
    assert 2 * 44_100 <= about & 0xF_FFFF_FFFF < 12 * 44_100
    assert render(home, song, "-o", ogg).returncode == 0
    data = ogg.read_bytes()
    assert data[:4] == b"OggS" and data[28:35] == b"\x01vorbis"
    assert (data[39], int.from_bytes(data[40:44], "little")) == (2, 48_000)
    last = data[data.rfind(b"OggS"):]
    assert last[5] & 4  # the end of the stream
    assert 2 * 48_000 <= int.from_bytes(last[6:14], "little") < 12 * 48_000


def test_standard_input_and_other_score_formats(home, song, tmp_path):
    first, second = tmp_path / "first.wav", tmp_path / "second.wav"
    assert render(home, "-", "-o", first, stdin=FOUR_NOTES).returncode == 0
    midi = tmp_path / "song.mid"
    subprocess.run([BINARY, "convert", song, midi], env=home.environment(), check=True, capture_output=True)
    assert render(home, midi, "-o", second).returncode == 0
    for file in (first, second):
        assert sounds(file, 69, 0.1, 0.4) and sounds(file, 67, 1.1, 1.4), file


def test_what_is_rendered_twice_is_the_same(home, song, tmp_path):
    first, second = tmp_path / "first.wav", tmp_path / "second.wav"
    for out in (first, second):
        assert render(home, song, "-o", out).returncode == 0
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("args, status, message", [
    (["{song}", "-o", "{folder}/song.mp3"], 1, "Use .wav, .flac or .ogg."),
    (["{song}", "-o", "{folder}/none/song.wav"], 1, "No such file or directory"),
    (["{song}", "-o", "{folder}"], 1, "Use .wav, .flac or .ogg."),
    (["{song}", "-o", "/proc/song.wav"], 1, "cannot write /proc/song.wav: "),
    (["{song}"], 2, "--output"),
    (["{folder}/none.ferm", "-o", "{out}"], 1, "none.ferm"),
    (["{song}", "-o", "{out}", "--soundfont", "{folder}/none.sf2"], 1, "there is no soundfont "),
    (["{song}", "-o", "{out}", "--soundfont", "{song}"], 1, "is not a soundfont"),
    (["{song}", "-o", "{out}", "--sample-rate", "1000"], 2, "--sample-rate"),
    (["{song}", "-o", "{out}", "--part", "Tuba"], 1, "Tuba"),
    (["{song}", "-o", "{out}", "--measures", "7"], 1, "7"),
])
def test_what_cannot_be_done_is_said_and_leaves_no_file(home, song, tmp_path, args, status, message):
    out = tmp_path / "out.wav"
    done = render(home, *(a.format(song=song, folder=tmp_path, out=out) for a in args))
    assert done.returncode == status, done.stderr
    assert message in done.stderr
    assert done.stdout == ""
    assert [f.name for f in tmp_path.iterdir()] == ["song.ferm"]


def test_a_damaged_soundfont_is_refused(home, song, tmp_path):
    whole = next(pathlib.Path(f) for f in SOUNDFONTS if os.path.exists(f))
    font = tmp_path / "cut.sf2"
    font.write_bytes(whole.read_bytes()[:10_000])
    done = render(home, song, "-o", tmp_path / "out.wav", "--soundfont", font)
    assert done.returncode == 1
    assert "cannot read the soundfont" in done.stderr and len(done.stderr.splitlines()) == 2, done.stderr
    assert not (tmp_path / "out.wav").exists()
    named = render(home, song, "-o", tmp_path / "out.wav", FERMATA_SOUNDFONT=str(font))
    assert named.returncode == 1


def test_a_full_disk_leaves_the_old_file(home, song, tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", small],
                                           capture_output=True, check=False).returncode != 0:
        pytest.skip("a small file system cannot be mounted here")
    try:
        out = small / "song.wav"
        out.write_text("precious")
        done = render(home, song, "-o", out)
        assert done.returncode == 1
        assert "No space left on device" in done.stderr, done.stderr
        assert [f.name for f in small.iterdir()] == ["song.wav"] and out.read_text() == "precious"
    finally:
        subprocess.run(["umount", small], check=True)


@pytest.fixture
def long_song(tmp_path):
    """Half an hour of chords."""
    file = tmp_path / "long.ferm"
    file.write_text("(part :piano " + "(measure (chord c3 e3 g3 c4 e4 g4 c5 :w)) " * 900 + ")\n")
    return file


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_rendering_leaves_the_old_file(home, long_song, tmp_path, number):
    folder = tmp_path / "out"
    folder.mkdir()
    out = folder / "long.wav"
    out.write_text("precious")
    process = subprocess.Popen(arguments(long_song, "-o", out), env=home.environment(),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + PATIENCE
    while len(list(folder.iterdir())) < 2:  # the new file
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.01)
    process.send_signal(number)
    said = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 128 + number
    assert said == f"fermata: interrupted; {out} was not written\n"
    assert [f.name for f in folder.iterdir()] == ["long.wav"] and out.read_text() == "precious"


def test_progress_is_shown_on_a_terminal_only(home, song, tmp_path):
    out = tmp_path / "song.wav"
    done = render(home, song, "-o", out)
    assert done.stderr == ""
    with pexpect.spawn("/bin/sh", ["-c", '"$0" "$@" >/dev/null', *arguments(song, "-o", out)],
                       env=home.environment(), timeout=PATIENCE) as child:
        shown = child.read()
    assert child.exitstatus == 0
    assert b"\r 50 %" in shown and b"\r100 %" in shown


def test_settings_apply_unless_an_option_is_given(home, song, tmp_path):
    """The loudness: playback-gain is in hundredths, so 20 halves 40: 6.02 dB less."""
    home.folder.mkdir()
    config = home.folder / "config.toml"

    def loudness(setting, *options):
        config.write_text(setting)
        out = tmp_path / "out.wav"
        done = render(home, song, "-o", out, *options)
        assert done.returncode == 0, done.stderr
        return max(abs(x) for x in samples(out)[1])

    loud, soft = loudness("playback-gain = 40\n"), loudness("playback-gain = 20\n")
    assert 1.9 < loud / soft < 2.1
    assert loudness("playback-gain = 20\n", "--gain", "0.4") == loud
    config.write_text('soundfont = "/nonexistent/a.sf2"\n')
    done = render(home, song, "-o", tmp_path / "none.wav")
    assert done.returncode == 1 and "/nonexistent/a.sf2" in done.stderr
