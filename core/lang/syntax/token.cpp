#include "core/lang/syntax/token.hpp"

#include "core/line_ends.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// Length of the white-space character at `at` that is not a line end: ASCII blanks, the Unicode
/// spaces that word processors put in, the byte order mark. 0: none.
std::size_t space_length(std::string_view text, std::size_t at) {
  switch (text[at]) {
    case ' ':
    case '\t':
    case '\f':
    case '\v': return 1;
    default: break;
  }
  auto rest = text.substr(at, 3);
  if (rest.starts_with("\u00a0")) return 2;
  if (rest == "\u3000" || rest == "\ufeff" || rest == "\u202f" || rest == "\u205f") return 3;
  // U+2000 .. U+200B
  if (rest.size() == 3 && rest.starts_with("\xe2\x80") &&
      static_cast<unsigned char>(rest[2]) >= 0x80 && static_cast<unsigned char>(rest[2]) <= 0x8b)
    return 3;
  return 0;
}

bool ends_word(std::string_view text, std::size_t at) {
  auto c = static_cast<unsigned char>(text[at]);
  if (c <= 0x20 || c == 0x7f) return true;
  switch (c) {
    case '(':
    case ')':
    case '[':
    case ']':
    case '"':
    case ';':
    case '\'':
    case '`':
    case ',': return true;
    default: return c >= 0x80 && space_length(text, at) > 0;
  }
}

token string_token(std::string_view text, std::size_t begin, std::size_t quote, token_kind kind) {
  for (auto at = quote + 1; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      return {kind, {begin, at + 1}, true};
  }
  return {kind, {begin, text.size()}, false};
}

token block_comment_token(std::string_view text, std::size_t begin) {
  std::size_t depth = 1, at = begin + 2;
  while (at + 1 < text.size()) {
    auto two = text.substr(at, 2);
    if (two == "#|" || two == "|#") {
      depth += two == "#|" ? 1 : -1;
      at += 2;
      if (depth == 0) return {token_kind::block_comment, {begin, at}, true};
    } else {
      ++at;
    }
  }
  return {token_kind::block_comment, {begin, text.size()}, false};
}

token word_token(std::string_view text, std::size_t begin) {
  auto at = begin;
  while (at < text.size() && !ends_word(text, at))
    ++at;
  // $In[47] and $Out[other:1] are single words although they hold brackets.
  if (text[begin] == '$' && at < text.size() && text[at] == '[') {
    auto close = at + 1;
    while (close < text.size() &&
           (text[close] == '-' || text[close] == ':' || !ends_word(text, close)))
      ++close;
    if (close < text.size() && text[close] == ']') at = close + 1;
  }
  if (at == begin) return {token_kind::invalid, {begin, begin + 1}};
  return {token_kind::word, {begin, at}};
}

}  // namespace

token next_token(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {token_kind::end, {text.size(), text.size()}};
  auto one = [at](token_kind kind, std::size_t n = 1) { return token{kind, {at, at + n}}; };
  if (auto n = space_length(text, at)) {
    auto end = at + n;
    while (end < text.size() && (n = space_length(text, end)) > 0)
      end += n;
    return {token_kind::space, {at, end}};
  }
  switch (text[at]) {
    case '\n':
    case '\r': return one(token_kind::newline, line_end_length(text, at));
    case '(':
    case '[': return one(token_kind::open);
    case ')':
    case ']': return one(token_kind::close);
    case '\'':
    case '`': return one(token_kind::quote);
    case ',': return one(token_kind::quote, text.substr(at).starts_with(",@") ? 2 : 1);
    case ';': {
      return {token_kind::comment, {at, line_at(text, at).end}};
    }
    case '"': return string_token(text, at, at, token_kind::string);
    case '#': {
      auto rest = text.substr(at, 3);
      if (rest.starts_with("#|")) return block_comment_token(text, at);
      if (rest.starts_with("#;")) return one(token_kind::datum_comment, 2);
      if (rest == "#p\"") return string_token(text, at, at + 2, token_kind::phrase);
      return word_token(text, at);
    }
    default: return word_token(text, at);
  }
}

std::size_t blank_length(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  auto n = line_end_length(text, at);
  return n > 0 ? n : space_length(text, at);
}

std::size_t find_blank(std::string_view text, std::size_t from) {
  for (; from < text.size(); ++from)
    if (blank_length(text, from) > 0) return from;
  return std::string_view::npos;
}

std::size_t find_no_blank(std::string_view text, std::size_t from) {
  while (from < text.size()) {
    auto n = blank_length(text, from);
    if (n == 0) return from;
    from += n;
  }
  return std::string_view::npos;
}

std::string_view without_blanks(std::string_view text) {
  auto begin = find_no_blank(text);
  if (begin == text.npos) return {};
  auto end = text.size();
  for (auto at = begin; at < end;) {
    auto blank = find_blank(text, at);
    if (blank == text.npos) break;
    at = find_no_blank(text, blank);
    if (at == text.npos) end = blank;
  }
  return text.substr(begin, end - begin);
}

}  // namespace fermata
