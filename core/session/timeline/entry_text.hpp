#pragma once

#include "core/session/timeline/entry.hpp"

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
/// What was entered elsewhere names its author, an evaluation that changed the score says what it
/// changed. Lines after the first are indented. Without colours and without a newline at the end;
/// control characters of the content are left as they are.
///
/// In words, for who hears or feels it, labels have no brackets and no sign, and no line is
/// indented:
///
///     In 4: (note c4 :q)           Message 7 from claude (mcp): try B flat
///     Out 4: (note c4 :q)          You, 8: yes
///     Command 5: :score            System, 6: restored
std::string to_text(const history_entry& e, bool in_words = false);

/// What stands before a message or a System entry there.
std::string message_label(const history_entry& e, bool in_words);

/// What stands before a part of an evaluation: `Out[3]`, in words `Out 3`. What is in no timeline
/// has no number.
std::string part_label(const history_entry& e, std::string_view name, bool in_words);

/// What it says; of a proposal that comes, `Δ2` is "proposal 2" in words, and what follows it is
/// the client's own.
std::string words_of(const system_entry& said, bool in_words);

/// "you" for the musician at the terminal, else "claude (mcp)".
std::string to_text(const entry_source& s);

}  // namespace fermata
