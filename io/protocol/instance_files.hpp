#pragma once

#include "core/result.hpp"
#include "io/protocol/instance.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace fermata::io::protocol {

/// The files by which clients find this process: its socket and its record. Both are removed at the
/// end.
class instance_files {
public:
  /// Without a socket (`closed`) if something is in its way that may be moved away.
  static result<std::shared_ptr<instance_files>> make(const std::filesystem::path& home,
                                                      instance_record record);
  ~instance_files();
  instance_files(const instance_files&) = delete;
  instance_files& operator=(const instance_files&) = delete;

  const instance_record& record() const { return record_; }
  /// Why there is no socket yet; nothing: there is one.
  const std::optional<error>& closed() const { return closed_; }
  /// The listening descriptor, which is the caller's from now on.
  int release_socket() { return socket_->release(); }
  /// The files, or what is in the way of one: when one of these is removed, moved or replaced, it
  /// is time for `recreate`.
  std::vector<std::filesystem::path> watched() const;

  enum class made_t : std::uint8_t { nothing, record, socket };
  /// Makes what is not there any more, unless the home itself is gone. With a new socket there is a
  /// new descriptor.
  result<made_t> recreate();

private:
  instance_files(std::filesystem::path home, instance_record record);

  std::optional<error> make_socket();
  std::optional<error> make_record();

  std::filesystem::path home_;
  instance_record record_;
  std::optional<socket_file> socket_;
  std::optional<error> closed_;
  std::filesystem::path record_file_;
};

}  // namespace fermata::io::protocol
