#include "core/lang/layout/source_tuplet.hpp"

#include "core/lang/value/make.hpp"

#include <algorithm>
#include <charconv>
#include <string>

namespace fermata {

const spanner* bracket(const chord_rest& x, span_end e, int number) {
  for (const auto& s : x.notes.front().spanners)
    if (s.kind == spanner_kind::tuplet && s.end == e && s.number == number) return &s;
  return nullptr;
}

bool take_bracket(chord_rest& x, span_end e, int number) {
  auto& spanners = x.notes.front().spanners;
  auto found = std::find_if(spanners.begin(), spanners.end(), [&](const spanner& s) {
    return s.kind == spanner_kind::tuplet && s.end == e && s.number == number;
  });
  if (found == spanners.end()) return false;
  spanners.erase(found);
  return true;
}

bool holds_bracket(const source_items& items, std::size_t i, std::size_t end, int number) {
  for (auto k = i; k < end; ++k)
    if (auto c = rhythm_of(items[k]); c && !c->grace && bracket(*c, span_end::start, number))
      return true;
  return false;
}

std::optional<std::size_t> tuplet_end(const source_items& items, std::size_t i, std::size_t last,
                                      tuplet_ratio around, int depth) {
  auto c = rhythm_of(items[i]);
  if (!c || c->grace || !c->tuplet || !bracket(*c, span_end::start, depth + 1)) return std::nullopt;
  for (auto k = i; k < last; ++k) {
    auto x = rhythm_of(items[k]);
    if (!x || x->grace) continue;
    if (!x->tuplet || x->tuplet->actual % around.actual != 0 ||
        x->tuplet->normal % around.normal != 0)
      return std::nullopt;
    if (bracket(*x, span_end::stop, depth + 1)) return k + 1;
  }
  return std::nullopt;
}

std::optional<std::size_t> unmarked_end(const source_items& items, std::size_t i, std::size_t last,
                                        tuplet_ratio around) {
  auto c = rhythm_of(items[i]);
  auto free = [](const chord_rest& x) {
    return std::none_of(x.notes.front().spanners.begin(), x.notes.front().spanners.end(),
                        [](const spanner& s) { return s.kind == spanner_kind::tuplet; });
  };
  if (!c || c->grace || !c->tuplet || around.actual != 1 || !free(*c) ||
      (c->tuplet->actual == 1 && c->tuplet->normal == 1))
    return std::nullopt;
  auto end = i;
  for (auto k = i; k < last; ++k) {
    auto x = rhythm_of(items[k]);
    if (!x || x->grace) continue;
    if (x->tuplet != c->tuplet || !free(*x)) break;
    end = k + 1;
  }
  return end > i + 1 ? std::optional{end} : std::nullopt;
}

std::optional<int> number_in(const preserved& extra, std::string_view element) {
  if (extra)
    for (const auto& child : extra->children)
      if (child.xml.starts_with("<" + std::string{element})) {
        constexpr std::string_view tag = "<tuplet-number>";
        auto at = child.xml.find(tag);
        int n = 0;
        if (at != std::string::npos && std::from_chars(child.xml.data() + at + tag.size(),
                                                       child.xml.data() + child.xml.size(), n)
                                               .ec == std::errc{})
          return n;
      }
  return std::nullopt;
}

preserved without_ratio(const preserved& extra, const tuplet_music& t, bool nested) {
  if (!extra || !nested) return extra;
  auto child = [](const char* name, int n) {
    return fragment{std::string{"<tuplet-"} + name + "><tuplet-number>" + std::to_string(n) +
                    "</tuplet-number></tuplet-" + name + ">"};
  };
  if (extra->children != std::vector{child("actual", t.actual), child("normal", t.normal)})
    return extra;
  if (extra->attributes.empty()) return {};
  return preserved{preserved_xml{extra->attributes, {}}};
}

std::optional<note_value> common_unit(const source_items& items) {
  std::optional<note_value> unit;
  for (const auto& x : items)
    if (auto c = rhythm_of(x); c && !c->grace && c->tuplet) {
      if (!c->tuplet->normal_type || (unit && unit != c->tuplet->normal_type)) return std::nullopt;
      unit = c->tuplet->normal_type;
    }
  return unit;
}

std::vector<music_ptr> with_types(const std::vector<music_ptr>& items,
                                  const std::vector<std::optional<note_value>>& wanted,
                                  const std::vector<std::optional<note_value>>& got,
                                  std::size_t& n) {
  std::vector<music_ptr> out;
  for (const auto& m : items) {
    if (auto inner = items_of(*m)) {
      out.push_back(with_items(*m, with_types(*inner, wanted, got, n)));
      continue;
    }
    auto c = leaf<chord_rest>(*m);
    if (!c || c->grace) {
      out.push_back(m);
      continue;
    }
    auto at = n++;
    if (wanted[at] == got[at]) {
      out.push_back(m);
      continue;
    }
    auto copy = *c;
    if (!copy.tuplet) copy.tuplet = time_modification{1, 1, {}};
    copy.tuplet->normal_type = wanted[at];
    out.push_back(make_music(measure_content{std::move(copy)}));
  }
  return out;
}

}  // namespace fermata
