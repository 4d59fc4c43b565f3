#include "core/score/analysis/passages.hpp"

#include "core/score/analysis/jumps.hpp"

#include <utility>

namespace fermata {

namespace {

/// The endings that follow each other from measure `at` on.
std::vector<ending> endings_from(const part& p, std::size_t at) {
  std::vector<ending> found;
  while (at < p.measures.size()) {
    auto* left = barline_at(p.measures.music_at(at), "left");
    if (!left || left->ending_type != "start") break;
    ending e{at, at, numbers_of_ending(left->ending_numbers), false};
    auto ends = [&](std::size_t m) {
      auto* right = barline_at(p.measures.music_at(m), "right");
      return right && (right->ending_type == "stop" || right->ending_type == "discontinue");
    };
    while (e.last + 1 < p.measures.size() && !ends(e.last))
      ++e.last;
    auto* right = barline_at(p.measures.music_at(e.last), "right");
    e.leads_back = right && right->repeat == "backward";
    at = e.last + 1;
    found.push_back(std::move(e));
  }
  return found;
}

}  // namespace

std::vector<passage> passages(const part& p) {
  std::vector<passage> found;
  std::vector<std::size_t> open;
  std::size_t behind_last = 0;
  const auto& all = p.measures;
  for (auto i = all.next_repeat(0); i < all.size(); i = all.next_repeat(i + 1)) {
    auto* left = barline_at(p.measures.music_at(i), "left");
    auto* right = barline_at(p.measures.music_at(i), "right");
    if (left && left->repeat == "forward") open.push_back(i);
    passage x;
    x.has_sign = !open.empty();
    x.first = open.empty() ? behind_last : open.back();
    if (left && left->ending_type == "start") {
      x.endings = endings_from(p, i);
      x.last = i == 0 ? 0 : i - 1;
      i = x.endings.back().last;
    } else if (right && right->repeat == "backward") {
      x.last = i;
    } else {
      continue;
    }
    if (!open.empty()) open.pop_back();
    behind_last = i + 1;
    found.push_back(std::move(x));
  }
  return found;
}

const barline* barline_at(const measure& m, std::string_view location) {
  for (auto& item : m.items)
    if (auto* b = std::get_if<barline>(&item.content); b && b->location == location) return b;
  return nullptr;
}

barline sign_of(const barline& b) {
  barline sign;
  sign.location = b.location;
  sign.style = b.style;
  sign.repeat = b.repeat;
  sign.repeat_times = b.repeat_times;
  sign.after_jump = b.after_jump;
  return sign;
}

barline bracket_of(const barline& b) {
  barline bracket;
  bracket.location = b.location;
  bracket.ending_numbers = b.ending_numbers;
  bracket.ending_type = b.ending_type;
  bracket.ending_text = b.ending_text;
  return bracket;
}

void clear_signs(measure& m, std::string_view location) {
  std::erase_if(m.items.own(), [&](auto& item) {
    auto* b = std::get_if<barline>(&item.content);
    if (!b || b->location != location) return false;
    if (!b->repeat.empty()) b->style.clear();
    b->repeat.clear();
    b->repeat_times.reset();
    b->after_jump.clear();
    b->ending_numbers.clear();
    b->ending_type.clear();
    b->ending_text.clear();
    return b->style.empty() && !b->extra;
  });
}

}  // namespace fermata
