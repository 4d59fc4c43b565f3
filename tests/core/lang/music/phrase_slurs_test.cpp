#include "core/score/model/wording.hpp"
#include "typed_session.hpp"

namespace fermata::phrase_slurs_test {

using namespace fermata::test;

// Expectations: MusicXML's slur numbers (1 to 16, different while slurs overlap), by hand.

namespace {

/// The slurs of each note: "+1" begins number 1, "-1" ends it.
std::string slurs(const score& s) {
  std::string out;
  for (const auto& m : s.parts.at(0)->measures)
    for (const auto& item : m->items)
      if (auto c = std::get_if<chord_rest>(&item.content)) {
        out += out.empty() ? "" : " ";
        out += name_of(*c);
        for (const auto& x : c->notes.front().spanners)
          if (x.kind == spanner_kind::slur)
            out += (x.end == span_end::start ? "+" : "-") + std::to_string(x.number);
      }
  return out;
}
std::string slurs(const std::string& phrase) {
  return slurs(score_of("(score (part #p\"" + phrase + "\"))"));
}

}  // namespace

TEST_CASE("slurs inside each other have numbers of their own") {
  CHECK(slurs("c4:q((d e) f)") == "c4+1+2 d4 e4-2 f4-1");
  CHECK(slurs("((c4:q d) e f)") == "c4+1+2 d4-2 e4 f4-1");
  CHECK(slurs("(c4:q (d e) f)") == "c4+1 d4+2 e4-2 f4-1");
  CHECK(slurs("(c4:q d) (e f)") == "c4+1 d4-1 e4+1 f4-1");
  CHECK(slurs("(c4:q d)(e f)") == "c4+1 d4-1+1 e4 f4-1");
  // What began before the phrase ends in it, what ends behind it begins.
  CHECK(slurs("c4:q d) e( f") == "c4 d4-1 e4+1 f4");
}

TEST_CASE("what is repeated does not repeat one end of a slur") {
  CHECK(slurs("(c4:q d)*2") == "c4+1 d4-1 c4+1 d4-1");
  CHECK(slurs("c4:q(*3 d)") == "c4+1 c4 c4 d4-1");
  CHECK(slurs("c4:q( d)*2 e") == "c4+1 d4-1 d4 e4");
  CHECK(slurs("c4:q [d( e)]:h*2") == "c4 d4+1 e4-1 d4+1 e4-1");
  CHECK(slurs("(c4:q d e:h | f:w)*2") == "c4+1 d4 e4 f4-1 c4+1 d4 e4 f4-1");
}

TEST_CASE("a slur that begins on no note, and more slurs than there are numbers, are refused") {
  CHECK(fault_of("#p\"c4:q d (\"").code == errc::misplaced);
  CHECK(fault_of("#p\"" + std::string(17, '(') + "c4:q d" + std::string(17, ')') + "\"").code ==
        errc::out_of_range);
}

TEST_CASE("a tuplet inside a phrase inside a tuplet keeps its own ratio") {
  // 3:2 in 3:2 is 9:4 on the notes; the brackets say 3:2 each (MusicXML tuplet-actual).
  const auto direct = score_of(
      "(measure (tuplet 3:2 (note c4 :8) (tuplet 3:2 (note d4 :16) (note e4 :16) (note f4 :16)) "
      "(note g4 :8)) (rest :h.))");
  for (const auto* music :
       {"(measure (tuplet 3:2 (seq (note c4 :8) (tuplet 3:2 (note d4 :16) (note e4 :16) (note f4 "
        ":16)) (note g4 :8))) (rest :h.))",
        "(measure (tuplet 3:2 (phrase \"c4:8 {3:2 d:16 e f} g:8\")) (rest :h.))",
        "(measure (tuplet 3:2 (note c4 :8) (seq (seq (tuplet 3:2 (note d4 :16) (note e4 :16) (note "
        "f4 :16)))) (note g4 :8)) (rest :h.))"}) {
    INFO(music);
    auto s = score_of(music);
    CHECK(s == direct);
    CHECK(print_score(s).find(":modification") == std::string::npos);
  }
  for (auto style : {print_style{}}) {
    auto s = score_of("(measure (tuplet 3:2 (note c4 :8 :stem :up) (phrase \"{5:4 d4:32 e f g a} "
                      "g:8\")) (rest :h.))");
    CHECK(score_of(print_score(s, style)) == s);
  }
}

TEST_CASE("a bar check says which measure is too long or too short") {
  struct row {
    const char* phrase;
    const char* message;
  };
  for (const auto& x : std::vector<row>{
           {"c4:q d e f | g a b c d |", "measure 2: a quarter too long"},
           {"c4:q d e f g |", "measure 1: a quarter too long"},
           {"c4:q d e f | g a b |", "measure 2: the bar is not full here, a quarter is missing"},
           {"c4:q d e |", "measure 1: the bar is not full here, a quarter is missing"},
           {"c4:q d e f | g a b c | d e f g a:h |", "measure 3: a half too long"},
       }) {
    auto phrase = "#p\"" + std::string{x.phrase} + "\"";
    INFO(phrase);
    auto compiled = compile_fault_of("(score (part " + phrase + "))");
    CHECK(compiled.code == errc::bar_not_full);
    CHECK(compiled.message.find(x.message) != std::string::npos);
    session s;
    auto typed = s.try_type(phrase);
    REQUIRE_FALSE(typed);
    CHECK(typed.error().first().message.find(x.message) != std::string::npos);
  }
  // The bar may have begun with what was there before.
  session s;
  s.type("(note c4 :h)");
  auto r = s.try_type("#p\"d4:q e f |\"");
  REQUIRE_FALSE(r);
  CHECK(r.error().first().message.find("measure 1: a quarter too long") != std::string::npos);
  s.type("#p\"d4:q e | f g a b |\"");
  CHECK(s.score->parts[0]->measures.size() == 2);
}

TEST_CASE("a bar line after a pickup is right") {
  CHECK(score_of("(measure :pickup (note c4 :q) (bar))").parts[0]->measures[0]->implicit);
  CHECK(compile_fault_of("(measure (note c4 :q) (bar))").code == errc::bar_not_full);
}

TEST_CASE("hairpins that overlap have numbers of their own") {
  auto wedges = [](const std::string& phrase) {
    std::string out;
    const auto s = score_of("(score (part #p\"" + phrase + "\"))");
    for (const auto& m : s.parts[0]->measures)
      for (const auto& item : m->items)
        if (auto d = std::get_if<direction>(&item.content))
          if (auto w = std::get_if<wedge>(&d->types.front()))
            out += w->type.substr(0, 4) + std::to_string(w->number) + " ";
    return out;
  };
  CHECK(wedges("!cresc c4:q !dim d !stop e !stop f") == "cres1 dimi2 stop2 stop1 ");
  CHECK(wedges("!cresc c4:q d !stop !dim e f !stop") == "cres1 stop1 dimi1 stop1 ");
  CHECK(wedges("!cresc c4:q d !dim e f !stop") == "cres1 dimi1 stop1 ");
}

namespace {

/// The tied notes: ">" leads on from one, "<" into one.
std::string ties(const std::string& phrase) {
  std::string out;
  const auto s = score_of("(score (part #p\"" + phrase + "\"))");
  for (const auto& m : s.parts.at(0)->measures)
    for (const auto& item : m->items)
      if (auto c = std::get_if<chord_rest>(&item.content)) {
        out += out.empty() ? "" : " ";
        for (const auto& n : c->notes)
          out += (n.tie.stop ? "<" : "") + to_string(std::get<pitch>(n.tone)) +
                 (n.tie.start ? ">" : "");
      }
  return out;
}

}  // namespace

TEST_CASE("slurs end and begin at the last note of a group") {
  CHECK(slurs("(c4:q {3:2 d:8 e f})") == "c4+1 d4 e4 f4-1");
  CHECK(slurs("(c4:q [d e f]:q) g:h") == "c4+1 d4 e4 f4-1 g4");
  CHECK(slurs("(c4:q [d [e f]]:h) g:q") == "c4+1 d4 e4 f4-1 g4");
  CHECK(slurs("([c4 d]:h [e f])") == "c4+1 d4 e4 f4-1");
  CHECK(slurs("[c4 d]:h( e:q f)") == "c4 d4+1 e4 f4-1");
  CHECK(slurs("([c4 d]:h)( e:q f)") == "c4+1 d4-1+1 e4 f4-1");
  CHECK(slurs("[c4 d]:h (e:q f)") == "c4 d4 e4+1 f4-1");
  CHECK(slurs("(c4:q {3:2 d:8 e f})*2") == "c4+1 d4 e4 f4-1 c4+1 d4 e4 f4-1");
  CHECK(slurs("(c4:q [d e]:q*2) f:q") == "c4+1 d4 e4 d4 e4-1 f4");
}

TEST_CASE("ties begin at the last note of a group") {
  CHECK(ties("[c4 d e]:q~ e:h.") == "c4 d4 e4> <e4");
  CHECK(ties("{3:2 c4:q d e}~ e:h") == "c4 d4 e4> <e4");
  CHECK(ties("c4:q~ [c d]:q e:h") == "c4> <c4 d4 e4");
  CHECK(ties("[c4 d]:h~ {3:2 d:q e f}") == "c4 d4> <d4 e4 f4");
  CHECK(ties("[c4 [d e]]:h~ e") == "c4 d4 e4> <e4");
  // Of a chord the notes that go on, as behind a chord by itself.
  CHECK(ties("[c4 <e g>]:h~ <e g c5>") == "c4 e4>g4> <e4<g4c5");
  CHECK(ties("[c4 <e g>]:h~ g") == "c4 e4g4> <g4");
  for (const auto* text : {"#p\"[c4 d]:h~ e\"", "#p\"[c4 s]:h~ c\"", "#p\"[c4 d]:h-.\"",
                           "#p\"(c4:q s:q)\"", "#p\"c4:q |~ c\""}) {
    INFO(text);
    CHECK(fault_of(text).code == errc::misplaced);
  }
}

TEST_CASE("a phrase is printed with the signs of a group's last note inside of it") {
  for (const auto* text : {"(c4:q {3:2 d:8 e f}) g:h", "[c4 d e]:q~ e:h.", "[c4 d]:h( e:q f)"}) {
    INFO(text);
    auto s = score_of("(score (part #p\"" + std::string{text} + "\"))");
    auto compact = print_score(s, print_style::compact);
    INFO(compact);
    CHECK(compact.find("(phrase ") != std::string::npos);
    CHECK(score_of(compact) == s);
  }
}

}  // namespace fermata::phrase_slurs_test
