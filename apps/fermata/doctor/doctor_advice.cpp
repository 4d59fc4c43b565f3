#include "apps/fermata/doctor/doctor_advice.hpp"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>

namespace fermata::app {

namespace {

namespace fs = std::filesystem;

/// The first folder above that cannot be entered; empty: all of them can.
fs::path closed_folder_above(const fs::path& path) {
  fs::path folder;
  for (auto& name : path.parent_path()) {
    folder /= name;
    if (::access(folder.c_str(), X_OK) != 0 && errno == EACCES) return folder;
  }
  return {};
}

std::string permission_advice(const fs::path& path, const std::string& rights) {
  if (auto closed = closed_folder_above(path); !closed.empty())
    return "chmod u+x " + closed.string();
  struct stat s {};
  if (::stat(path.c_str(), &s) == 0 && s.st_uid != ::geteuid())
    return "sudo chown -R $USER " + path.string();
  return "chmod " + rights + " " + path.string();
}

}  // namespace

std::string read_only_advice() {
  return "the file system is mounted read-only: mount it writable, or set FERMATA_HOME to a folder "
         "on another one";
}

bool is_on_read_only_disk(const fs::path& path) {
  struct statvfs disk {};
  return ::statvfs(path.c_str(), &disk) == 0 && (disk.f_flag & ST_RDONLY) != 0;
}

std::string advice_on(int cause, const fs::path& path, const std::string& rights) {
  switch (cause) {
    case EROFS: return read_only_advice();
    case EACCES:
    case EPERM:
      return is_on_read_only_disk(path) ? read_only_advice() : permission_advice(path, rights);
    case ENOSPC:
    case EDQUOT: return "free space on the disk, or set FERMATA_HOME to a folder on another one";
    case ELOOP: return "remove the circular symbolic link";
    case EIO: return "the disk reports errors: copy your files to another disk";
    case ENAMETOOLONG: return "set FERMATA_HOME to a shorter path";
    case ENOTDIR: return "move the file away; a folder is needed there";
    default: return "set FERMATA_HOME to another folder if this one cannot be repaired";
  }
}

}  // namespace fermata::app
