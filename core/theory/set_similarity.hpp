#pragma once

#include "core/theory/pitch_class_set.hpp"

namespace fermata {

/// How alike two pitch-class sets are. None of the measures changes when a set is transposed or
/// inverted. Forte's relations compare sets of one size; the numbers compare any two
/// (those from 0 to 1 are 0 when neither has an interval).

/// Forte's similarity relations (The Structure of Atonal Music, 1973, section 1.13) of two sets of
/// the same size and different classes. All are false for others.
struct forte_relations {
  bool rp = false;  ///< they have a subset class of one member less in common
  bool r0 = false;  ///< no entry of the interval vectors agrees
  bool r1 = false;  ///< four entries agree and the other two are exchanged
  bool r2 = false;  ///< four entries agree and the other two are not exchanged
  bool operator==(const forte_relations&) const = default;
};
forte_relations similarity_relations(pitch_class_set a, pitch_class_set b);

/// SIM (Morris 1979): sum of the differences of the interval vectors; 0 for equal vectors.
int sim(pitch_class_set a, pitch_class_set b);
/// ASIM (Morris 1979): SIM divided by the number of intervals in both sets, 0 equal to 1 disjoint.
double asim(pitch_class_set a, pitch_class_set b);
/// AK (Rahn 1979): the part of both interval vectors that agrees, 0 to 1.
double ak(pitch_class_set a, pitch_class_set b);
/// IcVSIM (Isaacson 1990): standard deviation of the differences of the interval vectors; 0 for
/// vectors that differ by a constant.
double icvsim(pitch_class_set a, pitch_class_set b);
/// ATMEMB (Rahn 1979): the share of all subsets of two or more members whose Tn/TnI classes occur
/// in both sets, 0 to 1.
double atmemb(pitch_class_set a, pitch_class_set b);
/// REL (Lewin 1979) over the Tn/TnI classes of two or more members: the sum of the geometric means
/// of their counts, divided by the geometric mean of the totals, 0 to 1.
double rel(pitch_class_set a, pitch_class_set b);

}  // namespace fermata
