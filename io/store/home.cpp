#include "io/store/home.hpp"

#include "core/session/slug.hpp"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace fermata::io {

std::filesystem::path fermata_home() {
  if (auto given = std::getenv("FERMATA_HOME"); given && *given) return given;
  if (auto home = std::getenv("HOME"); home && *home)
    return std::filesystem::path{home} / ".fermata";
  // Started without an environment, by a service manager for example.
  auto user = ::getpwuid(::getuid());
  return std::filesystem::path{user ? user->pw_dir : "/"} / ".fermata";
}

result<std::filesystem::path> session_folder(const std::filesystem::path& home,
                                             std::string_view slug) {
  if (slug.empty() || slug_of(slug) != slug)
    return fail({errc::wrong_type, "`" + std::string{slug} + "` is not the id of a session",
                 std::nullopt, "Ids have small letters, digits and single hyphens."});
  return home / "sessions" / slug;
}

std::vector<std::string> stored_sessions(const std::filesystem::path& home) {
  std::vector<std::string> slugs;
  std::error_code failed;
  for (auto& item : std::filesystem::directory_iterator{home / "sessions", failed}) {
    auto slug = item.path().filename().string();
    if (slug_of(slug) == slug && std::filesystem::exists(item.path() / "history.jsonl", failed))
      slugs.push_back(std::move(slug));
  }
  std::sort(slugs.begin(), slugs.end());
  return slugs;
}

}  // namespace fermata::io
