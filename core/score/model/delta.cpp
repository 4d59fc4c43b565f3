#include "core/score/model/delta.hpp"

#include "core/score/model/content_hash.hpp"
#include "core/score/model/numbering.hpp"
#include "core/score/model/same_music.hpp"
#include "core/score/model/wording.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace fermata {

namespace {

bool same(const measure_ptr& a, const measure_ptr& b) { return a == b || *a == *b; }

bool same(const std::vector<measure_ptr>& a, const std::vector<measure_ptr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](auto& x, auto& y) { return same(x, y); });
}

/// How much higher the number of `b` is, when it is `a` otherwise, told without reading the music;
/// nothing: it is not.
std::optional<int> rise(const measure_ptr& a, const measure_ptr& b) {
  if (same(a, b)) return 0;
  if (!shares_music(*a, *b) || a->extra != b->extra) return std::nullopt;
  auto from = plain_number(*a), to = plain_number(*b);
  if (!from || !to) return std::nullopt;
  auto by = std::int64_t{*to} - *from;
  return std::in_range<int>(by) ? std::optional{static_cast<int>(by)} : std::nullopt;
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

/// Measures [i, i + count) and [j, j + count) of both sides, which differ in their numbers alone.
struct kept_run {
  std::size_t i, j, count;
  int by;  ///< the numbers of the second are higher by this
};
using kept_runs = std::vector<kept_run>;

/// Pairs (i, j) of measures of both sides, ascending.
using measure_pairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// What a measure and its renumbered copies have in common: their items, where there are any.
const void* identity(const measure& m) {
  if (m.items.empty()) return &m;
  return m.items.all().data();
}

/// The measures that both sides share, renumbered or not: a longest common subsequence when each
/// stands there once, which is the rule; of repeated ones the n-th is paired with the n-th.
measure_pairs shared_measures(const measure_list& a, const measure_list& b, stretch s) {
  std::unordered_map<const void*, std::vector<std::size_t>> places;
  for (auto i = s.i_end; i-- > s.i;)
    places[identity(*a[i])].push_back(i);
  measure_pairs candidates;  // j ascending
  for (auto j = s.j; j < s.j_end; ++j)
    if (auto it = places.find(identity(*b[j])); it != places.end() && !it->second.empty()) {
      if (auto i = it->second.back(); rise(a[i], b[j])) candidates.emplace_back(i, j);
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
  measure_pairs pairs;
  if (!piles.empty())
    for (std::optional<std::size_t> k = piles.back(); k; k = previous[*k])
      pairs.push_back(candidates[*k]);
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

/// The equal and the renumbered measures among those that are the same music, numbers aside: an old
/// measure that only looks like the new one of its number is not paired with it.
measure_pairs equal_measures(const measure_list& a, const measure_list& b, stretch s) {
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
  std::erase_if(pairs, [&](auto& pair) { return !rise(a[pair.first], b[pair.second]); });
  return pairs;
}

/// Calls `visit(stretch)` for what lies between the pairs.
template <class Visitor>
void for_each_gap(const measure_pairs& pairs, stretch s, Visitor visit) {
  for (auto [i, j] : pairs) {
    visit(stretch{s.i, i, s.j, j});
    s.i = i + 1;
    s.j = j + 1;
  }
  visit(s);
}

/// The same for what lies between runs.
template <class Visitor>
void for_each_gap(const kept_runs& runs, stretch s, Visitor visit) {
  for (auto& run : runs) {
    visit(stretch{s.i, run.i, s.j, run.j});
    s.i = run.i + run.count;
    s.j = run.j + run.count;
  }
  visit(s);
}

/// What became of the measures of a part.
struct differences {
  std::vector<measure_replacement> replaced;
  std::vector<renumbering> renumbered;
};

void add_replacement(differences& found, const measure_list& a, const measure_list& b, stretch s) {
  auto slice = [](const measure_list& list, std::size_t from, std::size_t to) {
    return std::vector<measure_ptr>(list.begin() + static_cast<std::ptrdiff_t>(from),
                                    list.begin() + static_cast<std::ptrdiff_t>(to));
  };
  found.replaced.push_back({s.i, slice(a, s.i, s.i_end), slice(b, s.j, s.j_end)});
}

/// Neighbours whose numbers rise by the same are told in one, with what does not count among them.
void add_renumberings(differences& found, const measure_list& a, const kept_runs& kept) {
  auto counts = [&](std::size_t i) { return plain_number(a.music_at(i)).has_value(); };
  auto goes_on = false;
  std::size_t next_i = 0, next_j = 0;
  for (auto& run : kept) {
    goes_on = goes_on && run.i == next_i && run.j == next_j;
    next_i = run.i + run.count;
    next_j = run.j + run.count;
    auto first = run.i, end = next_i;
    while (first < end && !counts(first))
      ++first;
    if (first == end) continue;
    if (run.by == 0) {
      goes_on = false;
      continue;
    }
    while (!counts(end - 1))
      --end;
    auto& all = found.renumbered;
    if (goes_on && all.back().by == run.by)
      all.back().count = end - all.back().first;
    else
      all.push_back({first, end - first, run.by});
    goes_on = true;
  }
}

/// Adds what differs within `s`. Shared measures are found by pointer, and whole pieces of the
/// lists at once; only what lies between them is compared by content, so that distant edits do not
/// read the music between them, and of equal neighbours the one that was edited is found.
void align(differences& found, const measure_list& a, const measure_list& b, stretch s) {
  enum class by { pointer, content };
  auto clipped = [&](measure_list::shared_run run) {
    return std::min({run.count, s.i_end - s.i, s.j_end - s.j});
  };
  auto is_open = [&] { return s.i < s.i_end && s.j < s.j_end; };
  auto whole = s;
  kept_runs behind;  // from the last one on
  auto take_first = [&](by what) {
    while (is_open()) {
      auto run = shared_run_from(a, s.i, b, s.j);
      auto n = run.rise == 0 ? clipped(run) : 0;
      if (n == 0 && run.count == 0 && what == by::content && same(a[s.i], b[s.j])) n = 1;
      if (n == 0) break;
      s.i += n, s.j += n;
    }
    whole.i = s.i, whole.j = s.j;
  };
  auto take_last = [&](by what) {
    while (is_open()) {
      auto run = shared_run_before(a, s.i_end, b, s.j_end);
      auto n = run.rise == 0 ? clipped(run) : 0;
      if (n == 0 && run.count == 0 && what == by::content && same(a[s.i_end - 1], b[s.j_end - 1]))
        n = 1;
      if (n == 0) break;
      s.i_end -= n, s.j_end -= n;
      behind.push_back({s.i_end, s.j_end, n, 0});
    }
  };
  // What follows an insertion or deletion only got other numbers. It is told from the measures
  // before it without a look into the music.
  auto take_renumbered = [&] {
    while (is_open()) {
      auto run = shared_run_before(a, s.i_end, b, s.j_end);
      auto n = clipped(run);
      auto rises = n > 0 ? std::optional{run.rise} : std::nullopt;
      if (n == 0) {
        if (!shares_music(*a[s.i_end - 1], *b[s.j_end - 1])) break;
        n = 1;
        rises = rise(a[s.i_end - 1], b[s.j_end - 1]);
      }
      s.i_end -= n, s.j_end -= n;
      if (rises) behind.push_back({s.i_end, s.j_end, n, *rises});
    }
  };
  for (auto what : {by::pointer, by::content}) {
    take_first(what);
    take_last(what);
    take_renumbered();
  }
  kept_runs kept;
  auto keep = [&](std::size_t i, std::size_t j) { kept.push_back({i, j, 1, *rise(a[i], b[j])}); };
  for_each_gap(shared_measures(a, b, s), s, [&](stretch gap) {
    for (auto [i, j] : equal_measures(a, b, gap))
      keep(i, j);
    if (gap.i_end < s.i_end) keep(gap.i_end, gap.j_end);  // the pair that ends it
  });
  kept.insert(kept.end(), behind.rbegin(), behind.rend());
  for_each_gap(kept, whole, [&](stretch rest) {
    if (rest.i < rest.i_end || rest.j < rest.j_end) add_replacement(found, a, b, rest);
  });
  add_renumberings(found, a, kept);
}

/// How many measures from `i` on are the same pieces on both sides, with the same numbers.
std::size_t shared_with_numbers(const measure_list& a, const measure_list& b, std::size_t i) {
  auto run = shared_run_from(a, i, b, i);
  return run.rise == 0 ? run.count : 0;
}

/// How many from `i` on differ, if any do.
std::size_t differing(const measure_list& a, const measure_list& b, std::size_t i) {
  auto run = shared_run_from(a, i, b, i);
  if (run.count > 0) return run.rise == 0 ? 0 : run.count;
  return same(a[i], b[i]) ? 0 : 1;
}

differences differences_of(const measure_list& a, const measure_list& b) {
  differences found;
  if (a.size() != b.size()) {
    align(found, a, b, {0, a.size(), 0, b.size()});
    return found;
  }
  std::vector<std::pair<std::size_t, std::size_t>> runs;
  auto shifted = false, alike = false;
  for (std::size_t i = 0; i < a.size();) {
    if (auto n = shared_with_numbers(a, b, i); n > 0) {
      i += n;
      continue;
    }
    auto begin = i;
    while (i < a.size()) {
      auto n = differing(a, b, i);
      if (n == 0) break;
      i += n;
    }
    if (i == begin) {
      alike |= a[i] != b[i] && !runs.empty();
      ++i;
      continue;
    }
    runs.emplace_back(begin, i);
    shifted |= i - begin > 2 || alike || shares_music(a.music_at(begin), b.music_at(begin));
  }
  // A long run may be a shift, from an insertion at one end and a deletion at the other, or new
  // numbers; and where a measure is like the one that it took the place of, the shift looks like
  // several runs.
  if (shifted)
    align(found, a, b,
          {runs.front().first, runs.back().second, runs.front().first, runs.back().second});
  else
    for (auto [begin, end] : runs)
      add_replacement(found, a, b, {begin, end, begin, end});
  return found;
}

/// The same where it is known which measures stayed.
differences differences_between(const std::vector<stayed_run>& stayed, const measure_list& a,
                                const measure_list& b) {
  differences found;
  kept_runs kept;
  auto add_gap = [&](stretch gap) {
    measure_pairs pairs = equal_measures(a, b, gap);
    for_each_gap(pairs, gap, [&](stretch rest) {
      if (rest.i < rest.i_end || rest.j < rest.j_end) add_replacement(found, a, b, rest);
    });
    for (auto [i, j] : pairs)
      kept.push_back({i, j, 1, *rise(a[i], b[j])});
  };
  stretch gap{0, 0, 0, 0};
  for (auto& run : stayed) {
    gap.i_end = run.i, gap.j_end = run.j;
    add_gap(gap);
    for (std::size_t n = 0; n < run.count;) {
      auto i = run.i + n, j = run.j + n;
      if (auto shared = shared_run_from(a, i, b, j); shared.count > 0) {
        auto count = std::min(shared.count, run.count - n);
        kept.push_back({i, j, count, shared.rise});
        n += count;
      } else if (auto by = rise(a[i], b[j])) {
        kept.push_back({i, j, 1, *by});
        ++n;
      } else {
        auto end = n + 1;
        while (end < run.count && shared_run_from(a, run.i + end, b, run.j + end).count == 0 &&
               !rise(a[run.i + end], b[run.j + end]))
          ++end;
        add_replacement(found, a, b, {i, run.i + end, j, run.j + end});
        n = end;
      }
    }
    gap.i = run.i + run.count, gap.j = run.j + run.count;
  }
  gap.i_end = a.size(), gap.j_end = b.size();
  add_gap(gap);
  add_renumberings(found, a, kept);
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
               "this change does not apply to the current score: " + what,
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
         a.renumbered == b.renumbered && a.header.has_value() == b.header.has_value() &&
         (!a.header ||
          (*a.header->before == *b.header->before && *a.header->after == *b.header->after));
}

score_delta diff_snapshots(const score_ptr& before, const score_ptr& after,
                           const measure_moves& moves) {
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
    auto stayed = stayed_runs(moves, a->id, a->measures.size(), b->measures.size());
    auto differences = stayed.empty() ? differences_of(a->measures, b->measures)
                                      : differences_between(stayed, a->measures, b->measures);
    change.measures = std::move(differences.replaced);
    change.renumbered = std::move(differences.renumbered);
    if (!same_header(*a, *b))
      change.header = part_change::header_change{without_measures(*a), without_measures(*b)};
    if (change.header || !change.measures.empty() || !change.renumbered.empty())
      d.changed.push_back(std::move(change));
  }
  for (std::size_t j = 0; j < kept.size(); ++j)
    if (!kept[j]) d.added.push_back({j, after->parts[j]});
  auto same_order = d.removed.empty() && d.added.empty();
  for (std::size_t i = 0; same_order && i < moved_to.size(); ++i)
    same_order = moved_to[i] == i;
  if (!same_order) d.moved_to = std::move(moved_to);
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
    return unexpected_score("it has " + std::to_string(s->parts.size()) +
                            (s->parts.size() == 1 ? " part, " : " parts, ") +
                            std::to_string(d.ids_before.size()) +
                            (d.ids_before.size() == 1 ? " is expected" : " are expected"));
  for (std::size_t i = 0; i < s->parts.size(); ++i)
    if (s->parts[i]->id != d.ids_before[i])
      return unexpected_score("part " + std::to_string(i + 1) + " is " + s->parts[i]->id + ", " +
                              d.ids_before[i] + " is expected");
  for (auto& c : d.changed) {
    auto& p = *s->parts[c.index_before];
    if (p.measures.size() != c.measures_before)
      return unexpected_score(part_label(p) + " has " + std::to_string(p.measures.size()) +
                              (p.measures.size() == 1 ? " measure, " : " measures, ") +
                              std::to_string(c.measures_before) +
                              (c.measures_before == 1 ? " is expected" : " are expected"));
    if (c.header && !same_header(p, *c.header->before))
      return unexpected_score("name or instruments of " + part_label(p) + " differ");
    auto reaches_out = [&](std::size_t first, std::size_t count) {
      return first > p.measures.size() || count > p.measures.size() - first;
    };
    for (auto& n : c.renumbered)
      if (reaches_out(n.first, n.count))
        return unexpected_score(part_label(p) + " has no measures to renumber there");
    for (auto& r : c.measures) {
      if (reaches_out(r.first, r.before.size()))
        return unexpected_score(part_label(p) + " has no measures to replace there");
      for (std::size_t i = 0; i < r.before.size(); ++i)
        if (!same(p.measures[r.first + i], r.before[i]))
          return unexpected_score(measure_name(*p.measures[r.first + i], r.first + i) + " of " +
                                  part_label(p) + " differs");
    }
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
    for (auto& n : c.renumbered) {
      if (p->measures.raise_numbers(n.first, n.count, n.by)) continue;
      auto i = n.first;
      while (renumbered(old.measures[i], n.by))
        ++i;
      return unexpected_score(measure_name(*old.measures[i], i) + " of " + part_label(old) +
                              " cannot have a number that is different by " + std::to_string(n.by));
    }
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
    auto renumbering = c.renumbered.begin();
    auto add_renumberings_before = [&](std::size_t end) {
      for (; renumbering != c.renumbered.end() && renumbering->first < end; ++renumbering)
        r.renumbered.push_back({renumbering->first + r.measures_before - c.measures_before,
                                renumbering->count,
                                static_cast<int>(-std::int64_t{renumbering->by})});
    };
    for (auto& m : c.measures) {
      add_renumberings_before(m.first);
      // Indices of the other side: shifted by what the replacements before this one added.
      auto first = m.first + r.measures_before - c.measures_before;
      r.measures.push_back({first, m.after, m.before});
      r.measures_before += m.after.size() - m.before.size();
    }
    add_renumberings_before(c.measures_before);
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
