#pragma once

#include "apps/fermata/prompt/window_front_end.hpp"
#include "core/session/commands/setting_table.hpp"
#include "core/session/timeline/history.hpp"
#include "io/terminal/signals.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace fermata::app {

/// How many entries of a turn are in the timeline. Others are shown and in none.
std::int64_t numbered_entries(const turn& t);

/// Whether an entry was made by itself, since then. `before`: the timeline that was followed until
/// now; a copy of it has its entries, and they are not new.
bool is_new_entry(const history_entry& e, timestamp since, const history& before = {});

/// What a prompt is run with. Everything outlives the call.
struct repl_setup {
  window_front_end& front_end;
  actors::front_end::inbox& events;
  io::signal_source& signals;
  std::string session;         ///< to open; empty: the last one used
  std::filesystem::path file;  ///< absolute, to open in that session; empty: none
  std::string history_file;    ///< of the line editor
  bool is_scratch = false;     ///< the session is in memory and ends with the input
  bool no_color = false;       ///< the user wants none, whatever the settings say
  bool accessible = false;
  std::string startup_file;           ///< path
  setting_values configured;          ///< of config.toml
  std::vector<std::string> problems;  ///< with it
};

/// The prompt on a terminal, until Ctrl-D, `:quit`, SIGTERM, SIGHUP, or the terminal is gone. The
/// calling thread owns the terminal and polls keys, signals and events. Returns the exit code.
int run_on_terminal(const repl_setup& setup);

/// Without a terminal: inputs from standard input, one after another, values and command output to
/// standard output, errors with line numbers to standard error. Returns 1 when any input failed or
/// the last one is not complete.
int run_script(const repl_setup& setup);

}  // namespace fermata::app
