#include "places.hpp"

namespace fermata::typed_staff_test {

using namespace fermata::test;

// language.md section 5: positions inside a measure come from voices and staves. Counted by hand.

namespace {

void type_all(session& s, const std::vector<const char*>& typed) {
  for (auto text : typed)
    s.type(text);
}

}  // namespace

TEST_CASE("the hands of a pianist are typed one under the other") {
  struct row {
    std::vector<const char*> typed;
    std::vector<std::string> places;
  };
  for (const auto& x : std::vector<row>{
           {{"(staff 1 (note c5 :w))", "(staff 2 (note c3 :w))"}, {"1:0 1 c5", "1:0 2 c3"}},
           {{"(staff 1 (note c5 :h))", "(staff 2 (note c3 :h))"}, {"1:0 1 c5", "1:0 2 c3"}},
           {{"(note c5 :w)", "(staff 2 (note c3 :h) (note d3 :h))"},
            {"1:0 1 c5", "1:0 2 c3", "1:2 2 d3"}},
           {{"(staff 1 (note c5 :w))", "(staff 2 (note c3 :w))", "(staff 1 (note d5 :w))",
             "(staff 2 (note d3 :w))"},
            {"1:0 1 c5", "1:0 2 c3", "2:0 1 d5", "2:0 2 d3"}},
           {{"(staff 1 (note c5 :h))", "(staff 2 (note c3 :h))", "(staff 2 (note d3 :h))",
             "(staff 1 (note d5 :h))"},
            {"1:0 1 c5", "1:2 1 d5", "1:0 2 c3", "1:2 2 d3"}},
           {{"(staff 2 (note c3 :w))", "(staff 1 (note c5 :w))"}, {"1:0 2 c3", "1:0 1 c5"}},
           {{"(note c5 :w)", "(staff 2 (voice 5 (note c3 :w)) (voice 6 (note e3 :h)))"},
            {"1:0 1 c5", "1:0 2 c3", "1:0 2 e3"}},
           // A staff that is written in another voice goes on in it.
           {{"(measure (voice 1 (note c5 :w)) (voice 2 :staff 2 (note c3 :h)))",
             "(staff 2 (note d3 :h))"},
            {"1:0 1 c5", "1:0 2 c3", "1:2 2 d3"}},
       })
    for (auto header : {"(part :piano)", ""}) {
      session s;
      if (*header) s.type(header);
      for (auto text : x.typed)
        s.type(text);
      INFO(header << " " << x.typed.front() << " " << x.typed.back());
      auto found = places(s);
      auto wanted = x.places;
      std::sort(found.begin(), found.end());
      std::sort(wanted.begin(), wanted.end());
      CHECK(found == wanted);
      CHECK(first_in<attributes>(*s.score).staves == 2);
    }
}

TEST_CASE("a staff is typed by the name of its clef") {
  const std::vector<std::string> grand{"1:0 1 treble", "1:0 2 bass"};
  const std::vector<std::string> both{"1:0 1 c5", "1:2 1 d5", "1:0 2 c3", "2:0 1 e5", "2:0 2 g3"};
  struct row {
    std::vector<const char*> typed;
    std::vector<std::string> places, clefs;
  };
  for (const auto& x : std::vector<row>{
           {{"(part :piano)", "(staff :treble #p\"c5:h d | e:w\")",
             "(staff :bass #p\"c3:w | g3:w\")"},
            both,
            grand},
           {{"(staff :treble #p\"c5:h d | e:w\")", "(staff :bass #p\"c3:w | g3:w\")"}, both, grand},
           // The staff that the instrument has, whichever is typed first.
           {{"(part :piano)", "(staff :bass #p\"c3:w | g3:w\")",
             "(staff :treble #p\"c5:h d | e:w\")"},
            both,
            grand},
           // It goes on where it ended, in the clef that it has.
           {{"(part :piano)", "(staff :treble #p\"c5:h d\")", "(staff :bass #p\"c3:w\")",
             "(staff :bass #p\"g3:w\")", "(staff :treble #p\"e5:w\")"},
            both,
            grand},
           {{"(part :piano (staff :treble #p\"c5:h d | e:w\") (staff :bass #p\"c3:w\"))",
             "(staff :bass #p\"g3:w\")"},
            both,
            grand},
           // Where the right hand has gone down, the left hand is still the left one.
           {{"(part :piano (staff :treble #p\"c5:w\" (clef :bass)) (staff :bass #p\"c3:w\"))",
             "(staff :bass #p\"g3:w\")"},
            {"1:0 1 c5", "1:0 2 c3", "2:0 2 g3"},
            {"1:0 1 treble", "1:0 2 bass", "2:0 1 bass"}},
           // The left hand has gone up; now it comes back.
           {{"(part :piano (staff 1 #p\"c5:w\") (staff 2 (clef :alto) #p\"c4:w\"))",
             "(staff :alto #p\"g4:h\")", "(staff 2 (clef :bass) #p\"g3:h\")"},
            {"1:0 1 c5", "1:0 2 c4", "2:0 2 g4", "2:2 2 g3"},
            {"1:0 1 treble", "1:0 2 alto", "2:2 2 bass"}},
           // No staff has this clef: it is the first that has no music, else a new one.
           {{"(staff :bass #p\"c3:w\")"}, {"1:0 1 c3"}, {"1:0 1 bass"}},
           {{"(staff :treble #p\"c5:w\")", "(staff :alto #p\"c4:w\")"},
            {"1:0 1 c5", "1:0 2 c4"},
            {"1:0 1 treble", "1:0 2 alto"}},
           {{"(part :piano (staff 1 #p\"c5:w\") (staff 2 #p\"c3:w\"))", "(staff :alto #p\"c4:w\")"},
            {"1:0 1 c5", "1:0 2 c3", "1:0 3 c4"},
            {"1:0 1 treble", "1:0 2 bass", "1:0 3 alto"}},
           // As measures.
           {{"(part :piano)", "(staff :treble (measure #p\"c5:h d\") (measure #p\"e5:w\"))",
             "(staff :bass (measure #p\"c3:w\") (measure #p\"g3:w\"))"},
            both,
            grand},
           {{"(staff :treble (measure #p\"c5:h d\") (measure #p\"e5:w\"))",
             "(staff :bass (measure #p\"c3:w\") (measure #p\"g3:w\"))"},
            both,
            grand},
       }) {
    session s;
    type_all(s, x.typed);
    INFO(x.typed.front() << " " << x.typed.back());
    CHECK(sorted(places(s)) == sorted(x.places));
    CHECK(sorted(clefs(s)) == sorted(x.clefs));
  }
}

TEST_CASE("a staff or voice that is typed means what it means inside a part") {
  for (const auto& layers : std::vector<std::vector<std::string>>{
           {"(staff 1 #p\"c5:q d e f | g:w\")", "(staff 2 #p\"c3:w | g3:w\")"},
           {"(staff 1 (measure #p\"c5:q d e f\") (measure #p\"g5:w\"))",
            "(staff 2 (measure #p\"c3:w\") (measure #p\"g3:w\"))"},
           {"(voice 1 (measure #p\"c5:q d e f\") (measure #p\"g5:w\"))",
            "(voice 2 (measure #p\"c4:w\") (measure #p\"e4:w\"))"},
           {"(voice 1 (measure #p\"c5:w\"))",
            "(voice 2 (measure #p\"c4:w\") (measure #p\"e4:w\") (measure #p\"f4:w\"))"},
           {"(staff 2 (measure #p\"c3:w\") (measure #p\"g3:w\"))",
            "(staff 1 (measure #p\"c5:q d e f\"))"},
           {"(staff 1 (measure #p\"c5:h.\"))", "(staff 2 (time 3 4) (measure #p\"c3:h.\"))"},
           {"(staff 1 (key d :major) (measure #p\"c5:w\") (measure #p\"d5:w\"))",
            "(staff 2 (measure #p\"c3:w\") (measure (key g :major) #p\"g3:w\"))"}}) {
    session typed, whole;
    typed.type("(part :piano)");
    std::string text = "(part :piano";
    for (const auto& x : layers) {
      typed.type(x);
      text += " " + x;
    }
    INFO(text);
    whole.type(text + ")");
    CHECK(print_score(*typed.score) == print_score(*whole.score));
  }
}

TEST_CASE("measures of both hands are typed one after another") {
  session s;
  type_all(s, {"(part :piano)", "(staff 1 (measure #p\"c5:w\"))", "(staff 2 (measure #p\"c3:w\"))",
               "(staff 1 (measure #p\"d5:w\"))", "(staff 2 (measure #p\"d3:w\"))", "(note e5 :w)"});
  CHECK(places(s) ==
        std::vector<std::string>{"1:0 1 c5", "1:0 2 c3", "2:0 1 d5", "2:0 2 d3", "3:0 1 e5"});
}

TEST_CASE("a measure goes to the staff and voice that the cursor is in") {
  struct row {
    std::vector<const char*> typed;
    std::vector<std::string> places;
  };
  const auto* hands = "(part :piano (staff 1 #p\"c5:w d\") (staff 2 #p\"c3:w\"))";
  const std::vector<std::string> given{"1:0 1 c5", "1:0 2 c3", "2:0 1 d5"};
  auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), given.begin(), given.end());
    return sorted(more);
  };
  for (const auto& x : std::vector<row>{
           {{hands, "(cursor :staff 2)", "(measure #p\"d3:w\")"}, with({"2:0 2 d3"})},
           {{hands, "(cursor :staff 2)", "(measure #p\"d3:w\")", "(measure #p\"e3:w\")",
             "(note f3 :w)"},
            with({"2:0 2 d3", "3:0 2 e3", "4:0 2 f3"})},
           // The measure has music there already: behind it.
           {{hands, "(cursor :staff 2 :measure 1)", "(measure #p\"d3:w\")"}, with({"2:0 2 d3"})},
           {{hands, "(cursor :voice 2 :measure 1)", "(measure #p\"e4:w\")"}, with({"1:0 1 e4"})},
           // Rests give way.
           {{"(part :piano (measure (staff 1 #p\"c5:w\") (staff 2 (rest :measure))) (measure "
             "(staff 1 "
             "#p\"d5:w\") (staff 2 (rest :measure))))",
             "(cursor :staff 2 :measure 1)", "(measure #p\"c3:w\")"},
            with({})},
           // Measures that name their staves are for all of them.
           {{hands, "(cursor :staff 2)", "(measure (staff 1 #p\"e5:w\") (staff 2 #p\"e3:w\"))"},
            with({"3:0 1 e5", "3:0 2 e3"})},
       }) {
    session s;
    type_all(s, x.typed);
    INFO(x.typed[1] << " " << x.typed.back());
    CHECK(sorted(places(s)) == sorted(x.places));
  }
}

TEST_CASE("a metre typed in the lower staff is the metre of the upper one, or is refused") {
  session s;
  type_all(s, {"(part :piano)", "(staff 1 (measure #p\"c5:w\") (measure #p\"d5:h.\"))"});
  CHECK(s.fault("(staff 2 (measure (time 3 4) #p\"c3:h.\"))") == errc::overfull_measure);
  CHECK(s.fault("(staff 2 (measure #p\"c3:w d\"))") == errc::overfull_measure);
  s.type("(staff 2 (measure #p\"c3:w\") (measure (time 3 4) (key d :major) #p\"d3:h.\"))");
  CHECK(to_string(*time_in_force(*s.score->parts[0], 1, 1)) == "3/4");
  CHECK(state_at(*s.score->parts[0], 1, {}).staff(1).key->fifths == 2);
}

TEST_CASE("what is put at a place is put there, whatever staff or voice it is for") {
  const char* hands =
      "(part :piano (staff 1 (measure (note c5 :w)) (measure (note d5 :w)) (measure (note e5 :w)))"
      " (staff 2 (measure (note c3 :w))))";
  const char* violin =
      "(part :violin (measure (note c5 :h)) (measure (note d5 :h)) (measure (note e5 :h)))";
  struct row {
    const char *part, *put, *note;
  };
  for (const auto& x : {row{hands, "(at (measures 3) (staff 2 (note e3 :h)))", "3:0 2 e3"},
                        {hands, "(at (measures 2) (staff 2 (note e3 :h)))", "2:0 2 e3"},
                        {hands, "(at (measures 2) (staff :bass (note e3 :h)))", "2:0 2 e3"},
                        {hands, "(at (measures 2) (voice 2 (note e4 :h)))", "2:0 1 e4"},
                        {violin, "(at (measures 3) (staff :bass (note e3 :h)))", "3:0 2 e3"},
                        {violin, "(at (measures 1) (voice 2 (note e4 :h)))", "1:0 1 e4"}}) {
    INFO(x.put);
    session s;
    s.type(x.part);
    auto expected = places(s);
    expected.push_back(x.note);
    s.type(x.put);
    CHECK(sorted(places(s)) == sorted(expected));
  }
  // Marks as well, at the beat that is asked for.
  for (const auto& [where, at] :
       std::vector<std::pair<std::string, std::string>>{{"(measures 1)", "1:0"},
                                                        {"(measures 3)", "3:0"},
                                                        {"(select :measures 2 :beats 3)", "2:2"}}) {
    INFO(where);
    session s;
    s.type(hands);
    s.type(("(at " + where + " (staff 2 (p)))").c_str());
    std::vector<std::string> found;
    for (std::size_t m = 0; m < s.score->parts[0]->measures.size(); ++m)
      for (const auto& item : s.score->parts[0]->measures[m]->items)
        if (std::holds_alternative<direction>(item.content))
          found.push_back(std::to_string(m + 1) + ":" + to_string(item.at.value));
    CHECK(found == std::vector{at});
  }
}

TEST_CASE("a second voice of a staff that is typed begins beside its last measure") {
  session s;
  s.type("(part :violin (measure (note c5 :h) (note d5 :h)) (measure (note e5 :w)))");
  s.type("(staff 1 (voice 2 (note a4 :h)))");
  CHECK(sorted(places(s)) ==
        std::vector<std::string>{"1:0 1 c5", "1:2 1 d5", "2:0 1 a4", "2:0 1 e5"});
}

TEST_CASE("staves named by their clefs in one measure are counted as those of a part") {
  session s;
  s.type("(part :piano (measure (staff :treble (note c5 :w)) (staff :bass (note c3 :w)))"
         " (measure (staff :treble (note d5 :w)) (staff :bass (note d3 :h) (note e3 :h))))");
  CHECK(sorted(places(s)) ==
        std::vector<std::string>{"1:0 1 c5", "1:0 2 c3", "2:0 1 d5", "2:0 2 d3", "2:2 2 e3"});
}

}  // namespace fermata::typed_staff_test
