#include "core/score/repair/overlapping_spanners.hpp"

#include <algorithm>
#include <set>

namespace fermata {

namespace {

/// One may end where the next one begins.
bool stand_together(const standing_line& a, const standing_line& b) {
  auto place = [](const spanner_end_place& e) { return std::pair{e.measure, e.at}; };
  return place(a.first) < place(b.second) && place(b.first) < place(a.second);
}

/// Joined by the same rules as each other's ends (lines.hpp).
bool alike(const standing_line& a, const standing_line& b) {
  auto &x = a.first, &y = b.first;
  return x.kind == y.kind && x.number == y.number && x.staff == y.staff &&
         (x.staff != 0 || x.voice == y.voice);
}

struct give_number {
  std::uint8_t number;
  void operator()(wedge& x) const { x.number = number; }
  void operator()(octave_shift& x) const { x.number = number; }
  void operator()(line_end& x) const { x.number = number; }
  void operator()(pedal&) const {}
  void operator()(dynamics&) const {}
  void operator()(words&) const {}
  void operator()(rehearsal_mark&) const {}
  void operator()(segno_mark&) const {}
  void operator()(coda_mark&) const {}
  void operator()(metronome&) const {}
  void operator()(fragment&) const {}
};

void number_end(score_draft& draft, std::size_t p, const spanner_end_place& e,
                std::uint8_t number) {
  auto& item = draft.open(p, e.measure).items.own()[e.item];
  if (auto* x = std::get_if<chord_rest>(&item.content))
    x->notes[e.note].spanners[e.index].number = number;
  else if (auto* d = std::get_if<direction>(&item.content))
    std::visit(give_number{number}, d->types[e.index]);
}

}  // namespace

std::vector<standing_line> renumber_overlapping_spanners(score_draft& draft, std::size_t p,
                                                         const std::vector<standing_line>& stayed,
                                                         std::vector<standing_line> came) {
  std::vector<standing_line> not_told;
  for (auto& line : came) {
    if (std::none_of(stayed.begin(), stayed.end(),
                     [&](auto& s) { return stand_together(s, line) && alike(s, line); }))
      continue;
    if (line.first.kind == spanner_kind::pedal) {
      not_told.push_back(line);
      continue;
    }
    std::set<int> taken;
    for (auto* lines : {&stayed, static_cast<const std::vector<standing_line>*>(&came)})
      for (auto& other : *lines)
        if (other.first.kind == line.first.kind && stand_together(other, line))
          taken.insert(other.first.number);
    std::uint8_t number = 1;
    while (taken.contains(number))
      ++number;
    for (auto* e : {&line.first, &line.second}) {
      number_end(draft, p, *e, number);
      e->number = number;
    }
  }
  return not_told;
}

}  // namespace fermata
