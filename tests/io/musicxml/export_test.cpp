#include "schema_check.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>
#include <pugixml.hpp>

namespace musicxml_test::export_test {

namespace {

pitch p(step s, int cents, int octave) {
  return {s, static_cast<std::int16_t>(cents), static_cast<std::int16_t>(octave)};
}

chord_rest of(tone t, note_value v, const std::string& voice = "1", int staff = 1) {
  chord_rest x;
  x.length = length(v);
  x.written = v;
  x.voice = voice;
  x.staff = static_cast<std::uint8_t>(staff);
  x.notes.emplace_back().tone = t;
  return x;
}
constexpr note_value eighth{note_base::eighth, 0}, quarter{note_base::quarter, 0},
    sixteenth{note_base::n16th, 0}, half{note_base::half, 0}, whole{note_base::whole, 0};

/// Lays chords one after another.
measure measure_of(const std::vector<chord_rest>& chords) {
  measure m;
  measure_position at;
  for (auto& x : chords) {
    m.items.push_back({at, x});
    at += x.length;
  }
  return m;
}

score score_of(std::vector<measure> measures, int fifths = 0, time_signature time = {}) {
  attributes a;
  a.keys.push_back({{}, key_signature{.fifths = fifths}, {}});
  a.times.push_back({{}, time, {}});
  measures.front().items.insert(measures.front().items.begin(), {measure_position{}, a});
  part player;
  player.name = "Flute";
  for (std::size_t i = 0; i < measures.size(); ++i) {
    measures[i].number = std::to_string(i + 1);
    player.measures.push_back(std::make_shared<const measure>(measures[i]));
  }
  score s;
  s.part_list.emplace_back(std::size_t{0});
  s.parts.push_back(std::make_shared<const part>(player));
  return s;
}

pugi::xml_document written(const score& s, const write_options& o = {}) {
  auto xml = write(s, o);
  CHECK(schema_complaints(xml) == "");
  pugi::xml_document doc;
  REQUIRE(doc.load_string(xml.c_str()));
  return doc;
}

/// The accidentals of all notes, "-" where none is drawn.
std::string accidentals(const score& s) {
  std::string found;
  auto doc = written(s);
  for (auto& n : doc.select_nodes("//note[pitch]")) {
    std::string value = n.node().child("accidental").child_value();
    found += (found.empty() ? "" : " ") + (value.empty() ? std::string{"-"} : value);
  }
  return found;
}

/// The beams of all notes: a letter per level, "-" for none.
std::string beams(const score& s) {
  std::string found;
  auto doc = written(s);
  for (auto& n : doc.select_nodes("//note[not(chord)]")) {
    std::string letters;
    for (auto b : n.node().children("beam")) {
      std::string value = b.child_value();
      letters += value == "backward hook" ? 'k' : value.front();
    }
    found += (found.empty() ? "" : " ") + (letters.empty() ? std::string{"-"} : letters);
  }
  return found;
}

}  // namespace

TEST_CASE("an accidental stands where key and measure do not say it, and holds to the barline") {
  // By the rules of Gould, Behind Bars, "Accidentals": per octave, until the barline.
  auto f4 = p(step::f, 0, 4), fis4 = p(step::f, 100, 4), fis5 = p(step::f, 100, 5);
  CHECK(accidentals(score_of(
            {measure_of({of(fis4, quarter), of(fis4, quarter), of(f4, quarter), of(fis5, quarter)}),
             measure_of({of(f4, quarter), of(fis4, quarter)})})) ==
        "sharp - natural sharp - sharp");
  CHECK(accidentals(score_of(
            {measure_of({of(fis4, quarter), of(f4, quarter), of(f4, quarter), of(fis4, quarter)})},
            1)) == "- natural - sharp");
  CHECK(accidentals(
            score_of({measure_of({of(p(step::b, -100, 4), half), of(p(step::b, -200, 4), half)}),
                      measure_of({of(p(step::c, 200, 5), half), of(p(step::a, 50, 4), half)})},
                     -1)) == "- flat-flat double-sharp quarter-sharp");
}

TEST_CASE("a tied note has no second accidental across the barline, the next one has it again") {
  auto cis = p(step::c, 100, 5);
  auto start = of(cis, whole), stop = of(cis, half), after = of(cis, half);
  start.notes[0].tie.start = true;
  stop.notes[0].tie.stop = true;
  CHECK(accidentals(score_of({measure_of({start}), measure_of({stop, after})})) == "sharp - sharp");
}

TEST_CASE("voices on one staff share accidentals in the order of time, staves do not") {
  auto fis = p(step::f, 100, 4), f = p(step::f, 0, 4);
  auto m = measure_of({of(fis, half), of(f, half)});
  // The second voice plays f sharp on beat 2 (in force) and f sharp on beat 4 (no longer).
  m.items.push_back({measure_position{rational{1}}, of(fis, quarter, "2")});
  m.items.push_back({measure_position{rational{3}}, of(fis, quarter, "2")});
  m.items.push_back({measure_position{}, of(f, whole, "3", 2)});
  CHECK(accidentals(score_of({m})) == "sharp natural - sharp -");
}

TEST_CASE(
    "an accidental that is given stays, and none is added when the score is written as given") {
  auto g = of(p(step::g, 0, 4), whole);
  g.notes[0].accidental =
      displayed_accidental{"natural", preserved_xml{{{"cautionary", "yes"}}, {}}};
  CHECK(accidentals(score_of({measure_of({g})})) == "natural");
  auto xml = write(score_of({measure_of({of(p(step::g, 100, 4), whole)})}), as_given());
  CHECK(xml.find("<accidental>") == std::string::npos);
}

TEST_CASE("eighths are beamed by the metre") {
  auto c = p(step::c, 0, 5);
  std::vector<chord_rest> eighths(8, of(c, eighth)), six(6, of(c, eighth)), five(5, of(c, eighth));
  auto time = [](std::vector<int> beats, int type) {
    time_signature t;
    t.fractions = {{std::move(beats), type}};
    return t;
  };
  // Common practice: 4/4 by halves, 6/8 and 3/4 as their metre says, 5/8 as 3+2 unless it says so.
  CHECK(beams(score_of({measure_of(eighths)})) == "b c c e b c c e");
  CHECK(beams(score_of({measure_of(six)}, 0, time({6}, 8))) == "b c e b c e");
  CHECK(beams(score_of({measure_of(six)}, 0, time({3}, 4))) == "b c c c c e");
  CHECK(beams(score_of({measure_of(five)}, 0, time({5}, 8))) == "b c e b e");
  CHECK(beams(score_of({measure_of(five)}, 0, time({2, 3}, 8))) == "b e b c e");
  // Within 4/4 the middle of the measure shows.
  CHECK(beams(score_of({measure_of({of(c, quarter), of(c, eighth), of(c, eighth), of(c, eighth),
                                    of(c, eighth), of(c, quarter)})})) == "- b e b e -");
}

TEST_CASE("shorter notes are beamed by the beat, with hooks to the side they belong to") {
  auto c = p(step::c, 0, 5);
  note_value dotted_eighth{note_base::eighth, 1};
  CHECK(beams(score_of({measure_of({of(c, dotted_eighth), of(c, sixteenth), of(c, sixteenth),
                                    of(c, dotted_eighth), of(c, sixteenth), of(c, sixteenth),
                                    of(c, eighth), of(c, quarter)})})) == "b ek bf e bb ce e -");
  // A rest or a gap ends a beam.
  CHECK(beams(score_of({measure_of({of(c, eighth), of(rest{}, eighth), of(c, eighth), of(c, eighth),
                                    of(c, half)})})) == "- - b e -");
}

TEST_CASE("a pickup is beamed like the end of a measure") {
  auto c = p(step::c, 0, 5);
  std::vector<chord_rest> five(5, of(c, eighth));
  auto pickup = measure_of(five);
  CHECK(beams(score_of({pickup})) == "b c c e -");
  pickup.implicit = true;
  CHECK(beams(score_of({pickup})) == "- b c c e");
}

TEST_CASE("lengths are exact whatever tuplets meet") {
  auto triplet = of(p(step::c, 0, 4), eighth), septuplet = of(p(step::d, 0, 4), sixteenth);
  triplet.length = quarters{rational{1, 3}};
  triplet.tuplet = time_modification{3, 2, {}};
  septuplet.length = quarters{rational{1, 7}};
  septuplet.tuplet = time_modification{7, 4, {}};
  auto doc =
      written(score_of({measure_of({triplet, triplet, triplet, septuplet, septuplet, septuplet,
                                    septuplet, septuplet, septuplet, septuplet})}));
  CHECK(doc.select_node("//divisions").node().text().as_int() == 21);  // lcm(3, 7)
  int sum = 0;
  for (auto& n : doc.select_nodes("//note/duration"))
    sum += n.node().text().as_int();
  CHECK(sum == 2 * 21);
  CHECK(doc.select_node("//time-modification/actual-notes").node().text().as_int() == 3);
}

TEST_CASE("voices are written one after another with backups, gaps with forwards") {
  auto m = measure_of({of(p(step::c, 0, 5), whole)});
  m.items.push_back({measure_position{rational{1}}, of(p(step::e, 0, 4), half, "2")});
  auto doc = written(score_of({m}));
  CHECK(doc.select_node("//backup/duration").node().text().as_int() == 3);
  CHECK(!doc.select_node("//forward"));
  m.items.push_back({measure_position{}, of(p(step::g, 0, 3), quarter, "3")});
  m.items.push_back({measure_position{rational{3}}, of(p(step::g, 0, 3), quarter, "3")});
  auto gap = written(score_of({m}));
  CHECK(gap.select_node("//forward/duration").node().text().as_int() == 2);
  CHECK(std::string{gap.select_node("//forward/voice").node().child_value()} == "3");
}

TEST_CASE("a tempo mark is also played, and signs are jumped to") {
  measure m;
  auto put = [&](std::vector<direction_type> types) {
    direction d;
    d.types = std::move(types);
    m.items.push_back({measure_position{}, d});
  };
  put({words{"Andante", {}}, metronome{note_value{note_base::quarter, 1}, "c. 66.5", {}, {}}});
  put({segno_mark{}});
  put({words{"D. S. al Coda", {}}});
  put({words{"Fine", {}}});
  put({words{"To Coda", {}}, coda_mark{}});
  put({words{"finely", {}}});
  auto doc = written(score_of({m}));
  std::string sounds;
  for (auto& s : doc.select_nodes("//sound"))
    for (auto a : s.node().attributes())
      sounds += std::string{a.name()} + "=" + a.value() + " ";
  // A dotted quarter of 66.5 is 99.75 quarters.
  CHECK(sounds == "tempo=99.75 segno=segno dalsegno=segno fine=yes tocoda=coda ");
}

TEST_CASE("a part id that XML does not allow is told of when it becomes another") {
  for (auto [id, written_id] : {std::pair{"P7", "P7"}, {"1 2", "P1_2"}, {"a:b", "a_b"}}) {
    INFO(id);
    auto s = score_of({measure_of({of(p(step::c, 0, 4), whole)})});
    auto player = *s.parts[0];
    player.id = id;
    s.parts[0] = std::make_shared<const part>(player);
    std::vector<diagnostic> told;
    auto xml = write(s, {}, &told);
    CHECK(xml.find("<score-part id=\"" + std::string{written_id} + "\"") != std::string::npos);
    REQUIRE(told.size() == (std::string{id} == written_id ? 0 : 1));
    if (!told.empty())
      CHECK(told[0].message.find("\"" + std::string{id} + "\"") != std::string::npos);
  }
}

TEST_CASE("what is said to do nothing to playback is not completed") {
  measure m = measure_of({of(p(step::c, 0, 4), whole)});
  direction d;
  d.types.push_back(segno_mark{});
  d.sound = sound{};
  m.items.insert(m.items.begin(), {measure_position{}, d});
  auto doc = written(score_of({m}));
  auto found = doc.select_nodes("//direction/sound");
  REQUIRE(found.size() == 1);
  CHECK(found.first().node().first_attribute().empty());
}

TEST_CASE("an empty score and a part without measures still make a valid file") {
  CHECK(schema_complaints(write(*empty_score())) == "");
  score s;
  s.parts.push_back(std::make_shared<const part>());
  CHECK(schema_complaints(write(s)) == "");
  auto r = read(write(*empty_score()), "empty");
  REQUIRE(r);
  CHECK(r->score->parts.size() == 1);
  CHECK(r->score->parts[0]->measures.size() == 1);
}

TEST_CASE("no score makes an invalid file, however odd its values") {
  auto x = of(p(step::c, 0, 4), quarter);
  auto& n = x.notes[0];
  n.stem = "sideways";
  n.accidental = displayed_accidental{"very-sharp", {}};
  n.beams.push_back({9, "middle", {}});
  n.notehead = notehead{"banana", "maybe", "", {}};
  n.instrument = "nobody";
  n.marks = {{mark_kind::bend, "", {}},
             {mark_kind::hole, "", {}},
             {mark_kind::fret, "high", {}},
             {mark_kind::fermata_mark, "round", {}},
             {mark_kind::tremolo, "", {}},
             {mark_kind::ornament_accidental, "sharp", {}},
             {mark_kind::arrow, "", preserved_xml{{}, {{"<arrow-style>single</arrow-style>"}}}},
             {mark_kind::other_notation, "x", {}},
             {mark_kind::non_arpeggiate, "", {}},
             {mark_kind::dynamics_notation, "p loud", {}}};
  n.spanners = {{spanner_kind::slide, span_end::continue_, 1, "", {}},
                {spanner_kind::slur, span_end::start, 99, "", {}},
                {spanner_kind::tied, span_end::let_ring, 1, "", {}},
                {spanner_kind::tremolo, span_end::start, 1, "", {}}};
  n.lyrics.push_back(
      {"verse 1", {{"", "sung", "la\x01la \xFF", {}}}, "", false, false, false, false, {}});
  n.extra = preserved_xml{{{"default-x", "12"}, {"default-x", "13"}, {"mood", "blue & <green>"}},
                          {{"<play/>"},
                           {"<play/>"},
                           {"<words>no</words>"},
                           {"not xml ?> at all"},
                           {"<level  reference = 'yes'>1</level>"}}};
  auto m = measure_of({x});
  direction d;
  d.types = {wedge{"wide", 40, {}},
             pedal{"kick", {}},
             octave_shift{"sideways", 0, 0, {}},
             line_end{false, "begin", 1, {}},
             fragment{"<harp-pedals/>"},
             fragment{"<words>ok</words>"}};
  d.placement = "left";
  m.items.push_back({measure_position{rational{-1}}, d});
  m.items.push_back({measure_position{}, direction{}});
  barline b;
  b.location = "somewhere";
  b.style = "wavy";
  b.repeat = "sideways";
  b.ending_type = "begin";
  b.ending_numbers = "0";
  m.items.push_back({measure_position{}, b});
  m.items.push_back({measure_position{}, fragment{"<note/>"}});
  m.items.push_back({measure_position{}, sound{preserved_xml{{{"tempo", "fast"}}, {}}}});
  harmony h;
  h.kind = "sad";
  h.degrees.push_back({0, 0, "plus", {}});
  m.items.push_back({measure_position{}, h});
  m.items.push_back({measure_position{}, figured_bass{}});
  chord_rest nothing;
  m.items.push_back({measure_position{}, nothing});
  auto none = of(p(step::c, 0, -1), quarter);
  none.length = {};
  m.items.push_back({measure_position{}, none});

  auto s = score_of({m});
  part odd = *s.parts[0];
  odd.id = "2nd flute!";
  odd.instruments.push_back({"my inst", "", "", "", 17, 0, 99999, 400, "loud", "left", "", {}, {}});
  odd.instruments.push_back(odd.instruments[0]);
  s.parts.push_back(std::make_shared<const part>(odd));
  s.parts.push_back(std::make_shared<const part>(odd));
  part_group g;
  g.type = "open";
  g.symbol = "curl";
  s.part_list.insert(s.part_list.begin(), g);
  s.header.credits.emplace_back().page = "last";
  s.header.defaults.push_back({"<defaults><scaling/></defaults>"});
  s.header.encoding.push_back({"<software>a</software>"});
  s.header.encoding.push_back({"<hardware>b</hardware>"});

  std::vector<diagnostic> problems;
  auto xml = write(s, {}, &problems);
  CHECK(schema_complaints(xml) == "");
  CHECK(messages(problems).find("part P1, measure 1: \"sideways\" is not a valid stem") !=
        std::string::npos);
  // What has no place is kept where XML allows anything.
  CHECK(xml.find("<?fermata-kept <words>no</words>?>") != std::string::npos);
  CHECK(xml.find("mood=\"blue &amp; &lt;green&gt;\"") != std::string::npos);
  // XML that is right but not canonical is written canonically.
  CHECK(xml.find("<level reference=\"yes\">1</level>") != std::string::npos);
}

TEST_CASE("the same score gives the same bytes") {
  auto s = score_of({measure_of({of(p(step::c, 0, 4), whole)})});
  CHECK(write(s) == write(s));
}

}  // namespace musicxml_test::export_test
