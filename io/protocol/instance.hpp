#pragma once

#include "core/result.hpp"
#include "core/session/timeline/entry.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fermata::io::protocol {

/// A running Fermata instance that accepts connections, as recorded in `run/<pid>.json`. The file
/// has its address; only a reply to `system.hello` proves that it is running.
struct instance_record {
  std::string id;  ///< differs between runs, even if the pid is reused
  std::int64_t pid = 0;
  timestamp started;
  std::string socket;       ///< absolute path; empty: none
  std::string no_socket;    ///< why it has none
  std::string tcp;          ///< address and port; empty: TCP is off
  std::string cwd;          ///< folder in which it was started
  std::string version;      ///< of the program
  std::string protocol;     ///< of the protocol
  bool has_prompt = false;  ///< interactive; otherwise lines come from a file or a program
  bool operator==(const instance_record&) const = default;
};

/// The folder of all files: `$FERMATA_HOME`, otherwise `.fermata` in the user's home folder. Both
/// sides compute it from what hosts of MCP servers pass on (HOME; not XDG_RUNTIME_DIR).
std::filesystem::path fermata_home();

/// The name of the socket of the first instance in `home`.
inline constexpr auto first_socket_name = "repl.sock";

/// The folder of the records below `home`.
std::filesystem::path run_folder(const std::filesystem::path& home);

/// Writes the record as `run/<pid>.json`, atomically.
[[nodiscard]] result<std::filesystem::path> write_record(const std::filesystem::path& home,
                                                         const instance_record& record);

/// Records of existing processes, oldest first. Files of dead processes, of other users and
/// unreadable ones are skipped; nothing is deleted. Those without a socket only on request.
std::vector<instance_record> read_records(const std::filesystem::path& home,
                                          bool also_without_socket = false);

/// The record of a process, without an id and an address.
instance_record this_process(std::string version, bool has_prompt);

/// The record of a process that could not open its socket, so that clients can report the reason.
/// Removed by the destructor; if it cannot be written, there is none.
class record_without_socket {
public:
  record_without_socket(const std::filesystem::path& home, instance_record record, std::string why);
  record_without_socket(const record_without_socket&) = delete;
  record_without_socket& operator=(const record_without_socket&) = delete;
  ~record_without_socket();

private:
  std::filesystem::path file_;
};

/// A path that fits the address of a Unix socket (107 bytes).
bool fits_socket_address(const std::filesystem::path& path);

/// Connects to a Unix socket without waiting. The peer must have our uid. Returns the descriptor
/// (non-blocking, close-on-exec), or -1 with errno.
int connect_socket(const std::filesystem::path& path);

/// The user at the other end of a connected Unix socket.
std::optional<unsigned> peer_uid(int fd);

/// A listening socket and its file, which is removed by the destructor.
class socket_file {
public:
  /// Creates `home` and `home/run` (0700), then binds (0600). The first instance gets
  /// `home/repl.sock`, replacing that of a dead one; while another one answers there, this one gets
  /// `home/run/<pid>.sock`. Files of killed instances in `run` are removed. Errors say what to do,
  /// e.g. that the path is too long.
  [[nodiscard]] static result<socket_file> listen(const std::filesystem::path& home);

  socket_file(socket_file&& other) noexcept;
  socket_file& operator=(socket_file&&) = delete;
  ~socket_file();

  const std::filesystem::path& path() const { return path_; }
  /// Whether the file still exists and was not replaced. Its inode number is not reused while the
  /// descriptor is open.
  bool is_there() const;
  /// Releases the descriptor; the file is still removed by the destructor.
  int release();

private:
  socket_file(std::filesystem::path path, int fd);

  std::filesystem::path path_;
  int fd_ = -1;
  /// Identity of our file: another one is not removed. With the time, because inode numbers are
  /// reused.
  std::uint64_t device_ = 0, inode_ = 0;
  std::int64_t made_seconds_ = 0, made_nanoseconds_ = 0;
};

}  // namespace fermata::io::protocol
