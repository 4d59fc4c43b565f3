#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pugi {
class xml_node;
}

namespace fermata::io::musicxml {

/// Appends an element as canonical compact XML: UTF-8, double quotes, attributes in file order, no
/// blanks between tags, text exactly as it is, <name/> when empty. Comments and namespace
/// declarations are left out; instructions of our own are kept.
void append_canonical(std::string& out, pugi::xml_node element);

/// The canonical form of text that holds one element; nothing when it does not.
std::optional<std::string> canonical_element(std::string_view xml);

/// Whether elements are nested deeper than `limit` below `root`. Takes no stack of its own.
bool is_deeper_than(pugi::xml_node root, std::size_t limit);
/// How deep MusicXML may be nested for us; its own grammar needs about a dozen levels.
inline constexpr std::size_t deepest_nesting = 100;

/// The text of an element: all its character data, joined.
std::string text_of(pugi::xml_node element);

/// Flags with which every MusicXML text is parsed: character data exactly as it is, but none
/// between tags; instructions kept; comments dropped.
unsigned xml_parse_flags();

}  // namespace fermata::io::musicxml
