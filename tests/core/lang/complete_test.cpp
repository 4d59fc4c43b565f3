#include "core/lang/reference/complete.hpp"

#include "tests/core/lang/evaluated.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace fermata::complete_test {

namespace {

/// Completes at the `|` in the text.
completion_result at_bar(std::string text, const environment* env = nullptr) {
  auto bar = text.find('|');
  text.erase(bar, 1);
  return complete(text, bar, env);
}

bool offers(const completion_result& r, std::string_view text) {
  return std::any_of(r.candidates.begin(), r.candidates.end(),
                     [&](auto& c) { return c.text == text; });
}

}  // namespace

TEST_CASE("forms are offered at the head of a list") {
  auto r = at_bar("(list (rev|");
  CHECK(offers(r, "reverse"));
  CHECK_FALSE(offers(r, "map"));
  CHECK(r.word == source_span{7, 10});
  CHECK(offers(at_bar("(def|"), "defmacro"));
}

TEST_CASE("options of the form around are offered once") {
  CHECK(offers(at_bar("(sort (c4 d4) :|)"), ":down"));
  CHECK(offers(at_bar("(sort (c4 d4) :by count :d|)"), ":down"));
  CHECK_FALSE(offers(at_bar("(sort (c4 d4) :down :d|)"), ":down"));
}

namespace {

std::vector<std::string> values_at(const std::string& text) {
  std::vector<std::string> words;
  for (auto& c : at_bar(text).candidates)
    if (c.kind == "value") words.push_back(c.text);
  return words;
}

bool is_taken(const std::string& text) {
  auto request = request_for(text);
  request.commit = false;
  return evaluate(request).has_value();
}

}  // namespace

TEST_CASE("the words that a form takes are completed") {
  struct row {
    const char* text;
    const char* word;
  };
  for (auto& [text, word] : {row{"(key d :mi|", ":minor"},
                             row{"(key d :mi|", ":mixolydian"},
                             row{"(key d-mi|", "d-minor"},
                             row{"(key c ma|", "major"},
                             row{"(key f# mi|", "mixolydian"},
                             row{"(clef :tr|", ":treble"},
                             row{"(clef :bass-8|", ":bass-8vb"},
                             row{"(part :vi|", ":violin"},
                             row{"(part :fre|", ":french-horn"},
                             row{"(barline :fi|", ":final"},
                             row{"(barline :repeat-f|", ":repeat-forward"},
                             row{"(barline :style :light-h|", ":light-heavy"},
                             row{"(time :co|", ":common"},
                             row{"(time 2 2 :symbol cu|", "cut"},
                             row{"(note c4 :q :tie st|", "start"},
                             row{"(note c4 :q :tie :st|", ":stop"},
                             row{"(note c4 :q :slur |", ":start"},
                             row{"(note c4 :q :beam fo|", "forward-hook"},
                             row{"(note c4 :q :notehead di|", "diamond"},
                             row{"(note c4 :q :stem u|", "up"},
                             row{"(scale d :harm|", ":harmonic-minor"},
                             row{"(deg d 3 :dor|", ":dorian"},
                             row{"(row-form :RI1|", ":RI11"},
                             row{"(cadence :pl|", ":plagal"},
                             row{"(chord-voicing c4 :dom|", ":dom7"},
                             row{"(find-key x :profile kr|", "krumhansl-kessler"},
                             row{"(measure :clef al|", "alto"},
                             row{"(measure :time :cu|", ":cut"},
                             row{"(measure :key f#-mi|", "f#-minor"},
                             row{"(defaults :instrument ob|", "oboe"},
                             row{"(numeral x :key bb-ma|", "bb-major"},
                             row{"(group :symbol br|", "bracket"},
                             row{"(key-inference o|", "off"},
                             row{"(dynamic m|", "mf"}}) {
    INFO(text);
    CHECK(offers(at_bar(text), word));
  }
}

TEST_CASE("where a form takes no note value, none is offered") {
  for (auto text : {"(key d :ma|", "(clef :|", "(score :|", "(scale d :|", "(row-form :|",
                    "(repeat :|", "(measure :|", "(barline :|"}) {
    INFO(text);
    for (auto& c : at_bar(text).candidates)
      CHECK(c.kind != "duration");
  }
  CHECK(values_at("(key d :ma|") == std::vector<std::string>{":major"});
  for (auto text : {"(note c4 :|", "(list :|", "(tempo :|", ":|", "(my-own :|", "[:|"}) {
    INFO(text);
    CHECK(offers(at_bar(text), ":q"));
  }
}

// What is offered has to be accepted, in each place that takes words out of a table.
TEST_CASE("every word that is completed is taken by its form") {
  struct place {
    const char* before;
    const char* after;
  };
  for (auto& [before, after] :
       {place{"(key c ", ")"},
        place{"(clef ", ")"},
        place{"(part ", " (measure (note c5 :w)))"},
        place{"(barline ", ")"},
        place{"(time ", ")"},
        place{"(time 2 2 :symbol ", ")"},
        place{"(note c4 :q :tie ", ")"},
        place{"(note c4 :q :slur ", ")"},
        place{"(note c4 :q :tied ", ")"},
        place{"(note c4 :8 :beam ", ")"},
        place{"(note c4 :q :dyn ", ")"},
        place{"(scale c ", ")"},
        place{"(deg c 2 ", ")"},
        place{"(row-form ", " 11 10 2 3 7 6 8 4 5 0 1 9)"},
        place{"(cadence ", " :key c-major)"},
        place{"(chord-voicing c4 ", ")"},
        place{"(find-key (seq (note d4) (note f#4) (note a4)) :profile ", ")"},
        place{"(measure :clef ", " (note c4 :w))"},
        place{"(measure :time ", ")"},
        place{"(defaults :instrument ", ")"},
        place{"(defaults :clef ", ")"},
        place{"(dynamic ", ")"},
        place{"(group :symbol ", " (part :violin))"}}) {
    auto words = values_at(before + std::string{"|"});
    INFO(before);
    CHECK_FALSE(words.empty());
    for (auto& word : words) {
      INFO(word);
      CHECK(is_taken(before + word + after));
    }
  }
  // Keys are words without a colon.
  for (auto& word : values_at("(measure :key c|"))
    CHECK(is_taken("(measure :key " + word + " (note c4 :w))"));
}

TEST_CASE("durations and pitches are offered") {
  CHECK(offers(at_bar("(list :q|"), ":q."));
  CHECK(offers(at_bar("(list f#|"), "f#4"));
}

TEST_CASE("bound names are offered, functions at the head") {
  auto e = evaluate(request_for("(defn melody-of [x] x) (def melody (c4 d4))"));
  REQUIRE(e);
  CHECK(offers(at_bar("(mel|", e->env.get()), "melody-of"));
  CHECK_FALSE(offers(at_bar("(mel|", e->env.get()), "melody"));
  CHECK(offers(at_bar("(reverse mel|", e->env.get()), "melody"));
  CHECK(at_bar("(melody-of |", e->env.get()).usage == "(melody-of x)");
}

TEST_CASE("the form around the cursor says how it is used and which parameter comes") {
  auto r = at_bar("(nth 1 |");
  CHECK(r.usage == "(nth N LIST)");
  CHECK(r.parameter == "list");
  CHECK(at_bar("(nth |").parameter == "n");
  CHECK(at_bar("(sort xs :by |").parameter == "by");
  CHECK(at_bar("(list [1 (nth 0 x) |").usage == "(list [ITEMS ...])");
}

TEST_CASE("nothing is offered inside strings and comments") {
  CHECK(at_bar("(words \"re|").candidates.empty());
  CHECK(at_bar("; (re|").candidates.empty());
  CHECK(at_bar("#| (re|").candidates.empty());
}

TEST_CASE("any text may be completed anywhere") {
  for (std::string_view text : {"", ")", "(((", "\"", "(a]", "\xff(\xff", "(nth :by :by"})
    for (std::size_t i = 0; i <= text.size(); ++i)
      complete(text, i);
}

TEST_CASE("between the brackets of an entry no names are offered") {
  environment env;
  env.bindings["motif-a"].bound = value::of(std::int64_t{1});
  for (std::string text :
       {"(list $Out[|", "(list $In[|", "$Out[|", "(list $Out[mo|", "$Out[1:|", "$In[motif:-|"}) {
    INFO(text);
    CHECK(at_bar(text, &env).candidates.empty());
  }
  // A list in square brackets, and what comes behind an entry, take names.
  for (std::string text : {"[mo|", "(list [1 mo|", "(list $Out[1] mo|", "(list $Out[1 mo|"}) {
    INFO(text);
    CHECK(offers(at_bar(text, &env), "motif-a"));
  }
}

}  // namespace fermata::complete_test
