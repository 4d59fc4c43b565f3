#include "core/score/model/placing.hpp"

#include "core/score/model/metric_spelling.hpp"

#include <algorithm>

namespace fermata {

namespace {

using place_index = std::vector<measure_item>::difference_type;

const chord_rest* timed(const measure_item& item) { return std::get_if<chord_rest>(&item.content); }

bool is_right_barline(const measure_item& item) {
  auto* b = std::get_if<barline>(&item.content);
  return b && b->location == "right";
}

/// Where something of `voice` at `at` goes: behind what the voice has before it (and at the same
/// place, if `behind_equals`), with what stands beside that.
place_index slot(const measure& m, const std::string& voice, measure_position at,
                 bool behind_equals) {
  auto& items = m.items;
  auto n = static_cast<place_index>(items.size());
  place_index last = -1, first = -1;
  bool any_timed = false;
  for (place_index i = 0; i < n; ++i)
    if (auto* x = timed(items[static_cast<std::size_t>(i)])) {
      any_timed = true;
      if (x->voice != voice) continue;
      if (first < 0) first = i;
      auto where = items[static_cast<std::size_t>(i)].at;
      if (where < at || (where == at && behind_equals)) last = i;
    }
  auto beside = [&](place_index i) {
    return i < n && !timed(items[static_cast<std::size_t>(i)]) &&
           !is_right_barline(items[static_cast<std::size_t>(i)]) &&
           items[static_cast<std::size_t>(i)].at <= at;
  };
  if (last >= 0) {
    auto i = last + 1;
    while (beside(i) &&
           items[static_cast<std::size_t>(i)].at >= items[static_cast<std::size_t>(last)].at)
      ++i;
    return i;
  }
  if (first >= 0) return first;
  if (!any_timed) {
    place_index i = 0;
    while (beside(i))
      ++i;
    return i;
  }
  // A new voice goes behind the others.
  auto end = n;
  while (end > 0 && is_right_barline(items[static_cast<std::size_t>(end - 1)]))
    --end;
  return end;
}

void insert(measure& m, place_index i, measure_position at, measure_content c) {
  m.items.insert(m.items.begin() + i, measure_item{at, std::move(c)});
}

template <class T>
void override_changes(std::vector<for_staff<T>>& old, const std::vector<for_staff<T>>& fresh) {
  for (auto& change : fresh) {
    if (!change.staff) old.clear();
    auto same =
        std::find_if(old.begin(), old.end(), [&](auto& c) { return c.staff == change.staff; });
    if (same != old.end())
      *same = change;
    else
      old.push_back(change);
  }
}

/// A clef without a number is the first staff's.
void override_clefs(std::vector<for_staff<clef>>& old, const std::vector<for_staff<clef>>& fresh) {
  for (auto& change : fresh) {
    auto same = std::find_if(old.begin(), old.end(), [&](auto& c) {
      return c.staff.value_or(1) == change.staff.value_or(1);
    });
    if (same != old.end())
      *same = change;
    else
      old.push_back(change);
  }
}

void join(attributes& old, const attributes& fresh) {
  override_changes(old.keys, fresh.keys);
  override_changes(old.times, fresh.times);
  override_changes(old.transpositions, fresh.transpositions);
  override_clefs(old.clefs, fresh.clefs);
  if (fresh.staves) old.staves = fresh.staves;
  if (fresh.multiple_rest) old.multiple_rest = fresh.multiple_rest;
  old.others.insert(old.others.end(), fresh.others.begin(), fresh.others.end());
  if (fresh.extra) old.extra = fresh.extra;
}

void join(barline& old, const barline& fresh) {
  auto take = [](std::string& to, const std::string& from) {
    if (!from.empty()) to = from;
  };
  take(old.style, fresh.style);
  take(old.repeat, fresh.repeat);
  take(old.after_jump, fresh.after_jump);
  take(old.ending_numbers, fresh.ending_numbers);
  take(old.ending_type, fresh.ending_type);
  take(old.ending_text, fresh.ending_text);
  if (fresh.repeat_times) old.repeat_times = fresh.repeat_times;
  if (fresh.extra) old.extra = fresh.extra;
}

chord_rest plain_rest(const std::string& voice, std::uint8_t staff, bool staff_given,
                      quarters length, std::optional<note_value> written) {
  chord_rest x;
  x.length = length;
  x.written = written;
  x.voice = voice;
  x.staff = staff;
  x.staff_given = staff_given;
  note n;
  n.tone = rest{};
  x.notes.push_back(std::move(n));
  return x;
}

/// Whether the notes of a measure say their staves, the first one too.
bool says_staves(const measure& m) {
  return std::any_of(m.items.begin(), m.items.end(), [](auto& item) {
    auto* x = timed(item);
    return x && x->staff_given;
  });
}

preserved without_id(const preserved& p) {
  if (!p) return p;
  auto copy = *p;
  std::erase_if(copy.attributes, [](auto& a) { return a.first == "id"; });
  if (copy.attributes.empty() && copy.children.empty()) return {};
  return copy;
}

/// Which piece of a divided note a mark hangs on.
bool on_last_piece(mark_kind k) {
  return k == mark_kind::fermata_mark || k == mark_kind::breath_mark || k == mark_kind::caesura;
}

/// Which piece an end of a line hangs on. A glissando leaves from the end of its note; the others
/// run over the whole of it.
bool on_last_piece(const spanner& s) {
  switch (s.kind) {
    case spanner_kind::glissando:
    case spanner_kind::slide:
    case spanner_kind::hammer_on:
    case spanner_kind::pull_off:
    case spanner_kind::tied: return s.end == span_end::start || s.end == span_end::let_ring;
    case spanner_kind::slur:
    case spanner_kind::tuplet:
    case spanner_kind::wavy_line:
    case spanner_kind::tremolo: return s.end == span_end::stop;
    default: return false;  // those of directions
  }
}

note piece_of(const note& n, bool first, bool last, bool tie) {
  note piece = n;
  piece.beams.clear();
  if (tie) {
    piece.tie = {};
    if (first) {
      piece.tie.stop = n.tie.stop;
      piece.tie.stop_undrawn = n.tie.stop_undrawn;
    } else {
      piece.tie.stop = true;
    }
    if (last) {
      piece.tie.start = n.tie.start;
      piece.tie.start_undrawn = n.tie.start_undrawn;
    } else {
      piece.tie.start = true;
    }
  }
  std::erase_if(piece.marks, [&](auto& m) {
    if (m.kind == mark_kind::tremolo) return false;
    return on_last_piece(m.kind) ? !last : !first;
  });
  std::erase_if(piece.spanners, [&](auto& s) { return on_last_piece(s) ? !last : !first; });
  if (!first) {
    piece.lyrics.clear();
    piece.accidental.reset();
    piece.extra = without_id(piece.extra);
  }
  return piece;
}

}  // namespace

void place_timed(measure& m, measure_position at, chord_rest x) {
  auto i = slot(m, x.voice, at, true);
  insert(m, i, at, std::move(x));
}

void place_beside(measure& m, measure_position at, const std::string& voice, measure_content c) {
  insert(m, slot(m, voice, at, false), at, std::move(c));
}

void place_attributes(measure& m, measure_position at, const std::string& voice,
                      const attributes& a) {
  for (auto& item : m.items)
    if (auto* old = std::get_if<attributes>(&item.content); old && item.at == at) {
      join(*old, a);
      return;
    }
  if (at != measure_position{}) {
    place_beside(m, at, voice, a);
    return;
  }
  // At the beginning only page layout and the left barline come first.
  place_index i = 0;
  auto n = static_cast<place_index>(m.items.size());
  while (i < n) {
    auto& c = m.items[static_cast<std::size_t>(i)].content;
    auto* b = std::get_if<barline>(&c);
    if (!std::holds_alternative<print_layout>(c) && !(b && b->location == "left")) break;
    ++i;
  }
  insert(m, i, at, a);
}

void place_barline(measure& m, measure_position at, const std::string& voice, const barline& b) {
  for (auto& item : m.items)
    if (auto* old = std::get_if<barline>(&item.content))
      if (old->location == b.location && (b.location != "middle" || item.at == at)) {
        join(*old, b);
        return;
      }
  if (b.location == "left")
    insert(m, 0, measure_position{}, b);
  else if (b.location == "right")
    insert(m, static_cast<place_index>(m.items.size()), at, b);
  else
    place_beside(m, at, voice, b);
}

bool is_inner_barline(const barline& b, measure_position at, measure_position end) {
  return at > measure_position{} && at < end && b.ending_type.empty() && b.repeat != "both";
}

namespace {

// Marked by the attribute of MusicXML that would say it; a barline keeps it in a member of its own.
constexpr const char* side = "location";

}  // namespace

bool has_given_side(const barline& b) {
  return b.extra && std::any_of(b.extra->attributes.begin(), b.extra->attributes.end(),
                                [](const auto& a) { return a.first == side; });
}

void give_side(barline& b) {
  auto extra = b.extra ? *b.extra : preserved_xml{};
  extra.attributes.emplace_back(side, b.location);
  b.extra = preserved{std::move(extra)};
}

bool take_given_side(barline& b) {
  if (!has_given_side(b)) return false;
  auto extra = *b.extra;
  std::erase_if(extra.attributes, [](const auto& a) { return a.first == side; });
  b.extra = extra.attributes.empty() && extra.children.empty() ? preserved{}
                                                               : preserved{std::move(extra)};
  return true;
}

void settle_right_barlines(measure& m) {
  auto end = measure_position{} + extent(m);
  std::stable_partition(m.items.begin(), m.items.end(),
                        [](auto& item) { return !is_right_barline(item); });
  for (auto& item : m.items)
    if (is_right_barline(item)) item.at = std::max(item.at, end);
}

const chord_rest* clear_rests(measure& m, const std::string& voice, measure_position from,
                              measure_position to, const time_signature& t) {
  auto in_the_way = [&](const measure_item& item) {
    auto* x = timed(item);
    return x && x->voice == voice && x->length > quarters{} && item.at < to &&
           item.at + x->length > from;
  };
  for (auto& item : m.items)
    if (in_the_way(item) && !is_rest(*timed(item))) return timed(item);
  struct leftover {
    measure_position from, to;
    std::uint8_t staff;
  };
  std::vector<leftover> leftovers;
  for (auto& item : m.items)
    if (in_the_way(item)) {
      auto& x = *timed(item);
      if (item.at < from) leftovers.push_back({item.at, from, x.staff});
      if (item.at + x.length > to) leftovers.push_back({to, item.at + x.length, x.staff});
    }
  erase_if(m.items, in_the_way);
  for (auto& l : leftovers)
    place_rests(m, voice, l.staff, l.from, l.to, t);
  return nullptr;
}

void place_rests(measure& m, const std::string& voice, std::uint8_t staff, measure_position from,
                 measure_position to, const time_signature& t) {
  if (to <= from) return;
  auto given = staff > 1 || says_staves(m);
  if (from == measure_position{} && to - from == measure_length(t)) {
    auto x = plain_rest(voice, staff, given, to - from, std::nullopt);
    std::get<rest>(x.notes.front().tone).whole_measure = true;
    place_timed(m, from, std::move(x));
    return;
  }
  auto pieces = metric_pieces(from, to - from, t, spelled_as::rest);
  if (pieces.empty())
    place_timed(m, from, plain_rest(voice, staff, given, to - from, std::nullopt));
  for (auto& p : pieces)
    place_timed(m, p.at, plain_rest(voice, staff, given, length(p.value), p.value));
}

std::vector<chord_rest> tied_pieces(const chord_rest& x, const std::vector<note_value>& values) {
  std::vector<chord_rest> pieces;
  for (std::size_t i = 0; i < values.size(); ++i) {
    bool first = i == 0, last = i + 1 == values.size();
    auto piece = x;
    piece.written = values[i];
    piece.length = length(values[i]);
    piece.notes.clear();
    for (auto& n : x.notes)
      piece.notes.push_back(piece_of(n, first, last, !is_rest(x)));
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

}  // namespace fermata
