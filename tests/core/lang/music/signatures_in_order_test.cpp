#include "core/music/clef.hpp"
#include "core/music/meter.hpp"
#include "evaluated.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

// Key, time and clef of music whose measures come in another order (docs/decisions/0007): every
// note stands in what it stood in before, wherever the change was written. What is expected is
// told by the plan of the piece, not by what was made.

namespace fermata::signatures_in_order_test {

using namespace fermata::test;

namespace {

/// A note and what holds where it stands.
struct noted {
  std::string tone;
  int fifths = 0;
  std::string time = "4/4", clef = "treble";
  bool operator==(const noted&) const = default;
};
std::ostream& operator<<(std::ostream& out, const noted& x) {
  return out << x.tone << " " << x.fifths << " " << x.time << " " << x.clef;
}

/// As a reader goes through the score from its beginning.
std::vector<noted> as_read(const score& s) {
  std::vector<noted> out;
  noted now;
  for (const auto& m : s.parts.at(0)->measures) {
    std::vector<const measure_item*> items;
    for (const auto& x : m->items)
      items.push_back(&x);
    std::stable_sort(items.begin(), items.end(), [](auto a, auto b) { return a->at < b->at; });
    for (auto x : items) {
      if (auto a = std::get_if<attributes>(&x->content)) {
        for (const auto& k : a->keys)
          now.fifths = k.value.fifths;
        for (const auto& t : a->times)
          now.time = to_string(t.value);
        for (const auto& c : a->clefs)
          now.clef = std::string{name_of(c.value).value_or("none")};
      } else if (auto c = std::get_if<chord_rest>(&x->content)) {
        now.tone = to_string(std::get<pitch>(c->notes.front().tone));
        out.push_back(now);
      }
    }
  }
  return out;
}

/// Everything besides notes that stands in the measures, without key, time and clef.
std::string signs_of(const score& s) {
  std::string out;
  for (const auto& m : s.parts.at(0)->measures) {
    for (const auto& x : m->items) {
      if (auto b = std::get_if<barline>(&x.content))
        out += b->location + b->style + b->repeat + b->ending_numbers + b->ending_type + " ";
      if (auto p = std::get_if<print_layout>(&x.content))
        out += "page:" + p->new_page + " system:" + p->new_system + to_string(x.at.value) + " ";
    }
    out += "| ";
  }
  return out;
}

/// A kind of signature: two of it, and what they say.
struct kind {
  const char *name, *first, *later;
  std::function<void(noted&)> say_first, say_later;
};
const std::vector<kind>& kinds() {
  static const std::vector<kind> all{
      {"key", "(key eb :major)", "(key g :major)", [](noted& x) { x.fifths = -3; },
       [](noted& x) { x.fifths = 1; }},
      {"time", "(time 2 4)", "(time 3 4)", [](noted& x) { x.time = "2/4"; },
       [](noted& x) { x.time = "3/4"; }},
      {"clef", "(clef :tenor)", "(clef :alto)", [](noted& x) { x.clef = "tenor"; },
       [](noted& x) { x.clef = "alto"; }},
  };
  return all;
}

enum class place { loose, start, middle, in_repeat, before_repeat, in_ending };
constexpr std::array places{place::loose,     place::start,         place::middle,
                            place::in_repeat, place::before_repeat, place::in_ending};
enum class opening { unsaid, in_front, inside };
constexpr std::array openings{opening::unsaid, opening::in_front, opening::inside};

struct piece {
  std::string text;
  std::vector<noted> notes;  ///< two in each of four measures
};

/// The later signature comes with the third measure (or the second, where a repeat begins).
piece planned(const kind& k, place where, opening first, const std::string& header) {
  const std::vector<std::string> tones{"c4", "d4", "e4", "f4", "g4", "a4", "b4", "c5"};
  noted now;
  if (header == ":cello") now.clef = "bass";
  piece out;
  std::vector<std::string> loose(4), measures(4);
  if (first != opening::unsaid) k.say_first(now);
  if (first == opening::in_front) loose[0] = k.first;
  const std::size_t change = where == place::before_repeat ? 1 : 2;
  for (std::size_t m = 0; m < 4; ++m) {
    auto inside = std::string{};
    if (m == 0 && first == opening::inside) inside = k.first;
    auto here = m == change;
    if (here && where != place::middle) k.say_later(now);
    if (here && where == place::start) inside = k.later;
    if (here && where != place::start && where != place::middle) loose[m] = k.later;
    for (std::size_t n = 0; n < 2; ++n) {
      if (n == 1 && here && where == place::middle) {
        inside += std::string{" "} + k.later;
        k.say_later(now);
      }
      auto length = now.time == "2/4" || (now.time == "3/4" && n == 0) ? ":q" : ":h";
      now.tone = tones[2 * m + n];
      inside += " (note " + now.tone + " " + length + ")";
      out.notes.push_back(now);
    }
    measures[m] = loose[m] + " (measure " + inside + ")";
  }
  const auto& m = measures;
  switch (where) {
    case place::in_repeat: out.text = m[0] + " (repeat " + m[1] + " " + m[2] + ") " + m[3]; break;
    case place::before_repeat:
      out.text = m[0] + " " + loose[1] + " (repeat " + m[1].substr(loose[1].size()) + " " + m[2] +
                 ") " + m[3];
      break;
    case place::in_ending:
      out.text = m[0] + " (repeat " + m[1] + " (ending 1 " + m[2] + ") (ending 2 " + m[3] + "))";
      break;
    default: out.text = m[0] + " " + m[1] + " " + m[2] + " " + m[3];
  }
  out.text = "(part " + header + " " + out.text + ")";
  return out;
}

void for_all(const std::function<void(const piece&, place)>& f) {
  for (const auto& k : kinds())
    for (auto where : places)
      for (auto first : openings)
        for (const auto* header : {"", ":cello"}) {
          // Time changes at barlines.
          if (where == place::middle && k.name == std::string{"time"}) continue;
          f(planned(k, where, first, header), where);
        }
}

}  // namespace

TEST_CASE("backwards, every note keeps its key, time and clef, wherever a change was written") {
  for_all([](const piece& p, place where) {
    if (where == place::in_ending) return;  // has no reverse
    INFO(p.text);
    auto original = score_of(p.text);
    REQUIRE(as_read(original) == p.notes);
    auto wanted = p.notes;
    std::reverse(wanted.begin(), wanted.end());
    const auto once = "(retrograde " + p.text + ")";
    INFO(shown(once));
    auto turned = score_of(once);
    CHECK(as_read(turned) == wanted);
    CHECK(turned.parts[0]->measures.size() == 4);
    auto twice = score_of("(retrograde " + once + ")");
    CHECK(as_read(twice) == p.notes);
    CHECK(signs_of(twice) == signs_of(original));
    CHECK(shown("(retrograde (retrograde " + once + "))") == shown(once));
  });
}

TEST_CASE("rotated, every note keeps its key, time and clef, wherever a change was written") {
  for_all([](const piece& p, place where) {
    INFO(p.text);
    if (where == place::in_ending) {  // other measures would stand under the brackets
      CHECK(fault_of("(rotate 1 " + p.text + ")").code == errc::misplaced);
      return;
    }
    auto original = score_of(p.text);
    REQUIRE(as_read(original) == p.notes);
    for (int n = 1; n < 4; ++n) {
      auto wanted = p.notes;
      std::rotate(wanted.begin(), wanted.begin() + 2 * n, wanted.end());
      auto forth = "(rotate " + std::to_string(n) + " " + p.text + ")";
      INFO(shown(forth));
      auto turned = score_of(forth);
      CHECK(as_read(turned) == wanted);
      CHECK(signs_of(turned) == signs_of(original));
      auto back = score_of("(rotate -" + std::to_string(n) + " " + forth + ")");
      CHECK(as_read(back) == p.notes);
      CHECK(signs_of(back) == signs_of(original));
    }
  });
}

TEST_CASE(
    "backwards, a key in front of the measures leaves the barlines and breaks where they are") {
  // The final barline ends the last measure, the page turns after the first and the system before
  // the last: from the other end the same, the first page as it began.
  CHECK(shown("(retrograde (part \"P\" (key g major) (measure (note c4 :w)) (measure (note d4 :w)) "
              "(measure (note e4 :w) (barline :final))))") ==
        "(part :name \"P\" (measure (key :g :major) (note e4 :w)) (measure (note d4 :w)) (measure "
        "(note "
        "c4 :w) (barline :final)))");
  CHECK(shown("(retrograde (part \"P\" (key g major) (measure (break :page) (note c4 :w)) (measure "
              "(note d4 :w)) (measure (break :system) (note e4 :w))))") ==
        "(part :name \"P\" (measure (break :page) (key :g :major) (note e4 :w)) (measure (break "
        ":system) "
        "(note d4 :w)) (measure (note c4 :w)))");
  CHECK(shown("(retrograde (part \"P\" (measure (note c4 :w)) (break :page) (measure (note d4 :w)) "
              "(barline :final)))") ==
        "(part :name \"P\" (measure (note d4 :w)) (measure (break :page) (note c4 :w)) (barline "
        ":final))");
}

TEST_CASE("backwards, a key before the parts of a score holds in each of them") {
  auto s = score_of("(retrograde (score (key g major) (part (measure (note c4 :w)) (measure (key d "
                    "major) (note d4 :w))) (part (measure (note e3 :w)) (measure (note f3 :w)))))");
  CHECK(first_in<attributes>(s, 0, 0).keys.at(0).value.fifths == 2);
  CHECK(first_in<attributes>(s, 0, 1).keys.at(0).value.fifths == 1);
  CHECK(first_in<attributes>(s, 1, 0).keys.at(0).value.fifths == 1);
  // Measures that stand in no part are one.
  auto only = score_of("(retrograde (score (key g major) (measure (note c4 :w)) (measure (note d4 "
                       ":w))))");
  REQUIRE(as_read(only).size() == 2);
  CHECK(as_read(only)[0] == noted{"d4", 1, "4/4", "treble"});
}

TEST_CASE("backwards, a clef of the left hand changes back for the left hand") {
  // In a voice of staff 2 a clef without a staff is for staff 2: bass before, treble behind.
  auto s = score_of("(retrograde (part :piano (measure (voice 1 :staff 1 (note c5 :w)) (voice 5 "
                    ":staff 2 (note c3 :h) (clef :treble) (note c4 :h))) (measure (voice 1 :staff "
                    "1 (note d5 :w)) (voice 5 :staff 2 (note d4 :w)))))");
  std::map<int, std::string> now;
  std::map<std::string, std::string> found;
  for (const auto& m : s.parts[0]->measures)
    for (const auto& item : m->items)
      if (auto a = std::get_if<attributes>(&item.content)) {
        for (const auto& c : a->clefs)
          now[c.staff.value_or(1)] = std::string{name_of(c.value).value_or("none")};
      } else if (auto x = std::get_if<chord_rest>(&item.content)) {
        found[to_string(std::get<pitch>(x->notes.front().tone))] = now[x->staff];
      }
  CHECK(
      found ==
      std::map<std::string, std::string>{
          {"c3", "bass"}, {"c4", "treble"}, {"d4", "treble"}, {"c5", "treble"}, {"d5", "treble"}});
}

TEST_CASE("backwards, a staff with a key of its own does not give it to others or keep it") {
  // Measure 1 has C in both staves, measure 2 G in the second: backwards the second gets C again.
  auto s = score_of("(retrograde (part (measure (staves 2) (key c major) (note c4 :w)) (measure "
                    "(key g major :staff 2) (note d4 :w))))");
  const auto& back = first_in<attributes>(s, 0, 1);
  REQUIRE(back.keys.size() == 1);
  CHECK(back.keys[0].value.fifths == 0);
  CHECK_FALSE(back.keys[0].staff);
}

TEST_CASE("backwards, a break inside a measure is at the mirrored time") {
  const std::string music =
      "(part \"P\" (measure (note d4 :h) (break :page) (note e4 :h)) (measure (note c4 :w)))";
  CHECK(shown("(retrograde " + music + ")") == "(part :name \"P\" (measure (note c4 :w)) (measure "
                                               "(note e4 :h) (break :page) (note d4 :h)))");
  // At the beginning, inside and at the end of every measure, in one voice and in two.
  for (const auto* inside :
       {"(break :page) (note d4 :h) (note e4 :h)", "(note d4 :h) (break :page) (note e4 :h)",
        "(note d4 :h) (note e4 :h) (break :page)",
        "(voice 1 (note d4 :h) (break :system) (note e4 :h)) (voice 2 (note f3 :w))",
        "(break :page) (p) (voice 1 (note d4 :w)) (voice 2 (note f3 :w))",
        "(voice 1 (p) (break :page) (note d4 :w)) (voice 2 (note f3 :w))"})
    for (int at = 0; at < 3; ++at) {
      std::string text = "(part";
      for (int m = 0; m < 3; ++m)
        text += std::string{" (measure "} + (m == at ? inside : "(note c4 :q) (note g4 :h.)") + ")";
      text += ")";
      INFO(text);
      auto twice = score_of("(retrograde (retrograde " + text + "))");
      CHECK(signs_of(twice) == signs_of(score_of(text)));
      CHECK(shown("(retrograde (retrograde (retrograde " + text + ")))") ==
            shown("(retrograde " + text + ")"));
    }
}

}  // namespace fermata::signatures_in_order_test
