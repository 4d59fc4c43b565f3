#include "apps/fermata/doctor/doctor_finding.hpp"
#include "io/protocol/instance.hpp"
#include "io/terminal/terminal_output.hpp"
#include "io/text/code_point.hpp"

#include <boost/json.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

// What runs, and what it runs in: other instances, the terminal, the MCP server.

namespace fermata::app {

namespace {

using enum finding::level_t;
namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::chrono::seconds patience{5};

/// Sends a line and waits for a line back; empty: none came.
std::optional<json::object> ask(int to, int from, const json::object& request) {
  auto line = json::serialize(request) + '\n';
  for (std::string_view rest = line; !rest.empty();) {
    auto n = ::write(to, rest.data(), rest.size());
    if (n < 0 && errno != EINTR && errno != EAGAIN) return std::nullopt;
    if (n > 0) rest.remove_prefix(static_cast<std::size_t>(n));
  }
  auto end = std::chrono::steady_clock::now() + patience;
  std::string answer;
  while (answer.find('\n') == answer.npos) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd ready{from, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&ready, 1, static_cast<int>(left.count())) == 0)
      return std::nullopt;
    char buffer[4096];
    auto n = ::read(from, buffer, sizeof buffer);
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) return std::nullopt;
    if (n > 0) answer.append(buffer, static_cast<std::size_t>(n));
  }
  boost::system::error_code failed;
  auto value = json::parse(answer.substr(0, answer.find('\n')), failed);
  if (failed || !value.is_object()) return std::nullopt;
  return value.as_object();
}

/// Whether a running instance answers at its socket.
bool answers(const std::string& socket) {
  int fd = io::protocol::connect_socket(socket);
  if (fd < 0) return false;
  auto reply = ask(fd, fd,
                   {{"id", 1},
                    {"method", "system.hello"},
                    {"params", json::object{{"client", "doctor"}, {"version", FERMATA_VERSION}}}});
  ::close(fd);
  return reply && reply->contains("result");
}

/// Records of processes that are gone, and sockets that nobody listens at.
void examine_leftovers(findings& all, const fs::path& home,
                       const std::vector<io::protocol::instance_record>& running) {
  std::error_code failed;
  for (fs::directory_iterator it{io::protocol::run_folder(home), failed}, last;
       !failed && it != last; it.increment(failed)) {
    auto path = it->path();
    if (path.extension() != ".json" && path.extension() != ".sock") continue;
    auto pid = std::atol(path.stem().c_str());
    bool alive = std::any_of(running.begin(), running.end(), [&](auto& r) { return r.pid == pid; });
    if (!alive)
      all.push_back({note, "socket",
                     path.string() + " was left behind by a process that no longer runs",
                     "nothing to do: it is removed at the next start"});
  }
  auto socket = home / "repl.sock";
  if (!fs::exists(socket, failed)) return;
  if (int fd = io::protocol::connect_socket(socket); fd >= 0)
    ::close(fd);
  else
    all.push_back({note, "socket",
                   socket.string() + " was left behind by a process that no longer runs",
                   "nothing to do: it is replaced at the next start"});
}

/// The variable that decides on the characters: the first of these that is set.
std::string_view locale_variable() {
  for (auto name : {"LC_ALL", "LC_CTYPE"})
    if (auto value = std::getenv(name); value && *value) return name;
  return "LANG";
}

/// A child process with pipes to its input and output; ends it when it goes.
class child {
public:
  child(const std::string& program, const char* argument) {
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0) return;
    if (::pipe2(out, O_CLOEXEC) != 0) {
      ::close(in[0]);
      ::close(in[1]);
      return;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const char* argv[] = {program.c_str(), argument, nullptr};
    if (::posix_spawn(&pid_, program.c_str(), &actions, nullptr, const_cast<char* const*>(argv),
                      environ) != 0)
      pid_ = -1;
    posix_spawn_file_actions_destroy(&actions);
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    from_ = out[0];
  }
  ~child() {
    if (to_ >= 0) ::close(to_);
    if (from_ >= 0) ::close(from_);
    if (pid_ > 0) {
      ::kill(pid_, SIGTERM);
      ::waitpid(pid_, nullptr, 0);
    }
  }
  child(const child&) = delete;
  child& operator=(const child&) = delete;

  bool runs() const { return pid_ > 0; }
  int to() const { return to_; }
  int from() const { return from_; }

private:
  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
};

}  // namespace

findings examine_instances(const std::string& home) {
  findings all;
  if (!io::protocol::fits_socket_address(fs::path{home} / "repl.sock"))
    all.push_back({wrong, "socket", "the path of $FERMATA_HOME is too long for a socket",
                   "set FERMATA_HOME to a shorter path so that assistants can connect"});
  auto running = io::protocol::read_records(home, true);
  for (auto& r : running)
    if (r.socket.empty())
      all.push_back({wrong, "socket",
                     fmt::format("process {} has no socket: {}", r.pid, r.no_socket),
                     "remove the cause, then restart it so that assistants can connect"});
    else if (answers(r.socket))
      all.push_back({fine, "socket", fmt::format("process {} answers at {}", r.pid, r.socket), ""});
    else
      all.push_back({wrong, "socket",
                     fmt::format("process {} does not answer at {}", r.pid, r.socket),
                     fmt::format("check it with `ps {}`; kill it if it hangs", r.pid)});
  examine_leftovers(all, home, running);
  if (running.empty()) all.push_back({fine, "socket", "Fermata is not running", ""});
  return all;
}

findings examine_terminal() {
  findings all;
  if (!::isatty(STDOUT_FILENO)) {
    all.push_back({note, "terminal", "output is not a terminal", ""});
    return all;
  }
  auto term = std::getenv("TERM");
  if (!term || !*term || std::strcmp(term, "dumb") == 0)
    all.push_back({note, "terminal", "TERM is dumb: no colours and no multi-line editing",
                   "export TERM=xterm-256color, if your terminal supports it"});
  else
    all.push_back({fine, "terminal", std::string{"TERM is "} + term, ""});
  if (io::environment_takes_utf8())
    all.push_back({fine, "terminal", "UTF-8", ""});
  else
    all.push_back({note, "terminal", "the locale is not UTF-8: staves are drawn in ASCII",
                   fmt::format("export {}=C.UTF-8", locale_variable())});
  auto no_color = std::getenv("NO_COLOR");
  all.push_back(
      {fine, "terminal", no_color && *no_color ? "no colours (NO_COLOR is set)" : "colours", ""});
  auto size = io::size_of_terminal();
  if (size.columns < 40)
    all.push_back({note, "terminal", fmt::format("only {} columns", size.columns),
                   "use at least 60 columns for staves and help"});
  return all;
}

findings examine_mcp(const std::string& home) {
  std::error_code failed;
  auto self = fs::read_symlink("/proc/self/exe", failed);
  if (failed)
    return {{note, "mcp", "cannot find this executable: " + failed.message(),
             "mount /proc, which is needed to find the MCP server program"}};
  ::setenv("FERMATA_HOME", home.c_str(), 1);
  child server{self.string(), "mcp"};
  auto failure = [](const std::string& what) {
    return findings{{wrong, "mcp", what, "run `fermata mcp` by hand and check its output"}};
  };
  if (!server.runs()) return failure("`fermata mcp` cannot be started");
  auto reply =
      ask(server.to(), server.from(),
          {{"jsonrpc", "2.0"},
           {"id", 1},
           {"method", "initialize"},
           {"params",
            json::object{{"protocolVersion", "2025-11-25"},
                         {"capabilities", json::object{}},
                         {"clientInfo", json::object{{"name", "doctor"}, {"version", "1"}}}}}});
  auto result = reply ? reply->if_contains("result") : nullptr;
  if (!result || !result->is_object()) return failure("`fermata mcp` does not answer `initialize`");
  auto tools =
      ask(server.to(), server.from(), {{"jsonrpc", "2.0"}, {"id", 2}, {"method", "tools/list"}});
  auto listed = tools ? tools->if_contains("result") : nullptr;
  auto list = listed && listed->is_object() ? listed->as_object().if_contains("tools") : nullptr;
  if (!list || !list->is_array()) return failure("`fermata mcp` does not answer `tools/list`");
  return {{fine, "mcp",
           fmt::format("`fermata mcp` works and offers {} tools", list->as_array().size()), ""}};
}

}  // namespace fermata::app
