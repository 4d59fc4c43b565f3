#include "evaluated.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace fermata::option_words_test {

using namespace fermata::test;

namespace {

/// The values of a type of the schema that is an enumeration, as the language writes them.
std::vector<std::string> words_of(const std::string& type) {
  static const std::string schema = [] {
    std::ifstream file{FERMATA_TEST_DATA "/xsd/musicxml.xsd"};
    return std::string{std::istreambuf_iterator<char>{file}, {}};
  }();
  auto begin = schema.find("<xs:simpleType name=\"" + type + "\">");
  REQUIRE(begin != std::string::npos);
  auto body = schema.substr(begin, schema.find("</xs:simpleType>", begin) - begin);
  std::vector<std::string> words;
  const std::string mark = "enumeration value=\"";
  for (auto at = body.find(mark); at != std::string::npos; at = body.find(mark, at + 1)) {
    auto from = at + mark.size();
    auto word = body.substr(from, body.find('"', from) - from);
    std::replace(word.begin(), word.end(), ' ', '-');
    if (!word.empty()) words.push_back(std::move(word));
  }
  REQUIRE_FALSE(words.empty());
  return words;
}

std::string with_word(std::string text, const std::string& word) {
  auto at = text.find('%');
  return text.replace(at, 1, word);
}

/// All that a musician reads of an error.
std::string heard(const std::string& text) {
  auto v = try_eval(text);
  return v ? "accepted: " + print(*v) : render(v.error(), text);
}

/// Where the language takes a word that MusicXML enumerates.
struct place {
  const char *type, *form;
};
const place places[] = {
    {"clef-sign", "(clef :sign % :line 2)"},
    {"cancel-location", "(key c :major :cancel -2 :cancel-location %)"},
    {"accidental-value", "(key 0 :alterations ((\"f#\" :accidental %)))"},
    {"time-symbol", "(time 4 4 :symbol %)"},
    {"yes-no", "(transposition -M2 :double-above %)"},
    {"bar-style", "(barline :style %)"},
    {"backward-forward", "(barline :repeat %)"},
    {"right-left-middle", "(barline :location %)"},
    {"start-stop-discontinue", "(barline :ending 1 %)"},
    {"yes-no", "(barline :repeat-end :after-jump %)"},
    {"yes-no", "(layout :system %)"},
    {"yes-no", "(layout :page %)"},
    {"kind-value", "(harmony :root c :kind %)"},
    {"degree-type-value", "(harmony :root c :kind major :degree (% 9))"},
    {"group-symbol-value", "(group :symbol % (part :flute))"},
    {"group-barline-value", "(group :barline % (part :flute))"},
    {"pedal-type", "(pedal %)"},
    {"up-down-stop-continue", "(octave-shift %)"},
    {"start-stop-continue", "(dashes %)"},
    {"start-stop-continue", "(bracket-line %)"},
    {"above-below", "(p :placement %)"},
    {"yes-no", "(sound (:dacapo %))"},
    {"yes-no", "(words \"x\" :sound (:pizzicato %))"},
    {"accidental-value", "(note c4 :accidental %)"},
    {"accidental-value", "(note c4 :accidental-mark %)"},
    {"accidental-value", "(note c4 :trill :ornament-accidental %)"},
    {"accidental-value", "(note c4 :mark (accidental-mark % below))"},
    {"notehead-value", "(note c4 :notehead %)"},
    {"yes-no", "(note c4 :notehead (diamond :filled %))"},
    {"yes-no", "(note c4 :notehead (diamond :parentheses %))"},
    {"stem-value", "(note c4 :stem %)"},
    {"beam-value", "(note c4 :8 :beam %)"},
    {"tied-type", "(note c4 :tied %)"},
    {"start-stop-continue", "(note c4 :slur %)"},
    {"start-stop-continue", "(note c4 :wavy-line %)"},
    {"start-stop", "(note c4 :tuplet %)"},
    {"start-stop", "(note c4 :glissando %)"},
    {"start-stop", "(note c4 :slide %)"},
    {"start-stop", "(note c4 :hammer-on %)"},
    {"start-stop", "(note c4 :pull-off %)"},
    {"start-stop", "(note c4 :double-tremolo %)"},
    {"syllabic", "(note c4 :lyric (\"la\" %))"},
    {"fermata-shape", "(note c4 :fermata %)"},
    {"fermata-shape", "(note c4 :mark (fermata %))"},
    {"up-down", "(note c4 :marcato %)"},
    {"up-down", "(note c4 :arpeggiate %)"},
    {"top-bottom", "(note c4 :non-arpeggiate %)"},
    {"breath-mark-value", "(note c4 :breath-mark %)"},
    {"caesura-value", "(note c4 :caesura %)"},
    {"hole-closed-value", "(note c4 :hole %)"},
    {"harmon-closed-value", "(note c4 :harmon-mute %)"},
    {"arrow-direction", "(note c4 :arrow %)"},
    {"handbell-value", "(note c4 :handbell %)"},
    {"handbell-value", "(note c4 :mark (handbell %))"},
    {"yes-no", "(grace b4 :slash-text %)"},
};

}  // namespace

TEST_CASE("a word that MusicXML has is taken where it stands, as a name and as a keyword") {
  for (auto& p : places)
    for (const auto& word : words_of(p.type))
      for (const auto& written : {word, ":" + word}) {
        // A flag of the same name says more than the word in quotes would.
        auto text = with_word(p.form, written);
        INFO(text);
        auto v = try_eval(text);
        CHECK((v.has_value() ? std::string{} : render(v.error(), text)) == "");
        if (!v || !v->as_music()) continue;
        CHECK(*music_of(print(*v)) == **v->get_if<music_ptr>());
      }
}

TEST_CASE("a word that MusicXML has not is refused where it is typed, by its name") {
  for (auto& p : places) {
    auto text = with_word(p.form, "zzyzx");
    INFO(text);
    auto message = fault_of(text).message;
    INFO(message);
    CHECK(message.find("zzyzx") != std::string::npos);
    CHECK(message.find("arguments are taken") == std::string::npos);
    CHECK(message.find("is not defined") == std::string::npos);
  }
}

TEST_CASE("a word with one letter too many is told what was meant") {
  for (auto& p : places)
    for (const auto& word : words_of(p.type)) {
      if (word.size() < 5) continue;  // too short to tell from others
      auto text = with_word(p.form, word + "z");
      INFO(text);
      auto message = heard(text);
      INFO(message);
      CHECK(message.find("did you mean") != std::string::npos);
      CHECK(message.find(word) != std::string::npos);
    }
}

TEST_CASE("numbers that say how something is drawn or played have their limits") {
  struct row {
    const char *text, *what;
  };
  for (auto [text, what] : {
           row{"(octave-shift :down :size 10)", "8 15 22"},
           {"(octave-shift :down :number 17)", "1 to 16"},
           {"(dashes :start :number 0)", "1 to 16"},
           {"(note c4 :double-tremolo (start 9))", "0 to 8"},
           {"(note c4 :double-tremolo (start many))", "0 to 8"},
           {"(note c4 :beam (begin begin begin begin begin begin begin begin begin))", "eight"},
           {"(note c4 :mark (tremolo three))", "whole number"},
           {"(note c4 :mark (staccato sideways))", "`sideways`"},
           {"(note c4 :mark (bend \"2\"))", ":xml"},
           {"(sound (:tempo fast))", "a number from 0"},
           {"(sound (:tempoo 90))", "did you mean `tempo`"},
           {"(sound (:pan 200))", "-180 to 180"},
           {"(words \"x\" :sound (:tempo fast))", "a number from 0"},
           {"(words \"x\" :sound nothing)", "`sound`"},
           {"(harmony :root c :degree (add nine))", "(add 9)"},
           {"(harmony :root c :degree (9))", "(add 9)"},
           {"(harmony :root c :degree (add 9 :cents high))", "whole number"},
           {"(harmony \"C\" :staff high)", "1 to 64"},
           {"(transposition :chromatic two)", "semitones"},
           {"(grace b4 :steal-previous some)", "a number"},
           {"(direction (p) (mf) :grouping (1 one))", "(1 2)"},
           {"(key -3 :mode majr)", "did you mean :major"},
           {"(figured-bass (:number 6 :suffix slasch))", "did you mean `slash`"},
           {"(figured-bass (:number 6 :prefix sharpp))", "did you mean `sharp`"},
           {"(score :credit (:wrods \"x\"))", "did you mean `words`"},
           {"(part :sound (\"i1\" \"Piano\" :channel one))", "whole number"},
           {"(part :sound (\"i1\" \"Piano\" :programm 1))", ":programm"},
       }) {
    INFO(text);
    auto message = heard(text);
    INFO(message);
    if (std::string_view{what} == "`sound`")
      CHECK(message.find("(:tempo 96)") != std::string::npos);
    else
      CHECK(message.find(what) != std::string::npos);
    CHECK(message.find("accepted") == std::string::npos);
  }
}

TEST_CASE("text in quotes is what another program wrote, and stays") {
  for (auto text :
       {"(clef :sign \"x\" :line 9)", "(key -3 :mode \"hypo\")", "(layout :system \"maybe\")",
        "(harmony :root c :kind \"strange\")", "(octave-shift :up :size \"10\")",
        "(note c4 :accidental-mark \"odd\")", "(sound (:tempo \"fast\"))",
        "(sound (:tempo \"-5\" :pan \"200\" :dacapo \"1\"))", "(note c4 :mark (fermata \"round\"))",
        "(barline :repeat-end :after-jump \"perhaps\")", "(group :symbol \"wave\" (part :flute))",
        "(figured-bass (:prefix \"up\" :number 6))"}) {
    INFO(text);
    auto m = music_of(text);
    INFO(print(value::of(m)));
    CHECK(*music_of(print(value::of(m))) == *m);
  }
}

TEST_CASE("a clef by its sign is the clef of that name, in capitals or not") {
  for (auto [by_sign, by_name] : {std::pair{"(clef :sign g :line 2)", "(clef :treble)"},
                                  {"(clef :sign F :line 4)", "(clef :bass)"},
                                  {"(clef :sign f)", "(clef :bass)"},
                                  {"(clef :sign c :line 1)", "(clef :soprano)"},
                                  {"(clef :sign c)", "(clef :alto)"},
                                  {"(clef :sign g :line 2 :octave -1)", "(clef :treble-8vb)"},
                                  {"(clef :sign g :octave -1)", "(clef :treble-8vb)"},
                                  {"(clef :sign tab :line 5)", "(clef :tab)"},
                                  {"(clef :sign Percussion)", "(clef :percussion)"}}) {
    INFO(by_sign);
    CHECK(shown(by_sign) == by_name);
    CHECK(*music_of(by_sign) == *music_of(by_name));
  }
  CHECK(first_in<attributes>(score_of("(measure (clef :sign c :line 1) (note c4 :w))"))
            .clefs.front()
            .value == clef{"C", 1, 0});
  for (auto text : {"(clef :sign x)", "(clef :sign G :line 9)", "(clef :sign c :line 0)"}) {
    INFO(text);
    CHECK(fault_of(text).code == errc::invalid_clef);
  }
}

TEST_CASE("a number behind a tremolo between two notes is how many strokes it has") {
  for (int strokes = 0; strokes <= 8; ++strokes) {
    auto text = "(note c4 :h :double-tremolo (start " + std::to_string(strokes) + "))";
    auto m = music_of(text);
    const auto& s = leaf<chord_rest>(*m)->notes.front().spanners.front();
    CHECK(s.text == std::to_string(strokes));
    CHECK(s.number == 1);
    CHECK(shown(text) == "(note c4 :h :double-tremolo (:start " + std::to_string(strokes) + "))");
  }
  CHECK(*music_of("(note c4 :h :double-tremolo (start :text \"2\"))") ==
        *music_of("(note c4 :h :double-tremolo (start 2))"));
}

TEST_CASE("a bend says by how many semitones") {
  // MusicXML's <bend-alter> counts semitones, with decimals for quarter tones.
  for (auto [typed, written] : {std::pair{"2", "2"}, {"1/2", "0.5"}, {"1", "1"}, {"3/2", "1.5"}}) {
    auto text = "(note c4 :h :bend " + std::string{typed} + ")";
    auto m = music_of(text);
    CHECK(leaf<chord_rest>(*m)->notes.front().marks.front().extra->children.front().xml ==
          "<bend-alter>" + std::string{written} + "</bend-alter>");
    CHECK(shown(text) == text);
  }
  CHECK(shown("(note c4 :h :bend)") == "(note c4 :h :bend)");
  CHECK(heard("(note c4 :h :bend 9)").find("3/2") != std::string::npos);
}

TEST_CASE("new parts get only an instrument that there is") {
  auto f = fault_of("(defaults :instrument hron)");
  CHECK(f.message.find("unknown instrument :hron") != std::string::npos);
  CHECK(f.hint.find("did you mean :horn?") != std::string::npos);
  CHECK(try_eval("(defaults :instrument horn)").has_value());
  CHECK(try_eval("(defaults :instrument \"French Horn\")").has_value() ==
        try_eval("(part :french-horn)").has_value());
}

TEST_CASE("a figure is its number with the signs before and behind it") {
  // MusicXML: <prefix> and <suffix> are accidental values, plus; a suffix also slash, back-slash.
  struct row {
    const char *typed, *prefix, *number, *suffix;
  };
  for (auto [typed, prefix, number, suffix] : {row{"6", "", "6", ""},
                                               {"\"#6\"", "sharp", "6", ""},
                                               {"\"##4\"", "double-sharp", "4", ""},
                                               {"x4", "double-sharp", "4", ""},
                                               {"bb7", "flat-flat", "7", ""},
                                               {"\"\u266d\u266d7\"", "flat-flat", "7", ""},
                                               {"n6", "natural", "6", ""},
                                               {"\"6+\"", "", "6", "plus"},
                                               {"\"+6\"", "plus", "6", ""},
                                               {"\"6#\"", "", "6", "sharp"},
                                               {"\"/5\"", "", "5", "slash"},
                                               {"\"5/\"", "", "5", "slash"},
                                               {"\"5\\\\\"", "", "5", "back-slash"},
                                               {"\"#4/\"", "sharp", "4", "slash"},
                                               {"\"#\"", "sharp", "", ""},
                                               {"\"10\"", "", "10", ""}}) {
    INFO(typed);
    auto m = music_of("(figured-bass " + std::string{typed} + ")");
    const auto& f = leaf<figured_bass>(*m)->figures.front();
    CHECK(f.prefix == prefix);
    CHECK(f.number == number);
    CHECK(f.suffix == suffix);
    CHECK(*music_of(print(value::of(m))) == *m);
  }
}

TEST_CASE("a mode that is none is a fault at the word or option that gives it") {
  for (std::string text : {"(key c :mode none)", "(key c none)", "(key c :none)"}) {
    INFO(text);
    auto v = try_eval(text);
    REQUIRE_FALSE(v);
    auto& d = v.error().first();
    CHECK(d.code == errc::invalid_key);
    REQUIRE(d.span);
    CHECK(text.substr(d.span->begin, d.span->end - d.span->begin).ends_with("none"));
  }
}

}  // namespace fermata::option_words_test
