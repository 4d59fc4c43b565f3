#include "core/lang/music/marks_in_measures.hpp"

#include "core/lang/music/make.hpp"
#include "core/lang/music/measure_order.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace fermata {

namespace {

bool is_part(const music& m) { return as_node<part_music>(m) || as_node<part_group_music>(m); }

bool holds_parts_only(const std::vector<music_ptr>& items) {
  return std::any_of(items.begin(), items.end(), [](const music_ptr& x) { return is_part(*x); }) &&
         std::all_of(items.begin(), items.end(),
                     [](const music_ptr& x) { return is_part(*x) || is_mark_only(*x); });
}

void add_spliced(const music_ptr& m, std::vector<music_ptr>& out) {
  auto seq = as_node<seq_music>(*m);
  if (!seq || seq->block) {
    out.push_back(m);
    return;
  }
  for (const auto& x : seq->items)
    add_spliced(x, out);
}

/// Puts marks into the measures behind them. False when there is anything but these.
bool fold(const std::vector<music_ptr>& items, std::vector<music_ptr>& waiting,
          std::vector<music_ptr>& out) {
  for (const auto& m : items) {
    auto seq = as_node<seq_music>(*m);
    if (is_measure(m)) {
      auto inner = std::exchange(waiting, {});
      if (inner.empty()) {
        out.push_back(m);
        continue;
      }
      const auto& own = *items_of(*m);
      inner.insert(inner.end(), own.begin(), own.end());
      out.push_back(with_items(*m, std::move(inner)));
    } else if (as_node<repeat_music>(*m) || as_node<ending_music>(*m)) {
      std::vector<music_ptr> inner;
      if (!fold(*items_of(*m), waiting, inner)) return false;
      out.push_back(with_items(*m, std::move(inner)));
    } else if (seq && !seq->block && holds_measures(*m)) {
      if (!fold(seq->items, waiting, out)) return false;
    } else if (is_mark_only(*m)) {
      add_spliced(m, waiting);
    } else {
      return false;
    }
  }
  return true;
}

std::optional<std::vector<music_ptr>> folded(const std::vector<music_ptr>& items) {
  if (std::none_of(items.begin(), items.end(),
                   [](const music_ptr& x) { return holds_measures(*x); }))
    return std::nullopt;
  std::vector<music_ptr> waiting, out;
  if (!fold(items, waiting, out)) return std::nullopt;
  auto closing = waiting.end() - static_cast<std::ptrdiff_t>(closing_barlines(waiting));
  // Signs behind the last measure begin another one.
  if (closing != waiting.begin()) {
    measure_music last;
    last.items.assign(waiting.begin(), closing);
    out.push_back(make_music(std::move(last)));
  }
  out.insert(out.end(), closing, waiting.end());
  return out;
}

/// Marks before the parts of a score: all of them for the first part, key, time and clef for each.
class part_opener {
public:
  std::vector<music_ptr> walk(const std::vector<music_ptr>& items) {
    std::vector<music_ptr> out;
    for (const auto& m : items) {
      if (auto group = as_node<part_group_music>(*m)) {
        out.push_back(group->items.empty() ? m : with_items(*m, walk(group->items)));
      } else if (as_node<part_music>(*m)) {
        out.push_back(opened(m));
      } else {
        waiting_.push_back(m);
      }
    }
    return out;
  }

  /// Marks behind the last part.
  const std::vector<music_ptr>& left() const { return waiting_; }

private:
  music_ptr opened(const music_ptr& m) {
    auto marks = std::exchange(waiting_, {});
    auto inner = first_ ? marks : shared_;
    if (!first_) inner.insert(inner.end(), marks.begin(), marks.end());
    if (std::exchange(first_, false)) {
      shared_ = std::move(marks);
      std::erase_if(shared_, [](const music_ptr& x) { return !leaf<attributes>(*x); });
    }
    if (inner.empty()) return m;
    const auto& own = *items_of(*m);
    inner.insert(inner.end(), own.begin(), own.end());
    return with_items(*m, std::move(inner));
  }

  std::vector<music_ptr> waiting_, shared_;
  bool first_ = true;
};

}  // namespace

std::size_t closing_barlines(const std::vector<music_ptr>& items) {
  auto last = std::find_if_not(items.rbegin(), items.rend(), [](const music_ptr& x) {
    auto b = leaf<barline>(*x);
    return b && b->location != "left";
  });
  return static_cast<std::size_t>(last - items.rbegin());
}

music_ptr with_marks_in_measures(const music_ptr& m) {
  auto inner = items_of(*m);
  if (!inner || inner->empty() || is_measure(m) ||
      !(is_part(*m) || as_node<score_music>(*m) || holds_measures(*m)))
    return m;
  if (as_node<score_music>(*m)) {
    if (std::none_of(inner->begin(), inner->end(),
                     [](const music_ptr& x) { return is_part(*x); })) {
      // Music that stands in no part is one.
      part_music only;
      only.items = *inner;
      return with_items(*m, {with_marks_in_measures(make_music(std::move(only), m->span))});
    }
    if (!holds_parts_only(*inner)) return with_items(*m, with_marks_in_measures(*inner));
    part_opener opener;
    auto parts = opener.walk(*inner);
    parts.insert(parts.end(), opener.left().begin(), opener.left().end());
    return with_items(*m, with_marks_in_measures(parts));
  }
  return with_items(*m, with_marks_in_measures(*inner));
}

std::vector<music_ptr> with_marks_in_measures(const std::vector<music_ptr>& items) {
  if (auto made = folded(items)) return *made;
  std::vector<music_ptr> out;
  for (const auto& x : items)
    out.push_back(with_marks_in_measures(x));
  return out;
}

}  // namespace fermata
