#pragma once

#include "io/staff/canvas.hpp"
#include "io/staff/glyphs.hpp"
#include "io/staff/layout.hpp"

#include <string_view>
#include <utility>
#include <vector>

namespace fermata::io::staff {

enum class bar_kind {
  none,
  left,  ///< the line before a system
  single,
  double_bar,
  final_bar,
  repeat_begin,
  repeat_end,
  right  ///< the last one of the excerpt
};
/// `right_bar` as in `measure_block`.
bar_kind kind_of_bar(std::string_view right_bar);

/// The barlines of a system, which are the same on all staves.
class bar_lines {
public:
  explicit bar_lines(const glyphs& g) : g_(g) {}

  void clear() { bars_.clear(); }
  void add(int column, bar_kind kind) { bars_.push_back({column, kind}); }
  void end_with_right() {
    if (bars_.back().kind == bar_kind::single) bars_.back().kind = bar_kind::right;
  }

  /// `width`: cells of the staff.
  void draw(canvas& c, const stave& s, int width) const;
  /// What of them is seen between two staves of a part.
  std::vector<std::pair<int, std::string_view>> between_staves() const;

private:
  struct bar {
    int column;
    bar_kind kind;
  };

  /// One cell of a barline: which of its three forms, by where on the staff it is.
  static void cell(canvas& c, const stave& s, int column, std::string_view top,
                   std::string_view on_line, std::string_view bottom, std::string_view between);

  const glyphs& g_;
  std::vector<bar> bars_;
};

}  // namespace fermata::io::staff
