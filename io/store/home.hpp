#pragma once

#include "core/result.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io {

/// Where everything of Fermata lies: `$FERMATA_HOME`, else `~/.fermata`. Not made yet.
std::filesystem::path fermata_home();

/// The file that is meant: `~/` is the user's own folder, as in a shell. A relative name begins in
/// `folder`; without one, in the working folder of this process.
std::string with_home(const std::string& file, std::string_view folder = {});

/// `sessions/<slug>` in it. Errors: the text is no slug, so that no path leads out of the folder.
result<std::filesystem::path> session_folder(const std::filesystem::path& home,
                                             std::string_view slug);

/// Slugs of the sessions that are there, in alphabetical order. Folders whose names are not wanted
/// are not looked into.
using wanted_slugs = std::function<bool(const std::string& slug)>;
std::vector<std::string> stored_sessions(const std::filesystem::path& home,
                                         const wanted_slugs& is_wanted = nullptr);

/// Where sessions lie that are not in use: `archive/<slug>`, to be brought back, and
/// `trash/<slug>-<time>`, which nobody empties but the user.
std::filesystem::path archive_folder(const std::filesystem::path& home);
std::filesystem::path trash_folder(const std::filesystem::path& home);

/// Slugs of the sessions in the archive, in alphabetical order.
std::vector<std::string> archived_sessions(const std::filesystem::path& home);

/// Moves a session's folder, as one step. Errors: it is not there; something is there already; the
/// system's.
result<void> move_folder(const std::filesystem::path& from, const std::filesystem::path& to);

/// Moves a session's folder to where it is kept aside. Errors: those of `move_folder`; another
/// process has the session open.
result<void> put_folder_away(const std::filesystem::path& from, const std::filesystem::path& to);

/// Whether that could be done now, as far as can be told without doing it. `is_ours`: it is open in
/// this process, which will close it first.
result<void> can_put_folder_away(const std::filesystem::path& from, const std::filesystem::path& to,
                                 bool is_ours);

/// The path itself, or with -2, -3, ... behind it when something is there.
std::filesystem::path free_place(const std::filesystem::path& path);

/// The session that was active last, from `active-session.json`; empty when that is not known.
std::string active_session(const std::filesystem::path& home);
result<void> remember_active_session(const std::filesystem::path& home, std::string_view slug);

}  // namespace fermata::io
