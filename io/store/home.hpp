#pragma once

#include "core/result.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io {

/// The folder of all data: `$FERMATA_HOME`, otherwise `~/.fermata`. Not created yet.
std::filesystem::path fermata_home();

/// The path of a file as typed: `~/` is the user's home folder, as in a shell. A relative name is
/// relative to `folder`; without one, to the working folder of this process.
std::string expand_path(const std::string& file, std::string_view folder = {});

/// `sessions/<slug>` in it. Error: the text is not a slug, so no path leads out of the folder.
result<std::filesystem::path> session_folder(const std::filesystem::path& home,
                                             std::string_view slug);

/// Slugs of the existing sessions, in alphabetical order. Folders with unwanted names are not
/// examined.
using wanted_slugs = std::function<bool(const std::string& slug)>;
std::vector<std::string> stored_sessions(const std::filesystem::path& home,
                                         const wanted_slugs& is_wanted = nullptr);

/// Folders of sessions not in use: `archive/<slug>`, which can be restored, and
/// `trash/<slug>-<time>`, which only the user empties.
std::filesystem::path archive_folder(const std::filesystem::path& home);
std::filesystem::path trash_folder(const std::filesystem::path& home);

/// Slugs of the sessions in the archive, in alphabetical order.
std::vector<std::string> archived_sessions(const std::filesystem::path& home);

/// Moves a session's folder, in one step. Errors: it does not exist; the target exists already; the
/// system's.
result<void> move_folder(const std::filesystem::path& from, const std::filesystem::path& to);

/// Moves a session's folder to the archive or trash. Errors: those of `move_folder`; another
/// process has the session open.
result<void> move_to_archive_or_trash(const std::filesystem::path& from,
                                      const std::filesystem::path& to);

/// Whether that would succeed now, as far as can be checked. `is_ours`: it is open in this process,
/// which will close it first.
result<void> can_move_to_archive_or_trash(const std::filesystem::path& from,
                                          const std::filesystem::path& to, bool is_ours);

/// The path itself, with -2, -3, ... appended if it exists.
std::filesystem::path unused_path(const std::filesystem::path& path);

/// The last active session, from `active-session.json`; empty if unknown.
std::string active_session(const std::filesystem::path& home);
result<void> remember_active_session(const std::filesystem::path& home, std::string_view slug);

}  // namespace fermata::io
