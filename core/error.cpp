#include "core/error.hpp"

#include "core/line_ends.hpp"
#include "core/shortened.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <array>

namespace fermata {

namespace {

/// One code point of the excerpt as it is safe to print: a terminal must not obey what a source
/// text contains.
std::string printable(const code_point& c) {
  if (c.value == '\t') return " ";
  // U+0080..U+009F are control characters too.
  if (!c.valid || c.value < 0x20 || (c.value >= 0x7f && c.value < 0xa0)) return "\ufffd";
  std::string shown;
  append_utf8(shown, c.value);
  return shown;
}

/// The part of a line that is shown, and where the carets go, in code points.
struct excerpt {
  std::string text;
  std::size_t caret = 0;
  std::size_t carets = 1;
};

excerpt excerpt_of(std::string_view line, std::size_t begin, std::size_t end) {
  // Of a very long line only the surroundings of the fault are shown.
  constexpr std::size_t before = 60, width = 110;
  excerpt result;
  std::vector<std::string> shown;
  std::size_t first = 0, last = 0, index = 0;
  bool has_last = false;
  for (std::size_t at = 0; at < line.size(); ++index) {
    auto c = code_point_at(line, at);
    if (at <= begin && begin < at + c.bytes) first = index;
    if (at < end) {
      last = index + 1;
      has_last = true;
    }
    shown.push_back(printable(c));
    at += c.bytes;
  }
  if (begin >= line.size()) first = index;
  if (!has_last || last <= first) last = first + 1;
  auto from = first > before && index > width ? first - before : 0;
  auto to = std::min(index, from + width);
  if (from > 0) result.text += "\u2026";
  for (auto i = from; i < to; ++i)
    result.text += shown[i];
  if (to < index) result.text += "\u2026";
  result.caret = first - from + (from > 0 ? 1 : 0);
  result.carets = std::max<std::size_t>(1, std::min(last, std::max(to, first + 1)) - first);
  return result;
}

/// What a message quotes may hold control characters, which a terminal would obey.
std::string harmless(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto c = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F are controls too.
    auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    auto c1 = c == 0xc2 && next >= 0x80 && next < 0xa0;
    if (c1 || (c < 0x20 && c != '\n') || c == 0x7f) {
      constexpr char digits[] = "0123456789abcdef";
      if (c1) c = static_cast<unsigned char>(text[++i]);
      out += "\\u00";
      out += digits[c >> 4];
      out += digits[c & 15];
    } else {
      out += text[i];
    }
  }
  return out;
}

void render_one(std::string& out, const diagnostic& d, std::string_view source,
                std::string_view origin) {
  bool many_lines = line_at(source, 0).next < source.size();
  line_column place;
  if (d.span) place = locate(source, d.span->begin);
  if (!origin.empty()) {
    out += origin;
    if (d.span) out += ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
    out += ": ";
  }
  out += info(d.code).name;
  out += ": ";
  out +=
      harmless(shortened(d.message.empty() ? info(d.code).summary : std::string_view{d.message}));
  out += '\n';
  if (d.span && !source.empty()) {
    auto begin = std::min(d.span->begin, source.size());
    // Between the two bytes of a line end is still in front of it.
    if (begin > 0 && line_end_length(source, begin - 1) == 2) --begin;
    auto line_begin = begin == 0 ? std::string_view::npos : source.find_last_of("\r\n", begin - 1);
    line_begin = line_begin == std::string_view::npos ? 0 : line_begin + 1;
    auto line_end = line_at(source, begin).end;
    auto line = source.substr(line_begin, line_end - line_begin);
    auto end = std::clamp(d.span->end, begin, line_end);
    auto shown = excerpt_of(line, begin - line_begin, end - line_begin);
    auto gutter = many_lines ? std::to_string(place.line) + " | " : std::string{};
    out += "  " + gutter + shown.text + "\n";
    out += "  " + std::string(gutter.size(), ' ') + std::string(shown.caret, ' ') +
           std::string(shown.carets, '^') + "\n";
  }
  if (!d.hint.empty()) {
    out += "  ";
    for (char c : harmless(shortened(d.hint)))
      out += c == '\n' ? "\n  " : std::string{c};
    out += '\n';
  }
}

/// Code points as numbers, malformed bytes as numbers that are none: enough to compare spellings.
std::vector<char32_t> code_points(std::string_view text) {
  constexpr char32_t beyond_unicode = 0x110000;
  std::vector<char32_t> result;
  for (std::size_t at = 0; at < text.size();) {
    auto c = code_point_at(text, at);
    result.push_back(c.valid ? c.value : beyond_unicode + c.value);
    at += c.bytes;
  }
  return result;
}

/// Damerau-Levenshtein distance in its restricted form (optimal string alignment: a transposed pair
/// is not edited again), row by row.
std::size_t edit_distance(const std::vector<char32_t>& a, const std::vector<char32_t>& b) {
  std::vector<std::size_t> two_back(b.size() + 1), back(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    back[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({back[j] + 1, row[j - 1] + 1, back[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], two_back[j - 2] + 1);
    }
    two_back.swap(back);
    back.swap(row);
  }
  return back[b.size()];
}

/// Whether the letters of `part` occur in `whole` in order.
bool is_subsequence(const std::vector<char32_t>& part, const std::vector<char32_t>& whole) {
  std::size_t found = 0;
  for (auto c : whole)
    if (found < part.size() && part[found] == c) ++found;
  return found == part.size();
}

}  // namespace

const std::vector<error_info>& error_table() {
  static const std::vector<error_info> table{
#define FERMATA_ERROR(id, name, summary, explanation, example) \
  {errc::id, name, summary, explanation, example},
#include "core/error_table.inc"
#undef FERMATA_ERROR
  };
  return table;
}

const error_info& info(errc code) { return error_table()[static_cast<std::size_t>(code)]; }

const error_info* find_error(std::string_view name) {
  for (const auto& row : error_table())
    if (row.name == name) return &row;
  return nullptr;
}

line_column locate(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  line_column result;
  std::size_t line_begin = 0;
  for (auto next = line_at(text, 0).next; next <= offset; next = line_at(text, next).next) {
    ++result.line;
    line_begin = next;
  }
  for (auto at = line_begin; at < offset; ++result.column) {
    at += code_point_at(text, at).bytes;
    if (at > offset)  // the offset lies inside this code point: that is the column
      break;
  }
  return result;
}

std::string render(const error& e, std::string_view source, std::string_view origin) {
  std::string out;
  for (const auto& d : e.diagnostics)
    render_one(out, d, source, origin);
  return out;
}

std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string_view>& candidates) {
  // Nobody mistypes a word this long; without a bound a pasted file would be compared with all.
  constexpr std::size_t max_length = 64;
  auto wanted = code_points(word.substr(0, 4 * max_length + 1));
  if (wanted.size() > max_length) return std::nullopt;
  auto limit = wanted.size() / 3;
  std::optional<std::string> best;
  bool best_kept_order = false;
  for (auto candidate : candidates) {
    if (candidate.size() > 4 * max_length) continue;
    auto other = code_points(candidate);
    auto apart =
        wanted.size() > other.size() ? wanted.size() - other.size() : other.size() - wanted.size();
    if (apart > limit) continue;
    auto distance = edit_distance(wanted, other);
    if (distance > limit) continue;
    // Of equally near ones, a word from which only letters were left out is likelier meant than one
    // with another letter: "nte" is "note" rather than "nth".
    auto kept_order = is_subsequence(wanted, other);
    if (best && distance == limit && (best_kept_order || !kept_order)) continue;
    best = candidate;
    best_kept_order = kept_order;
    if (distance == 0) return best;
    limit = distance;
  }
  return best;
}

}  // namespace fermata
