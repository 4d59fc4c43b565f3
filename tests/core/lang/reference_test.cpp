#include "core/lang/reference/reference.hpp"

#include "core/lang/evaluation/evaluate.hpp"
#include "core/lang/syntax/reader.hpp"
#include "core/music/clef.hpp"
#include "core/music/duration.hpp"
#include "core/music/instruments.hpp"
#include "core/music/key.hpp"
#include "core/score/model/mark.hpp"
#include "core/theory/chord_type.hpp"
#include "core/theory/scale.hpp"
#include "tests/support/doc_page.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <iterator>

namespace fermata::reference_test {

namespace {

const reference_item* find_item(const reference_topic& t, std::string_view keyword) {
  auto at =
      std::find_if(t.items.begin(), t.items.end(), [&](auto& i) { return i.keyword == keyword; });
  return at != t.items.end() ? &*at : nullptr;
}

}  // namespace

TEST_CASE("the page on the language says what the tables say") {
  fermata::test::check_page("language.md", reference_markdown());
}

TEST_CASE("every topic can be asked for and has something to say") {
  auto names = reference_topic_names();
  for (auto& name : names) {
    INFO(name);
    auto t = find_reference_topic(name);
    REQUIRE(t);
    CHECK_FALSE(t->title.empty());
    CHECK_FALSE(t->items.empty());
  }
  CHECK_FALSE(find_reference_topic("recipes"));
}

TEST_CASE("the topics list every row of the tables") {
  CHECK(find_reference_topic("clefs")->items.size() == clef_table().size());
  CHECK(find_reference_topic("instruments")->items.size() == instrument_table().size());
  CHECK(find_reference_topic("forms")->items.size() == form_table().size());
  CHECK(find_reference_topic("errors")->items.size() == error_table().size());
  CHECK(find_reference_topic("scales")->items.size() == scale_table().size());
  CHECK(find_reference_topic("chords")->items.size() == chord_table().size());
  std::size_t marks = 0;
  for (auto name : {"articulations", "ornaments", "technical", "notations"})
    marks += find_reference_topic(name)->items.size();
  CHECK(marks == mark_table().size());
}

TEST_CASE("every duration and pitch that is shown is one") {
  auto durations = find_reference_topic("durations"), pitches = find_reference_topic("pitches");
  for (auto& i : durations->items)
    CHECK(parse_note_value(i.keyword.substr(1)));
  for (auto& i : pitches->items)
    CHECK(parse_pitch(i.keyword));
}

TEST_CASE("every scale and chord is listed as it can be typed, with its tones") {
  // Harmonic minor has the sixth and third of minor and a leading tone; the dominant seventh is a
  // major triad with a minor seventh.
  auto scales = find_reference_topic("scales"), chords = find_reference_topic("chords");
  CHECK(find_item(*scales, ":harmonic-minor")->description ==
        "P1 M2 m3 P4 P5 m6 M7: c d eb f g ab b");
  CHECK(find_item(*scales, ":major")->description == "P1 M2 M3 P4 P5 M6 M7: c d e f g a b; also "
                                                     ":ionian");
  auto dom7 = find_item(*chords, ":dom7");
  REQUIRE(dom7);
  CHECK(dom7->description.starts_with("P1 M3 P5 m7: c e g bb; also "));
  CHECK(dom7->description.find(":dominant-seventh") != std::string::npos);
  // Each, and each of its other names, gives the tones beside it.
  auto tones_of = [](const std::string& form, std::string_view name) {
    evaluation_request r;
    r.text = "(" + form + " c4 " + std::string{name} + (form == "scale" ? " :octaves 0)" : ")");
    auto e = evaluate(r);
    if (!e) return e.error().first().message;
    std::string tones;
    for (auto& tone : e->values.front().as_list()->items)
      tones += (tones.empty() ? "" : " ") + to_string(tone.as_pitch()->name());
    return tones;
  };
  for (auto& [form, topic] : {std::pair{"scale", scales}, std::pair{"chord-voicing", chords}})
    for (auto& item : topic->items) {
      auto& d = item.description;
      auto from = d.find(": ") + 2;
      auto tones = d.substr(from, d.find(';') - from);
      auto names = read(item.keyword + (d.find("; also ") == std::string::npos
                                            ? ""
                                            : " " + d.substr(d.find("; also ") + 7)));
      INFO(item.keyword << "  " << d);
      REQUIRE(names.complete());
      for (auto& name : names.forms)
        CHECK(tones_of(form, print(name.datum)) == tones);
    }
}

TEST_CASE("keys say how many accidentals they have") {
  // The circle of fifths.
  auto t = find_reference_topic("keys");
  CHECK(find_item(*t, "c-major")->description == "no accidentals");
  CHECK(find_item(*t, "g-major")->description == "1 sharp");
  CHECK(find_item(*t, "bb-minor")->description == "5 flats");
  CHECK(find_item(*t, "cb-major")->description == "7 flats");
  CHECK(find_item(*t, "a#-minor")->description == "7 sharps");
}

TEST_CASE("examples are shown with what they evaluate to") {
  auto t = find_reference_topic("list");
  auto nth = find_item(*t, "(nth N LIST)");
  REQUIRE(nth);
  CHECK(nth->example == "(nth 1 (c4 e4 g4))");
  CHECK(nth->result == "e4");
  CHECK(reference_text(*t).find("(nth 1 (c4 e4 g4))  =>  e4") != std::string::npos);
}

TEST_CASE("the help of a form names all its parameters") {
  CHECK(form_help(*find_form("sort")) == "(sort LIST [:by BY] [:down])\n"
                                         "The items in ascending order; the sort is stable.\n"
                                         "  list   a list, or a seq (its items)\n"
                                         "  :by    function giving the value to compare\n"
                                         "  :down  in descending order\n"
                                         "example: (sort (g4 c4 e4))");
}

TEST_CASE("the page has every form, and no row breaks out of its table") {
  auto page = reference_markdown();
  for (auto& row : form_table())
    CHECK(page.find("\n### " + row.name + "\n") != std::string::npos);
  std::size_t cells = 0;
  for (std::size_t at = 0; at < page.size();) {
    auto end = page.find('\n', at);
    auto line = page.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("| ")) {
      cells = 0;
      continue;
    }
    std::size_t n = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
      n += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    INFO(line);
    CHECK((cells == 0 || n == cells));
    cells = n;
  }
}

}  // namespace fermata::reference_test
