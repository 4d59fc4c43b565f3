#include "core/score/repair/repair_kept.hpp"

#include "core/score/model/draft.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata {

namespace {

/// Where a kept end stands: an item of a measure, and in it the note, and the mark of this note,
/// the direction type or the piece of kept XML.
struct end_place {
  std::size_t measure = 0, item = 0, note = 0, index = 0;
  auto operator<=>(const end_place&) const = default;
};

/// Calls `visit(pair_end, place, position)` for every end of a pair.
template <class Visit>
void each_end(const measure& m, std::size_t number, Visit&& visit) {
  for (std::size_t i = 0; i < m.items.size(); ++i) {
    const auto& [at, content] = m.items[i];
    auto look = [&, at = at](const auto& x, std::size_t note, std::size_t index) {
      if (auto e = pair_end_of(x)) visit(std::move(*e), end_place{number, i, note, index}, at);
    };
    if (auto f = std::get_if<fragment>(&content)) look(*f, 0, 0);
    if (auto a = std::get_if<attributes>(&content))
      for (std::size_t k = 0; k < a->others.size(); ++k)
        look(a->others[k], 0, k);
    if (auto d = std::get_if<direction>(&content))
      for (std::size_t k = 0; k < d->types.size(); ++k)
        if (auto f = std::get_if<fragment>(&d->types[k])) look(*f, 0, k);
    if (auto c = std::get_if<chord_rest>(&content))
      for (std::size_t n = 0; n < c->notes.size(); ++n)
        for (std::size_t k = 0; k < c->notes[n].marks.size(); ++k)
          look(c->notes[n].marks[k], n, k);
  }
}

bool holds_ends(const std::vector<measure_ptr>& measures) {
  return std::any_of(measures.begin(), measures.end(), [](const measure_ptr& m) {
    auto found = false;
    each_end(*m, 0, [&](const pair_end&, const end_place&, measure_position) { found = true; });
    return found;
  });
}

bool touches_ends(const part_change& change) {
  return std::any_of(
      change.measures.begin(), change.measures.end(),
      [](const measure_replacement& r) { return holds_ends(r.before) || holds_ends(r.after); });
}

struct placed_end {
  pair_end end;
  end_place place;
  std::optional<std::size_t> other_end;  ///< the measure that it stands in
};

/// The ends of a part in order of time.
std::vector<placed_end> ends_of(const part& p) {
  std::vector<placed_end> out;
  std::map<std::string, std::vector<std::size_t>> open;
  for (std::size_t m = 0; m < p.measures.size(); ++m) {
    std::vector<std::pair<measure_position, placed_end>> own;
    each_end(*p.measures[m], m, [&](pair_end e, const end_place& place, measure_position at) {
      own.push_back({at, {std::move(e), place, std::nullopt}});
    });
    // Items lie voice by voice.
    std::stable_sort(own.begin(), own.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [at, x] : own) {
      auto& starts = open[x.end.pair];
      if (x.end.start) {
        starts.push_back(out.size());
      } else if (!starts.empty()) {
        auto& start = out[starts.back()];
        starts.pop_back();
        x.other_end = start.place.measure;
        start.other_end = m;
      }
      out.push_back(std::move(x));
    }
  }
  return out;
}

/// Where measures come from: one that stayed, or the replacement that brought them.
struct measure_origin {
  std::optional<std::size_t> stayed;  ///< its index before
  std::size_t replacement = 0;        ///< the index of this
};

std::vector<measure_origin> measure_origins(const part_change& change, std::size_t measures_now) {
  std::vector<measure_origin> out;
  std::size_t old = 0;
  for (std::size_t r = 0; r < change.measures.size(); ++r) {
    const auto& x = change.measures[r];
    while (old < x.first)
      out.push_back({old++, 0});
    out.insert(out.end(), x.after.size(), {std::nullopt, r});
    old += x.before.size();
  }
  while (out.size() < measures_now)
    out.push_back({old++, 0});
  return out;
}

/// Decides which ends of a part go after a change.
class pair_repairer {
public:
  pair_repairer(const part& before, const part& after, const part_change& change,
                unpaired_starts starts)
    : starts_(starts),
      before_(ends_of(before)),
      now_(ends_of(after)),
      from_(measure_origins(change, after.measures.size())) {
    for (std::size_t r = 0; r < change.measures.size(); ++r) {
      const auto& x = change.measures[r];
      for (const auto& e : before_)
        if (e.place.measure >= x.first && e.place.measure < x.first + x.before.size())
          taken_.push_back({r, &e});
    }
  }

  /// Those that go, and whether a cut took the other end or there never was one.
  std::vector<std::pair<end_place, edit_operation>> going() {
    std::vector<std::pair<end_place, edit_operation>> out;
    for (const auto& e : now_)
      if (!e.other_end)
        if (auto why = reason_to_go(e)) out.emplace_back(e.place, *why);
    return out;
  }

private:
  struct taken_end {
    std::size_t replacement;
    const placed_end* end;
    bool found_again = false;
  };

  std::optional<edit_operation> reason_to_go(const placed_end& e) {
    const auto& from = from_[e.place.measure];
    if (from.stayed) {
      auto place = e.place;
      place.measure = *from.stayed;
      auto old = std::find_if(before_.begin(), before_.end(),
                              [&](const placed_end& x) { return x.place == place; });
      if (old == before_.end() || !old->other_end || lasts_to_the_end(*old)) return std::nullopt;
      return edit_operation::cut;
    }
    // A measure that is a new one for another reason has its old ends.
    auto again = [&](bool alone) {
      auto x = std::find_if(taken_.begin(), taken_.end(), [&](const taken_end& t) {
        return !t.found_again && t.replacement == from.replacement && t.end->end == e.end &&
               t.end->other_end.has_value() != alone;
      });
      if (x == taken_.end()) return false;
      return x->found_again = true;
    };
    if (again(true)) return std::nullopt;
    if (again(false)) return edit_operation::cut;
    if (!e.end.start) return edit_operation::add;
    if (starts_ == unpaired_starts::stay) return std::nullopt;
    auto older_behind =
        std::any_of(from_.begin() + static_cast<std::ptrdiff_t>(e.place.measure), from_.end(),
                    [](const measure_origin& origin) { return origin.stayed.has_value(); });
    if (!older_behind) return std::nullopt;
    return edit_operation::begin;
  }

  /// Slashes and repeat signs whose end went with all measures from there on: without an end they
  /// last through the end of the part, as MusicXML says.
  bool lasts_to_the_end(const placed_end& old) const {
    const auto& last = from_.back().stayed;
    return old.end.start && old.end.pair.starts_with("measure-style ") && last &&
           *last < *old.other_end;
  }

  unpaired_starts starts_;
  std::vector<placed_end> before_, now_;
  std::vector<measure_origin> from_;  ///< of each measure now
  std::vector<taken_end> taken_;
};

std::string_view name_of(const measure_content& content, const end_place& at) {
  if (auto a = std::get_if<attributes>(&content)) return kept_name(a->others[at.index]);
  if (auto d = std::get_if<direction>(&content))
    return kept_name(std::get<fragment>(d->types[at.index]));
  if (auto f = std::get_if<fragment>(&content)) return kept_name(*f);
  return "other-notation";
}

void erase_end(measure& m, const end_place& at) {
  auto items = std::vector<measure_item>(m.items.begin(), m.items.end());
  auto& content = items[at.item].content;
  auto place = [&](auto& list) { return list.begin() + static_cast<std::ptrdiff_t>(at.index); };
  auto a = std::get_if<attributes>(&content);
  if (a) a->others.erase(place(a->others));
  if (auto c = std::get_if<chord_rest>(&content)) {
    auto& marks = c->notes[at.note].marks;
    marks.erase(place(marks));
    m.items = std::move(items);
    return;
  }
  auto d = std::get_if<direction>(&content);
  if (d && d->types.size() > 1) {
    auto type = at.index;
    d->types.erase(place(d->types));
    for (auto group = d->grouping.begin(); group != d->grouping.end(); ++group) {
      if (type >= *group) {
        type -= *group;
        continue;
      }
      if (--*group == 0) d->grouping.erase(group);
      break;
    }
  } else if (d && d->sound) {
    content = measure_content{*d->sound};
  } else if (!a || *a == attributes{}) {
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(at.item));
  }
  m.items = std::move(items);
}

}  // namespace

score_ptr with_kept_pairs_repaired(const score_ptr& before, const score_ptr& after,
                                   const score_delta& d, kept_losses& dropped,
                                   unpaired_starts starts) {
  std::vector<const part_change*> changes;
  for (const auto& change : d.changed)
    if (change.measures_before > 0 && touches_ends(change)) changes.push_back(&change);
  if (changes.empty()) return after;
  score_draft draft{after};
  for (const auto* change : changes) {
    auto index = change->index_after;
    auto going =
        pair_repairer{*before->parts[change->index_before], *after->parts[index], *change, starts}
            .going();
    // From the last on, so that places hold.
    std::sort(going.begin(), going.end(),
              [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [at, why] : going) {
      dropped.add(why, name_of(draft.view(index, at.measure).items[at.item].content, at));
      erase_end(draft.open(index, at.measure), at);
    }
  }
  return draft.finish();
}

score_ptr with_kept_pairs_repaired(const score_ptr& before, const score_ptr& after,
                                   kept_losses& dropped) {
  if (before == after) return after;
  return with_kept_pairs_repaired(before, after, diff_snapshots(before, after), dropped);
}

}  // namespace fermata
