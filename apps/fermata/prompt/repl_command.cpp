#include "apps/fermata/prompt/repl_command.hpp"

#include "apps/fermata/commands/commands.hpp"
#include "apps/fermata/commands/evaluation_memory.hpp"
#include "apps/fermata/prompt/opened_file.hpp"
#include "apps/fermata/prompt/repl_run.hpp"
#include "apps/fermata/prompt/window_front_end.hpp"
#include "core/session/timeline/slug.hpp"
#include "io/config/config_file.hpp"
#include "io/store/home.hpp"
#include "io/terminal/signals.hpp"
#include "io/terminal/terminal_output.hpp"
#include "io/text/safe_text.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace fermata::app {

namespace {

void remark(const std::string& text) {
  io::write_error_out("fermata: " + io::safe_text(text) + '\n');
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

/// A signal that ends the program came before anything was open.
struct ended_early {};
/// Where the sessions of the home are run: here, in the process to attach to, or in one that cannot
/// be attached to (`no_socket` says why).
using sessions_place = std::variant<hosting, host_connection, ended_early>;

/// The process that has the lock may be starting or ending at this moment, so it gets some time.
sessions_place find_sessions(const std::filesystem::path& home, io::signal_source& signals) {
  constexpr std::chrono::seconds patience{5};
  constexpr int between_looks_ms = 30;
  const auto until = std::chrono::steady_clock::now() + patience;
  for (;;) {
    hosting here;
    here.home = home;
    auto lock = io::protocol::home_lock::take(home);
    // A home that cannot be written to has no lock: sessions say so themselves.
    if (!lock) return here;
    if (*lock) {
      here.lock = std::move(*lock);
      return here;
    }
    auto host = connect_to_host(home);
    if (host.socket >= 0) return host;
    if (host.is_final || std::chrono::steady_clock::now() > until) {
      here.no_socket = host.why + "; sessions that are open there are read-only here";
      return here;
    }
    pollfd wait{signals.descriptor(), POLLIN, 0};
    if (::poll(&wait, 1, between_looks_ms) > 0)
      while (auto s = signals.next())
        if (*s == SIGINT || *s == SIGTERM || *s == SIGHUP) return ended_early{};
  }
}

/// Opens the loopback port for clients, if one is wanted; false: it could not be opened.
bool listen_on_tcp(const repl_options& o, const std::filesystem::path& home, hosting& how) {
  if (o.tcp.empty()) return true;
  auto listener = io::protocol::tcp_listener::listen(o.tcp, home);
  if (!listener) {
    const auto& why = listener.error().first();
    remark("--tcp: " + why.message + (why.hint.empty() ? "" : "; " + why.hint));
    return false;
  }
  how.tcp = std::make_shared<io::protocol::tcp_listener>(std::move(*listener));
  return true;
}

/// Settings of the prompt from the command line and config.toml.
void configure(repl_setup& run, const repl_options& o, const std::filesystem::path& home,
               io::configuration config) {
  if (run.session.empty() && !run.is_scratch)
    if (auto name = effective_setting("session", {}, config.values); name != "last")
      run.session = name;
  run.history_file = (home / "history").string();
  run.no_color = o.no_color || set("NO_COLOR");
  run.accessible = o.accessible || effective_setting("accessible", {}, config.values) == "on";
  run.startup_file = (home / effective_setting("startup-file", {}, config.values)).string();
  run.problems = std::move(config.problems);
  run.configured = std::move(config.values);
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
  const auto home = io::fermata_home();
  auto config = io::read_config(io::config_path(home));
  // Lines from a pipe that name no session get one of their own, in memory: nobody is asked which
  // of the user's sessions they are for, so they must not change any.
  const bool is_scratch = !on_terminal && session.empty();
  if (is_scratch && !o.tcp.empty()) {
    remark("--tcp needs a session for clients; name one with --session NAME");
    return exit_usage;
  }

  auto place = is_scratch ? sessions_place{hosting{}} : find_sessions(home, signals);
  if (std::holds_alternative<ended_early>(place)) return exit_failure;
  auto* here = std::get_if<hosting>(&place);
  auto* host = std::get_if<host_connection>(&place);
  if (!o.tcp.empty() && (host || !here->no_socket.empty())) {
    remark("--tcp: another process runs the sessions of this home" +
           (host ? " (process " + std::to_string(host->pid) + ")" : std::string{}) +
           "; use --tcp when you start that one");
    return exit_usage;
  }
  hosting how;
  if (here) how = std::move(*here);
  how.home = is_scratch ? std::filesystem::path{} : home;
  how.has_prompt = on_terminal;
  how.memory = evaluation_memory(config.values);
  how.commit_by_default = parse_commit_rule(effective_setting("commit", {}, config.values))
                              .value_or(commit_rule::notation);
  how.configured = config.values;
  if (!listen_on_tcp(o, home, how)) return exit_usage;
  if (!how.no_socket.empty()) remark(how.no_socket);

  actors::front_end::inbox events;
  auto front_end =
      host ? std::make_unique<window_front_end>(std::move(*host), std::move(how), events)
           : std::make_unique<window_front_end>(std::move(how), events);
  repl_setup run{*front_end, events, signals};
  run.session = session;
  run.file = file;
  run.is_scratch = is_scratch;
  configure(run, o, home, std::move(config));
  auto status = on_terminal ? run_on_terminal(run) : run_script(run);
  if (auto late = front_end->shut_down(); !late.empty()) {
    remark(late);
    status = exit_failure;
  }
  return status;
}

}  // namespace fermata::app
