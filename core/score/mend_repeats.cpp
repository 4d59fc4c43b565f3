#include "core/score/mend_repeats.hpp"

#include "core/score/jumps.hpp"
#include "core/score/placing.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace fermata {

namespace {

const barline* barline_at(const measure& m, std::string_view location) {
  for (auto& item : m.items)
    if (auto* b = std::get_if<barline>(&item.content); b && b->location == location) return b;
  return nullptr;
}

/// Only the repeat sign of a barline, and the style that belongs to it.
barline sign_of(const barline& b) {
  barline sign;
  sign.location = b.location;
  sign.style = b.style;
  sign.repeat = b.repeat;
  sign.repeat_times = b.repeat_times;
  sign.after_jump = b.after_jump;
  return sign;
}
/// Only the bracket of an ending.
barline bracket_of(const barline& b) {
  barline bracket;
  bracket.location = b.location;
  bracket.ending_numbers = b.ending_numbers;
  bracket.ending_type = b.ending_type;
  bracket.ending_text = b.ending_text;
  return bracket;
}

struct ending {
  std::size_t first, last;
  std::vector<int> numbers;
  bool leads_back = false;
};

/// A repeated passage: its body, then its endings, if any. Without endings it leads back at `last`.
struct passage {
  std::size_t first = 0, last = 0;
  bool has_sign = false;  ///< it begins with a repeat sign
  std::vector<ending> endings;
};

/// The endings that follow each other from measure `at` on.
std::vector<ending> endings_from(const part& p, std::size_t at) {
  std::vector<ending> found;
  while (at < p.measures.size()) {
    auto* left = barline_at(*p.measures[at], "left");
    if (!left || left->ending_type != "start") break;
    ending e{at, at, numbers_of_ending(left->ending_numbers), false};
    auto ends = [&](std::size_t m) {
      auto* right = barline_at(*p.measures[m], "right");
      return right && (right->ending_type == "stop" || right->ending_type == "discontinue");
    };
    while (e.last + 1 < p.measures.size() && !ends(e.last))
      ++e.last;
    auto* right = barline_at(*p.measures[e.last], "right");
    e.leads_back = right && right->repeat == "backward";
    at = e.last + 1;
    found.push_back(std::move(e));
  }
  return found;
}

std::vector<passage> passages(const part& p) {
  std::vector<passage> found;
  std::vector<std::size_t> open;
  std::size_t behind_last = 0;
  for (std::size_t i = 0; i < p.measures.size(); ++i) {
    auto* left = barline_at(*p.measures[i], "left");
    auto* right = barline_at(*p.measures[i], "right");
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

class repeat_mender {
public:
  repeat_mender(score_draft& draft, std::size_t p, const part& before,
                const std::set<std::size_t>& going)
    : draft_(draft), p_(p), before_(before), going_(going) {}

  void mend() {
    for (auto& x : passages(before_))
      mend(x);
    keep_final_barline();
  }

private:
  std::vector<std::size_t> staying(std::size_t first, std::size_t last) const {
    std::vector<std::size_t> found;
    for (auto m = first; m <= last; ++m)
      if (!going_.contains(m)) found.push_back(m);
    return found;
  }
  const barline* old(std::size_t m, std::string_view location) const {
    return barline_at(*before_.measures[m], location);
  }
  void put(std::size_t m, barline b) {
    auto& now = draft_.open(p_, m);
    auto at = b.location == "left" ? measure_position{} : measure_position{} + extent(now);
    place_barline(now, at, "1", b);
  }
  /// Takes repeat and ending off a barline; one that says nothing else goes.
  void clear(std::size_t m, std::string_view location) {
    if (!old(m, location)) return;
    auto& now = draft_.open(p_, m);
    std::erase_if(now.items.own(), [&](auto& item) {
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

  void mend(const passage& x) {
    auto has_body = x.endings.empty() || x.first < x.endings.front().first;
    auto body = has_body ? staying(x.first, x.last) : std::vector<std::size_t>{};
    auto hit = has_body && body.size() != x.last - x.first + 1;
    std::vector<ending> kept;
    for (auto& e : x.endings) {
      auto left = staying(e.first, e.last);
      hit |= left.size() != e.last - e.first + 1;
      if (left.empty()) continue;
      kept.push_back(e);
    }
    if (!hit) return;
    if (x.endings.empty()) {
      if (body.empty()) return;
      move_forward(x, body.front());
      if (going_.contains(x.last)) put(body.back(), sign_of(*old(x.last, "right")));
      return;
    }
    auto leads_back =
        std::any_of(kept.begin(), kept.end(), [](const ending& e) { return e.leads_back; });
    if (body.empty() || !leads_back) {
      // Nothing is played twice any more.
      if (x.has_sign && !going_.contains(x.first)) clear(x.first, "left");
      for (auto& e : kept) {
        if (!going_.contains(e.first)) clear(e.first, "left");
        if (!going_.contains(e.last)) clear(e.last, "right");
      }
      return;
    }
    move_forward(x, body.front());
    std::vector<int> passes;
    for (auto& e : kept)
      passes.insert(passes.end(), e.numbers.begin(), e.numbers.end());
    std::sort(passes.begin(), passes.end());
    for (auto& e : kept) {
      std::string numbers;
      for (auto n : e.numbers)
        numbers +=
            (numbers.empty() ? "" : ", ") +
            std::to_string(std::lower_bound(passes.begin(), passes.end(), n) - passes.begin() + 1);
      auto left = staying(e.first, e.last);
      auto count = [&](barline b) {
        if (kept.size() != x.endings.size() && !e.numbers.empty()) b.ending_numbers = numbers;
        return b;
      };
      put(left.front(), count(bracket_of(*old(e.first, "left"))));
      if (auto* right = old(e.last, "right")) {
        if (going_.contains(e.last) && e.leads_back) put(left.back(), sign_of(*right));
        put(left.back(), count(bracket_of(*right)));
      }
    }
  }

  void move_forward(const passage& x, std::size_t to) {
    if (x.has_sign && going_.contains(x.first)) put(to, sign_of(*old(x.first, "left")));
  }

  void keep_final_barline() {
    auto last = before_.measures.size() - 1;
    if (!going_.contains(last)) return;
    auto* b = old(last, "right");
    auto left = staying(0, last);
    if (!b || b->style != "light-heavy" || !b->repeat.empty() || left.empty()) return;
    if (auto* own = barline_at(draft_.view(p_, left.back()), "right"); own && !own->repeat.empty())
      return;
    barline end;
    end.style = b->style;
    put(left.back(), end);
  }

  score_draft& draft_;
  std::size_t p_;
  const part& before_;
  const std::set<std::size_t>& going_;
};

}  // namespace

void keep_repeats(score_draft& draft, std::size_t p, const part& before,
                  const std::set<std::size_t>& going) {
  if (going.empty()) return;
  repeat_mender{draft, p, before, going}.mend();
}

score_ptr keep_barlines(const score_ptr& s, std::size_t p, std::size_t first, std::size_t count,
                        std::vector<measure>& measures) {
  if (measures.empty() || count == 0) return s;
  score_draft draft{s};
  std::set<std::size_t> surplus;
  for (auto m = first + measures.size(); m < first + count; ++m)
    surplus.insert(m);
  keep_repeats(draft, p, *s->parts[p], surplus);
  auto next = surplus.empty() ? s : draft.finish();
  auto take = [&](measure& m, std::size_t from, std::string_view location) {
    auto* b = barline_at(*next->parts[p]->measures[from], location);
    if (!b || barline_at(m, location)) return;
    place_barline(m, b->location == "left" ? measure_position{} : measure_position{} + extent(m),
                  "1", *b);
  };
  auto met = std::min(count, measures.size());
  for (std::size_t i = 0; i < met; ++i) {
    take(measures[i], first + i, "left");
    // What stood at the end of the old ones stands at the end of the new ones.
    take(i + 1 == met ? measures.back() : measures[i], first + i, "right");
  }
  return next;
}

}  // namespace fermata
