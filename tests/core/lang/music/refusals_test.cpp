#include "evaluated.hpp"

#include <utility>

namespace fermata::refusals_test {

using namespace fermata::test;

namespace {

/// All that a musician reads of an error.
std::string read_aloud(std::string_view text) {
  auto v = try_eval(text);
  if (v) FAIL(std::string{text} + " was accepted: " + print(*v));
  return render(v.error(), text);
}

}  // namespace

TEST_CASE("what cannot be is refused with what it was, and what to do") {
  struct row {
    const char *text, *what, *to_do;
  };
  for (auto [text, what, to_do] : {
           // What belongs to another form.
           row{"(ending :start)", "an ending needs a number", "(barline :ending 1 :start)"},
           {"(ending :stop (measure))", "an ending needs a number", "(barline :ending 1 :stop)"},
           {"(find-key \"I V I\")", "needs music", "(rn \"I V I\")"},
           {"(chords-in (list \"I\" \"V\"))", "expected music", "(rn \"I V I\")"},
           // No key signature begins on a quarter tone.
           {"(key cd)", "`cd` is between two semitones", "(key :alterations (bd ed))"},
           {"(key cd :minor)", "`cd` is between two semitones", "(key :alterations (bd ed))"},
           {"(key \"cd minor\")", "`cd` is between two semitones", "(key :alterations (bd ed))"},
           {"(key c+ :major :theoretical)", "`c+` is between two semitones",
            "(key :alterations (bd ed))"},
           {"(key b# :major)", "more than seven accidentals", "(key b# :major :theoretical)"},
           // Options in a list of pitches.
           {"(chord (c4 :tie start) e4)", "`start` is not defined", "(note c4 :tie start)"},
           {"(chord (c4 :slur foo e4) :q)", "`foo` is not defined", "(note c4 :slur foo)"},
           {"(chord (c4 :staccato e4) :q)", ":staccato is not allowed inside a list of pitches",
            "(note c4 :staccato ...)"},
           {"(chord (c4 e4 :staccato) :q)", ":staccato is not allowed inside a list of pitches",
            "after the list"},
           {"(chord (c4 nil) :q)", "not nil", "usage:"},
           // What is no word is named as it was written.
           {"(note c4 :tie (start nil start))", "not `nil`", "start, stop or both"},
           {"(note c4 :slur nil)", "`nil` is not start, stop or continue", "usage:"},
           {"(note c4 :beam nil)", "not `nil`", "begin, continue, end"},
           {"(note c4 :dyn nil)", "`nil` is not a dynamic", "usage:"},
           {"(dynamic nil)", "`nil` is not a dynamic", "usage:"},
           {"(note c4 :lyric nil)", "not nil", "such as \"la\""},
           {"(note c4 :lyric (\"la\" :verse))", "which verse?", "usage:"},
           {"(note c4 :lyric (\"la\" :extend soon))", "`soon` is not a valid value", "usage:"},
           {"(figured-bass nil)", "not nil", "a figure such as 6"},
           // Out of the range of the thing.
           {"(note c10)", "not `c10`", "octaves range from -1 to 9"},
           {"(note g#-2)", "not `g#-2`", "octaves range from -1 to 9"},
           {"(note cbbbb4)", "not `cbbbb4`", "accidentals are"},
           {"(note h4)", "not `h4`", "bb"},
           {"(note k4)", "not `k4`", "a letter from a to g"},
           // Sharps and flats as they are called elsewhere.
           {"(note fis4)", "not `fis4`", "f#4"},
           {"(note ces4)", "not `ces4`", "cb4"},
           {"(note ees5)", "not `ees5`", "eb5"},
           {"(note aes3)", "not `aes3`", "ab3"},
           {"(note eses5)", "not `eses5`", "ebb5"},
           {"(note ases5)", "not `ases5`", "abb5"},
           {"(note bes3)", "not `bes3`", "bb3"},
           {"(note fisis4)", "not `fisis4`", "fx4"},
           {"(note geses4)", "not `geses4`", "gbb4"},
           {"(note c)", "not `c`", "a pitch needs its octave: c4"},
           {"(note f#)", "not `f#`", "a pitch needs its octave: f#4"},
           {"(NOTE c4)", "unknown form or function `NOTE`", "did you mean `note`?"},
           {"(Note c4)", "unknown form or function `Note`", "did you mean `note`?"},
           {"(MEASURE (note c4))", "`MEASURE`", "did you mean `measure`?"},
           // What is there already, or belongs to nothing.
           {"(note c4 :q :q)", "there is already a duration", ":q"},
           {"(note c4 :h q.)", "there is already a duration", ":h"},
           {"(rest :q :h)", "there is already a duration", "usage:"},
           {"(note c4 :q :staccato 2)", ":staccato takes no value", "the number 2"},
           {"(make-error :my-code \"m\" \"\")", "unknown error code :my-code", ":user-error"},
           {"(make-error :user-eror \"m\" \"\")", "unknown error code :user-eror", ":user-error"},
           {"((fn [a b] a) 1)", "takes 2 arguments, not 1", "(fn [a b] ...)"},
           {"((fn [a & more] a))", "at least 1 argument", "(fn [a & more] ...)"},
           {"(neo :X (c4 e4 g4))", "`X`", "P, L, R, N, S, H"},
           {"(time 4)", "two numbers", "(time 4 4)"},
           // A word behind an option that takes certain ones.
           {"(similarity (list 0 1 4 6) (list 0 1 3 7) :measure nosuch)", "`nosuch`", ":icvsim"},
           {"(similarity (list 0 1 4 6) (list 0 1 3 7) :measure :nosuch)", ":nosuch", ":icvsim"},
           {"(similarity (list 0 1 4 6) (list 0 1 3 7) :measure rell)", "`rell`",
            "did you mean :rel?"},
           {"(note c4 :h :breath-mark foo)", "`foo`", ":salzedo"},
           {"(note c4 :h :caesura foo)", "`foo`", ":curved"},
           {"(note c4 :h :hole foo)", "`foo`", ":half"},
           {"(note c4 :h :arrow nort)", "`nort`", ":northwest"},
           {"(note c4 :h :harmon-mute foo)", "`foo`", ":half"},
           {"(note c4 :h :arpeggiate sideways)", "`sideways`", ":down"},
           {"(note c4 :h :fermata 3)", "the number 3", ":angled"},
           {"(note c4 :h :arpeggiate :stacato)", "unknown option :stacato", ":staccato"},
           {"(note c4 :tremolo 9)", "a number from 0 to 8", "usage:"},
           {"(note c4 :string 0)", "from 1 to", "usage:"},
           {"(note c4 :fret -1)", "from 0 to", "usage:"},
           {"(note c4 :color \"red\")", "#RRGGBB", "not `red`"},
           {"(ending 0 (measure (note c4 :w)))", "an ending needs a number", "usage:"},
           {"(key 99999999999)", "at most seven", "usage:"},
           {"(key c :blah)", "`blah` is not a mode", ":mixolydian"},
           {"(time 0 4)", "positive whole numbers", "(time 6 8)"},
           {"(time 6 8 :symbol x)", "`x` is not a time symbol", "single-number"},
           {"(staves 0)", "a part has 1 to 255 staves", "usage:"},
           {"(staves 256)", "a part has 1 to 255 staves", "usage:"},
           {"(barline :dashed :style dotted)", "cannot be both dashed and dotted", "usage:"},
           {"(barline :final :style light-light)", "cannot be both final and light-light",
            "usage:"},
           {"(barline :repeat-end :repeat forward)", "cannot be both repeat-end and forward",
            "usage:"},
           // Once is enough, and nothing is too little.
           {"(note c4 :voice 2 :voice 3)", ":voice is given twice", "usage:"},
           {"(note c4 :stem up :stem down)", ":stem is given twice", "usage:"},
           {"(times 3)", "expected notes or seqs", "usage:"},
           {"(sequence 3 :steps 1)", "expected notes or seqs", "usage:"},
           {"(slur-over)", "expected notes or seqs", "usage:"},
           // A word or keyword that is nothing, where another argument would take words.
           {"(def motif #p\"c4 d e\") (transpose +2 motiff)", "`motiff` is not defined",
            "did you mean `motif`?"},
           {"(transpose +2 foo)", "`foo` is not defined", "(def foo ...)"},
           {"(transpose +2 m33 c4)", "`m33` is not an interval", "are m or M"},
           {"(def motif #p\"c4 d e\") (part :violin motiff)", "`motiff` is not defined",
            "did you mean `motif`?"},
           {"(part :violin foo)", "`foo` is neither an instrument nor defined", "usage:"},
           {"(part :violn)", "unknown instrument or option :violn", "did you mean :violin?"},
           {"(part violn)", "`violn` is neither an instrument", "did you mean :violin?"},
           {"(def motif (list c4 e4)) (chord motiff :q)", "`motiff` is not defined",
            "did you mean `motif`?"},
           {"(chord foo :q)", "`foo` is not defined and not a pitch", "usage:"},
           {"(def eighth :8) (note c4 eigth)", "`eigth`", "did you mean"},
           {"(def home (key d :major)) (rn \"V7\" :key hoem)", "`hoem` is not defined",
            "did you mean `home`?"},
           {"(def tune #p\"c4 d\") (find-key tnue)", "`tnue` is not defined", "`tune`?"},
           {"(rn \"V7\" :kye c-major)", "unknown option :kye", "did you mean :key?"},
           {"(rn \"V7\" :foo c-major)", "unknown option :foo", "usage:"},
           {"(progression c-major I :duraton :h)", "unknown option :duraton", ":duration?"},
           {"(tempo \"x\" :quater 120)", "unknown option :quater", "did you mean :quarter?"},
           {"(barline :finl)", "finl", "did you mean :final?"},
           {"(scale c :octavs 2)", "unknown option :octavs", "did you mean :octaves?"},
           {"(time 3 4 :symbl common)", "unknown option :symbl", "did you mean :symbol?"},
           {"(key c :major :stff 2)", "unknown option :stff", "did you mean :staff?"},
           {"(grace :slsh (note c4))", "unknown option :slsh", "did you mean :slash?"},
           {"(figured-bass 6 :last 4)", "unknown option :last", "did you mean :lasts?"},
           {"(clef :trebel)", "trebel", "did you mean :treble?"},
           {"(note c#b4)", "accidentals are", "usage:"},
           {"(note cnn4)", "accidentals are", "usage:"},
           {"(note c++4)", "accidentals are", "usage:"},
           {"(note c#11)", "octaves range from -1 to 9", "usage:"},
           {"(note db10)", "octaves range from -1 to 9", "usage:"},
           {"(key 128 :theoretical)", "or 127 with :theoretical", "usage:"},
           {"(slur-over (note c4))", "needs two notes", "usage:"},
           {"(rn)", "which numerals?", "(rn \"I V7 I\" :key c-major)"},
           {"(rn \"XX\")", "`XX`", "V65"},
           {"(row-form :X0 0 11 3 4 8 7 9 5 6 1 2 10)", "`X0`", "P0 to P11"},
           {"(phrase \"c4:q ~ d\")", "bar 1, beat 2: this tie", "slur"},
           {"$Out[-3]", "no such entry: $Out[-3]", ":history"},
       }) {
    INFO(text);
    auto shown = read_aloud(text);
    CHECK(shown.find(what) != std::string::npos);
    CHECK(shown.find(to_do) != std::string::npos);
    INFO(shown);
    CHECK(shown.find("``") == std::string::npos);
  }
}

TEST_CASE("every line of an error's advice is indented alike") {
  for (const auto* text :
       {"(note c4 :q :accnt)", "(octave-shift 8)", "(time :comon)", "(key c :majro)",
        "(repeat :forward (measure (note c4 :w)))", "(note c10)"}) {
    auto shown = read_aloud(text);
    INFO(shown);
    CHECK(shown.find("\n  usage: ") != std::string::npos);
    // Behind the line with the carets: two blanks, and no third.
    auto line = shown.find('\n', shown.find('^'));
    while (line != std::string::npos && line + 1 < shown.size()) {
      CHECK(shown.substr(line + 1, 2) == "  ");
      CHECK(shown.substr(line + 3, 1) != " ");
      line = shown.find('\n', line + 1);
    }
  }
}

TEST_CASE("figures in a list are figures, and none of them is lost") {
  CHECK(shown("(figured-bass (6 4))") == "(figured-bass 6 4)");
  CHECK(shown("(figured-bass (\"#6\" 4 3))") == "(figured-bass \"#6\" 4 3)");
  CHECK(shown("(figured-bass (:prefix \"sharp\" :number 6 :suffix \"slash\"))") ==
        "(figured-bass \"#6/\")");
}

TEST_CASE("inside a word hyphens fill a melisma, behind it a line does") {
  // MusicXML 4.0, "extend": a word extension is the line behind the last syllable of a word.
  auto lyrics_on = [](const char* text) {
    std::string out;
    bool first = true;
    for (const auto& [at, x] : rhythm_of(score_of(text))) {
      auto& lyrics = x.notes.front().lyrics;
      if (!std::exchange(first, false)) out += " | ";
      for (const auto& l : lyrics) {
        for (const auto& s : l.syllables)
          out += s.syllabic + " " + s.text;
        if (!l.extend.empty()) out += " <" + l.extend + ">";
      }
    }
    return out;
  };
  CHECK(lyrics_on("(lyrics \"A-_ men\" (note c4) (note d4) (note e4))") == "begin A |  | end men");
  CHECK(lyrics_on("(lyrics \"Ah _ _ yes\" (note c4) (note d4) (note e4) (note f4))") ==
        "single Ah <start> |  <continue> |  <stop> | single yes");
  CHECK(lyrics_on("(lyrics \"_ Ah\" (note c4) (note d4))") == " | single Ah");
  CHECK(lyrics_on("(lyrics \"glo-_ _ ri-a _\" (note c4 :8) (note d4 :8) (note e4 :8) (note f4 :8) "
                  "(note g4 :8) "
                  "(note a4 :8))") == "begin glo |  |  | middle ri | end a <start> |  <stop>");
  // The signs at a syllable, by themselves, and twice as LilyPond has them.
  const auto three = std::string{" (note c4) (note d4) (note e4))"};
  for (const auto* text : {"Ah _ yes", "Ah_ yes", "Ah__ yes", "Ah __ yes", "Ah_yes", "Ah __yes"}) {
    INFO(text);
    CHECK(lyrics_on(("(lyrics \"" + std::string{text} + "\"" + three).c_str()) ==
          "single Ah <start> |  <stop> | single yes");
  }
  for (const auto* text : {"A-men so", "A--men so", "A - men so", "A -- men so", "A- -men so"}) {
    INFO(text);
    CHECK(lyrics_on(("(lyrics \"" + std::string{text} + "\"" + three).c_str()) ==
          "begin A | end men | single so");
  }
  for (const auto* text : {"A-_men", "A_-men", "A -- _ men", "A _ -- men"}) {
    INFO(text);
    CHECK(lyrics_on(("(lyrics \"" + std::string{text} + "\"" + three).c_str()) ==
          "begin A |  | end men");
  }
  CHECK(lyrics_on("(lyrics \"Glo-_ri-a\" (note c4) (note d4) (note e4) (note f4))") ==
        "begin Glo |  | middle ri | end a");
  CHECK(fault_of("(lyrics \"- men\" (note c4))").code == errc::misplaced);
  CHECK(shown("(lyrics \"A -- __ men\" (note c4) (note d4) (note e4))") ==
        "(lyrics \"A-_ men\" (note c4 :q) (note d4 :q) (note e4 :q))");
}

TEST_CASE("a line behind a syllable needs no further word") {
  auto lyric = music_of("(note c4 :lyric (\"la\" :extend))");
  CHECK(leaf<chord_rest>(*lyric)->notes[0].lyrics.at(0).extend == "plain");
  CHECK(shown(shown("(note c4 :lyric (\"la\" :extend :verse 2))")) ==
        shown("(note c4 :lyric (\"la\" :verse 2 :extend plain))"));
}

TEST_CASE("endings right behind a repeat are its endings") {
  auto inside = score_of("(part (repeat (measure (note c4 :w)) (ending 1 (measure (note d4 :w))) "
                         "(ending 2 (measure (note e4 :w)))) (measure (note f4 :w)))");
  CHECK(
      score_of("(part (repeat (measure (note c4 :w))) (ending 1 (measure (note d4 :w))) (ending 2 "
               "(measure (note e4 :w))) (measure (note f4 :w)))") == inside);
}

TEST_CASE("a key may be written as it is said") {
  CHECK(shown("(key \"c minor\")") == "(key :c :minor)");
  CHECK(shown("(key \"F# major\")") == "(key :f# :major)");
}

TEST_CASE("parallel fifths are heard in crossed voices, too") {
  CHECK(shown("(voice-leading-faults (par (seq (note c4) (note d4)) (seq (note g4) (note a4))))")
            .find("(1 :parallel-fifths 1 2)") != std::string::npos);
  CHECK(shown("(voice-leading-faults (par (seq (note g4) (note a4)) (seq (note c4) (note d4))))") ==
        "((1 :parallel-fifths 1 2))");
}

}  // namespace fermata::refusals_test
