#include "core/score/model/mark.hpp"
#include "io/lilypond/export.hpp"
#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

namespace fermata::io::marks_test {

using namespace fermata::testing;

namespace {

struct written_mark {
  std::string_view option;  ///< canonical keyword of the mark
  std::string_view text;
  std::string_view lilypond;  ///< what is in the output; empty: left out, and told by name
};

// LilyPond notation reference 2.24: A.14 (articulations and scripts), 1.3.1, 2.6, 2.8.
constexpr written_mark marks[] = {
    {"accent", "", "-\\accent"},
    {"marcato", "", "-\\marcato"},
    {"marcato", "down", "_\\marcato"},
    {"staccato", "", "-\\staccato"},
    {"tenuto", "", "-\\tenuto"},
    {"detached-legato", "", "-\\portato"},
    {"staccatissimo", "", "-\\staccatissimo"},
    {"spiccato", "", ""},
    {"scoop", "", ""},
    {"plop", "", ""},
    {"doit", "", "\\bendAfter #4"},
    {"falloff", "", "\\bendAfter #-4"},
    {"breath-mark", "", " \\breathe"},
    {"breath-mark", "comma", " \\breathe"},
    {"breath-mark", "tick", "\"scripts.tickmark\" } \\breathe"},
    {"breath-mark", "upbow", "\"scripts.upbow\" } \\breathe"},
    {"breath-mark", "salzedo", ""},
    {"caesura", "", "\"scripts.caesura.straight\" } \\breathe"},
    {"caesura", "curved", "\"scripts.caesura.curved\" } \\breathe"},
    {"caesura", "thick", ""},
    {"caesura", "short", ""},
    {"stress", "", ""},
    {"unstress", "", ""},
    {"soft-accent", "", ""},
    {"other-articulation", "x", ""},
    {"trill", "", "-\\trill"},
    {"turn", "", "-\\turn"},
    {"delayed-turn", "", ""},
    {"inverted-turn", "", "-\\reverseturn"},
    {"delayed-inverted-turn", "", ""},
    {"vertical-turn", "", ""},
    {"inverted-vertical-turn", "", ""},
    {"shake", "", "-\\prallprall"},
    {"mordent", "", "-\\mordent"},
    {"inverted-mordent", "", "-\\prall"},
    {"schleifer", "", ""},
    {"tremolo", "3", ">1:32"},
    {"tremolo", "0", ""},
    {"tremolo", "8", ""},
    {"haydn", "", "-\\haydnturn"},
    {"other-ornament", "x", ""},
    {"ornament-accidental", "sharp", ""},
    {"up-bow", "", "-\\upbow"},
    {"down-bow", "", "-\\downbow"},
    {"harmonic", "", "-\\flageolet"},
    {"open-string", "", "-\\open"},
    {"thumb-position", "", "-\\thumb"},
    {"fingering", "3", "<c'-3"},
    {"fingering", "T", "<c'-\\finger \"T\""},
    {"pluck", "p", ""},
    {"double-tongue", "", ""},
    {"triple-tongue", "", ""},
    {"stopped", "", "-\\stopped"},
    {"snap-pizzicato", "", "-\\snappizzicato"},
    {"fret", "3", ""},
    {"string", "2", "\\2"},
    {"string", "12", ""},
    {"bend", "", ""},
    {"tap", "T", ""},
    {"heel", "", "-\\lheel"},
    {"toe", "", "-\\ltoe"},
    {"fingernails", "", ""},
    {"hole", "", ""},
    {"arrow", "", ""},
    {"handbell", "damp", ""},
    {"brass-bend", "", ""},
    {"flip", "", ""},
    {"smear", "", ""},
    {"open", "", "-\\open"},
    {"half-muted", "", "-\\halfopen"},
    {"harmon-mute", "", ""},
    {"golpe", "", ""},
    {"other-technical", "x", ""},
    {"fermata", "", "^\\fermata"},
    {"fermata", "angled", "^\\shortfermata"},
    {"fermata", "square", "^\\longfermata"},
    {"fermata", "double-angled", "^\\veryshortfermata"},
    {"fermata", "double-square", "^\\verylongfermata"},
    {"fermata", "half-curve", "^\\henzelongfermata"},
    {"fermata", "double-dot", "^\\henzeshortfermata"},
    {"fermata", "curlew", ""},
    {"arpeggiate", "", "\\arpeggio"},
    {"arpeggiate", "up", "arpeggio-direction = #UP"},
    {"arpeggiate", "down", "arpeggio-direction = #DOWN"},
    {"non-arpeggiate", "bottom", "stencil = #ly:arpeggio::brew-chord-bracket"},
    {"accidental-mark", "sharp", ""},
    {"dyn", "sfz", "-\\sfz"},
    {"dyn", "sfffz", "make-dynamic-script \"sfffz\""},
    {"other-notation", "x", ""},
};

struct exported {
  std::string text;
  std::string losses;
};

exported with_mark(mark_kind kind, std::string_view text) {
  // An arpeggio needs a chord.
  auto m = bar("<c4_e4>:w");
  std::get<chord_rest>(m.items[0].content).notes[0].marks.push_back({kind, std::string{text}, {}});
  std::vector<diagnostic> left_out;
  exported out;
  out.text = io::lilypond::write(*make_score({make_part({m})}), {}, &left_out);
  for (auto& d : left_out)
    out.losses += d.message + "\n";
  return out;
}

}  // namespace

TEST_CASE("every mark is written for LilyPond or told as left out") {
  std::set<std::string_view> met;
  for (auto& row : marks) {
    INFO(row.option << " " << row.text);
    auto kind = mark_by_option(row.option);
    REQUIRE(kind);
    met.insert(info(*kind).option);
    auto out = with_mark(*kind, row.text);
    INFO(out.text << out.losses);
    if (row.lilypond.empty()) {
      CHECK(out.losses.starts_with("left out for LilyPond: " + std::string{info(*kind).xml_name}));
    } else {
      CHECK(out.text.find(row.lilypond) != std::string::npos);
      CHECK(out.losses.empty());
    }
  }
  for (auto& row : mark_table()) {
    INFO("no row for " << row.option);
    CHECK(met.contains(row.option));
  }
}

}  // namespace fermata::io::marks_test
