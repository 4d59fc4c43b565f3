#include "core/lang/music/key_inference.hpp"

#include "core/score/walk.hpp"

namespace fermata {

namespace {

/// Whether the pitch was typed without any accidental: a letter and an octave, no more.
bool is_bare(std::string_view typed) {
  auto letter = !typed.empty() &&
                ((typed[0] >= 'a' && typed[0] <= 'g') || (typed[0] >= 'A' && typed[0] <= 'G'));
  return letter && typed.size() > 1 &&
         typed.find_first_not_of("-0123456789", 1) == std::string_view::npos;
}

}  // namespace

key_signature key_at(const score& s, const environment& env) {
  const auto& at = env.cursor;
  if (at.part >= s.parts.size() || s.parts[at.part]->measures.empty()) return env.defaults.key;
  const auto& p = *s.parts[at.part];
  if (at.measure >= p.measures.size())
    return state_before(p, p.measures.size()).key_or_default(at.staff);
  return state_at(p, at.measure, at.position).key_or_default(at.staff);
}

value with_inferred_key(const value& datum, source_span span, std::string_view text,
                        const key_signature& key) {
  if (auto p = datum.as_pitch()) {
    if (p->cents != 0 || span.end > text.size() || span.begin >= span.end ||
        !is_bare(text.substr(span.begin, span.end - span.begin)))
      return datum;
    auto spelt = *p;
    spelt.cents = static_cast<std::int16_t>(alteration(key, p->letter));
    return value::of(spelt);
  }
  auto list = datum.as_list();
  if (!list) return datum;
  auto copy = std::make_shared<list_data>();
  copy->span = list->span;
  copy->spans = list->spans;
  copy->bracketed = list->bracketed;
  copy->items.reserve(list->items.size());
  for (std::size_t i = 0; i < list->items.size(); ++i)
    copy->items.push_back(with_inferred_key(
        list->items[i], i < list->spans.size() ? list->spans[i] : source_span{}, text, key));
  return value{value::storage{list_ptr{std::move(copy)}}};
}

}  // namespace fermata
