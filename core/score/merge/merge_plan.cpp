#include "core/score/merge/merge_plan.hpp"

#include "core/score/merge/merge_range.hpp"
#include "core/score/merge/shifted_measures.hpp"
#include "core/score/model/measure_names.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/model/wording.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// What one side did at one place. In place: measure i of the base became measure j. Otherwise
/// measures [i, i_end) of the base gave way to the measures [j, j_end) of the side.
struct side_change {
  std::size_t i, i_end, j, j_end;
  bool in_place = false;
  std::set<std::size_t> parts;        ///< in which something is different, or notes were put
  bool dropped = false;               ///< ours: theirs is taken instead
  bool taken = false;                 ///< theirs
  const side_change* twin = nullptr;  ///< ours: theirs did the same

  bool inserts() const { return !in_place && i == i_end; }
  bool deletes() const { return !in_place && j == j_end; }
};

measure_ptr cell(const score& s, std::optional<std::size_t> part, std::size_t column) {
  if (!part || column == nowhere || column >= s.parts[*part]->measures.size()) return nullptr;
  return s.parts[*part]->measures[column];
}

/// Whether key, time, clef at the beginning changed here, and are not only said again or no longer
/// because a measure in front came or went.
bool opening_changed(const part& a, std::size_t i, const part& b, std::size_t j) {
  auto x = opening_of(*a.measures[i]), y = opening_of(*b.measures[j]);
  if (x == y) return false;
  if (!(state_at(a, i, {}) == state_at(b, j, {}))) return true;
  return i != 0 && j != 0 && !(x.others == y.others && x.multiple_rest == y.multiple_rest);
}

bool same_cell(const measure_ptr& a, const measure_ptr& b) {
  if (!a || !b) return !a && !b;
  return a->items.shares(b->items) || (same_body(*a, *b) && opening_of(*a) == opening_of(*b));
}

/// One side, compared with the base.
struct side {
  const score& s;
  bool is_theirs;
  std::size_t length = 0;
  std::vector<std::size_t> of_base;  ///< where each measure of the base stands; nowhere
  std::vector<side_change> changes{};
  std::vector<shifted_run> moved{};

  std::optional<std::size_t> index(const merged_part& p) const {
    return is_theirs ? p.theirs : p.ours;
  }
};

class planner {
public:
  planner(const score& base, const score& ours, const score& theirs, const merge_request& request)
    : base_(base),
      ours_{ours, false, columns_of(ours), {}},
      theirs_{theirs, true, columns_of(theirs), {}},
      request_(request) {}

  result<merge_plan> plan() {
    find_parts();
    align(ours_);
    align(theirs_);
    if (!whole()) {
      auto range = merge_range::make(request_, {ours_.s, ours_.of_base, ours_.length},
                                     {theirs_.s, theirs_.of_base, theirs_.length});
      if (!range) return fail(range.error());
      range_ = *range;
    }
    auto ours = ours_;
    put_in_place(ours_, theirs_);
    put_in_place(theirs_, ours);
    if (range_)
      if (auto done = refuse_half_of_unclear(*range_, theirs_.s, theirs_.moved); !done)
        return fail(done.error());
    put_ends_together();
    find_changes(ours_);
    find_changes(theirs_);
    decide_on_parts();
    if (auto done = decide_on_measures(); !done) return fail(done.error());
    lay_out();
    plan_.base_in_ours = std::move(ours_.of_base);
    plan_.base_in_theirs = std::move(theirs_.of_base);
    if (range_) plan_.said.range = std::pair{range_->first(), range_->end()};
    for (auto& x : theirs_.moved)
      if (x.likely == shifted_run::guess::unclear)
        plan_.said.inseparable.emplace_back(x.j, x.j_end);
    return std::move(plan_);
  }

private:
  bool whole() const { return !request_.measures; }

  void find_parts() {
    auto& parts = plan_.parts;
    for (std::size_t i = 0; i < base_.parts.size(); ++i)
      parts.push_back({i, {}, {}, true, part_label(*base_.parts[i])});
    for (auto* s : {&ours_, &theirs_}) {
      std::vector<bool> known(s->s.parts.size());
      for (auto [b, i] : align_parts(base_, s->s)) {
        (s->is_theirs ? parts[b].theirs : parts[b].ours) = i;
        known[i] = true;
      }
      for (std::size_t i = 0; i < known.size(); ++i) {
        auto& part = *s->s.parts[i];
        if (known[i]) continue;
        // Both may have made the same part.
        auto same = std::find_if(parts.begin(), parts.end(), [&](auto& p) {
          return s->is_theirs && !p.base && p.ours && !p.theirs &&
                 ours_.s.parts[*p.ours]->name == part.name;
        });
        if (same != parts.end()) {
          same->theirs = i;
          continue;
        }
        parts.push_back({{}, {}, {}, true, part_label(part)});
        (s->is_theirs ? parts.back().theirs : parts.back().ours) = i;
      }
    }
  }

  /// Nothing of it is in a part that this side still has.
  bool is_absent(const side& s, std::size_t column) const {
    return std::none_of(plan_.parts.begin(), plan_.parts.end(),
                        [&](auto& p) { return s.index(p) && cell(base_, p.base, column); });
  }

  void align(side& s) {
    index_pairs parts;
    for (auto& p : plan_.parts)
      if (p.base && s.index(p)) parts.emplace_back(*p.base, *s.index(p));
    s.of_base.assign(columns_of(base_), nowhere);
    auto same = align_columns(base_, s.s, parts);
    for (auto [i, j] : same)
      s.of_base[i] = j;
    s.moved = shifted_runs(base_, s.s, parts, same);
  }

  /// As a whole a stretch that moved comes to the same whichever way it is seen. Where measures are
  /// asked for, or the other side changed one of it, it is taken for what is likely.
  void put_in_place(side& s, const side& other) {
    auto changed_there = [&](const shifted_run& x) {
      for (auto i = x.i; i < x.i_end; ++i)
        if (other.of_base[i] != nowhere && !parts_changed(other, i, other.of_base[i]).empty())
          return true;
      return false;
    };
    std::size_t done = 0;  // of the base: up to there it is in place
    std::vector<shifted_run> moved;
    for (auto& x : s.moved) {
      if (x.i_end <= done) continue;
      if (x.likely != shifted_run::guess::in_place ||
          !((s.is_theirs && range_ && range_->singles_out(x)) || changed_there(x))) {
        moved.push_back(x);
        continue;
      }
      for (auto i = x.i; i < x.i_end; ++i)
        s.of_base[i] = x.j + (i - x.i);
      done = x.i_end;
    }
    s.moved = std::move(moved);
    if (done > 0) pair_what_is_left(s);
  }
  /// As many measures on both sides are in their places.
  static void pair_what_is_left(side& s) {
    std::size_t first = 0, j = 0;
    for (std::size_t i = 0; i <= s.of_base.size(); ++i) {
      auto end = i < s.of_base.size() ? s.of_base[i] : s.length;
      if (end == nowhere) continue;
      if (end - j == i - first)
        for (; first < i; ++first)
          s.of_base[first] = j++;
      first = i + 1;
      j = end + 1;
    }
  }

  /// What both added at the end stands at the same places, so that parts can grow beside each
  /// other.
  void put_ends_together() {
    auto added = [](const side& s) {
      if (s.of_base.empty()) return s.length;
      return s.of_base.back() == nowhere ? 0 : s.length - s.of_base.back() - 1;
    };
    for (auto both = std::min(added(ours_), added(theirs_)); both > 0; --both)
      for (auto* s : {&ours_, &theirs_})
        s->of_base.push_back(s->of_base.empty() ? 0 : s->of_base.back() + 1);
  }

  std::set<std::size_t> parts_with_notes(const side& s, std::size_t j, std::size_t j_end) const {
    std::set<std::size_t> found;
    for (; j < j_end; ++j)
      for (std::size_t p = 0; p < plan_.parts.size(); ++p)
        if (auto m = cell(s.s, s.index(plan_.parts[p]), j); m && has_notes(*m)) found.insert(p);
    return found;
  }

  std::set<std::size_t> parts_changed(const side& s, std::size_t i, std::size_t j) const {
    std::set<std::size_t> found;
    for (std::size_t p = 0; p < plan_.parts.size(); ++p) {
      auto& part = plan_.parts[p];
      auto index = s.index(part);
      if (!index) continue;
      auto was = cell(base_, part.base, i), is = cell(s.s, index, j);
      if (!part.base
              ? is && has_notes(*is)
              : !was != !is ||
                    (was && (!same_body(*was, *is) ||
                             opening_changed(*base_.parts[*part.base], i, *s.s.parts[*index], j))))
        found.insert(p);
    }
    return found;
  }

  void find_changes(side& s) {
    auto n = s.of_base.size();
    std::size_t i = 0, j = 0;
    auto run_ends = [&](std::size_t i_end, std::size_t j_end) {
      if (j == j_end) {
        for (; i < i_end; ++i)
          s.changes.push_back({i, i + 1, j, j, false, {}});
      } else {
        s.changes.push_back({i, i_end, j, j_end, false, parts_with_notes(s, j, j_end)});
      }
    };
    for (std::size_t at = 0; at < n; ++at) {
      if (s.of_base[at] == nowhere) {
        if (!is_absent(s, at)) continue;
        run_ends(at, j);
        i = at + 1;
        continue;
      }
      run_ends(at, s.of_base[at]);
      j = s.of_base[at];
      if (auto parts = parts_changed(s, at, j); !parts.empty())
        s.changes.push_back({at, at + 1, j, j + 1, true, std::move(parts)});
      i = at + 1;
      ++j;
    }
    run_ends(n, s.length);
  }

  bool changed_part(const side& s, std::size_t p) const {
    auto& part = plan_.parts[p];
    auto &was = *base_.parts[*part.base], &is = *s.s.parts[*s.index(part)];
    return was.name != is.name || was.instruments != is.instruments ||
           std::any_of(s.changes.begin(), s.changes.end(),
                       [&](auto& c) { return c.parts.contains(p); });
  }

  void decide_on_parts() {
    auto& said = plan_.said;
    for (std::size_t p = 0; p < plan_.parts.size(); ++p) {
      auto& part = plan_.parts[p];
      if (part.ours && (part.theirs || !part.base)) continue;
      if (part.ours) {  // gone there
        if (!whole()) continue;
        if (changed_part(ours_, p) && !request_.theirs_wins) {
          said.other_conflicts.push_back("the part " + part.name + ", which was deleted there");
        } else {
          part.stays = false;
          said.parts_removed.push_back(part.name);
        }
      } else if (!part.theirs || (whole() && part.base && !changed_part(theirs_, p))) {
        part.stays = false;
      } else if (!whole()) {
        part.stays = false;
        said.parts_left_out.push_back(part.name);
      } else if (!part.base || request_.theirs_wins) {
        said.parts_added.push_back(part.name);
      } else {
        part.stays = false;
        said.other_conflicts.push_back("the part " + part.name + ", which was deleted here");
      }
    }
    for (auto* s : {&ours_, &theirs_})
      for (auto& c : s->changes)
        std::erase_if(c.parts, [&](auto p) { return !plan_.parts[p].stays; });
    for (auto* s : {&ours_, &theirs_})
      std::erase_if(s->changes, [](auto& c) { return c.in_place && c.parts.empty(); });
  }

  /// Whether no measure there is called as the one that went.
  bool has_own_name(const side_change& deletion) const {
    auto number = printed_number(base_, deletion.i);
    return std::none_of(theirs_.s.parts.begin(), theirs_.s.parts.end(),
                        [&](auto& p) { return index_of_number(*p, number).has_value(); });
  }

  /// The part of a change that is asked for; nothing: none of it is.
  result<std::optional<side_change>> asked_for(const side_change& c) {
    if (whole()) return c;
    auto from = range_->first(), to = range_->end();
    if (c.deletes()) {
      deletion_place place{c.i, c.j};
      if (range_->has(place, has_own_name(c), theirs_.moved)) return c;
      if (auto here = ours_.of_base[c.i]; here != nowhere && range_->touches(place))
        plan_.said.gone_beside.push_back(here);
      return std::nullopt;
    }
    if (c.j_end <= from || to <= c.j) return std::nullopt;
    if (from <= c.j && c.j_end <= to) return c;
    if (!c.inserts())
      return fail({errc::out_of_range,
                   measures_in_words(theirs_.s, c.j, c.j_end) +
                       " there replaced a different number of measures",
                   std::nullopt, "Merge all of them or none."});
    if (from > c.j)
      return fail(
          {errc::out_of_range,
           "measure " + printed_number(theirs_.s, from) + " cannot be merged without the new one" +
               (from - c.j == 1 ? "" : "s") + " before it",
           std::nullopt, "Merge the measures from " + printed_number(theirs_.s, c.j) + " on."});
    auto cut = c;
    cut.j_end = to;
    return cut;
  }

  bool same_measures(const side_change& x, const side_change& y) const {
    if (x.j_end - x.j != y.j_end - y.j) return false;
    for (std::size_t k = 0; k < x.j_end - x.j; ++k)
      for (auto& p : plan_.parts)
        if (p.theirs && p.ours &&
            !same_cell(cell(theirs_.s, p.theirs, x.j + k), cell(ours_.s, p.ours, y.j + k)))
          return false;
    return true;
  }

  enum class meeting { apart, same, conflict };

  /// What a change of theirs and one of ours are to each other; takes from `x` what both did alike.
  meeting meet(side_change& x, const side_change& y) const {
    if (x.in_place && y.in_place) {
      if (x.i != y.i) return meeting::apart;
      auto met = meeting::apart;
      for (auto p : y.parts)
        if (x.parts.contains(p)) {
          auto& part = plan_.parts[p];
          if (same_cell(cell(theirs_.s, part.theirs, x.j), cell(ours_.s, part.ours, y.j)))
            x.parts.erase(p);
          else
            met = meeting::conflict;
        }
      return met == meeting::apart && x.parts.empty() ? meeting::same : met;
    }
    auto overlap = std::max(x.i, y.i) < std::min(x.i_end, y.i_end) ||
                   (x.inserts() && y.i < x.i && x.i < y.i_end) ||
                   (y.inserts() && x.i < y.i && y.i < x.i_end) ||
                   (x.inserts() && y.inserts() && x.i == y.i);
    if (!overlap) return meeting::apart;
    if (!x.in_place && !y.in_place && x.i == y.i && x.i_end == y.i_end && same_measures(x, y))
      return meeting::same;
    return meeting::conflict;
  }

  result<void> decide_on_measures() {
    auto& said = plan_.said;
    std::set<std::size_t> met_ours;
    for (auto& change : theirs_.changes) {
      auto asked = asked_for(change);
      if (!asked) return fail(asked.error());
      if (!*asked) continue;
      change = **asked;
      if (!whole()) std::erase_if(change.parts, [&](auto p) { return !plan_.parts[p].ours; });
      if (change.in_place && change.parts.empty()) continue;
      auto first = std::lower_bound(ours_.changes.begin(), ours_.changes.end(), change.i,
                                    [](auto& y, auto i) { return y.i_end < i; });
      auto same = false;
      std::vector<side_change*> in_the_way;
      for (auto y = first; y != ours_.changes.end() && y->i <= change.i_end; ++y) {
        auto met = meet(change, *y);
        if (met == meeting::same) {
          same = true;
          if (!y->in_place) y->twin = &change;
          met_ours.insert(static_cast<std::size_t>(y - ours_.changes.begin()));
        }
        if (met == meeting::conflict) in_the_way.push_back(&*y);
      }
      if (same) continue;
      for (auto* y : in_the_way)
        met_ours.insert(static_cast<std::size_t>(y - ours_.changes.data()));
      if (!in_the_way.empty() && !request_.theirs_wins) {
        said.conflicts.push_back(
            {in_the_way.front()->j, in_the_way.back()->j_end, change.j, change.j_end});
        continue;
      }
      for (auto* y : in_the_way)
        if (!y->in_place) y->dropped = true;
      change.taken = true;
      if (change.deletes())
        ++said.deleted;
      else if (!change.in_place || touches_ours(change))
        said.taken += change.j_end - change.j;
    }
    for (std::size_t y = 0; y < ours_.changes.size(); ++y)
      if (auto& c = ours_.changes[y]; !met_ours.contains(y) && is_looked_at(c))
        for (auto m = c.j; m < c.j_end; ++m)
          said.kept.push_back(m);
    return {};
  }

  /// Not only a new part plays there.
  bool touches_ours(const side_change& c) const {
    return std::any_of(c.parts.begin(), c.parts.end(),
                       [&](auto p) { return plan_.parts[p].ours.has_value(); });
  }

  /// Whether a change of ours lies where theirs is asked for.
  bool is_looked_at(const side_change& c) const {
    if (whole()) return true;
    if (!c.in_place) return false;
    auto there = theirs_.of_base[c.i];
    return there != nowhere && range_->first() <= there && there < range_->end();
  }

  /// Whether a measure of the base is gone by a change that is not in place; `dropped`: it was
  /// gone here, and comes back.
  template <class Counts>
  static std::vector<bool> gone(const side& s, Counts counts) {
    std::vector<bool> all(s.of_base.size());
    for (auto& c : s.changes)
      if (!c.in_place && counts(c))
        for (auto i = c.i; i < c.i_end; ++i)
          all[i] = true;
    return all;
  }

  void lay_out() {
    auto gone_here = gone(ours_, [](auto& c) { return !c.dropped; });
    auto back = gone(ours_, [](auto& c) { return c.dropped; });
    auto gone_there = gone(theirs_, [](auto& c) { return c.taken; });
    auto y = ours_.changes.begin(), x = theirs_.changes.begin();
    merged_column next;
    auto put_ours = [&](const side_change& c) {
      for (auto m = c.j; m < c.j_end; ++m) {
        auto column = next;
        column.ours = m;
        if (c.twin) column.theirs = c.twin->j + (m - c.j);
        plan_.columns.push_back(column);
        next.next_ours = m + 1;
        if (c.twin) next.next_theirs = column.theirs + 1;
      }
    };
    auto put_theirs = [&](const side_change& c) {
      for (auto m = c.j; m < c.j_end; ++m) {
        auto column = next;
        column.theirs = m;
        plan_.columns.push_back(column);
        next.next_theirs = m + 1;
      }
    };
    for (std::size_t i = 0; i <= ours_.of_base.size(); ++i) {
      next.next_base = i;
      // New measures come before the ones that took the place of those behind them.
      std::vector<std::pair<bool, const side_change*>> here;
      std::set<std::size_t> from_theirs;
      for (; y != ours_.changes.end() && y->i == i; ++y)
        if (!y->in_place && !y->dropped) here.emplace_back(false, &*y);
      for (; x != theirs_.changes.end() && x->i == i; ++x) {
        if (x->taken && x->in_place) from_theirs = x->parts;
        if (x->taken && !x->in_place) here.emplace_back(true, &*x);
      }
      std::stable_sort(here.begin(), here.end(), [](auto& a, auto& b) {
        return a.second->inserts() && !b.second->inserts();
      });
      for (auto& [theirs, c] : here)
        theirs ? put_theirs(*c) : put_ours(*c);
      if (i == ours_.of_base.size()) break;
      auto column = next;
      column.base = i;
      column.ours = back[i] ? nowhere : ours_.of_base[i];
      column.theirs = theirs_.of_base[i];
      column.from_theirs = std::move(from_theirs);
      if (ours_.of_base[i] != nowhere) next.next_ours = ours_.of_base[i] + 1;
      if (theirs_.of_base[i] != nowhere) next.next_theirs = theirs_.of_base[i] + 1;
      if (!gone_here[i] && !gone_there[i]) plan_.columns.push_back(std::move(column));
    }
  }

  const score& base_;
  side ours_, theirs_;
  const merge_request& request_;
  std::optional<merge_range> range_;
  merge_plan plan_;
};

}  // namespace

result<merge_plan> plan_merge(const score& base, const score& ours, const score& theirs,
                              const merge_request& request) {
  return planner{base, ours, theirs, request}.plan();
}

}  // namespace fermata
