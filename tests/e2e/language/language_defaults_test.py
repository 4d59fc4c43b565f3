"""Ascending chords, remembered staves, a written tempo: through the real program to MusicXML."""

import re
import subprocess

import pytest
from support.program import BINARY, PATIENCE, run_script


def compiled(home, text):
    source = home.path / "piece.ferm"
    source.write_text(text)
    done = subprocess.run([BINARY, "compile", source], capture_output=True, text=True, timeout=PATIENCE,
                          env=home.environment(), check=True)
    return done.stdout


def pitches(xml):
    return [step + {"-1": "b", "1": "#"}.get(alter, "") + octave for step, alter, octave in re.findall(
        r"<step>(.)</step>\s*(?:<alter>(.*?)</alter>\s*)?<octave>(.)</octave>", xml)]


@pytest.mark.parametrize("phrase, expected", [
    ("<eb2 eb>:h", ["Eb2", "Eb3"]), ("<bb2 d f>:h", ["Bb2", "D3", "F3"]), ("<c4 e g>:h", ["C4", "E4", "G4"]),
    ("<c4 g3>:h", ["C4", "G3"]),
])
def test_the_pitches_of_a_chord_go_up(home, phrase, expected):
    assert pitches(compiled(home, f'#p"{phrase}"\n')) == expected


def test_the_tempo_of_the_defaults_is_written_and_played(home):
    xml = compiled(home, "(defaults :tempo 72)\n(note c4 :q)\n")
    assert re.search(r"<beat-unit>quarter</beat-unit>\s*<per-minute>72</per-minute>", xml)
    assert '<sound tempo="72"' in xml and xml.count("per-minute>") == 2
    done = run_script(home, ":session set tempo 72\n(note c4 :q)\n:score\n")
    assert b"(tempo :q 72)" in done.stdout, done


def test_the_left_hand_stays_when_the_right_hand_is_written_anew(home):
    done = run_script(home, "(part :piano (staff 1 (measure (note c5 :w)) (measure (note d5 :w))) "
                      "(staff 2 (measure (note c3 :w)) (measure (note d3 :w))))\n"
                      "(replace (measures 2) (measure (note g5 :w)))\n:score\n")
    said = done.stdout.decode()
    assert "staff 2 kept" in said and "(note d3" in said and "(note g5" in said and "(note d5" not in said.split("kept")[1]
