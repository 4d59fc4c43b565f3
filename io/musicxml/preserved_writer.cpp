#include "io/musicxml/preserved_writer.hpp"

#include <algorithm>

#include "io/musicxml/division_values.hpp"

namespace fermata::io::musicxml::detail {

std::string_view element_name(const fragment& f) {
  std::string_view xml = f.xml;
  if (!xml.starts_with('<'))
    return {};
  auto end = xml.find_first_of(" />\t\n", 1);
  return end == std::string_view::npos ? std::string_view{} : xml.substr(1, end - 1);
}

const fragment* preserved_child(const preserved& extra, std::string_view name) {
  if (extra)
    for (auto& child : extra->children)
      if (element_name(child) == name)
        return &child;
  return nullptr;
}

namespace {

bool listed(std::initializer_list<std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

void write_preserved_attributes(export_context& c, std::string_view element,
                                const preserved& extra,
                                std::initializer_list<std::string_view> typed) {
  if (!extra)
    return;
  for (auto& [name, value] : extra->attributes) {
    if (listed(typed, name))
      continue;
    if (is_division_valued(element, name))
      c.out.attribute(name, in_divisions(value, c.divisions));
    else
      c.out.attribute(name, value);
  }
}

void write_fragment(export_context& c, std::string_view, const fragment& f) {
  if (mentions_divisions(f.xml))
    c.out.element(converted_fragment(
      f.xml, [&](std::string_view text) { return in_divisions(text, c.divisions); }));
  else
    c.out.element(f.xml);
}

void write_preserved_children(export_context& c, std::string_view parent, const preserved& extra,
                              std::initializer_list<std::string_view> names) {
  if (!extra)
    return;
  for (auto& child : extra->children)
    if (listed(names, element_name(child)))
      write_fragment(c, parent, child);
}

void write_all_children(export_context& c, std::string_view parent, const preserved& extra) {
  if (extra)
    for (auto& child : extra->children)
      write_fragment(c, parent, child);
}

void write_misplaced_children(export_context& c, std::string_view, const preserved& extra,
                              std::initializer_list<std::string_view> names) {
  if (!extra)
    return;
  for (auto& child : extra->children)
    if (!listed(names, element_name(child)))
      c.out.instruction("fermata", child.xml);
}

void write_kept_attributes(export_context& c, const preserved& extra, std::string_view child,
                           std::size_t nth) {
  if (!extra)
    return;
  for (auto& f : extra->children) {
    if (element_name(f) != child || nth-- != 0)
      continue;
    std::string_view xml = f.xml;
    xml.remove_prefix(1 + child.size());
    // '>' is escaped in attribute values, so the first one ends the tag.
    xml = xml.substr(0, xml.find('>'));
    if (xml.ends_with('/'))
      xml.remove_suffix(1);
    c.out.raw_attributes(xml);
    return;
  }
}

} // namespace fermata::io::musicxml::detail
