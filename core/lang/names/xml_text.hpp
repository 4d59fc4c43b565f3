#pragma once

#include "core/lang/value/value.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// What may be said in MusicXML's own words: `(xml "<...>")` and `:xml (:default-x 83 "<play/>")`.
/// What no program would read is told of where it is typed. What a file had beyond MusicXML stays
/// what it was: an element inside `<?fermata-kept ...?>`, the name of an attribute in quotes.

/// Names of MusicXML 4.0, in alphabetical order.
const std::vector<std::string_view>& musicxml_elements();
const std::vector<std::string_view>& musicxml_attributes();

/// What is wrong with the text of one element, or nothing. Looked at are its tags and the names of
/// its elements, not what may stand where: the writer of files knows that.
std::string fault_of_element(std::string_view xml);
/// What is wrong with attributes and elements as `:xml` has them, or nothing.
std::string fault_of_xml(const value& v);

/// Whether `:name` may be written without quotes beside that value.
bool is_plain_attribute(std::string_view name, std::string_view text);

/// Whether the text can be an id: letters, digits, `.`, `-` and `_`, first a letter or `_`.
bool is_xml_id(std::string_view text);
/// "an id begins with ...".
std::string no_such_id(std::string_view text);

/// What is wrong with `(:tempo 96 :dynamics 80)`, the attributes of MusicXML's <sound>.
std::string fault_of_sound(const value& v);
/// Whether a value may stand there without quotes.
bool is_plain_sound_value(std::string_view name, const value& v);
/// The names of those attributes.
std::vector<std::string_view> sound_attribute_names();

}  // namespace fermata
