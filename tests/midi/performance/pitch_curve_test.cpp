#include "midi/performance/pitch_curve.hpp"

#include "tests/midi/performance/heard.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::pitch_curve_test {

using namespace testing;

namespace {

using marks = std::vector<std::pair<mark_kind, std::vector<std::string>>>;  ///< with their children

/// "share:cents" of each point.
std::string curve(const marks& all, rational length = 1) {
  auto n = tone_note("c4");
  for (auto& [kind, children] : all)
    n.marks.push_back({kind, "", with_children(children)});
  std::string text;
  for (auto& p : curve_of(n, quarters{length}))
    text += (text.empty() ? "" : " ") + to_string(p.at) + ":" + std::to_string(p.cents);
  return text;
}

constexpr auto bend = mark_kind::bend;

}  // namespace

TEST_CASE("a bend goes from 25 to 75 percent of the note by its bend-alter") {
  // musicxml.xsd, "bend-sound": first-beat 25, last-beat 75.
  CHECK(curve({{bend, {"<bend-alter>2</bend-alter>"}}}) == "1/4:0 3/4:200");
  CHECK(curve({{bend, {"<bend-alter>-0.5</bend-alter>"}}}) == "1/4:0 3/4:-50");
  CHECK(curve({{bend, {"<bend-alter>1</bend-alter>", "<pre-bend/>"}}}) == "1/4:100 3/4:100");
  CHECK(curve({{bend, {"<bend-alter>1</bend-alter>", "<release/>"}}}) == "1/4:100 3/4:0");
  // Up in the first half of the note and back in the second.
  CHECK(curve({{bend, {"<bend-alter>1</bend-alter>"}},
               {bend, {"<bend-alter>1</bend-alter>", "<release/>"}}}) ==
        "1/8:0 3/8:100 5/8:100 7/8:0");
}

TEST_CASE("pre-bends and releases go by the size of their negative bend-alter") {
  // The W3C's examples of <pre-bend> and <release>: a string is bent up before it is struck; a
  // release after a bend has "a negative bend-alter value, not a zero value" (bend-alter).
  CHECK(curve({{bend, {"<bend-alter>-2</bend-alter>", "<pre-bend/>"}}}) == "1/4:200 3/4:200");
  CHECK(curve({{bend, {"<bend-alter>2</bend-alter>"}},
               {bend, {"<bend-alter>-2</bend-alter>", "<release/>"}}}) ==
        "1/8:0 3/8:200 5/8:200 7/8:0");
  CHECK(curve({{bend, {"<bend-alter>-2</bend-alter>", "<release/>"}}}) == "1/4:200 3/4:0");
  CHECK(curve({{bend, {"<bend-alter>-2</bend-alter>", "<pre-bend/>"}},
               {bend, {"<bend-alter>-1</bend-alter>", "<release/>"}}}) ==
        "1/8:200 3/8:200 5/8:200 7/8:100");
  CHECK(curve({{bend, {"<bend-alter>2</bend-alter>"}},
               {bend, {"<bend-alter>0</bend-alter>", "<release/>"}}}) ==
        "1/8:0 3/8:200 5/8:200 7/8:0");
  CHECK(curve({{bend, {"<bend-alter>1</bend-alter>"}}, {bend, {"<bend-alter>0.5</bend-alter>"}}}) ==
        "1/8:0 3/8:100 5/8:100 7/8:150");
}

TEST_CASE("a fall at the end of a tie is heard there, and a release in it") {
  auto bends = [](const measure& m) {
    return events_of<pitch_bend>(
        render_or_throw(*one_measure(m), performed()), [](auto& b, auto& e) {
          return e.at.value.is_integer() || b.value == 0 ? std::to_string(b.value) : "";
        });
  };
  // Two tied half notes: the fall takes the last eighth, 7/2 to 4. 200 cents are 682.67.
  auto fall = bar("c4:h~ c4:h");
  chord_in(fall, 1).notes[0].tie.stop = true;
  mark_note(mark_note(fall, 1, mark_kind::falloff), 0, mark_kind::tenuto);
  CHECK(bends(fall) == "0:0 4:-683");
  // Bent by a whole tone from 1/2 to 3/2, released from 5/2 to 7/2: 8 steps each.
  auto release = bar("c4:h~ c4:h");
  chord_in(release, 1).notes[0].tie.stop = true;
  mark_note(release, 0, mark_kind::tenuto);
  mark_note(release, 0, bend, "", with_children({"<bend-alter>2</bend-alter>"}));
  mark_note(release, 1, bend, "", with_children({"<bend-alter>-2</bend-alter>", "<release/>"}));
  CHECK(bends(release) == "0:0 1:341 3:341 7/2:0");
}

TEST_CASE("a bend without a size or with nonsense in it stays straight") {
  CHECK(curve({{bend, {}}}) == "");
  CHECK(curve({{bend, {"<bend-alter>x</bend-alter>"}}}) == "");
  CHECK(curve({{bend, {"<bend-alter>99</bend-alter>"}}}) == "1/4:0 3/4:2400");
}

TEST_CASE("jazz articulations slide a whole tone in a quarter of the note") {
  CHECK(curve({{mark_kind::scoop, {}}}) == "0:-200 1/4:0");
  CHECK(curve({{mark_kind::plop, {}}}) == "0:200 1/4:0");
  CHECK(curve({{mark_kind::doit, {}}}) == "3/4:0 1:200");
  CHECK(curve({{mark_kind::falloff, {}}}) == "3/4:0 1:-200");
  CHECK(curve({{mark_kind::scoop, {}}, {mark_kind::falloff, {}}}) == "0:-200 1/4:0 3/4:0 1:-200");
  // At most an eighth note, which is 1/8 of a whole note.
  CHECK(curve({{mark_kind::scoop, {}}}, 4) == "0:-200 1/8:0");
}

TEST_CASE("the pitch of a scoop moves on a channel of its own") {
  // A tenuto half note: the slide takes an eighth, 1/2, in 8 steps of 25 cents. The range is 24
  // semitones: 200 cents are 682.67.
  auto m = bar("c4:h r:h");
  mark_note(mark_note(m, 0, mark_kind::scoop), 0, mark_kind::tenuto);
  auto p = render_or_throw(*one_measure(m), performed());
  CHECK(events_of<pitch_bend>(p, [](auto& b, auto&) { return std::to_string(b.value); }) ==
        "0:-683 1/16:-597 1/8:-512 3/16:-427 1/4:-341 5/16:-256 3/8:-171 7/16:-85 1/2:0");
  CHECK(notes_of(p).front().channel == 1);
  CHECK(events_of<pitch_bend>(render_or_throw(*one_measure(m), exact()), [](auto& b, auto&) {
          return std::to_string(b.value);
        }).empty());
}

}  // namespace fermata::midi::pitch_curve_test
