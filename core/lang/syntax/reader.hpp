#pragma once

#include "core/lang/value/value.hpp"
#include "core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// A top-level datum and its text range.
struct read_form {
  value datum;
  source_span span;
};

/// The result of reading a text: its data; or that it ends inside a form (with the openers that are
/// still open, outermost first); or errors. Data before the first error are in `forms`.
struct read_result {
  std::vector<read_form> forms;
  std::vector<source_span> open;  ///< non-empty: incomplete, more lines may complete it
  error errors;                   ///< empty diagnostics: none
  bool complete() const { return open.empty() && errors.diagnostics.empty(); }
};

/// Limits for any input: nesting 1,000 data deep and 64 MiB of text.
struct reader_limits {
  std::size_t nesting = 1'000;
  std::size_t bytes = 64u << 20;
};

/// Reads all of `text`. Iterative: nesting costs heap, not stack. Never throws.
read_result read(std::string_view text, const reader_limits& limits = {});

/// A parsed history token. The reader returns these tokens as symbols, which print as they were
/// written: `$In[47]`, `$Out[-1]`, `$Out[40:45]`, `$Out[session:12]`, `$Out[session:40:45]`, `%`.
struct history_reference {
  bool output = true;                ///< $Out, else $In
  std::string session;               ///< empty: this one
  std::int64_t first = -1;           ///< negative: counted back from here
  std::optional<std::int64_t> last;  ///< given for a range, inclusive
};
std::optional<history_reference> parse_history_reference(std::string_view text);

}  // namespace fermata
