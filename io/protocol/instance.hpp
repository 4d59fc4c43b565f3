#pragma once

#include "core/result.hpp"
#include "core/session/timeline/entry.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fermata::io::protocol {

/// A running Fermata that can be talked to, as it describes itself in `run/<pid>.json`. The file
/// says where to knock; only an answer to `system.hello` says that somebody is there.
struct instance_record {
  std::string id;  ///< differs between runs, also when the pid is used again
  std::int64_t pid = 0;
  timestamp started;
  std::string socket;       ///< absolute path; empty: it has none
  std::string no_socket;    ///< why it has none
  std::string tcp;          ///< address and port; empty: TCP is off
  std::string cwd;          ///< folder in which it was started
  std::string version;      ///< of the program
  std::string protocol;     ///< of the protocol
  bool has_prompt = false;  ///< somebody types there; else lines come from a file or a program
  bool operator==(const instance_record&) const = default;
};

/// Where all files are: `$FERMATA_HOME`, else `.fermata` in the home folder of the user. Both sides
/// compute it from what hosts of MCP servers pass on (HOME; not XDG_RUNTIME_DIR).
std::filesystem::path fermata_home();

/// What the socket of the first instance is called in `home`.
inline constexpr auto first_socket_name = "repl.sock";

/// The folder of the records below `home`.
std::filesystem::path run_folder(const std::filesystem::path& home);

/// Writes the record as `run/<pid>.json`, whole or not at all.
[[nodiscard]] result<std::filesystem::path> write_record(const std::filesystem::path& home,
                                                         const instance_record& record);

/// Records of processes that exist, oldest first. Files of dead processes, of other users and
/// unreadable ones are passed over; nothing is deleted. Those that have no socket only when asked.
std::vector<instance_record> read_records(const std::filesystem::path& home,
                                          bool also_without_socket = false);

/// What a process says of itself, without an id and without a way to it.
instance_record this_process(std::string version, bool has_prompt);

/// The record of a process that could not open its socket, so that clients can say why instead of
/// looking for it in vain. It goes away with this; where it cannot be written, there is none.
class record_without_socket {
public:
  record_without_socket(const std::filesystem::path& home, instance_record record, std::string why);
  record_without_socket(const record_without_socket&) = delete;
  record_without_socket& operator=(const record_without_socket&) = delete;
  ~record_without_socket();

private:
  std::filesystem::path file_;
};

/// A path that fits into the address of a Unix socket (107 bytes).
bool fits_socket_address(const std::filesystem::path& path);

/// Connects to a Unix socket without waiting. The peer must run under our uid. Returns the
/// descriptor (non-blocking, close-on-exec), or -1 with errno.
int connect_socket(const std::filesystem::path& path);

/// The user at the other end of a connected Unix socket.
std::optional<unsigned> peer_uid(int fd);

/// A listening socket and what it left in the file system, which goes away with it.
class socket_file {
public:
  /// Makes `home` and `home/run` (0700), then binds (0600). The first instance gets
  /// `home/repl.sock`, replacing what a dead one left; while another one answers there, this one
  /// gets `home/run/<pid>.sock`. What killed instances have left in `run` is removed. Errors say
  /// what to do, e.g. that the path is too long.
  [[nodiscard]] static result<socket_file> listen(const std::filesystem::path& home);

  socket_file(socket_file&& other) noexcept;
  socket_file& operator=(socket_file&&) = delete;
  ~socket_file();

  const std::filesystem::path& path() const { return path_; }
  /// Whether it lies there still, and is not another one. Its number is not used again as long as
  /// the descriptor is open.
  bool is_there() const;
  /// Gives the descriptor away; the file is still removed at the end.
  int release();

private:
  socket_file(std::filesystem::path path, int fd);

  std::filesystem::path path_;
  int fd_ = -1;
  /// Ours: another one's file is not removed. The time too, because numbers are used again.
  std::uint64_t device_ = 0, inode_ = 0;
  std::int64_t made_seconds_ = 0, made_nanoseconds_ = 0;
};

}  // namespace fermata::io::protocol
