#include "io/lilypond/export.hpp"

#include "io/musicxml/container/read.hpp"
#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace fermata::io::export_test {

using namespace fermata::testing;

namespace {

std::string written(const score& s) { return io::lilypond::write(s); }

std::vector<std::string> losses(const score& s) {
  std::vector<diagnostic> found;
  io::lilypond::write(s, {}, &found);
  std::vector<std::string> messages;
  for (auto& d : found) {
    CHECK(d.code == errc::left_out);
    messages.push_back(d.message);
  }
  return messages;
}

bool holds(const std::string& text, const std::string& part) {
  if (text.find(part) == std::string::npos) UNSCOPED_INFO("looked for " << part << " in\n" << text);
  return text.find(part) != std::string::npos;
}

score_ptr from(std::vector<measure> measures) {
  return make_score({make_part(std::move(measures))});
}

chord_rest& chord(measure& m, std::size_t item) {
  return std::get<chord_rest>(m.items[item].content);
}

}  // namespace

TEST_CASE("notes are written in LilyPond's names and octaves") {
  // LilyPond notation reference 1.1.1: c is the c below middle c; is, es, ih, eh.
  CHECK(holds(written(*one_part({"c4:q d#5:8 eb3:8 <f#4_bb2>:h"})),
              "c'4 dis''8 ees8 <fis' bes,>2 | % 1"));
  CHECK(holds(written(*one_part({"c##4:q. r:8 c-1:h"})), "cisis'4. r8 c,,,,2 |"));
}

TEST_CASE("key, time and clef stand before the measure that they change") {
  auto m = bar("c4:h. ");
  auto a = with_time(3, 4);
  a.keys.push_back({std::nullopt, *key_on({step::b, -100}, mode::minor), {}});
  a.clefs.push_back({std::nullopt, clef{"G", 2, -1}, {}});
  lead(m, a);
  CHECK(holds(written(*from({m})),
              "\\clef \"treble_8\" \\key bes \\minor \\numericTimeSignature \\time 3/4"));
}

TEST_CASE("a pickup is partial, an incomplete measure has its own length") {
  auto pickup = bar("g4:q", "0");
  pickup.implicit = true;
  lead(pickup, with_time(4, 4));
  auto text = written(*from({pickup, bar("c5:w", "1"), bar("c5:h", "2"), bar("c5:w", "3")}));
  CHECK(holds(text, "\\partial 1*1/4"));
  CHECK(holds(text, "\\set Timing.measureLength = #(ly:make-moment 1/2)"));
  CHECK(holds(text, "\\set Timing.measureLength = #(ly:make-moment 1/1)"));
}

TEST_CASE("tuplets are brackets around undiminished values") {
  auto m = bar("c4:8 d4:8 e4:8 f4:q g4:h");
  for (std::size_t i = 0; i < 3; ++i) {
    chord(m, i).length = quarters{rational{1, 3}};
    chord(m, i).tuplet = time_modification{3, 2, std::nullopt};
    m.items[i].at = measure_position{rational{static_cast<int>(i), 3}};
  }
  m.items[3].at = measure_position{1};
  m.items[4].at = measure_position{2};
  chord(m, 0).notes[0].spanners.push_back({spanner_kind::tuplet, span_end::start, 1, "", {}});
  chord(m, 2).notes[0].spanners.push_back({spanner_kind::tuplet, span_end::stop, 1, "", {}});
  CHECK(holds(written(*from({m})), "\\tuplet 3/2 { c'8 d'8 e'8 } f'4 g'2 |"));
}

TEST_CASE("ties are on the notes that are tied, slurs on chords") {
  auto m = bar("<c4_e4>:h <c4_f4>:h");
  chord(m, 0).notes[0].tie.start = true;
  chord(m, 1).notes[0].tie.stop = true;
  CHECK(holds(written(*from({m})), "<c'~ e'>2 <c' f'>2 |"));
  CHECK(holds(written(*one_part({"c4:q( d4:q) e4:h"})), "c'4( d'4) e'2 |"));
}

TEST_CASE("repeats and endings become repeat commands") {
  auto one = bar("c4:w", "1"), first = bar("d4:w", "2"), second = bar("e4:w", "3");
  barline start, open, back;
  start.location = open.location = "left";
  start.repeat = "forward";
  open.ending_type = "start";
  open.ending_numbers = "1";
  back.repeat = "backward";
  back.ending_type = "stop";
  lead(one, start);
  lead(first, open);
  first.items.push_back({measure_position{4}, back});
  open.ending_numbers = "2";
  lead(second, open);
  auto text = written(*from({one, first, second}));
  CHECK(holds(text, "\\set Score.repeatCommands = #'(start-repeat)"));
  CHECK(holds(text, "\\set Score.repeatCommands = #'((volta \"1.\"))"));
  CHECK(holds(text, "\\set Score.repeatCommands = #'((volta #f) end-repeat (volta \"2.\"))"));
}

TEST_CASE("text cannot break out of its quotes") {
  auto s = *one_part({"c4:w"});
  s.header.work_title = "A \"B\" \\C\n} \\include \"x\"";
  CHECK(holds(written(s), "title = \"A \\\"B\\\" \\\\C } \\\\include \\\"x\\\"\""));
}

TEST_CASE("what has no counterpart is told once per kind, with number and place") {
  auto m = bar("c4:h d4:h", "7");
  chord(m, 0).notes[0].marks.push_back({mark_kind::scoop, "", {}});
  chord(m, 1).notes[0].marks.push_back({mark_kind::scoop, "", {}});
  figured_bass odd;
  odd.figures.push_back({"", "X", "", {}});
  m.items.push_back({measure_position{}, odd});
  auto found = losses(*from({bar("c4:w"), m}));
  CHECK(found ==
        std::vector<std::string>{"left out for LilyPond: scoop marks (2, first in measure 7)",
                                 "left out for LilyPond: figures \"X\" (1, first in measure 7)"});
}

TEST_CASE("two dynamics at one place are both written") {
  auto m = bar("c4:w");
  direction d;
  d.types.push_back(dynamics{{"p"}, {}});
  lead(m, d);
  std::get<dynamics>(d.types[0]).values = {"sfz"};
  lead(m, d);
  CHECK(holds(written(*from({m})), "<>-\\sfz <>_\\markup { \\dynamic \"p\" } s1*1/1 |"));
}

TEST_CASE("voices that meet on one staff turn away from each other, wherever they are at home") {
  auto m = bar("c5:h d5:h");
  add_voice(m, "c3:h g4:h", "2", 2);
  std::get<chord_rest>(m.items[3].content).staff = 1;
  auto n = bar("c5:w", "2");
  add_voice(n, "c3:w", "2", 2);
  auto text = written(*from({m, n}));
  for (auto line : {"\\voiceOne c''2 d''2 | % 1", "\\oneVoice c''1 | % 2",
                    "\\voiceTwo c2 \\change Staff = \"P1s1\" g'2 | % 1",
                    "\\oneVoice \\change Staff = \"P1s2\" c1 | % 2"})
    CHECK(holds(text, line));
}

TEST_CASE("figures are a line of figured bass below the part") {
  // LilyPond notation reference 2.7.3: <6 4>, _+ for a lone sharp, - for a flat, \\\\ for a stroke.
  auto m = bar("c3:h g3:h");
  figured_bass first, second, third;
  first.figures = {{"", "6", "", {}}, {"", "4", "", {}}};
  first.length = second.length = quarters{1};
  second.figures = {{"", "5", "backslash", {}}, {"sharp", "", "", {}}};
  third.figures = {{"flat", "7", "", {}}};
  m.items.insert(m.items.begin(), {measure_position{}, second});
  m.items.insert(m.items.begin(), {measure_position{}, first});
  m.items.insert(m.items.end() - 1, {measure_position{2}, third});
  auto s = from({m});
  CHECK(holds(written(*s), "\\new FiguredBass \\figuremode {\n"));
  // Two before one note follow each other; the last goes on to the end.
  CHECK(holds(written(*s), "<6 4>1*1/4\n"));
  CHECK(holds(written(*s), "<5\\\\ _+>1*1/4\n"));
  CHECK(holds(written(*s), "<7->1*1/2\n"));
  CHECK(losses(*s).empty());
}

TEST_CASE("a staff with a TAB clef is tablature with its strings") {
  auto m = bar("e2:h b3:h");
  attributes a;
  a.clefs.push_back({std::nullopt, clef{"TAB", 5, 0}, {}});
  a.others.push_back(
      {"<staff-details><staff-lines>4</staff-lines>"
       "<staff-tuning line=\"1\"><tuning-step>E</tuning-step><tuning-octave>1</tuning-octave>"
       "</staff-tuning><staff-tuning line=\"2\"><tuning-step>A</tuning-step><tuning-octave>1"
       "</tuning-octave></staff-tuning></staff-details>"});
  // A bass sounds an octave lower than it is written; strings are given as they sound.
  a.transpositions.push_back({std::nullopt, transposition{.octaves = -1}, {}});
  lead(m, a);
  auto text = written(*from({m}));
  CHECK(holds(text, "\\new TabStaff"));
  CHECK(holds(text, "stringTunings = \\stringTuning <e, a,>"));
  CHECK(holds(text, "\\new TabVoice"));
  CHECK(losses(*from({m})).empty());
}

TEST_CASE("percussion of the General MIDI map is written by name") {
  auto m = bar("c4:q c4:q r:h");
  auto hit = [&](std::size_t item, const char* instrument, step place, int octave) {
    auto& n = chord(m, item).notes[0];
    n.tone = unpitched{place, octave};
    n.instrument = instrument;
  };
  hit(0, "snare", step::c, 5);
  hit(1, "kick", step::f, 4);
  part p;
  p.name = "Drums";
  p.instruments = {{.id = "snare", .name = "Snare"}, {.id = "kick", .name = "Kick"}};
  p.instruments[0].midi_unpitched = 39;  // General MIDI key 38, counted from 1
  p.instruments[1].midi_unpitched = 37;
  p.measures.push_back(std::make_shared<const measure>(m));
  auto s = make_score({std::make_shared<const part>(p)});
  auto text = written(*s);
  CHECK(holds(text, "\\new DrumStaff"));
  CHECK(holds(text, "\\drummode"));
  CHECK(holds(text, "acousticsnare4 bassdrum4 r2 |"));
  // c5 is the third space, one step above the middle line; f4 the first space.
  CHECK(holds(text, "(acousticsnare default #f 1)(bassdrum default #f -3)"));
}

TEST_CASE("cue notes are small, and the notes behind them are not") {
  auto m = bar("c4:q d4:q e4:q f4:q");
  chord(m, 1).cue = chord(m, 2).cue = true;
  CHECK(holds(written(*from({m})), "c'4 \\set fontSize = #-3 d'4 e'4 \\unset fontSize f'4 |"));
}

TEST_CASE("a tie from one voice into another is the matter of the staff") {
  auto m = bar("c5:h~ r:h");
  add_voice(m, "e4:h c5:h", "2");
  chord(m, 3).notes[0].tie.stop = true;
  auto s = from({m});
  CHECK(holds(written(*s), "\\consists Tie_engraver"));
  CHECK(holds(written(*s), "c''2~ r2"));
  CHECK(losses(*s).empty());
}

TEST_CASE("a plain piece loses nothing") { CHECK(losses(*one_part({"c4:q d4:q e4:h"})).empty()); }

// --- with LilyPond itself ------------------------------------------------------------------------

namespace {

/// Onset in 48ths of a quarter and key of the notes of a Standard MIDI File.
using heard_notes = std::vector<std::pair<long, int>>;

heard_notes notes_of(const std::string& midi) {
  std::size_t at = 0;
  auto byte = [&] { return static_cast<unsigned char>(midi.at(at++)); };
  auto number = [&](int bytes) {
    unsigned long n = 0;
    for (; bytes > 0; --bytes)
      n = n << 8 | byte();
    return n;
  };
  auto variable = [&] {
    unsigned long n = 0;
    for (;;) {
      auto b = byte();
      n = n << 7 | (b & 127u);
      if (b < 128) return n;
    }
  };
  at = 10;
  auto tracks = number(2), division = number(2);
  heard_notes found;
  for (; tracks > 0; --tracks) {
    at += 4;
    auto end = number(4);
    end += at;
    unsigned long now = 0;
    unsigned status = 0;
    while (at < end) {
      now += variable();
      if (static_cast<unsigned char>(midi.at(at)) >= 128) status = byte();
      if (status == 0xff) {
        byte();
        auto length = variable();
        at += length;
      } else if (status == 0xf0 || status == 0xf7) {
        auto length = variable();
        at += length;
      } else if (status >> 4 == 0xc || status >> 4 == 0xd) {
        byte();
      } else {
        int key = byte(), velocity = byte();
        if (status >> 4 == 9 && velocity > 0)
          found.emplace_back(
              std::lround(static_cast<double>(now) * 48 / static_cast<double>(division)), key);
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

struct lilypond_run {
  std::string said;  ///< warnings and errors only
  std::map<std::string, heard_notes> played;
};

std::string contents(const std::filesystem::path& file) {
  std::ifstream in{file, std::ios::binary};
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Runs LilyPond over scores, without drawing pages; nothing when it is not installed.
std::optional<lilypond_run> run_lilypond(
    const std::vector<std::pair<std::string, score_ptr>>& scores) {
  if (std::system("command -v lilypond >/dev/null 2>&1") != 0) return std::nullopt;
  auto folder =
      std::filesystem::temp_directory_path() / ("fermata-lilypond-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::string names;
  for (auto& [name, s] : scores) {
    std::ofstream{folder / (name + ".ly")} << io::lilypond::write(*s, {true});
    names += " " + name + ".ly";
  }
  auto command = "cd '" + folder.string() +
                 "' && lilypond -dno-point-and-click -dno-print-pages --loglevel=WARNING" + names +
                 " 2>&1";
  lilypond_run run;
  auto* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe);
  char buffer[4096];
  while (auto n = std::fread(buffer, 1, sizeof buffer, pipe))
    run.said.append(buffer, n);
  if (::pclose(pipe) != 0) run.said += "\nLilyPond failed";
  for (auto& [name, s] : scores)
    if (auto file = folder / (name + ".midi"); std::filesystem::exists(file))
      run.played[name] = notes_of(contents(file));
  std::filesystem::remove_all(folder);
  return run;
}

heard_notes expected(const std::string& name) {
  std::ifstream in{std::filesystem::path{FERMATA_TEST_DATA} / "oracles" / "consensus-midi" /
                   (name + ".tsv")};
  std::string header;
  std::getline(in, header);
  heard_notes notes;
  long onset;
  int key;
  while (in >> onset >> key)
    notes.emplace_back(onset, key);
  std::sort(notes.begin(), notes.end());
  return notes;
}

score_ptr imported(const std::string& name) {
  auto file = std::filesystem::path{FERMATA_TEST_DATA} / "oracles" / "kainhofer" / (name + ".xml");
  auto r = io::musicxml::read(contents(file), name);
  REQUIRE(r);
  return r->score;
}

}  // namespace

TEST_CASE("LilyPond reads and plays what is written as two other players play the original") {
  // Every bar check is included in the first part. The second compares with the consensus of
  // MuseScore and Verovio (tests/data/oracles); LilyPond unfolds no repeats, has graces and
  // tremolos its own way, and plays chord symbols, so files with those are only read.
  const std::vector<std::string> played{"01b-Pitches-Intervals",
                                        "02d-Rests-Multimeasure-TimeSignatures",
                                        "11c-TimeSignatures-Complex",
                                        "12a-Clefs",
                                        "13b-KeySignatures-ChurchModes",
                                        "21c-Chords-ThreeNotesDuration",
                                        "21e-Chords-PickupMeasures",
                                        "31c-MetronomeMarks",
                                        "33b-Spanners-Tie",
                                        "33c-Spanners-Slurs",
                                        "33g-Slur-ChordedNotes",
                                        "42b-MultiVoice-MidMeasureClefChange",
                                        "43a-PianoStaff",
                                        "43h-MultiStaff-Chords",
                                        "43i-MultiStaff-StaffChange-SingleVoice",
                                        "46d-PickupMeasure-ImplicitMeasures",
                                        "46f-IncompleteMeasures",
                                        "46i-OverfullMeasures",
                                        "61d-Lyrics-Melisma",
                                        "61j-Lyrics-Elisions",
                                        "72a-TransposingInstruments"};
  const std::vector<std::string> only_read{
      "23e-Tuplets-Tremolo",           "24f-GraceNote-Slur",  "24g-GraceNote-Dynamics",
      "45b-RepeatWithAlternatives",    "45h-Repeats-Partial", "71f-AllChordTypes",
      "45k-Repeats-Chords-FiguredBass"};
  // One start of the program for all of them: it takes longer than the music.
  std::vector<std::pair<std::string, score_ptr>> scores;
  for (auto& names : {played, only_read})
    for (auto& name : names)
      scores.emplace_back(name, imported(name));
  for (auto* name : {"71e-TabStaves", "73a-Percussion", "74a-FiguredBass", "22a-Noteheads",
                     "23d-Tuplets-Nested", "24a-GraceNotes", "31a-Directions", "32a-Notations",
                     "33a-Spanners", "34c-Font-Size", "45d-Repeats-MultipleEndings"}) {
    auto file = std::filesystem::path{FERMATA_TEST_DATA} / "musicxml" / "kainhofer" /
                (std::string{name} + ".xml");
    auto r = io::musicxml::read(contents(file), name);
    REQUIRE(r);
    scores.emplace_back(name, r->score);
  }
  auto run = run_lilypond(scores);
  if (!run) {
    WARN("LilyPond is not installed: its check of the export was skipped");
    return;
  }
  CHECK(run->said == "");
  for (auto& name : played) {
    INFO(name);
    CHECK(run->played[name] == expected(name));
  }
}

}  // namespace fermata::io::export_test
