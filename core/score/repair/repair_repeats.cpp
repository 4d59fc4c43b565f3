#include "core/score/repair/repair_repeats.hpp"

#include "core/score/analysis/passages.hpp"
#include "core/score/model/placing.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace fermata {

namespace {

class repeat_repairer {
public:
  repeat_repairer(score_draft& draft, std::size_t p, const part& before,
                  const std::set<std::size_t>& going)
    : draft_(draft), p_(p), before_(before), going_(going) {}

  void repair() {
    for (auto& x : passages(before_))
      repair(x);
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
    return barline_at(before_.measures.music_at(m), location);
  }
  void put(std::size_t m, barline b) {
    auto& now = draft_.open(p_, m);
    auto at = b.location == "left" ? measure_position{} : measure_position{} + extent(now);
    place_barline(now, at, "1", b);
  }
  void clear(std::size_t m, std::string_view location) {
    if (!old(m, location)) return;
    clear_signs(draft_.open(p_, m), location);
  }

  void repair(const passage& x) {
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
    auto behind = last;  // one behind the last measure that stays
    while (behind > 0 && going_.contains(behind - 1))
      --behind;
    if (!b || b->style != "light-heavy" || !b->repeat.empty() || behind == 0) return;
    if (auto* own = barline_at(draft_.view(p_, behind - 1), "right"); own && !own->repeat.empty())
      return;
    barline end;
    end.style = b->style;
    put(behind - 1, end);
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
  repeat_repairer{draft, p, before, going}.repair();
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
