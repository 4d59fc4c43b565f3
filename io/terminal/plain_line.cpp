#include "io/terminal/plain_line.hpp"

#include "core/utf8.hpp"
#include "io/text/wrap.hpp"

#include <algorithm>

namespace fermata::io {

namespace {

/// As far as two texts are the same, in whole characters.
std::size_t common_length(std::string_view a, std::string_view b) {
  auto n = static_cast<std::size_t>(
      std::mismatch(a.begin(),
                    a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())),
                    b.begin())
          .first -
      a.begin());
  auto is_inside = [](std::string_view text, std::size_t at) {
    return at < text.size() && is_utf8_continuation(text[at]);
  };
  while (n > 0 && (is_inside(a, n) || is_inside(b, n)))
    --n;
  return n;
}

}  // namespace

std::size_t plain_line::column_after(std::string_view text) const {
  return display_width(prompt_) + display_width(text);
}

std::size_t plain_line::row_of(std::size_t offset, std::string_view text) const {
  return column_after(text.substr(0, offset)) / columns_;
}

std::string plain_line::anew(std::string_view prompt, std::string_view text, std::size_t cursor) {
  std::string out = begun_ ? "\r\n" : "";
  begun_ = true;
  prompt_ = prompt;
  // What stands behind the cursor is written only where the terminal can go back over it.
  auto whole = row_of(text.size(), text) == row_of(cursor, text);
  text_ = whole ? text : text.substr(0, cursor);
  cursor_ = cursor;
  return out + prompt_ + text_ +
         std::string(display_width(std::string_view{text_}.substr(cursor)), '\b');
}

/// Another prompt, as while a search goes on: in place of the old one where both fit a row.
std::string plain_line::over(std::string_view prompt, std::string_view text, std::size_t cursor) {
  auto was = column_after(text_), wide = display_width(prompt) + display_width(text);
  if (was >= columns_ || wide >= columns_) return anew(prompt, text, cursor);
  prompt_ = prompt;
  text_ = text;
  cursor_ = cursor;
  auto blanks = was > wide ? was - wide : 0;
  return '\r' + prompt_ + text_ + std::string(blanks, ' ') +
         std::string(blanks + display_width(text.substr(cursor)), '\b');
}

std::string plain_line::show(std::string_view prompt, std::string_view text, std::size_t cursor,
                             std::size_t columns) {
  columns_ = std::max<std::size_t>(columns, 2);
  cursor = std::min(cursor, text.size());
  if (!begun_) return anew(prompt, text, cursor);
  if (prompt != prompt_) return over(prompt, text, cursor);
  std::string_view shown = text_;
  auto before = text.substr(0, cursor);
  // Only up to the cursor is shown, and it went on.
  if (cursor_ == shown.size() && before.size() > shown.size() && before.starts_with(shown) &&
      cursor < text.size() && row_of(text.size(), text) != row_of(cursor, text)) {
    auto more = std::string{before.substr(shown.size())};
    text_ = before;
    cursor_ = cursor;
    return more;
  }
  auto same = common_length(shown, text);
  auto only_moves = shown == text || (before == shown && cursor_ == shown.size());
  if (only_moves) same = cursor;
  std::string out;
  if (cursor_ < same && same <= shown.size()) {
    out = shown.substr(cursor_, same - cursor_);
  } else if (cursor_ > same) {
    if (row_of(cursor_, shown) != row_of(same, shown)) return anew(prompt, text, cursor);
    out.append(display_width(shown.substr(same, cursor_ - same)), '\b');
  }
  if (only_moves) {
    cursor_ = cursor;
    return out;
  }
  auto rest = text.substr(same), gone = shown.substr(same);
  auto wide = display_width(rest), was = display_width(gone);
  auto blanks = was > wide ? was - wide : 0;
  auto end = column_after(text) + blanks;
  // The cursor hangs behind the last column there; going back would stop in another row.
  auto can_return =
      end / columns_ == row_of(cursor, text) || (blanks == 0 && cursor == text.size());
  if (!can_return) return anew(prompt, text, cursor);
  out += rest;
  out.append(blanks, ' ');
  out.append(blanks + display_width(text.substr(cursor)), '\b');
  text_ = text;
  cursor_ = cursor;
  return out;
}

}  // namespace fermata::io
