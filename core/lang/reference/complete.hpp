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

/// A completion at the cursor.
struct completion {
  std::string text;  ///< replaces the word
  std::string kind;  ///< "form" "name" "option" "value" "duration" "pitch" "history"
  std::string doc;   ///< one line
  bool operator==(const completion&) const = default;
};

/// The context of the cursor in an incomplete text.
struct completion_result {
  source_span word;                      ///< the part of the word before the cursor, to be replaced
  std::vector<completion> candidates;    ///< sorted: best match for the context first
  std::string usage;                     ///< of the enclosing form, empty outside of any
  std::string doc;                       ///< of that form, one line
  std::optional<std::string> parameter;  ///< the parameter at the cursor
};

/// Completion at byte `cursor`: forms at the head of a list, options of the enclosing form, choices
/// of an option, durations, pitches, bound names. The text may be incomplete. `env` may be null.
/// `enough` is called now and then and ends the search if it returns true: the user is waiting.
completion_result complete(std::string_view text, std::size_t cursor,
                           const environment* env = nullptr,
                           const std::function<bool()>& enough = {});

}  // namespace fermata
