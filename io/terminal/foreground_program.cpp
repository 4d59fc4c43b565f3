#include "io/terminal/foreground_program.hpp"

#include "core/lang/syntax/token.hpp"
#include "core/utf8.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

namespace fermata::io {

namespace {

/// Waits for a program of the foreground. Nothing: it cannot be found any more.
class foreground_wait {
public:
  foreground_wait(pid_t child, signal_source* signals) : child_(child), signals_(signals) {}
  ~foreground_wait() {
    for (auto s : later_)
      ::kill(::getpid(), s);
  }
  foreground_wait(const foreground_wait&) = delete;
  foreground_wait& operator=(const foreground_wait&) = delete;

  std::optional<int> status() {
    for (;;) {
      int status = 0;
      auto seen = ::waitpid(child_, &status, signals_ ? WNOHANG | WUNTRACED : 0);
      if (seen < 0 && errno != EINTR) return std::nullopt;
      if (seen == child_ && !WIFSTOPPED(status)) {
        take_signals();
        return status;
      }
      // The terminal stopped it; we are of the same job, so that the shell sees all of it stopped
      // and continues all of it.
      if (seen == child_)
        ::kill(::getpid(), SIGSTOP);
      else if (seen == 0)
        wait_for_signal();
    }
  }

private:
  void wait_for_signal() {
    pollfd waits{signals_->descriptor(), POLLIN, 0};
    ::poll(&waits, 1, -1);
    take_signals();
  }

  void take_signals() {
    while (auto s = signals_ ? signals_->next() : std::nullopt) {
      if (*s == SIGINT || *s == SIGTSTP || *s == SIGCHLD) continue;
      if (*s == SIGTERM || *s == SIGHUP) ::kill(child_, *s);
      if (std::find(later_.begin(), later_.end(), *s) == later_.end()) later_.push_back(*s);
    }
  }

  pid_t child_;
  signal_source* signals_;
  std::vector<int> later_;
};

/// `sh -c command` with all signals as a program expects them; `input` replaces standard input
/// unless it is -1. Answers the exit status.
result<int> run_in_shell(const std::string& command, int input, signal_source* signals) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_init(&actions);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  if (input >= 0) posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  // A plain command takes the shell's place, so that what is sent to the child reaches it.
  auto line = command.find_first_of(";|&<>()`$=\n") == command.npos ? "exec " + command : command;
  const char* argv[] = {"sh", "-c", line.c_str(), nullptr};
  pid_t child = 0;
  int failure = ::posix_spawn(&child, "/bin/sh", &actions, &attributes,
                              const_cast<char* const*>(argv), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failure != 0)
    return fail(
        {errc::internal, fmt::format("cannot start {}: {}", command, std::strerror(failure))});
  auto status = foreground_wait{child, signals}.status();
  if (!status)
    return fail(
        {errc::internal, fmt::format("lost track of {}: {}", command, std::strerror(errno))});
  return WIFEXITED(*status) ? WEXITSTATUS(*status) : 128 + WTERMSIG(*status);
}

/// How a program ended that failed, by the status that a shell gives it.
std::string ending(int status) {
  if (status == 127) return "cannot be found";
  if (status == 126) return "cannot be run";
  if (status > 128) return fmt::format("was ended by a signal ({})", ::strsignal(status - 128));
  return fmt::format("ended with {}", status);
}

/// A file of our own that goes when we are done with it, unless it is kept.
class temporary_file {
public:
  explicit temporary_file(std::string_view text) {
    auto folder = std::filesystem::temp_directory_path();
    path_ = (folder / "fermata-XXXXXX.ferm").string();
    fd_ = ::mkostemps(path_.data(), 5, O_CLOEXEC);
    while (fd_ >= 0 && !text.empty()) {
      auto n = ::write(fd_, text.data(), text.size());
      if (n < 0 && errno != EINTR) {
        ::close(fd_);
        fd_ = -1;
      } else if (n > 0) {
        text.remove_prefix(static_cast<std::size_t>(n));
      }
    }
  }
  ~temporary_file() {
    if (fd_ >= 0) ::close(fd_);
    if (!kept_) ::unlink(path_.c_str());
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  explicit operator bool() const { return fd_ >= 0; }
  int descriptor() const { return fd_; }
  const std::string& path() const { return path_; }
  void keep() { kept_ = true; }

private:
  std::string path_;
  int fd_ = -1;
  bool kept_ = false;
};

error no_temporary_file() {
  return {errc::unwritable_file,
          fmt::format("cannot create a temporary file: {}", std::strerror(errno))};
}

const char* variable(const char* name) {
  auto text = std::getenv(name);
  return text && *text ? text : nullptr;
}

result<void> run_editor(const std::string& path, signal_source* signals) {
  auto editor = chosen_editor().value_or(std::string{usual_editor});
  std::string quoted;
  for (char c : path)
    quoted += c == '\'' ? std::string{"'\\''"} : std::string{c};
  // The value of $EDITOR is a command, so it may have arguments.
  auto status = run_in_shell(fmt::format("{} '{}'", editor, quoted), -1, signals);
  if (!status) return fail(status.error());
  if (*status == 0) return {};
  auto hint = *status == 126 || *status == 127 ? "; set EDITOR to another program" : "";
  return fail({errc::internal, fmt::format("the editor `{}` {}; the text is unchanged{}", editor,
                                           ending(*status), hint)});
}

/// What is in a file; nothing when it cannot be read.
std::optional<std::string> content_of_file(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>{file}, {}};
}

std::string without_newlines_at_end(std::string text) {
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

}  // namespace

std::optional<std::string> chosen_editor() {
  for (auto name : {"VISUAL", "EDITOR"})
    if (auto editor = variable(name)) return editor;
  return std::nullopt;
}

std::string missing_program(std::string_view command) {
  auto word = std::string{command.substr(0, command.find_first_of(" \t;|&"))};
  // Settings before a command (A=b less) are the shell's to understand.
  if (word.empty() || word.find('=') != word.npos) return {};
  auto found = word.find('/') != word.npos ? ::access(word.c_str(), X_OK) == 0 : is_program(word);
  return found ? std::string{} : word;
}

bool is_program(std::string_view name) {
  auto path = std::getenv("PATH");
  for (std::string_view rest = path ? path : ""; !rest.empty();) {
    auto folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    if (::access((std::string{folder} + '/' + std::string{name}).c_str(), X_OK) == 0) return true;
  }
  return false;
}

std::string pager_command(std::string_view setting) {
  if (setting == "off") return {};
  if (setting != "auto") return std::string{setting};
  if (auto pager = variable("PAGER")) return std::strcmp(pager, "cat") == 0 ? "" : pager;
  if (!is_program("less")) return {};
  return variable("LESS") ? "less" : "less -FRX";
}

result<void> show_in_pager(std::string_view text, const std::string& pager,
                           signal_source* signals) {
  temporary_file file{text};
  if (!file || ::lseek(file.descriptor(), 0, SEEK_SET) != 0) return fail(no_temporary_file());
  auto status = run_in_shell(pager, file.descriptor(), signals);
  if (!status) return fail(status.error());
  // 126 and 127: the shell could not run it. Anything else is the pager's own affair.
  if (*status == 126 || *status == 127)
    return fail({errc::internal, fmt::format("cannot run the pager `{}`", pager)});
  return {};
}

result<std::string> edit_in_editor(std::string_view text, signal_source* signals) {
  temporary_file file{text};
  if (!file) return fail(no_temporary_file());
  auto done = run_editor(file.path(), signals);
  // By name: editors often replace the file.
  auto saved = content_of_file(file.path());
  // What was written and is not taken over stays where it is: it may be an hour's work.
  auto refused = [&](std::string why) {
    if (saved && *saved != text) {
      file.keep();
      why += fmt::format("; the editor's output is in {}", file.path());
    }
    return fail({errc::internal, std::move(why)});
  };
  if (!done) return refused(done.error().first().message);
  if (!saved)
    return fail({errc::unreadable_file, "the editor left no file; the text is unchanged"});
  if (find_invalid_utf8(*saved) != std::string_view::npos)
    return refused("the editor wrote invalid UTF-8; the text is unchanged");
  if (saved->find('\0') != saved->npos)
    return refused("the editor wrote zero bytes; the text is unchanged");
  return without_newlines_at_end(std::move(*saved));
}

result<void> edit_file(const std::string& path) { return run_editor(path, nullptr); }

}  // namespace fermata::io
