"""Music typed into a session goes where it belongs: its part, staff, measure and key."""

import re
import subprocess

import pytest
from support.program import BINARY


def evaluate(home, *texts):
    command = [BINARY, "eval"]
    for text in texts:
        command += ["-e", text]
    return subprocess.run(command, capture_output=True, text=True, env=home.environment())


def shown(home, *texts):
    done = evaluate(home, *texts)
    assert done.stderr == ""
    return done.stdout.splitlines()[-1]


def fault(home, *texts):
    done = evaluate(home, *texts)
    assert done.returncode != 0
    return done.stderr


def compiled(home, text):
    source = home.path / "piece.ferm"
    source.write_text(text)
    done = subprocess.run([BINARY, "compile", source], capture_output=True, text=True,
                          env=home.environment(), check=True)
    return done.stdout


def test_an_instruments_part_gets_its_clef_and_transposition_from_the_first_note(home):
    # Horn in F: a fifth lower, -4 steps and -7 semitones; the cello uses the F clef on line 4.
    horn = compiled(home, "(part :horn)\n(note c4 :w)\n")
    assert "<diatonic>-4</diatonic>" in horn and "<chromatic>-7</chromatic>" in horn
    cello = compiled(home, "(part :cello)\n(measure (note c3 :w))\n")
    assert re.search(r"<sign>F</sign>\s*<line>4</line>", cello)
    assert "(clef :bass)" in shown(home, "(part :cello)", "(note c3 :w)", "(selected (measures 1))")


def test_a_place_that_is_not_there_is_refused_and_nothing_changes(home):
    flute = "(score (part :flute (measure (note c4 :w))))"
    for edit in ("(at (select :measures 1 :beats 0) (f))", "(at (select :measures 1 :beats 9) (f))",
                 "(cursor :measure 1 :beat 9)"):
        assert "out-of-range" in fault(home, flute, edit)
    for edit in ("(at (measures 1) (score))", "(at 1 (part :flute))",
                 "(at (measures 1) (measure (note g4 :w)))"):
        assert "misplaced" in fault(home, flute, edit)


def test_the_key_in_the_form_decides_what_its_notes_are(home):
    assert shown(home, "(key-inference on)", "(key d :major)",
                 "(measure (key f :major) (note f4 :h) (note b4 :h))") \
        == "(measure (key :f :major) (note f4 :h) (note bb4 :h))"


def test_the_left_hand_is_written_in_its_own_voice(home):
    piano = "(part :piano (measure (staff 1 (note c5 :w)) (staff 2 (rest :measure))))"
    for typed in (["(at (select :staff 2 :measures 1) (note c3 :w))"],
                  ["(cursor :staff 2 :measure 1 :beat 1)", "(note c3 :w)"]):
        assert "(voice 5 :staff 2 (note c3 :w))" in shown(home, piano, *typed,
                                                          "(selected (measures 1))")


def test_music_goes_on_where_the_deleted_measure_was(home):
    last = shown(home, "(note c4 :w)", "(delete (measures 1))", "(note d4 :q)",
                 "(selected (measures 1 -1))")
    assert last.count("(measure") == 1 and "(note d4 :q)" in last


def test_a_part_without_measures_is_entered(home):
    last = shown(home, "(part :violin)", "(part :cello)", "(cursor :part 1)", "(note c5 :w)",
                 "(selected (measures 1))")
    assert "(clef :treble)" in last


def test_a_barline_between_notes_is_drawn_there(home):
    music = compiled(home, "(measure (note c4 :h) (barline :dashed) (note d4 :h))")
    assert '<barline location="middle">' in music
    assert music.index("<barline") < music.rindex("<note")
    assert '<barline location="left">' in compiled(
        home, "(measure (barline ending 1 start) (note c4 :w))")


def test_slurs_inside_each_other_are_numbered_in_the_file(home):
    music = compiled(home, '#p"c4:q((d e) f) |"')
    # The schema's default for the number is 1.
    ends = [re.search(r'type="(\w+)"', s)[1] + (re.findall(r'number="(\d+)"', s) or ["1"])[0]
            for s in re.findall(r"<slur [^>]*>", music)]
    assert sorted(ends) == ["start1", "start2", "stop1", "stop2"]


def test_a_tuplet_in_a_phrase_in_a_tuplet_says_its_ratio_in_the_file(home):
    music = compiled(home, '(measure (tuplet 3:2 (phrase "c4:8 {3:2 d:16 e f} g:8")) (rest :h.))')
    assert music.count("<tuplet-actual>") == 2 and music.count("<tuplet-normal>") == 2


def test_messages_name_the_bar_at_fault_and_the_word_that_was_meant(home):
    assert "measure 2: a quarter too long" in fault(home, '#p"c4:q d e f | g a b c d |"')
    assert "did you mean :quarter?" in fault(home, "(note c4 :quater)")
    assert "did you mean :angled?" in fault(home, "(note c4 :fermata angeled)")
    assert "both give the placement" in fault(home, "(p :below :above)")


def test_laying_out_a_program_twice_is_laying_it_out_once(home):
    source = home.path / "piece.ferm"
    source.write_text("(let [\n  ; tempo\n  x 1]\n  x)\n'(\n; c\n1)\n")
    once = subprocess.run([BINARY, "fmt", source], capture_output=True, text=True,
                          env=home.environment(), check=True).stdout or source.read_text()
    source.write_text(once)
    again = subprocess.run([BINARY, "fmt", source], capture_output=True, text=True,
                           env=home.environment(), check=True).stdout or source.read_text()
    assert again == once


def measure_numbers(xml):
    return [number + ("i" if implicit else "")
            for number, implicit in re.findall(r'<measure number="([^"]+)"( implicit="yes")?', xml)]


def test_a_pickup_is_measure_0_and_the_second_half_of_a_bar_is_not_counted(home):
    # MusicXML: implicit measures are not counted; files number them 0 and X1, X2.
    minuet = ("(key g :major)\n(time 3 4)\n(measure :pickup (note d4 :q))\n(note g4 :h.)\n"
              "(measure (note b4 :h))\n(measure :pickup (note d4 :q))\n(note g4 :h.)\n(note a4 :h.)\n")
    typed = compiled(home, minuet)
    assert measure_numbers(typed) == ["0i", "1", "2", "X1i", "3", "4"]
    written = compiled(home, "(score (part (key g :major) (time 3 4) " + minuet.split("\n", 2)[2] + "))")
    assert measure_numbers(written) == measure_numbers(typed)


def test_the_hands_of_a_pianist_stand_under_each_other(home):
    xml = compiled(home, "(part :piano)\n(staff 1 (note c5 :w))\n(staff 2 (note c3 :w))\n")
    assert measure_numbers(xml) == ["1"]
    assert re.findall(r"<staff>(\d)</staff>", xml) == ["1", "2"]


def notes_by_measure(xml):
    """The staff and pitch of every note, measure by measure."""
    return [re.findall(r"<step>(.)</step>.*?<staff>(\d)</staff>", measure, re.DOTALL)
            for measure in xml.split("<measure ")[1:]]


@pytest.mark.parametrize("header", ["(part :piano)\n", ""])
@pytest.mark.parametrize("typed", [
    '(staff :treble #p"c5:h d | e:w")\n(staff :bass #p"c3:w | g3:w")\n',
    '(staff 1 #p"c5:h d | e:w")\n(staff 2 #p"c3:w | g3:w")\n',
    '(staff 1 (measure #p"c5:h d") (measure #p"e5:w"))\n(staff 2 (measure #p"c3:w") (measure #p"g3:w"))\n',
    '(staff :treble #p"c5:h d")\n(staff :bass #p"c3:w")\n(staff :treble #p"e5:w")\n(staff :bass #p"g3:w")\n',
])
def test_two_lines_typed_after_another_are_the_two_hands(home, header, typed):
    xml = compiled(home, header + typed)
    assert notes_by_measure(xml) == [[("C", "1"), ("D", "1"), ("C", "2")], [("E", "1"), ("G", "2")]]
    assert re.findall(r"<sign>(.)</sign>", xml) == ["G", "F"]


def test_two_voices_of_measures_typed_after_another_sound_together(home):
    xml = compiled(home, '(voice 1 (measure #p"c5:w") (measure #p"d5:w"))\n'
                         '(voice 2 (measure #p"e4:w") (measure #p"f4:w"))\n')
    assert measure_numbers(xml) == ["1", "2"]
    assert re.findall(r"<voice>(\d)</voice>", xml) == ["1", "2", "1", "2"]


def test_a_measure_is_written_on_the_staff_of_the_cursor(home):
    hands = '(part :piano (staff 1 #p"c5:w d") (staff 2 #p"c3:w"))\n'
    xml = compiled(home, hands + '(cursor :staff 2)\n(measure #p"e3:w")\n')
    assert notes_by_measure(xml) == [[("C", "1"), ("C", "2")], [("D", "1"), ("E", "2")]]


def test_a_metre_or_key_said_in_the_lower_staff_holds_for_both(home):
    upper, lower = "(measure (note c5 :q) (note d5 :h))", "(measure {} (note c3 :h.))"
    for layers in (f"(staff 1 {upper}) (staff 2 {lower})", f"(voice 1 {upper}) (voice 2 {lower})",
                   f"(staff 2 {lower}) (staff 1 {upper})"):
        xml = compiled(home, f"(score (part :piano {layers.format('(time 3 4) (key d :major)')}))")
        assert re.findall(r"<beats>(\d)</beats>", xml) == ["3"], layers
        assert re.findall(r"<fifths>(-?\d)</fifths>", xml) == ["2"], layers
        assert xml.index("<beats>") < xml.index("<note>")
    assert "overfull-measure" in fault(
        home, '(score (part :piano (staff 1 (measure #p"c5:q d e:h")) (staff 2 (measure (time 3 4) '
              '(note c3 :h.)))))')


def test_a_metre_of_the_lower_staff_is_read_backwards_twice(home):
    piece = "(score (part (staff 1 (measure (voice 2 (chord (fb6))))) (staff 2 (measure (time (3+2 8))))))"
    once = compiled(home, f"(retrograde {piece})")
    assert re.findall(r"<beats>(.*?)</beats>", once) == ["3+2"]
    assert shown(home, f"(retrograde (retrograde {piece}))").count("(time ") == 1


def test_staves_that_something_stands_on_are_in_the_file(home):
    for measure in ("(note c4 :w :staff 2)", "(clef :bass :staff 2) (note c4 :w)",
                    "(voice 2 :staff 2 (note c4 :w))"):
        for text in (f"(score (part :flute (measure {measure})))", f"(part :flute)\n(measure {measure})"):
            xml = compiled(home, text)
            assert "<staves>2</staves>" in xml, text
            clefs = re.findall(r'<clef(?: number="(\d)")?>\s*<sign>(.)</sign>', xml)
            assert sorted((number or "1", sign) for number, sign in clefs) == [
                ("1", "G"), ("2", "F")], text


def test_the_staves_of_a_system_begin_alike(home):
    # The clarinet in B flat is written in A major when G major sounds; drums have no key signature.
    xml = compiled(home, "(score (part :flute (measure (key g :major) (note c5 :h.)))"
                         "(part :clarinet (measure (time 3 4) (note c5 :h.)))"
                         "(part :drums (measure (clef :percussion) (note c5 :h.))))")
    assert re.findall(r"<fifths>(-?\d)</fifths>", xml) == ["1", "3", "0"]
    assert re.findall(r"<beats>(\d)</beats>", xml) == ["3", "3", "3"]


def test_a_tuplet_is_tied_over_the_barline_inside_its_ratio(home):
    for text in ("(note c4 :h.)\n(tuplet 3:2 (note c4 :q) (note d4 :q) (note e4 :q))\n",
                 "(score (part (note c4 :h.) (tuplet 3:2 (note c4 :q) (note d4 :q) (note e4 :q))))"):
        xml = compiled(home, text)
        assert measure_numbers(xml) == ["1", "2"]
        notes = re.findall(r"<step>(.)</step>.*?<type>(\w+)</type>", xml, re.S)
        assert notes == [("C", "half"), ("C", "quarter"), ("D", "eighth"), ("D", "eighth"),
                         ("E", "quarter")]
        assert re.findall(r'<tuplet type="(\w+)"', xml) == ["start", "stop"] * 2
        assert re.findall(r'<tied type="(\w+)"', xml) == ["start", "stop"]
    refused = fault(home, "(note c4 :h.) (note d4 :8.) (tuplet 3:2 (note c4 :q) (note d4 :q) (note e4 :q))")
    assert "overfull-measure" in refused


def test_a_preview_goes_as_far_as_the_thing_itself(home):
    assert "Piano removed" in shown(home, "(note c4 :w) (delete (measures 1))")
    assert "no difference" in shown(home, "(preview (do (add (note c4 :w)) (delete (measures 1))))")
    assert "no-such-target" in fault(home, "(preview (do (add (note c4 :w)) (delete (measures 2))))")
