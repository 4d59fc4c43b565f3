#include "actors/midi/take_notation.hpp"

#include "core/lang/layout/decompile.hpp"
#include "core/score/model/measure_names.hpp"
#include "core/score/model/walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace fermata::actors {

namespace {

std::string quoted(const std::string& text) { 
  return print_form(value{std::make_shared<const std::string>(text)});
}

measure without_signs(measure m) {
  auto items = std::exchange(m.items, {});
  for (auto& item : items)
    if (!std::holds_alternative<attributes>(item.content) &&
        !std::holds_alternative<direction>(item.content))
      m.items.push_back(item);
  return m;
}

/// `in_place`: in measures of the score, which have their signs.
std::vector<std::string> measures_of(const part& p, bool in_place) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < p.measures.size(); ++i) {
    auto time = time_in_force(p, i).value_or(time_signature{});
    auto m = in_place ? without_signs(*p.measures[i]) : *p.measures[i];
    texts.push_back(print_form(to_form(*to_music(m, time, true))));
  }
  return texts;
}

std::string lines(const std::vector<std::string>& texts) {
  std::string all;
  for (auto& t : texts)
    all += t + '\n';
  return all;
}

std::string number_of(int position, const score_ptr& s) {
  auto index = static_cast<std::size_t>(position - 1);
  auto longest = s ? longest_part(*s) : nullptr;
  return longest && index < longest->measures.size() ? printed_number(*longest, index)
                                                     : std::to_string(position);
}

}  // namespace

std::string text_that_adds(const score& notation, const io::take_place& place, int take,
                           const score_ptr& to) {
  if (notation.parts.size() != 1) {
    std::string text;
    for (auto& p : notation.parts)
      text += print_form(to_form(*to_music(*p, false))) + '\n';
    return text;
  }
  auto measures = measures_of(*notation.parts.front(), place.measures && !place.part.empty());
  if (!place.measures)
    return (place.part.empty() ? "" : fmt::format("(cursor :part {} :end)\n", quoted(place.part))) +
           lines(measures);
  auto [first, last] = *place.measures;
  constexpr auto silence = "(measure (rest :measure))";
  measures.resize(static_cast<std::size_t>(last - first + 1), silence);
  if (!place.part.empty())
    return fmt::format("(replace (select :part {} :measures ({} {}))\n{})\n", quoted(place.part),
                       number_of(first, to), number_of(last, to), lines(measures));
  measures.insert(measures.begin(), static_cast<std::size_t>(first - 1), silence);
  return fmt::format("(part :name {}\n{})\n", quoted(fmt::format("Take {}", take)),
                     lines(measures));
}

bool is_for_one_staff(const io::take_place& place, const score_ptr& to) {
  if (place.part.empty() || !to) return false;
  for (auto& p : to->parts) {
    if (p->id != place.part) continue;
    int staves = 1;
    for (auto& m : p->measures)
      for (auto& item : m->items)
        if (auto a = std::get_if<attributes>(&item.content))
          staves = std::max(staves, a->staves.value_or(1));
    return staves == 1;
  }
  return false;
}

}  // namespace fermata::actors
