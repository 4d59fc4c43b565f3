#include "core/theory/thorough_bass.hpp"

#include "core/music/interval.hpp"
#include "core/music/modular.hpp"

#include <algorithm>
#include <optional>

namespace fermata {

namespace {

/// One figure: the number above the bass and how its tone differs from the key's.
struct figure {
  int number = 3;
  std::optional<int> shift = 0;  ///< semitones against the key; nothing: the natural letter
};

struct bass_sign {
  std::string_view sign;
  std::optional<int> shift;  ///< as in `figure`
};
/// Longest first: "bb7" is a seventh lowered twice, not a flat and then "b7".
constexpr bass_sign bass_signs[] = {
    {"\u266f\u266f", 2},
    {"\u266d\u266d", -2},
    {"\U0001d12a", 2},
    {"\U0001d12b", -2},
    {"\u266f", 1},
    {"\u266d", -1},
    {"\u266e", {}},
    {"##", 2},
    {"bb", -2},
    {"x", 2},
    {"#", 1},
    {"+", 1},
    {"\\", 1},
    {"b", -1},
    {"n", {}},
};

const bass_sign* bass_sign_at(std::string_view text) {
  for (auto& row : bass_signs)
    if (text.starts_with(row.sign)) return &row;
  return nullptr;
}

std::optional<std::vector<figure>> read_figures(std::string_view text) {
  std::vector<figure> figures;
  std::optional<figure> sign;  ///< an accidental that waits for its number
  bool after_number = false;
  auto flush = [&] {
    if (sign) figures.push_back({3, sign->shift});
    sign.reset();
  };
  if (text.size() > 32) return std::nullopt;
  while (!text.empty()) {
    auto taken = std::size_t{1};
    std::optional<figure> accidental;
    if (auto row = bass_sign_at(text)) {
      accidental = figure{3, row->shift};
      taken = row->sign.size();
    }
    auto c = text.front();
    if (accidental) {
      // Directly behind a number that has none yet, an accidental belongs to it: "6#", "4+".
      auto next = text.substr(taken);
      bool before_number = !next.empty() && next.front() >= '1' && next.front() <= '9';
      if (after_number && !before_number && figures.back().shift == 0) {
        figures.back().shift = accidental->shift;
      } else {
        flush();
        sign = accidental;
      }
      after_number = false;
    } else if (c >= '1' && c <= '9') {
      int number = c - '0';
      // 10 to 14 are written with two digits; "13" is never one and three.
      if (c == '1' && text.size() > 1 && text[1] >= '0' && text[1] <= '4') {
        number = 10 + (text[1] - '0');
        taken = 2;
      }
      figures.push_back({number, sign ? sign->shift : 0});
      sign.reset();
      after_number = true;
    } else if (c == ' ' || c == '/' || c == ',') {
      flush();
      after_number = false;
    } else {
      return std::nullopt;
    }
    text.remove_prefix(taken);
  }
  flush();
  return figures;
}

/// Adds what the written figures leave out.
void complete(std::vector<figure>& figures) {
  auto has = [&](int n) {
    return std::any_of(figures.begin(), figures.end(),
                       [n](const figure& f) { return f.number == n; });
  };
  auto add = [&](int n) {
    if (!has(n)) figures.push_back({n, 0});
  };
  if (has(2)) {
    add(4);
    add(6);
  } else if (has(4) && has(3)) {
    add(6);
  } else if (has(6)) {
    if (!has(4)) add(3);
  } else if (has(4)) {
    add(5);
  } else {
    add(3);
    add(5);
  }
  std::sort(figures.begin(), figures.end(),
            [](const figure& a, const figure& b) { return a.number < b.number; });
}

pitch_name figured_tone(pitch_name bass, const figure& f, const tonality& key) {
  auto steps = static_cast<int>(bass.letter) - static_cast<int>(key.tonic.letter) + f.number - 1;
  auto name = degree(key, steps + 1);
  name.cents = f.shift ? static_cast<std::int16_t>(name.cents + 100 * *f.shift) : std::int16_t{0};
  return name;
}

/// The tones as root, third, fifth, seventh, if some tone is their root; else as they came, which
/// is what suspensions need.
std::vector<pitch_name> in_thirds(const std::vector<pitch_name>& tones) {
  for (auto root : tones) {
    std::vector<std::optional<pitch_name>> places(4);
    bool fits = true;
    for (auto t : tones) {
      auto steps = mod(static_cast<int>(t.letter) - static_cast<int>(root.letter), 7);
      fits = fits && steps % 2 == 0;
      if (fits) places[static_cast<std::size_t>(steps / 2)] = t;
    }
    std::vector<pitch_name> stacked;
    for (std::size_t i = 0; i < tones.size() && i < places.size(); ++i)
      if (places[i]) stacked.push_back(*places[i]);
    if (fits && stacked.size() == tones.size()) return stacked;
  }
  return tones;
}

error unreadable(std::string_view figures) {
  return {errc::invalid_chord,
          "cannot read the figures `" + std::string{figures.substr(0, 40)} + "`", std::nullopt,
          "figures look like 6, 64, 7, 65, #6, 4+ 2, or nothing"};
}

}  // namespace

result<std::vector<pitch_name>> figured_tones(pitch_name bass, std::string_view figures,
                                              const tonality& key) {
  auto read = read_figures(figures);
  if (!read) return fail(unreadable(figures));
  complete(*read);
  std::vector<pitch_name> tones{bass};
  for (const auto& f : *read) {
    auto tone = figured_tone(bass, f, key);
    if (std::find(tones.begin(), tones.end(), tone) == tones.end()) tones.push_back(tone);
  }
  return tones;
}

result<std::vector<pitch>> realize_figures(pitch bass, std::string_view figures,
                                           const tonality& key) {
  auto read = read_figures(figures);
  if (!read) return fail(unreadable(figures));
  complete(*read);
  std::vector<pitch> pitches{bass};
  for (const auto& f : *read) {
    auto tone = figured_tone(bass.name(), f, key);
    auto octave = floor_div(bass.diatonic_index() + f.number - 1, 7);
    pitches.push_back({tone.letter, tone.cents, static_cast<std::int16_t>(octave)});
  }
  std::sort(pitches.begin() + 1, pitches.end(),
            [](pitch a, pitch b) { return midi_cents(a) < midi_cents(b); });
  return pitches;
}

result<std::vector<std::vector<pitch>>> realize_figured_bass(const std::vector<figured_note>& notes,
                                                             const tonality& key) {
  std::vector<chord_to_voice> chords;
  for (const auto& n : notes) {
    auto tones = figured_tones(n.bass.name(), n.figures, key);
    if (!tones) return fail(tones.error());
    chord_to_voice chord;
    chord.tones = in_thirds(*tones);
    auto lowest = std::find(chord.tones.begin(), chord.tones.end(), n.bass.name());
    chord.bass = static_cast<std::size_t>(lowest - chord.tones.begin());
    chord.given_bass = n.bass;
    chord.leading_tone = transposed(key.tonic, interval{-1, -1});
    chord.tonic = key.tonic;
    if (chord.tones.size() == 4) chord.seventh = chord.tones[3];
    chords.push_back(std::move(chord));
  }
  return write_parts(chords);
}

}  // namespace fermata
