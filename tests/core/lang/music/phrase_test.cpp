#include "core/lang/notation/phrase.hpp"

#include "evaluated.hpp"

namespace fermata::phrase_test {

using namespace fermata::test;

namespace {

/// The explicit forms that a phrase stands for.
std::string forms(const std::string& phrase) {
  return print(*music_of("(phrase \"" + phrase + "\")"));
}

diagnostic fault(const std::string& phrase) {
  auto r = parse_phrase(phrase);
  if (r) FAIL(phrase + " was accepted");
  return r.error().first();
}

}  // namespace

TEST_CASE("octave and duration stick inside a phrase") {
  CHECK(forms("c4:q d e:8 f") == "(seq (note c4 :q) (note d4 :q) (note e4 :8) (note f4 :8))");
  CHECK(forms("c5 b4 a r:h.") == "(seq (note c5 :q) (note b4 :q) (note a4 :q) (rest :h.))");
  CHECK(forms("bb b bbb3 f#") == "(seq (note bb4 :q) (note b4 :q) (note bbb3 :q) (note f#3 :q))");
  CHECK(forms("c-1 d") == "(seq (note c-1 :q) (note d-1 :q))");
}

TEST_CASE("nothing sticks from one phrase to the next") {
  CHECK(shown("(do #p\"c6:8\" #p\"c\")") == "(seq (note c4 :q))");
}

TEST_CASE("the example of the language page means what it shows") {
  CHECK(forms("c4:q d e:8 f [g a b]:q <c4 e g>:h~ <c4 e g>:q r:q |") ==
        "(seq (note c4 :q) (note d4 :q) (note e4 :8) (note f4 :8) "
        "(tuplet 3:2 (note g4 :8) (note a4 :8) (note b4 :8)) "
        "(chord (c4 e4 g4) :h :tie :start) (chord (c4 e4 g4) :q :tie :stop) (rest :q) (bar))");
}

TEST_CASE("square brackets fit what they hold into their duration") {
  CHECK(forms("[c d]:q") == "(seq (note c4 :8) (note d4 :8))");
  CHECK(forms("[c d e f g]:q") ==
        "(seq (tuplet 5:4 (note c4 :16) (note d4 :16) (note e4 :16) (note f4 :16) (note g4 :16)))");
  // Two in the time of three eighths.
  CHECK(forms("[c d]:q.") == "(seq (tuplet 2:3 (note c4 :8) (note d4 :8)))");
  CHECK(forms("[c:q d:8]:q") == "(seq (tuplet 3:2 (note c4 :q) (note d4 :8)))");
  CHECK(forms("[c [d e]]:h") == "(seq (note c4 :q) (note d4 :8) (note e4 :8))");
  CHECK(duration_of(*music_of("#p\"[c d e f g a b]:h\"")) == quarters{2});
}

TEST_CASE("braces are tuplets as written") {
  CHECK(forms("{3:2 c:8 d e}") == "(seq (tuplet 3:2 (note c4 :8) (note d4 :8) (note e4 :8)))");
}

TEST_CASE("signs after a note belong to it") {
  CHECK(forms("c-. d-> e-- f-^") ==
        "(seq (note c4 :q :staccato) (note d4 :q :accent) (note e4 :q :tenuto) "
        "(note f4 :q :mark (:marcato)))");
  CHECK(forms("c( d e)") ==
        "(seq (note c4 :q :slur :start) (note d4 :q) (note e4 :q :slur :stop))");
  CHECK(forms("(c d e)") ==
        "(seq (note c4 :q :slur :start) (note d4 :q) (note e4 :q :slur :stop))");
  CHECK(forms("c:8*3") == "(seq (note c4 :8) (note c4 :8) (note c4 :8))");
  CHECK(forms("c:h~ c:q") == "(seq (note c4 :h :tie :start) (note c4 :q :tie :stop))");
  CHECK(forms("c!mf d") == "(seq (mf) (note c4 :q) (note d4 :q))");
  CHECK(forms("!p c ^Dm7 d s:q") ==
        "(seq (p) (note c4 :q) (harmony \"Dm7\") (note d4 :q) (forward 1))");
}

TEST_CASE("a fault in a phrase says bar and beat and points at the character") {
  auto d = fault("c4:q d | e f h");
  CHECK(d.code == errc::invalid_token);
  CHECK(d.message.starts_with("bar 2, beat 3: "));
  REQUIRE(d.span);
  CHECK(d.span->begin == 13);
  CHECK(fault("c4:q c:7").code == errc::invalid_duration);
  CHECK(fault("<c4 e").code == errc::unclosed_delimiter);
  CHECK(fault("[c d").code == errc::unclosed_delimiter);
  CHECK(fault("c d]").code == errc::stray_delimiter);
  CHECK(fault("{c d}").code == errc::invalid_tuplet);
  CHECK(fault("c~ d").code == errc::misplaced);
  CHECK(fault("c !xyz").message.find("!xyz") != std::string::npos);
  CHECK(fault("c#x9").code == errc::invalid_pitch);
  // Through the reader, the span lies in the source.
  std::string text = "(seq #p\"c4 d h\")";
  auto e = fault_of(text);
  REQUIRE(e.span);
  CHECK(text[e.span->begin] == 'h');
}

TEST_CASE("a wrong bar check in a part names the measure") {
  CHECK(compile_fault_of("(part #p\"c4:q d e | f\")").code == errc::bar_not_full);
  CHECK(score_of("(part #p\"c4:q d e f | g:w | 2\")").parts[0]->measures.size() == 2);
  CHECK(compile_fault_of("(part #p\"c4:w | 7\")").code == errc::bar_not_full);
}

TEST_CASE("the compact printer is the inverse of the phrase") {
  for (auto phrase :
       {"c4:q d e:8 f", "<c4 e g>:h~ <c e g>:q r", "c4:q( d) e-. f->", "{3:2 c4:8 d e} f:q",
        "!mf c4:q !cresc d", "^Dm7 d4:h R s:q", "c4:w | d | 2"}) {
    INFO(phrase);
    auto items = parse_phrase(phrase);
    REQUIRE(items);
    auto text = phrase_of(*items);
    REQUIRE(text);
    CHECK(*text == phrase);
  }
  // What a phrase cannot say is refused.
  auto m = music_of("(seq (note c4 :q :up-bow))");
  CHECK_FALSE(phrase_of(*items_of(*m)));
}

TEST_CASE("a score in compact style comes back the same") {
  auto s = score_of(
      "(score (part :piano (measure (voice 1 :staff 1 (p) (note c5 :q) (note d5 :q :slur start) "
      "(note e5 :h :slur stop :tie start)) (voice 5 :staff 2 (chord (c3 e3) :w))) "
      "(measure (voice 1 :staff 1 (note e5 :w :tie stop)) (voice 5 :staff 2 (rest :measure)))))");
  auto text = print_score(s, print_style::compact);
  INFO(text);
  CHECK(text.find("(phrase ") != std::string::npos);
  CHECK(score_of(text) == s);
}

TEST_CASE("a pitch of a chord without octave is the next one above that before it") {
  struct row {
    std::string phrase, pitches;
  };
  for (auto& [phrase, pitches] : std::vector<row>{
           {"<eb2 eb>", "eb2 eb3"},
           {"<bb2 d f>", "bb2 d3 f3"},
           {"<c4 e g>", "c4 e4 g4"},
           {"<g4 b d f>", "g4 b4 d5 f5"},
           {"<c4 c c>", "c4 c5 c6"},
           {"<b3 c>", "b3 c4"},
           // On the same line or space the sharper one is above.
           {"<c4 c#>", "c4 c#4"},
           {"<c#4 c>", "c#4 c5"},
           {"<c4 cb>", "c4 cb5"},
           // By name, not by sound: b#3 sounds as c4, and c4 is written above it.
           {"<b#3 c>", "b#3 c4"},
           {"<cb4 b>", "cb4 b4"},
           // One with an octave is that pitch, also below; from there it goes up again.
           {"<c4 g3>", "c4 g3"},
           {"<c4 g3 b>", "c4 g3 b3"},
           {"<c4 e5 g>", "c4 e5 g5"},
           {"<c-1 e g>", "c-1 e-1 g-1"},
       }) {
    INFO(phrase);
    CHECK(forms(phrase + ":q") == "(seq (chord (" + pitches + ") :q))");
  }
  // Notes after the chord have the octave of its first pitch, and so has the next chord.
  CHECK(forms("<bb2 d f>:q g <c e g>") ==
        "(seq (chord (bb2 d3 f3) :q) (note g2 :q) (chord (c2 e2 g2) :q))");
  CHECK(forms("c5:q <g b d> a") == "(seq (note c5 :q) (chord (g5 b5 d6) :q) (note a5 :q))");
  CHECK(fault("<b9 c>").code == errc::invalid_pitch);
}

TEST_CASE("the key says what a letter of a chord is before its octave is looked for") {
  CHECK(shown("(phrase \"<b3 b>:q\" :key f-major)") == "(seq (chord (bb3 bb4) :q))");
  CHECK(shown("(phrase \"<d4 f d>:q\" :key d-major)") == "(seq (chord (d4 f#4 d5) :q))");
}

TEST_CASE("chords in every position are written so that they read back") {
  for (auto pitches : {"eb2 eb3", "eb2 eb2", "bb2 d3 f3", "c4 g3", "c4 c#4", "c#4 c4", "c4 e5 g4",
                       "c-1 c9", "b#3 c4", "g4 b4 d5", "g4 b4 d4"}) {
    auto text = "(seq (chord (" + std::string{pitches} + ") :q) (note c4 :q))";
    INFO(text);
    auto phrase = phrase_of(std::get<seq_music>(music_of(text)->data).items);
    REQUIRE(phrase);
    CHECK(forms(*phrase) == text);
  }
  CHECK(phrase_of(std::get<seq_music>(music_of("(seq (chord (bb2 d3 f3) :q))")->data).items) ==
        "<bb2 d f>:q");
}

}  // namespace fermata::phrase_test
