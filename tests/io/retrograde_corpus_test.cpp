#include "core/lang/layout/compile.hpp"
#include "core/lang/layout/decompile.hpp"
#include "core/lang/transform/transform.hpp"
#include "core/music/clef.hpp"
#include "core/music/meter.hpp"
#include "core/score/model/spanners.hpp"
#include "tests/io/musicxml/support.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <tuple>

namespace fermata::io::retrograde_corpus_test {

namespace {

/// How often each kind of line has both ends, and how many ends have no partner.
std::map<std::pair<std::string, bool>, int> lines_of(const part& p) {
  auto lines = pair_spanners(spanner_ends(p, 0, p.measures.size()));
  std::map<std::pair<std::string, bool>, int> count;
  for (const auto& [start, stop] : lines.pairs)
    ++count[{std::string{name_of(start.kind)}, true}];
  for (const auto& end : lines.unpaired)
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

/// What a reader knows of a staff; what is said of all staves replaces what was said of one.
class signature_reader {
public:
  void read(const attributes& a) {
    for (const auto& k : a.keys)
      say(keys_, k.staff, k.value);
    for (const auto& t : a.times)
      say(times_, t.staff, t.value);
    for (const auto& c : a.clefs)
      clefs_[c.staff.value_or(1)] = c.value;
  }
  std::tuple<int, std::string, clef> at(int staff) const {
    auto clef = clefs_.find(staff);
    return {held(keys_, staff).fifths, to_string(held(times_, staff)),
            clef == clefs_.end() ? fermata::clef{} : clef->second};
  }

private:
  template <class T>
  static void say(std::map<int, T>& of, std::optional<std::uint8_t> staff, const T& value) {
    if (!staff) of.clear();
    of[staff.value_or(0)] = value;
  }
  template <class T>
  static T held(const std::map<int, T>& of, int staff) {
    for (auto s : {staff, 0})
      if (auto found = of.find(s); found != of.end()) return found->second;
    return {};
  }

  std::map<int, key_signature> keys_;
  std::map<int, time_signature> times_;
  std::map<int, clef> clefs_;
};

/// Key, time and clef of the notes at each place of each measure and staff, from the other end if
/// `mirror`.
using standing = std::multimap<std::tuple<std::size_t, rational, int>, std::string>;
standing standing_of(const part& p, bool mirror) {
  standing out;
  signature_reader reader;
  for (std::size_t m = 0; m < p.measures.size(); ++m) {
    auto items = p.measures[m]->items;
    std::stable_sort(items.begin(), items.end(), [](const auto& a, const auto& b) {
      auto says = [](const auto& x) { return std::holds_alternative<attributes>(x.content); };
      return a.at == b.at ? says(a) && !says(b) : a.at < b.at;
    });
    for (const auto& item : items) {
      if (auto a = std::get_if<attributes>(&item.content)) reader.read(*a);
      auto x = std::get_if<chord_rest>(&item.content);
      if (!x || x->grace || is_rest(*x)) continue;
      auto [fifths, time, clef] = reader.at(x->staff);
      auto end = extent(*p.measures[m]).value;
      auto at = mirror ? end - item.at.value - x->length.value : item.at.value;
      auto measure = mirror ? p.measures.size() - 1 - m : m;
      out.emplace(std::tuple{measure, at, int{x->staff}},
                  std::to_string(fifths) + " " + time + " " +
                      std::string{name_of(clef).value_or("other")});
    }
  }
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
    copying to_the_end{[]() -> result<void> { return {}; }};
    auto back = retrograde(to_music(s), to_the_end);
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
      CHECK((standing_of(*made->parts[p], false) == standing_of(*s.parts[p], true)));
    }
  }
  CHECK(turned > 80);
  CHECK(refused < turned);
}

}  // namespace fermata::io::retrograde_corpus_test
