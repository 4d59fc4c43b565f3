#include "core/lang/value/form_spec.hpp"
#include "evaluated.hpp"

#include <set>

namespace fermata::forms_test {

using namespace fermata::test;

namespace {

bool is_musical(const form_spec& f) {
  return f.category == "music" || f.category == "mark" || f.category == "structure";
}

}  // namespace

TEST_CASE("the example of every musical form evaluates, and its text means the same music") {
  auto forms = 0;
  for (const auto& f : form_table()) {
    if (!is_musical(f)) continue;
    ++forms;
    INFO(f.example);
    auto m = music_of(f.example);
    INFO(print(*m));
    CHECK(*music_of(print(*m)) == *m);
    CHECK_FALSE(f.doc.empty());
  }
  CHECK(forms > 60);
}

TEST_CASE("every musical example can stand in a score and comes back from it") {
  for (const auto& f : form_table()) {
    if (!is_musical(f) || f.name == "score") continue;
    INFO(f.example);
    auto text = f.example;
    if (f.category == "mark") text = "(measure " + text + " (rest :measure))";
    if (f.name == "group") continue;  // it is a whole score
    auto s = compile_score(*music_of("(score " + text + ")"));
    if (!s && s.error().first().code == errc::invalid_score) continue;
    if (!s) FAIL(render(s.error(), text));
    CHECK(score_of(print_score(*s)) == *s);
  }
}

TEST_CASE("every dynamic of MusicXML is a form") {
  for (auto name : {"p",    "pp",    "ppp",    "pppp", "ppppp", "pppppp", "f",   "ff",   "fff",
                    "ffff", "fffff", "ffffff", "mp",   "mf",    "sf",     "sfp", "sfpp", "fp",
                    "rf",   "rfz",   "sfz",    "sffz", "fz",    "n",      "pf",  "sfzp"}) {
    INFO(name);
    CHECK(find_form(name));
    CHECK(shown("(" + std::string{name} + ")") == "(" + std::string{name} + ")");
  }
}

TEST_CASE("the spellings that were only planned are accepted") {
  // original-language.md, section 1.3, "Planned or tree only", and its to-do list of desugarings.
  for (auto text : {"(dynamic ff)", "(dynamic :ff)", "(decresc)", "(crescendo)", "(fine)",
                    "(tuplet 3:2 (note c4 :8) (note d4 :8) (note e4 :8))", "(note c4 :e)",
                    "(note c4 :s)", "(harmony \"C7\")", "(octave-shift :8va)",
                    "(staff 2 (note c3 :q))", "(voice 2 (note c4 :q))",
                    "(ending 1 (measure (rest :w)))", "(repeat (measure (rest :w)))"}) {
    INFO(text);
    CHECK(music_of(text));
  }
}

TEST_CASE("a tempo takes its words, beat and number in any order") {
  auto canonical = shown("(tempo \"Allegro\" :q 120)");
  CHECK(canonical == "(tempo \"Allegro\" :q 120)");
  for (auto text :
       {"(tempo :q 120 \"Allegro\")", "(tempo 120 \"Allegro\" :q)", "(tempo \"Allegro\" q 120)",
        "(tempo \"Allegro\" :4 120)", "(tempo 120 :quarter \"Allegro\")"})
    CHECK(shown(text) == canonical);
  auto sound_of = [](const char* text) {
    return std::get<direction>(std::get<measure_content>(music_of(text)->data)).sound;
  };
  // The original refused :8 and :16 here, and had no playback tempo.
  CHECK(sound_of("(tempo :8 208)")->attribute("tempo") == "104");
  CHECK(sound_of("(tempo :q 66.5)")->attribute("tempo") == "66.5");
  CHECK(sound_of("(tempo :q. 54)")->attribute("tempo") == "81");
  CHECK(shown("(tempo :q = :q.)") == "(tempo :q :q.)");
  CHECK_FALSE(sound_of("(tempo :q = :q.)"));
  CHECK(shown("(tempo :q \"c. 96\")") == "(tempo :q \"c. 96\")");
  CHECK(fault_of("(tempo :q)").code == errc::invalid_tempo);
  CHECK(fault_of("(tempo)").code == errc::invalid_tempo);
}

TEST_CASE("keys are written in every way musicians write them") {
  auto canonical = shown("(key f# :minor)");
  for (auto text : {"(key :f# :minor)", "(key f# minor)", "(key f#-minor)", "(key f-sharp minor)",
                    "(key F# :Minor)"}) {
    INFO(text);
    CHECK(shown(text) == canonical);
  }
  CHECK(shown("(key -3)") == "(key -3)");
  CHECK(shown("(key d dorian)") == "(key :d :dorian)");
  // b# lydian would need thirteen sharps; the original wrote them.
  CHECK(fault_of("(key b# :lydian)").code == errc::invalid_key);
  CHECK(fault_of("(key h :major)").code == errc::invalid_key);
  CHECK(fault_of("(key c :majro)").code == errc::unknown_keyword);
}

TEST_CASE("time signatures and clefs in all their spellings") {
  CHECK(shown("(time 3 4)") == "(time 3 4)");
  CHECK(shown("(time (3 4))") == "(time 3 4)");
  CHECK(shown("(time 3+2 8)") == "(time (3+2 8))");
  CHECK(shown("(time (3+2 8))") == "(time (3+2 8))");
  CHECK(shown("(time (3 8) (2 4))") == "(time (3 8) (2 4))");
  CHECK(fault_of("(time 4 0)").code == errc::invalid_time);
  CHECK(shown("(clef g 2)") == "(clef :treble)");
  CHECK(shown("(clef c 4)") == "(clef :tenor)");
  CHECK(shown("(clef treble-8vb)") == "(clef :treble-8vb)");
  CHECK(shown("(clef :bass :staff 2)") == "(clef :bass :staff 2)");
  CHECK(fault_of("(clef :trebel)").hint.find("treble") != std::string::npos);
}

namespace {

struct refused {
  std::string text;    ///< what the terminal shows
  std::string marked;  ///< the part of the input that the caret line marks
};

refused refusal_of(std::string_view input) {
  evaluation_request request;
  request.text = input;
  request.env = std::make_shared<const environment>();
  request.score = empty_score();
  auto r = evaluate(request);
  if (r) FAIL(std::string{input} + " was accepted");
  auto& d = r.error().first();
  REQUIRE(d.span);
  return {render(r.error(), input),
          std::string{input.substr(d.span->begin, d.span->end - d.span->begin)}};
}

}  // namespace

TEST_CASE("what musicians try in the wrong form is answered with the right spelling") {
  struct row {
    const char* written;
    const char* answer;
  };
  for (auto [written, answer] :
       {row{"(repeat :forward)", "(barline :repeat-start)"},
        row{"(repeat :backward)", "(barline :repeat-end)"},
        row{"(ending 1 :start)", "(barline :ending 1 :start)"},
        row{"(ending 2 :discontinue)", "(barline :ending 1 :discontinue)"},
        row{"(octave-shift :up 8)", "(octave-shift :8va)"},
        row{"(octave-shift 8 :up)", "(octave-shift :8va)"},
        row{"(fermata)", "(note c4 :q :fermata)"}, row{"(staccato)", "(note c4 :q :staccato)"},
        row{"(trill (note c4))", "(note c4 :q :trill)"}}) {
    auto r = refusal_of(written);
    INFO(r.text);
    CHECK(r.text.find(answer) != std::string::npos);
  }
}

TEST_CASE("the word that is wrong is marked, not the whole form") {
  struct row {
    const char* written;
    const char* marked;
  };
  for (auto [written, marked] :
       {row{"(clef :trebble)", ":trebble"}, row{"(clef :trebble :staff 2)", ":trebble"},
        row{"(clef :staff 2 :bas)", ":bas"}, row{"(key h :major)", "h"},
        row{"(key c :majr)", ":majr"}, row{"(time :comon)", ":comon"},
        row{"(barline :duble)", ":duble"}, row{"(barline :ending 1 :strat)", ":strat"},
        row{"(break :pagee)", ":pagee"}, row{"(rn \"I\" \"VIII\" :key c)", "\"VIII\""},
        row{"(neo :Q (c4 e4 g4))", ":Q"}, row{"(neo :P (c4 e4 f4))", "(c4 e4 f4)"}}) {
    auto r = refusal_of(written);
    INFO(r.text);
    CHECK(r.marked == marked);
  }
}

}  // namespace fermata::forms_test
