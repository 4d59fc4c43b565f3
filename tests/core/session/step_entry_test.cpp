#include "core/session/commands/step_entry.hpp"

#include <catch2/catch.hpp>

#include <string_view>
#include <vector>

using namespace fermata;

namespace {

const tonality c_major{}, d_major{{step::d, 0}, mode::major}, f_minor{{step::f, 0}, mode::minor};

/// Presses each key in turn; false: one of them means nothing.
bool press(step_entry& e, std::string_view keys) {
  for (auto key : keys)
    if (!e.press(key)) return false;
  return true;
}

}  // namespace

TEST_CASE("steps are written with the value that was chosen, once for as long as it stays") {
  step_entry e{c_major};
  CHECK(e.text().empty());
  CHECK(e.value() == "q");
  e.play({1, {60}});
  e.play({2, {62}});
  CHECK(press(e, "4"));
  CHECK(e.value() == "8");
  e.play({3, {64}});
  CHECK(press(e, "0"));
  CHECK(press(e, "6."));
  CHECK(e.value() == "h.");
  e.play({4, {67, 60, 64}});
  CHECK(press(e, "|"));
  CHECK(e.text() == "c4:q d4 e4:8 r <c4 e4 g4>:h. | ");
}

TEST_CASE("each value key has its value") {
  const std::pair<char, std::string_view> values[] = {{'1', "64"}, {'2', "32"},   {'3', "16"},
                                                      {'4', "8"},  {'5', "q"},    {'6', "h"},
                                                      {'7', "w"},  {'8', "breve"}};
  for (auto& [key, word] : values) {
    step_entry e{c_major};
    CHECK(e.press(key));
    CHECK(e.value() == word);
    CHECK(e.press('.'));
    CHECK(e.value() == std::string{word} + ".");
    CHECK(e.press('.'));
    CHECK(e.value() == word);
  }
}

TEST_CASE("keys that are added to a chord belong to the same step") {
  step_entry e{c_major};
  e.play({1, {60}});
  e.play({1, {60, 67}});
  e.play({1, {60, 67, 64}});
  CHECK(e.text() == "<c4 e4 g4>:q ");
  // Backspace removes the whole chord, and a key that still joins it is a step of its own.
  CHECK(e.press(step_entry::backspace));
  CHECK(e.text().empty());
}

TEST_CASE("a tie repeats the last note or chord, also with another value") {
  step_entry e{c_major};
  CHECK(e.press('t'));
  CHECK(e.text().empty());
  e.play({1, {60, 64}});
  CHECK(press(e, "4t"));
  CHECK(e.text() == "<c4 e4>:q ~ <c4 e4>:8 ");
  CHECK(press(e, "0t"));
  CHECK(e.text() == "<c4 e4>:q ~ <c4 e4>:8 r ");
}

TEST_CASE("a tie over a barline is written before it") {
  step_entry e{c_major};
  e.play({1, {60}});
  CHECK(press(e, "|t"));
  CHECK(e.text() == "c4:q ~ | c4 ");
  CHECK(press(e, "||t"));
  CHECK(e.text() == "c4:q ~ | c4 ~ | | c4 ");
}

TEST_CASE("backspace removes one step at a time") {
  step_entry e{c_major};
  CHECK_FALSE(e.press(step_entry::backspace));
  e.play({1, {60}});
  CHECK(press(e, "0|"));
  for (auto left : {"c4:q r ", "c4:q ", ""}) {
    CHECK(e.press(step_entry::backspace));
    CHECK(e.text() == left);
  }
  CHECK_FALSE(e.press(step_entry::backspace));
}

TEST_CASE("pitches are spelled in the key") {
  step_entry sharp{d_major}, flat{f_minor}, marked{d_major, true};
  for (std::uint64_t i = 1; auto key : {61, 66, 65, 68}) {
    sharp.play({i, {static_cast<std::uint8_t>(key)}});
    flat.play({i, {static_cast<std::uint8_t>(key)}});
    marked.play({i++, {static_cast<std::uint8_t>(key)}});
  }
  CHECK(sharp.text() == "c#4:q f#4 f4 g#4 ");
  CHECK(flat.text().substr(0, 6) == "db4:q ");
  CHECK(flat.text().find("ab4") != std::string::npos);
  // Where the phrase is read in its key, f4 would be F sharp.
  CHECK(marked.text() == "c#4:q f#4 fn4 g#4 ");
}

TEST_CASE("other keys mean nothing in step entry") {
  step_entry e{c_major};
  for (auto key : {'9', 'a', ' ', '"', '\n', '\0'})
    CHECK_FALSE(e.press(key));
  for (auto key : step_entry::keys)
    CHECK(e.press(key));
}

TEST_CASE("what was edited by hand stays, and the value goes on") {
  step_entry e{c_major};
  e.play({1, {60}});
  CHECK(press(e, "3"));
  e.start_over();
  CHECK(e.text().empty());
  CHECK(e.value() == "16");
  e.play({2, {62}});
  CHECK(e.text() == "d4:16 ");
}
