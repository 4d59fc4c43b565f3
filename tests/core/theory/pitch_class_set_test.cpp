#include "core/theory/pitch_class_set.hpp"

#include <catch2/catch.hpp>

namespace fermata::pitch_class_set_test {

namespace {

/// Some sets of every size; the whole 4096 squared would take minutes.
std::vector<pitch_class_set> sample() {
  std::vector<pitch_class_set> sets;
  for (unsigned bits = 0; bits < 4096; bits += 7)
    sets.push_back(pitch_class_set::from_bits(bits));
  return sets;
}

}  // namespace

TEST_CASE("normal form is the narrowest ordering") {
  // Forte 1973, section 1.2, and the examples of Straus, Introduction to Post-Tonal Theory.
  CHECK(normal_form({7, 11, 2, 3}) == std::vector<int>{11, 2, 3, 7});
  CHECK(normal_form({0, 4, 7}) == std::vector<int>{0, 4, 7});
  CHECK(normal_form({1, 5, 6, 7}) == std::vector<int>{1, 5, 6, 7});
  CHECK(normal_form({7, 11, 2, 5}) == std::vector<int>{11, 2, 5, 7});  // the dominant seventh on G
  CHECK(normal_form({}).empty());
  CHECK(prime_form({0, 4, 7}) == std::vector<int>{0, 3, 7});
  CHECK(prime_form({}).empty());
}

TEST_CASE("Forte and Rahn pack six classes differently and all others alike") {
  int different = 0;
  for (unsigned bits = 1; bits < 4096; ++bits) {
    auto s = pitch_class_set::from_bits(bits);
    auto f = prime_form(s), r = prime_form(s, packing::rahn);
    different += f == s.members() && f != r ? 1 : 0;
  }
  CHECK(different == 6);
  CHECK(prime_form({0, 1, 3, 7, 8}, packing::rahn) == std::vector<int>{0, 1, 5, 6, 8});
}

TEST_CASE("transpositions and inversions compose as a group of order 24") {
  for (auto s : sample())
    for (int m = 0; m < 12; ++m)
      for (int n = 0; n < 12; ++n) {
        CHECK(transposed(transposed(s, m), n) == transposed(s, m + n));
        CHECK(inverted(inverted(s, m), n) == transposed(s, n - m));
        CHECK(inverted(transposed(s, m), n) == inverted(s, n - m));
        CHECK(transposed(inverted(s, m), n) == inverted(s, m + n));
      }
}

TEST_CASE("multiplication by 11 inverts, by 5 and 7 exchanges interval classes 1 and 5") {
  for (auto s : sample()) {
    CHECK(multiplied(s, 1) == s);
    CHECK(multiplied(s, 11) == inverted(s));
    CHECK(multiplied(multiplied(s, 5), 5) == s);
    CHECK(multiplied(multiplied(s, 7), 7) == s);
    auto v = interval_vector(s);
    std::swap(v[0], v[4]);
    CHECK(interval_vector(multiplied(s, 5)) == v);
    CHECK(interval_vector(multiplied(s, 7)) == v);
  }
}

TEST_CASE("complement, common tones and interval vector agree") {
  for (auto s : sample()) {
    CHECK(complement(complement(s)) == s);
    CHECK(set_union(s, complement(s)).size() == 12);
    CHECK(intersection(s, complement(s)).empty());
    auto v = interval_vector(s);
    auto t = common_tones_under_transposition(s);
    CHECK(t[0] == s.size());
    for (std::size_t n = 1; n < 12; ++n) {
      auto entry = v[std::min(n, 12 - n) - 1];
      CHECK(t[n] == (n == 6 ? 2 * entry : entry));
    }
    int total = 0;
    for (int x : common_tones_under_inversion(s))
      total += x;
    CHECK(total == s.size() * s.size());
    // The complement theorem: the vectors differ by the difference in size, halved at 6.
    auto w = interval_vector(complement(s));
    auto d = 12 - 2 * s.size();
    for (std::size_t i = 0; i < 6; ++i)
      CHECK(w[i] - v[i] == (i == 5 ? d / 2 : d));
  }
}

TEST_CASE("the classes of written pitches forget octave and spelling") {
  CHECK(pitch_classes_of({*parse_pitch("c4"), *parse_pitch("b#5"), *parse_pitch("eb2"),
                          *parse_pitch("d#7")}) == pitch_class_set{0, 3});
  CHECK(pitch_class_set(std::vector<int>{-1, 12, 23}) == pitch_class_set{0, 11});
}

}  // namespace fermata::pitch_class_set_test
