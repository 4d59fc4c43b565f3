#include "core/lang/syntax/read_word.hpp"

#include "core/lang/syntax/reader.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

namespace fermata {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// `♯ ♭ ♮ 𝄪 𝄫` as the ASCII that the language uses for them.
std::string with_ascii_accidentals(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> table[] = {
      {"♯", "#"}, {"♭", "b"}, {"♮", "n"}, {"𝄪", "x"}, {"𝄫", "bb"}};
  auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(text.begin(), text.end(), is_ascii)) return std::string{text};
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    auto row = std::find_if(std::begin(table), std::end(table),
                            [&](auto& r) { return text.substr(at).starts_with(r.first); });
    if (row != std::end(table)) {
      out += row->second;
      at += row->first.size();
    } else {
      out += text[at++];
    }
  }
  return out;
}

/// Digits in groups joined by +, at most one group after a slash: "3+2", "3+2/8".
bool is_additive(std::string_view s) {
  bool digit = false, slash = false;
  for (char c : s) {
    if (is_digit(c)) {
      digit = true;
    } else if (digit && !slash && (c == '+' || c == '/')) {
      digit = false;
      slash = c == '/';
    } else {
      return false;
    }
  }
  return digit;
}

/// "3:2" with plain digits on both sides.
bool is_ratio(std::string_view s) {
  auto colon = s.find(':');
  if (colon == 0 || colon == std::string_view::npos || colon + 1 == s.size()) return false;
  auto digits = [](std::string_view part) {
    return std::all_of(part.begin(), part.end(), is_digit);
  };
  return digits(s.substr(0, colon)) && digits(s.substr(colon + 1));
}

/// A set class as Forte numbers it: cardinality 0 to 12, hyphen, index: "4-19", "6-31".
bool is_set_class_name(std::string_view s) {
  auto hyphen = s.find('-');
  if (hyphen == 0 || hyphen > 2 || hyphen == std::string_view::npos || s.size() - hyphen > 3 ||
      hyphen + 1 == s.size())
    return false;
  auto digits = [](std::string_view part) {
    return std::all_of(part.begin(), part.end(), is_digit);
  };
  return digits(s.substr(0, hyphen)) && digits(s.substr(hyphen + 1));
}

constexpr const char* exact_limits =
    "exact numbers range from -9223372036854775807 to 9223372036854775807";

/// Numbers: nothing when `s` is not one.
std::optional<word_result> read_number(std::string_view s) {
  auto body = s.starts_with('+') || s.starts_with('-') ? s.substr(1) : s;
  if (body.empty() ||
      !(is_digit(body[0]) || (body[0] == '.' && body.size() > 1 && is_digit(body[1]))))
    return std::nullopt;
  auto first_other = std::find_if_not(body.begin(), body.end(), is_digit);
  if (first_other == body.end()) {
    if (auto n = parse_rational(s)) return value::of(*n);
    return word_error{errc::number_too_large, "the number " + std::string{s} + " is too large",
                      exact_limits};
  }
  if (*first_other == '/') {
    std::string_view below = body.substr(static_cast<std::size_t>(first_other - body.begin()) + 1);
    if (below.empty() || !std::all_of(below.begin(), below.end(), is_digit)) return std::nullopt;
    if (std::all_of(below.begin(), below.end(), [](char c) { return c == '0'; }))
      return word_error{
          errc::division_by_zero, "the fraction " + std::string{s} + " has a zero denominator", {}};
    auto n = parse_rational(s);
    if (!n)
      return word_error{errc::number_too_large, "the number " + std::string{s} + " is too large",
                        exact_limits};
    // 6/8 is a metre and 6/4 a tuplet ratio before it is a number: what is not in lowest terms
    // stays a word, which evaluates to the number where a number is wanted.
    if (s == to_string(*n)) return value::of(*n);
    if (s.starts_with('+') && s.substr(1) == to_string(*n)) return value::of(*n);
    return value::sym(std::string{s});
  }
  if (*first_other == '.' || *first_other == 'e' || *first_other == 'E') {
    auto text = s.starts_with('+') ? s.substr(1) : s;
    double d = 0;
    auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), d);
    if (failed == std::errc::result_out_of_range)
      return word_error{
          errc::number_too_large, "the number " + std::string{s} + " is too large", {}};
    if (failed == std::errc{} && end == text.data() + text.size()) return value::of(d);
  }
  return std::nullopt;
}

bool only_number_characters(std::string_view s) {
  return is_digit(s[0]) && s.find_first_not_of("0123456789.+-/") == std::string_view::npos;
}

word_result read_history(std::string_view s) {
  if (parse_history_reference(s)) return value::sym(std::string{s});
  return word_error{errc::invalid_token, std::string{s} + " is not a history reference",
                    "write $In[47], $Out[47], $Out[-1], $Out[40:45] or $Out[session:47]"};
}

}  // namespace

word_result read_word(std::string_view raw) {
  auto s = with_ascii_accidentals(raw);
  if (s == "true" || s == "#t") return value::of(true);
  if (s == "false" || s == "#f") return value::of(false);
  if (s == "nil") return value{};
  if (s[0] == '$') return read_history(s);
  if (auto number = read_number(s)) return *number;
  if (auto p = parse_pitch(s)) return value::of(*p);
  if (auto bad = s.find_first_of("|\\{}"); bad != std::string::npos)
    return word_error{errc::invalid_token,
                      std::string{"`"} + s[bad] + "` is not allowed here: " + s,
                      "{ } and | are only allowed inside a phrase: #p\"c4:q d | e f\""};
  if (s.find("“") != std::string::npos || s.find("”") != std::string::npos)
    return word_error{errc::invalid_token, "curly quotation marks do not start a string: " + s,
                      "use straight ones: \"...\""};
  if (s[0] == ':') {
    if (s.size() == 1 || s.find(':', 1) != std::string::npos)
      return word_error{errc::invalid_token, "not a keyword: " + s,
                        "keywords are a colon and a name, such as :q or :staccato"};
    return value::kw(s.substr(1));
  }
  if (s.find(':') != std::string::npos) {
    if (is_ratio(s)) return value::sym(s);
    auto colon = s.find(':');
    return word_error{errc::invalid_token, "colon inside a word: " + s,
                      "add a space: " + s.substr(0, colon) + " " + s.substr(colon)};
  }
  if (s[0] == '#')
    return word_error{errc::invalid_token, s + " is not valid",
                      "# starts a comment #| |#, a skipped expression #; or a phrase #p\"...\""};
  if (only_number_characters(s) && !is_additive(s) && !is_set_class_name(s))
    return word_error{errc::invalid_token, "not a number: " + s,
                      "write numbers as 3, -3/2 or 0.75, additive time signatures as 3+2"};
  return value::sym(std::move(s));
}

}  // namespace fermata
