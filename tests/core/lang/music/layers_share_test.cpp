#include "core/score/model/walk.hpp"
#include "typed_session.hpp"

namespace fermata::layers_share_test {

using namespace fermata::test;

// docs/decisions/0007: layers share one line of measures, keys and metres; a key or metre written
// in one of them holds for all from there on, unless another says its own at the same place.

namespace {

/// What is said of key and time: "measure:position 3/4", "measure:position staff 2 key 1".
std::vector<std::string> said(const score& s) {
  std::vector<std::string> out;
  auto where = [](std::size_t m, const measure_item& item, const auto& change) {
    return std::to_string(m + 1) + ":" + to_string(item.at.value) +
           (change.staff ? " staff " + std::to_string(*change.staff) : "");
  };
  for (std::size_t m = 0; m < s.parts.at(0)->measures.size(); ++m)
    for (const auto& item : s.parts[0]->measures[m]->items)
      if (auto a = std::get_if<attributes>(&item.content)) {
        for (const auto& k : a->keys)
          out.push_back(where(m, item, k) + " key " + std::to_string(k.value.fifths));
        for (const auto& t : a->times)
          out.push_back(where(m, item, t) + " " + to_string(t.value));
      }
  return out;
}

/// Whether everything that changes at the beginning of a measure is said before its notes.
bool begins_with_changes(const score& s) {
  for (const auto& m : s.parts.at(0)->measures) {
    auto playing = false;
    for (const auto& item : m->items) {
      playing |= std::holds_alternative<chord_rest>(item.content);
      if (playing && item.at == measure_position{} &&
          std::holds_alternative<attributes>(item.content))
        return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("what one staff or voice says of key and metre is said once, for all") {
  struct row {
    const char* part;
    std::vector<std::string> said;
  };
  const std::vector<std::string> three{"1:0 key 0", "1:0 3/4"}, in_d{"1:0 key 2", "1:0 4/4"},
      both{"1:0 key 2", "1:0 3/4"}, later{"1:0 key 0", "1:0 4/4", "2:0 3/4"};
  for (const auto& x : std::vector<row>{
           {"(staff 1 (measure (note c5 :q) (note d5 :h))) (staff 2 (measure (time 3 4) (note c3 "
            ":h.)))",
            three},
           {"(staff 1 (measure (note c5 :q) (note d5 :h))) (staff 2 (time 3 4) (measure (note c3 "
            ":h.)))",
            three},
           {"(staff 2 (measure (time 3 4) (note c3 :h.))) (staff 1 (measure (note c5 :q) (note d5 "
            ":h)))",
            three},
           {"(staff 1 (note c5 :h.)) (staff 2 (time 3 4) (note c3 :h.))", three},
           {"(voice 1 (measure (note c5 :h.))) (voice 2 (key d :major) (time 3 4) (measure (note "
            "c4 :h.)))",
            both},
           {"(voice 1 (note c5 :h.)) (voice 2 (key d :major) (time 3 4) (note c4 :h.))", both},
           {"(measure (voice 1 (note c5 :h.)) (voice 2 (key d :major) (time 3 4) (note c4 :h.)))",
            both},
           {"(measure (note c5 :h.) (backup 3) (time 3 4) (key d :major) (note c4 :h. :voice 2))",
            both},
           {"(measure (staff 1 (note c5 :w)) (staff 2 (key d :major) (note c3 :w)))", in_d},
           {"(staff 1 (measure (note c5 :w))) (staff 2 (measure (key d :major) (note c3 :w)))",
            in_d},
           {"(staff 1 (measure (note c5 :w)) (measure (note d5 :h.))) (staff 2 (measure (note c3 "
            ":w)) "
            "(measure (time 3 4) (note d3 :h.)))",
            later},
           // Both say one: keys may differ.
           {"(staff 1 (measure (key g :major) (note c5 :w))) (staff 2 (measure (key d :major) "
            "(note c3 "
            ":w)))",
            {"1:0 key 1", "1:0 staff 2 key 2", "1:0 4/4"}},
           {"(staff 1 (measure (key d :major) (note c5 :w))) (staff 2 (measure (key d :major) "
            "(note c3 "
            ":w)))",
            in_d},
       }) {
    INFO(x.part);
    auto s = score_of(std::string{"(score (part :piano "} + x.part + "))");
    CHECK(said(s) == x.said);
    CHECK(begins_with_changes(s));
    CHECK(score_of(print_score(s)) == s);
  }
}

TEST_CASE("notes without measures are cut in the metre that a lower staff says") {
  auto s =
      score_of("(part :piano (staff 1 (note c5 :h) (note d5 :w)) (staff 2 (time 3 4) (note c3 :h.) "
               "(note d3 :h.)))");
  REQUIRE(s.parts[0]->measures.size() == 2);
  // d5 is a whole: one quarter before the barline, three after it.
  auto first = rhythm_of(s, 0, 0), second = rhythm_of(s, 0, 1);
  CHECK(first.at(1).second.length == quarters{1});
  CHECK(first.at(1).second.notes[0].tie.start);
  CHECK(second.at(0).second.length == quarters{3});
  // A measure of rest is as long as its measure.
  auto rests =
      score_of("(part :piano (staff 1 (measure (rest :measure))) (staff 2 (measure (time 3 4) "
               "(note c3 :h.))))");
  CHECK(rhythm_of(rests).at(0).second.length == quarters{3});
}

TEST_CASE("what is too long in the metre of another staff is an error") {
  for (auto part :
       {"(staff 1 (measure #p\"c5:q d e:h\")) (staff 2 (measure (time 3 4) (note c3 :h.)))",
        "(staff 2 (measure (time 3 4) (note c3 :h.))) (staff 1 (measure #p\"c5:q d e:h\"))",
        "(staff 1 (measure (note c5 :w)) (measure (note c5 :w))) (staff 2 (measure (note c3 :w)) "
        "(measure (time 3 4) (note c3 :h.)))",
        "(voice 1 (measure (note c5 :w))) (voice 2 (time 3 4) (measure (note c4 :h.)))"}) {
    INFO(part);
    CHECK(compile_fault_of(std::string{"(score (part :piano "} + part + "))").code ==
          errc::overfull_measure);
  }
  // In the longer metre there is room.
  CHECK(said(score_of(
            "(part :piano (staff 1 (measure (note c5 :w.))) (staff 2 (measure (time 6 4) (note "
            "c3 :w.))))")) == std::vector<std::string>{"1:0 key 0", "1:0 6/4"});
}

TEST_CASE("the metre of a lower staff is that of the other parts") {
  auto s = score_of(
      "(score (part :flute (measure (note c5 :h.))) (part :piano (staff 1 (measure (note c5 "
      ":h.))) (staff 2 (measure (time 3 4) (note c3 :h.)))))");
  CHECK(said(s) == std::vector<std::string>{"1:0 key 0", "1:0 3/4"});
}

TEST_CASE("a clef is said once") {
  auto count = [](const std::string& part) {
    auto s = score_of("(score (part :piano " + part + "))");
    std::size_t clefs = 0;
    for (const auto& item : s.parts.at(0)->measures.at(0)->items)
      if (auto a = std::get_if<attributes>(&item.content)) clefs += a->clefs.size();
    return clefs;
  };
  CHECK(count("(staff :treble #p\"c5:w\") (staff :bass #p\"c3:w\")") == 2);
  CHECK(count("(staff :treble (measure #p\"c5:w\")) (staff :bass (measure #p\"c3:w\"))") == 2);
  CHECK(count("(staff 1 #p\"c5:w\") (staff 2 (clef :alto) #p\"c3:w\")") == 2);
  CHECK(count("(measure (staff 1 #p\"c5:w\") (staff 2 (clef :alto) #p\"c3:w\"))") == 2);
  CHECK(count("(measure (staff :treble #p\"c5:w\") (staff 2 (clef :bass) #p\"c3:w\"))") == 2);
  // One that changes on the way is another one.
  CHECK(count("(staff 1 #p\"c5:w\") (staff 2 #p\"c3:h\" (clef :alto) #p\"c4:h\")") == 3);
}

TEST_CASE("a metre said in a lower staff is read backwards") {
  const std::string part = "(score (part (staff 1 (measure (voice 2 (chord (fb6))))) (staff 2 "
                           "(measure (time (3+2 8))))))";
  const auto once = "(retrograde " + part + ")", twice = "(retrograde " + once + ")";
  CHECK(said(score_of(shown(once))) == std::vector<std::string>{"1:0 key 0", "1:0 3+2/8"});
  CHECK(said(score_of(shown(twice))) == std::vector<std::string>{"1:0 key 0", "1:0 3+2/8"});
  CHECK(score_of(shown(twice)) == score_of(part));
}

}  // namespace fermata::layers_share_test
