#pragma once

#include "core/session/timeline/entry.hpp"

#include <cstddef>
#include <string>

namespace fermata::io {

/// How entries are shown.
struct entry_look {
  bool color = false;
  std::size_t columns = 0;  ///< prose is broken there; 0: not at all
  bool echo_input =
      false;  ///< say what was entered, since it is not on the screen with this number
  /// Rows of an echoed input; of a longer one the rest is counted. 0: all. It was not typed here,
  /// so it may be longer than the user wants to read.
  std::size_t input_rows = 0;
  std::string display = "fermata";  ///< of values; a word of that setting
  bool unicode = true;              ///< staves are drawn with more than ASCII
  bool linear = false;  ///< words instead of signs and carets, for screen readers and braille
};

/// An entry of the timeline as the prompt shows it, complete lines; empty when it shows nothing.
///
///     In[3]: (transpose +2 motif)        with echo_input
///     Out[3]: (note d4 :q)
///     Err[4]: unknown-form: ...          with the line and carets below the place
///     [5] [Claude (mcp)]: try B flat
///     [6] [you]: yes
///     [7] (system) restored
///     (system) nothing can be saved      of index 0: it is not in the timeline
///
/// With `linear`:
///
///     Out 3: (note d4 :q)
///     Error 4: unknown-form: ...  At line 1, column 2: nte.
///     Message 5 from Claude (mcp): try B flat
///
/// Whatever an entry holds, nothing in it reaches the terminal as a control sequence.
std::string entry_view(const history_entry& e, const entry_look& look);

}  // namespace fermata::io
