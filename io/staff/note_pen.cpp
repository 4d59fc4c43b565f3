#include "io/staff/note_pen.hpp"

#include "io/staff/geometry.hpp"
#include "io/text/wrap.hpp"

#include <algorithm>

namespace fermata::io::staff {

void note_pen::begin_system(int notes_begin, int width) {
  notes_begin_ = notes_begin;
  width_ = width;
}

void note_pen::end_system() {
  // Ties that go on in the next system.
  for (auto& [key, tie] : ties_)
    if (tie.column >= 0) {
      curve(key.first, tie, tie.column, width_ - 1, false, false);
      tie.column = -1;
    }
  for (auto& [key, t] : tuplets_)
    number(key.first, t);
  tuplets_.clear();
}

void note_pen::beam(const measure_block& b, const std::vector<std::size_t>& group,
                    const column_finder& column_of) {
  auto& c = canvases_[b.chords[group.front()].stave];
  auto column = [&](std::size_t i) { return column_of(b.chords[i].at) + b.chords[i].shift; };
  auto stem = b.chords[group.front()].stem;
  auto end = b.chords[group.front()].stem_end;
  for (std::size_t level = 0; level < 5; ++level) {
    auto place = end - stem * static_cast<int>(level);
    for (std::size_t n = 0; n < group.size(); ++n) {
      auto letter = b.chords[group[n]].beams[level];
      if (letter == '\0') continue;
      auto from = column(group[n]), to = from;
      if ((letter == 'b' || letter == 'c') && n + 1 < group.size()) to = column(group[n + 1]);
      if (letter == 'f') to = from + 1;
      if (letter == 'k') from = from - 1;
      for (auto x = from; x <= to; ++x)
        c.put(place, x, g_.beam);
    }
  }
}

void note_pen::chord(const drawn_chord& d, int column, bool beamed) {
  auto& c = canvases_[d.stave];
  int right = column;
  for (auto& h : d.heads)
    right = std::max(right, column + h.displaced + (h.shape == head_shape::breve ? 1 : 0));
  auto leftmost =
      std::any_of(d.heads.begin(), d.heads.end(), [](auto& h) { return h.displaced < 0; })
          ? column - 1
          : column;
  ledgers(d, right, leftmost);
  if (d.stem != 0) {
    auto from = d.stem > 0 ? d.heads.front().place : d.heads.back().place;
    // The beam itself is drawn already.
    for (auto place = from + d.stem; place != d.stem_end + (beamed ? 0 : d.stem); place += d.stem)
      if (!is_beam(c, place, column)) c.put(place, column, g_.stem);
    if (!beamed)
      for (int i = 0; i < d.flags; ++i)
        c.put(d.stem_end - d.stem * i, column + 1, d.stem > 0 ? g_.flag_up : g_.flag_down);
  }
  for (auto& h : d.heads)
    place_head(c, h, column + h.displaced);
  for (auto& h : d.heads)
    if (!h.accidental.empty()) {
      auto cells = static_cast<int>(display_width(h.accidental));
      c.put(h.place, leftmost - (h.shape == head_shape::breve ? 1 : 0) - cells, h.accidental);
    }
  std::vector<int> dotted;
  for (auto& h : d.heads) {
    auto place = h.place % 2 == 0 ? h.place + 1 : h.place;  // a dot stands in a space
    if (std::find(dotted.begin(), dotted.end(), place) != dotted.end()) continue;
    dotted.push_back(place);
    for (int i = 0; i < d.dots; ++i)
      c.put(place, right + 1 + i, g_.dot);
  }
  for (std::size_t i = 0; i < d.heads.size(); ++i)
    ties(d, i, column);
}

bool note_pen::is_beam(const canvas& c, int place, int column) const {
  return c.holds(place, column, g_.beam);
}

void note_pen::ledgers(const drawn_chord& d, int right, int left) {
  auto& c = canvases_[d.stave];
  for (auto outer : {d.heads.front().place, d.heads.back().place})
    for (auto place : ledger_lines(outer))
      for (auto x = left - 1; x <= right + 1; ++x)
        c.put_behind(place, x, g_.line);
}

void note_pen::place_head(canvas& c, const head& h, int column) const {
  switch (h.shape) {
    case head_shape::filled: return c.put(h.place, column, g_.filled_head);
    case head_shape::open: return c.put(h.place, column, g_.open_head);
    case head_shape::cross: return c.put(h.place, column, g_.cross_head);
    case head_shape::grace: return c.put(h.place, column, g_.grace_head);
    case head_shape::breve:
      c.put(h.place, column - 1, g_.breve_left);
      c.put(h.place, column, g_.open_head);
      return c.put(h.place, column + 1, g_.breve_right);
  }
}

void note_pen::rest_sign(const drawn_chord& d, int column) {
  auto& c = canvases_[d.stave];
  auto count = static_cast<int>(d.base) - static_cast<int>(note_base::eighth);
  if (d.base < note_base::whole)
    c.put(d.rest_place, column, g_.breve_rest);
  else if (d.base == note_base::whole)
    c.put(d.rest_place, column, g_.whole_rest);
  else if (d.base == note_base::half)
    c.put(d.rest_place, column, g_.half_rest);
  else if (d.base == note_base::quarter)
    c.put(d.rest_place, column, g_.quarter_rest);
  else {
    auto sign = g_.short_rests[std::min(count, 4)];
    for (int i = 0; i <= (g_.stacks_rests ? std::min(count, 4) : 0); ++i)
      c.put(d.rest_place - i, column, sign);
  }
  auto place = d.rest_place % 2 == 0 ? d.rest_place + 1 : d.rest_place;
  for (int i = 0; i < d.dots; ++i)
    c.put(place, column + 1 + i, g_.dot);
}

/// In a chord that is alone on its staff the upper half bends up, the lower half down. A
/// tie that leads nowhere is a short one, as of what is left to ring.
void note_pen::ties(const drawn_chord& d, std::size_t i, int column) {
  auto& h = d.heads[i];
  column += h.displaced;
  if (auto found = ties_.find({d.stave, h.here}); found != ties_.end()) {
    auto& tie = found->second;
    auto from = tie.column < 0 ? notes_begin_ : tie.column;
    curve(d.stave, tie, from, column - 1, tie.column >= 0, true);
    ties_.erase(found);
  }
  if (!h.tie_start) return;
  open_tie tie;
  tie.column = column;
  tie.above = d.tie_side != 0 ? d.tie_side > 0 : 2 * i >= d.heads.size();
  tie.place = h.place + (tie.above ? 1 : -1);
  constexpr int short_one = 2;
  if (h.tie_to)
    ties_[{d.stave, *h.tie_to}] = tie;
  else
    curve(d.stave, tie, column, std::min(column + short_one, width_ - 2), true, false);
}

/// Between what stands at both ends in its row, such as stems and the other notes of chords.
void note_pen::curve(std::size_t stave, const open_tie& tie, int from, int to, bool begins,
                     bool ends) {
  auto& signs = tie.above ? g_.tie_above : g_.tie_below;
  auto& c = canvases_[stave];
  begins = begins || !ends;
  while (from < to && !c.is_free(tie.place, from))
    ++from;
  while (ends && from < to && !c.is_free(tie.place, to))
    --to;
  for (auto x = from; x <= to; ++x)
    c.put_behind(tie.place, x,
                 x == from && begins ? signs[0]
                 : x == to && ends   ? signs[2]
                                     : signs[1]);
}

void note_pen::tuplet(const drawn_chord& d, int column) {
  auto key = std::pair{d.stave, d.voice};
  if (d.tuplet_start) tuplets_[key] = {*d.tuplet_start, column};
  auto found = tuplets_.find(key);
  if (found == tuplets_.end()) return;
  auto& t = found->second;
  t.last = column;
  t.is_seen = t.is_seen || !d.hidden;
  if (!d.heads.empty()) {
    t.high = std::max({t.high, d.heads.back().place, d.stem > 0 ? d.stem_end : -100});
    t.low = std::min({t.low, d.heads.front().place, d.stem < 0 ? d.stem_end : 100});
    if (d.stem != 0) t.stem = d.stem;
  }
  if (!d.tuplet_stop) return;
  if (t.is_seen) number(d.stave, t);
  tuplets_.erase(found);
}

/// Beyond the stems, in the middle.
void note_pen::number(std::size_t stave, const open_tuplet& t) {
  auto place = t.stem < 0 ? std::min(t.low - 1, -1) : std::max(t.high + 1, top_line + 1);
  canvases_[stave].put(place, (t.column + t.last) / 2, std::to_string(t.number));
}

}  // namespace fermata::io::staff
