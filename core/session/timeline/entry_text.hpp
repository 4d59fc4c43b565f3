#pragma once

#include "core/session/timeline/entry.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// All text of an entry that a search covers: input, output, error, content. The views point into
/// the entry.
std::vector<std::string_view> texts_of(const history_entry& e);

/// An entry as the timeline prints it:
///
///     In[4]: (note c4 :q)          [7] [claude (mcp)]: try B flat
///     Out[4]: (note c4 :q)         [8] [you]: yes
///     [5]     :score               [6] (system) restored
///
/// Entries of clients name their author, and an evaluation that changed the score says what it
/// changed. Lines after the first are indented. Without colours and without a final newline;
/// control characters of the content are left as they are.
///
/// In words, for screen readers, labels have no brackets and no signs, and no line is indented:
///
///     In 4: (note c4 :q)           Message 7 from claude (mcp): try B flat
///     Out 4: (note c4 :q)          You, 8: yes
///     Command 5: :score            System, 6: restored
std::string to_text(const history_entry& e, bool accessible = false);

/// The label of a message or a system entry.
std::string message_label(const history_entry& e, bool accessible);

/// The label of a part of an evaluation: `Out[3]`, in words `Out 3`. Outside the timeline it has no
/// number.
std::string part_label(const history_entry& e, std::string_view name, bool accessible);

/// The content; for a new proposal, `Δ2` is "proposal 2" in words, and the rest is the client's
/// own.
std::string words_of(const system_entry& said, bool accessible);

/// "you" for the user at the terminal, otherwise "claude (mcp)".
std::string to_text(const entry_source& s);

}  // namespace fermata
