#pragma once

#include "core/lang/value/form_spec.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// Reference documentation of the language, for `fermata show TOPIC`, `:help` and the reference
/// page. It is derived from the tables (forms, marks, clefs, instruments, durations, errors), so it
/// matches the program.

struct reference_item {
  std::string keyword;      ///< as typed
  std::string description;  ///< one line; empty if the keyword is self-explanatory
  std::string example;      ///< text that runs, or empty
  std::string result;       ///< value of the example, as printed
};

struct reference_topic {
  std::string name;   ///< "durations"
  std::string title;  ///< "Durations"
  std::vector<reference_item> items;
};

/// Names of all topics: syntax, forms, one per family of forms, durations, pitches, clefs, ...
std::vector<std::string> reference_topic_names();
/// By name; empty if there is no such topic. Examples are evaluated.
std::optional<reference_topic> find_reference_topic(std::string_view name);

/// A topic as aligned text for a terminal.
std::string reference_text(const reference_topic& topic);

/// Usage, meaning, parameters and example of a form: for `(doc x)` and `:help x`.
std::string form_help(const form_spec& form);

/// The value of an example, as printed; "name: message" if it fails.
std::string example_result(std::string_view example);

/// The display of an error: that of its example or, if the example is not an expression, its first
/// line.
std::string error_look(const error_info& row);

/// The whole reference page.
std::string reference_markdown();

}  // namespace fermata
