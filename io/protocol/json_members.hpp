#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io::protocol {

/// Properties of a JSON text that are lost in its parsed form: the spelling of its numbers, and
/// duplicate members, of which only the last is kept. All of these functions require valid JSON.

/// The texts of the items of an array.
std::vector<std::string_view> items_in(std::string_view array);

/// The text of the value of a member of this object; empty if it has none with that name.
std::optional<std::string_view> member_in(std::string_view object, std::string_view name);

/// A name that occurs twice in one object, at any depth.
std::optional<std::string> doubled_member(std::string_view text);

/// Whether this name occurs twice in this object itself.
bool is_doubled(std::string_view object, std::string_view name);

}  // namespace fermata::io::protocol
