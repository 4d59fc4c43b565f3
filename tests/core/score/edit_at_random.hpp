#pragma once

#include "core/score/edit/edit.hpp"
#include "tests/core/score/notation.hpp"

#include <random>
#include <string>
#include <vector>

namespace fermata::testing {

/// Scores whose measures are numbered in every way that files have, and edits of all kinds, from a
/// fixed seed.
class edit_at_random {
public:
  explicit edit_at_random(unsigned seed) : random_(seed) {}

  std::size_t pick(std::size_t n) { return random_() % n; }

  score_ptr any_score() {
    std::vector<part_ptr> parts;
    auto count = 3 + pick(20);
    std::vector<std::pair<std::string, bool>> numbers;  // with: is not counted
    auto n = static_cast<int>(pick(4)) - 1;
    for (std::size_t i = 0; i < count; ++i) {
      auto kind = pick(24);
      auto text = std::to_string(n);
      if (kind == 0) numbers.emplace_back("X" + text, true);
      if (kind == 1) numbers.emplace_back(text, true);
      if (kind == 2) numbers.emplace_back(text + "a", false);
      if (kind == 3) numbers.emplace_back("0" + text, false);
      if (kind == 4) numbers.emplace_back(std::to_string(n += static_cast<int>(pick(40))), false);
      if (kind > 4) numbers.emplace_back(text, false);
      if (kind > 3) ++n;
    }
    for (std::size_t p = 0; p <= pick(2); ++p) {
      std::vector<measure> measures;
      for (auto& [number, uncounted] : numbers) {
        measures.push_back(any_measure(number));
        measures.back().implicit = uncounted;
      }
      parts.push_back(make_part(std::move(measures), "P" + std::to_string(p + 1)));
    }
    return make_score(std::move(parts));
  }

  /// The score after one edit; itself when that could not be done.
  score_ptr edited(const score_ptr& s) {
    auto count = s->parts[0]->measures.size();
    auto at = pick(count);
    result<score_ptr> next = s;
    switch (pick(6)) {
      case 0: next = insert_measures(s, pick(count + 1), 1 + pick(3)); break;
      case 1: next = insert_measures(s, pick(s->parts.size()), at, {any_measure("")}); break;
      case 2:
      case 3: next = delete_measures(s, some_measures(*s, at, count)); break;
      case 4: {
        // The other parts get as many fewer or more.
        std::vector<measure> fresh;
        for (auto n = pick(3); n > 0; --n)
          fresh.push_back(any_measure(""));
        next = replace_measures(s, 0, at, std::min<std::size_t>(pick(3), count - at), fresh);
        break;
      }
      default: next = replace_measures(s, pick(s->parts.size()), at, 1, {any_measure("")});
    }
    return next && !(*next)->parts[0]->measures.empty() ? *next : s;
  }

private:
  measure any_measure(const std::string& number) {
    const char* texts[] = {"c4:w", "d4:h e4:h", "r:w", "c4:q d4:q e4:q f4:q", "<c4_e4_g4>:w"};
    return bar(texts[pick(5)], number);
  }

  std::vector<measure_location> some_measures(const score& s, std::size_t at, std::size_t count) {
    std::vector<measure_location> which;
    for (std::size_t m = at; m < count; ++m)
      if (m == at || pick(5) == 0)
        for (std::size_t p = 0; p < s.parts.size(); ++p)
          if (m < s.parts[p]->measures.size()) which.push_back({p, m});
    return which;
  }

  std::mt19937 random_;
};

}  // namespace fermata::testing
