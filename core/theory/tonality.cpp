#include "core/theory/tonality.hpp"

#include "core/music/modular.hpp"
#include "core/music/name_match.hpp"

namespace fermata {

namespace {

std::optional<mode> parse_mode_word(std::string_view word) {
  if (same_name(word, "maj") || word == "M") return mode::major;
  if (same_name(word, "min") || word == "m") return mode::minor;
  for (int m = static_cast<int>(mode::major); m <= static_cast<int>(mode::locrian); ++m)
    if (same_name(word, to_string(static_cast<mode>(m)))) return static_cast<mode>(m);
  return std::nullopt;
}

}  // namespace

bool is_minor(const tonality& t) { return fifths_offset(t.mode) <= -2; }

pitch_name degree(const tonality& t, int n) {
  auto letter = static_cast<step>(mod(static_cast<int>(t.tonic.letter) + n - 1, 7));
  auto natural = *line_of_fifths({letter, 0});
  // The seven tones of the collection are consecutive on the line of fifths; F stands on -1 in C.
  auto lowest = fifths(t) - 1;
  auto place = lowest + mod(natural - lowest, 7);
  auto name = from_line_of_fifths(place);
  name.cents = static_cast<std::int16_t>(name.cents + t.tonic.cents % 100);
  return name;
}

std::optional<altered_degree> degree_of(const tonality& t, pitch_name name) {
  auto n = mod(static_cast<int>(name.letter) - static_cast<int>(t.tonic.letter), 7) + 1;
  auto difference = name.cents - degree(t, n).cents;
  if (difference % 100 != 0) return std::nullopt;
  return altered_degree{n, difference / 100};
}

int fifths(const tonality& t) {
  pitch_name whole{t.tonic.letter, static_cast<std::int16_t>(t.tonic.cents / 100 * 100)};
  return *line_of_fifths(whole) + fifths_offset(t.mode);
}

tonality tonality_of(const key_signature& k) {
  return {tonic(k), k.mode == mode::none ? mode::major : k.mode};
}

key_signature signature_of(const tonality& t) {
  key_signature k;
  k.fifths = fifths(t);
  k.mode = t.mode;
  return k;
}

tonality parallel(const tonality& t) { return {t.tonic, is_minor(t) ? mode::major : mode::minor}; }

tonality relative(const tonality& t) {
  auto f = fifths(t);
  return is_minor(t) ? tonality{from_line_of_fifths(f), mode::major}
                     : tonality{from_line_of_fifths(f + 3), mode::minor};
}

std::string to_string(const tonality& t) {
  return to_string(t.tonic) + " " + std::string{to_string(t.mode)};
}

std::optional<tonality> parse_tonality(std::string_view text) {
  if (text.size() > 40) return std::nullopt;
  if (auto name = parse_pitch_name(text)) {
    bool lower = text.front() >= 'a' && text.front() <= 'g';
    return tonality{*name, lower ? mode::minor : mode::major};
  }
  // The mode is the last word; what is left of its separator names the tonic ("b-flat-minor").
  auto cut = text.find_last_of(" -_:");
  if (cut == std::string_view::npos || cut == 0) return std::nullopt;
  auto m = parse_mode_word(text.substr(cut + 1));
  auto name = parse_pitch_name(text.substr(0, cut));
  if (!m || !name) return std::nullopt;
  return tonality{*name, *m};
}

}  // namespace fermata
