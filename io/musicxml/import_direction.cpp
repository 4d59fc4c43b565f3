#include "io/musicxml/child_elements.hpp"
#include "io/musicxml/import_context.hpp"
#include "io/musicxml/mark_names.hpp"

#include <algorithm>

namespace fermata::io::musicxml::detail {

namespace {

/// Attributes and stray children of a leaf direction.
preserved rest_of(import_context& c, pugi::xml_node k, element e,
                  std::initializer_list<std::string_view> typed = {}) {
  kept_xml kept;
  kept.attributes(c, k, e, typed);
  for (auto x : children_of(k))
    if (x.type() == pugi::node_pi) kept.other_node(c, x);
  return kept.take();
}

bool has_elements(pugi::xml_node k) {
  return std::any_of(k.children().begin(), k.children().end(),
                     [](auto x) { return x.type() == pugi::node_element; });
}

std::optional<direction_type> read_dynamics(import_context& c, pugi::xml_node k) {
  dynamics d;
  for (auto [x, e] : uncounted_elements_in(c, k)) {
    std::string_view name = x.name();
    if (name == "other-dynamics") {
      // Text that is no dynamic of its own name, without a glyph of its own.
      auto text = c.verbatim(x);
      if (x.first_attribute() || std::find(std::begin(dynamics_names), std::end(dynamics_names),
                                           text) != std::end(dynamics_names))
        return std::nullopt;
      d.values.push_back(std::move(text));
    } else if (!x.first_attribute() && !x.first_child() &&
               std::find(std::begin(dynamics_names), std::end(dynamics_names), name) !=
                   std::end(dynamics_names)) {
      d.values.emplace_back(name);
    } else {
      return std::nullopt;
    }
  }
  if (d.values.empty()) return std::nullopt;  // no dynamic at all
  for (auto [x, e] : uncounted_elements_in(c, k))
    c.typed(x, e);
  d.extra = rest_of(c, k, element::dynamics);
  return d;
}

/// <beat-unit>, <beat-unit-dot>* at `k`, which moves on behind them.
std::optional<note_value> read_beat(import_context& c, pugi::xml_node& k) {
  if (element_of(k.name()) != element::beat_unit) return std::nullopt;
  auto base = parse_note_type(c.token(k));
  if (!base) return std::nullopt;
  note_value v{*base, 0};
  for (k = k.next_sibling(); element_of(k.name()) == element::beat_unit_dot && v.dots < 16;
       k = k.next_sibling())
    ++v.dots;
  return v;
}

std::optional<direction_type> read_metronome(import_context& c, pugi::xml_node n) {
  metronome m;
  auto k = n.first_child();
  auto beat = read_beat(c, k);
  if (!beat) return std::nullopt;
  m.beat = *beat;
  kept_xml kept;
  if (element_of(k.name()) == element::per_minute) {
    m.per_minute = c.verbatim(k);
    kept.attributes_of(c, k, element::per_minute);
    k = k.next_sibling();
  } else {
    auto equal = read_beat(c, k);
    if (!equal) return std::nullopt;
    m.equals = *equal;
  }
  if (k) return std::nullopt;
  for (auto x : children_of(n))
    c.typed(x, element_of(x.name()));
  kept.attributes(c, n, element::metronome);
  m.extra = kept.take();
  return m;
}

/// The typed direction that `k` is, or nothing.
std::optional<direction_type> read_type(import_context& c, pugi::xml_node k) {
  auto e = element_of(k.name());
  std::string type = k.attribute("type").value();
  auto type_fits = [&] { return is_valid_attribute(name_of(e), "type", type); };
  switch (e) {
    case element::dynamics: return read_dynamics(c, k);
    case element::metronome: return read_metronome(c, k);
    default: break;
  }
  if (has_elements(k)) return std::nullopt;
  switch (e) {
    case element::words: return words{c.verbatim(k), rest_of(c, k, e)};
    case element::rehearsal: return rehearsal_mark{c.verbatim(k), rest_of(c, k, e)};
    case element::segno: return segno_mark{rest_of(c, k, e)};
    case element::coda: return coda_mark{rest_of(c, k, e)};
    case element::wedge:
      if (!type_fits()) return std::nullopt;
      return wedge{type, read_number(c, k), rest_of(c, k, e, {"type", "number"})};
    case element::pedal:
      if (!type_fits()) return std::nullopt;
      return pedal{type, rest_of(c, k, e, {"type"})};
    case element::octave_shift: {
      auto size = k.attribute("size") ? parse_integer(k.attribute("size").value()) : 8;
      if (!type_fits() || !size || *size < 1 || *size > 1000) return std::nullopt;
      return octave_shift{type, static_cast<int>(*size), read_number(c, k),
                          rest_of(c, k, e, {"type", "number", "size"})};
    }
    case element::bracket:
    case element::dashes:
      if (!type_fits() ||
          (e == element::bracket &&
           !is_valid_attribute("bracket", "line-end", k.attribute("line-end").value())))
        return std::nullopt;
      return line_end{e == element::dashes, type, read_number(c, k),
                      rest_of(c, k, e, {"type", "number"})};
    default: return std::nullopt;
  }
}

/// One <direction-type>: its children, typed or as fragments.
void read_direction_type(import_context& c, pugi::xml_node n, direction& d, kept_xml& kept,
                         bool& one_each) {
  auto children = 0;
  auto good = true;
  child_sequence sequence{schema_of(element::direction_type)};
  for (auto [k, e] : uncounted_elements_in(c, n)) {
    ++children;
    good = good && sequence.take(k.name());
  }
  if (children == 0 || !good || n.first_attribute()) {
    // With an id, or with what does not go together: kept whole.
    if (good && children > 0 && fits(c, n)) {
      c.report.not_typed(element::direction_type);
      d.types.push_back(kept_fragment(c, n));
      d.grouping.push_back(1);
      return;
    }
    kept.misplaced(c, n, "its contents do not match");
    return;
  }
  std::uint8_t count = 0;
  for (auto [k, e] : elements_in(c, n, kept)) {
    if (auto typed = read_type(c, k)) {
      d.types.push_back(std::move(*typed));
      ++count;
    } else if (fits(c, k)) {
      c.report.not_typed(e);
      d.types.push_back(kept_fragment(c, k));
      ++count;
    } else {
      kept.misplaced_in(c, k, "MusicXML 4.0 does not allow this element as it is",
                        {"direction-type"});
    }
  }
  if (count > 0) {
    d.grouping.push_back(count);
    one_each = one_each && count == 1;
  }
}

/// Elements that are typed although an attribute beside their type may not fit the schema.
bool has_typed_attributes(pugi::xml_node k, element e) {
  auto typed = e == element::wedge || e == element::pedal || e == element::octave_shift ||
               e == element::dashes || e == element::segno || e == element::coda;
  return typed && !has_elements(k) &&
         (e == element::segno || e == element::coda ||
          is_valid_attribute(name_of(e), "type", k.attribute("type").value()));
}

/// The schema wants every direction to show something. One that shows nothing is its sound, or is
/// kept whole.
measure_content read_mute_direction(import_context& c, pugi::xml_node node) {
  auto sound = node.child("sound");
  auto children = std::distance(node.children().begin(), node.children().end());
  if (sound && children == 1 && !node.first_attribute()) {
    c.warn(node, "a direction containing only a sound; it is read as a sound");
    c.report.typed(element::sound);
    return read_sound(c, sound);
  }
  c.report.not_typed(element::direction);
  c.warn(node, "a direction with nothing that MusicXML 4.0 allows; it is kept");
  return wrapped_fragment(c, node);
}

/// Whether the direction has something to show that MusicXML 4.0 allows.
bool shows_something(import_context& c, pugi::xml_node node) {
  for (auto type : node.children("direction-type")) {
    child_sequence sequence{schema_of(element::direction_type)};
    auto together = true;
    for (auto [k, e] : uncounted_elements_in(c, type))
      together = together && sequence.take(k.name());
    if (!together) continue;
    for (auto [k, e] : uncounted_elements_in(c, type))
      if (((e == element::words || e == element::rehearsal) && !has_elements(k)) || fits(c, k) ||
          has_typed_attributes(k, e))
        return true;
  }
  return false;
}

}  // namespace

measure_content read_direction(import_context& c, pugi::xml_node node) {
  if (!shows_something(c, node)) return read_mute_direction(c, node);
  direction d;
  kept_xml kept;
  bool one_each = true;
  for (auto [k, e] : elements_in(c, node, kept)) {
    switch (e) {
      case element::direction_type: read_direction_type(c, k, d, kept, one_each); break;
      case element::offset:
        if (auto offset = parse_decimal(c.token(k)); offset && !d.offset) {
          d.offset = quarters{in_quarters_of(c, *offset)};
          kept.attributes_of(c, k, e);
        } else {
          kept.misplaced(c, k, "not an offset");
        }
        break;
      case element::voice:
        if (d.voice.empty())
          d.voice = c.verbatim(k);
        else
          kept.misplaced(c, k, "a second voice");
        break;
      case element::staff:
        if (auto staff = read_staff(c, k); staff && !d.staff)
          d.staff = *staff;
        else
          kept.misplaced(c, k, "the staff does not match this direction");
        break;
      case element::sound:
        if (d.sound)
          kept.misplaced(c, k, "a second <sound>");
        else
          d.sound = read_sound(c, k);
        break;
      default: kept.child(c, element::direction, k);
    }
  }
  if (one_each) d.grouping.clear();
  auto placement = node.attribute("placement");
  if (placement && is_valid_attribute("direction", "placement", placement.value()))
    d.placement = placement.value();
  kept.attributes(c, node, element::direction, {"placement"});
  d.extra = kept.take();
  return d;
}

sound read_sound(import_context& c, pugi::xml_node node) {
  kept_xml kept;
  kept.attributes(c, node, element::sound);
  child_sequence sequence{schema_of(element::sound)};
  for (auto [k, e] : elements_in(c, node, kept)) {
    if (fits(c, k) && sequence.take(k.name()))
      kept.child(c, element::sound, k);
    else
      kept.misplaced(c, k, "MusicXML 4.0 does not allow this element as it is");
  }
  return sound{kept.take()};
}

}  // namespace fermata::io::musicxml::detail
