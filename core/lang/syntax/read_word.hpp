#pragma once

#include "core/error.hpp"
#include "core/lang/value/value.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace fermata {

/// The error in a word; its position is known to the caller.
struct word_error {
  errc code = errc::invalid_token;
  std::string message;
  std::string hint;
};
using word_result = std::variant<value, word_error>;

/// The value of a word outside of strings and phrases: a number, a pitch, a keyword, `true`, `nil`,
/// or otherwise a symbol.
word_result read_word(std::string_view raw);

}  // namespace fermata
