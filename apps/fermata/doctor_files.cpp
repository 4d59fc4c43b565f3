#include "apps/fermata/doctor_finding.hpp"
#include "core/session/setting_table.hpp"
#include "io/config/config_file.hpp"
#include "io/json/journal_json.hpp"
#include "io/store/home.hpp"
#include "io/store/journal_file.hpp"
#include "io/store/session_directory.hpp"

#include <boost/json.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

// What lies on the disk: the home, its configuration, the sessions.

namespace fermata::app {

namespace {

using enum finding::level_t;
namespace fs = std::filesystem;

/// A file or folder that nobody else may read, as far as it is there.
void examine_private(findings& all, const fs::path& path, std::string_view what) {
  struct stat s {};
  if (::stat(path.c_str(), &s) != 0) {
    if (errno != ENOENT)
      all.push_back(
          {wrong, "home", fmt::format("{}: {}", path.string(), std::strerror(errno)), ""});
    return;
  }
  if (s.st_uid != ::geteuid())
    all.push_back({wrong, "home", fmt::format("{} belongs to another user", path.string()),
                   fmt::format("chown -R $USER {}", path.string())});
  else if ((s.st_mode & 077U) != 0)
    all.push_back({wrong, "home",
                   fmt::format("{} can be read or changed by others (mode {:03o})", path.string(),
                               s.st_mode & 0777U),
                   fmt::format("chmod go-rwx {}", path.string())});
  else
    all.push_back({fine, "home", fmt::format("{}: {}, yours alone", path.string(), what), ""});
}

/// The journal of a session, line by line.
finding examine_session(const fs::path& folder) {
  auto slug = folder.filename().string();
  auto bad = [&](const std::string& why, const std::string& advice) {
    return finding{wrong, "sessions", fmt::format("{}: {}", slug, why), advice};
  };
  auto path = folder / "history.jsonl";
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    if (errno == ENOENT)
      return {note, "sessions", fmt::format("{}: nothing was ever written", slug), ""};
    return bad(fmt::format("{}: {}", path.string(), std::strerror(errno)),
               fmt::format("chmod u+rw {}", path.string()));
  }
  io::file_descriptor file{fd};
  auto scan = io::scan_journal(fd, path, 0);
  if (!scan) return bad(scan.error().first().message, "");
  std::int64_t entries = 0;
  for (std::size_t i = 0; i < scan->lines.size(); ++i) {
    auto& line = scan->lines[i];
    auto text = io::read_piece(fd, line.offset, line.length, path);
    if (!text) return bad(text.error().first().message, "");
    std::string fault;
    if (line.index > 0) {
      if (auto read = io::read_entry(*text); !read) fault = read.error().first().message;
    } else {
      boost::system::error_code no_json;
      boost::json::parse(*text, no_json);
      if (no_json) fault = no_json.message();
    }
    if (!fault.empty())
      return bad(fmt::format("line {} of history.jsonl is damaged: {}", i + 1, fault),
                 fmt::format("`fermata --session {}` opens what is sound and keeps the rest beside",
                             slug));
    if (line.index > 0) ++entries;
  }
  if (scan->complete < scan->size)
    return {note, "sessions",
            fmt::format("{}: {} entries; {} bytes at the end were being written when it stopped",
                        slug, entries, scan->size - scan->complete),
            "nothing of it was ever shown; the next start cuts it off"};
  if (auto summary = io::read_summary(folder); !summary)
    return {note, "sessions",
            fmt::format("{}: {} entries; meta.json cannot be read: {}", slug, entries,
                        summary.error().first().message),
            "opening the session writes it again"};
  return {fine, "sessions", fmt::format("{}: {} entries, all readable", slug, entries), ""};
}

}  // namespace

findings examine_home(const std::string& home) {
  findings all;
  std::error_code failed;
  if (!fs::exists(home, failed) && !failed) {
    all.push_back({note, "home", home + " is not there yet", "the first start makes it"});
    return all;
  }
  if (!fs::is_directory(home, failed)) {
    all.push_back({wrong, "home", home + " is not a folder",
                   "move it away, or set FERMATA_HOME to another place"});
    return all;
  }
  examine_private(all, home, "home");
  examine_private(all, fs::path{home} / "run", "records of running instances");
  if (::access(home.c_str(), R_OK | W_OK | X_OK) != 0)
    all.push_back({wrong, "home",
                   fmt::format("{} cannot be written: {}", home, std::strerror(errno)),
                   "chmod u+rwx " + home});
  struct statvfs disk {};
  if (::statvfs(home.c_str(), &disk) == 0) {
    auto free = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
    constexpr std::uint64_t little = 50'000'000;
    if (free < little)
      all.push_back({wrong, "home", fmt::format("the disk has {} MB left", free / 1'000'000),
                     "make room: what is entered cannot be kept otherwise"});
  }
  return all;
}

findings examine_config(const std::string& home) {
  findings all;
  auto path = io::config_path(home);
  auto config = io::read_config(path);
  for (auto& p : config.problems)
    all.push_back({wrong, "config", p, "`fermata config edit` opens the file"});
  if (config.problems.empty())
    all.push_back({fine, "config",
                   fmt::format("{} of {} settings are set in {}", config.values.size(),
                               setting_table().size(), path.string()),
                   ""});
  auto startup = fs::path{home} / setting_in_force("startup-file", {}, config.values);
  if (std::error_code failed;
      config.values.contains("startup-file") && !fs::exists(startup, failed))
    all.push_back({wrong, "config", "the start-up file " + startup.string() + " is not there",
                   "make it, or `fermata config set startup-file init.ferm`"});
  return all;
}

findings examine_sessions(const std::string& home) {
  findings all;
  auto place = fs::path{home} / "sessions";
  if (std::error_code failed; fs::exists(place, failed) && !fs::is_directory(place, failed))
    return {{wrong, "sessions", place.string() + " is not a folder, so no session can be kept",
             "move it away; the next start makes the folder"}};
  for (auto& slug : io::stored_sessions(home))
    if (auto folder = io::session_folder(home, slug)) all.push_back(examine_session(*folder));
  if (all.empty()) all.push_back({fine, "sessions", "there are none yet", ""});
  return all;
}

}  // namespace fermata::app
