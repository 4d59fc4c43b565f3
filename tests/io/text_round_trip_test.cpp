#include "core/lang/evaluation/evaluate.hpp"
#include "core/lang/layout/compile.hpp"
#include "core/lang/layout/decompile.hpp"
#include "core/lang/reference/format.hpp"
#include "core/lang/syntax/reader.hpp"
#include "core/score/merge/diff.hpp"
#include "tests/io/musicxml/support.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::text_round_trip_test {

namespace {

/// The score that a text means, or what is wrong with it.
result<score> meaning_of(const std::string& text) {
  evaluation_request request;
  request.text = text;
  request.env = std::make_shared<const environment>();
  request.score = empty_score();
  request.commit = false;
  auto r = evaluate(request);
  if (!r) return fail(std::move(r.error()));
  return compile_score(*r->values.back().as_music());
}

/// The first measure that came back different, as text of both sides.
std::string first_difference(const score& a, const score& b) {
  if (a.header != b.header) return "the header differs";
  if (a.part_list != b.part_list || a.parts.size() != b.parts.size())
    return "the part list differs";
  for (std::size_t p = 0; p < a.parts.size(); ++p) {
    const auto& x = *a.parts[p];
    const auto& y = *b.parts[p];
    if (x.id != y.id || x.name != y.name || x.abbreviation != y.abbreviation ||
        x.instruments != y.instruments || x.extra != y.extra)
      return "the header of part " + x.id + " differs";
    if (x.measures.size() != y.measures.size())
      return "part " + x.id + " has another number of measures";
    for (std::size_t m = 0; m < x.measures.size(); ++m)
      if (*x.measures[m] != *y.measures[m])
        return "part " + x.id + " measure " + x.measures[m]->number + ":\n" +
               print_form(to_form(*to_music(*x.measures[m], {}, false))) + "\n" +
               print_form(to_form(*to_music(*y.measures[m], {}, false)));
  }
  return "something else differs";
}

bool same_data(const std::string& a, const std::string& b) {
  auto x = read(a), y = read(b);
  return x.complete() && y.complete() &&
         std::equal(x.forms.begin(), x.forms.end(), y.forms.begin(), y.forms.end(),
                    [](const read_form& l, const read_form& r) { return l.datum == r.datum; });
}

}  // namespace

TEST_CASE("every score of the corpus comes back from its text as it was") {
  auto scores = 0;
  for (const auto& file : musicxml_test::corpus_files()) {
    INFO(file.filename().string());
    auto read = io::musicxml::read(musicxml_test::bytes_of(file), file.string());
    if (!read) continue;  // files that are broken on purpose
    const auto& s = *read->score;
    auto text = print_score(s);
    auto back = meaning_of(text);
    if (!back) {
      auto shown = render(back.error(), text);
      FAIL_CHECK(shown.substr(0, 1500));
      continue;
    }
    auto same = *back == s;
    CHECK(same);
    if (!same) FAIL_CHECK(first_difference(s, *back).substr(0, 3000));
    ++scores;
    // The compact style means the same.
    auto compact = meaning_of(print_score(s, print_style::compact));
    CHECK((compact && *compact == s));
    // What `fermata fmt` lays out it leaves alone the second time, and the music stays the same.
    auto laid_out = format(text);
    CHECK((format(laid_out) == laid_out));
    CHECK(same_data(laid_out, text));
  }
  CHECK(scores > 100);
}

}  // namespace fermata::io::text_round_trip_test
