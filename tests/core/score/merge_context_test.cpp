#include "core/score/merge/merge.hpp"
#include "core/score/model/walk.hpp"
#include "tests/core/score/edit_at_random.hpp"
#include "tests/core/score/score_after.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>

// Which key, metre and clef hold after a merge where one side deletes the measure that says them.
// What is expected is what the edits of both sides give one after the other.

namespace fermata::merge_context_test {

namespace {

using namespace fermata::testing;

/// "2 3/4 clef4: g3:3 | d3:3": what holds in each measure is said where it changes.
std::string told(const score& s) {
  std::string text, said;
  auto& p = *s.parts.at(0);
  for (std::size_t m = 0; m < p.measures.size(); ++m) {
    auto state = state_at(p, m, {});
    auto& staff = state.staff(1);
    auto now = (staff.key ? std::to_string(staff.key->fifths) : "no key") + ' ' +
               (staff.time ? to_string(*staff.time) : "no metre") + ' ' +
               (staff.clef ? "clef" + std::to_string(staff.clef->line) : "no clef") + ": ";
    text += (m == 0 ? "" : " | ") + (now == said ? "" : now) + spelled(*p.measures[m]);
    said = now;
  }
  return text;
}

/// How often key, metre or clef are written.
std::size_t signs(const score& s) {
  std::size_t n = 0;
  for (auto& m : s.parts.at(0)->measures)
    for (auto& item : m->items)
      if (auto* a = std::get_if<attributes>(&item.content))
        n += a->keys.size() + a->times.size() + a->clefs.size();
  return n;
}

std::string without(const std::string& m) { return "(delete (measures " + m + "))"; }
std::string insert(const std::string& m, const std::string& measure) {
  return "(insert-measure " + m + " (measure " + measure + "))";
}
std::string put(const std::string& m, const std::string& measure) {
  return "(replace (measures " + m + ") (measure " + measure + "))";
}

const std::string waltz = "(measure (key d :major) (time 3 4) (note c3 :h.)) ";
const std::string two = "(part :cello " + waltz + "(measure (note d3 :h.)))";
const std::string four = "(part :cello " + waltz +
                         "(measure (note d3 :h.)) (measure (note e3 :h.)) (measure (note f3 "
                         ":h.)))";
const std::string change = "(part :cello " + waltz +
                           "(measure (note d3 :h.)) (measure (key f :major) (time 4 4) (note e3 "
                           ":w)) (measure (note f3 :w)))";

}  // namespace

TEST_CASE("a measure stands in the key, metre and clef it was written for after a merge") {
  struct row {
    std::string piece, a, b;
    std::vector<std::string> one_after_the_other;
  };
  for (auto& r :
       std::vector<row>{// The first measure goes on one side, one comes behind it on the other.
                        {two,
                         without("1"),
                         insert("2", "(note g3 :h.)"),
                         {insert("2", "(note g3 :h.)"), without("1")}},
                        // In the middle, and at the end.
                        {change,
                         without("3"),
                         insert("4", "(note g3 :w)"),
                         {insert("4", "(note g3 :w)"), without("3")}},
                        {change,
                         without("3 4"),
                         "(do (cursor :end) (note g3 :w))",
                         {"(do (cursor :end) (note g3 :w))", without("3 4")}},
                        // Both delete at the front, one changes something.
                        {four,
                         "(do " + without("2") + put("2", "(note a3 :h.)") + ")",
                         without("1"),
                         {put("3", "(note a3 :h.)"), without("1 2")}},
                        {four,
                         without("1"),
                         put("2", "(key eb :major) (note a3 :h.)"),
                         {put("2", "(key eb :major) (note a3 :h.)"), without("1")}},
                        {four,
                         without("1 2"),
                         insert("3", "(note g3 :h.)"),
                         {insert("3", "(note g3 :h.)"), without("1 2")}},
                        // The measure behind says something of its own.
                        {change,
                         without("1"),
                         insert("3", "(note g3 :h.)"),
                         {insert("3", "(note g3 :h.)"), without("1")}},
                        {change,
                         without("2"),
                         insert("3", "(note g3 :h.)"),
                         {insert("3", "(note g3 :h.)"), without("2")}}}) {
    auto base = after({r.piece}), a = after({r.piece, r.a}), b = after({r.piece, r.b});
    auto by_hand = r.one_after_the_other;
    by_hand.insert(by_hand.begin(), r.piece);
    auto expected = after(by_hand);
    for (auto& [ours, theirs] : {std::pair{a, b}, std::pair{b, a}}) {
      INFO(r.a << "  " << r.b << (ours == a ? "" : "  the other way round"));
      auto merged = merge_scores(base, ours, theirs);
      REQUIRE(merged);
      REQUIRE(merged->conflicts.empty());
      CHECK(told(*merged->score) == told(*expected));
      CHECK(signs(*merged->score) == signs(*expected));
    }
  }
}

TEST_CASE("a new measure is taken alone with what holds where the one that said it has gone") {
  auto base = after({two}), ours = after({two, without("1")}),
       theirs = after({two, insert("2", "(note g3 :h.)")});
  merge_request request;
  request.measures = std::pair<std::size_t, std::size_t>{1, 2};
  auto merged = merge_scores(base, ours, theirs, request);
  REQUIRE(merged);
  CHECK(told(*merged->score) == told(*after({two, insert("2", "(note g3 :h.)"), without("1")})));
}

namespace {

/// A measure is known by its only note, which no other has.
struct one_line {
  std::size_t notes = 0;

  measure next(edit_at_random& random) {
    auto n = notes++;
    auto m = bar(std::string(1, "abcdefg"[n % 7]) + std::to_string(n / 7) + ":h");
    attributes a;
    if (random.pick(3) == 0)
      a.times.push_back({{}, fermata::testing::time(2 + static_cast<int>(random.pick(4)), 4), {}});
    if (random.pick(3) == 0) {
      key_signature key;
      key.fifths = static_cast<int>(random.pick(7)) - 3;
      a.keys.push_back({{}, key, {}});
    }
    if (!(a == attributes{})) lead(m, a);
    return m;
  }
};

/// Key and metre of each measure by its note.
std::map<std::string, std::pair<std::string, std::string>> contexts(const score& s) {
  std::map<std::string, std::pair<std::string, std::string>> all;
  auto& p = *s.parts.at(0);
  for (std::size_t m = 0; m < p.measures.size(); ++m) {
    auto state = state_at(p, m, {});
    auto& staff = state.staff(1);
    all[spelled(*p.measures[m])] = {staff.key ? std::to_string(staff.key->fifths) : "none",
                                    staff.time ? to_string(*staff.time) : "none"};
  }
  return all;
}

}  // namespace

TEST_CASE("after a merge no measure is in a key or metre that neither side had there") {
  std::size_t merged_some = 0;
  for (unsigned seed = 1; seed <= 600; ++seed) {
    edit_at_random random{seed};
    one_line line;
    std::vector<measure> start;
    for (auto n = 2 + random.pick(5); n > 0; --n)
      start.push_back(line.next(random));
    attributes opening = with_time(4, 4);
    key_signature d_major;
    d_major.fifths = 2;
    opening.keys.push_back({{}, d_major, {}});
    erase_if(start.front().items,
             [](auto& item) { return std::holds_alternative<attributes>(item.content); });
    lead(start.front(), opening);
    for (std::size_t m = 0; m < start.size(); ++m)
      start[m].number = std::to_string(m + 1);
    auto base = make_score({make_part(std::move(start))});
    // Measures come without a key or metre of their own: then there is only one that is meant.
    auto plain = [&] {
      auto m = line.next(random);
      erase_if(m.items,
               [](auto& item) { return std::holds_alternative<attributes>(item.content); });
      m.number.clear();
      return m;
    };
    auto edited = [&] {
      auto s = base;
      for (auto n = 1 + random.pick(3); n > 0; --n) {
        auto count = s->parts[0]->measures.size();
        auto at = random.pick(count);
        auto next = random.pick(2) == 0 ? delete_measures(s, {{0, at}})
                                        : insert_measures(s, 0, random.pick(count + 1), {plain()});
        if (next && !(*next)->parts[0]->measures.empty()) s = *next;
      }
      return s;
    };
    auto ours = edited(), theirs = edited();
    auto merged = merge_scores(base, ours, theirs);
    REQUIRE(merged);
    if (!merged->conflicts.empty()) continue;
    ++merged_some;
    auto before = contexts(*base), here = contexts(*ours), there = contexts(*theirs);
    auto now = contexts(*merged->score);
    // What a measure that is new on a side says holds behind it, also for what the other side has
    // put there.
    std::string new_here, new_there;
    for (auto& m : merged->score->parts[0]->measures) {
      auto note = spelled(*m);
      INFO("seed " << seed << ", " << note << "\nbase:   " << told(*base)
                   << "\nours:   " << told(*ours) << "\ntheirs: " << told(*theirs)
                   << "\nmerged: " << told(*merged->score));
      std::set<std::string> keys, metres;
      for (auto& [side, in_front] : {std::pair{&here, &new_here}, std::pair{&there, &new_there}}) {
        auto has_it = side->contains(note);
        if (has_it || !in_front->empty()) {
          auto& context = side->at(has_it ? note : *in_front);
          keys.insert(context.first);
          metres.insert(context.second);
        }
        if (has_it) *in_front = before.contains(note) ? std::string{} : note;
      }
      CHECK(keys.contains(now.at(note).first));
      CHECK(metres.contains(now.at(note).second));
    }
  }
  CHECK(merged_some > 200);
}

}  // namespace fermata::merge_context_test
