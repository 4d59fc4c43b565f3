#pragma once

#include <optional>
#include <string_view>

namespace fermata {

/// The alteration in cents of a MusicXML accidental ("flat-flat": -200), and the inverse; empty if
/// there is none.
std::optional<int> cents_of_accidental(std::string_view name);
std::string_view accidental_of(int cents);

}  // namespace fermata
