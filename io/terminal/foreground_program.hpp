#pragma once

#include "core/result.hpp"
#include "io/terminal/signals.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace fermata::io {

/// Programs that take over the terminal for a while. They run in the foreground with the signals as
/// they were when ours started; we wait until they end. Precondition: the terminal is in the state
/// that a program expects (the line editor is closed).
///
/// Where signals are blocked for a `signal_source`, it has to be given, with SIGCHLD among its
/// signals. Ctrl-C and Ctrl-Z are then the program's own affair: it is stopped together with us and
/// goes on together with us, and neither is seen again afterwards. What wants us to end is passed
/// on to the program, and it and everything else that came waits in the source when we are back.

/// The command that shows long texts, by the setting `pager`: `auto` is `$PAGER`, else `less` when
/// it is there (with the options `FRX` unless `$LESS` says others: what was shown stays on the
/// screen). Empty: none is wanted, or there is none; `cat` counts as none.
std::string pager_command(std::string_view setting);

/// Whether a program of that name is in $PATH.
bool is_program(std::string_view name);

/// The first word of a command, when no program is called so; empty when one is, or when the shell
/// has to find out.
std::string missing_program(std::string_view command);

/// The command that edits: `$VISUAL`, else `$EDITOR`, with arguments if it has any. Nothing: the
/// user has not chosen, and it is `usual_editor`.
std::optional<std::string> chosen_editor();
inline constexpr std::string_view usual_editor = "vi";

/// Shows a text with a pager. Errors: it cannot be started.
result<void> show_in_pager(std::string_view text, const std::string& pager,
                           signal_source* signals = nullptr);

/// Lets the user edit a text. The answer is what was saved, without newlines at the end. Errors:
/// the editor cannot be started, ended with a failure, left no file, or wrote what is no text in
/// UTF-8; then nothing is taken over, and what it wrote stays in the file that the error names.
result<std::string> edit_in_editor(std::string_view text, signal_source* signals = nullptr);

/// Lets the user edit a file in place. Errors: as above.
result<void> edit_file(const std::string& path);

}  // namespace fermata::io
