#include "io/terminal/nesting.hpp"

#include "core/lang/syntax/token.hpp"

namespace fermata::io {

void nesting::feed(std::string_view piece) {
  bool look = !unclosed_ || may_close(piece);
  text_ += piece;
  if (!look) return;
  unclosed_ = false;
  while (at_ < text_.size()) {
    auto t = next_token(text_, at_);
    if (!t.closed) {
      unclosed_ = true;
      return;
    }
    if (t.kind == token_kind::open) {
      open_.push_back(t.span.begin);
    } else if (t.kind == token_kind::close && !open_.empty()) {
      pairs_.emplace_back(open_.back(), t.span.begin);
      open_.pop_back();
    }
    at_ = t.span.end;
  }
}

/// Without this, a string that goes over many lines would be walked again for each of them.
bool nesting::may_close(std::string_view piece) const {
  return piece.find_first_of("\"#") != piece.npos;
}

std::size_t nesting::indentation() const {
  if (open_.empty() || unclosed_) return 0;
  auto line = text_.rfind('\n', open_.back());
  auto column = open_.back() - (line == text_.npos ? 0 : line + 1);
  return column + (text_[open_.back()] == '(' ? 2 : 1);
}

std::size_t nesting::innermost() const { return open_.empty() ? std::string::npos : open_.back(); }

std::size_t nesting::partner(std::size_t offset) const {
  for (auto [open, close] : pairs_) {
    if (open == offset) return close;
    if (close == offset) return open;
  }
  return std::string::npos;
}

}  // namespace fermata::io
