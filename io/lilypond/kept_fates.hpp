#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fermata::io::lilypond {

/// What the export does with XML that the score keeps: a table of attributes and one of elements.
/// What has no row is not written and is counted under its own name.

enum class report_as : std::uint8_t { written, layout, playback };

/// Of an attribute of an element, by its value where that matters.
std::optional<report_as> fate_of_attribute(std::string_view owner, std::string_view name,
                                           std::string_view value);
/// Of an element that is kept whole in another.
std::optional<report_as> fate_of_element(std::string_view owner, std::string_view name);

/// Whether the value is in the score and only attributes are kept: <stem default-y="3"/>. (What
/// MusicXML has no place for is kept within a processing instruction.)
bool is_typed_element(std::string_view xml);

}  // namespace fermata::io::lilypond
