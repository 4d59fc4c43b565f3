#pragma once

#include "core/lang/value/music.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace fermata {

/// Music values as the forms that evaluate to them, and forms as text.

/// How a score is written.
enum class print_style : std::uint8_t {
  explicit_forms,  ///< one form for each note: what files, history and diffs use
  compact,         ///< phrases where they say exactly the same
};

/// The form that evaluates to `m`.
value to_form(const music& m, print_style style = print_style::explicit_forms);

/// A form as text in lines of at most `width` columns where that is possible.
std::string print_form(const value& form, std::size_t width = 100);

}  // namespace fermata
