#include "core/score/model/ties.hpp"

#include <algorithm>

namespace fermata {

namespace {

const chord_rest& chord_at(const part& p, const note_place& at) {
  return std::get<chord_rest>(p.measures[at.measure]->items[at.item].content);
}

measure_position start_of(const part& p, const note_place& at) {
  return p.measures[at.measure]->items[at.item].at;
}

quarters length_of(const part& p, const note_place& at) {
  auto& x = chord_at(p, at);
  auto& n = x.notes[at.note];
  return n.differs && n.differs->length ? *n.differs->length : x.length;
}

bool same_height(const note& a, const note& b) {
  auto* p = std::get_if<pitch>(&a.tone);
  auto* q = std::get_if<pitch>(&b.tone);
  if (p && q) return midi_cents(*p) == midi_cents(*q);
  // Percussion: the same place on the staff and the same instrument.
  return std::holds_alternative<unpitched>(a.tone) && a.tone == b.tone &&
         a.instrument == b.instrument;
}

/// Notes of measure `m` that `wanted` accepts; the same voice first.
template <class Wanted>
std::optional<note_place> find_note(const part& p, std::size_t m, const std::string& voice,
                                    Wanted wanted) {
  std::optional<note_place> other;
  auto& items = p.measures[m]->items;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (auto* x = std::get_if<chord_rest>(&items[i].content))
      for (std::size_t n = 0; n < x->notes.size(); ++n)
        if (note_place place{m, i, n}; wanted(place)) {
          if (x->voice == voice) return place;
          if (!other) other = place;
        }
  return other;
}

std::optional<note_place> ends_at(const part& p, std::size_t m, measure_position end,
                                  const note_place& into) {
  auto& n = note_at(p, into);
  return find_note(p, m, chord_at(p, into).voice, [&](const note_place& c) {
    return c != into && note_at(p, c).tie.start && same_height(note_at(p, c), n) &&
           start_of(p, c) + length_of(p, c) == end;
  });
}

/// The nearest note of the voice and height behind `from` that `wanted` accepts, while notes sound
/// on in between.
template <class Wanted>
std::optional<note_place> collected(const part& p, const note_place& from, bool forwards,
                                    Wanted wanted) {
  auto& items = p.measures[from.measure]->items;
  auto& origin = chord_at(p, from);
  std::vector<std::size_t> line;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (auto* x = std::get_if<chord_rest>(&items[i].content);
        x && x->voice == origin.voice && !x->grace &&
        (forwards ? items[i].at > items[from.item].at : items[i].at < items[from.item].at))
      line.push_back(i);
  std::stable_sort(line.begin(), line.end(),
                   [&](auto a, auto b) { return items[a].at < items[b].at; });
  if (!forwards) std::reverse(line.begin(), line.end());
  for (auto i : line) {
    auto& x = std::get<chord_rest>(items[i].content);
    if (is_rest(x)) return std::nullopt;
    for (std::size_t n = 0; n < x.notes.size(); ++n)
      if (same_height(x.notes[n], note_at(p, from)))
        return wanted(x.notes[n]) ? std::optional{note_place{from.measure, i, n}} : std::nullopt;
  }
  return std::nullopt;
}

bool ends_ending(const measure& m) {
  return std::any_of(m.items.begin(), m.items.end(), [](auto& item) {
    auto* b = std::get_if<barline>(&item.content);
    return b && (b->ending_type == "stop" || b->ending_type == "discontinue");
  });
}

/// Where the endings of the row begin whose first one begins with measure `first`. They lie side by
/// side; in a file that does not say where an ending stops it reaches as far as the next.
std::vector<std::size_t> row_of_endings(const part& p, std::size_t first) {
  auto& all = p.measures;
  std::vector<std::size_t> row;
  if (first >= all.size() || !starts_ending(*all[first])) return row;
  row.push_back(first);
  std::optional<std::size_t> stopped;
  if (ends_ending(*all[first])) stopped = first;
  for (auto m = all.next_ending(first + 1); m < all.size(); m = all.next_ending(m + 1)) {
    if (stopped && *stopped + 1 < m) break;
    if (starts_ending(*all[m])) {
      row.push_back(m);
      stopped.reset();
    }
    if (ends_ending(*all[m])) stopped = m;
  }
  return row;
}

}  // namespace

bool starts_ending(const measure& m) {
  return std::any_of(m.items.begin(), m.items.end(), [](auto& item) {
    auto* b = std::get_if<barline>(&item.content);
    return b && b->ending_type == "start";
  });
}

const note& note_at(const part& p, const note_place& at) { return chord_at(p, at).notes[at.note]; }

std::optional<note_place> tied_to(const part& p, const note_place& at) {
  auto all = all_tied_to(p, at);
  return all.empty() ? std::nullopt : std::optional{all.front()};
}

std::vector<note_place> all_tied_to(const part& p, const note_place& at) {
  auto& n = note_at(p, at);
  if (!n.tie.start) return {};
  auto end = start_of(p, at) + length_of(p, at);
  auto begins_at = [&](std::size_t m, measure_position begin) {
    return find_note(p, m, chord_at(p, at).voice, [&](const note_place& c) {
      return c != at && note_at(p, c).tie.stop && same_height(note_at(p, c), n) &&
             start_of(p, c) == begin;
    });
  };
  if (auto found = begins_at(at.measure, end)) return {*found};
  if (end - measure_position{} < extent(*p.measures[at.measure]) ||
      at.measure + 1 >= p.measures.size()) {
    auto found = collected(p, at, true, [](const note& c) { return c.tie.stop; });
    return found ? std::vector{*found} : std::vector<note_place>{};
  }
  auto row = row_of_endings(p, at.measure + 1);
  if (row.empty()) row.push_back(at.measure + 1);
  std::vector<note_place> found;
  for (auto m : row)
    if (auto next = begins_at(m, measure_position{})) found.push_back(*next);
  return found;
}

std::optional<note_place> tied_from(const part& p, const note_place& at) {
  if (!note_at(p, at).tie.stop) return std::nullopt;
  auto begin = start_of(p, at);
  if (auto found = ends_at(p, at.measure, begin, at)) return found;
  if (begin != measure_position{})
    return collected(p, at, false, [](const note& c) { return c.tie.start; });
  if (at.measure == 0) return std::nullopt;
  auto end_of_measure = [&](std::size_t m) { return measure_position{} + extent(*p.measures[m]); };
  if (auto found = ends_at(p, at.measure - 1, end_of_measure(at.measure - 1), at)) return found;
  if (!starts_ending(*p.measures[at.measure])) return std::nullopt;
  // The measure before the first of the endings in a row.
  for (auto m = at.measure - 1; m > 0; --m) {
    if (ends_ending(*p.measures[m]) && !starts_ending(*p.measures[m + 1])) return std::nullopt;
    if (!starts_ending(*p.measures[m])) continue;
    if (auto found = ends_at(p, m - 1, end_of_measure(m - 1), at)) return found;
  }
  return std::nullopt;
}

}  // namespace fermata
