#include "io/musicxml/export_context.hpp"
#include "io/musicxml/preserved_writer.hpp"

#include <algorithm>

namespace fermata::io::musicxml::detail {

namespace {

/// <name>text</name> when there is text, or when the file had the element without any.
void write_optional(export_context& c, const preserved& extra, std::string_view name,
                    const std::string& text) {
  if (!text.empty() || preserved_child(extra, name)) c.out.leaf(name, std::string_view{text});
}

void write_typed_text(export_context& c, std::string_view name, const typed_text& t) {
  c.out.open(name);
  if (t.type.empty()) {
    write_preserved_attributes(c, name, t.extra);
  } else {
    c.out.attribute("type", t.type);
    write_preserved_attributes(c, name, t.extra, {"type"});
  }
  c.out.text(t.text);
  c.out.close(name);
}

void write_work(export_context& c, const score& s) {
  auto& h = s.header;
  auto has = [&](std::string_view name) { return preserved_child(s.extra, name) != nullptr; };
  if (h.work_number.empty() && h.work_title.empty() && h.work_others.empty() &&
      !has("work-number") && !has("work-title"))
    return;
  c.out.open("work");
  write_optional(c, s.extra, "work-number", h.work_number);
  write_optional(c, s.extra, "work-title", h.work_title);
  write_children(c, "work", h.work_others, {"opus"});
  write_misplaced(c, h.work_others, {"opus"});
  c.out.close("work");
}

void write_identification(export_context& c, const score& s) {
  auto& h = s.header;
  auto& software = c.options.software;
  if (h.creators.empty() && h.rights.empty() && h.encoding.empty() && software.empty() &&
      h.source.empty() && h.identification_others.empty() && !preserved_child(s.extra, "source"))
    return;
  c.out.open("identification");
  for (auto& t : h.creators)
    write_typed_text(c, "creator", t);
  for (auto& t : h.rights)
    write_typed_text(c, "rights", t);
  if (!h.encoding.empty()) {
    c.out.open("encoding");
    write_children(c, "encoding", h.encoding,
                   {"encoding-date", "encoder", "software", "encoding-description", "supports"});
    write_misplaced(c, h.encoding,
                    {"encoding-date", "encoder", "software", "encoding-description", "supports"});
    c.out.close("encoding");
  } else if (!software.empty()) {
    c.out.open("encoding");
    c.out.leaf("software", software);
    c.out.close("encoding");
  }
  write_optional(c, s.extra, "source", h.source);
  write_children(c, "identification", h.identification_others, {"relation"});
  write_children(c, "identification", h.identification_others, {"miscellaneous"});
  write_misplaced(c, h.identification_others, {"relation", "miscellaneous"});
  c.out.close("identification");
}

void write_credit(export_context& c, const credit& x) {
  c.out.open("credit");
  c.attribute("credit", "page", x.page);
  write_preserved_attributes(c, "credit", x.extra, {"page"});
  for (auto& type : x.types)
    c.out.leaf("credit-type", std::string_view{type});
  for (auto& t : x.words) {
    c.out.open("credit-words");
    write_preserved_attributes(c, "credit-words", t.extra);
    c.out.text(t.text);
    c.out.close("credit-words");
  }
  // A credit without anything to print is not for the schema.
  std::vector<std::string_view> before(x.types.size(), "credit-type");
  before.insert(before.end(), x.words.size(), "credit-words");
  auto has_content = !x.words.empty() || preserved_child(x.extra, "credit-words") ||
                     preserved_child(x.extra, "credit-symbol") ||
                     preserved_child(x.extra, "credit-image");
  if (!has_content) {
    c.out.empty("credit-words");
    before.push_back("credit-words");
  }
  write_all_children(c, "credit", x.extra, before);
  c.out.close("credit");
}

}  // namespace

void write_header(export_context& c, const score& s) {
  auto& h = s.header;
  write_work(c, s);
  write_optional(c, s.extra, "movement-number", h.movement_number);
  write_optional(c, s.extra, "movement-title", h.movement_title);
  write_identification(c, s);
  write_children(c, "score-partwise", h.defaults, {"defaults"});
  write_misplaced(c, h.defaults, {"defaults"});
  for (auto& x : h.credits)
    write_credit(c, x);
  write_misplaced_children(
      c, s.extra, {"work-number", "work-title", "movement-number", "movement-title", "source"});
}

}  // namespace fermata::io::musicxml::detail
