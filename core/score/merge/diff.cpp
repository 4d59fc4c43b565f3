#include "core/score/merge/diff.hpp"

#include "core/score/model/content_hash.hpp"
#include "core/score/model/describe.hpp"
#include "core/score/model/same_music.hpp"
#include "core/score/model/selector.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/model/wording.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace fermata {

namespace {

// --- notes ---------------------------------------------------------------------------------------

/// One value per chord or note aspect that may differ, in the order in which they are told.
template <class Get>
bool differ(const chord_rest& a, const chord_rest& b, Get get) {
  std::vector<decltype(get(a.notes.front()))> x, y;
  for (auto& n : a.notes)
    x.push_back(get(n));
  for (auto& n : b.notes)
    y.push_back(get(n));
  return x != y;
}

std::vector<std::string> differences(const chord_rest& a, const chord_rest& b) {
  std::vector<std::string> what;
  auto tell = [&](bool different, const char* name) {
    if (different) what.emplace_back(name);
  };
  tell(differ(a, b, [](auto& n) { return n.tone; }), "pitch");
  tell(a.length != b.length || a.written != b.written || a.tuplet != b.tuplet || a.grace != b.grace,
       "length");
  tell(differ(a, b, [](auto& n) { return std::pair{n.tie.start, n.tie.stop}; }), "tie");
  tell(differ(a, b, [](auto& n) { return n.marks; }), "marks");
  tell(differ(a, b, [](auto& n) { return n.spanners; }), "lines");
  tell(differ(a, b, [](auto& n) { return n.lyrics; }), "lyrics");
  tell(a.staff != b.staff, "staff");
  tell(differ(a, b, [](auto& n) { return n.instrument; }), "instrument");
  if (what.empty() && !(a == b)) what.emplace_back("display");
  return what;
}

struct placed {
  const measure_item* item;
  bool matched = false;
};

std::string voice_of(const measure_content& c) {
  auto* x = std::get_if<chord_rest>(&c);
  return x ? x->voice : std::string{};
}

/// Matches what two lists have in common by `same`, then calls `pair` on each match.
template <class Same, class Pair>
void match(std::vector<placed>& a, std::vector<placed>& b, Same same, Pair pair) {
  for (auto& x : a) {
    if (x.matched) continue;
    for (auto& y : b)
      if (!y.matched && same(*x.item, *y.item)) {
        x.matched = y.matched = true;
        pair(*x.item, *y.item);
        break;
      }
  }
}

std::vector<item_change> item_changes(const measure& before, const measure& after) {
  std::map<std::string, std::pair<std::vector<placed>, std::vector<placed>>> voices;
  for (auto& item : before.items)
    voices[voice_of(item.content)].first.push_back({&item});
  for (auto& item : after.items)
    voices[voice_of(item.content)].second.push_back({&item});
  std::vector<item_change> changes;
  for (auto& [voice, sides] : voices) {
    auto& [a, b] = sides;
    auto changed = [&, v = voice](const measure_item& x, const measure_item& y) {
      item_change c{change_kind::changed, v, y.at, describe(x.content), describe(y.content), {}};
      auto* m = std::get_if<chord_rest>(&x.content);
      auto* n = std::get_if<chord_rest>(&y.content);
      if (m && n) c.what = differences(*m, *n);
      if (x.at != y.at)
        c.what.insert(c.what.begin(), "position");
      else if (!m && c.before == c.after)
        c.what.push_back("display");
      changes.push_back(std::move(c));
    };
    auto nothing = [](auto&, auto&) {};
    // The same at the same place; another at the same place; the same at another place.
    match(
        a, b, [](auto& x, auto& y) { return x == y; }, nothing);
    match(
        a, b,
        [](auto& x, auto& y) {
          auto* m = std::get_if<chord_rest>(&x.content);
          auto* n = std::get_if<chord_rest>(&y.content);
          return x.at == y.at && x.content.index() == y.content.index() &&
                 (!m || !n || m->grace.has_value() == n->grace.has_value());
        },
        changed);
    match(
        a, b, [](auto& x, auto& y) { return x.content == y.content; }, changed);
    for (auto& x : a)
      if (!x.matched)
        changes.push_back(
            {change_kind::removed, voice, x.item->at, describe(x.item->content), "", {}});
    for (auto& y : b)
      if (!y.matched)
        changes.push_back(
            {change_kind::added, voice, y.item->at, "", describe(y.item->content), {}});
  }
  std::stable_sort(changes.begin(), changes.end(), [](auto& x, auto& y) { return x.at < y.at; });
  return changes;
}

// --- measures ------------------------------------------------------------------------------------

/// How much two measures share, 0 to 100.
int likeness(const measure& a, const measure& b) {
  std::multiset<std::pair<rational, std::uint64_t>> items;
  for (auto& item : a.items)
    items.emplace(item.at.value, content_hash(item.content));
  int shared = 0;
  for (auto& item : b.items)
    if (auto it = items.find({item.at.value, content_hash(item.content)}); it != items.end()) {
      items.erase(it);
      ++shared;
    }
  auto most = std::max(a.items.size(), b.items.size());
  return most == 0 ? 100 : static_cast<int>(100 * static_cast<std::size_t>(shared) / most);
}

/// Pairs of measures between two matches. As many on both sides: one by one. Else those that are
/// most alike, in order.
std::vector<std::pair<std::size_t, std::size_t>> pair_by_likeness(const part& a, std::size_t a0,
                                                                  std::size_t a1, const part& b,
                                                                  std::size_t b0, std::size_t b1) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  auto n = a1 - a0, m = b1 - b0;
  if (n == m || n * m > 250'000) {
    for (std::size_t k = 0; k < std::min(n, m); ++k)
      pairs.emplace_back(a0 + k, b0 + k);
    return pairs;
  }
  // Best total likeness; a pair with nothing in common still beats two lone measures.
  std::vector<int> best((n + 1) * (m + 1));
  auto at = [&](std::size_t i, std::size_t j) -> int& { return best[i * (m + 1) + j]; };
  auto gain = [&](std::size_t i, std::size_t j) {
    return 1 + likeness(*a.measures[a0 + i], *b.measures[b0 + j]);
  };
  std::vector<int> gains(n * m);
  for (auto i = n; i-- > 0;)
    for (auto j = m; j-- > 0;) {
      gains[i * m + j] = gain(i, j);
      at(i, j) = std::max({at(i + 1, j), at(i, j + 1), at(i + 1, j + 1) + gains[i * m + j]});
    }
  for (std::size_t i = 0, j = 0; i < n && j < m;) {
    if (at(i, j) == at(i + 1, j + 1) + gains[i * m + j])
      pairs.emplace_back(a0 + i++, b0 + j++);
    else if (at(i, j) == at(i + 1, j))
      ++i;
    else
      ++j;
  }
  return pairs;
}

std::vector<measure_ptr> slice(const part& p, std::size_t from, std::size_t to) {
  return {p.measures.begin() + static_cast<std::ptrdiff_t>(from),
          p.measures.begin() + static_cast<std::ptrdiff_t>(to)};
}

/// The measures that are the same in both. What stayed is compared with what it was.
std::vector<std::pair<std::size_t, std::size_t>> matching_measures(
    const part& a, const part& b, const std::vector<stayed_run>& stayed) {
  if (stayed.empty())
    return same_measures(slice(a, 0, a.measures.size()), slice(b, 0, b.measures.size()));
  std::vector<std::pair<std::size_t, std::size_t>> matches;
  std::size_t i = 0, j = 0;
  auto add_until = [&](std::size_t i_end, std::size_t j_end) {
    for (auto [x, y] : same_measures(slice(a, i, i_end), slice(b, j, j_end), state_before(a, i),
                                     state_before(b, j)))
      matches.emplace_back(i + x, j + y);
    i = i_end, j = j_end;
  };
  for (auto& run : stayed) {
    add_until(run.i, run.j);
    auto in_a = state_before(a, i), in_b = state_before(b, j);
    for (; i < run.i + run.count; ++i, ++j) {
      auto &x = a.measures[i], &y = b.measures[j];
      if (!same_measures({x}, {y}, in_a, in_b).empty()) matches.emplace_back(i, j);
      in_a.apply(*x);
      in_b.apply(*y);
    }
  }
  add_until(a.measures.size(), b.measures.size());
  return matches;
}

std::vector<measure_change> measure_changes(const part& a, const part& b,
                                            const measure_moves& moves) {
  auto matches =
      matching_measures(a, b, stayed_runs(moves, a.id, a.measures.size(), b.measures.size()));
  matches.emplace_back(a.measures.size(), b.measures.size());

  std::vector<measure_change> changes;
  auto removed = [&](std::size_t i) {
    changes.push_back({change_kind::removed, a.measures[i]->number, i, std::nullopt, "", {}});
  };
  auto added = [&](std::size_t j) {
    changes.push_back({change_kind::added, b.measures[j]->number, std::nullopt, j, "", {}});
  };
  std::size_t i = 0, j = 0;
  for (auto [match_i, match_j] : matches) {
    auto pairs = pair_by_likeness(a, i, match_i, b, j, match_j);
    pairs.emplace_back(match_i, match_j);
    for (auto [pi, pj] : pairs) {
      for (; i < pi; ++i)
        removed(i);
      for (; j < pj; ++j)
        added(j);
      if (pi == match_i) break;
      auto& x = *a.measures[pi];
      auto& y = *b.measures[pj];
      measure_change c{change_kind::changed, y.number, pi, pj, "", item_changes(x, y)};
      auto metre = time_in_force(b, pj).value_or(time_signature{});
      for (auto& item : c.items)
        item.beat = beat_at(item.at, metre);
      if (x.number != y.number) c.number_before = x.number;
      changes.push_back(std::move(c));
      ++i;
      ++j;
    }
    i = match_i + 1;
    j = match_j + 1;
  }
  return changes;
}

// --- texts ---------------------------------------------------------------------------------------

void tell(std::vector<text_change>& texts, const char* what, const std::string& before,
          const std::string& after) {
  if (before != after) texts.push_back({what, before, after});
}

std::string joined(const std::vector<typed_text>& texts) {
  std::string all;
  for (auto& t : texts)
    all += (all.empty() ? "" : "; ") + (t.type.empty() ? "" : t.type + ": ") + t.text;
  return all;
}

std::vector<text_change> header_changes(const score& a, const score& b) {
  std::vector<text_change> texts;
  tell(texts, "title", a.header.work_title, b.header.work_title);
  tell(texts, "work number", a.header.work_number, b.header.work_number);
  tell(texts, "movement", a.header.movement_title, b.header.movement_title);
  tell(texts, "movement number", a.header.movement_number, b.header.movement_number);
  tell(texts, "creators", joined(a.header.creators), joined(b.header.creators));
  tell(texts, "rights", joined(a.header.rights), joined(b.header.rights));
  tell(texts, "source", a.header.source, b.header.source);
  auto credit_text = [](const score& s) {
    std::string all;
    for (auto& c : s.header.credits)
      all += (all.empty() ? "" : "; ") + joined(c.words);
    return all;
  };
  tell(texts, "page text", credit_text(a), credit_text(b));
  return texts;
}

std::vector<text_change> part_texts(const part& a, const part& b) {
  std::vector<text_change> texts;
  tell(texts, "name", a.name, b.name);
  tell(texts, "abbreviation", a.abbreviation, b.abbreviation);
  auto instruments = [](const part& p) {
    std::string all;
    for (auto& i : p.instruments)
      all += (all.empty() ? "" : ", ") + (i.name.empty() ? i.id : i.name) +
             (i.midi_program ? " (program " + std::to_string(*i.midi_program) + ")" : "");
    return all;
  };
  tell(texts, "instruments", instruments(a), instruments(b));
  return texts;
}

}  // namespace

std::string_view to_string(change_kind k) {
  switch (k) {
    case change_kind::added: return "added";
    case change_kind::removed: return "removed";
    case change_kind::changed: return "changed";
  }
  return {};
}

score_diff musical_diff(const score& before, const score& after, const measure_moves& moves) {
  score_diff d;
  d.texts = header_changes(before, after);
  // The n-th part of an id matches the n-th.
  std::map<std::pair<std::string, int>, std::size_t> places;
  std::map<std::string, int> seen;
  for (std::size_t i = 0; i < before.parts.size(); ++i)
    places[{before.parts[i]->id, seen[before.parts[i]->id]++}] = i;
  seen.clear();
  std::set<std::size_t> kept;
  std::size_t last = 0;
  std::vector<part_diff> present;
  for (auto& p : after.parts) {
    auto found = places.find({p->id, seen[p->id]++});
    if (found == places.end()) {
      present.push_back({change_kind::added, p->id, part_label(*p), {}, {}, p->measures.size()});
      continue;
    }
    d.parts_reordered |= !kept.empty() && found->second < last;
    last = found->second;
    kept.insert(last);
    auto& old = before.parts[last];
    if (old == p) continue;
    part_diff c{change_kind::changed,
                p->id,
                part_label(*p),
                part_texts(*old, *p),
                measure_changes(*old, *p, moves),
                p->measures.size()};
    if (!c.texts.empty() || !c.measures.empty()) present.push_back(std::move(c));
  }
  for (std::size_t i = 0; i < before.parts.size(); ++i)
    if (!kept.contains(i))
      d.parts.push_back({change_kind::removed,
                         before.parts[i]->id,
                         part_label(*before.parts[i]),
                         {},
                         {},
                         before.parts[i]->measures.size()});
  d.parts.insert(d.parts.end(), std::make_move_iterator(present.begin()),
                 std::make_move_iterator(present.end()));
  return d;
}

// --- text ----------------------------------------------------------------------------------------

namespace {

std::string sign_of(change_kind k) {
  switch (k) {
    case change_kind::added: return "+ ";
    case change_kind::removed: return "- ";
    case change_kind::changed: return "";
  }
  return {};
}

std::string line_of(const text_change& t) {
  auto quoted = [](const std::string& s) { return "\"" + s + "\""; };
  if (t.before.empty()) return "+ " + t.what + ": " + quoted(t.after);
  if (t.after.empty()) return "- " + t.what + ": " + quoted(t.before);
  return t.what + ": " + quoted(t.before) + " -> " + quoted(t.after);
}

std::string beat_words(rational beat) {
  auto whole = floor(beat);
  auto part = beat - rational{whole};
  return "beat " + std::to_string(whole) + (part == rational{0} ? "" : "+" + to_string(part));
}

std::string line_of(const item_change& c, bool name_voice) {
  auto text = sign_of(c.kind) + beat_words(c.beat);
  if (name_voice && !c.voice.empty()) text += ", voice " + c.voice;
  text += ": ";
  switch (c.kind) {
    case change_kind::added: return text + c.after;
    case change_kind::removed: return text + c.before;
    case change_kind::changed: break;
  }
  text += c.before == c.after ? c.after : c.before + " -> " + c.after;
  std::string what;
  for (auto& w : c.what)
    what += (what.empty() ? "" : ", ") + w;
  return what.empty() ? text : text + " (" + what + ")";
}

}  // namespace

std::string to_text(const score_diff& d) {
  if (d.empty()) return "no difference\n";
  std::string text;
  auto put = [&](int depth, const std::string& l) {
    text += std::string(static_cast<std::size_t>(depth) * 2, ' ') + l + "\n";
  };
  for (auto& t : d.texts)
    put(0, line_of(t));
  if (d.parts_reordered) put(0, "parts reordered");
  for (auto& p : d.parts) {
    auto size = p.kind == change_kind::changed
                    ? ""
                    : " (" + std::to_string(p.measure_count) +
                          (p.measure_count == 1 ? " measure)" : " measures)");
    put(0, sign_of(p.kind) + p.name + size);
    for (auto& t : p.texts)
      put(1, line_of(t));
    for (std::size_t i = 0; i < p.measures.size(); ++i) {
      auto& m = p.measures[i];
      if (m.kind != change_kind::changed) {
        // Neighbours that share their fate share a line.
        auto end = i;
        while (end + 1 < p.measures.size() && p.measures[end + 1].kind == m.kind &&
               (m.kind == change_kind::added
                    ? *p.measures[end + 1].after == *p.measures[end].after + 1
                    : *p.measures[end + 1].before == *p.measures[end].before + 1))
          ++end;
        put(1, sign_of(m.kind) + (end > i ? "measures " + m.number + " to " + p.measures[end].number
                                          : "measure " + m.number));
        i = end;
        continue;
      }
      put(1, "measure " + m.number +
                 (m.number_before.empty() ? "" : " (was " + m.number_before + ")"));
      std::set<std::string> voices;
      for (auto& c : m.items)
        if (!c.voice.empty()) voices.insert(c.voice);
      bool name_voice = voices.size() > 1 || (voices.size() == 1 && *voices.begin() != "1");
      for (auto& c : m.items)
        put(2, line_of(c, name_voice));
      if (m.items.empty()) put(2, "layout");
    }
  }
  return text;
}

}  // namespace fermata
