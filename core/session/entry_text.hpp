#pragma once

#include "core/session/entry.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// Everything in an entry that a search for words looks at: input, output, error, content. The
/// views point into the entry.
std::vector<std::string_view> texts_of(const history_entry& e);

/// An entry as the timeline prints it:
///
///     In[4]: (note c4 :q)          [7] [claude (mcp)]: try B flat
///     Out[4]: (note c4 :q)         [8] [you]: yes
///     [5]     :score               [6] (system) restored
///
/// An evaluation from elsewhere names its author, one that changed the score says what it changed.
/// Lines after the first are indented. Without colours and without a newline at the end; control
/// characters of the content are left as they are.
std::string to_text(const history_entry& e);

/// "terminal" for the musician, else "claude (mcp)".
std::string to_text(const entry_source& s);

/// UTC, "2026-02-01 14:03:07".
std::string to_text(timestamp t);

}  // namespace fermata
