#pragma once

#include <filesystem>
#include <string>

namespace fermata::app {

/// What the user can do about a file or folder that cannot be used, by the cause that the system
/// gave (an errno value): permissions, a read-only file system, a full disk, another owner.
/// `rights` are those that are missing, as chmod writes them: "u+rw".
std::string advice_on(int cause, const std::filesystem::path& path, const std::string& rights);

/// Whether the path lies on a file system that is mounted read-only; false where that is not known.
bool is_on_read_only_disk(const std::filesystem::path& path);

/// What to do on such a file system.
std::string read_only_advice();

}  // namespace fermata::app
