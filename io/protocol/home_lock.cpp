#include "io/protocol/home_lock.hpp"

#include "io/protocol/instance.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>

namespace fermata::io::protocol {

namespace {

constexpr auto lock_file_name = ".host", key_file_name = "attach.key";

}  // namespace

result<std::optional<home_lock>> home_lock::take(const std::filesystem::path& home) {
  const auto folder = run_folder(home);
  for (const auto& f : {home, folder})
    if (auto made = io::make_private_folder(f); !made) return fail(made.error());
  const auto path = folder / lock_file_name;
  file_descriptor file{
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR)};
  if (!file) return fail(write_error("cannot open", path, errno));
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return std::optional<home_lock>{};
    return fail(write_error("cannot lock", path, errno));
  }
  // It only serves messages: a full disk is no reason to do without the lock.
  if (::ftruncate(file.get(), 0) == 0)
    (void)write_all(file.get(), fmt::to_string(::getpid()), path);
  return std::optional{home_lock{std::move(file)}};
}

std::optional<std::int64_t> holder_of_home(const std::filesystem::path& home) {
  const auto text = io::read_file(run_folder(home) / lock_file_name);
  std::int64_t pid = 0;
  if (!text) return std::nullopt;
  const auto [end, failed] = std::from_chars(text->data(), text->data() + text->size(), pid);
  if (failed != std::errc{} || pid <= 0) return std::nullopt;
  return pid;
}

attach_key::attach_key(std::filesystem::path path, std::string word)
  : path_(std::move(path)), word_(std::move(word)) {}

attach_key::attach_key(attach_key&& other) noexcept
  : path_(std::exchange(other.path_, {})), word_(std::move(other.word_)) {}

attach_key::~attach_key() {
  std::error_code failed;
  if (!path_.empty()) std::filesystem::remove(path_, failed);
}

result<attach_key> attach_key::make(const std::filesystem::path& home) {
  const auto path = run_folder(home) / key_file_name;
  std::array<unsigned char, 24> random{};
  if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size()))
    return fail(write_error("cannot make", path, errno));
  std::string word;
  for (auto byte : random)
    word += fmt::format("{:02x}", byte);
  std::error_code failed;
  std::filesystem::remove(path, failed);  // of one that was killed
  file_descriptor file{
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)};
  if (!file) return fail(write_error("cannot make", path, errno));
  if (auto done = write_all(file.get(), word, path); !done) return fail(done.error());
  return attach_key{path, std::move(word)};
}

std::string read_attach_key(const std::filesystem::path& home) {
  const auto path = run_folder(home) / key_file_name;
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != ::geteuid())
    return {};
  return io::read_file(path).value_or(std::string{});
}

}  // namespace fermata::io::protocol
