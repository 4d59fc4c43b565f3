#include "apps/fermata/doctor/doctor_advice.hpp"
#include "apps/fermata/doctor/doctor_finding.hpp"
#include "core/session/commands/setting_table.hpp"
#include "io/config/config_file.hpp"
#include "io/store/home.hpp"
#include "io/store/session_directory.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

// What lies on the disk: the home, its configuration, the sessions (doctor_session.cpp).

namespace fermata::app {

namespace {

using enum finding::level_t;
namespace fs = std::filesystem;

/// A file or folder that nobody else may read, as far as it is there.
void examine_private(findings& all, const fs::path& path, std::string_view what) {
  struct stat s {};
  if (::stat(path.c_str(), &s) != 0) {
    if (auto cause = errno; cause != ENOENT)
      all.push_back({wrong, "home", fmt::format("{}: {}", path.string(), std::strerror(cause)),
                     advice_on(cause, path, "u+rwx")});
    return;
  }
  auto read_only = is_on_read_only_disk(path);
  if (s.st_uid != ::geteuid())
    all.push_back(
        {wrong, "home", fmt::format("{} is owned by another user", path.string()),
         read_only ? read_only_advice() : fmt::format("sudo chown -R $USER {}", path.string())});
  else if ((s.st_mode & 077U) != 0)
    all.push_back({wrong, "home",
                   fmt::format("{} is accessible to other users (mode {:03o})", path.string(),
                               s.st_mode & 0777U),
                   read_only ? read_only_advice() : fmt::format("chmod go-rwx {}", path.string())});
  else
    all.push_back({fine, "home", fmt::format("{}: {}, private", path.string(), what), ""});
}

}  // namespace

findings examine_home(const std::string& home) {
  findings all;
  std::error_code failed;
  if (!fs::exists(home, failed) && !failed) {
    auto above = fs::path{home}.parent_path();
    while (!above.empty() && above != above.root_path() && !fs::exists(above, failed))
      above = above.parent_path();
    if (::access(above.c_str(), W_OK | X_OK) == 0) {
      all.push_back(
          {note, "home", home + " does not exist yet", "it is created at the first start"});
    } else {
      auto cause = errno;
      all.push_back(
          {wrong, "home",
           fmt::format("{} does not exist and cannot be created in {}: {}", home, above.string(),
                       std::strerror(cause)),
           cause == EROFS ? read_only_advice() : "set FERMATA_HOME to a writable folder"});
    }
    return all;
  }
  if (!fs::is_directory(home, failed)) {
    all.push_back({wrong, "home", home + " is not a folder",
                   "move it away, or set FERMATA_HOME to another place"});
    return all;
  }
  examine_private(all, home, "home");
  examine_private(all, fs::path{home} / "run", "records of running instances");
  if (::access(home.c_str(), R_OK | W_OK | X_OK) != 0) {
    auto cause = errno;
    all.push_back({wrong, "home", fmt::format("cannot write {}: {}", home, std::strerror(cause)),
                   advice_on(cause, home, "u+rwx")});
  }
  struct statvfs disk {};
  if (::statvfs(home.c_str(), &disk) == 0) {
    auto free = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
    constexpr std::uint64_t little = 50'000'000;
    // A read-only file system needs no free space.
    auto is_written = (disk.f_flag & ST_RDONLY) == 0;
    if (is_written && free < little)
      all.push_back({wrong, "home", fmt::format("only {} MB of disk space left", free / 1'000'000),
                     advice_on(ENOSPC, home, {})});
    else if (is_written && disk.f_files > 0 && disk.f_favail == 0)
      all.push_back({wrong, "home", "the disk has no inodes left for new files",
                     "delete unneeded files, or set FERMATA_HOME to a folder on another disk"});
  }
  return all;
}

findings examine_config(const std::string& home) {
  findings all;
  auto path = io::config_path(home);
  auto config = io::read_config(path);
  auto cause = ::access(path.c_str(), R_OK) == 0 || errno == ENOENT ? 0 : errno;
  for (auto& p : config.problems)
    all.push_back(
        {wrong, "config", p,
         cause != 0 ? advice_on(cause, path, "u+r") : "`fermata config edit` opens the file"});
  if (config.problems.empty())
    all.push_back({fine, "config",
                   fmt::format("{} of {} settings are set in {}", config.values.size(),
                               setting_table().size(), path.string()),
                   ""});
  auto startup = fs::path{home} / effective_setting("startup-file", {}, config.values);
  if (std::error_code failed;
      config.values.contains("startup-file") && !fs::exists(startup, failed))
    all.push_back({wrong, "config", "the start-up file " + startup.string() + " does not exist",
                   "create it, or run `fermata config set startup-file init.ferm`"});
  return all;
}

findings examine_sessions(const std::string& home) {
  findings all;
  auto place = fs::path{home} / "sessions";
  if (std::error_code failed; fs::exists(place, failed) && !fs::is_directory(place, failed))
    return {{wrong, "sessions", place.string() + " is not a folder, so no sessions can be kept",
             "move it away; it is recreated at the next start"}};
  if (::access(place.c_str(), R_OK | X_OK) != 0 && errno != ENOENT) {
    auto cause = errno;
    return {{wrong, "sessions",
             fmt::format("{} cannot be read: {}", place.string(), std::strerror(cause)),
             advice_on(cause, place, "u+rwx")}};
  }
  for (auto& slug : io::stored_sessions(home))
    if (auto folder = io::session_folder(home, slug))
      for (auto& f : examine_session(*folder))
        all.push_back(std::move(f));
  if (all.empty()) all.push_back({fine, "sessions", "none yet", ""});
  return all;
}

}  // namespace fermata::app
