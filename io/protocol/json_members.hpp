#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io::protocol {

/// What the parsed form of a JSON text has lost: how its numbers were written, and members that
/// stand twice, of which it keeps the last. All of these functions want a text that a parser has
/// found to be JSON.

/// The texts of the items of an array.
std::vector<std::string_view> items_in(std::string_view array);

/// How the value of a member of this object is written; nothing when there is none of that name.
std::optional<std::string_view> member_in(std::string_view object, std::string_view name);

/// A name that stands twice in one object, however deep.
std::optional<std::string> doubled_member(std::string_view text);

/// Whether this name stands twice in this object itself.
bool is_doubled(std::string_view object, std::string_view name);

}  // namespace fermata::io::protocol
