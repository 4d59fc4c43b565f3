#include "core/music/duration.hpp"
#include "io/musicxml/canonical_xml.hpp"
#include "io/musicxml/import_context.hpp"

#include <array>
#include <charconv>

namespace fermata::io::musicxml::detail {

namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && blank(s.front()))
    s.remove_prefix(1);
  while (!s.empty() && blank(s.back()))
    s.remove_suffix(1);
  return s;
}

}  // namespace

std::string_view import_context::token(pugi::xml_node n) {
  if (plain_text) return trimmed(n.child_value());
  scratch_ = text_of(n);
  return trimmed(scratch_);
}

std::string import_context::verbatim(pugi::xml_node n) const {
  return plain_text ? std::string{n.child_value()} : text_of(n);
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::optional<rational> parse_decimal(std::string_view text) {
  if (auto whole = parse_integer(text)) return rational{*whole};
  text = trimmed(text);
  if (text.find('/') != std::string_view::npos) return std::nullopt;
  // XML Schema lets either side of the point be empty, but not both.
  std::string complete{text};
  auto point = complete.find('.');
  if (point == std::string::npos || complete.size() == 1) return std::nullopt;
  if (point + 1 == complete.size()) complete += '0';
  if (point == 0 || !(complete[point - 1] >= '0' && complete[point - 1] <= '9'))
    complete.insert(point, 1, '0');
  return parse_rational(complete);
}

std::optional<step> parse_step(std::string_view text) {
  if (text.size() != 1) return std::nullopt;
  switch (text.front()) {
    case 'C': return step::c;
    case 'D': return step::d;
    case 'E': return step::e;
    case 'F': return step::f;
    case 'G': return step::g;
    case 'A': return step::a;
    case 'B': return step::b;
    default: return std::nullopt;
  }
}

std::optional<int> parse_semitones(std::string_view text) {
  auto semitones = parse_decimal(text);
  if (!semitones || abs(*semitones) > rational{100}) return std::nullopt;
  auto cents = *semitones * rational{100};
  if (!cents.is_integer()) return std::nullopt;
  return static_cast<int>(cents.numerator());
}

std::optional<note_base> parse_note_type(std::string_view text) {
  // The common ones first; the rest by the table.
  if (text == "eighth") return note_base::eighth;
  if (text == "quarter") return note_base::quarter;
  if (text == "16th") return note_base::n16th;
  if (text == "half") return note_base::half;
  return parse_musicxml_note_base(text);
}

std::optional<std::uint8_t> read_staff(import_context& c, pugi::xml_node n) {
  auto number = parse_integer(c.token(n));
  if (number && *number >= 1 && *number <= 255) return static_cast<std::uint8_t>(*number);
  c.warn(n, "a staff must be a number from 1 to 255");
  return std::nullopt;
}

std::uint8_t read_number(import_context&, pugi::xml_node n) {
  auto number = parse_integer(n.attribute("number").value());
  return number && *number >= 1 && *number <= 16 ? static_cast<std::uint8_t>(*number) : 1;
}

bool says_yes(pugi::xml_node n, const char* attribute) {
  return std::string_view{n.attribute(attribute).value()} == "yes";
}

}  // namespace fermata::io::musicxml::detail
