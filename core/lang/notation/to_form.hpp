#pragma once

#include "core/lang/value/music.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace fermata {

/// Music values as the forms that evaluate to them, and forms as text.

/// Notation of a score.
enum class print_style : std::uint8_t {
  explicit_forms,  ///< one form for each note: for files, history and diffs
  compact,         ///< phrases where they are exactly equivalent
};

/// The form that evaluates to `m`.
value to_form(const music& m, print_style style = print_style::explicit_forms);

/// A form as text in lines of at most `width` columns if possible.
std::string print_form(const value& form, std::size_t width = 100);

}  // namespace fermata
