#include "io/store/home.hpp"

#include "core/session/timeline/slug.hpp"
#include "io/json/object_reader.hpp"
#include "io/store/folder_lock.hpp"
#include "io/store/session_directory.hpp"
#include "io/store/text_file.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace fermata::io {

namespace json = boost::json;

std::filesystem::path fermata_home() {
  if (auto given = std::getenv("FERMATA_HOME"); given && *given) return given;
  if (auto home = std::getenv("HOME"); home && *home)
    return std::filesystem::path{home} / ".fermata";
  // Started without an environment, by a service manager for example.
  auto user = ::getpwuid(::getuid());
  return std::filesystem::path{user ? user->pw_dir : "/"} / ".fermata";
}

std::string expand_path(const std::string& file, std::string_view folder) {
  auto home = std::getenv("HOME");
  auto is_meant = file == "~" || file.starts_with("~/");
  if (is_meant && home && *home) return home + file.substr(1);
  auto is_relative = !file.empty() && file.front() != '/' && !folder.empty();
  return is_relative ? std::string{folder} + '/' + file : file;
}

result<std::filesystem::path> session_folder(const std::filesystem::path& home,
                                             std::string_view slug) {
  if (slug.empty() || slug_of(slug) != slug)
    return fail({errc::wrong_type, "`" + std::string{slug} + "` is not a valid session id",
                 std::nullopt, "Ids consist of lower-case letters, digits and single hyphens."});
  return home / "sessions" / slug;
}

namespace {

std::vector<std::string> sessions_in(const std::filesystem::path& folder,
                                     const wanted_slugs& is_wanted = nullptr) {
  std::vector<std::string> slugs;
  std::error_code failed;
  for (auto& item : std::filesystem::directory_iterator{folder, failed}) {
    auto slug = item.path().filename().string();
    if (is_wanted && !is_wanted(slug)) continue;
    if (slug_of(slug) == slug && is_session(item.path())) slugs.push_back(std::move(slug));
  }
  std::sort(slugs.begin(), slugs.end());
  return slugs;
}

constexpr auto active_file = "active-session.json";
constexpr std::string_view active_format = "fermata-active-session";

}  // namespace

std::vector<std::string> stored_sessions(const std::filesystem::path& home,
                                         const wanted_slugs& is_wanted) {
  return sessions_in(home / "sessions", is_wanted);
}

std::filesystem::path archive_folder(const std::filesystem::path& home) { return home / "archive"; }
std::filesystem::path trash_folder(const std::filesystem::path& home) { return home / "trash"; }

std::vector<std::string> archived_sessions(const std::filesystem::path& home) {
  return sessions_in(archive_folder(home));
}

result<void> move_folder(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code failed;
  if (std::filesystem::exists(to, failed)) return fail(write_error("cannot move to", to, EEXIST));
  if (auto made = make_private_folder(to.parent_path()); !made) return made;
  if (::rename(from.c_str(), to.c_str()) != 0) return fail(write_error("cannot move", from, errno));
  if (auto done = sync_folder(to.parent_path()); !done) return done;
  return sync_folder(from.parent_path());
}

result<void> move_to_archive_or_trash(const std::filesystem::path& from,
                                      const std::filesystem::path& to) {
  // Held while it is moved: whoever opens it meanwhile would write to two places.
  auto lock = folder_lock::take(from);
  if (!lock) return fail(lock.error().why);
  return move_folder(from, to);
}

result<void> can_move_to_archive_or_trash(const std::filesystem::path& from,
                                          const std::filesystem::path& to, bool is_ours) {
  std::error_code failed;
  if (!std::filesystem::exists(from, failed))
    return fail(write_error("cannot move", from, failed ? failed.value() : ENOENT));
  if (std::filesystem::exists(to, failed)) return fail(write_error("cannot move to", to, EEXIST));
  // The folder itself too: its entry for the folder above is written anew.
  for (auto& place : {from.parent_path(), from, to.parent_path()})
    if (auto can = can_write_in(place); !can) return can;
  if (is_ours) return {};
  auto lock = folder_lock::take(from);
  if (!lock) return fail(lock.error().why);
  return {};
}

std::filesystem::path unused_path(const std::filesystem::path& path) {
  std::error_code failed;
  auto place = path;
  for (int n = 2; std::filesystem::exists(place, failed); ++n) {
    place = path;
    place += '-' + std::to_string(n);
  }
  return place;
}

std::string active_session(const std::filesystem::path& home) {
  auto text = read_file(home / active_file);
  if (!text) return {};
  json::error_code failed;
  auto v = json::parse({text->data(), text->size()}, failed);
  auto o = failed ? nullptr : v.if_object();
  if (!o) return {};
  object_reader r{*o};
  auto slug = r.or_else<std::string>("session");
  return r.good() && slug_of(slug) == slug ? slug : std::string{};
}

result<void> remember_active_session(const std::filesystem::path& home, std::string_view slug) {
  if (auto made = make_private_folder(home); !made) return made;
  json::object o{{"format", active_format}, {"version", 1}, {"session", slug}};
  return replace_text(home / active_file, json::serialize(o) + '\n');
}

}  // namespace fermata::io
