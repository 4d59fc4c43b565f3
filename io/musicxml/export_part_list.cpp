#include "io/musicxml/export_context.hpp"
#include "io/musicxml/preserved_writer.hpp"
#include "io/musicxml/schema.hpp"

#include <algorithm>

namespace fermata::io::musicxml::detail {

namespace {

/// `text` as an XML name without colon: other characters become '_', a digit in front gets 'P'.
std::string as_name(std::string_view text) {
  if (is_valid_attribute("score-part", "id", text)) return std::string{text};
  std::string out;
  for (char ch : text) {
    auto letter = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
    auto inside = (ch >= '0' && ch <= '9') || ch == '-' || ch == '.';
    if (out.empty() && !letter) out += 'P';
    out += letter || inside ? ch : '_';
  }
  return out.empty() ? "P" : out;
}

std::string unique_name(std::unordered_set<std::string>& used, std::string_view wanted) {
  auto name = as_name(wanted);
  auto candidate = name;
  for (int n = 2; !used.insert(candidate).second; ++n)
    candidate = name + "_" + std::to_string(n);
  return candidate;
}

void write_named(export_context& c, const preserved& extra, std::string_view name,
                 const std::string& text) {
  c.out.open(name);
  write_kept_attributes(c, extra, name);
  c.out.text(text);
  c.out.close(name);
}

void write_instrument(export_context& c, const part_instrument& x, std::string_view id) {
  c.out.open("score-instrument");
  c.out.attribute("id", id);
  write_preserved_attributes(c, "score-instrument", x.extra, {"id"});
  c.out.leaf("instrument-name", std::string_view{x.name});
  if (!x.abbreviation.empty() || preserved_child(x.extra, "instrument-abbreviation"))
    c.out.leaf("instrument-abbreviation", std::string_view{x.abbreviation});
  if (!x.sound.empty() || preserved_child(x.extra, "instrument-sound"))
    c.out.leaf("instrument-sound", std::string_view{x.sound});
  // A player is solo or an ensemble.
  auto kind = preserved_child(x.extra, "solo") ? "solo" : "ensemble";
  write_preserved_children(c, "score-instrument", x.extra, {kind});
  write_preserved_children(c, "score-instrument", x.extra, {"virtual-instrument"});
  write_misplaced_children(
      c, x.extra, {"instrument-abbreviation", "instrument-sound", kind, "virtual-instrument"});
  c.out.close("score-instrument");
}

bool has_midi(const part_instrument& x) {
  return x.midi_channel || x.midi_program || x.midi_bank || x.midi_unpitched || !x.volume.empty() ||
         !x.pan.empty() || !x.elevation.empty() || x.midi_extra;
}

void write_midi(export_context& c, const part_instrument& x, std::string_view id) {
  auto& out = c.out;
  auto number = [&](std::string_view name, std::optional<int> value, int most) {
    if (!value) return;
    if (*value < 1 || *value > most)
      c.problem(std::string{name} + " " + std::to_string(*value) + " is not in 1 to " +
                std::to_string(most) + "; the nearest number is written");
    out.leaf(name, std::clamp(*value, 1, most));
  };
  out.open("midi-instrument");
  out.attribute("id", id);
  write_preserved_attributes(c, "midi-instrument", x.midi_extra, {"id"});
  number("midi-channel", x.midi_channel, 16);
  write_preserved_children(c, "midi-instrument", x.midi_extra, {"midi-name"});
  number("midi-bank", x.midi_bank, 16384);
  number("midi-program", x.midi_program, 128);
  number("midi-unpitched", x.midi_unpitched, 128);
  auto text = [&](std::string_view name, const std::string& value) {
    if (!value.empty() && c.text_fits(name, value)) out.leaf(name, std::string_view{value});
  };
  text("volume", x.volume);
  text("pan", x.pan);
  text("elevation", x.elevation);
  write_misplaced_children(c, x.midi_extra, {"midi-name"});
  out.close("midi-instrument");
}

/// Value of attribute `name` in the start tag of a fragment.
std::string_view attribute_of(const fragment& f, std::string_view name) {
  auto tag = std::string_view{f.xml}.substr(0, f.xml.find('>'));
  auto marker = " " + std::string{name} + "=\"";
  auto at = tag.find(marker);
  if (at == std::string_view::npos) return {};
  tag.remove_prefix(at + marker.size());
  return tag.substr(0, tag.find('"'));
}

void write_score_part(export_context& c, const part& p, std::size_t index) {
  auto& out = c.out;
  auto& ids = c.ids.instruments[index];
  c.current_part = &p;
  out.open("score-part");
  out.attribute("id", c.ids.parts[index]);
  write_preserved_attributes(c, "score-part", p.extra, {"id"});
  write_preserved_children(c, "score-part", p.extra, {"identification"});
  write_preserved_children(c, "score-part", p.extra, {"part-link"});
  write_named(c, p.extra, "part-name", p.name);
  write_preserved_children(c, "score-part", p.extra, {"part-name-display"});
  if (!p.abbreviation.empty() || preserved_child(p.extra, "part-abbreviation"))
    write_named(c, p.extra, "part-abbreviation", p.abbreviation);
  write_preserved_children(c, "score-part", p.extra, {"part-abbreviation-display"});
  write_preserved_children(c, "score-part", p.extra, {"group"});
  for (std::size_t i = 0; i < p.instruments.size(); ++i)
    write_instrument(c, p.instruments[i], ids[i]);
  write_preserved_children(c, "score-part", p.extra, {"player"});
  // A device without id serves the whole part; one with id stands before its instrument.
  auto names_instrument = [&](const fragment& f) {
    auto id = attribute_of(f, "id");
    return std::any_of(p.instruments.begin(), p.instruments.end(),
                       [&](auto& x) { return x.id == id; });
  };
  auto write_devices = [&](auto&& wanted) {
    if (p.extra)
      for (auto& f : p.extra->children)
        if (element_name(f) == "midi-device" && wanted(f)) write_fragment(c, f);
  };
  write_devices([&](auto& f) { return !names_instrument(f); });
  for (std::size_t i = 0; i < p.instruments.size(); ++i) {
    write_devices([&](auto& f) { return attribute_of(f, "id") == p.instruments[i].id; });
    if (has_midi(p.instruments[i])) write_midi(c, p.instruments[i], ids[i]);
  }
  write_preserved_children(c, "score-part", p.extra, {"midi-instrument"});
  write_misplaced_children(c, p.extra,
                           {"identification", "part-link", "part-name", "part-name-display",
                            "part-abbreviation", "part-abbreviation-display", "group", "player",
                            "midi-device", "midi-instrument"});
  out.close("score-part");
  c.current_part = nullptr;
}

void write_part_group(export_context& c, const part_group& g) {
  auto& out = c.out;
  auto text = [&](std::string_view name, const std::string& value) {
    if ((!value.empty() || preserved_child(g.extra, name)) && c.text_fits(name, value))
      write_named(c, g.extra, name, value);
  };
  out.open("part-group");
  c.attribute("part-group", "type", g.type, "start");
  if (g.number != "1") out.attribute("number", g.number);
  write_preserved_attributes(c, "part-group", g.extra, {"type", "number"});
  text("group-name", g.name);
  write_preserved_children(c, "part-group", g.extra, {"group-name-display"});
  text("group-abbreviation", g.abbreviation);
  write_preserved_children(c, "part-group", g.extra, {"group-abbreviation-display"});
  text("group-symbol", g.symbol);
  text("group-barline", g.barline);
  for (auto name : {"group-time", "footnote", "level"})
    write_preserved_children(c, "part-group", g.extra, {name});
  write_misplaced_children(c, g.extra,
                           {"group-name", "group-name-display", "group-abbreviation",
                            "group-abbreviation-display", "group-symbol", "group-barline",
                            "group-time", "footnote", "level"});
  out.close("part-group");
}

}  // namespace

written_ids unique_ids(const std::vector<part_ptr>& parts) {
  written_ids ids;
  for (auto& p : parts)
    ids.parts.push_back(unique_name(ids.all, p->id));
  for (auto& p : parts) {
    auto& own = ids.instruments.emplace_back();
    for (auto& x : p->instruments)
      own.push_back(unique_name(ids.all, x.id));
  }
  return ids;
}

void write_part_list(export_context& c, const score& s, const std::vector<part_ptr>& parts) {
  c.out.open("part-list");
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (auto& id = parts[i]->id; !id.empty() && id != c.ids.parts[i])
      c.problem("the part id \"" + id + "\" is not a valid XML name; " + c.ids.parts[i] +
                " is written");
  std::vector<bool> written(parts.size(), false);
  for (auto& item : s.part_list) {
    if (auto* group = std::get_if<part_group>(&item)) {
      write_part_group(c, *group);
    } else if (auto index = std::get<std::size_t>(item); index < parts.size() && !written[index]) {
      write_score_part(c, *parts[index], index);
      written[index] = true;
    }
  }
  // Every part is listed, also when the list does not know it.
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!written[i]) write_score_part(c, *parts[i], i);
  c.out.close("part-list");
}

}  // namespace fermata::io::musicxml::detail
