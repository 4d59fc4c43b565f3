#include "evaluated.hpp"

namespace fermata::compile_test {

using namespace fermata::test;

TEST_CASE("an overfull measure says where and by how much") {
  // language.md, section 9.
  auto d = compile_fault_of("(score (part (measure) (measure) (measure (note c4 :h) (note d4 :q) "
                            "(note g4 :8) (note a4 :q))))");
  CHECK(d.code == errc::overfull_measure);
  CHECK(d.message == "measure 3: an eighth too long for 4/4 after g4");
  CHECK(compile_fault_of("(measure (note c4 :w) (note d4 :q))").message ==
        "measure 1: a quarter too long for 4/4 after c4");
  CHECK(compile_fault_of("(measure (time 3 4) (note c4 :w))").message ==
        "measure 1: a quarter too long for 3/4 at c4");
}

TEST_CASE("the error of an overfull measure points at the note") {
  std::string text = "(measure (note c4 :w) (note d4 :q))";
  auto d = compile_fault_of(text);
  REQUIRE(d.span);
  CHECK(text.substr(d.span->begin, d.span->end - d.span->begin) == "(note d4 :q)");
}

TEST_CASE("faults of several measures are all told") {
  auto s = compile_score(*music_of("(part (measure (note c4 :w.)) (measure (note c4 :breve)))"));
  REQUIRE_FALSE(s);
  CHECK(s.error().diagnostics.size() == 2);
}

TEST_CASE("a measure may hold less than its time signature") {
  CHECK(score_of("(measure (note c4 :q))").parts[0]->measures.size() == 1);
}

TEST_CASE("voices start together at the beginning of their measure") {
  auto s = score_of("(measure (voice 1 (note c5 :h) (note d5 :h)) (voice 2 (note e4 :w)))");
  auto notes = rhythm_of(s);
  REQUIRE(notes.size() == 3);
  CHECK(notes[1].first == rational{2});
  CHECK(notes[2].first == rational{0});
  CHECK(notes[2].second.voice == "2");
}

TEST_CASE("a staff of a piano has its voices and clef") {
  auto s =
      score_of("(part :piano (staff 1 (measure (note c5 :w))) (staff 2 (measure (note c3 :w))))");
  auto notes = rhythm_of(s);
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].second.staff == 1);
  CHECK(notes[1].second.staff == 2);
  CHECK(notes[1].second.voice != notes[0].second.voice);
  CHECK(notes[1].first == rational{0});
  const auto a = first_in<attributes>(s);
  CHECK(a.staves == 2);
  REQUIRE(a.clefs.size() == 2);
  CHECK(a.clefs[0].value == *find_clef("treble"));
  CHECK(a.clefs[1].value == *find_clef("bass"));
}

TEST_CASE("staves by clef name make a grand staff") {
  auto s = score_of("(part (staff :treble (measure (note c5 :w)) (measure (note d5 :w))) "
                    "(staff :bass (measure (note c3 :w)) (measure (note d3 :w))))");
  CHECK(s.parts[0]->measures.size() == 2);
  CHECK(rhythm_of(s, 0, 1).size() == 2);
  CHECK(first_in<attributes>(s).staves == 2);
  CHECK(first_in<attributes>(s).clefs.size() == 2);
}

TEST_CASE("notes without measures fill them and are tied over barlines") {
  auto s = score_of("(part (note c4 :h.) (note d4 :h) (note e4 :h.))");
  REQUIRE(s.parts[0]->measures.size() == 2);
  auto first = rhythm_of(s, 0, 0), second = rhythm_of(s, 0, 1);
  REQUIRE(first.size() == 2);
  REQUIRE(second.size() == 2);
  // d4 is a half: one quarter before the barline, one after it.
  CHECK(first[1].second.length == quarters{1});
  CHECK(first[1].second.notes[0].tie.start);
  CHECK(second[0].second.length == quarters{1});
  CHECK(second[0].second.notes[0].tie.stop);
  CHECK(std::get<pitch>(second[0].second.notes[0].tone) == pitch{step::d, 0, 4});
  CHECK(s.parts[0]->measures[1]->number == "2");
}

TEST_CASE("a bar check that is wrong says what is missing") {
  CHECK(compile_fault_of("(part (note c4 :h.) (bar))").message ==
        "measure 1: the bar is not full here, a quarter is missing");
  CHECK(compile_fault_of("(measure (note c4 :h) (bar))").code == errc::bar_not_full);
  CHECK(score_of("(part (note c4 :w) (bar) (note d4 :w) (bar 2))").parts[0]->measures.size() == 2);
}

TEST_CASE("nested tuplets multiply and say their ratios") {
  // A triplet of quarters whose first is a triplet of eighths: 2/3 * 2/3 * 1/2 = 2/9 of a quarter.
  auto s = score_of("(measure (tuplet 3:2 (tuplet 3:2 (note c4 :8) (note d4 :8) (note e4 :8)) "
                    "(note f4 :q) (note g4 :q)))");
  auto notes = rhythm_of(s);
  REQUIRE(notes.size() == 5);
  CHECK(notes[0].second.length == quarters{rational(2, 9)});
  CHECK(notes[0].second.tuplet->actual == 9);
  CHECK(notes[0].second.tuplet->normal == 4);
  CHECK(notes[3].first == rational(2, 3));
  REQUIRE(notes[0].second.notes[0].spanners.size() == 2);
  CHECK(notes[0].second.notes[0].spanners[0].number == 1);
  CHECK(notes[0].second.notes[0].spanners[1].number == 2);
  CHECK(score_of(print_score(s)) == s);
}

TEST_CASE("a tuplet of one note begins and ends") {
  auto notes = rhythm_of(score_of("(measure (tuplet 3:2 (note c4 :q)))"));
  REQUIRE(notes[0].second.notes[0].spanners.size() == 2);
  CHECK(notes[0].second.notes[0].spanners[0].end == span_end::start);
  CHECK(notes[0].second.notes[0].spanners[1].end == span_end::stop);
}

TEST_CASE("two, four and six get the ratios musicians mean") {
  auto ratio = [](const char* text) {
    auto t = rhythm_of(score_of(text)).at(0).second.tuplet;
    return std::pair{t->actual, t->normal};
  };
  // The original made 2:1 and 6:5 of them.
  CHECK(ratio("(measure (time 6 8) (tuplet 2 (note c4 :8) (note d4 :8)))") == std::pair{2, 3});
  CHECK(ratio("(measure (tuplet 6 (note c4 :16)))") == std::pair{6, 4});
  CHECK(ratio("(measure (tuplet (3 2) (note c4 :8)))") == std::pair{3, 2});
  CHECK(ratio("(measure (tuplet 6:4 (note c4 :16)))") == std::pair{6, 4});
  CHECK(fault_of("(tuplet 0:2 (note c4 :8))").code == errc::invalid_tuplet);
}

TEST_CASE("a whole-measure rest lasts its measure whatever the metre") {
  auto notes = rhythm_of(score_of("(measure (time 3 4) (rest :w :measure))"));
  CHECK(notes.at(0).second.length == quarters{3});
}

TEST_CASE("repeats and endings become the barlines of MusicXML") {
  auto s = score_of("(part (repeat (measure (note c4 :w)) (ending 1 (measure (note d4 :w))) "
                    "(ending 2 (measure (note e4 :w)))))");
  auto lines = [&](std::size_t m) {
    std::vector<barline> out;
    for (const auto& item : s.parts[0]->measures[m]->items)
      if (auto b = std::get_if<barline>(&item.content)) out.push_back(*b);
    return out;
  };
  REQUIRE(s.parts[0]->measures.size() == 3);
  CHECK(lines(0).at(0).repeat == "forward");
  CHECK(lines(1).at(0).ending_type == "start");
  CHECK(lines(1).at(1).ending_type == "stop");
  CHECK(lines(1).at(1).repeat == "backward");
  CHECK(lines(2).at(0).ending_numbers == "2");
  CHECK(lines(2).at(1).repeat.empty());
}

TEST_CASE("a double repeat sign is backward on the right and forward on the next left") {
  auto s = score_of("(part (measure (note c4 :w) (barline :repeat-both)) (measure (note d4 :w)))");
  CHECK(first_in<barline>(s, 0, 0).repeat == "backward");
  CHECK(first_in<barline>(s, 0, 0).location == "right");
  CHECK(first_in<barline>(s, 0, 1).repeat == "forward");
  CHECK(first_in<barline>(s, 0, 1).location == "left");
}

TEST_CASE("a pickup is measure 0 and is not counted") {
  auto s = score_of("(part (measure :pickup (note g4 :q)) (measure (note c5 :w)))");
  CHECK(s.parts[0]->measures[0]->number == "0");
  CHECK(s.parts[0]->measures[0]->implicit);
  CHECK(s.parts[0]->measures[1]->number == "1");
}

TEST_CASE("two parts with the same id are refused") {
  CHECK(compile_fault_of("(score (part :id A) (part :id A))").code == errc::invalid_score);
  auto s = score_of("(score (part :id P1) (part) (part))");
  CHECK(s.parts[1]->id == "P2");
  CHECK(s.parts[2]->id == "P3");
}

TEST_CASE("key and time before the parts hold for all of them, a tempo stands above the first") {
  auto s = score_of(
      "(score (tempo \"Allegro\" :q 120) (time 3 4) (part :violin (measure (note c5 :h.))) "
      "(part :viola (measure (note c4 :h.))))");
  CHECK(first_in<attributes>(s, 0).times.at(0).value.fractions.at(0).beats.at(0) == 3);
  CHECK(first_in<attributes>(s, 1).times.at(0).value.fractions.at(0).beats.at(0) == 3);
  CHECK(first_in<direction>(s, 0).sound->attribute("tempo") == "120");
  for (const auto& item : s.parts[1]->measures[0]->items)
    CHECK_FALSE(std::holds_alternative<direction>(item.content));
}

TEST_CASE("bare measures and notes in a score are its first part") {
  CHECK(score_of("(score (measure (note c4 :w)) (measure (note d4 :w)))").parts.size() == 1);
  CHECK(score_of("(score (note c4 :w) (note d4 :w))").parts.at(0)->measures.size() == 2);
}

TEST_CASE("a group brackets its parts") {
  auto s = score_of(
      "(score (group :bracket :name \"Strings\" (part :violin) (part :cello)) (part :piano))");
  REQUIRE(s.part_list.size() == 5);
  CHECK(std::get<part_group>(s.part_list[0]).symbol == "bracket");
  CHECK(std::get<part_group>(s.part_list[0]).name == "Strings");
  CHECK(std::get<part_group>(s.part_list[3]).type == "stop");
  CHECK(score_of(print_score(s)) == s);
}

TEST_CASE("lyrics go under the notes that begin") {
  auto s = score_of("(part (lyrics \"Twin-kle lit-tle star\" (note c4 :q) (note c4 :q) (rest :q) "
                    "(note g4 :q) (note g4 :q) (note a4 :h) ))");
  std::vector<std::string> words;
  for (std::size_t m = 0; m < s.parts[0]->measures.size(); ++m)
    for (const auto& [at, x] : rhythm_of(s, 0, m))
      for (const auto& l : x.notes[0].lyrics)
        words.push_back(l.syllables[0].text + "/" + l.syllables[0].syllabic);
  CHECK(words ==
        std::vector<std::string>{"Twin/begin", "kle/end", "lit/begin", "tle/end", "star/single"});
  CHECK(compile_fault_of("(part (lyrics \"one two\" (note c4)))").code == errc::out_of_range);
}

TEST_CASE("a horn sounds a fifth lower and a clarinet's part says so") {
  auto s = score_of("(score (part :clarinet (measure (note d5 :w))))");
  const auto t = first_in<attributes>(s).transpositions.at(0).value;
  CHECK(t.chromatic == "-2");
  CHECK(t.diatonic == -1);
  CHECK(s.parts[0]->instruments.at(0).midi_program == 72);
}

TEST_CASE("a score cannot stand in a measure") {
  CHECK(fault_of("(measure (score))").code == errc::misplaced);
}

TEST_CASE("seqs splice into what holds them") {
  auto s = score_of("(do (def motif (seq (note g4 :8) (note g4 :8) (note g4 :8) (note eb4 :8))) "
                    "(measure motif motif))");
  CHECK(rhythm_of(s).size() == 8);
}

TEST_CASE("everything that is said about a piece stands before its parts") {
  const std::string music =
      "(score :title \"Suite\" :subtitle \"for Anna\" :composer \"J. S. Bach\" :rights \"free\" "
      ":credit (:page 2 :words \"see below\") :encoding (\"<software>Fermata</software>\") :xml "
      "(:version \"4.0\") (part :id \"P1\" (measure (note c4 :w))))";
  auto made = score_of(music);
  auto text = print_score(made);
  auto part = text.find("(part");
  REQUIRE(part != std::string::npos);
  for (auto option :
       {":title", ":subtitle", ":composer", ":rights", ":credit", ":encoding", ":xml"}) {
    INFO(text);
    INFO(option);
    CHECK(text.find(option) < part);
  }
  CHECK(score_of(text) == made);
}

}  // namespace fermata::compile_test
