#include "core/lang/names/phrase_symbols.hpp"

namespace fermata {

namespace {

struct sign_row {
  char sign;
  mark_kind kind;
};
constexpr sign_row phrase_sign_table[] = {
    {'.', mark_kind::staccato},      {'>', mark_kind::accent},        {'-', mark_kind::tenuto},
    {'^', mark_kind::strong_accent}, {'!', mark_kind::staccatissimo},
};

struct hairpin_row {
  std::string_view name, type;
};
constexpr hairpin_row phrase_hairpins[] = {
    {"cresc", "crescendo"}, {"dim", "diminuendo"}, {"stop", "stop"}};

}  // namespace

std::optional<mark_kind> phrase_articulation(char sign) {
  for (auto& row : phrase_sign_table)
    if (row.sign == sign) return row.kind;
  return std::nullopt;
}

std::optional<char> phrase_sign(mark_kind kind) {
  for (auto& row : phrase_sign_table)
    if (row.kind == kind) return row.sign;
  return std::nullopt;
}

std::optional<direction> phrase_dynamic(std::string_view name) {
  direction d;
  d.placement = "below";
  for (auto& row : phrase_hairpins)
    if (row.name == name) {
      d.types.push_back(wedge{std::string{row.type}, 0, {}});
      return d;
    }
  if (!is_dynamic(name)) return std::nullopt;
  d.types.push_back(dynamics{{std::string{name}}, {}});
  return d;
}

std::optional<std::string> phrase_dynamic_name(const direction& d) {
  if (d.types.size() != 1) return std::nullopt;
  std::string name;
  if (auto w = std::get_if<wedge>(&d.types.front())) {
    for (auto& row : phrase_hairpins)
      if (row.type == w->type) name = row.name;
  } else if (auto x = std::get_if<dynamics>(&d.types.front()); x && x->values.size() == 1) {
    name = x->values.front();
  }
  auto same = name.empty() ? std::nullopt : phrase_dynamic(name);
  // Numbers come from the order of the signs.
  if (auto w = same ? std::get_if<wedge>(&same->types.front()) : nullptr)
    w->number = std::get<wedge>(d.types.front()).number;
  return same && *same == d ? std::optional{name} : std::nullopt;
}

std::optional<pitch> next_above(const pitch& below, pitch named) {
  constexpr std::int16_t highest = 9;
  named.octave = below.octave;
  auto lies_above = [&] {
    return named.diatonic_index() != below.diatonic_index()
               ? named.diatonic_index() > below.diatonic_index()
               : named.cents > below.cents;
  };
  if (!lies_above()) ++named.octave;
  return named.octave <= highest ? std::optional{named} : std::nullopt;
}

}  // namespace fermata
