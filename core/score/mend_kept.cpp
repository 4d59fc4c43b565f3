#include "core/score/mend_kept.hpp"

#include "core/score/draft.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace fermata {

namespace {

/// Where a kept end stands: an item of a measure, and the direction type in it if it is one.
struct end_place {
  std::size_t measure = 0, item = 0, type = 0;
};

bool is_end(const fragment& f) {
  auto row = find_kept_row(kept_name(f));
  if (!row || row->at(edit_operation::cut) != kept_fate::change || standing_key(f)) return false;
  auto type = kept_attribute(f, "type");
  return type == "start" || type == "stop";
}

/// Calls `visit(fragment, item, type)` for every end of a pair.
template <class Visit>
void each_end(const measure& m, Visit&& visit) {
  std::size_t i = 0;
  for (const auto& item : m.items) {
    if (auto f = std::get_if<fragment>(&item.content); f && is_end(*f)) visit(*f, i, 0);
    if (auto d = std::get_if<direction>(&item.content))
      for (std::size_t t = 0; t < d->types.size(); ++t)
        if (auto f = std::get_if<fragment>(&d->types[t]); f && is_end(*f)) visit(*f, i, t);
    ++i;
  }
}

bool holds_ends(const std::vector<measure_ptr>& measures) {
  return std::any_of(measures.begin(), measures.end(), [](const measure_ptr& m) {
    auto found = false;
    each_end(*m, [&](const fragment&, std::size_t, std::size_t) { found = true; });
    return found;
  });
}

/// The ends of a part that have no other end.
std::vector<end_place> lone_ends(const part& p) {
  std::map<std::string, std::vector<end_place>> open;
  std::vector<end_place> lone;
  for (std::size_t m = 0; m < p.measures.size(); ++m)
    each_end(*p.measures[m], [&](const fragment& f, std::size_t item, std::size_t type) {
      auto number = kept_attribute(f, "number");
      auto key = std::string{kept_name(f)} + ' ' + std::string{number.empty() ? "1" : number};
      auto& starts = open[key];
      if (kept_attribute(f, "type") == "start") {
        starts.push_back({m, item, type});
      } else if (!starts.empty()) {
        starts.pop_back();
      } else {
        lone.push_back({m, item, type});
      }
    });
  for (const auto& [key, starts] : open)
    lone.insert(lone.end(), starts.begin(), starts.end());
  return lone;
}

void erase_end(measure& m, const end_place& at) {
  auto items = std::vector<measure_item>(m.items.begin(), m.items.end());
  auto& content = items[at.item].content;
  auto d = std::get_if<direction>(&content);
  if (d && d->types.size() > 1) {
    auto type = at.type;
    d->types.erase(d->types.begin() + static_cast<std::ptrdiff_t>(type));
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
  } else {
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(at.item));
  }
  m.items = std::move(items);
}

}  // namespace

score_ptr with_kept_pairs_mended(const score_ptr& before, const score_ptr& after,
                                 const score_delta& d, kept_losses& dropped) {
  std::vector<std::pair<std::size_t, std::size_t>> parts;
  for (const auto& change : d.changed)
    if (std::any_of(change.measures.begin(), change.measures.end(),
                    [](const measure_replacement& r) { return holds_ends(r.before); }))
      parts.emplace_back(change.index_before, change.index_after);
  if (parts.empty()) return after;
  score_draft draft{after};
  for (const auto& [old_index, index] : parts) {
    const auto& old = *before->parts[old_index];
    const auto& now = *after->parts[index];
    std::set<std::pair<const measure*, std::size_t>> alone_before;
    for (const auto& at : lone_ends(old))
      alone_before.emplace(old.measures[at.measure].get(), at.item);
    auto lone = lone_ends(now);
    std::erase_if(lone, [&](const end_place& at) {
      return alone_before.contains({now.measures[at.measure].get(), at.item});
    });
    // From the last on, so that places hold.
    std::sort(lone.begin(), lone.end(), [](const end_place& a, const end_place& b) {
      return std::tie(a.measure, a.item, a.type) > std::tie(b.measure, b.item, b.type);
    });
    for (const auto& at : lone) {
      const auto& content = draft.view(index, at.measure).items[at.item].content;
      auto direct = std::get_if<direction>(&content);
      const auto& f =
          direct ? std::get<fragment>(direct->types[at.type]) : std::get<fragment>(content);
      dropped.add(edit_operation::cut, kept_name(f));
      erase_end(draft.open(index, at.measure), at);
    }
  }
  return draft.finish();
}

}  // namespace fermata
