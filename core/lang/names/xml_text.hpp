#pragma once

#include "core/lang/value/value.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// Text in MusicXML itself: `(xml "<...>")` and `:xml (:default-x 83 "<play/>")`. What no program
/// could read is reported where it is typed. Content of a file beyond MusicXML is kept: an element
/// inside `<?fermata-kept ...?>`, the name of an attribute in quotes.

/// Names of MusicXML 4.0, in alphabetical order.
const std::vector<std::string_view>& musicxml_elements();
const std::vector<std::string_view>& musicxml_attributes();

/// The error in the text of one element, or empty. Checks its tags and the names of its elements,
/// not their order and nesting, which are checked by the writer of files.
std::string fault_of_element(std::string_view xml);
/// The error in attributes and elements of an `:xml`, or empty.
std::string fault_of_xml(const value& v);

/// Whether `:name` may be written without quotes before that value.
bool is_plain_attribute(std::string_view name, std::string_view text);

/// Whether the text can be an id: letters, digits, `.`, `-` and `_`, first a letter or `_`.
bool is_xml_id(std::string_view text);
/// "an id begins with ...".
std::string no_such_id(std::string_view text);

/// The error in `(:tempo 96 :dynamics 80)`, the attributes of MusicXML's <sound>.
std::string fault_of_sound(const value& v);
/// Whether a value may be written there without quotes.
bool is_plain_sound_value(std::string_view name, const value& v);
/// The names of those attributes.
std::vector<std::string_view> sound_attribute_names();

}  // namespace fermata
