#pragma once

#include "core/lang/value/form_spec.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// What the language knows, as `fermata show TOPIC`, `:help` and the reference page tell it. All of
/// it is made from the tables (forms, marks, clefs, instruments, durations, errors), so it says
/// what the language does.

struct reference_item {
  std::string keyword;      ///< as it is typed
  std::string description;  ///< one line; empty when the keyword says it all
  std::string example;      ///< text that runs, or empty
  std::string result;       ///< what the example evaluates to, as printed
};

struct reference_topic {
  std::string name;   ///< "durations"
  std::string title;  ///< "Durations"
  std::vector<reference_item> items;
};

/// Names of all topics: syntax, forms, one per family of forms, durations, pitches, clefs, ...
std::vector<std::string> reference_topic_names();
/// By name; nothing when there is no such topic. Examples are evaluated.
std::optional<reference_topic> find_reference_topic(std::string_view name);

/// A topic as aligned text for a terminal.
std::string reference_text(const reference_topic& topic);

/// Usage, meaning, parameters and example of a form: for `(doc x)` and `:help x`.
std::string form_help(const form_spec& form);

/// What an example evaluates to, as printed; "name: message" when it fails.
std::string example_result(std::string_view example);

/// What an error looks like: that of its example, or, where the example is no expression, its first
/// line.
std::string error_look(const error_info& row);

/// The whole reference page.
std::string reference_markdown();

}  // namespace fermata
