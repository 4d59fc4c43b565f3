#include "core/music/pitch.hpp"

#include "core/music/modular.hpp"

#include <array>
#include <charconv>
#include <cstddef>

namespace fermata {

namespace {

constexpr std::string_view letter_names = "cdefgab";

/// One accidental spelling; the first row of an alteration is the one that is printed.
struct accidental_spelling {
  std::string_view text;
  std::int16_t cents;
};
constexpr accidental_spelling accidental_spellings[] = {
    {"", 0},       {"#", 100}, {"b", -100}, {"##", 200},  {"bb", -200}, {"###", 300},
    {"bbb", -300}, {"+", 50},  {"d", -50},  {"#+", 150},  {"db", -150}, {"s", 100},
    {"x", 200},    {"n", 0},   {"+#", 150}, {"bd", -150},
};

/// Musical signs and what they stand for in ASCII.
struct accidental_sign {
  std::string_view utf8;
  std::string_view ascii;
};
constexpr accidental_sign accidental_signs[] = {
    {"\u266f", "#"}, {"\u266d", "b"}, {"\u266e", "n"}, {"\U0001d12a", "##"}, {"\U0001d12b", "bb"},
};

std::optional<step> parse_letter(char c) {
  auto at = letter_names.find(c >= 'A' && c <= 'G' ? static_cast<char>(c - 'A' + 'a') : c);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<step>(at);
}

/// A whole accidental, nothing before or after it. Signs of the Unicode blocks and ASCII may mix.
std::optional<std::int16_t> parse_accidental(std::string_view text) {
  if (text.empty()) return std::int16_t{0};
  if (text.front() == '{') {
    if (text.size() < 3 || text.back() != '}') return std::nullopt;
    auto digits = text.substr(1, text.size() - 2);
    if (digits.front() == '+') digits.remove_prefix(1);
    if (digits.empty() || digits.front() == '+') return std::nullopt;
    std::int16_t cents = 0;
    auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), cents);
    if (fault != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return cents;
  }
  std::array<char, 4> ascii;
  std::size_t size = 0;
  while (!text.empty()) {
    auto piece = text.substr(0, 1);
    auto width = piece.size();
    for (const auto& s : accidental_signs)
      if (text.starts_with(s.utf8)) {
        piece = s.ascii;
        width = s.utf8.size();
      }
    if (size + piece.size() > ascii.size()) return std::nullopt;
    for (char c : piece)
      ascii[size++] = c;
    text.remove_prefix(width);
  }
  for (const auto& a : accidental_spellings)
    if (a.text == std::string_view{ascii.data(), size}) return a.cents;
  return std::nullopt;
}

/// An accidental in words, after the letter: "-sharp", " flat", "-double-sharp".
std::optional<std::int16_t> parse_accidental_words(std::string_view text) {
  std::string plain;
  for (char c : text) {
    if (plain.size() > 24) return std::nullopt;
    if (c != '-' && c != ' ') plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  constexpr accidental_spelling words[] = {
      {"sharp", 100},
      {"flat", -100},
      {"natural", 0},
      {"doublesharp", 200},
      {"doubleflat", -200},
      {"triplesharp", 300},
      {"tripleflat", -300},
      {"quartersharp", 50},
      {"quarterflat", -50},
      {"threequartersharp", 150},
      {"threequarterflat", -150},
      {"threequarterssharp", 150},
      {"threequartersflat", -150},
  };
  for (const auto& w : words)
    if (w.text == plain) return w.cents;
  return std::nullopt;
}

void append_name(std::string& out, step letter, int cents) {
  out += letter_names[static_cast<std::size_t>(letter)];
  for (const auto& a : accidental_spellings)
    if (a.cents == cents) {
      out += a.text;
      return;
    }
  out += cents < 0 ? "{" : "{+";
  out += std::to_string(cents);
  out += '}';
}

}  // namespace

int pitch_class(pitch_name n) {
  auto semitones = floor_div(semitones_above_c(n.letter) * 100 + n.cents, 100);
  return mod(semitones, 12);
}

std::optional<int> line_of_fifths(pitch_name n) {
  constexpr int natural[] = {0, 2, 4, -1, 1, 3, 5};
  if (n.cents % 100 != 0) return std::nullopt;
  return natural[static_cast<int>(n.letter)] + 7 * (n.cents / 100);
}

pitch_name from_line_of_fifths(int position) {
  constexpr step order[] = {step::f, step::c, step::g, step::d, step::a, step::e, step::b};
  auto alteration = floor_div(position, 7);
  auto index = position - 7 * alteration + 1;
  if (index == 7) {
    index = 0;
    ++alteration;
  }
  return {order[index], static_cast<std::int16_t>(alteration * 100)};
}

std::string to_string(pitch p) {
  std::string out;
  append_name(out, p.letter, p.cents);
  out += std::to_string(p.octave);
  return out;
}

std::string to_string(pitch_name n) {
  std::string out;
  append_name(out, n.letter, n.cents);
  return out;
}

std::optional<pitch> parse_pitch(std::string_view text) {
  // Letter and octave are fixed at both ends, so the accidental is what lies between: the longest
  // one wins by itself.
  if (text.size() < 2 || text.back() < '0' || text.back() > '9') return std::nullopt;
  auto letter = parse_letter(text.front());
  if (!letter) return std::nullopt;
  int octave = text.back() - '0';
  auto between = text.substr(1, text.size() - 2);
  if (!between.empty() && between.back() == '-') {
    if (octave != 1) return std::nullopt;
    octave = -1;
    between.remove_suffix(1);
  }
  auto cents = parse_accidental(between);
  if (!cents) return std::nullopt;
  return pitch{*letter, *cents, static_cast<std::int16_t>(octave)};
}

std::optional<pitch_name> parse_pitch_name(std::string_view text) {
  if (text.empty()) return std::nullopt;
  auto letter = parse_letter(text.front());
  if (!letter) return std::nullopt;
  text.remove_prefix(1);
  auto cents = parse_accidental(text);
  if (!cents) cents = parse_accidental_words(text);
  if (!cents) return std::nullopt;
  return pitch_name{*letter, *cents};
}

}  // namespace fermata
