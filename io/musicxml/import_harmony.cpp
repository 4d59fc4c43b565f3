#include "io/musicxml/child_elements.hpp"
#include "io/musicxml/import_context.hpp"

#include <algorithm>

namespace fermata::io::musicxml::detail {

namespace {

/// <root> or <bass>: step, alter, and for the bass a separator.
pitch_name read_name(import_context& c, pugi::xml_node n, kept_xml& kept) {
  pitch_name name;
  for (auto [k, e] : elements_in(c, n, kept)) {
    if (e == element::root_step || e == element::bass_step) {
      name.letter = *parse_step(c.token(k));
      kept.attributes_of(c, k, e);
    } else if (e == element::root_alter || e == element::bass_alter) {
      name.cents = static_cast<std::int16_t>(*parse_semitones(c.token(k)));
      kept.attributes_of(c, k, e, {}, name.cents == 0);
    } else {
      kept.child(c, element_of(n.name()), k);
    }
  }
  kept.attributes_of(c, n, element_of(n.name()));
  return name;
}

harmony::degree read_degree(import_context& c, pugi::xml_node n) {
  harmony::degree d;
  kept_xml kept;
  for (auto [k, e] : elements_in(c, n, kept)) {
    auto text = c.token(k);
    if (e == element::degree_value)
      d.value = static_cast<int>(*parse_integer(text));
    else if (e == element::degree_alter)
      d.cents = *parse_semitones(text);
    else
      d.type = text;
    kept.attributes_of(c, k, e);
  }
  kept.attributes(c, n, element::degree);
  d.extra = kept.take();
  return d;
}

/// Whether all values below a harmony are such that the score can hold them.
bool has_typed_values(import_context& c, pugi::xml_node node) {
  for (auto [k, e] : uncounted_elements_in(c, node)) {
    auto text = c.token(k);
    auto small_number = [&](std::int64_t least) {
      auto number = parse_integer(text);
      return number && *number >= least && *number <= 1000;
    };
    auto good = true;
    switch (e) {
      case element::root:
      case element::bass:
      case element::degree: good = has_typed_values(c, k); break;
      case element::root_step:
      case element::bass_step: good = parse_step(text).has_value(); break;
      case element::root_alter:
      case element::bass_alter:
      case element::degree_alter: good = parse_semitones(text).has_value(); break;
      case element::degree_value: good = small_number(1); break;
      case element::inversion: good = small_number(0); break;
      case element::kind:
      case element::degree_type: good = is_valid_text(e, text); break;
      case element::offset: good = parse_decimal(text).has_value(); break;
      case element::numeral: good = fits(c, k); break;
      default: break;
    }
    if (!good) return false;
  }
  return true;
}

bool begins_chord(element e) {
  return e == element::root || e == element::numeral || e == element::function;
}

/// Whether the harmony is one or more chords with a root, a numeral or a function each, in the
/// schema's order, with values that the score can hold. Others are kept whole.
bool is_typed(import_context& c, pugi::xml_node node) {
  child_sequence sequence{schema_of(element::harmony)};
  for (auto [k, e] : uncounted_elements_in(c, node)) {
    if (!sequence.take(k.name())) return false;
    if (e == element::root || e == element::bass || e == element::degree) {
      child_sequence inside{schema_of(e)};
      for (auto [x, part] : uncounted_elements_in(c, k))
        if (!inside.take(x.name())) return false;
      if (!inside.complete()) return false;
    }
  }
  return sequence.complete() && has_typed_values(c, node);
}

/// Reads what one chord of a harmony says of itself.
void read_chord_child(import_context& c, pugi::xml_node k, element e, harmony& h, kept_xml& kept) {
  switch (e) {
    case element::root: h.root = read_name(c, k, kept); break;
    case element::bass: h.bass = read_name(c, k, kept); break;
    case element::numeral:
      c.report.not_typed(e);
      h.numeral = kept_fragment(c, k);
      break;
    case element::function:
      h.function = c.verbatim(k);
      kept.attributes_of(c, k, e);
      break;
    case element::kind:
      h.kind = c.token(k);
      h.kind_text = k.attribute("text").value();
      if (h.kind_text.empty())  // text="" is kept: it hides the chord's name
        kept.attributes_of(c, k, e);
      else
        kept.attributes_of(c, k, e, {"text"});
      break;
    case element::inversion:
      h.inversion = static_cast<int>(*parse_integer(c.token(k)));
      kept.attributes_of(c, k, e);
      break;
    default: h.degrees.push_back(read_degree(c, k));
  }
}

/// Reads what a harmony says of all its chords.
void read_child(import_context& c, pugi::xml_node k, element e, harmony& h, kept_xml& kept) {
  switch (e) {
    case element::offset:
      h.offset = quarters{in_quarters_of(c, *parse_decimal(c.token(k)))};
      kept.attributes_of(c, k, e);
      break;
    case element::staff:
      h.staff = read_staff(c, k);
      if (!h.staff) kept.misplaced(c, k, "the staff does not match this chord symbol");
      break;
    default: kept.child(c, element::harmony, k);
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
  if (!is_typed(c, node)) return whole();
  std::vector<kept_xml> kept_further;
  auto chords = 0;
  for (auto [k, e] : elements_in(c, node, kept)) {
    if (begins_chord(e) && chords++ > 0) {
      h.further.emplace_back();
      kept_further.emplace_back();
    }
    if (begins_chord(e) || e == element::kind || e == element::inversion || e == element::bass ||
        e == element::degree)
      read_chord_child(c, k, e, chords > 1 ? h.further.back() : h,
                       chords > 1 ? kept_further.back() : kept);
    else
      read_child(c, k, e, h, kept);
  }
  for (std::size_t i = 0; i < kept_further.size(); ++i)
    h.further[i].extra = kept_further[i].take();
  kept.attributes(c, node, element::harmony);
  h.extra = kept.take();
  return h;
}

figured_bass read_figured_bass(import_context& c, pugi::xml_node node) {
  figured_bass f;
  kept_xml kept;
  for (auto [k, e] : elements_in(c, node, kept)) {
    if (e == element::duration) {
      auto duration = parse_decimal(c.token(k));
      if (duration && *duration > rational{0})
        f.length = quarters{in_quarters_of(c, *duration)};
      else
        c.warn(k, "a duration must be greater than zero");
      continue;
    }
    if (e != element::figure) {
      kept.child(c, element::figured_bass, k);
      continue;
    }
    auto& figure = f.figures.emplace_back();
    kept_xml own;
    for (auto [x, part] : elements_in(c, k, own)) {
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
