#include "core/theory/chord_symbol.hpp"

#include "core/theory/chord_quality.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// Longer than any symbol in print; what is longer is no symbol.
constexpr std::size_t max_symbol_length = 56;

/// The accidental spellings that may follow a root, longest first.
std::size_t accidental_length(std::string_view text) {
  for (std::string_view a : {"\U0001d12a", "\U0001d12b", "##", "bb", "\u266f\u266f", "\u266d\u266d",
                             "#", "b", "\u266f", "\u266d"})
    if (text.starts_with(a)) return a.size();
  return 0;
}

/// Splits "F#7/A#" into "F#7" and "A#". A slash that is part of the quality is left in place.
std::optional<pitch_name> cut_bass(std::string_view& text) {
  auto slash = text.rfind('/');
  if (slash == std::string_view::npos || slash == 0) return std::nullopt;
  auto after = text.substr(slash + 1);
  // Spelled signs only: of the words and letters a pitch literal allows, "C/Bs" would be a typo.
  if (after.empty() || accidental_length(after.substr(1)) + 1 != after.size()) return std::nullopt;
  auto bass = parse_pitch_name(after);
  if (bass) text = text.substr(0, slash);
  return bass;
}

bool is_no_chord(std::string_view text) {
  for (std::string_view name : {"N.C.", "N.C", "NC", "NC.", "n.c.", "no chord", "none"})
    if (text == name) return true;
  return false;
}

}  // namespace

result<chord_symbol> parse_chord_symbol(std::string_view text) {
  auto fault = [&](std::string message) {
    return fail({errc::invalid_chord, std::move(message), std::nullopt,
                 "write chord symbols such as Cmaj7, Dm7b5, F#7/A#, Bbsus4, N.C."});
  };
  chord_symbol result;
  if (is_no_chord(text)) return result;
  if (text.empty() || text.size() > max_symbol_length) return fault("not a chord symbol");
  auto shown = "`" + std::string{text} + "`";
  auto rest = text;
  result.bass = cut_bass(rest);
  if (rest.front() < 'A' || rest.front() > 'G')
    return fault(shown + " does not start with a root A to G");
  // The longest accidental first: "Bb5" is a fifth on B flat, not B with a flattened fifth.
  std::vector<std::size_t> lengths{accidental_length(rest.substr(1)), 0};
  if (rest.substr(1).starts_with("bb") || rest.substr(1).starts_with("##"))
    lengths.insert(lengths.begin() + 1, 1);
  for (auto length : lengths) {
    result.root = parse_pitch_name(rest.substr(0, 1 + length));
    result.quality = rest.substr(1 + length);
    if (auto intervals = parse_chord_quality(result.quality)) {
      result.intervals = *intervals;
      return result;
    }
  }
  return fault("the quality of " + shown + " cannot be read");
}

std::string symbol_name(pitch_name n) {
  auto text = to_string(n);
  text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

std::string to_string(const chord_symbol& c) {
  if (!c.root) return "N.C.";
  auto text = symbol_name(*c.root) + c.quality;
  return c.bass ? text + "/" + symbol_name(*c.bass) : text;
}

const chord_type* type_of(const chord_symbol& c) {
  return c.root ? find_chord(c.intervals) : nullptr;
}

std::vector<pitch_name> members(const chord_symbol& c) {
  if (!c.root) return {};
  auto names = chord_names(*c.root, c.intervals);
  if (c.bass) {
    auto at = std::find(names.begin(), names.end(), *c.bass);
    if (at == names.end())
      names.insert(names.begin(), *c.bass);
    else
      std::rotate(names.begin(), at, names.end());
  }
  return names;
}

std::vector<pitch> chord_pitches(const chord_symbol& c, int octave) {
  if (!c.root) return {};
  pitch root{c.root->letter, c.root->cents, static_cast<std::int16_t>(octave)};
  auto pitches = chord_pitches(root, c.intervals);
  if (!c.bass) return pitches;
  auto at =
      std::find_if(pitches.begin(), pitches.end(), [&](pitch p) { return p.name() == *c.bass; });
  if (at == pitches.end()) {
    pitch below{c.bass->letter, c.bass->cents, root.octave};
    while (midi_cents(below) >= midi_cents(root))
      --below.octave;
    pitches.insert(pitches.begin(), below);
    return pitches;
  }
  // The bass falls into the octave of the root or below; what it passes stays above it.
  auto bass = *at;
  pitches.erase(at);
  while (midi_cents(bass) > midi_cents(root))
    --bass.octave;
  auto lift_until_above = [&](pitch p) {
    while (midi_cents(p) <= midi_cents(bass))
      ++p.octave;
    return p;
  };
  // Close position: every other tone as near above the bass as it can be, extensions included.
  std::vector<pitch> result;
  for (auto p : pitches) {
    auto near = p;
    near.octave = bass.octave;
    result.push_back(lift_until_above(near));
  }
  std::sort(result.begin(), result.end(),
            [](pitch a, pitch b) { return midi_cents(a) < midi_cents(b); });
  result.insert(result.begin(), bass);
  return result;
}

}  // namespace fermata
