#include "core/score/model/joined_attributes.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace fermata {

namespace {

template <class T>
bool staves_overlap(const std::vector<for_staff<T>>& a, const std::vector<for_staff<T>>& b) {
  return std::any_of(a.begin(), a.end(), [&](const for_staff<T>& x) {
    return std::any_of(b.begin(), b.end(),
                       [&](const for_staff<T>& y) { return x.staff == y.staff; });
  });
}

template <class T>
void append(std::vector<T>& a, std::vector<T>&& b) {
  a.insert(a.end(), std::make_move_iterator(b.begin()), std::make_move_iterator(b.end()));
}

template <class T>
bool says_twice(const std::vector<for_staff<T>>& list) {
  for (std::size_t i = 1; i < list.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (list[i].staff == list[k].staff) return true;
  return false;
}

}  // namespace

bool can_join(const attributes& a, const attributes& b) {
  return !a.extra && !b.extra && !(a.staves && b.staves) && !(a.multiple_rest && b.multiple_rest) &&
         !staves_overlap(a.keys, b.keys) && !staves_overlap(a.times, b.times) &&
         !staves_overlap(a.clefs, b.clefs) && !staves_overlap(a.transpositions, b.transpositions);
}

void join(attributes& a, attributes&& b) {
  append(a.keys, std::move(b.keys));
  append(a.times, std::move(b.times));
  append(a.clefs, std::move(b.clefs));
  append(a.transpositions, std::move(b.transpositions));
  append(a.others, std::move(b.others));
  if (b.staves) a.staves = b.staves;
  if (b.multiple_rest) a.multiple_rest = b.multiple_rest;
  if (b.extra) a.extra = b.extra;
}

bool sets_something_twice(const attributes& x) {
  return says_twice(x.keys) || says_twice(x.times) || says_twice(x.clefs) ||
         says_twice(x.transpositions);
}

}  // namespace fermata
