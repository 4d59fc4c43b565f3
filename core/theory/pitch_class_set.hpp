#pragma once

#include "core/music/modular.hpp"
#include "core/music/pitch.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

namespace fermata {

/// An unordered set of pitch classes: bit n stands for pitch class n, C being 0. Everything here is
/// arithmetic modulo 12 after Forte, The Structure of Atonal Music (1973), and Rahn, Basic Atonal
/// Theory (1980); names and classes are in set_class.hpp.
struct pitch_class_set {
  std::uint16_t bits = 0;  ///< only the lower twelve are used

  constexpr pitch_class_set() = default;
  constexpr pitch_class_set(std::initializer_list<int> classes) {
    for (int x : classes)
      insert(x);
  }
  /// Any integers, taken modulo 12.
  explicit pitch_class_set(const std::vector<int>& classes) {
    for (int x : classes)
      insert(x);
  }
  /// From the bits themselves. (Not a constructor: braces would take the number for a member.)
  static constexpr pitch_class_set from_bits(unsigned b) {
    pitch_class_set s;
    s.bits = static_cast<std::uint16_t>(b & 0xfff);
    return s;
  }
  constexpr void insert(int x) { bits = static_cast<std::uint16_t>(bits | 1u << mod(x, 12)); }
  constexpr bool contains(int x) const { return bits >> mod(x, 12) & 1; }
  constexpr bool empty() const { return bits == 0; }
  int size() const;
  /// In ascending order from C.
  std::vector<int> members() const;

  constexpr bool operator==(const pitch_class_set&) const = default;
};

/// Whether the tone has one of the twelve pitch classes. A quarter tone lies between two of them,
/// so that arithmetic modulo 12 says nothing about it.
constexpr bool has_pitch_class(pitch_name n) { return n.cents % 100 == 0; }
/// The first pitch without a pitch class.
std::optional<pitch> first_microtone(const std::vector<pitch>& pitches);

/// The pitch classes of some pitches. Precondition: none is a microtone.
pitch_class_set pitch_classes_of(const std::vector<pitch>& pitches);

/// x becomes x + n.
pitch_class_set transposed(pitch_class_set s, int n);
/// TnI: x becomes n - x, so that `inverted(s, 0)` mirrors about C.
pitch_class_set inverted(pitch_class_set s, int n = 0);
/// M_k: x becomes k x. M5 is the circle-of-fourths transform, M7 that of fifths, M11 is inversion.
pitch_class_set multiplied(pitch_class_set s, int k);
pitch_class_set complement(pitch_class_set s);
constexpr pitch_class_set intersection(pitch_class_set a, pitch_class_set b) {
  return pitch_class_set::from_bits(a.bits & b.bits);
}
constexpr pitch_class_set set_union(pitch_class_set a, pitch_class_set b) {
  return pitch_class_set::from_bits(a.bits | b.bits);
}
/// Whether every member of `part` is in `whole`, as they stand.
constexpr bool is_subset(pitch_class_set part, pitch_class_set whole) {
  return (part.bits & ~whole.bits) == 0;
}

/// How ties between equally narrow orderings are broken. Both take the least span first; then Forte
/// packs to the left (least first interval, then least second ...), Rahn compares from the right
/// (least span without the last member, and so on).
enum class packing : std::uint8_t { forte, rahn };

/// The narrowest circular ordering, e.g. {7, 11, 2, 3} is 11 2 3 7. Of equal ones the lowest first
/// member wins.
std::vector<int> normal_form(pitch_class_set s, packing p = packing::forte);

/// Most compact ordering of the set or its inversion, begun on 0. Forte's and Rahn's differ in six
/// classes (5-20, 6-Z29, 6-31, 7-Z18, 7-20, 8-26).
std::vector<int> prime_form(pitch_class_set s, packing p = packing::forte);

/// How often each interval class 1..6 occurs between two members.
std::vector<int> interval_vector(pitch_class_set s);

/// How many members s shares with Tn(s), for n = 0..11: twice the interval vector entry (once at
/// 6).
std::vector<int> common_tones_under_transposition(pitch_class_set s);
/// How many members s shares with TnI(s), for n = 0..11 (Rahn's index vector).
std::vector<int> common_tones_under_inversion(pitch_class_set s);
/// The n for which Tn maps the set onto itself; always holds 0 first.
std::vector<int> transpositional_symmetries(pitch_class_set s);
/// The n for which TnI maps the set onto itself; often empty.
std::vector<int> inversional_symmetries(pitch_class_set s);

}  // namespace fermata
