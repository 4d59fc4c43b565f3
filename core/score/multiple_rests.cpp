#include "core/score/multiple_rests.hpp"

#include "core/score/placing.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace fermata {

namespace {

bool sounds(const measure& m) {
  return std::any_of(m.items.begin(), m.items.end(), [](const measure_item& item) {
    auto x = std::get_if<chord_rest>(&item.content);
    return x && !is_rest(*x);
  });
}

std::optional<int> multiple_rest_in(const measure& m) {
  for (const auto& item : m.items)
    if (auto a = std::get_if<attributes>(&item.content); a && a->multiple_rest)
      return a->multiple_rest;
  return std::nullopt;
}

void draw(measure& m, std::optional<int> count) {
  for (auto& item : m.items)
    if (auto a = std::get_if<attributes>(&item.content)) a->multiple_rest.reset();
  if (count) {
    attributes said;
    said.multiple_rest = count;
    place_attributes(m, {}, {}, said);
  }
  erase_if(m.items, [](const measure_item& item) {
    auto a = std::get_if<attributes>(&item.content);
    return a && *a == attributes{};
  });
}

struct drawn_rest {
  std::size_t first;
  int count;  ///< 1: none is drawn
};

/// What becomes of a rest over the measures [first, end): runs of silent ones, and `first` itself.
template <class Measures>
std::vector<drawn_rest> silent_runs(const Measures& measure_at, std::size_t first,
                                    std::size_t end) {
  std::vector<drawn_rest> out{{first, 0}};
  auto open = true;
  for (auto i = first; i < end; ++i) {
    if (sounds(measure_at(i))) {
      open = false;
      continue;
    }
    if (!std::exchange(open, true)) out.push_back({i, 0});
    ++out.back().count;
  }
  return out;
}

template <class Measures>
bool any_sounds(const Measures& measure_at, std::size_t first, std::size_t end) {
  for (auto i = first; i < end; ++i)
    if (sounds(measure_at(i))) return true;
  return false;
}

std::optional<int> drawn(const drawn_rest& x) {
  return x.count > 1 ? std::optional{x.count} : std::nullopt;
}

}  // namespace

void divide_multiple_rest(std::vector<measure>& measures, std::size_t first, std::size_t count) {
  const auto end = std::min(first + count, measures.size());
  auto measure_at = [&](std::size_t i) -> const measure& { return measures[i]; };
  if (!any_sounds(measure_at, first, end)) return;
  for (const auto& x : silent_runs(measure_at, first, end))
    draw(measures[x.first], drawn(x));
}

void divide_multiple_rests(score_draft& draft) {
  for (auto p : draft.opened_parts()) {
    auto size = [&] { return draft.view(p).measures.size(); };
    auto measure_at = [&](std::size_t i) -> const measure& { return draft.view(p, i); };
    // A rest that was drawn over notes by hand, or in a file, stays.
    auto was_silent = [&](std::size_t i) {
      const auto& before = draft.before().parts;
      return p < before.size() && i < before[p]->measures.size() &&
             !sounds(*before[p]->measures[i]);
    };
    std::vector<drawn_rest> changes;
    for (auto i = draft.view(p).measures.next_attributes(0); i < size();
         i = draft.view(p).measures.next_attributes(i + 1)) {
      auto count = multiple_rest_in(measure_at(i));
      if (!count || *count < 1 || (sounds(measure_at(i)) && !was_silent(i))) continue;
      auto end = std::min(i + static_cast<std::size_t>(*count), size());
      if (!any_sounds(measure_at, i, end)) continue;
      // Measures that were put in between have moved its end.
      if (p < draft.before().parts.size())
        if (auto was = draft.before().parts[p]->measures.size(); was > 0 && was < size())
          end = std::min(end + size() - was, size());
      auto runs = silent_runs(measure_at, i, end);
      changes.insert(changes.end(), runs.begin(), runs.end());
    }
    for (const auto& x : changes)
      draw(draft.open(p, x.first), drawn(x));
  }
}

}  // namespace fermata
