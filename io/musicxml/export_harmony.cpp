#include "io/musicxml/export_context.hpp"
#include "io/musicxml/preserved_writer.hpp"

#include <algorithm>

namespace fermata::io::musicxml::detail {

namespace {

/// <name-step>, <name-alter> inside <name>.
void write_root(export_context& c, const harmony& h, std::string_view name, const pitch_name& p) {
  auto step = std::string{name} + "-step", alter = std::string{name} + "-alter";
  c.out.open(name);
  write_kept_attributes(c, h.extra, name);
  if (name == "bass") write_preserved_children(c, "bass", h.extra, {"bass-separator"});
  write_leaf(c, h.extra, step, step_name(p.letter));
  if (p.cents != 0 || preserved_child(h.extra, alter)) write_semitones(c, h.extra, alter, p.cents);
  c.out.close(name);
}

void write_degree(export_context& c, const harmony::degree& d) {
  c.out.open("degree");
  write_preserved_attributes(c, "degree", d.extra);
  write_leaf(c, d.extra, "degree-value", std::int64_t{std::max(1, d.value)});
  write_semitones(c, d.extra, "degree-alter", d.cents);
  write_leaf(c, d.extra, "degree-type", c.fitting("degree-type", d.type, "add"));
  write_misplaced_children(c, d.extra, {"degree-value", "degree-alter", "degree-type"});
  c.out.close("degree");
}

void write_figure(export_context& c, const figured_bass::figure& f) {
  c.out.open("figure");
  auto part = [&](std::string_view name, const std::string& value) {
    if (!value.empty() || preserved_child(f.extra, name))
      write_leaf(c, f.extra, name, std::string_view{value});
  };
  part("prefix", f.prefix);
  part("figure-number", f.number);
  part("suffix", f.suffix);
  write_preserved_children(c, "figure", f.extra, {"extend"});
  write_preserved_children(c, "figure", f.extra, {"footnote"});
  write_preserved_children(c, "figure", f.extra, {"level"});
  write_misplaced_children(c, f.extra,
                           {"prefix", "figure-number", "suffix", "extend", "footnote", "level"});
  c.out.close("figure");
}

/// Root to degrees.
void write_chord(export_context& c, const harmony& h) {
  auto& out = c.out;
  if (h.root)
    write_root(c, h, "root", *h.root);
  else if (!h.numeral.xml.empty())
    write_fragment(c, h.numeral);
  else
    write_leaf(c, h.extra, "function", std::string_view{h.function});
  out.open("kind");
  if (!h.kind_text.empty())  // any text will do
    out.attribute("text", h.kind_text);
  write_kept_attributes(c, h.extra, "kind");
  out.text(c.fitting("kind", h.kind, "other"));
  out.close("kind");
  if (h.inversion) write_leaf(c, h.extra, "inversion", std::int64_t{std::max(0, *h.inversion)});
  if (h.bass) write_root(c, h, "bass", *h.bass);
  for (auto& d : h.degrees)
    write_degree(c, d);
}

}  // namespace

void write_harmony(export_context& c, const harmony& h) {
  auto& out = c.out;
  out.open("harmony");
  write_preserved_attributes(c, "harmony", h.extra);
  write_chord(c, h);
  for (auto& x : h.further)
    write_chord(c, x);
  write_preserved_children(c, "harmony", h.extra, {"frame"});
  if (h.offset) write_leaf(c, h.extra, "offset", c.ticks(h.offset->value));
  write_preserved_children(c, "harmony", h.extra, {"footnote"});
  write_preserved_children(c, "harmony", h.extra, {"level"});
  if (h.staff) out.leaf("staff", std::max<std::int64_t>(1, *h.staff));
  write_misplaced_children(c, h.extra,
                           {"root", "root-step", "root-alter", "function", "kind", "inversion",
                            "bass", "bass-separator", "bass-step", "bass-alter", "frame", "offset",
                            "footnote", "level"});
  for (auto& x : h.further)
    write_misplaced_children(c, x.extra,
                             {"root", "root-step", "root-alter", "function", "kind", "inversion",
                              "bass", "bass-separator", "bass-step", "bass-alter"});
  out.close("harmony");
}

void write_figured_bass(export_context& c, const figured_bass& f) {
  auto& out = c.out;
  out.open("figured-bass");
  if (f.parentheses) out.attribute("parentheses", "yes");
  write_preserved_attributes(c, "figured-bass", f.extra, {"parentheses"});
  for (auto& figure : f.figures)
    write_figure(c, figure);
  if (f.figures.empty()) out.empty("figure");
  if (f.length.value > rational{0})
    out.leaf("duration", std::max<std::int64_t>(1, c.ticks(f.length.value)));
  write_preserved_children(c, "figured-bass", f.extra, {"footnote"});
  write_preserved_children(c, "figured-bass", f.extra, {"level"});
  write_misplaced_children(c, f.extra, {"footnote", "level"});
  out.close("figured-bass");
}

}  // namespace fermata::io::musicxml::detail
