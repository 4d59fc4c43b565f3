#include "io/protocol/json_members.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace json = boost::json;

namespace fermata::io::protocol {

namespace {

constexpr std::string_view blanks = " \t\r\n";

std::size_t after_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(blanks, at), text.size());
}

/// Behind the string that begins here with a quote.
std::size_t after_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      return at + 1;
  }
  return text.size();
}

std::size_t after_value(std::string_view text, std::size_t at) {
  if (at < text.size() && text[at] == '"') return after_string(text, at);
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = after_string(text, at);
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    // The end of what is around a plain value, or of a structured one itself.
    if ((c == '}' || c == ']') && --depth <= 0) return depth < 0 ? at : at + 1;
    if (depth == 0 && (c == ',' || blanks.find(c) != std::string_view::npos)) return at;
    ++at;
  }
  return at;
}

/// A name as it is meant: `"\u0069d"` is `id`.
std::string name_of(std::string_view quoted) {
  if (quoted.find('\\') == std::string_view::npos)
    return std::string{quoted.substr(1, quoted.size() - 2)};
  boost::system::error_code ec;
  auto parsed = json::parse(quoted, ec);
  return !ec && parsed.is_string() ? std::string{std::string_view{parsed.get_string()}}
                                   : std::string{quoted};
}

using member = std::pair<std::string, std::string_view>;

std::vector<member> members_in(std::string_view object) {
  std::vector<member> out;
  auto at = after_blanks(object, after_blanks(object, 0) + 1);
  while (at < object.size() && object[at] == '"') {
    auto end = after_string(object, at);
    auto name = name_of(object.substr(at, end - at));
    at = after_blanks(object, after_blanks(object, end) + 1);  // the colon
    end = after_value(object, at);
    out.emplace_back(std::move(name), object.substr(at, end - at));
    at = after_blanks(object, after_blanks(object, end) + 1);  // the comma
  }
  return out;
}

}  // namespace

std::vector<std::string_view> items_in(std::string_view array) {
  std::vector<std::string_view> out;
  auto at = after_blanks(array, after_blanks(array, 0) + 1);
  while (at < array.size() && array[at] != ']') {
    auto end = after_value(array, at);
    out.push_back(array.substr(at, end - at));
    at = after_blanks(array, end);
    if (at < array.size() && array[at] == ',') at = after_blanks(array, at + 1);
  }
  return out;
}

std::optional<std::string_view> member_in(std::string_view object, std::string_view name) {
  for (auto& [its_name, value] : members_in(object))
    if (its_name == name) return value;
  return std::nullopt;
}

bool is_doubled(std::string_view object, std::string_view name) {
  auto all = members_in(object);
  return std::count_if(all.begin(), all.end(), [&](auto& m) { return m.first == name; }) > 1;
}

std::optional<std::string> doubled_member(std::string_view text) {
  struct level {
    bool is_object;
    std::set<std::string> names;
  };
  std::vector<level> open;
  bool name_comes = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      auto end = after_string(text, at);
      if (std::exchange(name_comes, false))
        if (auto [name, is_new] = open.back().names.insert(name_of(text.substr(at, end - at)));
            !is_new)
          return *name;
      at = end;
      continue;
    }
    if (c == '{' || c == '[') {
      open.push_back({c == '{', {}});
      name_comes = c == '{';
    } else if ((c == '}' || c == ']') && !open.empty()) {
      open.pop_back();
      name_comes = false;
    } else if (c == ',' && !open.empty()) {
      name_comes = open.back().is_object;
    }
    ++at;
  }
  return std::nullopt;
}

}  // namespace fermata::io::protocol
