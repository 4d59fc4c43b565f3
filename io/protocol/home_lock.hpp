#pragma once

#include "core/result.hpp"
#include "io/store/file.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace fermata::io::protocol {

/// The right to run the sessions of a home: an flock on `run/.host`, which the system releases when
/// the process ends for any reason. Other processes attach to the one that has it.
class home_lock {
public:
  /// Empty: another process has it. Errors: the system's, as for a home that is not writable.
  [[nodiscard]] static result<std::optional<home_lock>> take(const std::filesystem::path& home);

private:
  explicit home_lock(file_descriptor file) : file_(std::move(file)) {}
  file_descriptor file_;
};

/// The process that has the lock, as recorded in the file; empty if unknown.
std::optional<std::int64_t> holder_of_home(const std::filesystem::path& home);

/// The key with which a front end attaches: random text in `run/attach.key`, readable for this user
/// only. Removed by the destructor.
class attach_key {
public:
  /// Error: it cannot be written.
  [[nodiscard]] static result<attach_key> make(const std::filesystem::path& home);
  attach_key(attach_key&& other) noexcept;
  attach_key& operator=(attach_key&&) = delete;
  ~attach_key();

  const std::string& word() const { return word_; }

private:
  attach_key(std::filesystem::path path, std::string word);
  std::filesystem::path path_;
  std::string word_;
};

/// Empty: it does not exist, or belongs to another user.
std::string read_attach_key(const std::filesystem::path& home);

}  // namespace fermata::io::protocol
