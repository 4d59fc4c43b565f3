#include "core/score/edit/divided_tuplet.hpp"

#include "core/score/model/placing.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace fermata {

namespace {

struct voice_note {
  measure_position at;
  chord_rest* x;
};

std::vector<voice_note> notes_of(measure& m, const std::string& voice) {
  std::vector<voice_note> found;
  for (auto& item : m.items)
    if (auto* x = std::get_if<chord_rest>(&item.content); x && x->voice == voice && !x->grace)
      found.push_back({item.at, x});
  std::stable_sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.at < b.at; });
  return found;
}

int brackets_of(const chord_rest& x, span_end end) {
  auto& spanners = x.notes.front().spanners;
  return static_cast<int>(std::count_if(spanners.begin(), spanners.end(), [&](auto& s) {
    return s.kind == spanner_kind::tuplet && s.end == end;
  }));
}

bool same_ratio(const chord_rest& a, const chord_rest& b) {
  return a.tuplet && b.tuplet && a.written && b.written && a.tuplet->actual == b.tuplet->actual &&
         a.tuplet->normal == b.tuplet->normal;
}

}  // namespace

std::vector<chord_rest> tuplet_pieces(const chord_rest& x, const std::vector<quarters>& lengths) {
  std::vector<note_value> values;
  const rational scale{x.tuplet->actual, x.tuplet->normal};
  for (auto l : lengths) {
    auto value = note_value_for(l * scale);
    if (!value) return {};
    values.push_back(*value);
  }
  auto pieces = tied_pieces(x, values);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    pieces[i].length = lengths[i];
    if (!x.tuplet->normal_type && x.written && *x.written != values[i])
      pieces[i].tuplet->normal_type = x.written;
  }
  return pieces;
}

void divide_brackets(measure& before, measure& after, const std::string& voice) {
  auto left = notes_of(before, voice), right = notes_of(after, voice);
  if (left.empty() || right.empty()) return;
  std::map<std::uint8_t, spanner> open;
  for (auto& [at, x] : left)
    for (auto& s : x->notes.front().spanners)
      if (s.kind == spanner_kind::tuplet && s.end == span_end::start)
        open[s.number] = s;
      else if (s.kind == spanner_kind::tuplet && s.end == span_end::stop)
        open.erase(s.number);
  auto& closing = left.back().x->notes.front().spanners;
  auto& opening = right.front().x->notes.front().spanners;
  auto place = opening.begin();
  for (auto& [number, bracket] : open) {
    closing.push_back(spanner{spanner_kind::tuplet, span_end::stop, number, {}, {}});
    place = std::next(opening.insert(place, bracket));
  }
}

void settle_unit(measure& m, const std::string& voice, measure_position at) {
  auto notes = notes_of(m, voice);
  auto here = std::find_if(notes.begin(), notes.end(), [&](auto& n) { return n.at == at; });
  if (here == notes.end()) return;
  auto begin = here;
  while (begin != notes.begin() && brackets_of(*begin->x, span_end::start) == 0)
    --begin;
  auto end = here;
  while (end != notes.end() && brackets_of(*end->x, span_end::stop) == 0)
    ++end;
  if (end == notes.end() || brackets_of(*begin->x, span_end::start) == 0) return;
  ++end;
  // Nested ones say their ratios themselves.
  quarters written;
  auto all_say_it = true;
  for (auto n = begin; n != end; ++n) {
    auto inside = n != begin && brackets_of(*n->x, span_end::start) > 0;
    if (inside || brackets_of(*n->x, span_end::start) > 1 || !same_ratio(*n->x, *begin->x)) return;
    written += length(*n->x->written);
    all_say_it = all_say_it && n->x->tuplet->normal_type;
  }
  auto unit = note_value_for(written / rational{begin->x->tuplet->actual});
  if (all_say_it || !unit) return;
  for (auto n = begin; n != end; ++n)
    n->x->tuplet->normal_type = n->x->written == unit ? std::nullopt : unit;
}

}  // namespace fermata
