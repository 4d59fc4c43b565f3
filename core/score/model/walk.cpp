#include "core/score/model/walk.hpp"

#include "core/score/model/kept_elements.hpp"

#include <algorithm>
#include <cmath>

namespace fermata {

namespace {

/// The attributes of a measure by position; the measure keeps them voice by voice.
std::vector<const measure_item*> attributes_by_position(const measure& m) {
  std::vector<const measure_item*> found;
  for (auto& item : m.items)
    if (std::holds_alternative<attributes>(item.content)) found.push_back(&item);
  std::stable_sort(found.begin(), found.end(), [](auto* a, auto* b) { return a->at < b->at; });
  return found;
}

}  // namespace

const staff_state& part_state::staff(int number) const {
  auto i = static_cast<std::size_t>(std::max(number, 1) - 1);
  return i < staves_.size() ? staves_[i] : all_;
}

staff_state& part_state::open(int number) {
  auto n = static_cast<std::size_t>(std::max(number, 1));
  if (staves_.size() < n) staves_.resize(n, all_);
  return staves_[n - 1];
}

key_signature part_state::key_or_default(int staff_number) const {
  return staff(staff_number).key.value_or(key_signature{});
}

time_signature part_state::time_or_default(int staff_number) const {
  return staff(staff_number).time.value_or(time_signature{});
}

clef part_state::clef_or_default(int staff_number) const {
  return staff(staff_number).clef.value_or(clef{});
}

void part_state::apply(const attributes& a) {
  if (a.staves) open(*a.staves);
  auto set = [this](const auto& changes, auto member) {
    for (auto& change : changes)
      if (change.staff) {
        open(*change.staff).*member = change.value;
      } else {
        all_.*member = change.value;
        for (auto& s : staves_)
          s.*member = change.value;
      }
  };
  set(a.keys, &staff_state::key);
  set(a.times, &staff_state::time);
  set(a.transpositions, &staff_state::transpose);
  for (auto& f : a.others)
    say_standing(standing_, f);
  // A clef without a number is the clef of the first staff, not of all.
  for (auto& c : a.clefs)
    open(c.staff.value_or(1)).clef = c.value;
}

void part_state::apply(const measure& m) {
  for (auto* item : attributes_by_position(m))
    apply(std::get<attributes>(item->content));
}

void part_state::apply(const measure& m, measure_position until) {
  for (auto* item : attributes_by_position(m))
    if (item->at <= until) apply(std::get<attributes>(item->content));
}

part_state state_before(const part& p, std::size_t index) {
  part_state state;
  for (auto i = p.measures.next_attributes(0); i < std::min(index, p.measures.size());
       i = p.measures.next_attributes(i + 1))
    state.apply(*p.measures[i]);
  return state;
}

part_state state_at(const part& p, std::size_t index, measure_position at) {
  auto state = state_before(p, index);
  if (index < p.measures.size()) state.apply(*p.measures[index], at);
  return state;
}

std::optional<time_signature> time_in_force(const part& p, std::size_t index, int staff_number) {
  if (p.measures.empty()) return std::nullopt;
  auto end = p.measures.behind_last_attributes(std::min(index, p.measures.size() - 1) + 1);
  for (; end > 0; end = p.measures.behind_last_attributes(end - 1)) {
    auto i = end - 1;
    const time_signature* latest = nullptr;
    measure_position at;
    for (auto& item : p.measures[i]->items) {
      auto* a = std::get_if<attributes>(&item.content);
      if (!a || a->times.empty() || (i == index && item.at > measure_position{})) continue;
      for (auto& t : a->times)
        if ((!t.staff || *t.staff == staff_number) && (!latest || item.at >= at)) {
          latest = &t.value;
          at = item.at;
        }
    }
    if (latest) return *latest;
  }
  return std::nullopt;
}

std::vector<quarters> measure_starts(const score& s) {
  std::vector<quarters> lengths;
  for (auto& p : s.parts) {
    if (lengths.size() < p->measures.size()) lengths.resize(p->measures.size());
    for (std::size_t i = 0; i < p->measures.size(); ++i)
      lengths[i] = std::max(lengths[i], extent(*p->measures[i]));
  }
  // Only empty measures ask for the time signature.
  if (std::find(lengths.begin(), lengths.end(), quarters{}) != lengths.end())
    for (auto& p : s.parts) {
      part_state state;
      for (std::size_t i = 0; i < p->measures.size(); ++i) {
        state.apply(*p->measures[i]);
        if (lengths[i] == quarters{}) lengths[i] = measure_length(state.time_or_default());
      }
    }
  std::vector<quarters> starts{quarters{}};
  for (auto length : lengths)
    starts.push_back(starts.back() + length);
  return starts;
}

int transposition_cents(const transposition& t) {
  auto chromatic = parse_rational(t.chromatic).value_or(rational{0});
  return static_cast<int>(std::lround((chromatic * rational{100}).to_double())) + t.octaves * 1200;
}

int sounding_cents(pitch written, const std::optional<transposition>& t) {
  return midi_cents(written) + (t ? transposition_cents(*t) : 0);
}

}  // namespace fermata
