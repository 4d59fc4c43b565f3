#include "core/lang/notation/phrase_item.hpp"

#include "core/lang/value/make.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// Joins the ties of one item to the next; false when none of them leads anywhere.
bool join(phrase_item& from, phrase_item& to) {
  auto met = false;
  for (auto& n : from.x.notes) {
    auto same = std::find_if(to.x.notes.begin(), to.x.notes.end(),
                             [&](const note& m) { return m.tone == n.tone; });
    if (same != to.x.notes.end()) {
      same->tie.stop = true;
      met = true;
    } else {
      n.tie.start = false;
    }
  }
  return met;
}

/// `before`: what sounded last.
const phrase_item* join_ties(std::vector<phrase_item>& items, phrase_item*& before) {
  for (auto& x : items) {
    if (!x.inner.empty()) {
      if (auto loose = join_ties(x.inner, before)) return loose;
      continue;
    }
    if (x.kind != phrase_item::what::timed) continue;
    if (before && before->tied_at && !join(*before, x)) return before;
    before = &x;
  }
  return nullptr;
}

using slur_end = std::pair<note*, std::size_t>;  ///< a note and its spanner

/// Starts that are still `open` at the end, and stops that nothing has opened.
void collect_loose_slurs(std::vector<phrase_item>& items, std::vector<slur_end>& open,
                         std::vector<slur_end>& loose) {
  for (auto& x : items) {
    collect_loose_slurs(x.inner, open, loose);
    for (auto& n : x.x.notes)
      for (std::size_t i = 0; i < n.spanners.size(); ++i) {
        const auto& s = n.spanners[i];
        if (s.kind != spanner_kind::slur) continue;
        auto start = std::find_if(open.rbegin(), open.rend(), [&](const slur_end& o) {
          return o.first->spanners[o.second].number == s.number;
        });
        if (s.end == span_end::start)
          open.emplace_back(&n, i);
        else if (start != open.rend())
          open.erase(std::next(start).base());
        else
          loose.emplace_back(&n, i);
      }
  }
}

}  // namespace

bool takes_time(const phrase_item& x) { return x.kind != phrase_item::what::other; }

void set_value(phrase_item& x, note_value v) {
  x.x.written = v;
  x.length = length(v);
  x.x.length = x.length;
}

std::size_t weight_of(const std::vector<phrase_item>& items) {
  std::size_t all = 1;
  for (const auto& x : items)
    all += x.weight;
  return all;
}

std::optional<int> fit(phrase_item& group, quarters whole) {
  std::vector<phrase_item*> parts;
  for (auto& x : group.inner)
    if (takes_time(x)) parts.push_back(&x);
  group.length = whole;
  auto said =
      std::any_of(parts.begin(), parts.end(), [](const phrase_item* x) { return x->own_length; });
  if (said) {
    quarters total;
    for (auto x : parts)
      total += x->length;
    auto share = total / whole;
    group.actual = static_cast<int>(share.numerator());
    group.normal = static_cast<int>(share.denominator());
    // 3:2 of eighths rather than of their sum: in units of the shortest value.
    return std::nullopt;
  }
  auto n = static_cast<int>(parts.size());
  auto undotted = [&](int m) {
    auto v = note_value_for(whole / rational{m});
    return v && v->dots == 0;
  };
  auto m = n;
  while (m > 0 && !undotted(m))
    --m;
  for (auto more = n + 1; m == 0 && more <= 64; ++more)
    if (undotted(more)) m = more;
  if (m == 0) return n;
  auto each = *note_value_for(whole / rational{m});
  for (auto x : parts) {
    if (x->kind == phrase_item::what::timed) {
      set_value(*x, each);
    } else if (x->kind == phrase_item::what::group) {
      if (auto too_many = fit(*x, length(each))) return too_many;
    } else {
      x->length = length(each);
    }
  }
  group.actual = n;
  group.normal = m;
  return std::nullopt;
}

const phrase_item* join_ties(std::vector<phrase_item>& items) {
  phrase_item* before = nullptr;
  return join_ties(items, before);
}

void keep_whole_slurs(std::vector<phrase_item>& items) {
  std::vector<slur_end> open, loose;
  collect_loose_slurs(items, open, loose);
  loose.insert(loose.end(), open.begin(), open.end());
  // From the last of each note, so that places hold.
  std::sort(loose.begin(), loose.end(),
            [](const auto& a, const auto& b) { return a.second > b.second; });
  for (auto& [n, i] : loose)
    n->spanners.erase(n->spanners.begin() + static_cast<std::ptrdiff_t>(i));
}

void append_phrase(const std::vector<phrase_item>& items, std::vector<music_ptr>& out) {
  for (const auto& x : items)
    switch (x.kind) {
      case phrase_item::what::timed: out.push_back(make_music(measure_content{x.x})); break;
      case phrase_item::what::skip: out.push_back(make_music(skip_music{x.length})); break;
      case phrase_item::what::other: out.push_back(x.other); break;
      case phrase_item::what::group:
      case phrase_item::what::tuplet: {
        if (x.actual == x.normal) {
          append_phrase(x.inner, out);
          break;
        }
        tuplet_music t;
        t.actual = x.actual;
        t.normal = x.normal;
        append_phrase(x.inner, t.items);
        out.push_back(make_music(std::move(t)));
        break;
      }
    }
}

}  // namespace fermata
