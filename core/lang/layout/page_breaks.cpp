#include "core/lang/layout/page_breaks.hpp"

#include "core/lang/layout/marks_in_measures.hpp"
#include "core/lang/value/make.hpp"

#include <algorithm>

namespace fermata {

namespace {

bool lasts(const music_ptr& x) {
  return leaf<chord_rest>(*x) || items_of(*x) || as_node<skip_music>(*x);
}

std::vector<music_ptr> leading_layouts_taken(std::vector<music_ptr>& items) {
  auto notes = std::find_if(items.begin(), items.end(),
                            [](const music_ptr& x) { return lasts(x) && !is_signature(x); });
  auto kept = std::stable_partition(items.begin(), notes, is_layout);
  std::vector<music_ptr> out{items.begin(), kept};
  items.erase(items.begin(), kept);
  for (auto& x : items)
    if (begins_with_measure(*x)) {
      auto inner = *items_of(*x);
      auto own = leading_layouts_taken(inner);
      if (own.empty()) continue;
      out.insert(out.end(), own.begin(), own.end());
      x = with_items(*x, std::move(inner));
    }
  return out;
}

}  // namespace

bool is_layout(const music_ptr& x) { return leaf<print_layout>(*x) != nullptr; }

std::vector<edge_layouts> without_layouts(std::vector<measure_music>& measures) {
  std::vector<edge_layouts> found;
  for (auto& m : measures) {
    auto& own = found.emplace_back();
    own.leading = leading_layouts_taken(m.items);
    auto end = std::find_if(m.items.rbegin(), m.items.rend(), lasts).base();
    auto first =
        std::stable_partition(end, m.items.end(), [](const music_ptr& x) { return !is_layout(x); });
    own.trailing.assign(first, m.items.end());
    m.items.erase(first, m.items.end());
  }
  return found;
}

void set_layouts(std::vector<loose_measure>& measures, const std::vector<edge_layouts>& layouts) {
  const auto n = layouts.size();
  for (std::size_t i = 0; i < n; ++i) {
    auto& behind = measures[i == 0 ? 0 : n - i].rest.items;
    behind.insert(behind.begin(), layouts[i].leading.begin(), layouts[i].leading.end());
    auto& before = measures[i + 1 == n ? n - 1 : n - 2 - i].rest.items;
    auto end = before.end() - static_cast<std::ptrdiff_t>(closing_barlines(before));
    before.insert(end, layouts[i].trailing.begin(), layouts[i].trailing.end());
  }
}

}  // namespace fermata
