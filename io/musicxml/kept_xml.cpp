#include "io/musicxml/canonical_xml.hpp"
#include "io/musicxml/division_values.hpp"
#include "io/musicxml/fragment_check.hpp"
#include "io/musicxml/import_context.hpp"
#include "io/musicxml/xml_writer.hpp"

#include <algorithm>

namespace fermata::io::musicxml::detail {

namespace {

bool is_one_of(std::initializer_list<std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Calls `visit(name, value)` for the attributes of `n` that the schema takes, then for the others:
/// those come from other versions, or from our own instruction for such.
/// An id among `typed` has been read, and noted, by the caller.
template <class Visit>
void each_attribute(import_context& c, pugi::xml_node n, element e,
                    std::initializer_list<std::string_view> typed, Visit&& visit) {
  auto* schema = e == element::unknown ? nullptr : &schema_of(e);
  auto fits_here = [&](std::string_view name, std::string_view value) {
    auto* known = schema ? schema->attribute(name) : nullptr;
    if (!known || !is_valid(*known->type, value)) return false;
    if (is_id(*known->type))  // the first use of a name is right, others are not
      return c.ids.emplace(value).second;
    return !is_id_reference(*known->type) || c.ids.contains(std::string{value});
  };
  c.attributes_kept(n);
  std::vector<pugi::xml_attribute> unfit;
  for (auto a = n.first_attribute(); a; a = a.next_attribute()) {
    std::string_view name = a.name(), value = a.value();
    if (name.starts_with("xmlns") || (name == "id" && is_one_of(typed, name))) continue;
    if (fits_here(name, value))
      visit(name, value, true);
    else
      unfit.push_back(a);
  }
  for (auto a : unfit) {
    c.warn(n, "MusicXML 4.0 has no " + std::string{a.name()} + "=\"" + a.value() +
                  "\" here; it is kept");
    visit(std::string_view{a.name()}, std::string_view{a.value()}, false);
  }
  if (!c.plain_text)
    for (auto k : children_of(n))
      if (k.type() == pugi::node_pi && std::string_view{k.name()} == "fermata-attributes")
        for_each_attribute("<x " + std::string{k.value()} + "/>",
                           [&](std::string_view name, const std::string& value, std::string_view) {
                             visit(name, std::string_view{value}, false);
                           });
}

/// Counts an element and all inside it as kept.
void count_kept(import_context& c, pugi::xml_node n) {
  c.report.add(fate::fragment, n.name(), c.part, c.measure);
  c.attributes_kept(n);
  for (auto k : children_of(n))
    if (k.type() == pugi::node_element) count_kept(c, k);
}

std::string canonical_in_quarters(import_context& c, pugi::xml_node n) {
  if (is_deeper_than(n, deepest_nesting))
    fail_at(c, n, errc::nesting_too_deep, "elements are nested too deeply");
  std::string xml;
  append_canonical(xml, n);
  if (!mentions_divisions(xml)) return xml;
  return converted_fragment(xml,
                            [&](std::string_view text) { return in_quarters(text, c.divisions); });
}

void add_attribute_text(std::string& out, std::string_view name, std::string_view value) {
  out += ' ';
  out += name;
  out += "=\"";
  append_escaped(out, value, true);
  out += '"';
}

}  // namespace

fragment kept_fragment(import_context& c, pugi::xml_node n) {
  auto xml = canonical_in_quarters(c, n);
  count_kept(c, n);
  if (fits_schema(fragment_in_divisions(xml, rational{1}), c.ids)) return {std::move(xml)};
  c.warn(n, "MusicXML 4.0 does not allow this element as it is; it is kept");
  return wrapped(xml);
}

fragment wrapped_fragment(import_context& c, pugi::xml_node n,
                          std::initializer_list<std::string_view> around) {
  std::string xml;
  for (auto name : around)
    xml += "<" + std::string{name} + ">";
  xml += canonical_in_quarters(c, n);  // refuses what is too deep to walk
  count_kept(c, n);
  for (auto name = around.end(); name != around.begin();)
    xml += "</" + std::string{*--name} + ">";
  return wrapped(xml);
}

bool fits(import_context& c, pugi::xml_node n) {
  return would_fit_schema(fragment_in_divisions(canonical_in_quarters(c, n), rational{1}), c.ids);
}

void kept_xml::attributes(import_context& c, pugi::xml_node n, element e,
                          std::initializer_list<std::string_view> typed) {
  if (c.plain_text && !n.first_attribute()) return;
  each_attribute(c, n, e, typed,
                 [&](std::string_view name, std::string_view value, bool fits_here) {
                   if (fits_here && is_one_of(typed, name)) return;
                   if (value_.attributes.empty())  // most have a place on the page: x and y
                     value_.attributes.reserve(2);
                   if (fits_here && is_division_valued(name_of(e), name))
                     value_.attributes.emplace_back(name, in_quarters(value, c.divisions));
                   else
                     value_.attributes.emplace_back(name, value);
                 });
}

void kept_xml::attributes_of(import_context& c, pugi::xml_node n, element e,
                             std::initializer_list<std::string_view> typed, bool always) {
  if (!always && c.plain_text && !n.first_attribute()) return;
  std::string xml = "<" + std::string{name_of(e)};
  auto bare = xml.size();
  each_attribute(c, n, e, typed,
                 [&](std::string_view name, std::string_view value, bool fits_here) {
                   if (!fits_here || !is_one_of(typed, name)) add_attribute_text(xml, name, value);
                 });
  if (xml.size() > bare || always) value_.children.push_back({xml + "/>"});
}

void kept_xml::child(import_context& c, element parent, pugi::xml_node n) {
  auto e = element_of(n.name());
  c.report.not_typed(e);
  if (e == element::unknown || !schema_of(parent).allows_child(n.name())) {
    c.warn(n, e == element::unknown ? "MusicXML 4.0 does not know this element; it is kept"
                                    : "MusicXML 4.0 does not have this element here; it is kept");
    value_.children.push_back(wrapped_fragment(c, n));
    return;
  }
  value_.children.push_back(kept_fragment(c, n));
}

void kept_xml::misplaced(import_context& c, pugi::xml_node n, std::string_view reason) {
  misplaced_in(c, n, reason, {});
}

void kept_xml::misplaced_in(import_context& c, pugi::xml_node n, std::string_view reason,
                            std::initializer_list<std::string_view> around) {
  c.report.not_typed(element_of(n.name()));
  c.warn(n, std::string{reason} + "; it is kept");
  value_.children.push_back(wrapped_fragment(c, n, around));
}

void kept_xml::other_node(import_context& c, pugi::xml_node n) {
  if (n.type() == pugi::node_pi && std::string_view{n.name()} == "fermata-kept") {
    // Written by us: what it holds stays wrapped.
    value_.children.push_back({"<?fermata-kept " + std::string{n.value()} + "?>"});
  } else if (n.type() == pugi::node_pcdata || n.type() == pugi::node_cdata) {
    std::string_view text = n.value();
    if (text.find_first_not_of(" \t\r\n") != std::string_view::npos) {
      c.warn(n.parent(), "text between elements; it is kept");
      value_.children.push_back(wrapped(text));
    }
  }
}

}  // namespace fermata::io::musicxml::detail
