#include "io/musicxml/child_elements.hpp"
#include "io/musicxml/fragment_check.hpp"
#include "io/musicxml/import_context.hpp"

#include <algorithm>

namespace fermata::io::musicxml::detail {

namespace {

/// A named text such as <part-name print-object="no">: the text, its attributes kept apart. Empty
/// text without attributes is remembered where the element may be missing.
void read_named(import_context& c, pugi::xml_node k, element e, std::string& target, kept_xml& kept,
                bool required = false) {
  target = c.verbatim(k);
  kept.attributes_of(c, k, e, {}, target.empty() && !required);
}

void read_instrument(import_context& c, pugi::xml_node n, part& p, kept_xml& of_part) {
  std::string id = n.attribute("id").value();
  if (!is_valid_attribute("score-instrument", "id", id) || !c.ids.insert(id).second) {
    of_part.misplaced(c, n, "an instrument needs an id of its own");
    return;
  }
  part_instrument x;
  x.id = std::move(id);
  kept_xml kept;
  kept.attributes(c, n, element::score_instrument, {"id"});
  for (auto [k, e] : elements_in(c, n, kept)) {
    switch (e) {
      case element::instrument_name: x.name = c.verbatim(k); break;
      case element::instrument_abbreviation:
        x.abbreviation = c.verbatim(k);
        if (x.abbreviation.empty()) kept.add({"<instrument-abbreviation/>"});
        break;
      case element::instrument_sound:
        x.sound = c.verbatim(k);
        if (x.sound.empty()) kept.add({"<instrument-sound/>"});
        break;
      default: kept.child(c, element::score_instrument, k);
    }
  }
  x.extra = kept.take();
  p.instruments.push_back(std::move(x));
}

void read_midi_instrument(import_context& c, pugi::xml_node n, part& p, kept_xml& of_part) {
  std::string_view id = n.attribute("id").value();
  auto found =
      std::find_if(p.instruments.begin(), p.instruments.end(), [&](auto& x) { return x.id == id; });
  if (found == p.instruments.end() || found->midi_extra) {
    if (found != p.instruments.end() || c.ids.contains(std::string{id}))
      of_part.child(c, element::score_part, n);
    else
      of_part.misplaced(c, n, "no instrument has the id \"" + std::string{id} + "\"");
    return;
  }
  auto& x = *found;
  kept_xml kept;
  kept.attributes(c, n, element::midi_instrument, {"id"});
  auto number = [&](pugi::xml_node k, std::optional<int>& target) {
    auto text = c.token(k);
    auto value = parse_integer(text);
    if (value && is_valid_text(k.name(), text) && !target)
      target = static_cast<int>(*value);
    else
      kept.misplaced(c, k, "not a valid MIDI number");
  };
  auto decimal = [&](pugi::xml_node k, std::string& target) {
    auto text = c.token(k);
    if (is_valid_text(k.name(), text) && target.empty())
      target = text;
    else
      kept.misplaced(c, k, "not a number that MusicXML 4.0 allows");
  };
  for (auto [k, e] : elements_in(c, n, kept)) {
    switch (e) {
      case element::midi_channel: number(k, x.midi_channel); break;
      case element::midi_program: number(k, x.midi_program); break;
      case element::midi_bank: number(k, x.midi_bank); break;
      case element::midi_unpitched: number(k, x.midi_unpitched); break;
      case element::volume: decimal(k, x.volume); break;
      case element::pan: decimal(k, x.pan); break;
      case element::elevation: decimal(k, x.elevation); break;
      default: kept.child(c, element::midi_instrument, k);
    }
  }
  auto says_something = x.midi_channel || x.midi_program || x.midi_bank || x.midi_unpitched ||
                        !x.volume.empty() || !x.pan.empty() || !x.elevation.empty();
  if (!kept.empty())
    x.midi_extra = kept.take();
  else if (!says_something)
    x.midi_extra = preserved_xml{};  // an empty element was there
}

part read_score_part(import_context& c, pugi::xml_node n) {
  part p;
  p.id = n.attribute("id").value();
  c.part = p.id;
  kept_xml kept;
  kept.attributes(c, n, element::score_part, {"id"});
  // Instruments first: devices and MIDI assignments refer to them.
  for (auto k : n.children("score-instrument")) {
    c.report.typed(element::score_instrument);
    read_instrument(c, k, p, kept);
  }
  for (auto [k, e] : uncounted_elements_in(c, n, kept)) {
    if (e == element::score_instrument) continue;
    c.typed(k, e);
    switch (e) {
      case element::part_name: read_named(c, k, e, p.name, kept, true); break;
      case element::part_abbreviation: read_named(c, k, e, p.abbreviation, kept); break;
      case element::midi_instrument: read_midi_instrument(c, k, p, kept); break;
      default: kept.child(c, element::score_part, k);
    }
  }
  p.extra = kept.take();
  c.part.clear();
  return p;
}

std::optional<part_group> read_group(import_context& c, pugi::xml_node n, kept_xml& of_score) {
  part_group g;
  g.type = n.attribute("type").value();
  if (!is_valid_attribute("part-group", "type", g.type)) {
    of_score.misplaced_in(c, n, "a part group must start or stop", {"part-list"});
    return std::nullopt;
  }
  if (auto number = n.attribute("number")) g.number = number.value();
  kept_xml kept;
  kept.attributes(c, n, element::part_group, {"type", "number"});
  for (auto [k, e] : elements_in(c, n, kept)) {
    auto* target = e == element::group_name           ? &g.name
                   : e == element::group_abbreviation ? &g.abbreviation
                   : e == element::group_symbol       ? &g.symbol
                   : e == element::group_barline      ? &g.barline
                                                      : nullptr;
    if (!target)
      kept.child(c, element::part_group, k);
    else if (!target->empty() || !is_valid_text(k.name(), c.verbatim(k)))
      kept.misplaced(c, k, "not what MusicXML 4.0 allows here");
    else
      read_named(c, k, e, *target, kept);
  }
  g.extra = kept.take();
  return g;
}

}  // namespace

std::vector<part> read_part_list(import_context& c, pugi::xml_node list, score& s, kept_xml& kept) {
  std::vector<part> parts;
  // All ids first: anything may refer to them.
  for (auto n : list.children("score-part")) {
    std::string id = n.attribute("id").value();
    if (id.empty()) fail_at(c, n, errc::invalid_musicxml, "a part needs an id");
    if (!c.ids.insert(id).second)
      fail_at(c, n, errc::invalid_musicxml, "duplicate part id \"" + id + "\"");
  }
  for (auto [n, e] : elements_in(c, list, kept)) {
    if (e == element::score_part) {
      s.part_list.emplace_back(parts.size());
      parts.push_back(read_score_part(c, n));
    } else if (e == element::part_group) {
      if (auto g = read_group(c, n, kept)) s.part_list.emplace_back(std::move(*g));
    } else {
      kept.misplaced_in(c, n, "a list of parts does not have this", {"part-list"});
    }
  }
  return parts;
}

}  // namespace fermata::io::musicxml::detail
