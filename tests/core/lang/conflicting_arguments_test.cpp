#include "core/lang/value/form_spec.hpp"
#include "core/lang/value/letter_case.hpp"
#include "music/typed_session.hpp"

namespace fermata::conflicting_arguments_test {

using namespace fermata::test;

// Nothing that is accepted may vanish (language.md, principle 3).

TEST_CASE("two words for one thing are refused by every form that has them") {
  std::size_t checked = 0;
  for (const auto& row : form_table())
    for (const auto& p : row.params)
      for (const auto& q : row.params) {
        if (&p >= &q || p.thing.empty() || p.thing != q.thing || !is_named(p) || !is_named(q))
          continue;
        auto written = [](const param& x) {
          return " :" + x.name +
                 (x.kind == param_kind::flag
                      ? ""
                      : " " + (x.choices.empty() ? std::string{"c"} : x.choices.front()));
        };
        auto text = "(" + row.name + written(p) + written(q) + ")";
        INFO(text);
        auto v = try_eval(text);
        REQUIRE_FALSE(v);
        ++checked;
      }
  CHECK(checked > 100);
}

TEST_CASE("what would vanish is refused, with the reason") {
  struct row {
    const char* text;
    const char* message;
  };
  for (const auto& x : std::vector<row>{
           {"(p :below :above)", ":below and :above both give the placement"},
           {"(words \"dolce\" :above :placement below)", "both give the placement"},
           {"(harmony \"Dm7\" :root c)", "symbol and :root both give the root"},
           {"(harmony \"Dm7\" :kind major)", "the symbol already gives the kind"},
           {"(harmony \"D/F#\" :bass a)", "the symbol already gives the bass"},
           {"(harmony :root c :function I)", "both give the root"},
           {"(octave-shift :8va :size 15)", "8va already gives the size, 8"},
           {"(octave-shift :15mb :size 8)", "15mb already gives the size, 15"},
           {"(key :alterations (f# bb) :octaves (5 4))", "expected pairs"},
           {"(clef :bass :sign G)", "both give the clef"},
           {"(key c :major :mode minor)", "conflicting modes"},
           {"(transposition -M2 :diatonic -4)", "both give the transposition"},
           {"(cursor :measure 1 :end)", ":measure and :end both give the measure"},
           {"(figured-bass 6 :q :lasts 1/2)", "is given twice"},
           {"(group :bracket :brace (part :flute))", "both give the symbol"},
           {"(repeat (repeat (measure (note c4 :w))) (measure (note d4 :w)))", "nested repeats"},
           {"(measure (voice 2 :at -1 (note c4 :q)))", ":at must not be negative"},
       }) {
    INFO(x.text);
    auto v = try_eval(x.text);
    REQUIRE_FALSE(v);
    CHECK(v.error().first().message.find(x.message) != std::string::npos);
  }
  CHECK(shown("(key c :mode minor)") == shown("(key c :minor)"));
  CHECK(shown("(octave-shift :8va :size 8)") == shown("(octave-shift :8va)"));
  CHECK(shown("(harmony \"D\" :bass a)") == shown("(harmony \"D/A\")"));
}

TEST_CASE("each round of a repeat with endings has one") {
  const std::string m = "(measure (note c4 :w))";
  for (const auto* text :
       {"(repeat :times 3 M (ending 1 M) (ending 2 M))", "(repeat :times 4 M (ending (1 2) M))",
        "(repeat :times 3 M (ending 2 M) (ending 3 M))"}) {
    std::string music = text;
    for (std::size_t at; (at = music.find('M')) != std::string::npos;)
      music.replace(at, 1, m);
    INFO(music);
    CHECK(compile_fault_of(music).code == errc::misplaced);
  }
  for (const auto* text :
       {"(repeat :times 3 M (ending (1 2) M) (ending 3 M))", "(repeat M (ending 1 M) (ending 2 M))",
        "(repeat M (ending 1 M) (ending 2 M) (ending 3 M))", "(repeat M (ending 1 M))",
        "(repeat :times 3 M (ending (1 2) M))"}) {
    std::string music = text;
    for (std::size_t at; (at = music.find('M')) != std::string::npos;)
      music.replace(at, 1, m);
    INFO(music);
    score_of(music);
  }
}

TEST_CASE("a time signature stands at the start of a measure, written as one or typed") {
  CHECK(compile_fault_of("(measure (note c4 :h) (time 3 4) (note d4 :h))").code == errc::misplaced);
  session s;
  s.type("(note c4 :h)");
  CHECK(s.fault("(time 3 4)") == errc::misplaced);
}

TEST_CASE("a word that is near to a right one is pointed to") {
  struct row {
    const char* text;
    const char* hint;
  };
  for (const auto& x : std::vector<row>{
           {"(note c4 :fermata angeled)", "did you mean :angled?"},
           {"(note c4 :fermata :angeled)", "did you mean :angled?"},
           {"(note c4 :quater)", "did you mean :quarter?"},
           {"(rest quater)", "did you mean :quarter?"},
           {"(note c4 :crochet)", "did you mean :crotchet?"},
           {"(cadence :authetic)", "did you mean :authentic?"},
           {"(tie (note c4))", "(note c4 :q :tie start)"},
           {"(slur (note c4))", "(note c4 :q :slur start)"},
           {"(staccato (note c4))", "(note c4 :q :staccato)"},
           {"-9223372036854775808", "9223372036854775807"},
       }) {
    INFO(x.text);
    auto v = try_eval(x.text);
    REQUIRE_FALSE(v);
    CHECK(v.error().first().hint.find(x.hint) != std::string::npos);
  }
  // What the hints say is accepted.
  eval("(note c4 :q :tie start)");
  eval("(note c4 :q :slur start)");
  eval("(note c4 :fermata q)");
  CHECK(shown("9223372036854775807") == "9223372036854775807");
}

TEST_CASE("a clef is an option of a measure as key and time are") {
  CHECK(shown("(measure :clef (clef :bass))") == shown("(measure :clef bass)"));
  CHECK_FALSE(try_eval("(measure :clef (key c :major))"));
  CHECK_FALSE(try_eval("(measure :clef 5)"));
}

TEST_CASE(":last is a measure wherever one is selected") {
  session s;
  s.type("(measure (note c4 :w))");
  s.type("(measure (note d4 :w))");
  s.type("(insert-measure :last (measure (note e4 :w)))");
  CHECK(s.measure(1) == "(measure (note e4 :w))");
  s.type("(at :last (f))");
  CHECK(s.measure(2).find("(f)") != std::string::npos);
  s.type("(delete :last)");
  CHECK(s.score->parts[0]->measures.size() == 2);
}

TEST_CASE("letters beyond English have capitals too") {
  CHECK(shown("(upper \"é\")") == "\"É\"");
  // Bytes that are not UTF-8 are kept, and so is what is beside them.
  CHECK(in_small_letters("\xC3"
                         "A\xC1\xA1") == "\xC3"
                                         "a\xC1\xA1");
  CHECK(shown("(upper \"dvořák più ça straße\")") == "\"DVOŘÁK PIÙ ÇA STRASSE\"");
  CHECK(shown("(lower \"ÄÖÜ ŁÓDŹ ΑΒΓ ЧАЙ\")") == "\"äöü łódź αβγ чай\"");
  CHECK(shown("(upper \"ÿ ß × ÷\")") == "\"Ÿ SS × ÷\"");
  CHECK(shown("(upper \"♯ c4\")") == "\"♯ C4\"");
}

}  // namespace fermata::conflicting_arguments_test
