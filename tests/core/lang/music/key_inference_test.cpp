#include "typed_session.hpp"

namespace fermata::key_inference_test {

using namespace fermata::test;

// Expectations: the signatures of the keys, by hand. D major has f# and c#, F major b flat.

TEST_CASE("a name that is a pitch is refused as it was typed, whatever the key makes of it") {
  session s;
  s.type("(measure (key d :major) (note d4 :w))");
  s.type("(key-inference on)");
  for (std::string name : {"f1", "F1", "c4", "f#1", "b-1"})
    for (const auto& [before, behind] :
         {std::pair{"(def ", " 1)"}, std::pair{"(defn ", " [x] x)"}, std::pair{"(defn h [", "] 1)"},
          std::pair{"(let [", " 1] 2)"}}) {
      INFO(before << name << behind);
      auto said = s.try_type(before + name + behind);
      REQUIRE_FALSE(said);
      CHECK(said.error().first().message == name + " is a pitch and cannot be redefined");
    }
}

TEST_CASE("a pitch typed without accidental is that of the key written in the form") {
  struct row {
    const char* typed;
    const char* meant;
  };
  for (const auto& x : std::vector<row>{
           {"(measure (key f :major) (note f4 :h) (note b4 :h))",
            "(measure (key :f :major) (note f4 :h) (note bb4 :h))"},
           {"(measure :key f-major (note f4 :h) (note b4 :h))",
            "(measure (key :f :major) (note f4 :h) (note bb4 :h))"},
           {"(measure :key (key f :major) (note f4 :h) (note b4 :h))",
            "(measure (key :f :major) (note f4 :h) (note bb4 :h))"},
           {"(measure (key -1) (note f4 :h) (note b4 :h))",
            "(measure (key -1) (note f4 :h) (note bb4 :h))"},
           {"(measure (note f4 :h) (key c :major) (note f4 :h))",
            "(measure (note f#4 :h) (key :c :major) (note f4 :h))"},
           {"(measure (chord (f4 c5) :w))", "(measure (chord (f#4 c#5) :w))"},
           {"(measure (key f :major) #p\"f4:h b\")",
            "(measure (key :f :major) (note f4 :h) (note bb4 :h))"},
           {"(measure (phrase \"f4:h b\" :key f-major))", "(measure (note f4 :h) (note bb4 :h))"},
           {"(measure (voice 1 (note f4 :h) (key c :major) (note f4 :h)) (voice 2 (note f4 :w)))",
            "(measure (voice 1 (note f#4 :h) (key :c :major) (note f4 :h)) (voice 2 (note f#4 "
            ":w)))"},
           {"(measure (note fn4 :h) (note f#4 :h))", "(measure (note f4 :h) (note f#4 :h))"},
       }) {
    session s;
    s.type("(measure (key d :major) (note d4 :w))");
    s.type("(key-inference on)");
    s.type(x.typed);
    INFO(x.typed);
    CHECK(s.measure(1) == x.meant);
  }
}

TEST_CASE("the key of a part is its own") {
  session s;
  s.type("(key-inference on)");
  s.type("(measure (key d :major) (note f4 :w))");
  CHECK(s.measure(0).find("(note f#4 :w)") != std::string::npos);
  // A new part begins in the key of the others, unless it says its own.
  s.type("(part :oboe (measure (note c5 :w)))");
  CHECK(s.measure(0, 1).find("(note c#5 :w)") != std::string::npos);
  s.type("(part :horn (measure (key a :major) (note g4 :w)) (measure (note g4 :w)))");
  CHECK(s.measure(0, 2).find("(note g#4 :w)") != std::string::npos);
  CHECK(s.measure(1, 2) == "(measure (note g#4 :w))");
  s.type("(cursor :part \"Piano\")");
  s.type("(measure (note g4 :h) (note c5 :h))");
  CHECK(s.measure(1) == "(measure (note g4 :h) (note c#5 :h))");
  // A new score begins in that of the defaults, here C major; a key before its parts is for all.
  s.type("(score (part :flute (measure (note f4 :w))) (part :oboe (measure (key g :major) (note f4 "
         ":w))) (part :viola (measure (note f4 :w))))");
  CHECK(s.measure(0, 0).find("(note f4 :w)") != std::string::npos);
  CHECK(s.measure(0, 1).find("(note f#4 :w)") != std::string::npos);
  CHECK(s.measure(0, 2).find("(note f4 :w)") != std::string::npos);
  s.type("(score (key e :major) (part :flute (measure (note f4 :w))) (part :oboe (measure (note d4 "
         ":w))))");
  CHECK(s.measure(0, 0).find("(note f#4 :w)") != std::string::npos);
  CHECK(s.measure(0, 1).find("(note d#4 :w)") != std::string::npos);
}

TEST_CASE("loose notes follow the key that is typed among them") {
  session s;
  s.type("(key-inference on)");
  s.type("(key d :major)");
  s.type("(seq (note f4 :q) (key f :major) (note f4 :q) (note b4 :h))");
  CHECK(s.measure(0).find("(note f#4 :q) (key :f :major) (note f4 :q) (note bb4 :h)") !=
        std::string::npos);
  s.type("(note b4 :q)");
  CHECK(s.measure(1) == "(measure (note bb4 :q))");
}

TEST_CASE(
    "what an edit puts into the score is in the key of its place, not in that of the cursor") {
  session s;
  s.type("(measure (key d :major) (note d4 :w))");
  s.type("(measure (note d4 :h) (key f :major) (note d4 :h))");
  s.type("(measure (key c :major) (note c4 :w))");
  s.type("(key-inference on)");
  // The cursor is in C major: f and c stay as they are typed there.
  s.type("(replace (measures 1) (measure (note f4 :h) (note c5 :h)))");
  CHECK(s.measure(0).find("(note f#4 :h) (note c#5 :h)") != std::string::npos);
  s.type("(replace (select :measures 2 :beats (3 5)) (note b4 :q) (note f4 :q))");
  CHECK(s.measure(1).find("(note bb4 :q) (note f4 :q)") != std::string::npos);
  s.type("(def second 2)");
  s.type("(replace (select :measures second :beats (1 3)) (note b4 :q) (note f4 :q))");
  CHECK(s.measure(1).find("(note b4 :q) (note f#4 :q)") != std::string::npos);
  // Before the third measure F major holds.
  s.type("(insert-measure 3 (measure (note b4 :w)))");
  CHECK(s.measure(2).find("(note bb4 :w)") != std::string::npos);
  // In the same text, what was put there before counts.
  s.type("(do (insert-measure 1 (measure (key a :major) (note g4 :w))) (replace (measures 1) "
         "(measure (note g4 :w))))");
  CHECK(s.measure(0).find("(note g#4 :w)") != std::string::npos);
  // A rest is written over in the key that holds there.
  session later;
  later.type("(seq (key e :major) (note e4 :h) (rest :h) (key c :major) (note c4 :w))");
  later.type("(key-inference on)");
  later.type("(at (select :measures 1 :beats 3) (note f4 :h))");
  CHECK(later.measure(0).find("(note f#4 :h)") != std::string::npos);
  // Behind the edit the key of the cursor holds again.
  later.type("(do (replace (select :measures 1 :beats (3 5)) (note g4 :h)) (note f4 :w))");
  CHECK(later.measure(2).find("(note f4 :w)") != std::string::npos);
}

}  // namespace fermata::key_inference_test
