#include "io/staff/staff_picture.hpp"

#include "io/staff/bar_lines.hpp"
#include "io/staff/canvas.hpp"
#include "io/staff/geometry.hpp"
#include "io/staff/marking_pen.hpp"
#include "io/staff/note_pen.hpp"
#include "io/staff/signature.hpp"
#include "io/staff/system_break.hpp"
#include "io/text/wrap.hpp"

#include <algorithm>
#include <utility>

namespace fermata::io {

namespace staff {

namespace {

class drawer {
public:
  drawer(const score& s, const staff_options& o, const glyphs& g)
    : g_(g),
      columns_(static_cast<int>(std::clamp<std::size_t>(o.columns, 20, 1'000))),
      layout_(laid_out(
          s, {o.part, o.first, o.last, o.choose_clef, static_cast<std::size_t>(columns_)}, g)),
      bars_(g),
      notes_(canvases_, g),
      markings_(canvases_, g, columns_) {}

  std::string run() {
    if (layout_.blocks.empty()) return {};
    auto systems = broken_into_systems(layout_, columns_);
    for (auto& line : systems) {
      if (!text_.empty()) text_ += '\n';
      draw(line, &line == &systems.back());
    }
    name_what_is_left_out();
    return std::move(text_);
  }

private:
  // --- one system --------------------------------------------------------------------------------

  void draw(const system_line& line, bool last) {
    width_ = width_of(line, layout_);
    canvases_.assign(layout_.staves.size(), canvas{width_, g_.line, columns_});
    // The cell of the brace is no part of the staff.
    auto edge = left_edge(layout_);
    if (edge > 0)
      for (auto& c : canvases_)
        for (int place = 0; place <= top_line; ++place)
          c.put(place, 0, " ");
    bars_.clear();
    auto& first = layout_.blocks[line.pieces.front().block];
    bars_.add(edge, bar_kind::left);
    auto column = draw_signature(first.full, edge + 1);
    draw_signature(line.first ? first.time : only_time(first.opening), column);
    notes_.begin_system(line.pieces.front().column, width_);
    markings_.begin_system(line.pieces.front().column, width_);
    for (auto& p : line.pieces)
      draw(p, &p == &line.pieces.front());
    notes_.end_system();
    // What stands around the notes keeps away from all of them.
    for (auto& [chord, at] : chords_)
      markings_.chord(*chord, at);
    chords_.clear();
    markings_.end_system();
    if (last) bars_.end_with_right();
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
      bars_.add(at_start ? x : x - 1, bar_kind::repeat_begin);
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
      notes_.beam(b, group, column_of);
    }
    for (auto i : in_reading_order(b)) {
      auto& d = b.chords[i];
      if (!inside(d.at)) continue;
      auto column = column_of(d.at) + d.shift;
      if (d.heads.empty()) {
        if (d.whole_measure && b.slices.size() == 1) column = x + b.width / 2 - 1;
        if (!d.hidden) notes_.rest_sign(d, column);
      } else {
        notes_.chord(d, column, beamed[i]);
      }
      notes_.tuplet(d, column);
      chords_.emplace_back(&d, column);
    }
    if (p.begins && !b.ending_begin.empty()) markings_.ending_begins(b.ending_begin, x - 1);
    draw_words(p, x - base);
    if (p.ends) {
      auto bar = x - base + b.width;
      bars_.add(bar, kind_of_bar(b.right_bar));
      if (!b.ending_end.empty()) markings_.ending_ends(bar, b.ending_end == "stop");
    }
  }

  /// `origin`: the column from which the slices are counted.
  void draw_words(const piece& p, int origin) {
    auto& b = layout_.blocks[p.block];
    // The notes at that moment, else the next ones, else the end of the measure.
    auto slice_at = [&](measure_position at) {
      std::size_t i = 0;
      while (i < b.slices.size() && (b.slices[i].at.at < at || b.slices[i].at.order != 0))
        ++i;
      return i;
    };
    auto inside = [&](measure_position at) {
      auto i = slice_at(at);
      return i == b.slices.size() ? p.ends : i >= p.first && i < p.last;
    };
    auto column_at = [&](measure_position at) {
      auto i = slice_at(at);
      if (i == b.slices.size()) return origin + b.width;
      return origin + b.slices[i].column - (b.slices[i].at.at == at ? 0 : 1);
    };
    for (auto& w : b.words)
      if (inside(w.at)) markings_.words(w, column_at(w.at));
    // In the order of time; at one moment the end of one comes before the beginning of the next.
    auto hairpins = b.hairpins;
    std::stable_sort(hairpins.begin(), hairpins.end(), [](auto& x, auto& y) {
      return std::pair{x.at, x.sign != '\0'} < std::pair{y.at, y.sign != '\0'};
    });
    for (auto& h : hairpins)
      if (inside(h.at)) markings_.hairpin(h, column_at(h.at));
  }

  static std::vector<std::size_t> in_reading_order(const measure_block& b) {
    std::vector<std::size_t> order(b.chords.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](auto x, auto y) { return b.chords[x].at < b.chords[y].at; });
    return order;
  }

  std::string between_staves() const {
    canvas blank{width_, " "};
    for (auto& [x, sign] : bars_.between_staves())
      blank.put(1, x, sign);
    return blank.row(1);
  }

  void write(const system_line& line) {
    if (!line.first) {
      text_ += std::string(static_cast<std::size_t>(left_edge(layout_)), ' ') +
               layout_.blocks[line.pieces.front().block].number + '\n';
    }
    for (std::size_t n = 0; n < canvases_.size(); ++n)
      bars_.draw(canvases_[n], layout_.staves[n], width_);
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

  void name_what_is_left_out() {
    std::string names;
    for (auto& [name, count] : layout_.left_out) {
      names += (names.empty() ? "" : ", ") + name;
      if (count > 1) names += " (" + std::to_string(count) + ')';
    }
    if (!names.empty())
      text_ += wrapped("not drawn: " + names, static_cast<std::size_t>(columns_), 2) + '\n';
  }

  /// Rows outside the five lines between two staves of a part carry the barlines on.
  void join(canvas& upper, canvas& lower) {
    auto between = bars_.between_staves();
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
  int columns_;  ///< before the layout, which wants it
  staff_layout layout_;
  std::string text_;

  // of the system that is being drawn
  std::vector<canvas> canvases_;
  bar_lines bars_;
  note_pen notes_;
  marking_pen markings_;
  std::vector<std::pair<const drawn_chord*, int>> chords_;  ///< with their columns
  int width_ = 0;
};

}  // namespace

}  // namespace staff

std::string staff_picture(const score& s, const staff_options& o) {
  return staff::drawer{s, o, o.unicode ? staff::unicode_glyphs : staff::ascii_glyphs}.run();
}

}  // namespace fermata::io
