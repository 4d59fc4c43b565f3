#include "core/score/edit/multiple_rests.hpp"

#include "core/score/model/placing.hpp"

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
    auto measure_at = [&](std::size_t i) -> const measure& { return draft.view(p, i); };
    auto next = [&](std::size_t i) { return draft.view(p).measures.next_attributes(i); };
    const auto size = draft.view(p).measures.size();
    // A rest that was drawn over notes by hand, or in a file, stays.
    auto is_drawn_over_notes = [&](std::size_t i) {
      const auto& before = draft.before().parts;
      auto was_silent =
          p < before.size() && i < before[p]->measures.size() && !sounds(*before[p]->measures[i]);
      return sounds(measure_at(i)) && !(draft.is_written(p, i) && was_silent);
    };
    std::vector<drawn_rest> changes;
    for (auto i = next(0); i < size; i = next(i + 1)) {
      auto count = multiple_rest_in(measure_at(i));
      if (!count || *count < 1 || is_drawn_over_notes(i)) continue;
      auto end = std::min(i + static_cast<std::size_t>(*count), size);
      // One that begins inside another one goes on with it.
      std::vector<drawn_rest> inner;
      for (auto j = next(i + 1); j < end; j = next(j + 1))
        if (auto more = multiple_rest_in(measure_at(j)); more && *more > 0) {
          end = std::max(end, std::min(j + static_cast<std::size_t>(*more), size));
          inner.push_back({j, 0});
        }
      if (inner.empty() && !any_sounds(measure_at, i, end)) continue;
      auto runs = silent_runs(measure_at, i, end);
      changes.insert(changes.end(), inner.begin(), inner.end());
      changes.insert(changes.end(), runs.begin(), runs.end());
      i = end - 1;
    }
    for (const auto& x : changes)
      draw(draft.open(p, x.first), drawn(x));
  }
}

void stretch_multiple_rests(score_draft& draft, std::size_t p, const part& before,
                            std::size_t first, std::size_t lost, std::size_t put) {
  const auto end = first + lost;
  auto next = [&](std::size_t i) { return before.measures.next_attributes(i); };
  for (auto i = next(0); i < end + (lost == 0 ? 1 : 0) && i < before.measures.size();
       i = next(i + 1)) {
    auto count = multiple_rest_in(i < first ? draft.view(p, i) : *before.measures[i]);
    if (!count || *count < 1) continue;
    const auto behind = i + static_cast<std::size_t>(*count);
    const auto inside = std::min(behind, end) - std::min(first, behind);
    if (i < first && behind > first) {
      draw(draft.open(p, i), drawn({i, *count + static_cast<int>(put) - static_cast<int>(inside)}));
    } else if (i >= first && i < end && behind > end &&
               end - lost + put < draft.view(p).measures.size()) {
      if (put == 0)
        draw(draft.open(p, first), drawn({first, static_cast<int>(behind - end)}));
      else if (i == first)
        draw(draft.open(p, first), drawn({first, static_cast<int>(behind - end + put)}));
    }
  }
}

}  // namespace fermata
