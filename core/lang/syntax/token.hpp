#pragma once

#include "core/error.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata {

/// What a stretch of source text is, before anything is made of it. The reader, the formatter and
/// the highlighter all walk these, so that they agree on where things begin and end.
enum class token_kind : std::uint8_t {
  space,          ///< white space without a line break
  newline,        ///< one line end: LF, CR LF, CR
  comment,        ///< `; ...` up to the line break
  block_comment,  ///< `#| ... |#`, nested
  datum_comment,  ///< `#;`: the next datum is left out
  open,           ///< ( or [
  close,          ///< ) or ]
  quote,          ///< ' ` , ,@
  string,         ///< "..."
  phrase,         ///< #p"..."
  word,           ///< number, symbol, keyword, pitch, history reference
  invalid,        ///< bytes that begin nothing
  end,
};

struct token {
  token_kind kind = token_kind::end;
  source_span span;
  bool closed = true;  ///< false: a string or block comment that the text ends in
};

/// The token that begins at byte `at`. Total: any bytes give tokens that cover the text without
/// gaps, each at least one byte long, until `end` at `text.size()`.
token next_token(std::string_view text, std::size_t at);

/// Bytes of the blank at `at`: what stands before an expression and means nothing, line ends and
/// the byte order mark too. 0: none.
std::size_t blank_length(std::string_view text, std::size_t at);
/// Offset of the first blank at or behind `from`, or npos.
std::size_t find_blank(std::string_view text, std::size_t from = 0);
/// Offset of the first byte at or behind `from` that is no blank, or npos.
std::size_t find_no_blank(std::string_view text, std::size_t from = 0);
/// The text without the blanks around it.
std::string_view without_blanks(std::string_view text);

}  // namespace fermata
