#include "io/musicxml/import_context.hpp"

#include <algorithm>

namespace fermata::io::musicxml::detail {

namespace {

/// <root> or <bass>: step, alter, and for the bass a separator. False when it is none.
bool read_name(import_context& c, pugi::xml_node n, element step_name, element alter_name,
               std::optional<pitch_name>& out, kept_xml& kept) {
  std::optional<step> letter;
  int cents = 0;
  for (auto k : children_of(n)) {
    auto e = element_of(k.name());
    if (!is_element(k, e)) continue;
    if (e == step_name && !letter) {
      letter = parse_step(c.token(k));
      if (!letter) return false;
      kept.attributes_of(c, k, e);
    } else if (e == alter_name) {
      auto alteration = parse_semitones(c.token(k));
      if (!alteration) return false;
      cents = *alteration;
      kept.attributes_of(c, k, e, {}, cents == 0);
    } else if (e == element::bass_separator && n.name() == std::string_view{"bass"}) {
      kept.add(kept_fragment(c, k));
      continue;
    } else {
      return false;
    }
    c.report.typed(e);
  }
  if (!letter) return false;
  out = pitch_name{*letter, static_cast<std::int16_t>(cents)};
  kept.attributes_of(c, n, element_of(n.name()));
  return true;
}

std::optional<harmony::degree> read_degree(import_context& c, pugi::xml_node n) {
  harmony::degree d;
  kept_xml kept;
  int found = 0;
  for (auto k : children_of(n)) {
    if (k.type() != pugi::node_element) continue;
    auto text = c.token(k);
    auto e = element_of(k.name());
    switch (e) {
      case element::degree_value: {
        auto value = parse_integer(text);
        if (!value || *value < 1 || *value > 1000) return std::nullopt;
        d.value = static_cast<int>(*value);
        break;
      }
      case element::degree_alter: {
        auto cents = parse_semitones(text);
        if (!cents) return std::nullopt;
        d.cents = *cents;
        break;
      }
      case element::degree_type:
        if (!is_valid_text("degree-type", text)) return std::nullopt;
        d.type = text;
        break;
      default: return std::nullopt;
    }
    ++found;
    kept.attributes_of(c, k, e);
  }
  if (found != 3) return std::nullopt;
  for (auto k : children_of(n))
    c.report.typed(element_of(k.name()));
  kept.attributes(c, n, element::degree);
  d.extra = kept.take();
  return d;
}

/// Whether the harmony is one chord with a root, a numeral or a function, each part once. Others
/// (several chords in one element) are kept whole.
bool is_single_chord(pugi::xml_node node) {
  int heads = 0, kinds = 0, basses = 0, inversions = 0;
  for (auto k : children_of(node)) {
    auto e = element_of(k.name());
    heads += e == element::root || e == element::numeral || e == element::function;
    kinds += e == element::kind;
    basses += e == element::bass;
    inversions += e == element::inversion;
  }
  return heads == 1 && kinds == 1 && basses <= 1 && inversions <= 1;
}

/// Reads a child; false when the harmony has to be kept whole.
bool read_child(import_context& c, pugi::xml_node k, harmony& h, kept_xml& kept) {
  auto e = element_of(k.name());
  switch (e) {
    case element::root:
      return read_name(c, k, element::root_step, element::root_alter, h.root, kept);
    case element::bass:
      return read_name(c, k, element::bass_step, element::bass_alter, h.bass, kept);
    case element::numeral:
      if (!fits(c, k)) return false;
      c.report.not_typed(e);
      h.numeral = kept_fragment(c, k);
      return true;
    case element::function:
      h.function = c.verbatim(k);
      kept.attributes_of(c, k, e);
      return true;
    case element::kind:
      h.kind = c.token(k);
      if (!is_valid_text("kind", h.kind)) return false;
      h.kind_text = k.attribute("text").value();
      if (h.kind_text.empty())  // text="" is kept: it hides the chord's name
        kept.attributes_of(c, k, e);
      else
        kept.attributes_of(c, k, e, {"text"});
      return true;
    case element::inversion: {
      auto inversion = parse_integer(c.token(k));
      if (!inversion || *inversion < 0 || *inversion > 1000) return false;
      h.inversion = static_cast<int>(*inversion);
      kept.attributes_of(c, k, e);
      return true;
    }
    case element::degree: {
      auto degree = read_degree(c, k);
      if (degree) h.degrees.push_back(std::move(*degree));
      return degree.has_value();
    }
    case element::offset: {
      auto offset = parse_decimal(c.token(k));
      if (!offset || h.offset) return false;
      h.offset = quarters{in_quarters_of(c, *offset)};
      kept.attributes_of(c, k, e);
      return true;
    }
    case element::staff: h.staff = read_staff(c, k); return h.staff.has_value();
    default: kept.child(c, element::harmony, k); return true;
  }
}

}  // namespace

measure_content read_harmony(import_context& c, pugi::xml_node node) {
  harmony h;
  kept_xml kept;
  auto whole = [&]() -> measure_content {
    c.report.not_typed(element::harmony);
    return kept_fragment(c, node);
  };
  if (!is_single_chord(node)) return whole();
  // Values are tried before anything is counted: what fails is kept whole, and counted once.
  auto before = c.report;
  auto warnings = c.warnings.size();
  for (auto k : children_of(node)) {
    if (k.type() != pugi::node_element) {
      kept.other_node(c, k);
      continue;
    }
    c.report.typed(element_of(k.name()));
    if (!read_child(c, k, h, kept)) {
      c.report = std::move(before);
      c.warnings.resize(std::min(warnings, c.warnings.size()));
      return whole();
    }
  }
  kept.attributes(c, node, element::harmony);
  h.extra = kept.take();
  return h;
}

figured_bass read_figured_bass(import_context& c, pugi::xml_node node) {
  figured_bass f;
  kept_xml kept;
  for (auto k : children_of(node)) {
    auto e = element_of(k.name());
    if (!is_element(k, e)) {
      kept.other_node(c, k);
      continue;
    }
    c.report.typed(e);
    if (e == element::duration) {
      auto duration = parse_decimal(c.token(k));
      if (duration && *duration > rational{0})
        f.length = quarters{in_quarters_of(c, *duration)};
      else
        c.warn(k, "a duration is above zero");
      continue;
    }
    if (e != element::figure) {
      kept.child(c, element::figured_bass, k);
      continue;
    }
    auto& figure = f.figures.emplace_back();
    kept_xml own;
    for (auto x : children_of(k)) {
      if (x.type() != pugi::node_element) {
        own.other_node(c, x);
        continue;
      }
      auto part = element_of(x.name());
      c.report.typed(part);
      auto* target = part == element::prefix          ? &figure.prefix
                     : part == element::figure_number ? &figure.number
                     : part == element::suffix        ? &figure.suffix
                                                      : nullptr;
      if (!target) {
        own.child(c, element::figure, x);
        continue;
      }
      *target = c.verbatim(x);
      own.attributes_of(c, x, part, {}, target->empty());
    }
    figure.extra = own.take();
  }
  std::string_view parentheses = node.attribute("parentheses").value();
  f.parentheses = parentheses == "yes";
  if (f.parentheses)
    kept.attributes(c, node, element::figured_bass, {"parentheses"});
  else
    kept.attributes(c, node, element::figured_bass);
  f.extra = kept.take();
  return f;
}

}  // namespace fermata::io::musicxml::detail
