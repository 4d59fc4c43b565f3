#include "core/score/model/staves.hpp"

#include "core/score/model/placing.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// The staff that something stands on, and how many staves it declares.
struct staff_of_content {
  int used = 1, declared = 1;

  void operator()(const chord_rest& x) { use(x.staff); }
  void operator()(const direction& x) { use(x.staff.value_or(1)); }
  void operator()(const harmony& x) { use(x.staff.value_or(1)); }
  void operator()(const attributes& a) {
    if (a.staves) declared = std::max(declared, *a.staves);
    auto use_all = [this](auto& changes) {
      for (auto& c : changes)
        use(c.staff.value_or(1));
    };
    use_all(a.keys);
    use_all(a.times);
    use_all(a.clefs);
    use_all(a.transpositions);
  }
  void operator()(const figured_bass&) {}
  void operator()(const barline&) {}
  void operator()(const sound&) {}
  void operator()(const print_layout&) {}
  void operator()(const fragment&) {}

private:
  void use(int staff) { used = std::max(used, staff); }
};

staff_of_content staves_in(const measure& m) {
  staff_of_content found;
  for (auto& item : m.items)
    std::visit(found, item.content);
  return found;
}

}  // namespace

void staff_count::pass(const measure& m) {
  auto here = staves_in(m);
  declare(here.declared);
  if (here.used > declared_) missing_ = std::max(missing_, here.used);
}

int missing_staff(const part& p) {
  staff_count count;
  for (auto& m : p.measures)
    count.pass(*m);
  return count.missing();
}

attributes staves_up_to(int staff, const part_state& state) {
  attributes a;
  a.staves = staff;
  auto above = state.clef_or_default(1);
  for (auto s = 1; s <= staff; ++s) {
    if (s <= state.staves() && state.staff(s).clef) continue;
    a.clefs.push_back(
        {static_cast<std::uint8_t>(s), above.sign == "G" && s == 2 ? clef{"F", 4, 0} : above, {}});
  }
  return a;
}

void declare_staves(score_draft& draft, std::size_t p, std::size_t first, std::size_t end) {
  auto& measures = draft.view(p).measures;
  auto in_use = std::any_of(measures.begin() + static_cast<std::ptrdiff_t>(first),
                            measures.begin() + static_cast<std::ptrdiff_t>(end),
                            [](auto& m) { return staves_in(*m).used > 1; });
  if (!in_use) return;
  staff_count count;
  for (auto i = measures.next_attributes(0); i < first; i = measures.next_attributes(i + 1))
    count.declare(staves_in(*measures[i]).declared);
  for (auto i = first; i < end; ++i)
    count.pass(*measures[i]);
  if (count.missing() == 0) return;
  auto opening = state_at(draft.view(p), 0, measure_position{});
  place_attributes(draft.open(p, 0), measure_position{}, "1",
                   staves_up_to(count.missing(), opening));
}

}  // namespace fermata
