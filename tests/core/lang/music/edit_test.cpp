#include "typed_session.hpp"

namespace fermata::edit_test {

using namespace fermata::test;

TEST_CASE("edits select by measure, voice and beat") {
  session s;
  s.type("(score (part :violin (measure (note c4 :q) (note d4 :q) (note e4 :h)) (measure (note f4 "
         ":w)) "
         "(measure (note g4 :w))))");
  s.type("(delete (measures 2))");
  REQUIRE(s.score->parts[0]->measures.size() == 2);
  CHECK(s.measure(1) == "(measure (note g4 :w))");
  s.type("(delete (select :measures 1 :beats 2))");
  CHECK(is_rest(rhythm_of(*s.score).at(1).second));
  s.type("(replace (measures 2) (measure (note a4 :h) (note b4 :h)))");
  CHECK(s.measure(1) == "(measure (note a4 :h) (note b4 :h))");
  CHECK(s.score->parts[0]->measures[1]->number == "2");
  s.type("(insert-measure 2 (measure (note c6 :w)))");
  CHECK(s.measure(1) == "(measure (note c6 :w))");
  CHECK(s.score->parts[0]->measures.size() == 3);
  s.type("(at (select :measures 1 :beats 3) (f))");
  CHECK(s.measure(0).find("(f) (note e4 :h)") != std::string::npos);
  s.type("(replace (select :measures 3 :beats 1) (note g5 :h))");
  CHECK(s.measure(2) == "(measure (note g5 :h) (note b4 :h))");
  CHECK(s.fault("(delete (measures 99))") == errc::no_such_target);
  CHECK(s.fault("(replace (select :measures 3 :beats 1) (note g5 :w))") == errc::overfull_measure);
  CHECK(s.fault("(delete (select :part \"Tuba\"))") == errc::no_such_target);
}

TEST_CASE("a function edits each measure or item") {
  session s;
  s.type("(measure (note c4 :h) (note d4 :h))");
  s.type("(edit (select :measures 1 :beats 3) (fn [n] (note a5 :h)))");
  CHECK(s.measure(0).find("(note a5 :h)") != std::string::npos);
  s.type("(edit (measures 1) (fn [m] (measure (note e4 :w))))");
  CHECK(rhythm_of(*s.score).size() == 1);
  CHECK(s.fault("(edit (select :measures 1 :beats 1) (fn [n] 3))") == errc::wrong_type);
}

TEST_CASE("a predicate selects, and what is selected can be had as music") {
  session s;
  s.type("(measure (note c4 :q) (rest :q) (note d4 :h))");
  auto v = s.type("(selected (select :measures 1 :where (fn [x] (note? x))))");
  REQUIRE(v.as_list());
  CHECK(v.as_list()->items.size() == 2);
  CHECK(print(s.type("(selected (measures 1))")).find("(measure") != std::string::npos);
}

TEST_CASE("deleting by part alone removes the part") {
  session s;
  s.type("(score (part :violin (measure (note c5 :w))) (part :viola (measure (note c4 :w))))");
  s.type("(delete (select :part \"Violin\"))");
  REQUIRE(s.score->parts.size() == 1);
  CHECK(s.score->parts[0]->name == "Viola");
  REQUIRE(s.score->part_list.size() == 1);
}

TEST_CASE("a selector that does not exist is refused, so that not everything is selected") {
  edited s;
  s.type("(note c4) (note d4)");
  for (const auto* text : {"(edit (select :measures 1 :pitch c4) retrograde)", "(select :foo 1)",
                           "(delete (select :measures 1 :instrument \"Oboe\"))"}) {
    auto r = s.try_type(text);
    REQUIRE_FALSE(r);
    CHECK(r.error().first().code == errc::unknown_keyword);
  }
  auto r = s.try_type("(select c4)");
  REQUIRE_FALSE(r);
  CHECK(r.error().first().code == errc::wrong_type);
  r = s.try_type("(select :measure 1 :voicee 2)");
  REQUIRE_FALSE(r);
  CHECK(render(r.error(), "(select :measure 1 :voicee 2)").find("did you mean :voice?") !=
        std::string::npos);
}

TEST_CASE("a measure between two tied notes parts them") {
  for (const auto* change :
       {"(insert-measure 2)", "(insert-measure 2 (note g4 :w))", "(insert-measure 2 :count 3)"}) {
    edited s;
    s.type("(note c4 :h) (note d4 :h :tie start) (note d4 :h :tie stop) (note e4 :h)").type(change);
    CHECK(s.measure(0).ends_with("(note c4 :h) (note d4 :h))"));
    CHECK(s.measure(s.score->parts[0]->measures.size() - 1) ==
          "(measure (note d4 :h) (note e4 :h))");
  }
  // Where the new measure goes on with the note, nothing is parted; a slur runs over it.
  edited s;
  s.type("(note c4 :h) (note d4 :h :tie start) (note d4 :h :tie stop) (note e4 :h)")
      .type("(insert-measure 2 (note d4 :w :tie both))");
  CHECK(s.measure(0).ends_with("(note d4 :h :tie :start))"));
  CHECK(s.measure(2) == "(measure (note d4 :h :tie :stop) (note e4 :h))");
  edited slurred;
  slurred.type("(note c4 :h) (note d4 :h :slur start) (note f4 :h :slur stop) (note e4 :h)")
      .type("(insert-measure 2)");
  CHECK(slurred.measure(2) == "(measure (note f4 :h :slur :stop) (note e4 :h))");
}

TEST_CASE("editing measures keeps the ties and slurs that still meet, inside and over the edges") {
  const auto* music = "(note c4 :h) (note d4 :h :tie start) "
                      "(note d4 :h :tie stop :slur start) (note e4 :h) "
                      "(note f4 :h :slur stop) (note g4 :h)";
  edited all;
  all.type(music).type("(edit (measures 1 3) (fn [m] (transpose M2 m)))");
  CHECK(all.measure(0).ends_with("(note d4 :h) (note e4 :h :tie :start))"));
  CHECK(all.measure(1) == "(measure (note e4 :h :tie :stop :slur :start) (note f#4 :h))");
  CHECK(all.measure(2) == "(measure (note g4 :h :slur :stop) (note a4 :h))");

  edited two;
  two.type(music).type("(edit (measures 1 2) (fn [m] (transpose M2 m)))");
  CHECK(two.measure(1) == "(measure (note e4 :h :tie :stop :slur :start) (note f#4 :h))");
  CHECK(two.measure(2).find("(note f4 :h :slur :stop) (note g4 :h)") != std::string::npos);

  // Alone, the second measure parts from the tie but not from the slur.
  edited one;
  one.type(music).type("(edit (measures 2) (fn [m] (transpose M2 m)))");
  CHECK(one.measure(0).ends_with("(note c4 :h) (note d4 :h))"));
  CHECK(one.measure(1).find("(note e4 :h :slur :start) (note f#4 :h)") != std::string::npos);
  CHECK(one.measure(2).find("(note f4 :h :slur :stop)") != std::string::npos);

  edited unchanged;
  unchanged.type(music);
  auto before = *unchanged.score;
  unchanged.type("(edit (measures 2) (fn [m] m))");
  CHECK(*unchanged.score == before);

  edited replaced;
  replaced.type(music).type("(replace (measures 2) (measure (note a4 :w)))");
  CHECK(replaced.measure(0).ends_with("(note c4 :h) (note d4 :h))"));
  CHECK(replaced.measure(2) == "(measure (note f4 :h) (note g4 :h))");
}

TEST_CASE("a tied note that becomes another note is tied no more") {
  edited s;
  s.type("(note c4 :h) (note d4 :h :tie start) (note d4 :h :tie stop) (note e4 :h)");
  auto both = s;
  s.type("(edit (select :measures 2 :beats 1) (fn [n] (transpose M2 n)))");
  CHECK(s.measure(0).ends_with("(note c4 :h) (note d4 :h))"));
  CHECK(s.measure(1) == "(measure (note e4 :h) (note e4 :h))");
  // Both at once stay tied.
  both.type("(edit (select :where note?) (fn [n] (transpose M2 n)))");
  CHECK(both.measure(0).ends_with("(note e4 :h :tie :start))"));
  CHECK(both.measure(1) == "(measure (note e4 :h :tie :stop) (note f#4 :h))");
}

TEST_CASE("a voice that becomes a rest keeps its staff and its place among the voices") {
  const auto* music =
      "(score (part :piano (measure (voice 1 :staff 1 (note c5 :q) (note d5 :q) (words \"dolce\") "
      "(mf) (note e5 :q) (note f5 :q)) (voice 2 :staff 1 (note e4 :w)) (voice 5 :staff 2 (note c3 "
      ":w)))))";
  auto voices_now = [](const edited& s) { return voices(*s.score->parts[0]->measures[0]); };
  for (const auto* change :
       {"(delete (select :voice 2))", "(delete (select :voice 1))", "(delete (select :staff 1))",
        "(replace (select :voice 1) (note g4 :w))", "(replace (select :voice 2) (note g4 :h))",
        "(replace (select :voice 1) (rest :h) (note g4 :q))",
        "(replace (select :voice 5) (note g2 :h) (note c3 :h))",
        "(replace (select :voice 1 :beats 3) (note a5 :8))"}) {
    INFO(change);
    edited s;
    s.type(music).type(change);
    CHECK(voices_now(s) == std::vector<std::string>{"1", "2", "5"});
    for (const auto& [at, x] : rhythm_of(*s.score)) {
      CHECK(x.staff == (x.voice == "5" ? 2 : 1));
      CHECK(x.staff_given);
    }
    CHECK(s.measure(0).find(":none") == std::string::npos);
  }
}

TEST_CASE("replaced notes leave the words and dynamics over them, marks replace marks") {
  const auto* music =
      "(measure (p) (note c4 :h) (words \"dolce\") (mf) (harmony \"G7\") (note d4 :h))";
  edited notes;
  notes.type(music).type("(replace (select :measures 1 :beats 3) (note a4 :q) (note b4 :q))");
  CHECK(
      notes.measure(0).find("(words \"dolce\") (mf) (harmony \"G7\") (note a4 :q) (note b4 :q)") !=
      std::string::npos);
  edited marks;
  marks.type(music).type("(replace (select :measures 1 :beats 3) (ff))");
  CHECK(marks.measure(0).find("(ff) (note d4 :h)") != std::string::npos);
  CHECK(marks.measure(0).find("dolce") == std::string::npos);
  edited all;
  all.type(music).type("(replace (select :measures 1 :beats (1 5)) (note e4 :w))");
  CHECK(all.measure(0).find("(p) (note e4 :w)") != std::string::npos);
  CHECK(all.measure(0).find("dolce") != std::string::npos);
  // What a function picks is what goes.
  edited picked;
  picked.type(music).type("(delete (select :measures 1 :where (fn [x] (not (note? x)))))");
  CHECK(picked.measure(0).find("dolce") == std::string::npos);
  edited bare;
  bare.type("(measure (note c4 :w))");
  CHECK(bare.fault("(replace (select :measures 1 :beats 1) (p))") == errc::no_such_target);
}

namespace {

/// "|: c4 [1 d4 :|": repeat signs, endings and first notes of each measure.
std::string signs_of_score(const score& s) {
  std::string out;
  for (const auto& m : s.parts[0]->measures) {
    std::string left, notes, right;
    for (const auto& item : m->items)
      if (auto b = std::get_if<barline>(&item.content)) {
        auto& side = b->location == "left" ? left : right;
        if (b->repeat == "forward") side += "|:";
        if (b->ending_type == "start") side += "[" + b->ending_numbers + " ";
        if (b->repeat == "backward") side += b->repeat_times ? ":|x" : ":|";
        if (b->ending_type == "stop" || b->ending_type == "discontinue") side += "]";
        if (b->style == "light-heavy" && b->repeat.empty()) side += "|.";
      } else if (auto x = std::get_if<chord_rest>(&item.content); x && !is_rest(*x)) {
        notes += to_string(std::get<pitch>(x->notes[0].tone)).substr(0, 1);
      }
    out += (out.empty() ? "" : " ") + left + notes + right;
  }
  return out;
}

}  // namespace

TEST_CASE("repeats and endings enclose what is left of what they enclosed") {
  const auto* repeat =
      "(score (part :flute (measure (note a3 :w)) (repeat :times 3 (measure (note "
      "c4 :w)) (measure (note d4 :w)) (measure (note e4 :w))) (measure (note f4 :w) "
      "(barline :final))))";
  const auto* endings =
      "(score (part :flute (repeat (measure (note c4 :w)) (measure (note d4 :w)) (ending 1 "
      "(measure "
      "(note e4 :w)) (measure (note f4 :w))) (ending 2 (measure (note g4 :w)))) (measure (note a4 "
      ":w))))";
  const auto* three = "(score (part :flute (repeat (measure (note c4 :w)) (ending 1 (measure (note "
                      "d4 :w))) (ending 2 "
                      "(measure (note e4 :w))) (ending 3 (measure (note f4 :w))))))";
  struct row {
    const char *music, *change, *expected;
  };
  for (auto [music, change, expected] : {
           row{repeat, "(delete (measures 99))", ""},
           row{repeat, "(delete (measures 2))", "a |:d e:|x f|."},
           row{repeat, "(delete (measures 4))", "a |:c d:|x f|."},
           row{repeat, "(delete (measures 3))", "a |:c e:|x f|."},
           row{repeat, "(delete (measures 2 4))", "a f|."},
           row{repeat, "(delete (measures 4 5))", "a |:c d:|x"},
           row{repeat, "(delete (measures 1 3))", "|:e:|x f|."},
           row{endings, "(delete (measures 1))", "|:d [1 e f:|] [2 g] a"},
           row{endings, "(delete (measures 3))", "|:c d [1 f:|] [2 g] a"},
           row{endings, "(delete (measures 4))", "|:c d [1 e:|] [2 g] a"},
           row{endings, "(delete (measures 3 4))", "c d g a"},
           row{endings, "(delete (measures 5))", "|:c d [1 e f:|] a"},
           row{endings, "(delete (measures 1 2))", "e f g a"},
           row{endings, "(delete (measures 3 5))", "c d a"},
           row{three, "(delete (measures 2))", "|:c [1 e:|] [2 f]"},
           row{three, "(delete (measures 3))", "|:c [1 d:|] [2 f]"},
           row{three, "(delete (measures 2 3))", "c f"},
           row{repeat, "(replace (measures 2) (measure (note b4 :w)))", "a |:b d e:|x f|."},
           row{repeat, "(replace (measures 4 5) (measure (note b4 :w)))", "a |:c d b:|x"},
           row{repeat, "(replace (measures 4) (measure (note b4 :w)) (measure (note g4 :w)))",
               "a |:c d b g:|x f|."},
           row{repeat, "(replace (measures 5) (measure (note b4 :w)))", "a |:c d e:|x b|."},
           row{endings, "(replace (measures 4) (measure (note b4 :w)))", "|:c d [1 e b:|] [2 g] a"},
       }) {
    INFO(change);
    edited s;
    s.type(music);
    if (std::string_view{expected}.empty()) {
      CHECK(s.fault(change) == errc::no_such_target);
      continue;
    }
    s.type(change);
    CHECK(signs_of_score(*s.score) == expected);
  }
}

TEST_CASE("notes that a function makes shorter leave rests") {
  session s;
  s.type("(measure (note c4 :h) (note d4 :h))");
  s.type("(edit (select :where note?) (fn [n] (augment 1/2 n)))");
  CHECK(s.measure(0).ends_with("(note c4 :q) (rest :q) (note d4 :q) (rest :q))"));
}

TEST_CASE("a function that edits what stands on a beat gets the notes, and the key stays") {
  const std::string there = "(measure (key d major) (time 3/4) (clef bass) (f) (note c#3 :h.))";
  session s;
  s.type(there);
  s.type("(edit (select :measures 1 :beats 1) (fn [n] (note g3 :h.)))");
  const std::string higher = "(measure (key :d :major) (time 3 4) (clef :bass) (f) (note g3 :h.))";
  CHECK(s.measure(0) == higher);
  // What is picked is meant as it is, but no note can stand for a key or a mark.
  CHECK(s.fault(
            "(edit (select :measures 1 :where (fn [x] (not (note? x)))) (fn [x] (note a3 :q)))") ==
        errc::misplaced);
  CHECK(s.measure(0) == higher);
}

TEST_CASE("when the only measures are deleted, music begins again as it did the first time") {
  // On one staff with a treble clef, as (note d4 :w) does in an empty session.
  session fresh;
  fresh.type("(note d4 :w)");
  for (const auto* before : {"(note c4 :w)", "(do (note c4 :w) (note c4 :w))",
                             "(do (key d major) (note c4 :w))", "(phrase \"c4:w\")"}) {
    INFO(before);
    session s;
    s.type(before);
    s.type("(delete (measures 1 -1))");
    s.type("(note d4 :w)");
    CHECK(*s.score == *fresh.score);
  }
  // A piano that was asked for keeps its two staves, and its name.
  for (const auto* piano : {"(score (part :piano (measure (note c4 :w))))",
                            "(score (part :piano \"Left\" (measure (staff 1 (note c4 :w)))))"}) {
    INFO(piano);
    session s;
    s.type(piano);
    const auto name = s.score->parts.at(0)->name;
    s.type("(delete (measures 1))");
    REQUIRE(s.score->parts.size() == 1);
    s.type("(note d4 :w)");
    CHECK(s.score->parts.at(0)->name == name);
    CHECK(s.measure(0).find("(staves 2)") != std::string::npos);
  }
}

TEST_CASE("when all parts lose their measures, the part that nobody asked for begins again") {
  // Its one staff, whatever stands beside it; a part that was asked for stays.
  session s;
  s.type("(note c4 :w)");
  s.type("(part :violin (measure (note e5 :w)))");
  s.type("(cursor :part 1)");
  s.type("(delete (measures 1 -1))");
  REQUIRE(s.score->parts.size() == 1);
  CHECK(s.score->parts[0]->name == "Violin");
  s.type("(note d4 :w)");
  REQUIRE(s.score->parts.size() == 2);
  CHECK(s.score->parts[1]->name == "Piano");
  CHECK(s.measure(0, 1).find("(staves") == std::string::npos);
  CHECK(s.measure(0, 1).find("(note d4 :w)") != std::string::npos);
  // A cursor in the other part stays there.
  session other;
  other.type("(note c4 :w)");
  other.type("(part :violin (measure (note e5 :w)))");
  other.type("(delete (measures 1 -1))");
  other.type("(note g5 :w)");
  REQUIRE(other.score->parts.size() == 1);
  CHECK(other.score->parts[0]->name == "Violin");
  CHECK(other.measure(0).find("(note g5 :w)") != std::string::npos);
  // A piano that was asked for is no such part.
  session asked;
  asked.type("(score (part :piano (measure (note c4 :w))) (part :violin (measure (note e5 :w))))");
  asked.type("(delete (measures 1 -1))");
  CHECK(asked.score->parts.size() == 2);
  asked.type("(cursor :part 1)");
  asked.type("(note d4 :w)");
  CHECK(asked.measure(0).find("(staves 2)") != std::string::npos);
}

namespace {

/// The ends of slurs in a part as they are met: "(1 (2 )2 )1".
std::string slurs(const score& s) {
  std::string out;
  for (const auto& m : s.parts.at(0)->measures)
    for (const auto& item : m->items)
      if (auto x = std::get_if<chord_rest>(&item.content))
        for (const auto& n : x->notes)
          for (const auto& l : n.spanners)
            if (l.kind == spanner_kind::slur)
              out += (out.empty() ? "" : " ") + std::string{l.end == span_end::start ? "(" : ")"} +
                     std::to_string(l.number);
  return out;
}

}  // namespace

TEST_CASE("notes with a slur under a slur get a number of their own, as measures do") {
  // MusicXML tells slurs that are open at a time apart by their numbers.
  const std::string under = "(note f4 :q :slur start) (note g4 :q :slur stop)";
  auto typed = [] {
    edited s;
    s.type("(seq (note c4 :h :slur start) (note d4 :q) (note d4 :q) (note e4 :w :slur stop))");
    return s;
  };
  auto notes = typed();
  notes.type("(replace (select :measures 1 :beats (3 5)) " + under + ")");
  CHECK(slurs(*notes.score) == "(1 (2 )2 )1");
  // As whole measures always did.
  auto measures = typed();
  measures.type("(insert-measure 2 (measure (note f4 :h :slur start) (note g4 :h :slur stop)))");
  CHECK(slurs(*measures.score) == "(1 (2 )2 )1");
  // Each by itself, by a function.
  auto each = typed();
  each.type("(edit (select :measures 1 :beats (3 5)) (fn [n] (if (= n (note d4 :q)) n n)))");
  CHECK(slurs(*each.score) == "(1 )1");
  // Where no slur runs there is nothing to tell apart.
  edited alone;
  alone.type("(seq (note c4 :h) (note d4 :q) (note d4 :q) (note e4 :w))")
      .type("(replace (select :measures 1 :beats (3 5)) " + under + ")");
  CHECK(slurs(*alone.score) == "(1 )1");
  // A slur that loses an end to the new notes goes, and theirs keeps its number.
  auto lost = typed();
  lost.type("(replace (select :measures 2 :beats (1 5)) (note f4 :h :slur start) (note g4 :h :slur "
            "stop))");
  CHECK(slurs(*lost.score) == "(1 )1");
}

TEST_CASE("a part has as many staves as an imported score may have, and no more") {
  // MusicXML: <staff> is a positive integer, <staves> is not negative, neither has a limit; the
  // score keeps 255.
  CHECK(score_of("(part (staves 255) (measure (staff 255 (note c4 :w))))").parts.size() == 1);
  CHECK(score_of(print_score(score_of("(part (staves 100) (measure (note c4 :w :staff 100)))"))) ==
        score_of("(part (staves 100) (measure (note c4 :w :staff 100)))"));
  for (const std::string text :
       {"(staves 256)", "(staves 0)", "(staff 256 (note c4))", "(staff 0 (note c4))",
        "(voice 1 :staff 256 (note c4))", "(note c4 :q :staff 256)", "(p :staff 256)",
        "(clef :bass :staff 256)", "(select :staff 256)", "(cursor :staff 256)"}) {
    INFO(text);
    CHECK(fault_of(text).message.find("1 to 255") != std::string::npos);
  }
  std::string many;
  for (int i = 0; i < 256; ++i)
    many += " (staff :treble (note c4 :w))";
  CHECK(compile_fault_of("(part" + many + ")").code == errc::out_of_range);
}

TEST_CASE("at the end of a full measure stands only what ends there") {
  const std::string two =
      "(score (part :flute (measure (note c4 :w)) (measure (note d4 :w)) (measure (note e4 :w))))";
  for (const auto* what :
       {"(f)", "(words \"dolce\")", "(cresc)", "(tempo 90)", "(key d major)", "(clef :bass)",
        "(harmony \"C\")", "(note d4 :q)", "(grace (note d4 :8))", "(barline :repeat-start)",
        "(seq (barline :double) (f))"})
    for (const auto* measure : {"1", "2", "3"}) {
      session s;
      s.type(two);
      auto text = std::string{"(at (select :measures "} + measure + " :beats 5) " + what + ")";
      INFO(text);
      CHECK(s.fault(text) == errc::out_of_range);
    }
  for (const auto* what : {"(barline :double)", "(barline :repeat-end)", "(hairpin-stop)"})
    for (std::size_t m : {0, 1, 2}) {
      session s;
      s.type(two);
      INFO(what << " in measure " << m + 1);
      const auto before = s.score;
      s.type("(at (select :measures " + std::to_string(m + 1) + " :beats 5) " + what + ")");
      REQUIRE(s.score->parts[0]->measures.size() == 3);
      for (std::size_t i : {0, 1, 2})
        CHECK((*s.score->parts[0]->measures[i] == *before->parts[0]->measures[i]) == (i != m));
    }
}

TEST_CASE("measures that are made longer have the metre of the place they go to") {
  edited s;
  s.type("(measure (time 3 4) (note c4 :h.)) (measure (note d4 :h.))");
  s.type("(augment 2 (measure (note e4 :h.)))");
  CHECK(s.measure(2) == "(measure (time 3 2) (note e4 :w.))");
  // Those of the score keep its metre, which changes once.
  s.type("(edit (measures 1 2) (fn [m] (diminish 2 m)))");
  CHECK(s.measure(0).find("(time 3 8)") != std::string::npos);
  CHECK(s.measure(1) == "(measure (note d4 :q.))");
}

}  // namespace fermata::edit_test
