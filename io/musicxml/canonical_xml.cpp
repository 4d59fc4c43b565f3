#include "io/musicxml/canonical_xml.hpp"

#include "io/musicxml/schema.hpp"
#include "io/musicxml/xml_writer.hpp"

#include <pugixml.hpp>

namespace fermata::io::musicxml {

namespace {

bool is_text(pugi::xml_node n) {
  return n.type() == pugi::node_pcdata || n.type() == pugi::node_cdata;
}
bool is_own_instruction(pugi::xml_node n) {
  return n.type() == pugi::node_pi && std::string_view{n.name()}.starts_with("fermata");
}
bool only_blanks(std::string_view s) {
  return s.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

unsigned xml_parse_flags() {
  return pugi::parse_minimal | pugi::parse_escapes | pugi::parse_cdata | pugi::parse_eol |
         pugi::parse_wconv_attribute | pugi::parse_ws_pcdata_single | pugi::parse_pi |
         pugi::parse_doctype | pugi::parse_declaration;
}

std::string text_of(pugi::xml_node element) {
  std::string text;
  for (auto n : element.children())
    if (is_text(n)) text += n.value();
  return text;
}

bool is_deeper_than(pugi::xml_node root, std::size_t limit) {
  std::size_t depth = 0;
  for (auto n = root;;) {
    if (auto child = n.first_child()) {
      n = child;
      if (++depth > limit) return true;
      continue;
    }
    while (n != root && !n.next_sibling()) {
      n = n.parent();
      --depth;
    }
    if (n == root) return false;
    n = n.next_sibling();
  }
}

void append_canonical(std::string& out, pugi::xml_node element) {
  out += '<';
  out += element.name();
  for (auto a : element.attributes()) {
    if (std::string_view{a.name()}.starts_with("xmlns")) continue;
    out += ' ';
    out += a.name();
    out += "=\"";
    append_escaped(out, a.value(), true);
    out += '"';
  }
  bool has_elements = false;
  for (auto n : element.children())
    has_elements = has_elements || n.type() == pugi::node_element;
  auto text = has_elements ? std::string{} : text_of(element);
  // Blanks alone are text only where the schema knows text.
  if (only_blanks(text)) {
    auto* e = find_schema_element(element.name());
    if (e && !e->text) text.clear();
  }
  auto body = out.size();
  out += '>';
  for (auto n : element.children()) {
    if (n.type() == pugi::node_element) {
      append_canonical(out, n);
    } else if (is_own_instruction(n)) {
      out += "<?";
      out += n.name();
      out += ' ';
      out += n.value();
      out += "?>";
    } else if (has_elements && is_text(n) && !only_blanks(n.value())) {
      append_escaped(out, n.value(), false);  // mixed content: not MusicXML, yet kept
    }
  }
  append_escaped(out, text, false);
  if (out.size() == body + 1) {
    out.back() = '/';
    out += '>';
    return;
  }
  out += "</";
  out += element.name();
  out += '>';
}

std::optional<std::string> canonical_element(std::string_view xml) {
  pugi::xml_document doc;
  if (!doc.load_buffer(xml.data(), xml.size(), xml_parse_flags(), pugi::encoding_utf8))
    return std::nullopt;
  if (is_deeper_than(doc.root(), deepest_nesting)) return std::nullopt;
  pugi::xml_node only;
  for (auto n : doc.children())
    if (n.type() == pugi::node_element) {
      if (only) return std::nullopt;
      only = n;
    }
  if (!only) return std::nullopt;
  std::string out;
  append_canonical(out, only);
  return out;
}

}  // namespace fermata::io::musicxml
