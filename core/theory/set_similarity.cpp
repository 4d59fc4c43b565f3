#include "core/theory/set_similarity.hpp"

#include "core/theory/set_class.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>

namespace fermata {

namespace {

int sum(const std::vector<int>& v) {
  int total = 0;
  for (int x : v)
    total += x;
  return total;
}

/// How often each set class of two or more members occurs in `s`, by place in the table.
std::vector<int> embedded_counts(pitch_class_set s) {
  const auto& table = set_class_table();
  std::vector<int> counts(table.size());
  for (int n = 2; n <= s.size(); ++n)
    for (const auto& e : subset_classes(s, n))
      counts[static_cast<std::size_t>(e.kind - table.data())] = e.count;
  return counts;
}

bool share_a_subset_class(pitch_class_set a, pitch_class_set b) {
  for (const auto& x : subset_classes(a, a.size() - 1))
    for (const auto& y : subset_classes(b, b.size() - 1))
      if (x.kind == y.kind) return true;
  return false;
}

}  // namespace

forte_relations similarity_relations(pitch_class_set a, pitch_class_set b) {
  forte_relations result;
  if (a.size() != b.size() || &class_of(a) == &class_of(b)) return result;
  auto va = interval_vector(a), vb = interval_vector(b);
  std::vector<std::size_t> different;
  for (std::size_t i = 0; i < va.size(); ++i)
    if (va[i] != vb[i]) different.push_back(i);
  result.rp = share_a_subset_class(a, b);
  result.r0 = different.size() == 6;
  if (different.size() == 2) {
    auto i = different[0], j = different[1];
    result.r1 = va[i] == vb[j] && va[j] == vb[i];
    result.r2 = !result.r1;
  }
  return result;
}

int sim(pitch_class_set a, pitch_class_set b) {
  auto va = interval_vector(a), vb = interval_vector(b);
  int total = 0;
  for (std::size_t i = 0; i < va.size(); ++i)
    total += std::abs(va[i] - vb[i]);
  return total;
}

double asim(pitch_class_set a, pitch_class_set b) {
  auto intervals = sum(interval_vector(a)) + sum(interval_vector(b));
  return intervals == 0 ? 0.0 : static_cast<double>(sim(a, b)) / intervals;
}

double ak(pitch_class_set a, pitch_class_set b) {
  return a.size() < 2 && b.size() < 2 ? 0.0 : 1.0 - asim(a, b);
}

double icvsim(pitch_class_set a, pitch_class_set b) {
  auto va = interval_vector(a), vb = interval_vector(b);
  double mean = 0, squares = 0;
  for (std::size_t i = 0; i < va.size(); ++i)
    mean += (vb[i] - va[i]) / 6.0;
  for (std::size_t i = 0; i < va.size(); ++i)
    squares += (vb[i] - va[i] - mean) * (vb[i] - va[i] - mean);
  return std::sqrt(squares / 6.0);
}

double atmemb(pitch_class_set a, pitch_class_set b) {
  auto ca = embedded_counts(a), cb = embedded_counts(b);
  int mutual = 0, total = sum(ca) + sum(cb);
  for (std::size_t i = 0; i < ca.size(); ++i)
    if (ca[i] > 0 && cb[i] > 0) mutual += ca[i] + cb[i];
  return total == 0 ? 0.0 : static_cast<double>(mutual) / total;
}

double rel(pitch_class_set a, pitch_class_set b) {
  auto ca = embedded_counts(a), cb = embedded_counts(b);
  double shared = 0;
  for (std::size_t i = 0; i < ca.size(); ++i)
    shared += std::sqrt(static_cast<double>(ca[i]) * cb[i]);
  auto totals = std::sqrt(static_cast<double>(sum(ca)) * sum(cb));
  return totals == 0 ? 0.0 : shared / totals;
}

}  // namespace fermata
