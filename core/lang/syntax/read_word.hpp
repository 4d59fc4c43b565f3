#pragma once

#include "core/error.hpp"
#include "core/lang/value/value.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace fermata {

/// What is wrong with a word; where it stands is known to who reads it.
struct word_error {
  errc code = errc::invalid_token;
  std::string message;
  std::string hint;
};
using word_result = std::variant<value, word_error>;

/// A word outside of strings and phrases as the value that it means: a number, a pitch, a keyword,
/// `true`, `nil`, or else a symbol.
word_result read_word(std::string_view raw);

}  // namespace fermata
