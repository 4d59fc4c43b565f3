#include "core/score/repair/hairpin_numbers.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace fermata {

namespace {

using hairpin = std::pair<spanner_end_place, spanner_end_place>;

/// Two may touch: one ends where the next begins.
bool at_a_time(const hairpin& a, const hairpin& b) {
  auto place = [](const spanner_end_place& e) { return std::pair{e.measure, e.at}; };
  return place(a.first) < place(b.second) && place(b.first) < place(a.second);
}

/// The hairpins of a part as they are joined, those with a number of their own first.
class hairpin_reader {
public:
  explicit hairpin_reader(const std::vector<spanner_end_place>& ends) {
    std::vector<spanner_end_place> numbered, rest;
    for (const auto& e : ends)
      if (e.kind == spanner_kind::hairpin) (e.number == 0 ? rest : numbered).push_back(e);
    auto own = pair_spanners(numbered);
    pairs = std::move(own.pairs);
    settled = pairs.size();
    rest.insert(rest.end(), own.unpaired.begin(), own.unpaired.end());
    std::stable_sort(rest.begin(), rest.end(), [](const auto& a, const auto& b) {
      return std::tuple{a.measure, a.at, a.start} < std::tuple{b.measure, b.at, b.start};
    });
    for (auto& e : rest)
      if (e.start)
        unpaired.push_back(std::move(e));
      else
        close(std::move(e));
    // They were found in the order of their ends.
    std::stable_sort(pairs.begin() + static_cast<std::ptrdiff_t>(settled), pairs.end(),
                     [](const auto& a, const auto& b) {
                       return std::tie(a.first.measure, a.first.at) <
                              std::tie(b.first.measure, b.first.at);
                     });
  }

  std::vector<hairpin> pairs;
  std::size_t settled = 0;  ///< so many of them are as they should be
  std::vector<spanner_end_place> unpaired;

private:
  void close(spanner_end_place&& stop) {
    auto of_voice = unpaired.rend(), of_staff = unpaired.rend();
    for (auto x = unpaired.rbegin(); x != unpaired.rend(); ++x) {
      if (!x->start || x->staff != stop.staff || (x->number != 0 && stop.number != 0)) continue;
      if (of_staff == unpaired.rend()) of_staff = x;
      if (of_voice == unpaired.rend() && x->voice == stop.voice) of_voice = x;
    }
    auto found = of_voice != unpaired.rend() ? of_voice : of_staff;
    if (found == unpaired.rend()) {
      unpaired.push_back(std::move(stop));
      return;
    }
    pairs.emplace_back(std::move(*found), std::move(stop));
    unpaired.erase(std::next(found).base());
  }
};

/// The hairpin that is open last where one goes on over a break.
std::uint8_t number_around(const std::vector<hairpin>& pairs, const spanner_end_place& at) {
  const hairpin* found = nullptr;
  for (const auto& x : pairs) {
    if (x.first.staff != at.staff || !at_a_time(x, {at, at})) continue;
    auto later = !found || std::tuple{found->first.measure, found->first.at} <
                               std::tuple{x.first.measure, x.first.at};
    if (later) found = &x;
  }
  return found ? found->first.number : 1;
}

const wedge* wedge_of(const direction_type& t) { return std::get_if<wedge>(&t); }

}  // namespace

bool has_unnumbered_hairpin(const measure& m) {
  return std::any_of(m.items.begin(), m.items.end(), [](const measure_item& item) {
    auto d = std::get_if<direction>(&item.content);
    return d && std::any_of(d->types.begin(), d->types.end(), [](const direction_type& t) {
             return wedge_of(t) && wedge_of(t)->number == 0;
           });
  });
}

namespace {

/// Gives the ends of all pairs, and those that have none, their numbers; `changed` is told.
template <class Changed>
hairpin_reader numbered_hairpins(const std::vector<spanner_end_place>& ends, Changed changed) {
  hairpin_reader read{ends};
  auto& pairs = read.pairs;
  auto give = [&](spanner_end_place& e, std::uint8_t number) {
    if (std::exchange(e.number, number) != number) changed(e);
  };
  auto taken_at = [&](const hairpin& line) {
    std::set<std::uint8_t> taken;
    for (const auto& other : pairs)
      if (&other != &line && other.first.staff == line.first.staff &&
          other.first.number == other.second.number && at_a_time(other, line))
        taken.insert(other.first.number);
    return taken;
  };
  // Where one end has a number the other gets it, too, if nothing else has it then.
  for (auto numbered : {true, false})
    for (auto i = read.settled; i < pairs.size(); ++i) {
      auto& [start, stop] = pairs[i];
      auto said = std::max(start.number, stop.number);
      if (start.number == stop.number ? numbered || said != 0 : !numbered) continue;
      auto taken = taken_at(pairs[i]);
      std::uint8_t number = said == 0 || taken.contains(said) ? 1 : said;
      while (taken.contains(number))
        ++number;
      give(start, number);
      give(stop, number);
    }
  for (auto& e : read.unpaired)
    if (e.number == 0) give(e, 1);
  return read;
}

}  // namespace

void number_hairpins(std::vector<spanner_end_place>& ends) {
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::uint8_t> numbers;
  numbered_hairpins(ends, [&](const spanner_end_place& e) {
    numbers[{e.measure, e.item, e.index}] = e.number;
  });
  for (auto& e : ends)
    if (auto n = numbers.find({e.measure, e.item, e.index});
        e.kind == spanner_kind::hairpin && n != numbers.end())
      e.number = n->second;
}

std::vector<hairpin_number> hairpin_numbers(const part& p) {
  std::vector<hairpin_number> out;
  auto read =
      numbered_hairpins(spanner_ends(p, 0, p.measures.size()), [&](const spanner_end_place& e) {
        out.push_back({e.measure, e.item, e.index, e.number});
      });
  for (std::size_t m = 0; m < p.measures.size(); ++m) {
    const auto& items = p.measures[m]->items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      auto d = std::get_if<direction>(&items[i].content);
      for (std::size_t t = 0; d && t < d->types.size(); ++t) {
        auto w = wedge_of(d->types[t]);
        if (!w || w->number != 0 || w->type != "continue") continue;
        spanner_end_place here;
        here.measure = m;
        here.at = items[i].at + d->offset.value_or(quarters{});
        here.staff = d->staff.value_or(1);
        out.push_back({m, i, t, number_around(read.pairs, here)});
      }
    }
  }
  return out;
}

void set_number(measure& m, const hairpin_number& x) {
  auto& d = std::get<direction>(m.items.own()[x.item].content);
  std::get<wedge>(d.types[x.index]).number = x.number;
}

void number_new_hairpins(score_draft& draft) {
  for (auto p : draft.parts_with_written(has_unnumbered_hairpin))
    for (auto x : hairpin_numbers(draft.view(p))) {
      x.number = std::min(x.number, most_hairpins);
      set_number(draft.open(p, x.measure), x);
    }
}

part without_hairpin_numbers(const part& p) {
  auto out = p;
  std::map<std::size_t, std::shared_ptr<measure>> own;
  for (std::size_t m = 0; m < p.measures.size(); ++m) {
    const auto& items = p.measures[m]->items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      auto d = std::get_if<direction>(&items[i].content);
      for (std::size_t t = 0; d && t < d->types.size(); ++t) {
        if (auto w = wedge_of(d->types[t]); !w || w->number != 1) continue;
        auto& copy = own[m];
        if (!copy) copy = std::make_shared<measure>(*p.measures[m]);
        set_number(*copy, {m, i, t, 0});
      }
    }
  }
  for (const auto& [m, copy] : own)
    out.measures.set(m, copy);
  // Where another number would be given, 1 has to be said; and then again, as what is said counts.
  for (auto again = !own.empty(); std::exchange(again, false);)
    for (auto& x : hairpin_numbers(out)) {
      auto copy = own.find(x.measure);
      if (x.number == 1 || copy == own.end()) continue;
      auto& d = std::get<direction>(copy->second->items.own()[x.item].content);
      if (auto& w = std::get<wedge>(d.types[x.index]); w.number == 0) {
        w.number = 1;
        again = true;
      }
    }
  return out;
}

measure without_hairpin_numbers(const measure& m) {
  part only;
  only.measures.push_back(std::make_shared<const measure>(m));
  return *without_hairpin_numbers(only).measures.front();
}

}  // namespace fermata
