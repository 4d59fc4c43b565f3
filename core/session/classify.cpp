#include "core/session/classify.hpp"

#include "core/lang/token.hpp"

#include <algorithm>

namespace fermata {

namespace {

constexpr std::string_view blanks = " \t\r\n\f\v";

std::string_view trimmed(std::string_view text) {
  auto begin = text.find_first_not_of(blanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool looks_like_a_command(std::string_view after_colon) {
  auto word = after_colon.substr(0, after_colon.find_first_of(blanks));
  // A colon alone, `: help`, `::`, `:!ls`: what was meant is a command, which says what is wrong.
  if (word.empty() || (static_cast<unsigned char>(word.front()) < 0x80 &&
                       !is_letter(word.front()) && !is_digit(word.front())))
    return true;
  if (!is_letter(word.front())) return false;
  return std::all_of(word.begin(), word.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
}

}  // namespace

classified_input classify(std::string_view line) {
  auto text = trimmed(line);
  if (text.empty()) return {};
  if (text.substr(0, 2) == "//") return {input_kind::chat, std::string{trimmed(text.substr(2))}};
  if (text.front() == ':' && looks_like_a_command(text.substr(1)))
    return {input_kind::command, std::string{text.substr(1)}};
  return {input_kind::expression, std::string{text}};
}

std::optional<undecodable_line> find_undecodable(std::string_view line) {
  auto bad = find_invalid_utf8(line);
  if (bad == line.npos) return std::nullopt;
  constexpr std::size_t replaced = 3;  // bytes of U+FFFD
  return undecodable_line{as_valid_utf8(line),
                          {errc::invalid_utf8, "not valid UTF-8 at byte " + std::to_string(bad),
                           source_span{bad, bad + replaced},
                           "nothing of this line was done; write it again as UTF-8"}};
}

}  // namespace fermata
