#pragma once

#include "core/result.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace fermata::io::protocol {

/// The protocol over TCP: off by default, and on the loopback address only, since it is not
/// encrypted. The kernel does not report who connects, so a client must prove in `system.hello`
/// that it can read `tcp.token`, a file for this user only.
class tcp_listener {
public:
  /// "PORT" or "HOST:PORT" (127.0.0.1, localhost, [::1]); port 0 chooses a free one. Errors say
  /// what to do, e.g. that an address is not the loopback one.
  [[nodiscard]] static result<tcp_listener> listen(std::string_view address,
                                                   const std::filesystem::path& home);

  tcp_listener(tcp_listener&& other) noexcept;
  tcp_listener& operator=(tcp_listener&&) = delete;
  ~tcp_listener();

  /// "127.0.0.1:4711", with the actual port.
  const std::string& address() const { return address_; }
  const std::string& token() const { return token_; }
  /// Releases the listening descriptor.
  int release();

private:
  tcp_listener(int fd, std::string address, std::string token);

  int fd_ = -1;
  std::string address_, token_;
};

/// The secret in `home/tcp.token`; created if it does not exist. Error: other users can read the
/// file.
[[nodiscard]] result<std::string> tcp_token(const std::filesystem::path& home);

/// Whether the program at the other end of a loopback connection has closed it, rather than only
/// ended its output. TCP does not distinguish the two before something is written, but on the same
/// machine the kernel also lists the other end, and whether a program still has it open. False if
/// that is unknown.
[[nodiscard]] bool local_peer_hung_up(int fd);

}  // namespace fermata::io::protocol
