#include "io/text/code_wrap.hpp"

#include "core/lang/syntax/token.hpp"
#include "io/text/wrap.hpp"

#include <algorithm>

namespace fermata::io {

namespace {

constexpr std::size_t deeper = 2;  ///< what goes on below stands so far in

/// Puts pieces that must not be broken into lines.
class code_filler {
public:
  code_filler(std::size_t columns, std::size_t indent)
    : columns_(columns), indent_(columns != 0 && indent * 2 > columns ? 0 : indent) {
    begin_line(indent);
  }

  void blanks(std::string_view text) {
    waiting_ += text;
    if (at_begin_) own_ = display_width(waiting_);
  }
  void new_line() {
    waiting_.clear();
    out_ += '\n';
    begin_line(0);
  }
  void piece(std::string_view text) {
    if (column_ == 0) {
      out_.append(indent_, ' ');
      column_ = indent_;
    }
    auto line = text.substr(0, text.find('\n'));
    auto needs = display_width(waiting_) + display_width(line);
    auto below = below_column();
    if (columns_ != 0 && !at_begin_ && column_ + needs > columns_ && column_ > below) {
      out_ += '\n';
      out_.append(below, ' ');
      column_ = below;
    } else {
      out_ += waiting_;
      column_ += display_width(waiting_);
    }
    waiting_.clear();
    out_ += text;
    auto last = text.rfind('\n');
    column_ =
        last == text.npos ? column_ + display_width(text) : display_width(text.substr(last + 1));
    at_begin_ = false;
  }
  std::string finish() && { return std::move(out_); }

private:
  void begin_line(std::size_t column) {
    column_ = column;
    own_ = 0;
    at_begin_ = true;
  }
  /// Where what does not fit goes on. Deep inside it would have no room.
  std::size_t below_column() const {
    auto below = indent_ + own_ + deeper;
    return below * 2 > columns_ ? std::min(indent_ + deeper, columns_ / 2) : below;
  }

  std::size_t columns_, indent_, column_ = 0, own_ = 0;
  bool at_begin_ = true;
  std::string out_, waiting_;
};

}  // namespace

std::string wrapped_code(std::string_view text, std::size_t columns, std::size_t indent) {
  code_filler out{columns, indent};
  std::size_t begin = 0;  // of tokens that stand together without a blank
  auto flush = [&](std::size_t end) {
    if (end > begin) out.piece(text.substr(begin, end - begin));
  };
  for (std::size_t at = 0; at < text.size();) {
    auto t = next_token(text, at);
    auto end = std::max(t.span.end, at + 1);
    if (t.kind == token_kind::space || t.kind == token_kind::newline) {
      flush(at);
      if (t.kind == token_kind::space)
        out.blanks(text.substr(at, end - at));
      else
        out.new_line();
      begin = end;
    }
    at = end;
  }
  flush(text.size());
  return std::move(out).finish();
}

}  // namespace fermata::io
