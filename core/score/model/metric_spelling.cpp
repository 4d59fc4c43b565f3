#include "core/score/model/metric_spelling.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

namespace fermata {

namespace {

/// A span of the measure and how it divides: 4/4 into two halves, each into two quarters; 6/8 into
/// two dotted quarters, each into three eighths. Below the beat everything is binary, which is made
/// on the way down.
struct unit {
  rational start, length;
  std::vector<unit> children;
  rational end() const { return start + length; }
};

unit plain(rational start, rational length) { return {start, length, {}}; }

unit divided(rational start, const std::vector<rational>& lengths) {
  unit u{start, 0, {}};
  for (auto l : lengths) {
    u.children.push_back(plain(start + u.length, l));
    u.length += l;
  }
  return u;
}

/// Beats of one group when the signature does not say: 5 as 3+2, 7 as 2+2+3 eighths or 4+3
/// quarters.
std::vector<int> grouped(int beats, int beat_type) {
  if (beats == 5) return {3, 2};
  if (beats == 7) return beat_type >= 8 ? std::vector<int>{2, 2, 3} : std::vector<int>{4, 3};
  return {beats};
}

/// `beats` of length `beat` each, as one metric unit.
unit simple_group(rational start, int beats, rational beat) {
  if (beats == 1) return plain(start, beat);
  if (beats == 4) {
    auto u = divided(start, {beat * rational{2}, beat * rational{2}});
    for (auto& half : u.children)
      half = divided(half.start, {beat, beat});
    return u;
  }
  return divided(start, std::vector<rational>(static_cast<std::size_t>(beats), beat));
}

/// 6/8, 9/8, 12/8 and their relatives: beats of three.
unit compound(rational start, int beats, rational beat) {
  auto u = simple_group(start, beats / 3, beat * rational{3});
  auto split_beats = [&](auto& self, unit& at) -> void {
    if (!at.children.empty())
      for (auto& c : at.children)
        self(self, c);
    else
      at = divided(at.start, {beat, beat, beat});
  };
  split_beats(split_beats, u);
  return u;
}

unit fraction_unit(rational start, const std::vector<int>& beats, int beat_type) {
  rational beat{4, beat_type};
  if (beats.size() == 1) {
    auto n = beats.front();
    if (n > 3 && n % 3 == 0 && beat_type >= 8) return compound(start, n, beat);
    if (auto groups = grouped(n, beat_type); groups.size() > 1)
      return fraction_unit(start, groups, beat_type);
    return simple_group(start, n, beat);
  }
  unit u{start, 0, {}};
  for (auto n : beats) {
    // A group of three eighths is a beat of its own; longer groups are measures in small.
    auto group = n > 3 && n % 3 == 0 && beat_type >= 8 ? compound(u.end(), n, beat)
                                                       : simple_group(u.end(), n, beat);
    u.children.push_back(group);
    u.length += group.length;
  }
  return u;
}

unit measure_unit(const time_signature& t) {
  if (t.fractions.empty()) return plain(0, 4);
  if (t.fractions.size() == 1)
    return fraction_unit(0, t.fractions.front().beats, t.fractions.front().beat_type);
  unit u{0, 0, {}};
  for (auto& f : t.fractions) {
    u.children.push_back(fraction_unit(u.end(), f.beats, f.beat_type));
    u.length += u.children.back().length;
  }
  return u;
}

class speller {
public:
  explicit speller(spelled_as what) : what_(what) {}

  void spell(const unit& whole, rational from, rational to) {
    if (from >= to || failed_) return;
    if (from == whole.start && to == whole.end() && add_single(from, to - from)) return;
    auto& u = with_children(whole);
    if (failed_) return;
    if (what_ == spelled_as::note && is_dotted_part(u, from, to) && add_single(from, to - from))
      return;
    // Children that are filled entirely.
    auto& c = u.children;
    std::size_t first = 0;
    while (first < c.size() && c[first].start < from)
      ++first;
    auto last = first;
    while (last < c.size() && c[last].end() <= to)
      ++last;
    if (first == last) {
      // Nothing is filled: the stretch lies within one child or across one boundary.
      for (auto& child : std::vector<unit>(c))
        spell(child, std::max(from, child.start), std::min(to, child.end()));
      return;
    }
    auto children = c;
    if (first > 0) spell(children[first - 1], from, std::min(to, children[first].start));
    filled(children, first, last);
    if (last < children.size()) spell(children[last], children[last].start, to);
  }

  std::vector<metric_piece> take() && {
    if (failed_) pieces_.clear();
    return std::move(pieces_);
  }

private:
  /// The children [first, last) are filled: as few values as possible, long ones first.
  void filled(const std::vector<unit>& c, std::size_t first, std::size_t last) {
    bool one_each = what_ == spelled_as::rest && c.size() == 3;
    while (first < last) {
      auto end = one_each ? first + 1 : last;
      for (; end > first + 1; --end)
        if (add_single(c[first].start, c[end - 1].end() - c[first].start)) break;
      if (end == first + 1) spell(c[first], c[first].start, c[first].end());
      first = end;
    }
  }

  /// Three quarters of a unit that is twice binary, from its start or to its end.
  bool is_dotted_part(const unit& u, rational from, rational to) {
    if (u.children.size() != 2 || u.children[0].length != u.children[1].length) return false;
    for (auto& half : u.children)
      if (half.children.size() == 3) return false;
    return (to - from) * rational{4} == u.length * rational{3} &&
           (from == u.start || to == u.end());
  }

  /// `u` with children: those of the metre, or two halves. Fails below the shortest value.
  unit& with_children(const unit& u) {
    scratch_.push_back(std::make_unique<unit>(u));
    auto& copy = *scratch_.back();
    if (copy.children.empty()) {
      auto half = copy.length / rational{2};
      if (half < rational{1, 256}) failed_ = true;
      copy.children = {plain(copy.start, half), plain(copy.start + half, half)};
    }
    return copy;
  }

  bool add_single(rational from, rational length) {
    auto value = note_value_for(quarters{length});
    if (!value || value->dots > 1) return false;
    pieces_.push_back({measure_position{from}, *value});
    return true;
  }

  spelled_as what_;
  bool failed_ = false;
  std::vector<metric_piece> pieces_;
  std::vector<std::unique_ptr<unit>> scratch_;
};

void shift(unit& u, rational by) {
  u.start += by;
  for (auto& c : u.children)
    shift(c, by);
}

}  // namespace

std::vector<metric_piece> metric_pieces(measure_position at, quarters span, const time_signature& t,
                                        spelled_as what) {
  auto u = measure_unit(t);
  if (u.length <= rational{0} || span <= quarters{}) return {};
  auto from = at.value, to = at.value + span.value;
  auto turns = floor(from / u.length);
  shift(u, rational{turns} * u.length);
  std::vector<metric_piece> all;
  while (from < to) {
    auto stop = std::min(to, u.end());
    speller s{what};
    s.spell(u, from, stop);
    auto pieces = std::move(s).take();
    if (pieces.empty()) return {};
    all.insert(all.end(), pieces.begin(), pieces.end());
    from = stop;
    shift(u, u.length);
  }
  return all;
}

}  // namespace fermata
