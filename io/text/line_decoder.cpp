#include "io/text/line_decoder.hpp"

#include "core/utf8.hpp"

#include <algorithm>

namespace fermata::io::protocol {

void line_decoder::feed(std::string_view bytes) {
  if (overflowed_) return;
  // Moving the rest to the front only once half of the buffer is used up keeps this linear.
  if (begin_ > 0 && begin_ * 2 >= buffer_.size()) {
    buffer_.erase(0, begin_);
    seen_ -= begin_;
    begin_ = 0;
  }
  buffer_.append(bytes);
}

void line_decoder::finish() { finished_ = true; }

void line_decoder::go_on() { overflowed_ = false; }

std::optional<std::string_view> line_decoder::next() {
  while (!overflowed_) {
    if (skipping_) {
      const auto end = buffer_.find('\n', begin_);
      skipping_ = end == std::string::npos;
      begin_ = seen_ = skipping_ ? buffer_.size() : end + 1;
      if (skipping_) return std::nullopt;
    }
    auto end = buffer_.find('\n', seen_);
    auto whole = end != std::string::npos;
    if (!whole) end = buffer_.size();
    // A CR may still belong to the end of the line, so it is allowed beyond the limit.
    if (end - begin_ > limit_ + 1 || (end - begin_ == limit_ + 1 && buffer_[end - 1] != '\r')) {
      overflowed_ = true;
      skipping_ = true;
      beginning_ = buffer_.substr(begin_, 256);
      buffer_.erase(0, end);
      begin_ = seen_ = 0;
      return std::nullopt;
    }
    seen_ = end;
    if (!whole && (!finished_ || begin_ == end)) return std::nullopt;
    std::string_view line{buffer_.data() + begin_, end - begin_};
    begin_ = seen_ = whole ? end + 1 : end;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.find_first_not_of(" \t") != std::string_view::npos) return line;
  }
  return std::nullopt;
}

std::string_view clipped(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && is_utf8_continuation(text[bytes]))
    --bytes;
  return text.substr(0, bytes);
}

bool looks_like_http(std::string_view line) {
  // METHOD SP target SP HTTP/1.1; no JSON text begins with an upper-case letter.
  auto word = line.substr(0, line.find(' '));
  if (word.empty() || word.size() > 16 || word.size() == line.size()) return false;
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

}  // namespace fermata::io::protocol
