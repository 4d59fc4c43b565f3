#include "core/lang/layout/named_staves.hpp"

#include "core/lang/names/spec.hpp"
#include "core/lang/value/make.hpp"
#include "core/score/model/part_defaults.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace fermata {

namespace {

std::set<std::uint8_t> staves_with_notes(const part& p) {
  std::set<std::uint8_t> out;
  for (const auto& m : p.measures)
    for (const auto& item : m->items)
      if (auto x = std::get_if<chord_rest>(&item.content))
        out.insert(std::max<std::uint8_t>(x->staff, 1));
  return out;
}

class staff_numberer {
public:
  explicit staff_numberer(staff_clefs known) : known_(std::move(known)) {}

  /// What surrounds the items.
  struct place {
    bool in_sequence = false;
    bool in_measure = false;
    std::uint8_t staff = 0;  ///< 0: none is said
  };

  std::vector<music_ptr> walk(const std::vector<music_ptr>& items, place where) {
    auto numbers = numbers_of(items, where);
    std::vector<music_ptr> out;
    out.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i)
      out.push_back(walk(items[i], numbers[i], where));
    return out;
  }

private:
  /// `number`: of a staff.
  music_ptr walk(const music_ptr& m, int number, place where) {
    if (auto x = as_node<staff_music>(*m)) return walk_staff(*x, m, number, where);
    if (auto a = leaf<attributes>(*m))
      for (const auto& c : a->clefs)
        known_.say(std::max<std::uint8_t>(c.staff.value_or(where.staff), 1), c.value);
    if (auto c = leaf<chord_rest>(*m))
      known_.use(std::max<std::uint8_t>(c->staff > 0 ? c->staff : where.staff, 1));
    if (as_node<part_music>(*m) || as_node<part_group_music>(*m) || as_node<score_music>(*m))
      return m;  // what stands in a part is of that part
    auto items = items_of(*m);
    if (!items) return m;
    where.in_sequence = as_node<seq_music>(*m) != nullptr;
    where.in_measure |= as_node<measure_music>(*m) != nullptr;
    if (auto v = as_node<voice_music>(*m); v && v->staff) where.staff = *v->staff;
    auto inner = walk(*items, where);
    return inner == *items ? m : with_items(*m, std::move(inner));
  }

  music_ptr walk_staff(const staff_music& x, const music_ptr& m, int number, place where) {
    if (number > max_staves) return m;
    auto staff = static_cast<std::uint8_t>(number);
    auto items = x.items;
    if (auto named = clef_naming(x); named && known_.has(staff, *named)) items.erase(items.begin());
    auto inner = walk(items, {false, where.in_measure, staff});
    if (x.staff == staff && inner == x.items) return m;
    return make_music(staff_music{staff, std::move(inner)}, m->span);
  }

  /// For each of the items the number it has or gets as a staff; zero: it is none.
  std::vector<int> numbers_of(const std::vector<music_ptr>& items, place where) {
    std::vector<int> out(items.size());
    std::vector<std::pair<std::size_t, clef>> named;
    std::set<int> taken;
    auto beside_numbered = false;
    for (std::size_t i = 0; i < items.size(); ++i) {
      auto x = as_node<staff_music>(*items[i]);
      if (!x) continue;
      out[i] = x->staff;
      beside_numbered |= x->staff != 0 && !where.in_sequence;
      if (auto c = clef_naming(*x)) named.emplace_back(i, *c);
    }
    if (named.empty()) return out;
    // The one of the same name before it, where one follows the other.
    auto earlier = [&](std::size_t n) {
      for (std::size_t k = 0; k < n && where.in_sequence; ++k)
        if (is_same_clef(named[k].second, named[n].second)) return out[named[k].first];
      return 0;
    };
    auto all_found = true;
    for (std::size_t n = 0; n < named.size() && all_found; ++n) {
      auto& number = out[named[n].first];
      number = earlier(n);
      if (number != 0) continue;
      auto found = known_.with(named[n].second, [&](int staff) { return !taken.contains(staff); });
      all_found = found.has_value();
      number = found.value_or(0);
      taken.insert(number);
    }
    if (all_found) return out;
    if (is_one_staff(named, where) && !beside_numbered && !where.in_measure) {
      for (const auto& [i, _] : named)
        out[i] = known_.unused();
      return out;
    }
    auto count = 0;
    std::size_t n = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (n < named.size() && named[n].first == i) {
        auto before = earlier(n++);
        out[i] = before != 0 ? before : ++count;
      } else if (!where.in_sequence) {
        count = std::max(count, out[i]);
      }
    }
    return out;
  }

  static bool is_one_staff(const std::vector<std::pair<std::size_t, clef>>& named, place where) {
    return named.size() == 1 ||
           (where.in_sequence && std::all_of(named.begin(), named.end(), [&](const auto& x) {
              return is_same_clef(x.second, named.front().second);
            }));
  }

  staff_clefs known_;
};

}  // namespace

bool names_a_staff(const music& m) {
  if (auto x = as_node<staff_music>(m); x && x->staff == 0) return true;
  auto items = items_of(m);
  return items && std::any_of(items->begin(), items->end(),
                              [](const music_ptr& x) { return names_a_staff(*x); });
}

namespace {

int staves_named(const music& m) {
  if (auto x = as_node<staff_music>(m); x && x->staff == 0) return 1;
  auto count = 0;
  if (auto items = items_of(m))
    for (const auto& x : *items)
      count += staves_named(*x);
  return count;
}

bool measure_names_a_staff(const music& m) {
  if (as_node<measure_music>(m)) return names_a_staff(m);
  auto items = items_of(m);
  return items && std::any_of(items->begin(), items->end(),
                              [](const music_ptr& x) { return measure_names_a_staff(*x); });
}

}  // namespace

bool names_one_staff(const music& m) { return staves_named(m) == 1; }

bool is_same_clef(const std::optional<clef>& a, const clef& b) {
  return a && (*a == b || (name_of(*a) && name_of(*a) == name_of(b)));
}

std::optional<clef> clef_naming(const staff_music& x) {
  auto a = x.staff == 0 && !x.items.empty() ? leaf<attributes>(*x.items.front()) : nullptr;
  if (!a || a->clefs.size() != 1) return std::nullopt;
  return a->clefs.front().value;
}

part_state state_or_opening(const score& s, const score_cursor& at,
                            const score_defaults& defaults) {
  if (at.part < s.parts.size() && !s.parts[at.part]->measures.empty())
    return state_at(*s.parts[at.part], at.measure, at.position);
  part_state state;
  state.apply(opening_attributes(s, at.part, defaults));
  return state;
}

staff_clefs::staff_clefs(const instrument_info* instrument) {
  if (!instrument) return;
  for (auto name : instrument->clefs)
    say(static_cast<std::uint8_t>(rows_.size() + 1), *find_clef(name));
}

staff_clefs::staff_clefs(const part_music& p)
  : staff_clefs(p.plain || p.instrument.empty() ? nullptr : find_instrument(p.instrument)) {}

staff_clefs::staff_clefs(const score& s, const score_cursor& place,
                         const score_defaults& defaults) {
  auto begin = place;
  begin.measure = 0;
  begin.position = {};
  const auto first = state_or_opening(s, begin, defaults);
  const auto now = state_or_opening(s, place, defaults);
  for (auto staff = 1; staff <= now.staves(); ++staff)
    rows_.push_back({first.staff(staff).clef, now.staff(staff).clef, false});
  if (place.part >= s.parts.size()) return;
  for (auto staff : staves_with_notes(*s.parts[place.part]))
    use(staff);
}

std::uint8_t staff_clefs::unused() const {
  auto free = std::find_if(rows_.begin(), rows_.end(), [](const row& x) { return !x.is_used; });
  return static_cast<std::uint8_t>(free - rows_.begin() + 1);
}

bool staff_clefs::has(std::uint8_t staff, const clef& c) const {
  return staff <= rows_.size() && is_same_clef(rows_[staff - 1].now, c);
}

void staff_clefs::say(std::uint8_t staff, const clef& c) {
  auto& row = at(staff);
  row.now = c;
  if (!row.is_used) row.first = c;
}

void staff_clefs::use(std::uint8_t staff) { at(staff).is_used = true; }

staff_clefs::row& staff_clefs::at(std::uint8_t staff) {
  if (rows_.size() < staff) rows_.resize(staff);
  return rows_[staff - 1];
}

std::vector<music_ptr> with_numbered_staves(const std::vector<music_ptr>& items,
                                            staff_clefs known) {
  return staff_numberer{std::move(known)}.walk(items, {});
}

std::vector<music_ptr> with_staves_of_measures_numbered(const part_music& p) {
  if (std::none_of(p.items.begin(), p.items.end(),
                   [](auto& x) { return measure_names_a_staff(*x); }))
    return p.items;
  return with_numbered_staves(p.items, staff_clefs{p});
}

error too_many_staves(source_span span) {
  return error{errc::out_of_range, "a part has at most " + std::to_string(max_staves) + " staves",
               span, "put further staves in another part"};
}

}  // namespace fermata
