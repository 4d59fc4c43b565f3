#include "apps/bench/analysis_filter.hpp"

#include "core/music/rational.hpp"
#include "core/theory/harmonic_analysis.hpp"
#include "core/theory/key_finding.hpp"
#include "core/theory/pitch_spelling.hpp"

#include <algorithm>
#include <charconv>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace fermata::bench {

namespace {

using cells = std::vector<std::string>;

cells split(const std::string& line) {
  cells found{""};
  for (char c : line)
    if (c == '\t')
      found.emplace_back();
    else
      found.back() += c;
  return found;
}

std::optional<int> number(const std::string& text) {
  int n = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), n);
  return failed == std::errc{} && end == text.data() + text.size() ? std::optional{n}
                                                                   : std::nullopt;
}

/// Everything that may be known about a piece.
struct known_facts {
  std::vector<timed_note> notes;
  std::vector<unspelled_note> unspelled;
  std::vector<signature_change> signatures;
  std::vector<time_span> spans;
  std::vector<key_change> keys;
  std::vector<std::pair<tonality, std::string>> figures;

  /// Whether the line was understood.
  bool add(const cells& c) {
    if (c.size() == 4 && c[0] == "note") {
      auto onset = parse_rational(c[1]), length = parse_rational(c[2]);
      auto key = number(c[3]);
      auto spelled = key ? std::optional{placed_on_line(7 * *key, *key)} : parse_pitch(c[3]);
      if (!onset || !length || !spelled) return false;
      notes.push_back({quarters{*onset}, quarters{*length}, *spelled});
      unspelled.push_back({quarters{*onset}, quarters{*length}, midi_key(*spelled)});
      return true;
    }
    if (c.size() != 3) return false;
    auto at = parse_rational(c[1]);
    if (c[0] == "signature") {
      auto fifths = number(c[2]);
      if (at && fifths) signatures.push_back({quarters{*at}, *fifths});
      return at && fifths;
    }
    if (c[0] == "span") {
      auto end = parse_rational(c[2]);
      if (at && end) spans.push_back({quarters{*at}, quarters{*end}});
      return at && end;
    }
    auto key = parse_tonality(c[0] == "figure" ? c[1] : c[2]);
    if (!key) return false;
    if (c[0] == "figure")
      figures.emplace_back(*key, c[2]);
    else if (c[0] == "key" && at)
      keys.push_back({quarters{*at}, *key});
    else
      return false;
    return true;
  }
};

std::string joined(const std::vector<pitch_name>& tones) {
  std::string text;
  for (auto t : tones)
    text += (text.empty() ? "" : " ") + to_string(t);
  return text;
}

void print(std::ostream& out, const std::vector<analysed_chord>& chords) {
  for (const auto& [chord, key, numeral] : chords)
    out << to_string(chord.span.begin.value) << '\t' << to_string(chord.span.end.value) << '\t'
        << to_string(key) << '\t' << joined(chord.tones) << '\t' << to_string(chord.bass) << '\t'
        << (numeral ? to_string(*numeral) : "") << '\n';
}

void print(std::ostream& out, const std::vector<pitch>& pitches) {
  for (auto p : pitches)
    out << to_string(p) << '\n';
}

}  // namespace

int answer(std::string_view question, std::istream& facts, std::ostream& out,
           std::ostream& errors) {
  known_facts known;
  for (std::string line; std::getline(facts, line);)
    if (!known.add(split(line))) {
      errors << "not understood: " << line << '\n';
      return 1;
    }
  if (question == "spelling") {
    print(out, spelled(known.unspelled, known.signatures));
  } else if (question == "ps13s1") {
    print(out, ps13s1(known.unspelled));
  } else if (question == "key") {
    if (auto found = find_key(known.notes))
      out << to_string(found->best.key) << '\t' << found->best.correlation << '\t'
          << to_string(found->runner_up.key) << '\t' << found->confidence << '\n';
  } else if (question == "keys") {
    for (const auto& change : keys_of(known.notes))
      out << to_string(change.at.value) << '\t' << to_string(change.key) << '\n';
  } else if (question == "chords") {
    print(out, roman_numerals(chords_in(known.notes, known.spans, known.keys), known.keys));
  } else if (question == "analysis") {
    print(out, roman_numerals(known.notes));
  } else if (question == "figures") {
    for (const auto& [key, text] : known.figures) {
      auto numeral = parse_roman_numeral(text);
      auto chord = numeral ? chord_of(*numeral, key) : tl::unexpected(numeral.error());
      if (chord)
        out << joined(chord->tones) << '\t' << to_string(chord->bass_tone()) << '\t'
            << to_string(*numeral);
      out << '\n';
    }
  } else {
    errors << "no such question: " << question << '\n';
    return 1;
  }
  return 0;
}

}  // namespace fermata::bench
