#include "io/protocol/client_name.hpp"

#include "core/invisible_characters.hpp"
#include "core/session/timeline/slug.hpp"
#include "core/utf8.hpp"
#include "io/text/code_point.hpp"
#include "io/text/safe_text.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace fermata::io::protocol {

namespace {

const std::map<char32_t, char>& look_alikes() {
  static const auto table = [] {
    std::map<char32_t, char> letters;
    auto add = [&](std::string_view letter, std::string_view characters) {
      for (std::size_t i = 0; i < characters.size();) {
        auto c = code_point_at(characters, i);
        letters.emplace(c.value, letter.front());
        i += c.bytes;
      }
    };
#define LOOKS_LIKE(letter, characters) add(letter, characters);
#include "io/protocol/look_alike_letters.inc"
#undef LOOKS_LIKE
    return letters;
  }();
  return table;
}

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/// The name as it looks at a glance: ASCII letters in lower case for all that may be taken for
/// them, marks left out.
std::string as_it_looks(std::string_view name) {
  std::string looks;
  for (std::size_t i = 0; i < name.size();) {
    auto c = code_point_at(name, i);
    auto character = name.substr(i, c.bytes);
    i += c.bytes;
    if (auto alike = look_alikes().find(c.value); alike != look_alikes().end())
      looks += alike->second;
    else if (auto plain = slug_of(character); !plain.empty())
      looks += plain;
    else if (cells(c.value) > 0)
      looks += c.value < 0x80 ? static_cast<char>(c.value) : '?';
  }
  // As UTS #39 has it: set tightly, the two look like one letter.
  for (auto at = looks.find("rn"); at != looks.npos; at = looks.find("rn", at))
    looks.replace(at, 2, "m");
  return looks;
}

}  // namespace

std::string shown_client_name(std::string_view client) {
  std::string visible;
  for (std::size_t i = 0; i < client.size();) {
    auto c = code_point_at(client, i);
    auto ends_a_line = c.value == 0x2028 || c.value == 0x2029;
    if (c.valid && ends_a_line)
      visible += ' ';
    else if (!c.valid || !is_invisible(c.value))
      visible += client.substr(i, c.bytes);
    i += c.bytes;
  }
  auto name = clean_name(safe_text(visible));
  // The timeline has names in brackets: [claude (mcp)].
  std::replace(name.begin(), name.end(), '[', '(');
  std::replace(name.begin(), name.end(), ']', ')');
  return name;
}

bool is_reserved_name(std::string_view client) {
  constexpr std::string_view names[] = {"user", "you", "system", "fermata"};
  auto looks = as_it_looks(client);
  auto first = std::find_if(looks.begin(), looks.end(), is_letter_or_digit);
  auto end = std::find_if_not(first, looks.end(), is_letter_or_digit);
  if (std::find(std::begin(names), std::end(names), std::string_view{first, end}) ==
      std::end(names))
    return false;
  // Said to be a client, as `fermata mcp` signs for a host of such a name.
  if (client.ends_with(" (client)")) return false;
  // "system-monitor" is a name of its own; "you: x" is not.
  constexpr std::string_view joints = " -_./";
  auto goes_on = end != looks.end() && joints.find(*end) != joints.npos &&
                 std::next(end) != looks.end() && is_letter_or_digit(*std::next(end));
  return !goes_on;
}

}  // namespace fermata::io::protocol
