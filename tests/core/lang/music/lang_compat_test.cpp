#include "core/lang/reference/format.hpp"
#include "evaluated.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace fermata::lang_compat_test {

using namespace fermata::test;

namespace {

std::string contents(const std::filesystem::path& file) {
  std::ifstream in{file};
  return {std::istreambuf_iterator<char>{in}, {}};
}

score compat(const std::string& name) {
  return score_of(
      contents(std::filesystem::path{FERMATA_TEST_DATA} / "lang-compat" / (name + ".ferm")));
}

}  // namespace

TEST_CASE("every program that the original accepted is accepted and comes back from its text") {
  auto programs = 0;
  for (const auto& entry : std::filesystem::directory_iterator{
           std::filesystem::path{FERMATA_TEST_DATA} / "lang-compat"}) {
    if (entry.path().extension() != ".ferm") continue;
    ++programs;
    INFO(entry.path().filename());
    auto text = contents(entry.path());
    auto s = score_of(text);
    auto printed = print_score(s);
    INFO(printed);
    CHECK(score_of(printed) == s);
    // Phrases where they can say it, and laid out: both mean the same.
    auto compact = print_score(s, print_style::compact);
    INFO(compact);
    CHECK(score_of(compact) == s);
    for (const auto& any : {text, printed, compact}) {
      auto laid_out = format(any);
      CHECK(format(laid_out) == laid_out);
      CHECK(score_of(laid_out) == s);
    }
  }
  CHECK(programs == 47);
}

TEST_CASE("backup puts the second voice under the first") {
  auto notes = rhythm_of(compat("backup"));
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].first == rational{0});
  CHECK(notes[0].second.voice == "1");
  CHECK(notes[1].first == rational{0});
  CHECK(notes[1].second.voice == "2");
}

TEST_CASE("repeat signs stand on both sides of the measure") {
  auto s = compat("barline-rep");
  std::vector<barline> lines;
  for (const auto& item : s.parts[0]->measures[0]->items)
    if (auto b = std::get_if<barline>(&item.content)) lines.push_back(*b);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].location == "left");
  CHECK(lines[0].repeat == "forward");
  CHECK(lines[0].style == "heavy-light");
  CHECK(lines[1].location == "right");
  CHECK(lines[1].repeat == "backward");
  CHECK(lines[1].style == "light-heavy");
}

TEST_CASE("an ending of the old spelling is kept, number and all") {
  const auto b = first_in<barline>(compat("barline-ending"));
  CHECK(b.ending_numbers == "2");
  CHECK(b.ending_type == "discontinue");
}

TEST_CASE("the old spellings mean what their names say") {
  CHECK(first_in<barline>(compat("barline")).style == "light-light");
  CHECK(first_in<attributes>(compat("clef")).clefs.at(0).value == *find_clef("bass-8vb"));
  CHECK(first_in<attributes>(compat("key")).keys.at(0).value ==
        *key_on({step::f, 100}, mode::minor));
  CHECK(first_in<attributes>(compat("time")).times.at(0).value.fractions.at(0).beats.at(0) == 7);
  CHECK(first_in<attributes>(compat("time-common")).times.at(0).value.symbol == "common");
  CHECK(first_in<attributes>(compat("time-cut")).times.at(0).value.symbol == "cut");
  CHECK(first_in<attributes>(compat("time-senza")).times.at(0).value.fractions.empty());
  auto type = [](const char* name) { return first_in<direction>(compat(name)).types.at(0); };
  CHECK(std::get<dynamics>(type("dynamic")).values.at(0) == "sfz");
  CHECK(std::get<wedge>(type("hairpin")).type == "crescendo");
  CHECK(std::get<wedge>(type("hairpin-dim")).type == "diminuendo");
  CHECK(std::get<words>(type("words")).text == "sempre legato");
  CHECK(std::get<rehearsal_mark>(type("rehearsal")).text == "B2");
  CHECK(std::holds_alternative<segno_mark>(type("segno")));
  CHECK(std::holds_alternative<coda_mark>(type("coda")));
  CHECK(std::get<pedal>(type("pedal")).type == "start");
  CHECK(std::get<words>(type("tempo-text")).text == "Largo");
  CHECK(std::get<metronome>(type("tempo-metronome")).per_minute == "72");
  // A dotted quarter at 54 is 81 quarters a minute; 208 eighths are 104.
  CHECK(first_in<direction>(compat("tempo-dotted")).sound->attribute("tempo") == "81");
  CHECK(first_in<direction>(compat("tempo-both")).sound->attribute("tempo") == "104");
}

TEST_CASE("the old notes mean what their names say") {
  auto only = [](const char* name) { return rhythm_of(compat(name)).at(0).second; };
  CHECK(only("note-default").length == quarters{1});
  // A dotted half is three quarters.
  CHECK(only("note-dotted").length == quarters{3});
  CHECK(std::get<pitch>(only("note-microtone").notes[0].tone).cents == 50);
  CHECK(only("note-tie").notes[0].tie.start);
  CHECK(rhythm_of(compat("note-tie")).at(1).second.notes[0].tie.stop);
  CHECK(only("note-slur").notes[0].spanners.at(0).end == span_end::start);
  CHECK(only("note-voice-staff-stem").voice == "2");
  CHECK(only("note-voice-staff-stem").notes[0].stem == "down");
  CHECK(only("note-artic").notes[0].marks.size() == 6);
  CHECK(only("rest-measure").notes.size() == 1);
  CHECK(std::get<rest>(only("rest-measure").notes[0].tone).whole_measure);
  CHECK(only("chord").notes.size() == 3);
  CHECK(only("chord-arp").notes[2].marks.at(0).text == "down");
  CHECK(only("grace").grace->slash);
  CHECK(only("grace").written == note_value{note_base::n16th, 0});
  CHECK_FALSE(only("grace-dur").grace->slash);
  CHECK(only("grace-dur").written == note_value{note_base::eighth, 0});
}

TEST_CASE("tuplets last exactly as long as they should") {
  // Three eighths in the time of two: a third of a quarter each. (The original left them
  // undivided.)
  for (auto name : {"tuplet-one-int", "tuplet-slash"}) {
    auto notes = rhythm_of(compat(name));
    REQUIRE(notes.size() == 3);
    CHECK(notes[1].first == rational(1, 3));
    CHECK(notes[2].second.length == quarters{rational(1, 3)});
  }
  auto five = rhythm_of(compat("tuplet-two-int"));
  REQUIRE(five.size() == 5);
  CHECK(five[4].first == rational(4, 5));
  CHECK(five[4].second.tuplet->actual == 5);
}

TEST_CASE("a part gets whichever of key, time and clef it does not say") {
  auto plain = first_in<attributes>(compat("rest"));
  CHECK(plain.keys.size() == 1);
  CHECK(plain.times.size() == 1);
  CHECK(plain.clefs.at(0).value == clef{"G", 2, 0});
  auto own = first_in<attributes>(compat("clef"));
  CHECK(own.keys.size() == 1);
  CHECK(own.times.size() == 1);
}

TEST_CASE("names and ids of parts and scores are taken over") {
  auto s = compat("part-kw");
  CHECK(s.parts[0]->name == "Lead");
  CHECK(s.parts[0]->id == "L1");
  CHECK(s.parts[0]->abbreviation == "Ld.");
  auto horn = compat("part-inst");
  CHECK(horn.parts[0]->name == "Horn in F");
  CHECK(first_in<attributes>(horn).transpositions.at(0).value.chromatic == "-7");
  auto meta = compat("score-meta");
  CHECK(meta.header.work_title == "Etude");
  CHECK(meta.header.creators.at(0).type == "composer");
  CHECK(meta.header.creators.at(0).text == "Anon");
}

}  // namespace fermata::lang_compat_test
