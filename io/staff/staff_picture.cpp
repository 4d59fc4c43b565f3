#include "io/staff/staff_picture.hpp"

#include "io/staff/canvas.hpp"
#include "io/staff/geometry.hpp"
#include "io/staff/signature.hpp"
#include "io/terminal/wrap.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace fermata::io {

namespace staff {

namespace {

/// What a system holds of a measure: all of it, or some of its slices.
struct piece {
  std::size_t block = 0, first = 0, last = 0;  ///< slices, `last` not included
  bool begins = true, ends = true;             ///< with the measure
  int column = 0;                              ///< where it begins in the system
};

struct system_line {
  std::vector<piece> pieces;
  bool first = false;  ///< of the excerpt
};

/// The widest of a group of signs over all staves.
int widest(const std::vector<signature>& signs, std::vector<sign_column> signature::*group) {
  int width = 0;
  for (auto& s : signs)
    width = std::max(width, width_of(s.*group));
  return width;
}

/// Cells for clef, key and time with a blank behind each that is there.
int signature_width(const std::vector<signature>& signs) {
  int width = 0;
  for (auto group : {&signature::clef, &signature::key, &signature::time})
    if (auto w = widest(signs, group); w > 0) width += w + 1;
  return width;
}

class drawer {
public:
  drawer(const score& s, const staff_options& o, const glyphs& g)
    : g_(g),
      layout_(laid_out(s, {o.part, o.first, o.last, o.choose_clef}, g)),
      columns_(static_cast<int>(std::clamp<std::size_t>(o.columns, 20, 1'000))),
      braced_(std::any_of(layout_.staves.begin(), layout_.staves.end(),
                          [](auto& x) { return !x.first; })) {}

  std::string run() {
    if (layout_.blocks.empty()) return {};
    auto systems = broken_into_systems();
    for (auto& line : systems) {
      if (!text_.empty()) text_ += '\n';
      draw(line, &line == &systems.back());
    }
    return std::move(text_);
  }

private:
  // --- breaking
  // ------------------------------------------------------------------------------------

  int left_edge() const { return braced_ ? 1 : 0; }

  int prefix_width(std::size_t block, bool first_system) const {
    auto& b = layout_.blocks[block];
    auto width = left_edge() + 1 + signature_width(b.full);
    auto times =
        first_system ? widest(b.time, &signature::time) : widest(b.opening, &signature::time);
    return width + (times > 0 ? times + 1 : 0);
  }

  /// Cells of a measure behind its left barline, with its right barline.
  int width_of_block(const measure_block& b, bool at_start) const {
    return (at_start ? 0 : signature_width(b.opening)) + (b.left_bar.empty() ? 0 : 2) + b.width +
           bar_width(b);
  }
  static int bar_width(const measure_block& b) {
    return b.right_bar == "backward" ? 3 : b.right_bar.starts_with("light-") ? 2 : 1;
  }

  std::vector<system_line> broken_into_systems() const {
    std::vector<system_line> systems;
    system_line line;
    line.first = true;
    int used = 0;
    auto finish = [&] {
      if (!line.pieces.empty()) systems.push_back(std::move(line));
      line = {};
      line.first = systems.empty();
    };
    for (std::size_t i = 0; i < layout_.blocks.size(); ++i) {
      auto& b = layout_.blocks[i];
      if (!line.pieces.empty() && used + width_of_block(b, false) > columns_) finish();
      if (line.pieces.empty()) used = prefix_width(i, line.first);
      bool at_start = line.pieces.empty();
      if (used + width_of_block(b, at_start) <= columns_) {
        line.pieces.push_back({i, 0, b.slices.size(), true, true, used});
        used += width_of_block(b, at_start);
        continue;
      }
      // Too wide even for a system of its own: as many columns as there is room for, then the rest.
      std::size_t from = 0;
      while (true) {
        auto to = from;
        auto base = from < b.slices.size() ? start_of(b, from) : 0;
        while (to < b.slices.size() &&
               (to == from || used + end_of(b, to) - base + bar_width(b) + 2 <= columns_))
          ++to;
        line.pieces.push_back({i, from, to, from == 0, to == b.slices.size(), used});
        if (to == b.slices.size()) {
          used += b.width - base + bar_width(b);
          break;
        }
        from = to;
        finish();
        used = prefix_width(i, false);
      }
    }
    finish();
    return systems;
  }
  static int start_of(const measure_block& b, std::size_t slice) {
    return slice == 0 ? 0 : b.slices[slice].column - b.slices[slice].left - 1;
  }
  static int end_of(const measure_block& b, std::size_t slice) {
    auto& s = b.slices[slice];
    return s.column + 1 + s.right + s.gap;
  }

  // --- one system
  // ----------------------------------------------------------------------------------

  int width_of_line(const system_line& line) const {
    auto& p = line.pieces.back();
    auto& b = layout_.blocks[p.block];
    auto base = p.first < b.slices.size() ? start_of(b, p.first) : 0;
    auto opening = line.pieces.size() > 1 ? signature_width(b.opening) : 0;
    auto left = p.begins && !b.left_bar.empty() ? 2 : 0;
    if (p.ends) return p.column + opening + left + b.width - base + bar_width(b);
    return p.column + opening + left + end_of(b, p.last - 1) - base;
  }

  void draw(const system_line& line, bool last) {
    canvases_.assign(layout_.staves.size(), canvas{width_of_line(line), g_.line});
    width_ = width_of_line(line);
    // The cell of the brace is no part of the staff.
    if (braced_)
      for (auto& c : canvases_)
        for (int place = 0; place <= top_line; ++place)
          c.put(place, 0, " ");
    bars_.clear();
    auto& first = layout_.blocks[line.pieces.front().block];
    auto edge = left_edge();
    bars_.push_back({edge, bar_kind::left});
    auto column = draw_signature(first.full, edge + 1);
    draw_signature(line.first ? first.time : only_time(first.opening), column);
    notes_begin_ = line.pieces.front().column;
    for (auto& p : line.pieces)
      draw(p, &p == &line.pieces.front());
    // Ties that go on in the next system.
    for (auto& [key, tie] : ties_)
      if (tie.column >= 0) {
        curve(std::get<0>(key), tie, tie.column, width_ - 1, false);
        tie.column = -1;
      }
    if (last && bars_.back().kind == bar_kind::single) bars_.back().kind = bar_kind::right;
    tuplets_.clear();
    write(line);
  }

  static std::vector<signature> only_time(const std::vector<signature>& signs) {
    std::vector<signature> times;
    for (auto& s : signs)
      times.push_back({{}, {}, s.time});
    return times;
  }

  /// Draws the groups below each other on all staves; the column behind them.
  int draw_signature(const std::vector<signature>& signs, int column) {
    for (auto group : {&signature::clef, &signature::key, &signature::time}) {
      auto width = widest(signs, group);
      if (width == 0) continue;
      for (std::size_t n = 0; n < signs.size(); ++n)
        draw_columns(n, signs[n].*group, column);
      column += width + 1;
    }
    return column;
  }
  void draw_columns(std::size_t stave, const std::vector<sign_column>& columns, int column) {
    for (auto& c : columns) {
      for (auto& [place, text] : c.cells)
        canvases_[stave].put(place, column, text);
      column += c.width;
    }
  }

  void draw(const piece& p, bool at_start) {
    auto& b = layout_.blocks[p.block];
    auto x = p.column;
    if (!at_start) x = draw_signature(b.opening, x);
    if (p.begins && !b.left_bar.empty()) {
      bars_.push_back({at_start ? x : x - 1, bar_kind::repeat_begin});
      x += 2;
    }
    auto base = p.first < b.slices.size() ? start_of(b, p.first) : 0;
    auto inside = [&](const slice_key& key) {
      return p.first < p.last && key >= b.slices[p.first].at && key <= b.slices[p.last - 1].at;
    };
    auto column_of = [&](const slice_key& key) {
      auto found =
          std::find_if(b.slices.begin(), b.slices.end(), [&](auto& s) { return s.at == key; });
      return x - base + found->column;
    };
    for (auto& c : b.changes)
      if (inside(c.at)) {
        auto column = column_of(c.at);
        for (auto columns : {&c.signs.clef, &c.signs.key, &c.signs.time}) {
          draw_columns(c.stave, *columns, column);
          column += width_of(*columns);
        }
      }
    std::vector<bool> beamed(b.chords.size());
    for (auto& group : b.beam_groups) {
      auto whole =
          std::all_of(group.begin(), group.end(), [&](auto i) { return inside(b.chords[i].at); });
      if (!whole) continue;
      for (auto i : group)
        beamed[i] = true;
      beam(b, group, column_of);
    }
    for (auto i : in_reading_order(b)) {
      auto& d = b.chords[i];
      if (!inside(d.at)) continue;
      auto column = column_of(d.at) + d.shift;
      if (d.heads.empty())
        rest_sign(d, d.whole_measure && b.slices.size() == 1 ? x + b.width / 2 - 1 : column);
      else
        chord(d, column, beamed[i]);
      tuplet(d, column);
    }
    if (p.ends) {
      auto bar = x - base + b.width;
      bars_.push_back({bar, b.right_bar == "backward"           ? bar_kind::repeat_end
                            : b.right_bar == "light-heavy"      ? bar_kind::final_bar
                            : b.right_bar == "light-light"      ? bar_kind::double_bar
                            : b.right_bar.starts_with("light-") ? bar_kind::double_bar
                            : b.right_bar == "none"             ? bar_kind::none
                                                                : bar_kind::single});
    }
  }

  static std::vector<std::size_t> in_reading_order(const measure_block& b) {
    std::vector<std::size_t> order(b.chords.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](auto x, auto y) { return b.chords[x].at < b.chords[y].at; });
    return order;
  }

  // --- notes
  // ---------------------------------------------------------------------------------------

  template <class ColumnOf>
  void beam(const measure_block& b, const std::vector<std::size_t>& group, ColumnOf column_of) {
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

  void chord(const drawn_chord& d, int column, bool beamed) {
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

  bool is_beam(const canvas& c, int place, int column) const {
    return c.holds(place, column, g_.beam);
  }

  void ledgers(const drawn_chord& d, int right, int left) {
    auto& c = canvases_[d.stave];
    for (auto outer : {d.heads.front().place, d.heads.back().place})
      for (auto place : ledger_lines(outer))
        for (auto x = left - 1; x <= right + 1; ++x)
          c.put_behind(place, x, g_.line);
  }

  void place_head(canvas& c, const head& h, int column) const {
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

  void rest_sign(const drawn_chord& d, int column) {
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

  // --- ties
  // ----------------------------------------------------------------------------------------

  struct open_tie {
    int column = -1;  ///< -1: it comes from the system before
    int place = 0;
    bool above = false;
  };

  /// The curve lies where the stem is not; in a chord the upper half bends up, the lower half down.
  void ties(const drawn_chord& d, std::size_t i, int column) {
    auto& h = d.heads[i];
    column += h.displaced;
    auto key = std::tuple{d.stave, h.sound.first, h.sound.second};
    if (h.tie_stop) {
      if (auto found = ties_.find(key); found != ties_.end()) {
        auto& tie = found->second;
        auto from = tie.column < 0 ? notes_begin_ : tie.column;
        curve(d.stave, tie, from, column - 1, tie.column >= 0, true);
        ties_.erase(found);
      }
    }
    if (!h.tie_start) return;
    open_tie tie;
    tie.column = column;
    tie.above = d.heads.size() > 1 ? 2 * i >= d.heads.size() : d.stem < 0;
    tie.place = h.place + (tie.above ? 1 : -1);
    ties_[key] = tie;
  }

  void curve(std::size_t stave, const open_tie& tie, int from, int to, bool begins,
             bool ends = false) {
    auto& signs = tie.above ? g_.tie_above : g_.tie_below;
    auto& c = canvases_[stave];
    begins = begins || !ends;
    for (auto x = from; x <= to; ++x)
      c.put_behind(tie.place, x,
                   x == from && begins ? signs[0]
                   : x == to && ends   ? signs[2]
                                       : signs[1]);
  }

  // --- tuplets
  // -------------------------------------------------------------------------------------

  struct open_tuplet {
    int number = 3, column = 0, high = -100, low = 100, stem = 0;
  };

  void tuplet(const drawn_chord& d, int column) {
    auto key = std::pair{d.stave, d.voice};
    if (d.tuplet_start) tuplets_[key] = {*d.tuplet_start, column};
    auto found = tuplets_.find(key);
    if (found == tuplets_.end()) return;
    auto& t = found->second;
    if (!d.heads.empty()) {
      t.high = std::max({t.high, d.heads.back().place, d.stem > 0 ? d.stem_end : -100});
      t.low = std::min({t.low, d.heads.front().place, d.stem < 0 ? d.stem_end : 100});
      if (d.stem != 0) t.stem = d.stem;
    }
    if (!d.tuplet_stop) return;
    auto place = t.stem < 0 ? std::min(t.low - 1, -1) : std::max(t.high + 1, top_line + 1);
    if (t.high > -100)
      canvases_[d.stave].put((place), (t.column + column) / 2, std::to_string(t.number));
    tuplets_.erase(found);
  }

  // --- barlines and text
  // ---------------------------------------------------------------------------

  enum class bar_kind {
    none,
    left,
    single,
    double_bar,
    final_bar,
    repeat_begin,
    repeat_end,
    right
  };
  struct bar {
    int column;
    bar_kind kind;
  };

  /// One cell of a barline: which of its three forms, by where on the staff it is.
  void bar_cell(std::size_t stave, int column, std::string_view top, std::string_view on_line,
                std::string_view bottom, std::string_view between) {
    auto& c = canvases_[stave];
    auto& s = layout_.staves[stave];
    for (int place = 0; place <= top_line; ++place)
      c.put(place, column,
            place % 2 != 0                 ? between
            : place == top_line && s.first ? top
            : place == 0 && s.last         ? bottom
                                           : on_line);
  }

  void draw_bars(std::size_t stave) {
    auto& c = canvases_[stave];
    auto thin = [&](int x) {
      if (x == width_ - 1)
        bar_cell(stave, x, g_.right_top, g_.right_on_line, g_.right_bottom, g_.bar);
      else
        bar_cell(stave, x, g_.bar_top, g_.bar_on_line, g_.bar_bottom, g_.bar);
    };
    auto heavy = [&](int x) {
      bar_cell(stave, x, g_.heavy_bar, g_.heavy_bar, g_.heavy_bar, g_.heavy_bar);
    };
    auto dots = [&](int x) {
      c.put(3, x, g_.repeat_dot);
      c.put(5, x, g_.repeat_dot);
    };
    for (auto& b : bars_)
      switch (b.kind) {
        case bar_kind::none: break;
        case bar_kind::left:
          bar_cell(stave, b.column, g_.left_top, g_.left_on_line, g_.left_bottom, g_.bar);
          break;
        case bar_kind::single:
        case bar_kind::right: thin(b.column); break;
        case bar_kind::double_bar:
          thin(b.column);
          thin(b.column + 1);
          break;
        case bar_kind::final_bar:
          thin(b.column);
          heavy(b.column + 1);
          break;
        case bar_kind::repeat_begin:
          heavy(b.column);
          dots(b.column + 1);
          break;
        case bar_kind::repeat_end:
          dots(b.column);
          thin(b.column + 1);
          heavy(b.column + 2);
          break;
      }
  }

  /// What of the barlines is seen between two staves of a part.
  std::vector<std::pair<int, std::string_view>> between_staves_cells() const {
    std::vector<std::pair<int, std::string_view>> cells;
    for (auto& b : bars_)
      switch (b.kind) {
        case bar_kind::none: break;
        case bar_kind::left:
        case bar_kind::single:
        case bar_kind::right: cells.emplace_back(b.column, g_.bar); break;
        case bar_kind::double_bar:
          cells.emplace_back(b.column, g_.bar);
          cells.emplace_back(b.column + 1, g_.bar);
          break;
        case bar_kind::final_bar:
          cells.emplace_back(b.column, g_.bar);
          cells.emplace_back(b.column + 1, g_.heavy_bar);
          break;
        case bar_kind::repeat_begin: cells.emplace_back(b.column, g_.heavy_bar); break;
        case bar_kind::repeat_end:
          cells.emplace_back(b.column + 1, g_.bar);
          cells.emplace_back(b.column + 2, g_.heavy_bar);
          break;
      }
    return cells;
  }

  std::string between_staves() const {
    canvas blank{width_, " "};
    for (auto& [x, sign] : between_staves_cells())
      blank.put(1, x, sign);
    return blank.row(1);
  }

  void write(const system_line& line) {
    if (!line.first) {
      text_ += std::string(static_cast<std::size_t>(left_edge()), ' ') +
               layout_.blocks[line.pieces.front().block].number + '\n';
    }
    for (std::size_t n = 0; n < canvases_.size(); ++n)
      draw_bars(n);
    for (std::size_t begin = 0; begin < canvases_.size();) {
      auto end = begin + 1;
      while (end < canvases_.size() && !layout_.staves[end].first)
        ++end;
      if (line.first && !layout_.staves[begin].name.empty())
        text_ += layout_.staves[begin].name + '\n';
      write_part(begin, end);
      begin = end;
    }
  }

  void write_part(std::size_t begin, std::size_t end) {
    std::vector<std::string> rows;
    std::size_t first_line = 0, last_line = 0;
    for (auto n = begin + 1; n < end; ++n)
      join(canvases_[n - 1], canvases_[n]);
    for (auto n = begin; n < end; ++n) {
      auto& c = canvases_[n];
      if (n == begin) first_line = static_cast<std::size_t>(c.highest() - top_line);
      for (auto place = c.highest(); place >= c.lowest(); --place) {
        if (place == 0) last_line = rows.size();
        rows.push_back(c.row(place));
      }
      if (n + 1 < end) rows.push_back(between_staves());
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      auto& row = rows[i];
      // The brace takes the first cell.
      if (end - begin > 1 && i >= first_line && i <= last_line)
        row.replace(0, 1,
                    i == first_line                     ? g_.brace_top
                    : i == last_line                    ? g_.brace_bottom
                    : i == (first_line + last_line) / 2 ? g_.brace_middle
                                                        : g_.brace);
      row.erase(row.find_last_not_of(' ') + 1);
      text_ += row + '\n';
    }
  }

  /// Rows outside the five lines between two staves of a part carry the barlines on.
  void join(canvas& upper, canvas& lower) {
    auto between = between_staves_cells();
    auto through = [&](canvas& c, int place) {
      for (auto& [x, sign] : between)
        c.put_behind(place, x, sign);
    };
    for (auto place = -1; place >= upper.lowest(); --place)
      through(upper, place);
    for (auto place = lower.highest(); place > top_line; --place)
      through(lower, place);
  }

  const glyphs& g_;
  staff_layout layout_;
  int columns_;
  bool braced_;
  std::string text_;

  // of the system that is being drawn
  std::vector<canvas> canvases_;
  std::vector<bar> bars_;
  int width_ = 0, notes_begin_ = 0;
  std::map<std::tuple<std::size_t, int, int>, open_tie> ties_;
  std::map<std::pair<std::size_t, std::string>, open_tuplet> tuplets_;
};

}  // namespace

}  // namespace staff

std::string staff_picture(const score& s, const staff_options& o) {
  return staff::drawer{s, o, o.unicode ? staff::unicode_glyphs : staff::ascii_glyphs}.run();
}

}  // namespace fermata::io
