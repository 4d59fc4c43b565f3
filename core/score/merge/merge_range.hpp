#pragma once

#include "core/score/merge/merge.hpp"
#include "core/score/merge/shifted_measures.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace fermata {

/// The requested measures of the other side, and what must be merged with them. Internal to
/// merge_plan.cpp.

inline constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// The index of each measure of the base on one side; or nowhere.
struct base_on_side {
  const score& side;
  const std::vector<std::size_t>& places;
  std::size_t length;  ///< measures of the side
};

/// A measure of the base that was deleted there, after `behind` measures of that side.
struct deletion_place {
  std::size_t base, behind;
};

class merge_range {
public:
  /// Errors: the start or end of the range was not deleted there; it ends before it starts.
  static result<merge_range> make(const merge_request& request, const base_on_side& ours,
                                  const base_on_side& theirs);

  std::size_t first() const { return first_; }
  std::size_t end() const { return end_; }

  /// Some of these measures are requested, but not all.
  bool cuts(const shifted_run& x) const { return meets(x) && !(first_ <= x.j && x.j_end <= end_); }
  /// Some of these measures are requested, but not all that exist.
  bool singles_out(const shifted_run& x) const {
    return meets(x) && !(first_ == 0 && end_ == length_);
  }

  /// A deletion is requested if the measures on both sides of it are, or those that moved because
  /// of it up to an insertion, or by its own number. At the ends of the score one side is enough,
  /// unless it can be requested by itself.
  bool has(const deletion_place& d, bool has_own_name, const std::vector<shifted_run>& moved) const;

  /// It is next to these measures.
  bool touches(const deletion_place& d) const {
    return first_ < end_ && first_ <= d.behind && d.behind <= end_;
  }

private:
  bool meets(const shifted_run& x) const { return first_ < x.beside_end && x.beside < end_; }

  std::size_t first_ = 0, end_ = 0, length_ = 0;
  std::optional<std::size_t> gone_first_, gone_last_;  ///< of the base, where it ends in them
};

/// Error: only a part of measures that may have moved or changed is requested.
result<void> refuse_half_of_unclear(const merge_range& range, const score& theirs,
                                    const std::vector<shifted_run>& moved);

}  // namespace fermata
