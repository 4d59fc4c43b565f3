#include "core/lang/music/compile.hpp"
#include "core/lang/music/decompile.hpp"
#include "core/lang/music/transform.hpp"
#include "core/score/lines.hpp"
#include "tests/io/musicxml/support.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <tuple>

using namespace fermata;

namespace {

/// How often each kind of line has both ends, and how many ends have no partner.
std::map<std::pair<std::string, bool>, int> lines_of(const part& p) {
  auto lines = pair_lines(line_ends(p, 0, p.measures.size()));
  std::map<std::pair<std::string, bool>, int> count;
  for (const auto& [start, stop] : lines.pairs)
    ++count[{std::string{name_of(start.kind)}, true}];
  for (const auto& end : lines.lonely)
    ++count[{std::string{name_of(end.kind)}, false}];
  return count;
}

/// What takes time: every tone and rest with its place. Grace notes keep their order.
using sounds = std::vector<std::tuple<std::size_t, rational, rational, std::string>>;
sounds sounds_of(const part& p) {
  sounds out;
  for (std::size_t m = 0; m < p.measures.size(); ++m)
    for (const auto& item : p.measures[m]->items)
      if (auto x = std::get_if<chord_rest>(&item.content); x && !x->grace)
        for (const auto& n : x->notes) {
          if (auto t = std::get_if<pitch>(&n.tone))
            out.emplace_back(m, item.at.value, x->length.value, to_string(*t));
          else
            out.emplace_back(m, item.at.value, x->length.value, is_rest(*x) ? "rest" : "beat");
        }
  std::sort(out.begin(), out.end());
  return out;
}

/// The same, seen from the other end.
sounds mirrored(const part& p) {
  auto out = sounds_of(p);
  for (auto& [m, at, length, tone] : out) {
    at = extent(*p.measures[m]).value - at - length;
    m = p.measures.size() - 1 - m;
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

TEST_CASE("every score of the corpus can be read backwards: its notes mirrored, its lines whole") {
  auto turned = 0, refused = 0;
  for (const auto& file : musicxml_test::corpus_files()) {
    INFO(file.filename().string());
    auto read = io::musicxml::read(musicxml_test::bytes_of(file), file.string());
    if (!read) continue;  // files that are broken on purpose
    const auto& s = *read->score;
    auto back = retrograde(to_music(s));
    if (!back) {
      // Endings, jumps, repeats without an end: nothing else may be in the way.
      INFO(back.error().first().message);
      CHECK(back.error().first().code == errc::misplaced);
      ++refused;
      continue;
    }
    auto made = compile_score(**back);
    if (!made) {
      FAIL_CHECK(made.error().first().message);
      continue;
    }
    ++turned;
    for (std::size_t p = 0; p < s.parts.size(); ++p) {
      INFO("part " << s.parts[p]->id);
      REQUIRE(made->parts.at(p)->measures.size() == s.parts[p]->measures.size());
      CHECK((sounds_of(*made->parts[p]) == mirrored(*s.parts[p])));
      CHECK((lines_of(*made->parts[p]) == lines_of(*s.parts[p])));
    }
  }
  CHECK(turned > 80);
  CHECK(refused < turned);
}
