#include "core/lang/layout/layers.hpp"

#include "core/lang/layout/measure_order.hpp"
#include "core/lang/value/make.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace fermata {

namespace {

bool is_same_layer(const music& a, const music& b) {
  if (auto x = as_node<staff_music>(a)) {
    auto y = as_node<staff_music>(b);
    return y && x->staff == y->staff && x->staff != 0;
  }
  auto x = as_node<voice_music>(a), y = as_node<voice_music>(b);
  return x && y && x->voice == y->voice && x->staff == y->staff;
}

}  // namespace

namespace {

bool holds_loose_notes(const music& m) {
  if (as_node<voice_music>(m) || as_node<staff_music>(m)) return false;
  if (auto x = leaf<chord_rest>(m)) return x->voice.empty() && !x->grace;
  auto items = items_of(m);
  return items && std::any_of(items->begin(), items->end(),
                              [](const music_ptr& x) { return holds_loose_notes(*x); });
}

/// A seq of nothing but layers gives way to them.
std::vector<music_ptr> with_layers_spliced(const std::vector<music_ptr>& items) {
  std::vector<music_ptr> out;
  for (const auto& x : items) {
    auto seq = as_node<seq_music>(*x);
    if (seq && !seq->block && !seq->items.empty() &&
        std::all_of(seq->items.begin(), seq->items.end(),
                    [](const music_ptr& y) { return begins_with_measure(*y); }))
      out.insert(out.end(), seq->items.begin(), seq->items.end());
    else
      out.push_back(x);
  }
  return out;
}

}  // namespace

std::vector<music_ptr> with_layers_joined(const std::vector<music_ptr>& given) {
  std::vector<music_ptr> items;
  for (const auto& x : given) {
    auto inner = items_of(*x);
    auto own = inner ? with_layers_joined(*inner) : std::vector<music_ptr>{};
    items.push_back(inner && own != *inner ? with_items(*x, std::move(own)) : x);
  }
  auto flat = with_layers_spliced(items);
  auto is_joined = [](const music_ptr& x) { return begins_with_measure(*x) && holds_notes(*x); };
  auto first = std::find_if(flat.begin(), flat.end(), is_joined);
  if (!std::all_of(flat.begin(), first, [](const music_ptr& x) { return is_mark_only(*x); }) ||
      !std::all_of(first, flat.end(), is_joined))
    return items;
  std::vector<music_ptr> out{flat.begin(), first};
  for (auto x = first; x != flat.end(); ++x) {
    auto same = std::find_if(out.begin() + (first - flat.begin()), out.end(),
                             [&](const music_ptr& y) { return is_same_layer(**x, *y); });
    if (same == out.end()) {
      out.push_back(*x);
      continue;
    }
    auto inner = *items_of(**same);
    inner.insert(inner.end(), items_of(**x)->begin(), items_of(**x)->end());
    *same = with_items(**same, std::move(inner));
  }
  return out.size() == flat.size() ? items : out;
}

music_ptr with_layer_outside(const music_ptr& m) {
  auto seq = as_node<seq_music>(*m);
  if (!(seq && !seq->block) && !as_node<repeat_music>(*m) && !as_node<ending_music>(*m)) return m;
  std::vector<music_ptr> layers;
  for (const auto& x : *items_of(*m))
    layers.push_back(with_layer_outside(x));
  if (layers.empty() || !std::all_of(layers.begin(), layers.end(), [&](const music_ptr& x) {
        return begins_with_measure(*x) && is_same_layer(*layers.front(), *x);
      }))
    return m;
  std::vector<music_ptr> inner;
  for (const auto& x : layers)
    std::copy(items_of(*x)->begin(), items_of(*x)->end(), std::back_inserter(inner));
  return with_items(*layers.front(), {with_items(*m, std::move(inner))});
}

std::optional<int> rest_over_measures(const music& m) {
  auto a = leaf<attributes>(m);
  if (!a || !a->multiple_rest) return std::nullopt;
  attributes alone;
  alone.multiple_rest = a->multiple_rest;
  return *a == alone ? a->multiple_rest : std::nullopt;
}

bool holds_rest_over_measures(const music& m) {
  if (rest_over_measures(m)) return true;
  if (!as_node<seq_music>(m) && !as_node<staff_music>(m) && !as_node<voice_music>(m) &&
      !as_node<lyrics_music>(m))
    return false;
  const auto& items = *items_of(m);
  return std::any_of(items.begin(), items.end(),
                     [](const music_ptr& x) { return holds_rest_over_measures(*x); });
}

std::vector<music_ptr> with_explicit_positions(std::vector<music_ptr> items) {
  std::map<std::string, quarters> ends;
  quarters at;  // where loose notes stand, which are those of the first voice
  for (auto& x : items) {
    auto v = as_node<voice_music>(*x);
    if (!v) {
      at = end_position(*x, at);
      if (holds_loose_notes(*x)) ends["1"] = at;
      continue;
    }
    if (!holds_notes(*x)) continue;
    auto& end = ends[v->voice];
    if (!v->at && end > quarters{}) {
      auto copy = *v;
      copy.at = measure_position{end.value};
      x = make_music(std::move(copy), x->span);
    }
    end = std::max(end, duration_of(*x));
    at = std::max(at, end);
  }
  return items;
}

bool holds_notes(const music& m) {
  if (leaf<chord_rest>(m)) return true;
  auto items = items_of(m);
  return items && std::any_of(items->begin(), items->end(),
                              [](const music_ptr& x) { return holds_notes(*x); });
}

}  // namespace fermata
