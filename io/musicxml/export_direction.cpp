#include "io/musicxml/division_values.hpp"
#include "io/musicxml/export_context.hpp"
#include "io/musicxml/mark_names.hpp"
#include "io/musicxml/playback.hpp"
#include "io/musicxml/preserved_writer.hpp"
#include "io/musicxml/schema.hpp"

#include <algorithm>
#include <cmath>

namespace fermata::io::musicxml::detail {

namespace {

/// Writes the element inside a <direction-type>, one overload per kind.
struct type_writer {
  export_context& c;

  void leaf(std::string_view name, const preserved& extra, std::string_view text) const {
    c.out.open(name);
    write_preserved_attributes(c, name, extra);
    c.out.text(text);
    write_misplaced_children(c, extra, {});
    c.out.close(name);
  }
  void numbered(std::string_view name, std::string_view type, int number) const {
    c.out.open(name);
    c.attribute(name, "type", type, "stop");
    if (number != 1) c.out.attribute("number", std::clamp(number, 1, 16));
  }

  void operator()(const dynamics& d) const {
    c.out.open("dynamics");
    write_preserved_attributes(c, "dynamics", d.extra);
    for (auto& value : d.values)
      write_dynamic(c, value);
    write_misplaced_children(c, d.extra, {});
    c.out.close("dynamics");
  }
  void operator()(const wedge& w) const {
    numbered("wedge", w.type, w.number);
    write_preserved_attributes(c, "wedge", w.extra, {"type", "number"});
    c.out.close("wedge");
  }
  void operator()(const words& w) const { leaf("words", w.extra, w.text); }
  void operator()(const rehearsal_mark& r) const { leaf("rehearsal", r.extra, r.text); }
  void operator()(const segno_mark& s) const { leaf("segno", s.extra, {}); }
  void operator()(const coda_mark& s) const { leaf("coda", s.extra, {}); }
  void operator()(const metronome& m) const {
    c.out.open("metronome");
    write_preserved_attributes(c, "metronome", m.extra);
    write_note_value(c, "beat-unit", "beat-unit-dot", m.beat);
    if (m.equals)
      write_note_value(c, "beat-unit", "beat-unit-dot", *m.equals);
    else
      write_leaf(c, m.extra, "per-minute", std::string_view{m.per_minute});
    write_misplaced_children(c, m.extra, {"per-minute"});
    c.out.close("metronome");
  }
  void operator()(const pedal& p) const {
    c.out.open("pedal");
    c.attribute("pedal", "type", p.type, "stop");
    write_preserved_attributes(c, "pedal", p.extra, {"type"});
    c.out.close("pedal");
  }
  void operator()(const octave_shift& o) const {
    numbered("octave-shift", o.type, o.number);
    if (o.size != 8) c.out.attribute("size", std::max(1, o.size));
    write_preserved_attributes(c, "octave-shift", o.extra, {"type", "number", "size"});
    c.out.close("octave-shift");
  }
  void operator()(const line_end& l) const {
    auto name = l.dashes ? "dashes" : "bracket";
    numbered(name, l.type, l.number);
    // A bracket must say how it ends; its plainest end is none.
    auto says_end =
        l.extra && std::any_of(l.extra->attributes.begin(), l.extra->attributes.end(), [](auto& a) {
          return a.first == "line-end" && is_valid_attribute("bracket", "line-end", a.second);
        });
    if (!l.dashes && !says_end) c.out.attribute("line-end", "none");
    write_preserved_attributes(c, name, l.extra, {"type", "number"});
    c.out.close(name);
  }
  void operator()(const fragment& f) const { write_fragment(c, f); }
};

bool is_whole_direction_type(const direction_type& t) {
  auto* f = std::get_if<fragment>(&t);
  return f && element_name(*f) == "direction-type";
}

/// Which elements may stand together in one <direction-type>.
int companions(const direction_type& t) {
  if (std::holds_alternative<rehearsal_mark>(t)) return 1;
  if (std::holds_alternative<segno_mark>(t)) return 2;
  if (std::holds_alternative<coda_mark>(t)) return 3;
  if (std::holds_alternative<words>(t)) return 4;
  if (std::holds_alternative<dynamics>(t)) return 5;
  if (auto* f = std::get_if<fragment>(&t)) {
    auto name = element_name(*f);
    return name == "symbol" || name == "words" ? 4
           : name == "dynamics"                ? 5
           : name == "percussion"              ? 6
           : name == "rehearsal"               ? 1
                                               : 0;
  }
  return 0;
}

/// Whether the type is one that the schema takes; a fragment may be none.
bool is_usable(export_context& c, const direction_type& t) {
  auto* f = std::get_if<fragment>(&t);
  if (!f) return true;
  auto name = element_name(*f);
  auto known =
      name == "direction-type" || find_schema_element("direction-type")->allows_child(name);
  auto xml = fragment_in_divisions(f->xml, c.divisions);
  // Only a look: the ids inside are noted when it is written.
  return known && would_fit_schema(xml, c.ids.all);
}

/// The direction without the types that the schema does not take.
direction usable_part(export_context& c, const direction& d) {
  auto kept = d;
  kept.types.clear();
  kept.grouping.clear();
  std::size_t i = 0;
  for (std::size_t group = 0; i < d.types.size(); ++group) {
    std::size_t size = group < d.grouping.size() ? std::max<std::size_t>(1, d.grouping[group]) : 1;
    std::uint8_t usable = 0;
    for (std::size_t k = 0; k < size && i < d.types.size(); ++k, ++i)
      if (is_usable(c, d.types[i])) {
        kept.types.push_back(d.types[i]);
        ++usable;
      }
    if (usable > 0) kept.grouping.push_back(usable);
  }
  return kept;
}

void write_types(export_context& c, const direction& d) {
  std::size_t i = 0, group = 0;
  while (i < d.types.size()) {
    if (is_whole_direction_type(d.types[i])) {
      write_fragment(c, std::get<fragment>(d.types[i++]));
      ++group;
      continue;
    }
    std::size_t size = group < d.grouping.size() ? std::max<std::size_t>(1, d.grouping[group]) : 1;
    ++group;
    c.out.open("direction-type");
    auto kind = companions(d.types[i]);
    for (std::size_t k = 0; k < size && i < d.types.size(); ++k) {
      if (k > 0 &&
          (kind == 0 || companions(d.types[i]) != kind || is_whole_direction_type(d.types[i]))) {
        c.out.close("direction-type");
        c.out.open("direction-type");
        kind = companions(d.types[i]);
      }
      std::visit(type_writer{c}, d.types[i++]);
    }
    c.out.close("direction-type");
  }
}

void write_offset(export_context& c, const preserved& extra, quarters offset) {
  write_leaf(c, extra, "offset", c.ticks(offset.value));
}

}  // namespace

void write_direction(export_context& c, const direction& given) {
  auto& out = c.out;
  auto all_usable =
      std::all_of(given.types.begin(), given.types.end(), [&](auto& t) { return is_usable(c, t); });
  std::optional<direction> reduced;
  if (!all_usable) reduced = usable_part(c, given);
  auto& d = reduced ? *reduced : given;
  auto write_unusable = [&] {
    for (auto& t : given.types)
      if (auto* f = std::get_if<fragment>(&t); f && !is_usable(c, t))
        write_wrapped(c, "<direction-type>" + f->xml + "</direction-type>");
  };
  if (d.types.empty()) {
    write_unusable();
    // The schema has no direction without a type; a bare sound can stand alone.
    if (d.sound) write_sound(c, *d.sound);
    if (d.extra) {
      for (auto& child : d.extra->children)
        write_wrapped(c, is_wrapped(child) ? child : wrapped(child.xml));
    }
    return c.problem("an empty direction is left out, except for its sound");
  }
  out.open("direction");
  c.attribute("direction", "placement", d.placement);
  write_preserved_attributes(c, "direction", d.extra, {"placement"});
  write_types(c, d);
  if (d.offset) write_offset(c, d.extra, *d.offset);
  write_preserved_children(c, "direction", d.extra, {"footnote"});
  write_preserved_children(c, "direction", d.extra, {"level"});
  if (!d.voice.empty()) out.leaf("voice", d.voice);
  if (d.staff) out.leaf("staff", std::max<std::int64_t>(1, *d.staff));
  if (d.sound)
    write_sound(c, *d.sound);
  else if (c.options.playback == completion::completed)
    write_completed_sound(c, d);
  write_preserved_children(c, "direction", d.extra, {"listening"});
  write_misplaced_children(c, d.extra, {"offset", "footnote", "level", "listening"});
  if (reduced) write_unusable();
  out.close("direction");
}

void write_sound(export_context& c, const sound& s) {
  c.out.open("sound");
  write_preserved_attributes(c, "sound", s.extra);
  write_all_children(c, "sound", s.extra);
  c.out.close("sound");
}

}  // namespace fermata::io::musicxml::detail
