#pragma once

#include "core/result.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// What a setting takes.
enum class setting_type : std::uint8_t {
  choice,  ///< one of its words
  toggle,  ///< on or off
  number,  ///< a whole number, or one of its words
  text,    ///< anything, or one of its words
};

/// A setting. `config.toml`, `:set`, `fermata config`, completion and docs/configuration.md are
/// made from its row. What `:set` says holds for its session and is kept with it; what config.toml
/// says holds where no session says otherwise.
struct setting_spec {
  std::string_view name;
  setting_type type = setting_type::choice;
  std::string_view by_default;
  std::vector<std::string_view> words;  ///< that it takes; for `toggle` none are listed
  std::string_view help;                ///< one line
  std::string_view detail;              ///< a paragraph for the page, may be empty
  bool of_session = true;               ///< false: only config.toml has it, `:set` does not
  int least = 0, most = 0;              ///< of a number
};

const std::vector<setting_spec>& setting_table();
const setting_spec* find_setting(std::string_view name);

/// The value in its usual spelling ("explicit" becomes "fermata"). Errors: it is none of those that
/// the setting takes; the message says which it does.
result<std::string> setting_value(const setting_spec& row, std::string_view text);

/// "on or off", "a number from 0 to 100000", "one of fermata, compact".
std::string allowed_values(const setting_spec& row);

/// Error of a name that no setting has, with the nearest one, else those there are; `at_prompt`:
/// those that `:set` has, among them the two that have a command of their own.
error unknown_setting(std::string_view name, bool at_prompt = false);

using setting_values = std::map<std::string, std::string, std::less<>>;

/// The value that holds: the session's, else the configured one, else the default. Precondition:
/// the table has the name.
std::string setting_in_force(std::string_view name, const setting_values& of_session,
                             const setting_values& configured);

/// The page on the configuration in Markdown.
std::string configuration_reference();

}  // namespace fermata
