#pragma once

#include "core/result.hpp"

#include <string>
#include <string_view>

namespace fermata::io {

/// Programs that take over the terminal for a while. They run in the foreground with the signals as
/// they were when ours started; we wait until they end. Precondition: the terminal is in the state
/// that a program expects (the line editor is closed).

/// Shows a text with `$PAGER`. False when that is not set, or is `cat`: whoever wants paging says
/// so, since a pager hides what was shown when it ends. Errors: it cannot be started.
result<bool> show_in_pager(std::string_view text);

/// Lets the user edit a text with `$VISUAL` or `$EDITOR` (else vi). The answer is what was saved,
/// without newlines at the end. Errors: it cannot be started or ended with a failure, and then
/// nothing is taken over.
result<std::string> edit_in_editor(std::string_view text);

}  // namespace fermata::io
