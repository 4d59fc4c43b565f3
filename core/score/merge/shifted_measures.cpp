#include "core/score/merge/shifted_measures.hpp"

#include <algorithm>
#include <iterator>

namespace fermata {

namespace {

/// Longer ones are not written anew by chance with what others had.
constexpr std::size_t longest_in_place = 64;

/// What became of one column of the left side, or where one of the right side came from.
struct matching_step {
  enum class kind { kept, went, came } what = kind::kept;
  std::size_t i, j;  ///< where it stands, or would stand
};

class steps {
public:
  steps(const score& a, const score& b, const index_pairs& parts, const index_pairs& found)
    : a_(a), b_(b), parts_(parts) {
    std::size_t i = 0, j = 0;
    for (auto [x, y] : found) {
      add_between(i, x, j, y);
      all_.push_back({matching_step::kind::kept, x, y});
      i = x + 1;
      j = y + 1;
    }
    add_between(i, length(a_, true), j, length(b_, false));
  }

  std::vector<shifted_run> moved() const {
    std::vector<shifted_run> found;
    std::vector<std::size_t> open;  // steps of one kind that have no opposite yet
    for (std::size_t at = 0; at < all_.size(); ++at) {
      auto what = all_[at].what;
      if (what == matching_step::kind::kept) continue;
      if (open.empty() || all_[open.back()].what == what) {
        open.push_back(at);
        continue;
      }
      found.push_back(between(open.back(), at));
      open.pop_back();
    }
    std::sort(found.begin(), found.end(),
              [](auto& x, auto& y) { return x.j < y.j || (x.j == y.j && x.j_end > y.j_end); });
    return found;
  }

private:
  std::size_t length(const score& s, bool left) const {
    std::size_t longest = 0;
    for (auto& [p, q] : parts_)
      longest = std::max(longest, s.parts[left ? p : q]->measures.size());
    return longest;
  }

  void add_between(std::size_t i, std::size_t i_end, std::size_t j, std::size_t j_end) {
    for (; i < i_end && j < j_end; ++i, ++j)
      all_.push_back({matching_step::kind::kept, i, j});
    for (; i < i_end; ++i)
      all_.push_back({matching_step::kind::went, i, j});
    for (; j < j_end; ++j)
      all_.push_back({matching_step::kind::came, i, j});
  }

  static measure_ptr cell(const score& s, std::size_t part, std::size_t column) {
    auto& measures = s.parts[part]->measures;
    return column < measures.size() ? measures[column] : nullptr;
  }

  /// In how many parts there is something else.
  std::size_t written_anew(std::size_t i, std::size_t j) const {
    return static_cast<std::size_t>(std::count_if(parts_.begin(), parts_.end(), [&](auto& pair) {
      auto x = cell(a_, pair.first, i), y = cell(b_, pair.second, j);
      return !x != !y || (x && !same_body(*x, *y));
    }));
  }
  /// Nobody writes a measure in the place of an upbeat.
  bool counts_alike(std::size_t i, std::size_t j) const {
    return std::all_of(parts_.begin(), parts_.end(), [&](auto& pair) {
      auto x = cell(a_, pair.first, i), y = cell(b_, pair.second, j);
      return !x || !y || x->implicit == y->implicit;
    });
  }
  /// A part that rests has nothing in a measure that comes or goes.
  std::size_t effort(const matching_step& s) const {
    if (s.what == matching_step::kind::kept) return written_anew(s.i, s.j);
    auto left = s.what == matching_step::kind::went;
    auto playing = std::count_if(parts_.begin(), parts_.end(), [&](auto& pair) {
      auto m = left ? cell(a_, pair.first, s.i) : cell(b_, pair.second, s.j);
      return m && has_notes(*m);
    });
    return 2 * std::max<std::size_t>(static_cast<std::size_t>(playing), 1);
  }

  /// From the step `first` that went or came to `last` that came or went; what is between has its
  /// opposites there.
  shifted_run between(std::size_t first, std::size_t last) const {
    auto begin = all_.begin() + static_cast<std::ptrdiff_t>(first),
         end = all_.begin() + static_cast<std::ptrdiff_t>(last) + 1;
    auto i = begin->i, j = begin->j;
    auto size = static_cast<std::size_t>(
        std::count_if(begin, end, [](auto& s) { return s.what != matching_step::kind::came; }));
    shifted_run stretch{i, i + size, j, j + size, j, j + size};
    auto came = [](auto& s) { return s.what == matching_step::kind::came; };
    for (auto s = begin; s != all_.begin() && came(*std::prev(s)); --s)
      --stretch.beside;
    for (auto s = end; s != all_.end() && came(*s); ++s)
      ++stretch.beside_end;
    if (size > longest_in_place) return stretch;
    std::size_t moved = 0, in_place = 0;
    for (auto s = begin; s != end; ++s)
      moved += effort(*s);
    for (std::size_t k = 0; k < size; ++k) {
      if (!counts_alike(i + k, j + k)) return stretch;
      in_place += written_anew(i + k, j + k);
    }
    using guess = shifted_run::guess;
    stretch.likely = in_place < moved        ? guess::in_place
                     : in_place <= 2 * moved ? guess::unclear
                                             : guess::moved;
    return stretch;
  }

  const score& a_;
  const score& b_;
  const index_pairs& parts_;
  std::vector<matching_step> all_;
};

}  // namespace

std::vector<shifted_run> shifted_runs(const score& a, const score& b, const index_pairs& parts,
                                      const index_pairs& found) {
  return steps{a, b, parts, found}.moved();
}

}  // namespace fermata
