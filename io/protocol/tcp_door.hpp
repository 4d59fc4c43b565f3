#pragma once

#include "core/result.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace fermata::io::protocol {

/// The protocol over TCP: off unless asked for, and on the loopback address only, because what is
/// sent is not encrypted. There the kernel does not say who connects, so a client has to show in
/// `system.hello` that it can read `tcp.token`, a file for this user alone.
class tcp_door {
public:
  /// "PORT" or "HOST:PORT" (127.0.0.1, localhost, [::1]); port 0 takes a free one. Errors say what
  /// to do, e.g. that an address is not the loopback one.
  [[nodiscard]] static result<tcp_door> listen(std::string_view address,
                                               const std::filesystem::path& home);

  tcp_door(tcp_door&& other) noexcept;
  tcp_door& operator=(tcp_door&&) = delete;
  ~tcp_door();

  /// "127.0.0.1:4711", with the port that was taken.
  const std::string& address() const { return address_; }
  const std::string& token() const { return token_; }
  /// Gives the listening descriptor away.
  int release();

private:
  tcp_door(int fd, std::string address, std::string token);

  int fd_ = -1;
  std::string address_, token_;
};

/// The secret in `home/tcp.token`; made when there is none. Error: others can read the file.
[[nodiscard]] result<std::string> tcp_token(const std::filesystem::path& home);

/// Whether the program at the other end of a loopback connection has closed it, and not only said
/// that it sends no more: TCP tells the two apart to nobody before something is written, but on the
/// same machine the kernel lists the other end as well, and whether a program still has it open.
/// False when that cannot be found out.
[[nodiscard]] bool local_peer_hung_up(int fd);

}  // namespace fermata::io::protocol
