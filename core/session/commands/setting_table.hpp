#pragma once

#include "core/result.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// Type of a setting.
enum class setting_type : std::uint8_t {
  choice,  ///< one of its words
  toggle,  ///< on or off
  number,  ///< a whole number, or one of its words
  text,    ///< anything, or one of its words
};

/// A setting. `config.toml`, `:set`, `fermata config`, completion and docs/configuration.md are
/// derived from its row. A value from `:set` applies to its session and is stored with it; a value
/// from config.toml applies to sessions without their own.
struct setting_spec {
  std::string_view name;
  setting_type type = setting_type::choice;
  std::string_view by_default;
  std::vector<std::string_view> words;  ///< allowed words; empty for `toggle`
  std::string_view help;                ///< one line
  std::string_view detail;              ///< a paragraph for the page; may be empty
  bool of_session = true;               ///< false: only in config.toml, not in `:set`
  int least = 0, most = 0;              ///< of a number
};

const std::vector<setting_spec>& setting_table();
const setting_spec* find_setting(std::string_view name);

/// The value in its usual spelling ("explicit" becomes "fermata"). Error: a value that is not
/// allowed; the message lists the allowed ones.
result<std::string> setting_value(const setting_spec& row, std::string_view text);

/// "on or off", "a number from 0 to 100000", "one of fermata, compact".
std::string allowed_values(const setting_spec& row);

/// Error for an unknown setting, with the nearest name or the list of names; `at_prompt`: those of
/// `:set`, including the two that have their own command.
error unknown_setting(std::string_view name, bool at_prompt = false);

using setting_values = std::map<std::string, std::string, std::less<>>;

/// The effective value: the session's, otherwise the configured one, otherwise the default.
/// Precondition: the table has the name.
std::string effective_setting(std::string_view name, const setting_values& of_session,
                              const setting_values& configured);

/// The configuration page in Markdown.
std::string configuration_reference();

}  // namespace fermata
