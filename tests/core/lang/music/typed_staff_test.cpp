#include "typed_session.hpp"

using namespace fermata;
using namespace fermata::test;

// language.md section 5: positions inside a measure come from voices and staves. Counted by hand.

namespace {

/// "measure:position staff tone" of every note, measure by measure.
std::vector<std::string> places(const session& s) {
  std::vector<std::string> out;
  for (std::size_t m = 0; m < s.score->parts.at(0)->measures.size(); ++m)
    for (const auto& [at, x] : rhythm_of(*s.score, 0, m))
      if (auto p = std::get_if<pitch>(&x.notes.front().tone))
        out.push_back(std::to_string(m + 1) + ":" + to_string(at) + " " + std::to_string(x.staff) +
                      " " + to_string(*p));
  return out;
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
