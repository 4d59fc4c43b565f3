#include "core/music/duration.hpp"

#include "core/music/name_match.hpp"
#include "core/music/note_value_names.hpp"

#include <array>
#include <bit>
#include <cstddef>

namespace fermata {

namespace {

/// One row per note value: how it is printed, what MusicXML calls it, what else it is called. The
/// words are the American and the British names.
struct note_base_names {
  std::string_view keyword;
  std::string_view musicxml;
  std::array<std::string_view, 6> others;
};
constexpr note_base_names note_base_table[] = {
    {"maxima", "maxima", {"octuple-whole"}},
    {"long", "long", {"longa", "quadruple-whole"}},
    {"breve", "breve", {"double-whole", "double-whole-note"}},
    {"w", "whole", {"1", "semibreve", "whole-note"}},
    {"h", "half", {"2", "minim", "half-note"}},
    {"q", "quarter", {"4", "crotchet", "quarter-note"}},
    {"8", "eighth", {"e", "quaver", "8th", "eighth-note"}},
    {"16", "16th", {"s", "sixteenth", "semiquaver", "sixteenth-note"}},
    {"32", "32nd", {"thirty-second", "demisemiquaver", "thirty-second-note"}},
    {"64", "64th", {"sixty-fourth", "hemidemisemiquaver", "sixty-fourth-note"}},
    {"128",
     "128th",
     {"hundred-twenty-eighth", "one-hundred-twenty-eighth", "semihemidemisemiquaver",
      "quasihemidemisemiquaver"}},
    {"256", "256th", {"two-hundred-fifty-sixth", "demisemihemidemisemiquaver"}},
    {"512", "512th", {"five-hundred-twelfth"}},
    {"1024", "1024th", {"thousand-twenty-fourth", "one-thousand-twenty-fourth"}},
};

/// More dots than anyone writes; the bound keeps the exact length within 64 bits.
constexpr std::size_t max_note_dots = 16;

std::optional<note_base> find_base(std::string_view text) {
  if (text.empty()) return std::nullopt;
  for (std::size_t i = 0; i < std::size(note_base_table); ++i)
    if (same_name(text, note_base_table[i].keyword) || same_name(text, note_base_table[i].musicxml))
      return static_cast<note_base>(i);
  for (std::size_t i = 0; i < std::size(note_base_table); ++i)
    for (auto other : note_base_table[i].others)
      if (same_name(text, other)) return static_cast<note_base>(i);
  return std::nullopt;
}

}  // namespace

quarters length(note_base b) {
  auto i = static_cast<int>(b);
  constexpr auto quarter = static_cast<int>(note_base::quarter);
  return i <= quarter ? quarters{std::int64_t{1} << (quarter - i)}
                      : quarters{rational{1, std::int64_t{1} << (i - quarter)}};
}

std::string_view musicxml_name(note_base b) {
  return note_base_table[static_cast<std::size_t>(b)].musicxml;
}

std::optional<note_base> parse_musicxml_note_base(std::string_view name) {
  for (std::size_t i = 0; i < std::size(note_base_table); ++i)
    if (note_base_table[i].musicxml == name) return static_cast<note_base>(i);
  return std::nullopt;
}

quarters length(note_value v) {
  auto base = length(v.base);
  if (v.dots == 0) return base;
  if (v.dots > 32) throw rational_overflow{};
  auto halves = std::int64_t{1} << v.dots;
  return base * rational{2 * halves - 1, halves};
}

std::string to_string(note_value v) {
  std::string out{note_base_table[static_cast<std::size_t>(v.base)].keyword};
  out.append(v.dots, '.');
  return out;
}

std::optional<note_value> parse_note_value(std::string_view text) {
  auto last = text.find_last_not_of('.');
  if (last == std::string_view::npos) return std::nullopt;
  auto dots = text.size() - last - 1;
  if (dots > max_note_dots) return std::nullopt;
  auto base = find_base(text.substr(0, last + 1));
  if (!base) return std::nullopt;
  return note_value{*base, static_cast<std::uint8_t>(dots)};
}

std::vector<std::string_view> note_value_names() {
  std::vector<std::string_view> names;
  auto add = [&](std::string_view name) {
    if (name.size() > 1) names.push_back(name);
  };
  for (const auto& row : note_base_table) {
    add(row.keyword);
    add(row.musicxml);
    for (auto other : row.others)
      add(other);
  }
  return names;
}

std::optional<note_value> note_value_for(quarters q) {
  // A base of 2^k quarters with n dots lasts 2^(k-n) (2^(n+1) - 1): an odd factor that is all ones.
  auto num = q.value.numerator(), den = q.value.denominator();
  if (num <= 0 || !std::has_single_bit(static_cast<std::uint64_t>(den))) return std::nullopt;
  auto twos = std::countr_zero(static_cast<std::uint64_t>(num));
  auto odd = static_cast<std::uint64_t>(num) >> twos;
  auto width = static_cast<int>(std::bit_width(odd));
  if (!std::has_single_bit(odd + 1) || width > 4) return std::nullopt;
  auto exponent = twos - std::countr_zero(static_cast<std::uint64_t>(den)) + width - 1;
  auto index = static_cast<int>(note_base::quarter) - exponent;
  if (index < 0 || index > static_cast<int>(note_base::n1024th)) return std::nullopt;
  return note_value{static_cast<note_base>(index), static_cast<std::uint8_t>(width - 1)};
}

std::vector<note_value> tied_note_values(quarters q) {
  // Longer than any piece: a number from outside must not become a million tied notes.
  constexpr std::int64_t max_quarters = 1 << 20;
  auto den = static_cast<std::uint64_t>(q.value.denominator());
  if (q <= quarters{} || q > quarters{max_quarters} || !std::has_single_bit(den) || den > 256)
    return {};
  std::vector<note_value> result;
  while (q > quarters{}) {
    if (auto exact = note_value_for(q); exact && exact->dots <= 2) {
      result.push_back(*exact);
      break;
    }
    note_value best{note_base::n1024th, 0};
    for (std::size_t i = 0; i < std::size(note_base_table); ++i) {
      note_value plain{static_cast<note_base>(i), 0}, dotted{static_cast<note_base>(i), 1};
      if (plain.base != note_base::n1024th && length(dotted) <= q) {
        best = dotted;
        break;
      }
      if (length(plain) <= q) {
        best = plain;
        break;
      }
    }
    result.push_back(best);
    q = q - length(best);
  }
  return result;
}

}  // namespace fermata
