#include "core/session/timeline/slug.hpp"

#include "core/invisible_characters.hpp"
#include "core/lang/syntax/token.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <map>

namespace fermata {

namespace {

constexpr std::size_t longest_slug = 64;

/// Letters with marks, each as UTF-8, and what they are without.
const std::map<std::string_view, std::string_view>& plain_letters() {
  static const auto table = [] {
    std::map<std::string_view, std::string_view> letters;
    auto add = [&](std::string_view plain, std::string_view marked) {
      while (!marked.empty()) {
        auto length = code_point_at(marked, 0).bytes;
        letters.emplace(marked.substr(0, length), plain);
        marked.remove_prefix(length);
      }
    };
#define PLAIN(plain, marked) add(plain, marked);
#include "core/session/timeline/plain_letters.inc"
#undef PLAIN
    return letters;
  }();
  return table;
}

/// U+0300 to U+036F, a mark over the letter before it, as some systems write names of files.
bool is_combining(char32_t c) { return c >= 0x300 && c <= 0x36f; }

/// C0 and C1, ends of lines and paragraphs.
bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029;
}

}  // namespace

std::string slug_of(std::string_view name) {
  std::string slug;
  for (std::size_t i = 0; i < name.size();) {
    auto point = code_point_at(name, i);
    auto character = name.substr(i, point.bytes);
    i += point.bytes;
    auto c = character.front();
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      slug += c;
    else if (auto plain = plain_letters().find(character); plain != plain_letters().end())
      slug += plain->second;
    else if (!is_combining(point.value) && !slug.empty() && slug.back() != '-')
      slug += '-';
  }
  if (slug.size() > longest_slug) slug.resize(longest_slug);
  while (!slug.empty() && slug.back() == '-')
    slug.pop_back();
  return slug;
}

std::optional<error> name_too_long(std::string_view name) {
  if (name.size() <= longest_name) return std::nullopt;
  return error{errc::wrong_type,
               "session names have at most " + std::to_string(longest_name) +
                   " bytes; this one has " + std::to_string(name.size()),
               std::nullopt, "Shorten it."};
}

std::string clean_name(std::string_view name) {
  std::string clean;
  for (std::size_t i = 0; i < name.size();) {
    auto c = code_point_at(name, i);
    auto character = name.substr(i, c.bytes);
    i += c.bytes;
    if (!c.valid)
      character = "\ufffd";
    else if (is_control(c.value))
      character = " ";
    else if (is_invisible(c.value))
      continue;
    if (clean.empty() && character == " ") continue;
    if (clean.size() + character.size() > longest_name) break;
    clean += character;
  }
  while (!clean.empty() && clean.back() == ' ')
    clean.pop_back();
  return clean;
}

std::string unique_name(std::string_view name,
                        const std::function<bool(const std::string&)>& taken) {
  std::string called{name};
  // Short enough for the number: a name that is cut off is still one that was not given before.
  constexpr std::size_t room_for_number = 12;
  auto end = std::min(name.size(), longest_name - room_for_number);
  while (end < name.size() && end > 0 && is_utf8_continuation(name[end]))
    --end;
  auto base = clean_name(name.substr(0, end));
  for (int n = 2; !called.empty() && taken(called); ++n)
    called = base + ' ' + std::to_string(n);
  return called;
}

std::string unique_slug(std::string_view name,
                        const std::function<bool(const std::string&)>& taken) {
  auto base = slug_of(name);
  auto unnamed = base.empty();
  if (unnamed)
    base = "session";
  else if (!taken(base))
    return base;
  for (int n = unnamed ? 1 : 2;; ++n) {
    auto number = '-' + std::to_string(n);
    // Shorter by as much as the number needs, and still without two `-` in a row.
    auto room = longest_slug - number.size();
    auto slug = base.substr(0, base.find_last_not_of('-', room - 1) + 1) + number;
    if (!taken(slug)) return slug;
  }
}

}  // namespace fermata
