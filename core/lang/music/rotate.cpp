#include "core/lang/music/make.hpp"
#include "core/lang/music/marks_in_measures.hpp"
#include "core/lang/music/measure_order.hpp"
#include "core/lang/music/moved_lines.hpp"
#include "core/lang/music/repeat_order.hpp"
#include "core/lang/music/transform.hpp"
#include "core/music/modular.hpp"
#include "core/score/lines.hpp"

#include <algorithm>
#include <functional>

namespace fermata {

namespace {

/// `steps` as a number of places from the front.
std::size_t places(std::int64_t steps, std::size_t size) {
  auto n = static_cast<std::int64_t>(size);
  return n == 0 ? 0 : static_cast<std::size_t>(mod(steps, n));
}

void walk_notes(const music& m, const std::function<void(const chord_rest&)>& f) {
  if (auto c = leaf<chord_rest>(m)) f(*c);
  if (auto items = items_of(m))
    for (const auto& x : *items)
      walk_notes(*x, f);
}

/// Whether the first note goes on from the one before.
bool is_continued(const music& m) {
  bool first = true, tied = false;
  walk_notes(m, [&](const chord_rest& x) {
    if (first && !x.grace)
      tied = std::any_of(x.notes.begin(), x.notes.end(), [](const note& n) { return n.tie.stop; });
    first = first && x.grace;
  });
  return tied;
}

/// Whether the last note goes on into the one behind.
bool goes_on(const music& m) {
  bool tied = false;
  walk_notes(m, [&](const chord_rest& x) {
    if (!x.grace)
      tied = std::any_of(x.notes.begin(), x.notes.end(), [](const note& n) { return n.tie.start; });
  });
  return tied;
}

bool ends_a_line(const music& m) {
  auto d = leaf<direction>(m);
  if (!d || d->types.size() != 1) return false;
  auto sign = line_sign_of(d->types.front());
  return sign && !sign->start;
}

chord_rest untied(chord_rest x, bool at_start) {
  for (auto& n : x.notes) {
    (at_start ? n.tie.stop : n.tie.start) = false;
    (at_start ? n.tie.stop_undrawn : n.tie.start_undrawn) = false;
    std::erase_if(n.spanners, [&](const spanner& s) {
      return s.kind == span_kind::tied && s.end == (at_start ? span_end::stop : span_end::start);
    });
  }
  return x;
}

/// Without the ties that lead out of a measure on one side, in every voice.
std::vector<music_ptr> without_ties(std::vector<music_ptr> items, bool at_start) {
  auto turn = [&](auto first, auto last) {
    for (auto x = first; x != last; ++x) {
      if (as_node<voice_music>(**x) || !takes_place(**x)) continue;
      if (auto c = leaf<chord_rest>(**x))
        *x = make_music(measure_content{untied(*c, at_start)}, (*x)->span);
      else if (auto inner = items_of(**x))
        *x = with_items(**x, without_ties(*inner, at_start));
      break;
    }
  };
  for (auto& x : items)
    if (auto v = as_node<voice_music>(*x)) x = with_items(*x, without_ties(v->items, at_start));
  if (at_start)
    turn(items.begin(), items.end());
  else
    turn(items.rbegin(), items.rend());
  return items;
}

std::vector<music_ptr> rotated_measures(const std::vector<music_ptr>& items, std::int64_t steps,
                                        const part_music* whole) {
  auto cut = places(steps, items.size());
  if (cut == 0) return items;
  auto pieces = parted(items, cut);
  std::vector<measure_music> own;
  for (const auto* piece : {&pieces.before, &pieces.behind})
    for (const auto& m : *piece)
      own.push_back(*as_node<measure_music>(*m));
  own[cut - 1].items = without_ties(std::move(own[cut - 1].items), false);
  own[cut].items = without_ties(std::move(own[cut].items), true);
  auto bars = without_barlines(own);
  auto loose = loosened(own, whole);
  std::rotate(loose.begin(), loose.begin() + static_cast<std::ptrdiff_t>(cut), loose.end());
  set_barlines(loose, bars);
  return put_in_order(std::move(loose));
}

std::vector<music_ptr> rotated_items(const std::vector<music_ptr>& items, std::int64_t steps,
                                     const part_music* whole);
music_ptr rotated_one(const music_ptr& m, std::int64_t steps);

std::vector<music_ptr> each_rotated(const std::vector<music_ptr>& items, std::int64_t steps) {
  std::vector<music_ptr> out;
  for (const auto& x : items)
    out.push_back(items_of(*x) ? rotated_one(x, steps) : x);
  return out;
}

/// Measures as such, the barline behind them still there; measures within repeats are measures of
/// the whole part. Nothing when there is anything else.
std::optional<std::vector<music_ptr>> as_rotated_measures(const std::vector<music_ptr>& items,
                                                          std::int64_t steps,
                                                          const part_music* whole) {
  auto closing = items.end() - static_cast<std::ptrdiff_t>(closing_barlines(items));
  std::vector<music_ptr> body{items.begin(), closing};
  if (!whole && !std::all_of(body.begin(), body.end(), is_measure)) return std::nullopt;
  auto flat = measures_with_repeat_signs(body);
  if (!flat) return std::nullopt;
  auto out = rotated_measures(*flat, steps, whole);
  out.insert(out.end(), closing, items.end());
  return out;
}

std::vector<music_ptr> rotated_items(const std::vector<music_ptr>& items, std::int64_t steps,
                                     const part_music* whole) {
  if (auto made = as_rotated_measures(items, steps, whole)) return *made;
  auto stays_first = [](const music_ptr& x) {
    auto seq = as_node<seq_music>(*x);
    auto b = leaf<barline>(*x);
    return leaf<attributes>(*x) || (seq && seq->block) || (b && b->location == "left");
  };
  auto first = std::find_if_not(items.begin(), items.end(), stays_first);
  auto last = items.end();
  while (last != first && leaf<barline>(**(last - 1)))
    --last;
  // Where a note with what belongs to it begins.
  std::vector<std::size_t> begins;
  bool inside = true, tied = false;
  for (auto x = first; x != last; ++x) {
    auto at = static_cast<std::size_t>(x - items.begin());
    if (begins.empty() || (!inside && !ends_a_line(**x))) {
      begins.push_back(at);
      inside = true;
    }
    if (!takes_place(**x)) continue;
    if (tied && is_continued(**x) && begins.size() > 1) begins.pop_back();
    tied = goes_on(**x);
    inside = false;
  }
  auto size = begins.size();
  // Marks behind the last note are its own.
  if (size > 1 && inside) --size;
  auto step = places(steps, size);
  if (step == 0) return items;
  auto pieces = parted(items, begins[step]);
  auto head = first - items.begin();
  auto tail = items.end() - last;
  std::vector<music_ptr> out(pieces.before.begin(), pieces.before.begin() + head);
  out.insert(out.end(), pieces.behind.begin(), pieces.behind.end() - tail);
  out.insert(out.end(), pieces.before.begin() + head, pieces.before.end());
  out.insert(out.end(), pieces.behind.end() - tail, pieces.behind.end());
  return out;
}

music_ptr rotated_one(const music_ptr& m, std::int64_t steps) {
  auto items = items_of(*m);
  if (!items) return m;
  auto voices = std::any_of(items->begin(), items->end(), [](const music_ptr& x) {
    return as_node<voice_music>(*x) || as_node<staff_music>(*x);
  });
  auto several = as_node<par_music>(*m) || as_node<score_music>(*m) ||
                 as_node<part_group_music>(*m) || (as_node<measure_music>(*m) && voices);
  return with_items(*m, several ? each_rotated(*items, steps)
                                : rotated_items(*items, steps, as_node<part_music>(*m)));
}

}  // namespace

std::vector<music_ptr> rotated(const std::vector<music_ptr>& items, std::int64_t steps) {
  return rotated_items(with_marks_in_measures(items), steps, nullptr);
}

music_ptr rotated(const music_ptr& m, std::int64_t steps) {
  return rotated_one(with_marks_in_measures(m), steps);
}

}  // namespace fermata
