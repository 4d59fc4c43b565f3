#include "core/music/key.hpp"

#include <catch2/catch.hpp>

namespace fermata::key_test {

TEST_CASE("every mode on every tonic has the signature of its diatonic collection") {
  // D dorian, E phrygian, F lydian, G mixolydian, A aeolian and B locrian are the white keys.
  for (auto [name, m] : {std::pair{"c", mode::major},
                         {"c", mode::ionian},
                         {"d", mode::dorian},
                         {"e", mode::phrygian},
                         {"f", mode::lydian},
                         {"g", mode::mixolydian},
                         {"a", mode::aeolian},
                         {"a", mode::minor},
                         {"b", mode::locrian}}) {
    auto k = key_on(*parse_pitch_name(name), m);
    REQUIRE(k.has_value());
    CHECK(k->fifths == 0);
    CHECK(to_string(tonic(*k)) == name);
  }
  CHECK(key_on(*parse_pitch_name("f#"), mode::major)->fifths == 6);
  CHECK(key_on(*parse_pitch_name("c"), mode::minor)->fifths == -3);
  CHECK_FALSE(key_on(*parse_pitch_name("g#"), mode::major).has_value());
  CHECK_FALSE(key_on(*parse_pitch_name("c+"), mode::major).has_value());
  for (int m = 0; m <= static_cast<int>(mode::locrian); ++m)
    for (int fifths = -7; fifths <= 7; ++fifths) {
      key_signature k;
      k.fifths = fifths;
      k.mode = static_cast<mode>(m);
      CHECK(key_on(tonic(k), k.mode) == k);
      CHECK(parse_mode(to_string(k.mode)) == k.mode);
    }
  CHECK_FALSE(parse_mode("gregorian").has_value());
}

TEST_CASE("sharps come in the order F C G D A E B and flats from the other end") {
  auto letters_altered = [](int fifths) {
    key_signature k;
    k.fifths = fifths;
    std::string out;
    for (auto s : {step::f, step::c, step::g, step::d, step::a, step::e, step::b})
      if (alteration(k, s) != 0)
        out += to_string(pitch_name{s, static_cast<std::int16_t>(alteration(k, s))}) + " ";
    return out;
  };
  CHECK(letters_altered(0).empty());
  CHECK(letters_altered(3) == "f# c# g# ");
  CHECK(letters_altered(-3) == "ab eb bb ");
  CHECK(letters_altered(7) == "f# c# g# d# a# e# b# ");
  CHECK(letters_altered(8) == "f## c# g# d# a# e# b# ");
  CHECK(letters_altered(-8) == "fb cb gb db ab eb bbb ");
}

TEST_CASE("a non-traditional signature alters exactly the letters it lists") {
  key_signature k;
  k.alterations = {{*parse_pitch_name("f#"), {}, {}}, {*parse_pitch_name("ed"), {}, {}}};
  CHECK(alteration(k, step::f) == 100);
  CHECK(alteration(k, step::e) == -50);
  CHECK(alteration(k, step::b) == 0);
}

}  // namespace fermata::key_test
