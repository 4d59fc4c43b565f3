#pragma once

#include "core/error.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

struct environment;

/// One thing that could be typed at the cursor.
struct completion {
  std::string text;  ///< what takes the place of the word
  std::string kind;  ///< "form" "name" "option" "value" "duration" "pitch" "history"
  std::string doc;   ///< one line
  bool operator==(const completion&) const = default;
};

/// What is known about a place in a text that is being typed.
struct completion_result {
  source_span word;                      ///< the part of the word before the cursor, to be replaced
  std::vector<completion> candidates;    ///< sorted: what fits the place first
  std::string usage;                     ///< of the form around the cursor, empty outside of any
  std::string doc;                       ///< what that form is for, one line
  std::optional<std::string> parameter;  ///< the parameter that the cursor is at
};

/// Completion at byte `cursor`: forms at the head of a list, options of the form around, choices of
/// an option, durations, pitches, bound names. Takes incomplete text. `env` may be null. `enough`
/// is asked now and then and ends the search when it says true: somebody waits for the answer.
completion_result complete(std::string_view text, std::size_t cursor,
                           const environment* env = nullptr,
                           const std::function<bool()>& enough = {});

}  // namespace fermata
