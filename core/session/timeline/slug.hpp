#pragma once

#include "core/error.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace fermata {

/// The slug of a name: the id of a session, its folder, and its name for clients. Letters a to z in
/// lower case and digits are kept, Latin letters lose their diacritics ("Dvořák" is dvorak, "Weiß"
/// weiss), everything else becomes `-`, runs of `-` collapse, ends are trimmed, at most 64
/// characters. "My Session #1" is my-session-1. Empty if nothing is left.
std::string slug_of(std::string_view name);

/// Maximum length of a name in bytes. A longer name that is typed is an error (`name_too_long`);
/// names in archives and of clients are cut instead, since the user did not type them.
inline constexpr std::size_t longest_name = 200;

/// Error for a session name that is not allowed; empty: it is short enough.
std::optional<error> name_too_long(std::string_view name);

/// A name as stored and shown: one line of UTF-8, at most `longest_name`. Control characters become
/// a space, bytes that are not UTF-8 become U+FFFD; invisible characters, which could make two
/// names look alike (invisible_characters.hpp), and spaces at the ends are removed. Empty if
/// nothing is left.
std::string clean_name(std::string_view name);

/// The name, with a number appended ("Chorale 2") if `taken` has it already: the actual name of a
/// session that was to be called `name`. An empty name stays empty.
std::string unique_name(std::string_view name,
                        const std::function<bool(const std::string&)>& taken);

/// A slug for a new session of this name that `taken` does not have: with -2, -3, ... appended on a
/// collision, for which a long slug is shortened. A name without a slug gives session-1, session-2,
/// ...
std::string unique_slug(std::string_view name,
                        const std::function<bool(const std::string&)>& taken);

}  // namespace fermata
