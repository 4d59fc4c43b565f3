#include "midi/performance/playback_text.hpp"

#include "core/score/model/attribute_of.hpp"

#include <cctype>
#include <cmath>
#include <cstdlib>

namespace fermata::midi {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Where an element of this name begins in `xml`, as the offset of its "<".
std::size_t element_begin(std::string_view xml, std::string_view name) {
  for (auto at = xml.find('<'); at != std::string_view::npos; at = xml.find('<', at + 1)) {
    auto rest = xml.substr(at + 1);
    if (rest.substr(0, name.size()) != name) continue;
    if (rest.size() == name.size() ||
        std::string_view{" />"}.find(rest[name.size()]) != std::string_view::npos)
      return at;
  }
  return std::string_view::npos;
}

}  // namespace

std::optional<double> number_in(std::string_view text) {
  if (text.empty() || text.size() > 40) return std::nullopt;
  for (char c : text)
    if (!is_digit(c) && c != '.' && c != '-') return std::nullopt;
  std::string copy{text};
  char* end = nullptr;
  auto value = std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<double> first_number_in(std::string_view text) {
  auto begin = text.find_first_of("0123456789");
  if (begin == std::string_view::npos) return std::nullopt;
  auto end = begin;
  while (end < text.size() && (is_digit(text[end]) || text[end] == '.'))
    ++end;
  while (text[end - 1] == '.')
    --end;
  return number_in(text.substr(begin, end - begin));
}

std::optional<std::string> element_text(std::string_view xml, std::string_view name) {
  auto at = element_begin(xml, name);
  if (at == std::string_view::npos) return std::nullopt;
  auto open_end = xml.find('>', at);
  if (open_end == std::string_view::npos) return std::nullopt;
  if (xml[open_end - 1] == '/') return std::string{};
  auto end = xml.find('<', open_end);
  return std::string{xml.substr(open_end + 1, end - open_end - 1)};
}

std::optional<rational> share_in(std::string_view percent) {
  auto value = parse_rational(percent);
  if (!value || *value < rational{0} || *value > rational{100}) return std::nullopt;
  return *value / rational{100};
}

std::string_view child_of(const preserved& x, std::string_view name) {
  if (x)
    for (auto& child : x->children)
      if (element_begin(child.xml, name) == 0) return child.xml;
  return {};
}

std::string plain_words_of(std::string_view text) {
  std::string out;
  bool blank = false;
  for (unsigned char c : text) {
    if (c < 128 && std::isalnum(c)) {
      if (blank && !out.empty()) out += ' ';
      blank = false;
      out += static_cast<char>(std::tolower(c));
    } else if (std::isspace(c) || c == '-' || c == '.' || c == ',') {
      blank = true;
    }
  }
  return out;
}

measure_position sounding_place(const measure_item& item) {
  if (auto* d = std::get_if<direction>(&item.content)) {
    if (!d->offset) return item.at;
    auto kept = child_of(d->extra, "offset");
    bool sounds = kept.find("sound=\"yes\"") != std::string_view::npos;
    auto later = item.at + *d->offset;
    return sounds && later >= measure_position{} ? later : item.at;
  }
  return item.at;
}

}  // namespace fermata::midi
