#include "io/musicxml/simple_type.hpp"

#include "core/utf8.hpp"
#include "io/musicxml/ending_number.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <unordered_map>

namespace fermata::io::musicxml {

/// A row of the table with its values taken apart.
struct simple_type {
  std::string_view name;
  bool (*builtin)(std::string_view) = nullptr;  ///< an xs: type or one with a pattern
  const simple_type* base = nullptr;
  std::vector<const simple_type*> members;   ///< of a union
  std::vector<std::string_view> values;      ///< of an enumeration
  std::optional<double> least, most, above;  ///< bounds of a number
  bool collapses = false;                    ///< white space around does not count
};

namespace {

struct type_row {
  std::string_view name, base, facets;
};
constexpr type_row type_rows[] = {
#define FERMATA_ELEMENT(id, name, children, attributes, text)
#define FERMATA_SIMPLE_TYPE(name, base, facets) {name, base, facets},
#include "io/musicxml/schema_table.inc"
#undef FERMATA_ELEMENT
#undef FERMATA_SIMPLE_TYPE
};

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// XML name characters within ASCII.
bool name_character(char c) {
  return letter(c) || digit(c) || c == '.' || c == '-' || c == '_' || c == ':';
}
bool all(std::string_view s, bool (*test)(char)) { return std::all_of(s.begin(), s.end(), test); }

bool any_text(std::string_view) { return true; }
bool decimal(std::string_view s) {
  if (!s.empty() && (s.front() == '-' || s.front() == '+')) s.remove_prefix(1);
  std::size_t digits = 0, points = 0;
  for (auto c : s) {
    digits += digit(c);
    points += c == '.';
  }
  return digits > 0 && points <= 1 && digits + points == s.size();
}
bool integer(std::string_view s) {
  if (!s.empty() && (s.front() == '-' || s.front() == '+')) s.remove_prefix(1);
  return !s.empty() && all(s, digit);
}
bool non_negative(std::string_view s) {
  return integer(s) && (s.front() != '-' || s.find_first_of("123456789") == s.npos);
}
bool positive(std::string_view s) {
  return integer(s) && s.front() != '-' && s.find_first_of("123456789") != s.npos;
}
bool nmtoken(std::string_view s) { return !s.empty() && all(s, name_character); }
/// Letters of the great scripts, from the table of XML 1.0 (fourth edition, appendix B), which is
/// what validators go by. Names with other characters are right too, but too rare to carry all of
/// it: they are kept, wrapped.
bool wide_letter(std::uint32_t c) {
  struct range {
    std::uint32_t first, last;
  };
  static constexpr range ranges[] = {
      {0xC0, 0xD6},     {0xD8, 0xF6},   {0xF8, 0x131},    {0x134, 0x13E},   {0x141, 0x148},
      {0x14A, 0x17E},   {0x388, 0x38A}, {0x38E, 0x3A1},   {0x3A3, 0x3CE},   {0x401, 0x40C},
      {0x40E, 0x44F},   {0x451, 0x45C}, {0x45E, 0x481},   {0x5D0, 0x5EA},   {0x621, 0x63A},
      {0x641, 0x64A},   {0x905, 0x939}, {0x3041, 0x3094}, {0x30A1, 0x30FA}, {0x4E00, 0x9FA5},
      {0xAC00, 0xD7A3},
  };
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [c](auto& r) { return c >= r.first && c <= r.last; });
}
bool ncname(std::string_view s) {
  if (s.empty()) return false;
  for (bool first = true; !s.empty(); first = false) {
    auto c = s.front();
    if (static_cast<unsigned char>(c) >= 0x80) {
      auto wide = code_point_at(s, 0);
      if (!wide.valid || !wide_letter(wide.value)) return false;
      s.remove_prefix(wide.bytes);
      continue;
    }
    auto fits = first ? letter(c) || c == '_' : name_character(c) && c != ':';
    if (!fits) return false;
    s.remove_prefix(1);
  }
  return true;
}
bool language(std::string_view s) {
  for (bool first = true;; first = false) {
    auto part = s.substr(0, s.find('-'));
    auto fits = first ? all(part, letter) : all(part, [](char c) { return letter(c) || digit(c); });
    if (part.empty() || part.size() > 8 || !fits) return false;
    if (part.size() == s.size()) return true;
    s.remove_prefix(part.size() + 1);
  }
}
/// RFC 3986 characters with complete escapes; stricter than the schema in doubtful cases.
bool uri(std::string_view s) {
  int fragments = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    auto c = s[i];
    if (c == '%') {
      auto hex = [&](std::size_t k) {
        return k < s.size() && std::isxdigit(static_cast<unsigned char>(s[k]));
      };
      if (!hex(i + 1) || !hex(i + 2)) return false;
    } else if (c == '#') {
      ++fragments;
    } else if (!letter(c) && !digit(c) &&
               std::string_view{"-._~:/?@!$&'()*+,;="}.find(c) == std::string_view::npos) {
      return false;
    }
  }
  auto colon = s.find(':'), slash = s.find_first_of("/?#");
  if (colon != s.npos && colon < slash) {
    auto scheme = s.substr(0, colon);
    if (scheme.empty() || !letter(scheme.front()) || !all(scheme, [](char c) {
          return letter(c) || digit(c) || c == '+' || c == '.' || c == '-';
        }))
      return false;
  }
  // An authority ("//host:port") must be a plain host name with a numeric port.
  if (auto at = s.find("//"); at != s.npos && (at == 0 || (colon != s.npos && at == colon + 1))) {
    auto authority = s.substr(at + 2);
    authority = authority.substr(0, authority.find_first_of("/?#"));
    auto port = authority.rfind(':');
    if (port != authority.npos && !all(authority.substr(port + 1), digit)) return false;
    if (!all(authority.substr(0, port),
             [](char c) { return letter(c) || digit(c) || c == '.' || c == '-' || c == '_'; }))
      return false;
  }
  return fragments <= 1;
}
bool date(std::string_view s) {
  if (s.size() != 10 || s[4] != '-' || s[7] != '-') return false;
  auto y = s.substr(0, 4), m = s.substr(5, 2), d = s.substr(8, 2);
  if (!all(y, digit) || !all(m, digit) || !all(d, digit) || y == "0000") return false;
  auto number = [](std::string_view t) { return std::atoi(std::string{t}.c_str()); };
  auto year = number(y), month = number(m), day = number(d);
  constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (month < 1 || month > 12) return false;
  auto leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return day >= 1 && day <= days[month - 1] + (month == 2 && leap ? 1 : 0);
}

// Types with a pattern of their own.
bool color(std::string_view s) {
  return (s.size() == 7 || s.size() == 9) && s.front() == '#' &&
         all(s.substr(1), [](char c) { return digit(c) || (c >= 'A' && c <= 'F'); });
}
bool comma_separated(std::string_view s) {
  return !s.empty() && s.front() != ',' && s.back() != ',' && s.find(",,") == s.npos;
}
bool time_only(std::string_view s) {
  return !s.empty() && s.front() != ' ' && detail::is_ending_number(s);
}
template <class... Prefixes>
bool glyph(std::string_view s, bool more, Prefixes... prefixes) {
  auto fits = [&](std::string_view p) {
    return s.starts_with(p) && (!more || s.size() > p.size());
  };
  return nmtoken(s) && (fits(prefixes) || ...);
}
bool accidental_glyph(std::string_view s) {
  return glyph(s, true, "acc", "medRenFla", "medRenNatura", "medRenShar", "kievanAccidental");
}
bool coda_glyph(std::string_view s) { return glyph(s, false, "coda"); }
bool lyrics_glyph(std::string_view s) { return glyph(s, true, "lyrics"); }
bool pictogram_glyph(std::string_view s) { return glyph(s, true, "pict"); }
bool segno_glyph(std::string_view s) { return glyph(s, false, "segno"); }
bool wavy_line_glyph(std::string_view s) {
  return glyph(s, true, "wiggle") || (glyph(s, false, "guitar") && s.ends_with("VibratoStroke"));
}
bool some_text(std::string_view s) { return !s.empty(); }

struct builtin_row {
  std::string_view name;
  bool (*test)(std::string_view);
};
constexpr builtin_row builtin_rows[] = {
    {"xs:string", any_text},
    {"xs:token", any_text},
    {"xs:decimal", decimal},
    {"xs:integer", integer},
    {"xs:nonNegativeInteger", non_negative},
    {"xs:positiveInteger", positive},
    {"xs:NMTOKEN", nmtoken},
    {"xs:ID", ncname},
    {"xs:IDREF", ncname},
    {"xs:language", language},
    {"xs:anyURI", uri},
    {"xs:date", date},
    {"color", color},
    {"comma-separated-text", comma_separated},
    {"time-only", time_only},
    {"ending-number", detail::is_ending_number},
    {"measure-text", some_text},
    {"smufl-accidental-glyph-name", accidental_glyph},
    {"smufl-coda-glyph-name", coda_glyph},
    {"smufl-lyrics-glyph-name", lyrics_glyph},
    {"smufl-pictogram-glyph-name", pictogram_glyph},
    {"smufl-segno-glyph-name", segno_glyph},
    {"smufl-wavy-line-glyph-name", wavy_line_glyph},
};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    auto end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

struct type_table {
  std::unordered_map<std::string_view, simple_type> types;

  type_table() {
    for (auto& row : builtin_rows) {
      auto& t = types[row.name];
      t.name = row.name;
      t.builtin = row.test;
      t.collapses = row.name != "xs:string";
    }
    for (auto& row : type_rows) {
      auto& t = types[row.name];
      t.name = row.name;
      if (row.base == "union") {
        auto semicolon = row.facets.find(';');
        for (auto member : split(row.facets.substr(0, semicolon), '|'))
          t.members.push_back(&types[member]);
        t.values = split(row.facets.substr(semicolon + 1), '|');
        continue;
      }
      t.base = &types[row.base];
      if (row.facets.starts_with("pattern=")) continue;  // tested by a function above
      for (auto facet : split(row.facets, '|')) {
        if (facet.find('=') == facet.npos)
          t.values.push_back(facet);
        else
          add_bounds(t, facet);
      }
    }
  }

  /// "minInclusive=1 & maxInclusive=8"
  static void add_bounds(simple_type& t, std::string_view text) {
    for (auto facet : split(text, '&')) {
      auto begin = facet.find_first_not_of(' ');
      auto equals = facet.find('=');
      auto name = facet.substr(begin, equals - begin);
      auto value = std::atof(std::string{facet.substr(equals + 1)}.c_str());
      if (name == "minInclusive")
        t.least = value;
      else if (name == "maxInclusive")
        t.most = value;
      else if (name == "minExclusive")
        t.above = value;
    }
  }
};

const type_table& the_types() {
  static const type_table t;
  return t;
}

std::string collapsed(std::string_view s) {
  std::string out;
  bool gap = false;
  for (auto c : s) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      gap = !out.empty();
      continue;
    }
    if (gap) out += ' ';
    gap = false;
    out += c;
  }
  return out;
}

/// Whether white space around and inside is folded before the value is looked at.
bool collapses(const simple_type& t) {
  if (t.base) return collapses(*t.base);
  return t.collapses;
}

bool holds(const simple_type& t, std::string_view value) {
  auto enumerated = [&] {
    return std::find(t.values.begin(), t.values.end(), value.empty() ? "(empty)" : value) !=
           t.values.end();
  };
  if (!t.members.empty() || (!t.base && !t.builtin))
    return enumerated() || std::any_of(t.members.begin(), t.members.end(),
                                       [&](auto* m) { return is_valid(*m, value); });
  if (t.base && !holds(*t.base, value)) return false;
  if (t.builtin && !t.builtin(value)) return false;
  if (!t.values.empty()) return enumerated();
  if (t.least || t.most || t.above) {
    auto number = std::atof(std::string{value}.c_str());
    return (!t.least || number >= *t.least) && (!t.most || number <= *t.most) &&
           (!t.above || number > *t.above);
  }
  return true;
}

bool has_blanks(std::string_view s) {
  return std::any_of(s.begin(), s.end(),
                     [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
}

}  // namespace

const simple_type* find_simple_type(std::string_view name) {
  auto& types = the_types().types;
  auto found = types.find(name);
  return found == types.end() ? nullptr : &found->second;
}

bool is_valid(const simple_type& type, std::string_view value) {
  if (has_blanks(value) && collapses(type)) return holds(type, collapsed(value));
  return holds(type, value);
}

bool is_id(const simple_type& type) { return type.name == "xs:ID"; }
bool is_id_reference(const simple_type& type) { return type.name == "xs:IDREF"; }

}  // namespace fermata::io::musicxml
