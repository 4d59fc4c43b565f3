#include "core/score/model/section.hpp"

#include "core/music/name_match.hpp"

#include <algorithm>

namespace fermata {

namespace {

void add_marks(std::vector<section>& found, const measure& m, int number) {
  for (auto& item : m.items)
    if (auto d = std::get_if<direction>(&item.content))
      for (auto& type : d->types)
        if (auto mark = std::get_if<rehearsal_mark>(&type); mark && !mark->text.empty())
          found.push_back({mark->text, number, number});
}

}  // namespace

std::vector<section> sections_of(const score& s) {
  std::vector<section> found;
  int measures = 0;
  for (auto& p : s.parts) {
    for (std::size_t i = 0; i < p->measures.size(); ++i)
      add_marks(found, *p->measures[i], static_cast<int>(i) + 1);
    measures = std::max(measures, static_cast<int>(p->measures.size()));
  }
  std::stable_sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.first < b.first; });
  std::vector<section> sections;
  for (auto& f : found) {
    if (std::any_of(sections.begin(), sections.end(),
                    [&](auto& x) { return same_name(x.name, f.name); }))
      continue;
    sections.push_back(f);
  }
  for (std::size_t i = 0; i < sections.size(); ++i) {
    auto next = i + 1 < sections.size() ? sections[i + 1].first : measures + 1;
    sections[i].last = std::max(sections[i].first, next - 1);
  }
  return sections;
}

std::optional<section> find_section(const score& s, std::string_view name) {
  for (auto& x : sections_of(s))
    if (same_name(x.name, name)) return x;
  return std::nullopt;
}

}  // namespace fermata
