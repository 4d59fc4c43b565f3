#include "core/score/model/delta.hpp"
#include "core/score/model/same_music.hpp"
#include "core/score/model/wording.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace fermata {

namespace {

struct note_counts {
  std::size_t added = 0, removed = 0, changed = 0;
};

/// The notes (no rests) at each place of each voice, in order; grace notes of a place follow each
/// other.
using place = std::pair<std::string, rational>;
struct placed_note {
  const note* what;
  const chord_rest* in;
  /// The same note to the ear and eye; where it stands is the key.
  friend bool operator==(const placed_note& a, const placed_note& b) {
    return *a.what == *b.what && a.in->length == b.in->length && a.in->written == b.in->written &&
           a.in->tuplet == b.in->tuplet && a.in->grace == b.in->grace && a.in->cue == b.in->cue &&
           a.in->staff == b.in->staff;
  }
};

std::map<place, std::vector<placed_note>> notes_by_place(const measure& m) {
  std::map<place, std::vector<placed_note>> found;
  for (auto& item : m.items)
    if (auto* x = std::get_if<chord_rest>(&item.content); x && !is_rest(*x))
      for (auto& n : x->notes)
        found[{x->voice, item.at.value}].push_back({&n, x});
  return found;
}

std::size_t count_notes(const measure& m) {
  std::size_t n = 0;
  for (auto& item : m.items)
    if (auto* x = std::get_if<chord_rest>(&item.content); x && !is_rest(*x)) n += x->notes.size();
  return n;
}

void compare_notes(const measure& before, const measure& after, note_counts& counts) {
  auto a = notes_by_place(before), b = notes_by_place(after);
  for (auto& [at, old_notes] : a) {
    auto found = b.find(at);
    if (found == b.end()) {
      counts.removed += old_notes.size();
      continue;
    }
    auto fresh = found->second;
    std::size_t unmatched = 0;
    for (auto& n : old_notes)
      if (auto it = std::find(fresh.begin(), fresh.end(), n); it != fresh.end())
        fresh.erase(it);
      else
        ++unmatched;
    auto changed = std::min(unmatched, fresh.size());
    counts.changed += changed;
    counts.removed += unmatched - changed;
    counts.added += fresh.size() - changed;
    b.erase(found);
  }
  for (auto& [at, notes] : b)
    counts.added += notes.size();
}

/// Measures by their place, with the numbers that are printed.
using numbered_measures = std::set<std::pair<std::size_t, std::string>>;

void add_number(numbered_measures& to, std::size_t index, const measure& m) {
  to.emplace(index, m.number.empty() ? std::to_string(index + 1) : m.number);
}

/// "measure 3", "measures 3 to 5, 8".
std::string in_words(const numbered_measures& found) {
  constexpr std::size_t most = 3;
  std::vector<std::string> ranges;
  for (auto first = found.begin(); first != found.end();) {
    auto last = first;
    for (auto next = std::next(last); next != found.end() && next->first == last->first + 1; ++next)
      last = next;
    ranges.push_back(first == last ? first->second : first->second + " to " + last->second);
    first = std::next(last);
  }
  std::string text = found.size() == 1 ? "measure " : "measures ";
  for (std::size_t i = 0; i < ranges.size() && i < most; ++i)
    text += (i ? ", " : "") + ranges[i];
  if (ranges.size() > most) text += " and others";
  return found.empty() ? std::string{} : text;
}

std::vector<measure_ptr> first_of(const std::vector<measure_ptr>& measures, std::size_t count) {
  return {measures.begin(), measures.begin() + static_cast<std::ptrdiff_t>(count)};
}

/// What changed in the measures, over all parts.
struct measure_changes {
  note_counts notes;
  /// A measure of the piece is changed once, in however many parts.
  std::set<std::size_t> changed;
  numbered_measures places;
};

/// Measures that came to a part or went from it.
struct measure_rows {
  std::size_t added = 0, removed = 0;
  numbered_measures places;
};

/// Compares a range of measures; `first_after` is the place of its first in the later score.
void compare_range(const measure_replacement& r, std::size_t first_after,
                   const std::pair<part_state, part_state>& in_front, measure_changes& all,
                   measure_rows& rows) {
  // Measures that only got another number are not changed to anyone who reads or hears them.
  auto behind_before = r.before.size(), behind_after = r.after.size();
  while (behind_before > 0 && behind_after > 0 &&
         shares_music(*r.before[behind_before - 1], *r.after[behind_after - 1]))
    --behind_before, --behind_after;
  auto kept = same_measures(first_of(r.before, behind_before), first_of(r.after, behind_after),
                            in_front.first, in_front.second);
  kept.emplace_back(behind_before, behind_after);
  std::size_t i = 0, j = 0;
  for (auto [kept_i, kept_j] : kept) {
    for (; i < kept_i && j < kept_j; ++i, ++j) {
      all.changed.insert(first_after + j);
      add_number(all.places, first_after + j, *r.after[j]);
      compare_notes(*r.before[i], *r.after[j], all.notes);
    }
    for (; i < kept_i; ++i) {
      ++rows.removed;
      add_number(rows.places, r.first + i, *r.before[i]);
      all.notes.removed += count_notes(*r.before[i]);
    }
    for (; j < kept_j; ++j) {
      ++rows.added;
      add_number(rows.places, first_after + j, *r.after[j]);
      all.notes.added += count_notes(*r.after[j]);
    }
    i = kept_i + 1;
    j = kept_j + 1;
  }
}

measure_rows compare_part(const part_change& p, measure_changes& all) {
  measure_rows rows;
  std::size_t shift_before = 0, shift_after = 0;
  in_force_between between;
  for (auto& r : p.measures) {
    compare_range(r, r.first + shift_after - shift_before, between.in_front_of(r), all, rows);
    shift_before += r.before.size();
    shift_after += r.after.size();
  }
  return rows;
}

std::size_t count_notes(const part& p) {
  std::size_t n = 0;
  for (auto& m : p.measures)
    n += count_notes(*m);
  return n;
}

/// Whether the parts that stayed are in another order than before.
bool is_reordered(const score_delta& d) {
  std::optional<std::size_t> last;
  for (auto& place : d.moved_to)
    if (place) {
      if (last && *place < *last) return true;
      last = place;
    }
  return false;
}

}  // namespace

std::pair<part_state, part_state> in_force_between::in_front_of(const measure_replacement& r) {
  if (r.first != end_) before_ = after_ = {};
  std::pair in_front{before_, after_};
  for (auto& m : r.before)
    before_.apply(*m);
  for (auto& m : r.after)
    after_.apply(*m);
  end_ = r.first + r.before.size();
  return in_front;
}

delta_summary summarize(const score_delta& d) {
  delta_summary s;
  measure_changes all;
  auto& notes = all.notes;
  // Rows of measures that came or went are told by one part: all parts have them, and among rests
  // each tells their place differently.
  numbered_measures rows;
  bool rows_have_notes = false;
  for (auto& c : d.changed) {
    s.parts_changed.push_back(c.name);
    auto notes_before = notes.added + notes.removed;
    auto own = compare_part(c, all);
    auto has_notes = notes.added + notes.removed > notes_before;
    if (!own.places.empty() && (rows.empty() || (has_notes && !rows_have_notes))) {
      rows = std::move(own.places);
      rows_have_notes = has_notes;
    }
    // Parts lie beside each other, so the one that gained or lost most says how many measures the
    // piece did. Where that was cannot be compared: among rests each part tells it differently.
    s.measures_added = std::max(s.measures_added, own.added);
    s.measures_removed = std::max(s.measures_removed, own.removed);
  }
  for (auto& p : d.added) {
    s.parts_added.push_back(part_label(*p.value));
    notes.added += count_notes(*p.value);
  }
  for (auto& p : d.removed) {
    s.parts_removed.push_back(part_label(*p.value));
    notes.removed += count_notes(*p.value);
  }
  s.parts_reordered = is_reordered(d);
  s.header_changed = d.frame_before && d.frame_before->header != d.frame_after->header;
  s.measures_changed = all.changed.size();
  all.places.merge(rows);
  s.measures = in_words(all.places);
  s.notes_added = notes.added;
  s.notes_removed = notes.removed;
  s.notes_changed = notes.changed;
  return s;
}

std::string to_string(const delta_summary& s) {
  auto joined = [](const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < 3; ++i)
      text += (i ? ", " : "") + names[i];
    if (names.size() > 3) text += " and " + std::to_string(names.size() - 3) + " more";
    return text;
  };
  auto counts = [](std::string noun, std::size_t added, std::size_t removed, std::size_t changed) {
    std::string text;
    auto add = [&](std::size_t n, const char* verb) {
      if (n == 0) return;
      text += text.empty() ? std::to_string(n) + " " + noun + (n == 1 ? "" : "s")
                           : ", " + std::to_string(n);
      text += std::string{" "} + verb;
    };
    add(added, "added");
    add(removed, "removed");
    add(changed, "changed");
    return text;
  };
  std::vector<std::string> clauses;
  if (!s.parts_added.empty()) clauses.push_back(joined(s.parts_added) + " added");
  if (!s.parts_removed.empty()) clauses.push_back(joined(s.parts_removed) + " removed");
  if (s.parts_reordered) clauses.push_back("parts reordered");
  if (s.header_changed) clauses.push_back("title or credits changed");
  std::string text;
  for (auto& clause : {counts("measure", s.measures_added, s.measures_removed, s.measures_changed),
                       counts("note", s.notes_added, s.notes_removed, s.notes_changed)})
    if (!clause.empty()) text += (text.empty() ? "" : "; ") + clause;
  if (!s.parts_changed.empty())
    text = joined(s.parts_changed) + (s.measures.empty() ? "" : ", " + s.measures) +
           (text.empty() ? " changed" : ": " + text);
  if (!text.empty()) clauses.push_back(text);
  std::string all;
  for (auto& clause : clauses)
    all += (all.empty() ? "" : "; ") + clause;
  return all.empty() ? "no change" : all;
}

}  // namespace fermata
