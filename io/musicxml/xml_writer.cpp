#include "io/musicxml/xml_writer.hpp"

#include "core/utf8.hpp"

#include <algorithm>

namespace fermata::io::musicxml {

namespace {

/// What a byte needs: nothing, an entity, one only inside attributes, replacement, or a look at the
/// UTF-8 sequence that it begins.
enum class need : std::uint8_t { nothing, entity, attribute_entity, replacement, sequence };

constexpr auto make_needs() {
  std::array<need, 256> t{};
  for (int i = 0; i < 0x20; ++i)
    t[static_cast<std::size_t>(i)] = need::replacement;
  t['\t'] = t['\n'] = need::attribute_entity;
  t['\r'] = need::entity;  // a parser would turn it into a line feed
  t['&'] = t['<'] = t['>'] = need::entity;
  t['"'] = need::attribute_entity;
  t[0x7f] = need::nothing;
  for (std::size_t i = 0x80; i < 256; ++i)
    t[i] = need::sequence;
  return t;
}
constexpr auto needs = make_needs();

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

std::string_view entity(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\t': return "&#9;";
    case '\n': return "&#10;";
    default: return "&#13;";
  }
}

/// Bytes of the character at `at`, 0 if XML allows none there. U+FFFE and U+FFFF are not allowed.
std::size_t character_length(std::string_view text, std::size_t at) {
  auto c = code_point_at(text, at);
  return c.valid && c.value != 0xFFFE && c.value != 0xFFFF ? c.bytes : 0;
}

enum class place : std::uint8_t { text, attribute, anywhere };

template <place Place>
void append(std::string& out, std::string_view text) {
  std::size_t done = 0;
  for (std::size_t i = 0; i < text.size();) {
    auto n = needs[static_cast<unsigned char>(text[i])];
    if (n == need::nothing || (n == need::attribute_entity && Place != place::attribute) ||
        (n == need::entity && Place == place::anywhere)) {
      ++i;
      continue;
    }
    if (n == need::sequence) {
      if (auto length = character_length(text, i)) {
        i += length;
        continue;
      }
      n = need::replacement;
    }
    out.append(text.substr(done, i - done));
    out += n == need::replacement ? replacement_character : entity(text[i]);
    done = ++i;
  }
  out.append(text.substr(done));
}

}  // namespace

void append_escaped(std::string& out, std::string_view text, bool in_attribute) {
  if (in_attribute)
    append<place::attribute>(out, text);
  else
    append<place::text>(out, text);
}

void append_xml_characters(std::string& out, std::string_view text) {
  append<place::anywhere>(out, text);
}

void xml_writer::escape(std::string_view text, bool in_attribute) {
  auto is_plain = [](char c) { return needs[static_cast<unsigned char>(c)] == need::nothing; };
  if (std::all_of(text.begin(), text.end(), is_plain)) return put(text);
  std::string escaped;
  append_escaped(escaped, text, in_attribute);
  put(escaped);
}

void xml_writer::declaration(std::string_view doctype) {
  put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  put(doctype);
  // Compact text still has a line of its own for the document.
  if (!indent_) put('\n');
}

void xml_writer::instruction(std::string_view target, std::string_view content) {
  start_line();
  put("<?");
  put(target);
  put(' ');
  put(content);
  put("?>");
  state_ = state::after_element;
}

void xml_writer::inline_instruction(std::string_view target, std::string_view content) {
  end_tag();
  put("<?");
  put(target);
  put(' ');
  put(content);
  put("?>");
  state_ = state::after_text;
}

void xml_writer::element(std::string_view xml) {
  note_links(xml);
  if (!indent_) {
    end_tag();
    put(xml);
    state_ = state::after_element;
    return;
  }
  // Canonical form has no blanks between tags and no mixed content: text follows its start tag
  // directly and an end tag follows the text directly.
  while (!xml.empty()) {
    // A processing instruction may hold '>' but ends with "?>".
    auto gt = xml.starts_with("<?") ? xml.find("?>") + 1 : xml.find('>');
    if (gt >= xml.size()) gt = xml.size() - 1;
    auto tag = xml.substr(0, gt + 1);
    xml.remove_prefix(gt + 1);
    if (tag.starts_with("</")) {
      --depth_;
      if (state_ == state::after_element) new_line();
      put(tag);
      state_ = state::after_element;
    } else if (tag.starts_with("<?") && state_ == state::after_text) {
      put(tag);  // a line break here would become part of the text
    } else if (tag.ends_with("/>") || tag.starts_with("<?")) {
      start_line();
      put(tag);
      state_ = state::after_element;
    } else {
      start_line();
      put(tag);
      ++depth_;
      state_ = state::after_text;  // an end tag may follow at once
      auto lt = xml.find('<');
      auto content = xml.substr(0, lt);
      put(content);
      xml.remove_prefix(content.size());
    }
  }
}

}  // namespace fermata::io::musicxml
