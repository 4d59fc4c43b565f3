#pragma once

#include "core/theory/pitch_class_set.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// A class of pitch-class sets that are transpositions or inversions of each other (Tn/TnI), under
/// the name Forte gave it: cardinality, hyphen, Z for those that share their interval vector with
/// another class, index.
struct set_class {
  std::string_view name;       ///< "4-Z15"; "0-1" is the empty set
  std::vector<int> prime;      ///< Forte's prime form
  std::vector<int> intervals;  ///< interval vector
  int distinct_forms = 0;      ///< how many sets the class has, 1..24
};

/// All 224 classes, by cardinality and index.
const std::vector<set_class>& set_class_table();

/// The class of a set. Every set has one.
const set_class& class_of(pitch_class_set s);

/// "4-Z15" for {0, 1, 4, 6}.
std::string_view forte_name(pitch_class_set s);

/// By Forte's name; the Z may be missing or small ("4-15", "4-z15").
const set_class* find_set_class(std::string_view name);

/// The prime form of a class as a set.
pitch_class_set set_of(const set_class& c);

/// The other class with the same interval vector, if there is one.
const set_class* z_partner(const set_class& c);

/// The class of the complements.
const set_class& complement_class(const set_class& c);

/// Whether some transposition or inversion of `part` lies in `whole`.
bool is_abstract_subset(pitch_class_set part, pitch_class_set whole);

/// A class that occurs among the subsets of a set, and how often.
struct embedded_class {
  const set_class* kind;
  int count;
};
/// The classes of all subsets with `cardinality` members; for Rahn's EMB and Lewin's vectors.
std::vector<embedded_class> subset_classes(pitch_class_set s, int cardinality);
/// The classes of all sets of `cardinality` members that hold `s`.
std::vector<embedded_class> superset_classes(pitch_class_set s, int cardinality);

/// "01469" with T for ten and E for eleven, as prime forms are usually printed.
std::string compact_digits(const std::vector<int>& classes);

}  // namespace fermata
