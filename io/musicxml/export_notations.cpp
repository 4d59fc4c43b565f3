#include "io/musicxml/export_context.hpp"
#include "io/musicxml/mark_names.hpp"
#include "io/musicxml/preserved_writer.hpp"
#include "io/musicxml/schema.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace fermata::io::musicxml::detail {

namespace {

/// Marks whose value is an attribute in MusicXML, not the element's text.
std::string_view attribute_of_value(mark_kind k) {
  switch (k) {
    case mark_kind::strong_accent: return "type";
    case mark_kind::arpeggiate: return "direction";
    case mark_kind::non_arpeggiate: return "type";
    default: return {};
  }
}

/// What the schema demands inside a mark that was made without saying it: the plainest reading.
struct default_content {
  mark_kind kind;
  std::string_view xml;
};
constexpr default_content default_contents[] = {
    {mark_kind::bend, "<bend-alter>2</bend-alter>"},
    {mark_kind::hole, "<hole-closed>yes</hole-closed>"},
    {mark_kind::arrow, "<arrow-direction>up</arrow-direction>"},
    {mark_kind::harmon_mute, "<harmon-closed>yes</harmon-closed>"},
};

void write_dynamics_values(export_context& c, std::string_view text) {
  while (!text.empty()) {
    auto end = std::min(text.find(' '), text.size());
    auto word = text.substr(0, end);
    if (!word.empty()) write_dynamic(c, word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Writes what the schema demands inside a mark that has none of it.
void write_default_content(export_context& c, const mark& m) {
  for (auto& d : default_contents)
    if (d.kind == m.kind) c.out.element(d.xml);
}

/// Attributes that the schema demands of a mark, with what stands when the score does not say.
std::string_view default_type(const mark& m) {
  auto given =
      m.extra && std::any_of(m.extra->attributes.begin(), m.extra->attributes.end(), [](auto& a) {
        return a.first == "type" && is_valid_attribute("other-notation", "type", a.second);
      });
  if (m.kind == mark_kind::non_arpeggiate && m.text.empty()) return "bottom";
  return m.kind == mark_kind::other_notation && !given ? "single" : "";
}

/// The text of a mark's element; nothing when it needs one and has none that fits.
std::optional<std::string_view> element_text(const mark& m) {
  auto as_text = attribute_of_value(m.kind).empty() && m.kind != mark_kind::dynamics_notation;
  std::string_view text = as_text ? m.text : std::string_view{};
  if (text.empty() && m.kind == mark_kind::tremolo) text = "3";
  auto name = name_of(m.kind).element;
  if (is_valid_text(name, text)) return text;
  return is_valid_text(name, {}) ? std::optional{std::string_view{}} : std::nullopt;
}

void write_mark(export_context& c, const mark& m) {
  auto& out = c.out;
  auto name = name_of(m.kind).element;
  auto value_attribute = attribute_of_value(m.kind);
  auto text = *element_text(m);
  out.open(name);
  if (!value_attribute.empty()) c.attribute(name, value_attribute, m.text);
  if (auto type = default_type(m); !type.empty()) out.attribute("type", type);
  write_preserved_attributes(c, name, m.extra, {value_attribute});
  out.text(text);
  if (m.kind == mark_kind::dynamics_notation) {
    write_dynamics_values(c, m.text);
    write_all_children(c, name, m.extra);
  } else if (children_fit(name, m.extra)) {
    write_all_children(c, name, m.extra);
  } else {
    write_default_content(c, m);
    write_misplaced_children(c, m.extra, {});
  }
  out.close(name);
}

void write_spanner(export_context& c, const spanner& s) {
  auto& out = c.out;
  auto name = name_of(s.kind).element;
  auto tremolo = s.kind == spanner_kind::tremolo;
  std::string_view text = tremolo && s.text.empty() ? "3" : std::string_view{s.text};
  out.open(name);
  out.attribute("type", name_of(s.end));
  if (s.number != 1 && !tremolo) out.attribute("number", std::clamp<int>(s.number, 1, 16));
  write_preserved_attributes(c, name, s.extra, {"type", "number"});
  if (!text.empty() && c.text_fits(name, text))
    out.text(text);
  else if (tremolo)
    out.text("3");
  write_all_children(c, name, s.extra);
  out.close(name);
}

void write_plain_tied(export_context& c, std::string_view type) {
  c.out.open("tied");
  c.out.attribute("type", type);
  c.out.close("tied");
}

bool has_tied(const note& n, span_end e) {
  return std::any_of(n.spanners.begin(), n.spanners.end(),
                     [e](auto& s) { return s.kind == spanner_kind::tied && s.end == e; });
}

/// Whether a mark in <ornaments> precedes, to which an accidental mark can belong.
bool follows_ornament(const note& n, const mark& accidental) {
  for (auto& m : n.marks) {
    if (&m == &accidental) break;
    if (name_of(m.kind).group == mark_group::ornament && m.kind != mark_kind::ornament_accidental)
      return true;
  }
  return false;
}

/// The marks and spanners of a note that can be written, in order. The others are told of.
struct writable_notations {
  std::vector<const mark*> marks;
  std::vector<const spanner*> spanners;
};
writable_notations writable(export_context& c, const note& n) {
  writable_notations w;
  auto ornament_spans = false;
  for (auto& s : n.spanners) {
    if (!has_end(s.kind, s.end)) {
      c.problem(std::string{name_of(s.kind).element} + " cannot be of type " +
                std::string{name_of(s.end)} + " and is left out");
      continue;
    }
    w.spanners.push_back(&s);
    ornament_spans = ornament_spans || name_of(s.kind).group == mark_group::ornament;
  }
  for (auto& m : n.marks) {
    if (!element_text(m))
      c.problem("\"" + m.text + "\" is not a valid " + std::string{name_of(m.kind).element} +
                " and is left out");
    else if (m.kind == mark_kind::ornament_accidental && !ornament_spans && !follows_ornament(n, m))
      c.problem("an ornament's accidental mark without an ornament is left out");
    else
      w.marks.push_back(&m);
  }
  return w;
}

/// One of the containers of <notations>.
void write_group(export_context& c, const note& n, const writable_notations& w, mark_group g,
                 std::string_view container) {
  auto in_group = [&](auto* x) { return name_of(x->kind).group == g; };
  auto has_spans = std::any_of(w.spanners.begin(), w.spanners.end(), in_group);
  auto has_marks = std::any_of(w.marks.begin(), w.marks.end(), in_group);
  if (!has_spans && !has_marks) return;
  auto write_spans = [&] {
    for (auto* s : w.spanners)
      if (in_group(s)) write_spanner(c, *s);
  };
  c.out.open(container);
  // An accidental mark in <ornaments> belongs to what stands before it.
  auto spans_first = std::any_of(w.marks.begin(), w.marks.end(), [&](auto* m) {
    return m->kind == mark_kind::ornament_accidental && !follows_ornament(n, *m);
  });
  if (spans_first) write_spans();
  for (auto* m : w.marks)
    if (in_group(m)) write_mark(c, *m);
  if (!spans_first) write_spans();
  c.out.close(container);
}

}  // namespace

void write_notations(export_context& c, const note& n) {
  auto tied_stop = n.tie.stop && !n.tie.stop_undrawn && !has_tied(n, span_end::stop);
  auto tied_start = n.tie.start && !n.tie.start_undrawn && !has_tied(n, span_end::start);
  auto w = n.spanners.empty() && n.marks.empty() ? writable_notations{} : writable(c, n);
  if (!w.spanners.empty() || !w.marks.empty() || tied_stop || tied_start) {
    c.out.open("notations");
    if (tied_stop) write_plain_tied(c, "stop");
    if (tied_start) write_plain_tied(c, "start");
    for (auto* s : w.spanners)
      if (name_of(s->kind).group == mark_group::notation) write_spanner(c, *s);
    write_group(c, n, w, mark_group::ornament, "ornaments");
    write_group(c, n, w, mark_group::technical, "technical");
    write_group(c, n, w, mark_group::articulation, "articulations");
    for (auto* m : w.marks)
      if (name_of(m->kind).group == mark_group::notation) write_mark(c, *m);
    c.out.close("notations");
  }
  // Groups of notations with attributes of their own are kept whole.
  write_preserved_children(c, "note", n.extra, {"notations"});
}

}  // namespace fermata::io::musicxml::detail
