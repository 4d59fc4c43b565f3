#include "core/score/delta.hpp"

#include "core/score/align.hpp"
#include "core/score/content_hash.hpp"
#include "core/score/wording.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace fermata {

namespace {

bool same(const measure_ptr& a, const measure_ptr& b) { return a == b || *a == *b; }

bool same(const std::vector<measure_ptr>& a, const std::vector<measure_ptr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](auto& x, auto& y) { return same(x, y); });
}

/// The very same music, though perhaps under another number: told without reading it.
bool shares_music(const measure& a, const measure& b) {
  return a.items.shares(b.items) && a.implicit == b.implicit && a.padded_to == b.padded_to;
}

part_ptr without_measures(const part& p) {
  auto header = std::make_shared<part>();
  header->id = p.id;
  header->name = p.name;
  header->abbreviation = p.abbreviation;
  header->instruments = p.instruments;
  header->extra = p.extra;
  return header;
}

bool same_header(const part& a, const part& b) {
  return a.id == b.id && a.name == b.name && a.abbreviation == b.abbreviation &&
         a.instruments == b.instruments && a.extra == b.extra;
}

/// A stretch of both sides: measures [i, i_end) of the one, [j, j_end) of the other.
struct stretch {
  std::size_t i, i_end, j, j_end;
};

/// Pairs (i, j) of measures with equal keys in ascending order: a longest common subsequence when
/// each key occurs once, which is the rule; of repeated ones the n-th is paired with the n-th.
template <class Key>
std::vector<std::pair<std::size_t, std::size_t>> common_measures(const measure_list& a,
                                                                 const measure_list& b, stretch s,
                                                                 Key key) {
  std::unordered_map<decltype(key(a.front())), std::vector<std::size_t>> places;
  for (auto i = s.i_end; i-- > s.i;)
    places[key(a[i])].push_back(i);
  std::vector<std::pair<std::size_t, std::size_t>> candidates;  // (i, j), j ascending
  for (auto j = s.j; j < s.j_end; ++j)
    if (auto it = places.find(key(b[j])); it != places.end() && !it->second.empty())
      if (auto i = it->second.back(); same(a[i], b[j])) {
        it->second.pop_back();
        candidates.emplace_back(i, j);
      }
  // Longest increasing subsequence of i (patience sorting).
  std::vector<std::size_t> piles;
  std::vector<std::optional<std::size_t>> previous(candidates.size());
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    auto pile =
        std::lower_bound(piles.begin(), piles.end(), candidates[k].first,
                         [&](std::size_t top, std::size_t i) { return candidates[top].first < i; });
    if (pile != piles.begin()) previous[k] = *std::prev(pile);
    if (pile == piles.end())
      piles.push_back(k);
    else
      *pile = k;
  }
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  if (!piles.empty())
    for (std::optional<std::size_t> k = piles.back(); k; k = previous[*k])
      pairs.push_back(candidates[*k]);
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

/// Calls `visit(stretch)` for what lies between the pairs.
template <class Visitor>
void for_each_gap(const std::vector<std::pair<std::size_t, std::size_t>>& pairs, stretch s,
                  Visitor visit) {
  for (auto [i, j] : pairs) {
    visit(stretch{s.i, i, s.j, j});
    s.i = i + 1;
    s.j = j + 1;
  }
  visit(s);
}

/// What differs within `s`. Shared measures are found by pointer; only what lies between them is
/// compared by content, so that distant edits do not read the music between them.
template <class Emit>
void align(const measure_list& a, const measure_list& b, stretch s, Emit emit) {
  while (s.i < s.i_end && s.j < s.j_end && same(a[s.i], b[s.j]))
    ++s.i, ++s.j;
  while (s.i < s.i_end && s.j < s.j_end && same(a[s.i_end - 1], b[s.j_end - 1]))
    --s.i_end, --s.j_end;
  // What follows an insertion or deletion only got other numbers. It is told from the measures
  // before it without a look into the music, and belongs to the last stretch that differs.
  auto whole = s;
  while (s.i < s.i_end && s.j < s.j_end && shares_music(*a[s.i_end - 1], *b[s.j_end - 1]))
    --s.i_end, --s.j_end;
  auto by_pointer = [](const measure_ptr& m) { return m.get(); };
  auto by_content = [](const measure_ptr& m) { return content_hash(*m); };
  for_each_gap(common_measures(a, b, s, by_pointer), s, [&](stretch gap) {
    for_each_gap(common_measures(a, b, gap, by_content), gap, [&](stretch rest) {
      if (rest.i_end == s.i_end && rest.j_end == s.j_end)
        rest.i_end = whole.i_end, rest.j_end = whole.j_end;
      if (rest.i < rest.i_end || rest.j < rest.j_end) emit(rest);
    });
  });
}

std::vector<measure_replacement> replacements(const measure_list& a, const measure_list& b) {
  std::vector<measure_replacement> found;
  auto slice = [](auto& v, std::size_t from, std::size_t to) {
    return std::vector<measure_ptr>(v.begin() + static_cast<std::ptrdiff_t>(from),
                                    v.begin() + static_cast<std::ptrdiff_t>(to));
  };
  auto add = [&](stretch s) {
    found.push_back({s.i, slice(a, s.i, s.i_end), slice(b, s.j, s.j_end)});
  };
  if (a.size() != b.size()) {
    align(a, b, {0, a.size(), 0, b.size()}, add);
    return found;
  }
  auto x = a.begin(), y = b.begin();
  while (x != a.end()) {
    if (auto n = static_cast<std::ptrdiff_t>(shared_from(x, y)); n > 0) {
      x += n, y += n;
      continue;
    }
    auto begin = static_cast<std::size_t>(x - a.begin());
    for (; x != a.end() && !same(*x, *y); ++x, ++y)
      ;
    auto end = static_cast<std::size_t>(x - a.begin());
    // A long run may be a shift, from an insertion at one end and a deletion at the other.
    if (end - begin > 2)
      align(a, b, {begin, end, begin, end}, add);
    else if (end > begin)
      add({begin, end, begin, end});
    else
      ++x, ++y;
  }
  return found;
}

/// A part's identity among parts that may share an id.
using part_key = std::pair<std::string, std::size_t>;

std::vector<part_key> keys_of(const score& s) {
  std::map<std::string, std::size_t> seen;
  std::vector<part_key> keys;
  for (auto& p : s.parts)
    keys.emplace_back(p->id, seen[p->id]++);
  return keys;
}

frame_change frame_of(const score& s) { return {s.header, s.part_list, s.extra}; }

tl::unexpected<error> unexpected_score(std::string what) {
  return fail({errc::invalid_score,
               "this change belongs to another state of the score: " + what,
               {},
               "undo and redo in order, or make the change again"});
}

}  // namespace

bool operator==(const measure_replacement& a, const measure_replacement& b) {
  return a.first == b.first && same(a.before, b.before) && same(a.after, b.after);
}

bool operator==(const part_change& a, const part_change& b) {
  return a.id == b.id && a.index_before == b.index_before && a.index_after == b.index_after &&
         a.name == b.name && a.measures_before == b.measures_before && a.measures == b.measures &&
         a.header.has_value() == b.header.has_value() &&
         (!a.header ||
          (*a.header->before == *b.header->before && *a.header->after == *b.header->after));
}

score_delta diff_snapshots(const score_ptr& before, const score_ptr& after) {
  score_delta d;
  if (before == after) return d;
  auto before_keys = keys_of(*before), after_keys = keys_of(*after);
  std::map<part_key, std::size_t> place_after;
  for (std::size_t j = 0; j < after_keys.size(); ++j)
    place_after.emplace(after_keys[j], j);

  std::vector<std::optional<std::size_t>> moved_to(before_keys.size());
  std::vector<bool> kept(after_keys.size());
  for (std::size_t i = 0; i < before_keys.size(); ++i) {
    auto& a = before->parts[i];
    auto found = place_after.find(before_keys[i]);
    if (found == place_after.end()) {
      d.removed.push_back({i, a});
      continue;
    }
    auto j = found->second;
    moved_to[i] = j;
    kept[j] = true;
    auto& b = after->parts[j];
    if (a == b) continue;
    part_change change;
    change.id = a->id;
    change.index_before = i;
    change.index_after = j;
    change.name = part_label(*b);
    change.measures_before = a->measures.size();
    change.measures = replacements(a->measures, b->measures);
    if (!same_header(*a, *b))
      change.header = part_change::header_change{without_measures(*a), without_measures(*b)};
    if (change.header || !change.measures.empty()) d.changed.push_back(std::move(change));
  }
  for (std::size_t j = 0; j < kept.size(); ++j)
    if (!kept[j]) d.added.push_back({j, after->parts[j]});
  auto same_places = d.removed.empty() && d.added.empty();
  for (std::size_t i = 0; same_places && i < moved_to.size(); ++i)
    same_places = moved_to[i] == i;
  if (!same_places) d.moved_to = std::move(moved_to);
  if (!(before->header == after->header && before->part_list == after->part_list &&
        before->extra == after->extra)) {
    d.frame_before = frame_of(*before);
    d.frame_after = frame_of(*after);
  }
  if (!d.empty())
    for (auto& p : before->parts)
      d.ids_before.push_back(p->id);
  return d;
}

result<score_ptr> applied(const score_delta& d, const score_ptr& s) {
  if (d.empty()) return s;
  // All checks come before the first change.
  if (s->parts.size() != d.ids_before.size())
    return unexpected_score("it has " + std::to_string(s->parts.size()) + " parts, " +
                            std::to_string(d.ids_before.size()) + " are expected");
  for (std::size_t i = 0; i < s->parts.size(); ++i)
    if (s->parts[i]->id != d.ids_before[i])
      return unexpected_score("part " + std::to_string(i + 1) + " is " + s->parts[i]->id + ", " +
                              d.ids_before[i] + " is expected");
  for (auto& c : d.changed) {
    auto& p = *s->parts[c.index_before];
    if (p.measures.size() != c.measures_before)
      return unexpected_score(part_label(p) + " has " + std::to_string(p.measures.size()) +
                              " measures, " + std::to_string(c.measures_before) + " are expected");
    if (c.header && !same_header(p, *c.header->before))
      return unexpected_score("name or instruments of " + part_label(p) + " differ");
    for (auto& r : c.measures)
      for (std::size_t i = 0; i < r.before.size(); ++i)
        if (!same(p.measures[r.first + i], r.before[i]))
          return unexpected_score(measure_name(*p.measures[r.first + i], r.first + i) + " of " +
                                  part_label(p) + " differs");
  }
  for (auto& r : d.removed)
    if (!(s->parts[r.index] == r.value || *s->parts[r.index] == *r.value))
      return unexpected_score(part_label(*r.value) + " differs");
  if (d.frame_before && !(frame_of(*s) == *d.frame_before))
    return unexpected_score("title, credits or part list differ");

  auto next = std::make_shared<score>();
  next->header = d.frame_after ? d.frame_after->header : s->header;
  next->part_list = d.frame_after ? d.frame_after->part_list : s->part_list;
  next->extra = d.frame_after ? d.frame_after->extra : s->extra;
  if (!d.rearranges()) {
    next->parts = s->parts;
  } else {
    next->parts.resize(s->parts.size() - d.removed.size() + d.added.size());
    for (std::size_t i = 0; i < s->parts.size(); ++i)
      if (d.moved_to[i]) next->parts[*d.moved_to[i]] = s->parts[i];
    for (auto& a : d.added)
      next->parts[a.index] = a.value;
  }
  for (auto& c : d.changed) {
    auto& old = *s->parts[c.index_before];
    auto p = std::make_shared<part>(c.header ? *c.header->after : *without_measures(old));
    p->measures = old.measures;
    // From the end, so that the places before still hold.
    for (auto r = c.measures.rbegin(); r != c.measures.rend(); ++r)
      p->measures.replace(r->first, r->before.size(), r->after);
    p->measures.seal();
    next->parts[c.index_after] = std::move(p);
  }
  return score_ptr{std::move(next)};
}

score_delta inverted(const score_delta& d) {
  score_delta back;
  for (auto& c : d.changed) {
    part_change r;
    r.id = c.id;
    r.index_before = c.index_after;
    r.index_after = c.index_before;
    r.name = c.name;
    r.measures_before = c.measures_before;
    for (auto& m : c.measures) {
      // Indices of the other side: shifted by what the replacements before this one added.
      auto first = m.first + r.measures_before - c.measures_before;
      r.measures.push_back({first, m.after, m.before});
      r.measures_before += m.after.size() - m.before.size();
    }
    if (c.header) {
      r.header = part_change::header_change{c.header->after, c.header->before};
      r.name = part_label(*c.header->before);
    }
    back.changed.push_back(std::move(r));
  }
  std::sort(back.changed.begin(), back.changed.end(),
            [](auto& a, auto& b) { return a.index_before < b.index_before; });
  back.removed = d.added;
  back.added = d.removed;
  back.frame_before = d.frame_after;
  back.frame_after = d.frame_before;
  if (!d.rearranges()) {
    back.ids_before = d.ids_before;
    return back;
  }
  auto after_count = d.ids_before.size() - d.removed.size() + d.added.size();
  back.moved_to.resize(after_count);
  back.ids_before.resize(after_count);
  for (std::size_t i = 0; i < d.moved_to.size(); ++i)
    if (d.moved_to[i]) {
      back.moved_to[*d.moved_to[i]] = i;
      back.ids_before[*d.moved_to[i]] = d.ids_before[i];
    }
  for (auto& a : d.added)
    back.ids_before[a.index] = a.value->id;
  return back;
}

// --- in numbers ----------------------------------------------------------------------------------

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
  for (auto& [at, notes] : notes_by_place(m))
    n += notes.size();
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

/// Of the first `count` ones.
std::vector<std::uint64_t> hashes(const std::vector<measure_ptr>& measures, std::size_t count) {
  std::vector<std::uint64_t> found;
  for (std::size_t i = 0; i < count; ++i)
    found.push_back(music_hash(*measures[i]));
  return found;
}

}  // namespace

delta_summary summarize(const score_delta& d) {
  delta_summary s;
  note_counts notes;
  // A measure of the piece is added, removed or changed once, in however many parts.
  std::set<std::size_t> added, removed, changed;
  for (auto& c : d.changed) {
    s.parts_changed.push_back(c.name);
    std::size_t shift_before = 0, shift_after = 0;
    for (auto& r : c.measures) {
      auto first_after = r.first + shift_after - shift_before;
      // Measures that only got another number are not changed to anyone who reads or hears them.
      auto behind_before = r.before.size(), behind_after = r.after.size();
      while (behind_before > 0 && behind_after > 0 &&
             shares_music(*r.before[behind_before - 1], *r.after[behind_after - 1]))
        --behind_before, --behind_after;
      auto kept =
          common_subsequence(hashes(r.before, behind_before), hashes(r.after, behind_after));
      kept.emplace_back(behind_before, behind_after);
      std::size_t i = 0, j = 0;
      for (auto [kept_i, kept_j] : kept) {
        for (; i < kept_i && j < kept_j; ++i, ++j) {
          changed.insert(first_after + j);
          compare_notes(*r.before[i], *r.after[j], notes);
        }
        for (; i < kept_i; ++i) {
          removed.insert(r.first + i);
          notes.removed += count_notes(*r.before[i]);
        }
        for (; j < kept_j; ++j) {
          added.insert(first_after + j);
          notes.added += count_notes(*r.after[j]);
        }
        i = kept_i + 1;
        j = kept_j + 1;
      }
      shift_before += r.before.size();
      shift_after += r.after.size();
    }
  }
  for (auto& p : d.added) {
    s.parts_added.push_back(part_label(*p.value));
    for (auto& m : p.value->measures)
      notes.added += count_notes(*m);
  }
  for (auto& p : d.removed) {
    s.parts_removed.push_back(part_label(*p.value));
    for (auto& m : p.value->measures)
      notes.removed += count_notes(*m);
  }
  // What stayed is in another order than before.
  std::optional<std::size_t> last;
  for (auto& place : d.moved_to)
    if (place) {
      s.parts_reordered |= last && *place < *last;
      last = place;
    }
  s.header_changed = d.frame_before && d.frame_before->header != d.frame_after->header;
  s.measures_added = added.size();
  s.measures_removed = removed.size();
  s.measures_changed = changed.size();
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
    text = joined(s.parts_changed) + (text.empty() ? " changed" : ": " + text);
  if (!text.empty()) clauses.push_back(text);
  std::string all;
  for (auto& clause : clauses)
    all += (all.empty() ? "" : "; ") + clause;
  return all.empty() ? "no change" : all;
}

}  // namespace fermata
