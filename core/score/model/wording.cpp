#include "core/score/model/wording.hpp"

namespace fermata {

namespace {

struct tone_name {
  std::string operator()(const pitch& p) const { return to_string(p); }
  std::string operator()(const unpitched&) const { return "the percussion note"; }
  std::string operator()(const rest&) const { return "the rest"; }
};

}  // namespace

std::string measure_name(const measure& m, std::size_t index) {
  return m.number.empty() ? "measure at " + std::to_string(index + 1) : "measure " + m.number;
}

std::string part_label(const part& p) { return p.name.empty() ? "part " + p.id : p.name; }

std::string place_name(const score& s, std::size_t part_index, std::size_t measure_index) {
  if (part_index >= s.parts.size()) return "part at " + std::to_string(part_index + 1);
  auto& p = *s.parts[part_index];
  auto where = measure_index < p.measures.size()
                   ? measure_name(*p.measures[measure_index], measure_index)
                   : "measure at " + std::to_string(measure_index + 1);
  return s.parts.size() > 1 ? part_label(p) + ", " + where : where;
}

std::string length_in_words(quarters q) {
  if (auto value = note_value_for(q);
      value && value->dots <= 1 && value->base >= note_base::whole) {
    std::string name{musicxml_name(value->base)};
    if (value->dots == 1) return "a dotted " + name;
    return (value->base == note_base::eighth ? "an " : "a ") + name;
  }
  return to_string(q.value) + (q.value < rational{1} ? " of a quarter" : " quarters");
}

std::string metre_in_words(const time_signature& t) {
  if (t.fractions.empty()) return "free time";
  auto plain = t;
  plain.symbol.clear();
  return to_string(plain);
}

std::string name_of(const chord_rest& x) {
  if (x.notes.size() == 1) return std::visit(tone_name{}, x.notes.front().tone);
  std::string text = "the chord";
  for (auto& n : x.notes)
    text += " " + std::visit(tone_name{}, n.tone);
  return text;
}

}  // namespace fermata
