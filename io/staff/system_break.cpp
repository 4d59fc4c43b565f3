#include "io/staff/system_break.hpp"

#include "io/staff/signature.hpp"

#include <algorithm>
#include <utility>

namespace fermata::io::staff {

namespace {

/// Cells for clef, key and time with a blank behind each that is there.
int signature_width(const std::vector<signature>& signs) {
  int width = 0;
  for (auto group : {&signature::clef, &signature::key, &signature::time})
    if (auto w = widest(signs, group); w > 0) width += w + 1;
  return width;
}

int bar_width(const measure_block& b) {
  return b.right_bar == "backward" ? 3 : b.right_bar.starts_with("light-") ? 2 : 1;
}

/// Cells of a measure behind its left barline, with its right barline.
int width_of_block(const measure_block& b, bool at_start) {
  return (at_start ? 0 : signature_width(b.opening)) + (b.left_bar.empty() ? 0 : 2) + b.width +
         bar_width(b);
}

int end_of(const measure_block& b, std::size_t slice) {
  auto& s = b.slices[slice];
  return s.column + 1 + s.right + s.gap;
}

class breaker {
public:
  breaker(const staff_layout& layout, int columns) : layout_(layout), columns_(columns) {
    line_.first = true;
  }

  std::vector<system_line> run() && {
    for (std::size_t i = 0; i < layout_.blocks.size(); ++i) {
      auto& b = layout_.blocks[i];
      if (!line_.pieces.empty() && used_ + width_of_block(b, false) > columns_) finish();
      if (line_.pieces.empty()) used_ = prefix_width(i, line_.first);
      bool at_start = line_.pieces.empty();
      if (used_ + width_of_block(b, at_start) > columns_) {
        break_measure(i);
        continue;
      }
      line_.pieces.push_back({i, 0, b.slices.size(), true, true, used_});
      used_ += width_of_block(b, at_start);
    }
    finish();
    return std::move(systems_);
  }

private:
  int prefix_width(std::size_t block, bool first_system) const {
    auto& b = layout_.blocks[block];
    auto width = left_edge(layout_) + 1 + signature_width(b.full);
    auto times =
        first_system ? widest(b.time, &signature::time) : widest(b.opening, &signature::time);
    return width + (times > 0 ? times + 1 : 0);
  }

  void finish() {
    if (!line_.pieces.empty()) systems_.push_back(std::move(line_));
    line_ = {};
    line_.first = systems_.empty();
  }

  /// Too wide even for a system of its own: as many columns as there is room for, then the rest.
  void break_measure(std::size_t block) {
    auto& b = layout_.blocks[block];
    std::size_t from = 0;
    while (true) {
      auto to = from;
      auto base = from < b.slices.size() ? start_of(b, from) : 0;
      while (to < b.slices.size() &&
             (to == from || used_ + end_of(b, to) - base + bar_width(b) + 2 <= columns_))
        ++to;
      line_.pieces.push_back({block, from, to, from == 0, to == b.slices.size(), used_});
      if (to == b.slices.size()) {
        used_ += b.width - base + bar_width(b);
        return;
      }
      from = to;
      finish();
      used_ = prefix_width(block, false);
    }
  }

  const staff_layout& layout_;
  int columns_;
  std::vector<system_line> systems_;
  system_line line_;
  int used_ = 0;
};

}  // namespace

std::vector<system_line> broken_into_systems(const staff_layout& layout, int columns) {
  return breaker{layout, columns}.run();
}

int left_edge(const staff_layout& layout) {
  return std::any_of(layout.staves.begin(), layout.staves.end(), [](auto& x) { return !x.first; })
             ? 1
             : 0;
}

int width_of(const system_line& line, const staff_layout& layout) {
  auto& p = line.pieces.back();
  auto& b = layout.blocks[p.block];
  auto base = p.first < b.slices.size() ? start_of(b, p.first) : 0;
  auto opening = line.pieces.size() > 1 ? signature_width(b.opening) : 0;
  auto left = p.begins && !b.left_bar.empty() ? 2 : 0;
  if (p.ends) return p.column + opening + left + b.width - base + bar_width(b);
  return p.column + opening + left + end_of(b, p.last - 1) - base;
}

int start_of(const measure_block& b, std::size_t slice) {
  return slice == 0 ? 0 : b.slices[slice].column - b.slices[slice].left - 1;
}

int widest(const std::vector<signature>& signs, std::vector<sign_column> signature::*group) {
  int width = 0;
  for (auto& s : signs)
    width = std::max(width, width_of(s.*group));
  return width;
}

}  // namespace fermata::io::staff
