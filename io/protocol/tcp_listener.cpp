#include "io/protocol/tcp_listener.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

namespace fermata::io::protocol {

namespace {

struct loopback_address {
  std::string host;  ///< as a number
  std::uint16_t port = 0;
  bool v6 = false;
};

result<loopback_address> parse_loopback(std::string_view text) {
  auto wrong = [&](std::string what, std::string hint) {
    return fail({errc::out_of_range, std::move(what), std::nullopt, std::move(hint)});
  };
  const auto colon = text.rfind(':');
  auto host =
      colon == std::string_view::npos ? std::string_view{"127.0.0.1"} : text.substr(0, colon);
  const auto number = colon == std::string_view::npos ? text : text.substr(colon + 1);
  loopback_address out;
  auto [end, ec] = std::from_chars(number.data(), number.data() + number.size(), out.port);
  if (number.empty() || ec != std::errc{} || end != number.data() + number.size())
    return wrong(fmt::format("`{}` is not a TCP address", text),
                 "give PORT or 127.0.0.1:PORT, with a port from 0 to 65535");
  if (host.size() > 2 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  out.host = host == "localhost" ? "127.0.0.1" : std::string{host};
  in_addr v4{};
  in6_addr v6{};
  if (::inet_pton(AF_INET, out.host.c_str(), &v4) == 1 && (ntohl(v4.s_addr) >> 24) == 127)
    return out;
  if (::inet_pton(AF_INET6, out.host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6)) {
    out.v6 = true;
    return out;
  }
  return wrong(fmt::format("{} is not the loopback address", host),
               "TCP is not encrypted, so only local connections are allowed: use 127.0.0.1, and "
               "`ssh -L` from elsewhere");
}

error cannot(std::string what, int number, errc code, std::string hint) {
  return {code, fmt::format("{}: {}", what, std::strerror(number)), std::nullopt, std::move(hint)};
}

int listening_at(const loopback_address& at) {
  const int fd =
      ::socket(at.v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  const int yes = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_storage storage{};
  socklen_t size = 0;
  if (at.v6) {
    auto& a = reinterpret_cast<sockaddr_in6&>(storage);
    a.sin6_family = AF_INET6;
    a.sin6_port = htons(at.port);
    ::inet_pton(AF_INET6, at.host.c_str(), &a.sin6_addr);
    size = sizeof a;
  } else {
    auto& a = reinterpret_cast<sockaddr_in&>(storage);
    a.sin_family = AF_INET;
    a.sin_port = htons(at.port);
    ::inet_pton(AF_INET, at.host.c_str(), &a.sin_addr);
    size = sizeof a;
  }
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&storage), size) == 0 && ::listen(fd, 64) == 0)
    return fd;
  const int why = errno;
  ::close(fd);
  errno = why;
  return -1;
}

std::uint16_t port_of(int fd) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &size);
  return ntohs(storage.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(storage).sin6_port
                                             : reinterpret_cast<sockaddr_in&>(storage).sin_port);
}

std::string fresh_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return {};
  std::string out;
  for (auto b : bytes)
    out += fmt::format("{:02x}", b);
  return out;
}

}  // namespace

result<std::string> tcp_token(const std::filesystem::path& home) {
  std::error_code ec;
  std::filesystem::create_directories(home, ec);
  const auto path = home / "tcp.token";
  int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd >= 0) {
    const auto token = fresh_token();
    const auto line = token + '\n';
    const bool written = !token.empty() && ::fchmod(fd, 0600) == 0 &&
                         ::write(fd, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    const int why = errno;
    ::close(fd);
    if (written) return token;
    ::unlink(path.c_str());
    return fail(cannot("cannot write " + path.string(), why, errc::unwritable_file,
                       "set FERMATA_HOME to a writable folder"));
  }
  if (errno != EEXIST)
    return fail(cannot("cannot write " + path.string(), errno, errc::unwritable_file,
                       "set FERMATA_HOME to a writable folder"));
  fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0)
    return fail(cannot("cannot read " + path.string(), errno, errc::unreadable_file,
                       "remove it; a new one is created at the next start"));
  struct stat info {};
  std::array<char, 256> buffer{};
  const bool ours = ::fstat(fd, &info) == 0 && info.st_uid == ::geteuid() && S_ISREG(info.st_mode);
  const auto got = ours ? ::read(fd, buffer.data(), buffer.size()) : -1;
  ::close(fd);
  std::string token{buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r'))
    token.pop_back();
  if (!ours || (info.st_mode & 0077) != 0)
    return fail({errc::unreadable_file, path.string() + " is readable by other users", std::nullopt,
                 "remove it; a new one is created at the next start"});
  if (token.size() < 32 || token.size() > 128)
    return fail({errc::unreadable_file, path.string() + " contains no token", std::nullopt,
                 "remove it; a new one is created at the next start"});
  return token;
}

result<tcp_listener> tcp_listener::listen(std::string_view address,
                                          const std::filesystem::path& home) {
  auto at = parse_loopback(address);
  if (!at) return fail(std::move(at.error()));
  auto token = tcp_token(home);
  if (!token) return fail(std::move(token.error()));
  const int fd = listening_at(*at);
  if (fd < 0)
    return fail(cannot(fmt::format("cannot listen at {}", address), errno, errc::internal,
                       "choose another port"));
  return tcp_listener{
      fd, (at->v6 ? '[' + at->host + ']' : at->host) + ':' + std::to_string(port_of(fd)),
      std::move(*token)};
}

tcp_listener::tcp_listener(int fd, std::string address, std::string token)
  : fd_(fd), address_(std::move(address)), token_(std::move(token)) {}

tcp_listener::tcp_listener(tcp_listener&& other) noexcept
  : fd_(std::exchange(other.fd_, -1)),
    address_(std::move(other.address_)),
    token_(std::move(other.token_)) {}

tcp_listener::~tcp_listener() {
  if (fd_ >= 0) ::close(fd_);
}

namespace {

/// An end of a connection as /proc/net/tcp writes it: the words of the address in the order of the
/// machine, then the port.
std::string as_listed(const sockaddr_storage& s) {
  std::array<std::uint32_t, 4> words{};
  const bool v6 = s.ss_family == AF_INET6;
  const auto& six = reinterpret_cast<const sockaddr_in6&>(s);
  const auto& four = reinterpret_cast<const sockaddr_in&>(s);
  if (v6)
    std::memcpy(words.data(), &six.sin6_addr, sizeof six.sin6_addr);
  else
    words[0] = four.sin_addr.s_addr;
  std::string out;
  for (std::size_t i = 0; i < (v6 ? 4u : 1u); ++i)
    out += fmt::format("{:08X}", words[i]);
  return out + fmt::format(":{:04X}", ntohs(v6 ? six.sin6_port : four.sin_port));
}

}  // namespace

bool local_peer_hung_up(int fd) {
  sockaddr_storage ours{}, theirs{};
  socklen_t size = sizeof ours;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&ours), &size) != 0) return false;
  size = sizeof theirs;
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&theirs), &size) != 0) return false;
  if (ours.ss_family != AF_INET && ours.ss_family != AF_INET6) return false;
  std::ifstream list{ours.ss_family == AF_INET6 ? "/proc/net/tcp6" : "/proc/net/tcp"};
  const auto local = as_listed(theirs), remote = as_listed(ours);
  for (std::string line; std::getline(list, line);) {
    std::istringstream words{line};
    std::string number, from, to, skipped;
    if (!(words >> number >> from >> to) || from != local || to != remote) continue;
    for (int i = 0; i < 6; ++i)
      words >> skipped;  // state, queues, timer, retransmits, user, timeout
    std::uint64_t inode = 1;
    return (words >> inode) && inode == 0;
  }
  return false;
}

int tcp_listener::release() { return std::exchange(fd_, -1); }

}  // namespace fermata::io::protocol
