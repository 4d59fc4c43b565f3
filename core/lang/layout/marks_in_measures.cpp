#include "core/lang/layout/marks_in_measures.hpp"

#include "core/lang/layout/decompile.hpp"
#include "core/lang/layout/flow.hpp"
#include "core/lang/layout/layers.hpp"
#include "core/lang/layout/measure_order.hpp"
#include "core/lang/layout/part_builder.hpp"
#include "core/lang/value/make.hpp"
#include "core/music/instruments.hpp"

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

/// Barlines behind a measure are its own, in the last measure of a repeat, too.
void close_last(std::vector<music_ptr>& items, const std::vector<music_ptr>& bars) {
  auto inner = *items_of(*items.back());
  if (is_measure(items.back()))
    inner.insert(inner.end(), bars.begin(), bars.end());
  else
    close_last(inner, bars);
  items.back() = with_items(*items.back(), std::move(inner));
}

void close_measure_before(std::vector<music_ptr>& waiting, std::vector<music_ptr>& out) {
  auto behind = std::find_if_not(waiting.begin(), waiting.end(), ends_measure);
  if (behind == waiting.begin() || out.empty()) return;
  close_last(out, {waiting.begin(), behind});
  waiting.erase(waiting.begin(), behind);
}

/// Puts marks into the measures behind them. False when there is anything but these.
bool fold(const std::vector<music_ptr>& items, std::vector<music_ptr>& waiting,
          std::vector<music_ptr>& out) {
  for (const auto& m : items) {
    auto seq = as_node<seq_music>(*m);
    if (is_measure(m)) {
      close_measure_before(waiting, out);
      auto inner = std::exchange(waiting, {});
      if (inner.empty()) {
        out.push_back(m);
        continue;
      }
      const auto& own = *items_of(*m);
      inner.insert(inner.end(), own.begin(), own.end());
      out.push_back(with_items(*m, std::move(inner)));
    } else if (as_node<repeat_music>(*m) || as_node<ending_music>(*m)) {
      close_measure_before(waiting, out);
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
  std::vector<music_ptr> bars{closing, waiting.end()};
  waiting.erase(closing, waiting.end());
  if (!waiting.empty()) close_measure_before(waiting, out);
  if (!waiting.empty()) {
    measure_music last;
    last.items = std::move(waiting);
    out.push_back(make_music(std::move(last)));
  }
  out.insert(out.end(), bars.begin(), bars.end());
  return out;
}

/// What stands one after another, plain seqs opened.
struct contents {
  bool measures = false, notes = false;
  bool layers = false, layers_of_measures = false;
  bool other = false;  ///< what is no music of one part, or cannot be one
};

void look(const std::vector<music_ptr>& items, contents& out) {
  for (const auto& x : items) {
    auto seq = as_node<seq_music>(*x);
    if (seq && !seq->block)
      look(seq->items, out);
    else if (is_measure(x) || as_node<repeat_music>(*x) || as_node<ending_music>(*x))
      out.measures = true;
    else if (is_layer(*x))
      (holds_measures(*x) ? out.layers_of_measures : out.layers) = true;
    else if (is_part(*x) || as_node<score_music>(*x) || holds_measures(*x))
      out.other = true;
    else if (!is_mark_only(*x))
      out.notes = true;
  }
}

/// Rows of notes, equally long, in which nothing changes that holds for the others: each can be
/// turned for itself.
bool are_rows(const std::vector<music_ptr>& items) {
  std::optional<quarters> length;
  auto end = items.end() - static_cast<std::ptrdiff_t>(closing_barlines(items));
  for (auto x = items.begin(); x != end; ++x) {
    if (!is_layer(**x)) {
      // Signatures in front hold for all.
      if (length || !leaf<attributes>(**x)) return false;
      continue;
    }
    const auto& inner = *items_of(**x);
    auto own = duration_of(**x);
    if (auto v = as_node<voice_music>(**x); v && v->at) return false;
    if (holds_measures(**x) || holds_layers(inner) || own != length.value_or(own) ||
        changes_on_the_way(inner))
      return false;
    length = own;
  }
  return true;
}

bool says_time(const music& m) {
  auto said = signatures_in(m);
  auto inner = items_of(m);
  return std::any_of(said.own.begin(), said.own.end(),
                     [](const music_ptr& x) { return !leaf<attributes>(*x)->times.empty(); }) ||
         (inner && std::any_of(inner->begin(), inner->end(),
                               [](const music_ptr& x) { return says_time(*x); }));
}

/// Rows of notes over each other, whatever stands in front of them all, each with its own way
/// through keys and clefs. A metre that changes makes measures of all of them.
bool are_rows_of_their_own(const std::vector<music_ptr>& items) {
  auto seen = false;
  auto end = items.end() - static_cast<std::ptrdiff_t>(closing_barlines(items));
  for (auto x = items.begin(); x != end; ++x) {
    if (!is_layer(**x)) {
      if (seen || !is_mark_only(**x)) return false;
      continue;
    }
    seen = true;
    const auto& inner = *items_of(**x);
    if (holds_measures(**x)) return false;
    if (changes_on_the_way(inner) && (holds_layers(inner) || says_time(**x))) return false;
  }
  return true;
}

/// Why layers of notes in a part are no rows of their own. Whole measures are what is left of them,
/// which is not what was written.
error rows_that_cannot_stay(const std::vector<music_ptr>& items) {
  for (const auto& x : items)
    if (is_layer(*x) && changes_on_the_way(*items_of(*x)) && says_time(*x))
      return {errc::misplaced,
              "the time signature changes within these layers, which share their measures, so they "
              "cannot be rotated separately",
              x->span,
              "write the layers in measures (measures are then rotated), or without the change"};
  for (const auto& x : items)
    if (!is_layer(*x) && !is_mark_only(*x))
      return {errc::misplaced, "some notes of this part are in none of its layers", x->span,
              "wrap them in (staff 1 ...) or (voice 1 ...)"};
  return {errc::misplaced, "a layer with a key or clef change contains other layers", std::nullopt,
          "write the inner voices one after the other: (voice 1 ...) (voice 2 ...)"};
}

bool says_staves(const music& m) {
  if (auto a = leaf<attributes>(m)) return a->staves.has_value();
  auto inner = items_of(m);
  return inner && std::any_of(inner->begin(), inner->end(),
                              [](const music_ptr& x) { return says_staves(*x); });
}

/// The measures that the compiler makes of it: which signature holds where in which layer is
/// decided there alone.
result<std::vector<music_ptr>> written_out(const std::vector<music_ptr>& items,
                                           const part_music* whole) {
  auto row = whole && !whole->instrument.empty() ? find_instrument(whole->instrument) : nullptr;
  auto builder = part_builder::built(items, time_signature{}, staff_clefs{row});
  if (!builder.faults().diagnostics.empty()) return fail(std::move(builder.faults()));
  part made;
  for (auto& m : builder.measures())
    made.measures.push_back(std::make_shared<const measure>(std::move(m)));
  auto out = *items_of(*to_music(made, true));
  auto known = row ? static_cast<int>(row->clefs.size()) : 1;
  if (!out.empty() && builder.staves() > known && !says_staves(*out.front())) {
    // No layer says any more how many there are.
    attributes said;
    said.staves = builder.staves();
    auto inner = *items_of(*out.front());
    inner.insert(inner.begin(), make_music(measure_content{std::move(said)}));
    out.front() = with_items(*out.front(), std::move(inner));
  }
  return out;
}

bool holds_lyrics(const music& m) {
  auto inner = items_of(m);
  return as_node<lyrics_music>(m) ||
         (inner && std::any_of(inner->begin(), inner->end(),
                               [](const music_ptr& x) { return holds_lyrics(*x); }));
}

/// Every syllable on its note: a verse knows only the order in which it was written. Its notes
/// then stand where it stood.
result<std::vector<music_ptr>> sung(const std::vector<music_ptr>& items) {
  std::vector<music_ptr> out;
  for (const auto& x : items) {
    if (!holds_lyrics(*x)) {
      out.push_back(x);
      continue;
    }
    auto verse = as_node<lyrics_music>(*x);
    auto given =
        verse ? with_lyrics(*verse, x->span) : result<std::vector<music_ptr>>{*items_of(*x)};
    if (!given) return given;
    auto inner = sung(*given);
    if (!inner) return inner;
    if (verse)
      out.insert(out.end(), inner->begin(), inner->end());
    else
      out.push_back(with_items(*x, std::move(*inner)));
  }
  return out;
}

result<music_ptr> with_own_marks(const music_ptr& m, kept_layers kept);

result<std::vector<music_ptr>> in_measures(const std::vector<music_ptr>& items,
                                           const part_music* whole, kept_layers kept) {
  if (auto made = folded(items)) return *made;
  contents found;
  look(items, found);
  // What stands in no part may be for a place inside a measure.
  auto stay = kept == kept_layers::even ? are_rows : are_rows_of_their_own;
  auto uneven = whole && (found.layers ? !stay(spliced(items)) : found.measures && found.notes);
  if (kept == kept_layers::any_length && uneven && found.layers && !found.measures &&
      !found.layers_of_measures)
    return fail(rows_that_cannot_stay(spliced(items)));
  if (!found.other && (found.layers_of_measures || uneven)) return written_out(items, whole);
  std::vector<music_ptr> out;
  for (const auto& x : items) {
    auto made = with_own_marks(x, kept);
    if (!made) return fail(std::move(made.error()));
    out.push_back(std::move(*made));
  }
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

result<music_ptr> with_own_marks(const music_ptr& m, kept_layers kept) {
  auto inner = items_of(*m);
  if (!inner || inner->empty() || is_measure(m) ||
      !(is_part(*m) || as_node<score_music>(*m) || holds_measures(*m) || holds_layers(*inner)))
    return m;
  auto around = [&](result<std::vector<music_ptr>> items) -> result<music_ptr> {
    if (!items) return fail(std::move(items.error()));
    return with_items(*m, std::move(*items));
  };
  if (as_node<score_music>(*m)) {
    if (std::none_of(inner->begin(), inner->end(),
                     [](const music_ptr& x) { return is_part(*x); })) {
      // Music that stands in no part is one.
      part_music only;
      only.items = *inner;
      return around(in_measures({make_music(std::move(only), m->span)}, nullptr, kept));
    }
    if (!holds_parts_only(*inner)) return around(in_measures(*inner, nullptr, kept));
    part_opener opener;
    auto parts = opener.walk(*inner);
    parts.insert(parts.end(), opener.left().begin(), opener.left().end());
    return around(in_measures(parts, nullptr, kept));
  }
  return around(in_measures(*inner, as_node<part_music>(*m), kept));
}

}  // namespace

bool ends_measure(const music_ptr& m) {
  auto b = leaf<barline>(*m);
  return b && b->location != "left";
}

std::size_t closing_barlines(const std::vector<music_ptr>& items) {
  auto last = std::find_if_not(items.rbegin(), items.rend(), ends_measure);
  return static_cast<std::size_t>(last - items.rbegin());
}

result<music_ptr> with_marks_in_measures(const music_ptr& m, kept_layers kept) {
  auto own = sung(with_layers_joined({m}));
  if (!own) return fail(std::move(own.error()));
  auto verse = as_node<lyrics_music>(*m) != nullptr;
  return with_own_marks(verse ? make_music(seq_music{std::move(*own)}, m->span) : own->front(),
                        kept);
}

result<std::vector<music_ptr>> with_marks_in_measures(const std::vector<music_ptr>& items,
                                                      kept_layers kept) {
  auto own = sung(with_layers_joined(items));
  if (!own) return own;
  return in_measures(*own, nullptr, kept);
}

}  // namespace fermata
