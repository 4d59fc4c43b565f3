#include "apps/fermata/repl_command.hpp"

#include "actors/front_end.hpp"
#include "actors/ipc_listener.hpp"
#include "actors/roots.hpp"
#include "actors/system_config.hpp"
#include "apps/fermata/commands.hpp"
#include "apps/fermata/opened_file.hpp"
#include "apps/fermata/evaluation_memory.hpp"
#include "apps/fermata/repl_run.hpp"
#include "core/session/slug.hpp"
#include "core/session/wall_clock.hpp"
#include "io/config/config_file.hpp"
#include "io/protocol/instance.hpp"
#include "io/store/file.hpp"
#include "io/store/home.hpp"
#include "io/terminal/safe_text.hpp"
#include "io/terminal/signals.hpp"

#include <caf/io/middleman.hpp>
#include <caf/send.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace fermata::app {

namespace {

constexpr std::chrono::seconds grace{10};

void remark(const std::string& text) {
  std::fputs(("fermata: " + io::safe_text(text) + '\n').c_str(), stderr);
}

/// What the socket has to say goes to a file: the screen belongs to the prompt.
std::function<void(const std::string&)> log_file(std::filesystem::path path) {
  return [path = std::move(path)](const std::string& line) {
    constexpr auto how = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    auto fd = ::open(path.c_str(), how, S_IRUSR | S_IWUSR);
    if (auto file = fd < 0 ? nullptr : ::fdopen(fd, "a")) {
      auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
      std::fputs((to_text(now, wall_clock{}) + " socket: " + io::safe_text(line) + '\n').c_str(),
                 file);
      std::fclose(file);
    }
  };
}

/// Each loaded session has a few open files, each client one; a soft limit of 1,024 is for programs
/// that use select(2).
void allow_more_open_files() {
  constexpr rlim_t enough = 4'096;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= enough) return;
  files.rlim_cur = std::min(enough, files.rlim_max);
  (void)::setrlimit(RLIMIT_NOFILE, &files);  // without it there is room for fewer
}

bool set(const char* variable) {
  auto text = std::getenv(variable);
  return text && *text;
}

/// The process at whose prompt this session is open; nothing when there is none.
std::optional<std::int64_t> prompt_with(const std::filesystem::path& home,
                                        const std::string& slug) {
  auto folder = io::session_folder(home, slug);
  auto owner = folder ? io::read_file(*folder / "journal.lock") : std::string{};
  if (!owner) return std::nullopt;
  for (auto& r : io::protocol::read_records(home))
    if (r.has_prompt && *owner == "process " + std::to_string(r.pid)) return r.pid;
  return std::nullopt;
}

}  // namespace

int repl_command(const repl_options& o) {
  const bool on_terminal = ::isatty(STDIN_FILENO) && ::isatty(STDOUT_FILENO);
  // Before any thread exists, so that all inherit it. The stopped states of a terminal only matter
  // where there is one.
  std::signal(SIGPIPE, SIG_IGN);
  auto signals = on_terminal
                     ? io::signal_source{SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCHLD}
                     : io::signal_source{SIGINT, SIGTERM, SIGHUP};

  const auto file = o.file.empty() ? std::filesystem::path{} : std::filesystem::absolute(o.file);
  if (!file.empty())
    if (auto why = why_not_opened(o.file); !why.empty()) {
      remark(why);
      return exit_failure;
    }
  const auto session = o.session.empty() && !file.empty() ? session_name_of(file) : o.session;
  if (auto wrong = name_too_long(session)) {
    complain(*wrong, {}, {});
    return exit_failure;
  }
  allow_more_open_files();
  if (!o.home.empty()) ::setenv("FERMATA_HOME", std::filesystem::absolute(o.home).c_str(), 1);
  auto setup = actors::default_manager_setup();
  const auto home = setup.home;
  const auto board = setup.board;
  const auto workers = setup.workers;  // goes last, after all who use it
  auto config = io::read_config(io::config_path(home));
  setup.limits.memory = evaluation_memory(config.values);
  setup.commit_by_default = parse_commit_rule(setting_in_force("commit", {}, config.values))
                                .value_or(commit_rule::notation);
  // Lines that say no session are for the one used last. Who types there would not see them.
  if (!on_terminal && session.empty() && setting_in_force("session", {}, config.values) == "last")
    if (auto slug = io::active_session(home); !slug.empty())
      if (auto pid = prompt_with(home, slug)) {
        remark(slug + " is open at the prompt of process " + std::to_string(*pid) +
               "; nothing was run. Enter the lines there, or use `--session NAME` to choose "
               "another session, new or existing.");
        return exit_failure;
      }
  std::shared_ptr<io::protocol::tcp_door> tcp;
  if (!o.tcp.empty()) {
    auto door = io::protocol::tcp_door::listen(o.tcp, home);
    if (!door) {
      const auto& why = door.error().first();
      remark("--tcp: " + why.message + (why.hint.empty() ? "" : "; " + why.hint));
      return exit_usage;
    }
    tcp = std::make_shared<io::protocol::tcp_door>(std::move(*door));
  }

  // In this order things come up, and they go down in the reverse one: first the socket, so that
  // nothing new comes in, then the front-end, then the sessions with everything written out, and
  // the actor system last, which waits for all of them.
  actors::front_end::inbox news;
  actors::system_config actor_config;
  actor_config.load<caf::io::middleman>();
  caf::actor_system system{actor_config};
  actors::roots roots{system, std::move(setup)};

  int status = exit_ok;
  {
    actors::front_end front_end{system, roots.sessions(), news};
    actors::ipc_options door;
    door.home = home;
    door.version = FERMATA_VERSION;
    door.connection.board = board;
    door.connection.workers = workers;
    door.tcp = std::move(tcp);
    door.has_prompt = on_terminal;
    door.connection.log = log_file(home / "fermata.log");
    ipc_listener_actor listener;
    std::optional<io::protocol::record_without_socket> instead;
    // Without the socket nobody can join, but one can work.
    auto no_client_can_connect = [&](const error& why, std::string_view and_then) {
      const auto& first = why.first();
      auto words =
          first.message + (first.hint.empty() ? "" : "; " + first.hint) + std::string{and_then};
      remark("clients cannot connect: " + words);
      instead.emplace(home, io::protocol::this_process(FERMATA_VERSION, on_terminal), words);
    };
    auto endpoint = actors::open_ipc(system, roots.sessions(), std::move(door));
    if (endpoint) listener = endpoint->listener;
    if (!endpoint)
      no_client_can_connect(endpoint.error(), "; then restart Fermata");
    else if (endpoint->closed)
      no_client_can_connect(*endpoint->closed, "; then clients can connect");

    repl_setup run{front_end, news, signals};
    run.session = session;
    run.file = file;
    if (run.session.empty())
      if (auto name = setting_in_force("session", {}, config.values); name != "last")
        run.session = name;
    run.history_file = (home / "history").string();
    run.no_color = o.no_color || set("NO_COLOR");
    run.accessible = o.accessible || setting_in_force("accessible", {}, config.values) == "on";
    run.startup_file = (home / setting_in_force("startup-file", {}, config.values)).string();
    run.problems = config.problems;
    run.configured = std::move(config.values);
    status = on_terminal ? run_on_terminal(run) : run_script(run);

    if (listener) caf::anon_send_exit(listener, caf::exit_reason::user_shutdown);
  }
  if (auto late = roots.shut_down(grace); !late.empty()) {
    remark(late);
    status = exit_failure;
  }
  return status;
}

}  // namespace fermata::app
