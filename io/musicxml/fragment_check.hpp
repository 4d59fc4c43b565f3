#pragma once

#include "core/score/model/preserved.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace fermata::io::musicxml {

/// Whether `xml` is one element in canonical form (see `fragment`) that the schema allows as it is,
/// with everything inside. Its ids must be new and its references known to `ids`; they are added
/// when the answer is yes.
bool fits_schema(std::string_view xml, std::unordered_set<std::string>& ids);
/// The ids that it brings if it fits, nothing if it does not; for who decides later whether to
/// write it.
std::optional<std::vector<std::string>> ids_if_fitting(std::string_view xml,
                                                       const std::unordered_set<std::string>& ids);
/// The same without adding its ids.
bool would_fit_schema(std::string_view xml, const std::unordered_set<std::string>& ids);

/// Calls `visit(name, unescaped value, raw text with leading blank)` for each attribute in the
/// start tag of a canonical element.
void for_each_attribute(
    std::string_view xml,
    const std::function<void(std::string_view, const std::string&, std::string_view)>& visit);

/// Name of the element that a fragment holds; "?fermata-kept" for a wrapped one.
std::string_view element_name(std::string_view xml);
inline std::string_view element_name(const fragment& f) { return element_name(f.xml); }

/// What the schema has no place for is kept inside a processing instruction: a file that holds it
/// stays valid. `wrapped` makes one of a canonical element (or any text), `unwrapped` takes it out.
fragment wrapped(std::string_view xml);
bool is_wrapped(const fragment& f);

/// Characters for the five entities and character references of canonical text.
std::string unescaped(std::string_view text);

}  // namespace fermata::io::musicxml
