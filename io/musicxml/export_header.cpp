#include <algorithm>

#include "io/musicxml/export_context.hpp"
#include "io/musicxml/preserved_writer.hpp"

namespace fermata::io::musicxml::detail {

namespace {

/// <name>text</name> when there is text, or when the file had the element without any.
void write_optional(export_context& c, const preserved& extra, std::string_view name,
                    const std::string& text) {
  if (!text.empty() || preserved_child(extra, name))
    c.out.leaf(name, std::string_view{text});
}

void write_typed_text(export_context& c, std::string_view name, const typed_text& t) {
  c.out.open(name);
  if (!t.type.empty())
    c.out.attribute("type", t.type);
  write_preserved_attributes(c, name, t.extra, {"type"});
  c.out.text(t.text);
  c.out.close(name);
}

void write_work(export_context& c, const score& s) {
  auto& h = s.header;
  auto has = [&](std::string_view name) { return preserved_child(s.extra, name) != nullptr; };
  if (h.work_number.empty() && h.work_title.empty() && h.work_others.empty()
      && !has("work-number") && !has("work-title"))
    return;
  c.out.open("work");
  write_optional(c, s.extra, "work-number", h.work_number);
  write_optional(c, s.extra, "work-title", h.work_title);
  for (auto& f : h.work_others)
    write_fragment(c, "work", f);
  c.out.close("work");
}

void write_identification(export_context& c, const score& s) {
  auto& h = s.header;
  auto& software = c.options.software;
  if (h.creators.empty() && h.rights.empty() && h.encoding.empty() && software.empty()
      && h.source.empty() && h.identification_others.empty()
      && !preserved_child(s.extra, "source"))
    return;
  c.out.open("identification");
  for (auto& t : h.creators)
    write_typed_text(c, "creator", t);
  for (auto& t : h.rights)
    write_typed_text(c, "rights", t);
  if (!h.encoding.empty()) {
    c.out.open("encoding");
    for (auto& f : h.encoding)
      write_fragment(c, "encoding", f);
    c.out.close("encoding");
  } else if (!software.empty()) {
    c.out.open("encoding");
    c.out.leaf("software", software);
    c.out.close("encoding");
  }
  write_optional(c, s.extra, "source", h.source);
  for (std::string_view name : {"relation", "miscellaneous"})
    for (auto& f : h.identification_others)
      if (element_name(f) == name)
        write_fragment(c, "identification", f);
  for (auto& f : h.identification_others)
    if (auto name = element_name(f); name != "relation" && name != "miscellaneous")
      write_fragment(c, "identification", f);
  c.out.close("identification");
}

void write_credit(export_context& c, const credit& x) {
  c.out.open("credit");
  if (!x.page.empty())
    c.out.attribute("page", x.page);
  write_preserved_attributes(c, "credit", x.extra, {"page"});
  for (auto& type : x.types)
    c.out.leaf("credit-type", std::string_view{type});
  for (auto& t : x.words) {
    c.out.open("credit-words");
    write_preserved_attributes(c, "credit-words", t.extra);
    c.out.text(t.text);
    c.out.close("credit-words");
  }
  write_all_children(c, "credit", x.extra);
  c.out.close("credit");
}

} // namespace

void write_header(export_context& c, const score& s) {
  auto& h = s.header;
  write_work(c, s);
  write_optional(c, s.extra, "movement-number", h.movement_number);
  write_optional(c, s.extra, "movement-title", h.movement_title);
  write_identification(c, s);
  for (auto& f : h.defaults)
    write_fragment(c, "score-partwise", f);
  for (auto& x : h.credits)
    write_credit(c, x);
  write_misplaced_children(c, "score-partwise", s.extra,
                           {"work-number", "work-title", "movement-number", "movement-title",
                            "source"});
}

} // namespace fermata::io::musicxml::detail
