#include "midi/smf/grid.hpp"

#include "core/music/duration.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace fermata::midi::smf {

namespace {

/// Divisions of a quarter: `odd` for tuplets, times powers of two.
struct grid_kind {
  std::int64_t odd;
  std::int64_t finest;         ///< power of two, when a tick is exactly there
  std::int64_t finest_beside;  ///< when the division cannot express it
};
constexpr grid_kind grid_kinds[] = {{1, 64, 8}, {3, 8, 4}, {5, 4, 2}, {7, 4, 1}};

std::int64_t odd_part(std::int64_t n) {
  while (n % 2 == 0)
    n /= 2;
  return n;
}

/// Rounded, halves up.
std::int64_t rounded(rational x) { return floor(x + rational{1, 2}); }

/// Whether one note value, dotted or not, lasts that long.
bool is_single_value(rational length) {
  auto value = note_value_for(quarters{length});
  return value && value->dots <= 1;
}

class end_placing {
public:
  end_placing(const std::vector<played_span>& spans, int ticks_per_quarter)
    : spans_(spans), ticks_(ticks_per_quarter) {
    // No larger than 64 * 3 * 5 * 7, as the onsets are on the grid.
    for (auto& s : spans)
      unit_ = std::lcm(unit_, s.on.denominator());
    std::size_t whole = 0, early = 0;
    for (std::size_t i = 0; i < spans.size(); ++i)
      if (is_written(i))
        ++whole;
      else if (meant_end(i))
        ++early;
    ends_early_ = early > whole;
  }

  /// The end of the span `i`.
  rational end_of(std::size_t i, bool& moved) const {
    auto& s = spans_[i];
    if (ends_early_ && !is_written(i))
      if (auto end = meant_end(i)) {
        moved = true;
        return *end;
      }
    auto end = grid_point(s.off, ticks_);
    moved = !end || *end <= s.on || !stays(s.on, *end);
    if (!moved) return *end;
    auto placed = nearest(s.on, std::max(played_end(i), s.on));
    auto next = next_onset(i);
    return next && *next > s.on ? std::min(placed, *next) : placed;
  }

private:
  rational played_end(std::size_t i) const {
    return {static_cast<std::int64_t>(spans_[i].off), ticks_};
  }

  /// Whether the note lasts to the beginning of another one, or as long as a single note value, in
  /// a triplet or not.
  bool is_written(std::size_t i) const {
    auto end = grid_point(spans_[i].off, ticks_);
    if (!end) return false;
    auto length = *end - spans_[i].on;
    return is_single_value(length) || is_single_value(length * rational{3, 2}) ||
           next_onset(i) == end;
  }

  /// Where the note would end if it were not released early: at the next note if less than an
  /// eighth is missing, else after a single note value of which less than a quarter is missing.
  std::optional<rational> meant_end(std::size_t i) const {
    auto on = spans_[i].on;
    auto length = played_end(i) - on;
    if (length <= rational{}) return std::nullopt;
    auto next = next_onset(i);
    if (next && length * rational{8} >= (*next - on) * rational{7}) return next;
    for (rational whole{1, 16}; whole <= rational{64}; whole *= rational{2})
      for (auto value : {whole, whole * rational{4, 3}, whole * rational{3, 2}}) {
        if (value.denominator() % 3 == 0 && unit_ % 3 != 0) continue;
        if (value <= length || length * rational{4} <= value * rational{3}) continue;
        return next ? std::min(on + value, *next) : on + value;
      }
    return std::nullopt;
  }

  bool stays(rational on, rational end) const {
    return end.denominator() <= 4 || unit_ % end.denominator() == 0 || is_single_value(end - on);
  }

  rational nearest(rational on, rational played) const {
    auto tolerance = (played - on) / rational{5};
    for (std::int64_t division : {1, 2, 4, 3, 6, 5, 7, 8, 12, 16, 10, 14}) {
      if (division > 4 && unit_ % division != 0) continue;
      if (division == 3 && unit_ % 3 != 0) continue;
      rational end{rounded(played * rational{division}), division};
      if (end > on && abs(end - played) <= tolerance) return end;
    }
    rational end{rounded(played * rational{unit_}), unit_};
    return end > on ? end : on + rational{1, unit_};
  }

  /// The first beginning of a note that is not before the end of this one.
  std::optional<rational> next_onset(std::size_t i) const {
    auto at =
        std::lower_bound(spans_.begin() + static_cast<std::ptrdiff_t>(i), spans_.end(),
                         played_end(i), [](const played_span& s, rational t) { return s.on < t; });
    if (at == spans_.end()) return std::nullopt;
    return at->on;
  }

  const std::vector<played_span>& spans_;
  int ticks_;
  std::int64_t unit_ = 1;    ///< the division of a quarter in which all notes begin
  bool ends_early_ = false;  ///< the notes of the part do not last their whole length
};

}  // namespace

std::optional<rational> grid_point(ticks at, int ticks_per_quarter) {
  rational exact{static_cast<std::int64_t>(at), ticks_per_quarter};
  auto odd = odd_part(exact.denominator());
  for (auto& kind : grid_kinds)
    if (kind.odd == odd && exact.denominator() / odd <= kind.finest) return exact;
  for (auto& kind : grid_kinds)
    for (std::int64_t power = 1; power <= kind.finest_beside; power *= 2) {
      auto division = kind.odd * power;
      if (ticks_per_quarter % division == 0) continue;
      rational point{rounded(exact * rational{division}), division};
      if (abs(point - exact) < rational{1, ticks_per_quarter}) return point;
    }
  return std::nullopt;
}

rational nearest_sixteenth(ticks at, int ticks_per_quarter) {
  return {rounded(rational{static_cast<std::int64_t>(at) * 4, ticks_per_quarter}), 4};
}

std::vector<rational> note_ends(const std::vector<played_span>& spans, int ticks_per_quarter,
                                std::size_t& moved) {
  end_placing placing{spans, ticks_per_quarter};
  std::vector<rational> ends;
  ends.reserve(spans.size());
  for (std::size_t i = 0; i < spans.size(); ++i) {
    bool was_moved = false;
    ends.push_back(placing.end_of(i, was_moved));
    moved += was_moved ? 1 : 0;
  }
  return ends;
}

}  // namespace fermata::midi::smf
