#pragma once

#include "core/error.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata {

/// The kind of a piece of source text, before it is read. The reader, the formatter and the
/// highlighter share these tokens, so that they agree on where things start and end.
enum class token_kind : std::uint8_t {
  space,          ///< white space without a line break
  newline,        ///< one line end: LF, CR LF, CR
  comment,        ///< `; ...` up to the line break
  block_comment,  ///< `#| ... |#`, nested
  datum_comment,  ///< `#;`: skips the next datum
  open,           ///< ( or [
  close,          ///< ) or ]
  quote,          ///< ' ` , ,@
  string,         ///< "..."
  phrase,         ///< #p"..."
  word,           ///< number, symbol, keyword, pitch, history reference
  invalid,        ///< bytes that start no token
  end,
};

struct token {
  token_kind kind = token_kind::end;
  source_span span;
  bool closed = true;  ///< false: a string or block comment at the end of the text
};

/// The token that starts at byte `at`. Total: any bytes give tokens that cover the text without
/// gaps, each at least one byte long, until `end` at `text.size()`.
token next_token(std::string_view text, std::size_t at);

/// Number of bytes of the blank at `at`: white space before an expression, including line ends and
/// the byte order mark. 0: none.
std::size_t blank_length(std::string_view text, std::size_t at);
/// Offset of the first blank at or after `from`, or npos.
std::size_t find_blank(std::string_view text, std::size_t from = 0);
/// Offset of the first byte at or after `from` that is not a blank, or npos.
std::size_t find_no_blank(std::string_view text, std::size_t from = 0);
/// The text without the blanks around it.
std::string_view without_blanks(std::string_view text);

}  // namespace fermata
