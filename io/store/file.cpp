#include "io/store/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <system_error>

namespace fermata::io {

file_descriptor& file_descriptor::operator=(file_descriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

file_descriptor::~file_descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

bool file_descriptor::is_at(const std::filesystem::path& path) const {
  struct stat ours {
  }, there{};
  return ::fstat(fd_, &ours) == 0 && ::stat(path.c_str(), &there) == 0 &&
         ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

namespace {

std::string what_failed(std::string_view doing, const std::filesystem::path& path, int code) {
  return std::string{doing} + ' ' + path.string() + ": " + std::generic_category().message(code);
}

constexpr int shortages[] = {EMFILE, ENFILE, ENOMEM};

bool is_short_of_something(int code) {
  return std::find(std::begin(shortages), std::end(shortages), code) != std::end(shortages);
}

std::string advice_for(int code) {
  if (code == ENOSPC || code == EDQUOT) return "Free some disk space.";
  if (code == ELOOP) return "It is a symbolic link; replace it with the file itself.";
  if (is_short_of_something(code)) return "Close other sessions or programs, then try again.";
  return "Check the file's permissions.";
}

}  // namespace

error read_error(std::string_view doing, const std::filesystem::path& path, int code) {
  return {errc::unreadable_file, what_failed(doing, path, code), std::nullopt,
          code == ENOENT ? "Check whether it was moved." : advice_for(code)};
}

error write_error(std::string_view doing, const std::filesystem::path& path, int code) {
  return {errc::unwritable_file, what_failed(doing, path, code), std::nullopt, advice_for(code)};
}

bool is_shortage(const error& e) {
  auto& words = e.first().message;
  return std::any_of(std::begin(shortages), std::end(shortages), [&](int code) {
    return words.ends_with(std::generic_category().message(code));
  });
}

file_descriptor open_to_write(const std::filesystem::path& path, int flags) {
  file_descriptor file{
      ::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, S_IRUSR | S_IWUSR)};
  struct stat about {};
  if (!file || ::fstat(file.get(), &about) != 0) return {};
  if (S_ISREG(about.st_mode)) return file;
  file = {};
  errno = S_ISDIR(about.st_mode) ? EISDIR : EINVAL;
  return {};
}

result<std::string> read_file(const std::filesystem::path& path) {
  file_descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file) return fail(read_error("cannot open", path, errno));
  std::string content;
  // Not on the stack: each page of it that a thread has once used stays with the thread.
  struct stat about {};
  std::size_t room = 4096, size = 0;
  if (::fstat(file.get(), &about) == 0 && about.st_size > 0)
    room = static_cast<std::size_t>(about.st_size) + 1;
  while (true) {
    if (size == content.size()) content.resize(size + room);
    auto n = ::read(file.get(), content.data() + size, content.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(read_error("cannot read", path, errno));
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
  }
  content.resize(size);
  return content;
}

result<void> write_all(int fd, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    auto n = ::write(fd, bytes.data(), bytes.size());
    if (n >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(n));
    else if (errno != EINTR)
      return fail(write_error("cannot write", path, errno));
  }
  return {};
}

result<void> sync_file(int fd, const std::filesystem::path& path) {
  if (::fdatasync(fd) != 0) return fail(write_error("cannot flush to disk", path, errno));
  return {};
}

std::filesystem::path parent_folder(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path{"."};
}

result<void> sync_folder(const std::filesystem::path& folder) {
  file_descriptor fd{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!fd) return fail(write_error("cannot open", folder, errno));
  if (::fsync(fd.get()) != 0) return fail(write_error("cannot flush to disk", folder, errno));
  return {};
}

result<void> replace_file(const std::filesystem::path& path, std::string_view content) {
  auto temporary = path;
  temporary += ".new";
  {
    // What is left of a process that was killed, or a link that somebody has put there.
    ::unlink(temporary.c_str());
    auto file = open_to_write(temporary, O_WRONLY | O_CREAT | O_EXCL);
    if (!file) return fail(write_error("cannot create", temporary, errno));
    auto done = write_all(file.get(), content, temporary);
    if (done) done = sync_file(file.get(), temporary);
    if (!done) {
      ::unlink(temporary.c_str());
      return done;
    }
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    auto failed = write_error("cannot replace", path, errno);
    ::unlink(temporary.c_str());
    return fail(std::move(failed));
  }
  return sync_folder(parent_folder(path));
}

std::optional<file_state> look_at_file(const std::filesystem::path& path) {
  struct stat s {};
  if (::stat(path.c_str(), &s) != 0) return std::nullopt;
  return file_state{s.st_mtim.tv_sec * 1'000'000'000 + s.st_mtim.tv_nsec,
                    static_cast<std::uint64_t>(s.st_size), s.st_ino};
}

bool is_missing(const std::filesystem::path& path) {
  struct stat s {};
  return ::lstat(path.c_str(), &s) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

bool can_read(const std::filesystem::path& path) { return ::access(path.c_str(), R_OK) == 0; }

result<void> can_write(const std::filesystem::path& path) {
  if (::access(path.c_str(), W_OK) == 0) return {};
  return fail(write_error("cannot open", path, errno));
}

result<void> can_write_in(const std::filesystem::path& folder) {
  std::error_code failed;
  auto place = folder;
  while (!std::filesystem::exists(place, failed) && place.has_relative_path())
    place = place.parent_path();
  if (!std::filesystem::is_directory(place, failed))
    return fail(write_error("cannot write in", place, ENOTDIR));
  if (::access(place.c_str(), W_OK | X_OK) != 0)
    return fail(write_error("cannot write in", place, errno));
  return {};
}

namespace {

std::filesystem::path place_beside(const std::filesystem::path& path) {
  std::error_code failed;
  for (int n = 1;; ++n) {
    auto place = path;
    place += ".damaged-" + std::to_string(n);
    if (!std::filesystem::exists(place, failed)) return place;
  }
}

result<std::string> with_reason(const std::filesystem::path& kept, std::string_view reason) {
  auto note = kept;
  note += ".reason";
  if (auto done = replace_file(note, std::string{reason} + '\n'); !done) return fail(done.error());
  return kept.filename().string();
}

}  // namespace

result<std::string> set_aside_damaged(const std::filesystem::path& path, std::string_view reason) {
  auto place = place_beside(path);
  std::error_code failed;
  std::filesystem::rename(path, place, failed);
  if (failed) return fail(write_error("cannot move", path, failed.value()));
  return with_reason(place, reason);
}

result<std::string> keep_beside(const std::filesystem::path& path, std::string_view reason) {
  auto copy = place_beside(path);
  std::error_code failed;
  std::filesystem::copy_file(path, copy, failed);
  if (failed) return fail(write_error("cannot copy", path, failed.value()));
  return with_reason(copy, reason);
}

result<void> make_private_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  if (std::filesystem::is_directory(folder, failed)) return {};
  if (folder.has_parent_path() && !std::filesystem::is_directory(folder.parent_path(), failed))
    if (auto above = make_private_folder(folder.parent_path()); !above) return above;
  if (::mkdir(folder.c_str(), S_IRWXU) != 0) {
    if (errno == EEXIST) return {};
    return fail(write_error("cannot create", folder, errno));
  }
  // What is saved in it is found again only when it is itself.
  return sync_folder(parent_folder(folder));
}

}  // namespace fermata::io
