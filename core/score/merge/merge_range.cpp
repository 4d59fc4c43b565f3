#include "core/score/merge/merge_range.hpp"

#include "core/score/model/measure_names.hpp"

#include <algorithm>
#include <tuple>

namespace fermata {

namespace {

/// The deletion there of a measure of ours.
result<deletion_place> deletion_of(std::size_t measure, const base_on_side& ours,
                                   const base_on_side& theirs) {
  auto name = "measure " + printed_number(ours.side, measure) + " here ";
  auto base = std::find(ours.places.begin(), ours.places.end(), measure);
  if (base == ours.places.end()) return fail({errc::no_such_target, name + "is new"});
  auto at = base - ours.places.begin();
  auto i = static_cast<std::size_t>(at);
  auto first = theirs.places[i], end = first + 1;
  if (first == nowhere) {
    auto is_there = [](auto j) { return j != nowhere; };
    auto behind = std::find_if(theirs.places.rend() - at, theirs.places.rend(), is_there);
    auto next = std::find_if(theirs.places.begin() + at, theirs.places.end(), is_there);
    first = behind == theirs.places.rend() ? 0 : *behind + 1;
    end = next == theirs.places.end() ? theirs.length : *next;
    if (first == end) return deletion_place{i, first};
  }
  return fail({errc::no_such_target,
               name + "is " + measures_in_words(theirs.side, first, end) + " there", std::nullopt,
               "Request that range instead."});
}

}  // namespace

result<merge_range> merge_range::make(const merge_request& request, const base_on_side& ours,
                                      const base_on_side& theirs) {
  merge_range range;
  std::tie(range.first_, range.end_) = *request.measures;
  range.length_ = theirs.length;
  if (request.gone_first) {
    auto gone = deletion_of(*request.gone_first, ours, theirs);
    if (!gone) return fail(gone.error());
    range.gone_first_ = gone->base;
    range.first_ = gone->behind;
  }
  if (request.gone_last) {
    auto gone = deletion_of(*request.gone_last, ours, theirs);
    if (!gone) return fail(gone.error());
    range.gone_last_ = gone->base;
    range.end_ = gone->behind;
  }
  if (range.end_ < range.first_)
    return fail({errc::out_of_range, "this range ends before it begins", std::nullopt,
                 "Write the earlier measure first."});
  return range;
}

bool merge_range::has(const deletion_place& d, bool has_own_name,
                      const std::vector<shifted_run>& moved) const {
  if (d.behind < first_ || end_ < d.behind) return false;
  auto one_is_enough = (first_ == 0 && end_ == length_) || !has_own_name;
  auto at_first = first_ < d.behind || (d.behind == 0 && one_is_enough);
  auto at_last = d.behind < end_ || (d.behind == length_ && one_is_enough);
  if (gone_first_) at_first = *gone_first_ <= d.base;
  if (gone_last_) at_last = d.base <= *gone_last_;
  auto something = first_ < end_ || gone_first_ || gone_last_;
  return (something && at_first && at_last) ||
         std::any_of(moved.begin(), moved.end(), [&](auto& x) {
           return x.i <= d.base && d.base < x.i_end && first_ <= x.j && x.j_end <= end_;
         });
}

result<void> refuse_half_of_unclear(const merge_range& range, const score& theirs,
                                    const std::vector<shifted_run>& moved) {
  for (auto& x : moved)
    if (x.likely == shifted_run::guess::unclear && range.cuts(x))
      return fail({errc::out_of_range,
                   "of " + measures_in_words(theirs, x.j, x.j_end) +
                       " there may be new, deleted or changed",
                   std::nullopt, "Merge all of them or none."});
  return {};
}

}  // namespace fermata
