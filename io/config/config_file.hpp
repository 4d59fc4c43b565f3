#pragma once

#include "core/result.hpp"
#include "core/session/commands/setting_table.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io {

/// What a configuration says.
struct configuration {
  setting_values values;              ///< those that are sound, in their usual spelling
  std::vector<std::string> problems;  ///< "config.toml:3: there is no setting ..."; one line each
};

/// `config.toml` in the home.
std::filesystem::path config_path(const std::filesystem::path& home);

/// Reads TOML text; `name` is what problems call the file. A name or value that is wrong is a
/// problem and leaves the others as they are, and so is a line that is no TOML.
configuration parse_config(std::string_view text, std::string_view name = "config.toml");

/// The same for a file. A missing file has no settings; an unreadable one is a problem.
configuration read_config(const std::filesystem::path& path);

/// The text with a setting changed or added; comments, order and everything else stay. Errors: the
/// setting's, or the text is no TOML (it is not touched then).
result<std::string> with_setting(std::string_view text, std::string_view name,
                                 std::string_view value);

/// Creates the folder of this file, for the user alone, if it does not exist.
result<void> create_config_folder(const std::filesystem::path& path);

/// Changes a setting in a file, which is created if it does not exist; `default` removes it.
/// Errors: as above, or the file cannot be read or written.
result<void> change_setting(const std::filesystem::path& path, std::string_view name,
                            std::string_view value);

/// The text without a setting, so that its default holds again; the rest stays. Errors: there is no
/// such setting, or the text is no TOML.
result<std::string> without_setting(std::string_view text, std::string_view name);

}  // namespace fermata::io
