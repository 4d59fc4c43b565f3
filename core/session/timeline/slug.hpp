#pragma once

#include "core/error.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace fermata {

/// The slug of a name: the id of a session, its directory, what a client writes. Letters a to z in
/// lower case and digits stay, Latin letters lose their marks ("Dvořák" is dvorak, "Weiß" weiss),
/// everything else becomes `-`, runs of `-` collapse, ends are trimmed, 64 characters at most.
/// "My Session #1" is my-session-1. Empty when nothing is left.
std::string slug_of(std::string_view name);

/// Bytes of a name. Whoever gives a longer one is told (`name_too_long`); what is cut off all the
/// same, of an archive or of a client's name, nobody typed.
inline constexpr std::size_t longest_name = 200;

/// What is wrong with a name that a session is to be given; nothing: it is short enough.
std::optional<error> name_too_long(std::string_view name);

/// A name as it is kept and shown: one line of UTF-8, `longest_name` at most. Control characters
/// become a space, bytes that are no UTF-8 become U+FFFD; characters that cannot be seen, with
/// which one name could pass for another (invisible_characters.hpp), and spaces at the ends are
/// left out. Empty when nothing is left.
std::string clean_name(std::string_view name);

/// The name, or with a number behind it ("Chorale 2") when `taken` holds it already: what a session
/// is called that was to be called `name`. An empty name stays empty.
std::string unique_name(std::string_view name,
                        const std::function<bool(const std::string&)>& taken);

/// A slug for a new session of this name that `taken` does not hold yet: with -2, -3, ... appended
/// on a collision, for which a long slug is shortened. A name without a slug gives session-1,
/// session-2, ...
std::string unique_slug(std::string_view name,
                        const std::function<bool(const std::string&)>& taken);

}  // namespace fermata
