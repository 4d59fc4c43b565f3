#include "core/score/delta.hpp"

#include "core/score/content_hash.hpp"
#include "core/score/same_music.hpp"
#include "core/score/wording.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace fermata {

namespace {

bool same(const measure_ptr& a, const measure_ptr& b) { return a == b || *a == *b; }

bool same(const std::vector<measure_ptr>& a, const std::vector<measure_ptr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](auto& x, auto& y) { return same(x, y); });
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

/// Pairs (i, j) of measures that both sides share, in ascending order: a longest common subsequence
/// when each stands there once, which is the rule; of repeated ones the n-th is paired with the
/// n-th.
std::vector<std::pair<std::size_t, std::size_t>> shared_measures(const measure_list& a,
                                                                 const measure_list& b, stretch s) {
  std::unordered_map<const measure*, std::vector<std::size_t>> places;
  for (auto i = s.i_end; i-- > s.i;)
    places[a[i].get()].push_back(i);
  std::vector<std::pair<std::size_t, std::size_t>> candidates;  // (i, j), j ascending
  for (auto j = s.j; j < s.j_end; ++j)
    if (auto it = places.find(b[j].get()); it != places.end() && !it->second.empty()) {
      candidates.emplace_back(it->second.back(), j);
      it->second.pop_back();
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

/// Pairs (i, j) of equal measures among those that are the same music, numbers aside: an old
/// measure that only looks like the new one of its number is not paired with it.
std::vector<std::pair<std::size_t, std::size_t>> equal_measures(const measure_list& a,
                                                                const measure_list& b, stretch s) {
  if (s.i == s.i_end || s.j == s.j_end) return {};
  auto hashes = [](const measure_list& list, std::size_t from, std::size_t to) {
    std::vector<std::uint64_t> found;
    for (auto i = from; i < to; ++i)
      found.push_back(music_hash(*list[i]));
    return found;
  };
  auto pairs = same_music(hashes(a, s.i, s.i_end), hashes(b, s.j, s.j_end));
  for (auto& [i, j] : pairs)
    i += s.i, j += s.j;
  std::erase_if(pairs, [&](auto& pair) { return !same(a[pair.first], b[pair.second]); });
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
  for_each_gap(shared_measures(a, b, s), s, [&](stretch gap) {
    for_each_gap(equal_measures(a, b, gap), gap, [&](stretch rest) {
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
  std::vector<std::pair<std::size_t, std::size_t>> runs;
  auto shifted = false, alike = false;
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
    if (end == begin) {
      alike |= *x != *y && !runs.empty();
      ++x, ++y;
      continue;
    }
    runs.emplace_back(begin, end);
    shifted |= end - begin > 2 || alike;
  }
  // A long run may be a shift, from an insertion at one end and a deletion at the other; and where
  // a measure is like the one that it took the place of, the shift looks like several runs.
  if (shifted)
    align(a, b, {runs.front().first, runs.back().second, runs.front().first, runs.back().second},
          add);
  else
    for (auto [begin, end] : runs)
      add({begin, end, begin, end});
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

}  // namespace fermata
