#include "io/protocol/instance.hpp"

#include "io/protocol/method.hpp"
#include "io/protocol/time_text.hpp"
#include "io/store/file.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

namespace fs = std::filesystem;
namespace json = boost::json;

namespace fermata::io::protocol {

namespace {

/// Closes a descriptor at the end of a scope.
struct descriptor {
  int fd = -1;
  explicit descriptor(int f) : fd(f) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() {
    if (fd >= 0) ::close(fd);
  }
  int release() { return std::exchange(fd, -1); }
};

error system_fault(const std::string& what, int code,
                   std::string hint = "check the folder's permissions and the free disk space") {
  return {errc::unwritable_file, fmt::format("{}: {}", what, std::strerror(code)), std::nullopt,
          std::move(hint)};
}

std::optional<error> make_private_folder(const fs::path& folder) {
  if (auto made = io::make_private_folder(folder); !made)
    return error{made.error().first().code, made.error().first().message, std::nullopt,
                 "set FERMATA_HOME to a writable folder"};
  struct stat info {};
  if (::stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode))
    return error{errc::unwritable_file, folder.string() + " is not a folder", std::nullopt,
                 "move it away"};
  if (info.st_uid != ::geteuid())
    return error{errc::unwritable_file, folder.string() + " is owned by another user", std::nullopt,
                 "set FERMATA_HOME to a folder you own"};
  // Whoever may enter this folder may try to connect.
  if ((info.st_mode & 0077) != 0 && ::chmod(folder.c_str(), 0700) != 0)
    return system_fault("cannot create " + folder.string() + " private", errno);
  return std::nullopt;
}

sockaddr_un address_of(const fs::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(),
              std::min(path.native().size(), sizeof address.sun_path - 1));
  return address;
}

/// Somebody answers at this path.
bool is_answered(const fs::path& path) {
  descriptor probe{connect_socket(path)};
  // A full backlog (EAGAIN) is somebody too.
  return probe.fd >= 0 || errno == EAGAIN;
}

int bind_private(const fs::path& path) {
  descriptor s{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  if (s.fd < 0) return -1;
  const auto address = address_of(path);
  // The umask holds for the process; the folder is private, so the moment until chmod shows
  // nothing.
  if (::bind(s.fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return -1;
  if (::chmod(path.c_str(), 0600) != 0 || ::listen(s.fd, 128) != 0) return -1;
  return s.release();
}

}  // namespace

fs::path fermata_home() {
  if (const char* home = std::getenv("FERMATA_HOME"); home && *home) return fs::absolute(home);
  if (const char* home = std::getenv("HOME"); home && *home) return fs::path{home} / ".fermata";
  if (const auto* user = ::getpwuid(::geteuid()); user && user->pw_dir)
    return fs::path{user->pw_dir} / ".fermata";
  return fs::absolute(".fermata");
}

fs::path run_folder(const fs::path& home) { return home / "run"; }

result<fs::path> write_record(const fs::path& home, const instance_record& record) {
  const auto folder = run_folder(home);
  if (auto fault = make_private_folder(home)) return fail(std::move(*fault));
  if (auto fault = make_private_folder(folder)) return fail(std::move(*fault));
  json::object members{{"pid", record.pid},
                       {"started", to_text(record.started)},
                       {"cwd", record.cwd},
                       {"version", record.version},
                       {"protocol_version", record.protocol}};
  if (!record.id.empty()) members["id"] = record.id;
  if (record.no_socket.empty())
    members["socket"] = record.socket;
  else
    members["no_socket"] = record.no_socket;
  if (!record.tcp.empty()) members["tcp"] = record.tcp;
  if (record.has_prompt) members["prompt"] = true;
  const auto text = json::serialize(members) + '\n';
  const auto path = folder / fmt::format("{}.json", record.pid);
  const auto draft = folder / fmt::format(".{}.json", record.pid);
  auto give_up = [&](const fs::path& what) {
    auto fault = system_fault("cannot write " + what.string(), errno);
    ::unlink(draft.c_str());
    return fail(std::move(fault));
  };
  {
    descriptor file{
        ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600)};
    if (file.fd < 0) return fail(system_fault("cannot write " + draft.string(), errno));
    if (::write(file.fd, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
      return give_up(draft);
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) return give_up(path);
  return path;
}

namespace {

bool is_alive(std::int64_t pid) {
  return ::kill(static_cast<pid_t>(pid), 0) == 0 || errno != ESRCH;
}

std::optional<instance_record> read_record(const fs::path& path, bool also_dead = false) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || info.st_uid != ::geteuid() ||
      info.st_size > off_t{64} * 1024)
    return std::nullopt;
  std::ifstream file{path, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  boost::system::error_code ec;
  const auto parsed = json::parse(text, ec);
  const auto* members = ec ? nullptr : parsed.if_object();
  if (!members) return std::nullopt;
  auto word = [&](std::string_view name) -> std::string {
    const auto* v = members->if_contains(name);
    return v && v->is_string() ? std::string{std::string_view{v->get_string()}} : std::string{};
  };
  instance_record out;
  const auto* pid = members->if_contains("pid");
  if (!pid || !pid->is_int64() || pid->get_int64() <= 0) return std::nullopt;
  out.pid = pid->get_int64();
  out.id = word("id");
  out.socket = word("socket");
  out.no_socket = word("no_socket");
  out.tcp = word("tcp");
  out.cwd = word("cwd");
  out.version = word("version");
  out.protocol = word("protocol_version");
  out.started = parse_time(word("started"), {}).value_or(timestamp{});
  const auto* prompt = members->if_contains("prompt");
  out.has_prompt = prompt && prompt->is_bool() && prompt->get_bool();
  if ((out.socket.empty() && out.no_socket.empty()) || (!also_dead && !is_alive(out.pid)))
    return std::nullopt;
  return out;
}

}  // namespace

std::vector<instance_record> read_records(const fs::path& home, bool also_without_socket) {
  std::vector<instance_record> out;
  std::error_code ec;
  for (fs::directory_iterator it{run_folder(home), ec}, end; !ec && it != end; it.increment(ec)) {
    const auto& path = it->path();
    if (path.extension() != ".json" || path.filename().native().front() == '.') continue;
    if (auto record = read_record(path); record && (also_without_socket || !record->socket.empty()))
      out.push_back(std::move(*record));
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return std::pair{a.started, a.pid} < std::pair{b.started, b.pid};
  });
  return out;
}

namespace {

/// The process whose number begins this name, when it is one that we give: `12.json`, `.12.json`,
/// `12.sock`.
std::optional<std::int64_t> owner_of(const fs::path& file) {
  auto name = file.stem().string();
  if (!name.empty() && name.front() == '.') name.erase(0, 1);
  std::int64_t pid = 0;
  auto [end, ec] = std::from_chars(name.data(), name.data() + name.size(), pid);
  const auto kind = file.extension();
  if (ec != std::errc{} || end != name.data() + name.size() || pid <= 0 ||
      (kind != ".json" && kind != ".sock"))
    return std::nullopt;
  return pid;
}

/// Removes what killed instances have left; the lock of the folder is held. A number that is none
/// here may be a living process of another container with the same home: then its socket is
/// answered, and no process that we see calls it its own.
void remove_remains(const fs::path& home) {
  std::set<std::string> sockets_of_living;
  for (const auto& r : read_records(home))
    sockets_of_living.insert(r.socket);
  auto is_anothers = [&](const fs::path& socket) {
    return is_answered(socket) && !sockets_of_living.contains(socket.string());
  };
  std::error_code ec;
  std::vector<fs::path> remains;
  for (fs::directory_iterator it{run_folder(home), ec}, end; !ec && it != end; it.increment(ec)) {
    const auto pid = owner_of(it->path());
    if (!pid || is_alive(*pid)) continue;
    const auto record = read_record(it->path(), true);
    if (is_anothers(it->path().extension() == ".sock" ? it->path()
                    : record                          ? fs::path{record->socket}
                                                      : fs::path{}))
      continue;
    remains.push_back(it->path());
  }
  for (const auto& file : remains)
    ::unlink(file.c_str());
}

}  // namespace

instance_record this_process(std::string version, bool has_prompt) {
  std::error_code ec;
  instance_record out;
  out.pid = ::getpid();
  out.started =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  out.cwd = fs::current_path(ec).string();
  out.version = std::move(version);
  out.protocol = protocol_version;
  out.has_prompt = has_prompt;
  return out;
}

record_without_socket::record_without_socket(const fs::path& home, instance_record record,
                                             std::string why) {
  record.socket.clear();
  record.no_socket = std::move(why);
  if (auto written = write_record(home, record)) file_ = std::move(*written);
}

record_without_socket::~record_without_socket() {
  std::error_code ec;
  if (!file_.empty()) fs::remove(file_, ec);
}

bool fits_socket_address(const fs::path& path) {
  return path.native().size() < sizeof(sockaddr_un{}.sun_path);
}

std::optional<unsigned> peer_uid(int fd) {
  ucred who{};
  socklen_t size = sizeof who;
  if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0) return std::nullopt;
  return who.uid;
}

int connect_socket(const fs::path& path) {
  if (!fits_socket_address(path)) {
    errno = ENAMETOOLONG;
    return -1;
  }
  descriptor s{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  if (s.fd < 0) return -1;
  const auto address = address_of(path);
  if (::connect(s.fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return -1;
  if (peer_uid(s.fd) != ::geteuid()) {
    errno = EACCES;
    return -1;
  }
  return s.release();
}

result<socket_file> socket_file::listen(const fs::path& home) {
  if (auto fault = make_private_folder(home)) return fail(std::move(*fault));
  if (auto fault = make_private_folder(run_folder(home))) return fail(std::move(*fault));
  const auto first = home / first_socket_name;
  // Two that start at once must not both find a dead socket and replace each other's new one.
  descriptor lock{::open((run_folder(home) / ".lock").c_str(),
                         O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)};
  if (lock.fd < 0 || ::flock(lock.fd, LOCK_EX) != 0)
    return fail(system_fault("cannot lock " + run_folder(home).string(), errno));
  remove_remains(home);
  const auto path =
      is_answered(first) ? run_folder(home) / fmt::format("{}.sock", ::getpid()) : first;
  if (!fits_socket_address(path))
    return fail({errc::unwritable_file,
                 fmt::format("the socket path is too long: {} has {} bytes", path.string(),
                             path.native().size()),
                 std::nullopt,
                 "set FERMATA_HOME to a shorter path; socket paths have at most 107 bytes"});
  struct stat there {};
  if (::lstat(path.c_str(), &there) == 0) {
    if (!S_ISSOCK(there.st_mode))
      return fail({errc::unwritable_file, path.string() + " exists and is not a socket",
                   std::nullopt, "move it away"});
    ::unlink(path.c_str());
  }
  const auto fd = bind_private(path);
  if (fd < 0) return fail(system_fault("cannot listen at " + path.string(), errno));
  return socket_file{path, fd};
}

socket_file::socket_file(fs::path path, int fd) : path_(std::move(path)), fd_(fd) {
  struct stat info {};
  if (::lstat(path_.c_str(), &info) == 0) {
    device_ = info.st_dev;
    inode_ = info.st_ino;
    made_seconds_ = info.st_ctim.tv_sec;
    made_nanoseconds_ = info.st_ctim.tv_nsec;
  }
}

socket_file::socket_file(socket_file&& other) noexcept
  : path_(std::move(other.path_)),
    fd_(std::exchange(other.fd_, -1)),
    device_(other.device_),
    inode_(std::exchange(other.inode_, 0)),
    made_seconds_(other.made_seconds_),
    made_nanoseconds_(other.made_nanoseconds_) {
  other.path_.clear();
}

bool socket_file::is_there() const {
  struct stat info {};
  return inode_ != 0 && ::lstat(path_.c_str(), &info) == 0 && info.st_dev == device_ &&
         info.st_ino == inode_;
}

socket_file::~socket_file() {
  if (fd_ >= 0) ::close(fd_);
  struct stat info {};
  if (is_there() && ::lstat(path_.c_str(), &info) == 0 && info.st_ctim.tv_sec == made_seconds_ &&
      info.st_ctim.tv_nsec == made_nanoseconds_)
    ::unlink(path_.c_str());
}

int socket_file::release() { return std::exchange(fd_, -1); }

}  // namespace fermata::io::protocol
