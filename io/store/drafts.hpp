#pragma once

#include <filesystem>
#include <string_view>

namespace fermata::io {

/// What is made beside its place and put there when it is whole: `.NAME-PROCESS`, where nobody
/// takes a name with a dot for a session. A process that is killed leaves it behind; whoever comes
/// next cleans up after it.

/// Where the file or folder is made by this process.
std::filesystem::path draft_of(const std::filesystem::path& target);
/// Behind that, what an archive is unpacked to first.
inline constexpr std::string_view unpacked_draft = "-unpacked";

/// Removes the folders in `folder` that a process which is not there any more began, and nothing of
/// another name.
void remove_dead_drafts(const std::filesystem::path& folder);
/// Removes the files that such a process began in order to write `target`.
void remove_dead_drafts_of(const std::filesystem::path& target);

}  // namespace fermata::io
