#include "io/terminal/symbols_as_words.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <optional>

namespace fermata::io {

namespace {

constexpr std::string_view delta = "\u0394", envelope = "\u2709";

/// The number at the beginning, which is taken off.
std::optional<std::size_t> take_number(std::string_view& text) {
  std::size_t number = 0;
  auto [stop, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return number;
}

/// `[song ✉2 Δ1` up to the bracket in words, and taken off; nothing where it is no prompt.
std::optional<std::string> take_prompt(std::string_view& text) {
  auto end = text.find(']');
  auto blank = text.find(' ');
  if (end == text.npos || blank > end) return std::nullopt;
  auto rest = text.substr(blank, end - blank);
  std::size_t messages = 0, proposals = 0;
  while (!rest.empty()) {
    rest.remove_prefix(1);
    auto& count = rest.starts_with(envelope) ? messages : proposals;
    if (!rest.starts_with(envelope) && !rest.starts_with(delta)) return std::nullopt;
    rest.remove_prefix(rest.starts_with(envelope) ? envelope.size() : delta.size());
    auto number = take_number(rest);
    if (!number || (!rest.empty() && rest.front() != ' ')) return std::nullopt;
    count = *number;
  }
  auto words = std::string{text.substr(0, blank)} + badges_in_words(messages, proposals);
  text.remove_prefix(end);
  return words;
}

/// `Δ3` or `Δ ` in words, and taken off.
std::optional<std::string> take_delta(std::string_view& text) {
  auto rest = text.substr(delta.size());
  if (rest.starts_with(' ')) {
    text = rest.substr(1);
    return "changes: ";
  }
  auto number = take_number(rest);
  if (!number || (!rest.empty() && std::isalnum(static_cast<unsigned char>(rest.front()))))
    return std::nullopt;
  text = rest;
  return fmt::format("proposal {}", *number);
}

}  // namespace

std::string badges_in_words(std::size_t messages, std::size_t proposals) {
  std::string text;
  if (messages > 0) text += fmt::format(", {} message{}", messages, messages == 1 ? "" : "s");
  if (proposals > 0) text += fmt::format(", {} proposal{}", proposals, proposals == 1 ? "" : "s");
  return text;
}

std::string with_symbols_as_words(std::string_view text) {
  constexpr std::string_view between_words = " \n\t(`";
  std::string out;
  while (!text.empty()) {
    std::optional<std::string> words;
    if (text.starts_with('['))
      words = take_prompt(text);
    else if (text.starts_with(delta) &&
             (out.empty() || between_words.find(out.back()) != between_words.npos))
      words = take_delta(text);
    if (words) {
      out += *words;
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace fermata::io
