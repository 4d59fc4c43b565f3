#include "io/terminal/edit_view.hpp"

#include "core/utf8.hpp"
#include "io/text/code_point.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fermata::io {

namespace {

/// Fills rows cell by cell.
class row_writer {
public:
  row_writer(std::size_t columns, bool color)
    : columns_(std::max<std::size_t>(columns, 2)), color_(color) {}

  void put(std::string_view glyph, std::size_t width, style look) {
    if (column_ + width > columns_) new_row(column_ == columns_);
    switch_to(look);
    row_ += glyph;
    column_ += width;
  }

  void put_all(std::string_view text, style look) {
    for (std::size_t i = 0; i < text.size();) {
      auto c = code_point_at(text, i);
      put_shown(text.substr(i, c.bytes), c, look);
      i += c.bytes;
    }
  }

  /// A character of unknown origin.
  void put_shown(std::string_view bytes, const code_point& c, style look) {
    if (!c.valid)
      put_letters(fmt::format("\\x{:02x}", static_cast<unsigned>(c.value)), style::wrong);
    else if (c.value == '\t')
      put_letters(std::string(8 - column_ % 8, ' '), look);
    else if (c.value < 0x20 || c.value == 0x7F)
      put_letters(std::string{'^', static_cast<char>(c.value ^ 0x40U)}, look);
    else if (c.value >= 0x80 && c.value < 0xA0)
      put_letters(fmt::format("\\u{:04x}", static_cast<unsigned>(c.value)), look);
    else
      put(bytes, cells(c.value), look);
  }

  void new_row(bool full = false) {
    switch_to(style::plain);
    picture_.rows.push_back(std::move(row_));
    picture_.full.push_back(full);
    row_.clear();
    column_ = 0;
  }

  void mark_cursor() {
    // A cursor behind the last column belongs to the row below.
    if (column_ == columns_) new_row(true);
    picture_.cursor_row = picture_.rows.size();
    picture_.cursor_column = column_;
  }

  edit_picture finish() {
    new_row(column_ == columns_);
    return std::move(picture_);
  }

  std::size_t columns() const { return columns_; }

private:
  void put_letters(const std::string& letters, style look) {
    for (char c : letters)
      put({&c, 1}, 1, look);
  }

  void switch_to(style look) {
    if (!color_ || look == look_) return;
    if (!sgr(look_).empty()) row_ += "\x1b[0m";
    row_ += sgr(look);
    look_ = look;
  }

  std::size_t columns_;
  bool color_;
  edit_picture picture_;
  std::string row_;
  std::size_t column_ = 0;
  style look_ = style::plain;
};

/// Keeps the rows around the cursor and, where there is more than one, the hint in the last row.
void clip(edit_picture& p, std::size_t rows, bool has_hint) {
  rows = std::max<std::size_t>(rows, 1);
  if (p.rows.size() <= rows) return;
  if (has_hint && rows > 1) {
    auto hint = std::move(p.rows.back());
    auto full = p.full.back();
    p.rows.pop_back();
    p.full.pop_back();
    clip(p, rows - 1, false);
    p.rows.push_back(std::move(hint));
    p.full.push_back(full);
    return;
  }
  auto first = p.cursor_row < rows ? 0 : p.cursor_row - rows + 1;
  auto keep = [&](auto& v) {
    v.erase(v.begin() + static_cast<std::ptrdiff_t>(std::min(first + rows, v.size())), v.end());
    v.erase(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(first));
  };
  keep(p.rows);
  keep(p.full);
  p.cursor_row -= first;
}

std::string up(std::size_t rows) { return rows == 0 ? "" : fmt::format("\x1b[{}A", rows); }

}  // namespace

std::string plain_text(const prompt_text& p) {
  std::string text;
  for (auto& piece : p)
    text += piece.text;
  return text;
}

edit_picture picture(const edit_view& v) {
  row_writer out{v.columns, v.color};
  for (auto& piece : v.prompt)
    out.put_all(piece.text, piece.look);
  auto span = v.spans.begin();
  auto look_at = [&](std::size_t i) {
    while (span != v.spans.end() && span->end <= i)
      ++span;
    return span != v.spans.end() && span->begin <= i ? span->look : style::plain;
  };
  for (std::size_t i = 0; i < v.text.size();) {
    if (i == v.cursor) out.mark_cursor();
    auto c = code_point_at(v.text, i);
    if (c.value == '\n') {
      out.new_row();
      out.put_all(v.continuation, style::continuation);
    } else {
      out.put_shown(v.text.substr(i, c.bytes), c, look_at(i));
    }
    i += c.bytes;
  }
  if (v.cursor >= v.text.size()) out.mark_cursor();
  if (!v.hint.empty()) {
    out.new_row();
    // One row, whatever it takes: a hint must not push the text about.
    std::size_t width = 0;
    for (std::size_t i = 0; i < v.hint.size();) {
      auto c = code_point_at(v.hint, i);
      auto w = c.valid && c.value >= 0x20 ? cells(c.value) : 4;
      if (width + w > out.columns() - 1) break;
      out.put_shown(std::string_view{v.hint}.substr(i, c.bytes), c, style::hint);
      width += w;
      i += c.bytes;
    }
  }
  auto p = out.finish();
  clip(p, v.rows, !v.hint.empty());
  return p;
}

std::string repaint(const edit_picture& shown, const edit_picture& wanted) {
  std::string out;
  auto same = [&](std::size_t i) {
    return i < shown.rows.size() && shown.rows[i] == wanted.rows[i] &&
           shown.full[i] == wanted.full[i];
  };
  bool text_changes = shown.rows.size() != wanted.rows.size();
  for (std::size_t i = 0; i < wanted.rows.size() && !text_changes; ++i)
    text_changes = !same(i);
  if (!text_changes && shown.cursor_row == wanted.cursor_row &&
      shown.cursor_column == wanted.cursor_column)
    return out;

  out += '\r' + up(shown.cursor_row);
  std::size_t row = 0;
  if (text_changes) {
    for (std::size_t i = 0; i < wanted.rows.size(); ++i) {
      if (i > 0) {
        out += "\r\n";
        ++row;
      }
      if (same(i)) continue;
      out += wanted.rows[i];
      // After the last column the cursor hangs there still, and erasing would take that column.
      if (!wanted.full[i]) out += "\x1b[K";
    }
    if (shown.rows.size() > wanted.rows.size()) {
      out += "\r\n\x1b[J";
      ++row;
    }
  }
  if (row > wanted.cursor_row)
    out += '\r' + up(row - wanted.cursor_row);
  else
    for (out += '\r'; row < wanted.cursor_row; ++row)
      out += '\n';
  if (wanted.cursor_column > 0) out += fmt::format("\x1b[{}C", wanted.cursor_column);
  return out;
}

std::string erase(const edit_picture& shown) { return '\r' + up(shown.cursor_row) + "\x1b[J"; }

std::string leave(const edit_picture& shown) {
  if (shown.rows.empty()) return {};
  std::string out = "\r";
  for (auto row = shown.cursor_row; row < shown.rows.size(); ++row)
    out += '\n';
  return out;
}

}  // namespace fermata::io
