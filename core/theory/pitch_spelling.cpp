#include "core/theory/pitch_spelling.hpp"

#include "core/music/modular.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

namespace fermata {

namespace {

/// Places of the twelve tones above a tonic, relative to it on the line of fifths: the one that is
/// written when nothing else decides, and the alternative (the same where there is none).
struct two_spellings {
  int usual, other;
};
constexpr two_spellings spellings_in_major[] = {{0, 0},  {7, -5},  {2, 2},   {9, -3},
                                                {4, 4},  {-1, -1}, {6, 6},   {1, 1},
                                                {8, -4}, {3, 3},   {-2, 10}, {5, 5}};
constexpr two_spellings spellings_in_minor[] = {{0, 0},  {-5, 7},  {2, 2},   {-3, 9},
                                                {4, 4},  {-1, -1}, {6, -6},  {1, 1},
                                                {-4, 8}, {3, 3},   {-2, 10}, {5, 5}};

/// Indices of the notes by onset, then by pitch.
std::vector<std::size_t> in_order(const std::vector<unspelled_note>& notes) {
  std::vector<std::size_t> order(notes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return notes[a].onset != notes[b].onset ? notes[a].onset < notes[b].onset
                                            : notes[a].midi_key < notes[b].midi_key;
  });
  return order;
}

/// The step in semitones, at most two, to the note that goes on from `order[at]`: the first of the
/// next notes that begins after it, not long after its end, within a tone of it. 0 if none does.
int next_step(const std::vector<unspelled_note>& notes, const std::vector<std::size_t>& order,
              std::size_t at) {
  constexpr std::size_t look_ahead = 12;
  const auto& from = notes[order[at]];
  auto latest = from.onset + from.length + quarters{rational{1, 2}};
  for (auto i = at + 1; i < std::min(at + look_ahead, order.size()); ++i) {
    const auto& to = notes[order[i]];
    auto step = to.midi_key - from.midi_key;
    if (to.onset > from.onset && to.onset <= latest && step != 0 && step >= -2 && step <= 2)
      return step;
  }
  return 0;
}

}  // namespace

pitch placed_on_line(int line_of_fifths, int midi_key) {
  auto name = from_line_of_fifths(line_of_fifths);
  auto natural = midi_key * 100 - semitones_above_c(name.letter) * 100 - name.cents;
  return {name.letter, name.cents, static_cast<std::int16_t>(floor_div(natural + 600, 1200) - 1)};
}

std::vector<pitch> spelled(const std::vector<unspelled_note>& notes,
                           const std::vector<signature_change>& signatures) {
  auto keys = track_keys(notes, signatures);
  auto order = in_order(notes);
  std::vector<pitch> result(notes.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& n = notes[order[i]];
    const auto& key = key_at(keys, quarters{rational{floor(n.onset.value)}});
    auto tonic = *line_of_fifths(key.tonic);
    auto above = static_cast<std::size_t>(mod(n.midi_key - 7 * tonic, 12));
    auto choice = is_minor(key) ? spellings_in_minor[above] : spellings_in_major[above];
    auto place = choice.usual;
    if (choice.usual != choice.other) {
      auto step = next_step(notes, order, i);
      if (step == 1) place = std::max(choice.usual, choice.other);
      if (step == -1) place = std::min(choice.usual, choice.other);
    }
    result[order[i]] = placed_on_line(tonic + place, n.midi_key);
  }
  return result;
}

std::vector<pitch> ps13s1(const std::vector<unspelled_note>& notes, int before, int after) {
  // Meredith's chromas count from A; so do his morphs, 0 being A and 6 G.
  constexpr int morph_of_first[] = {0, 1, 1, 2, 2, 3, 4, 4, 5, 5, 6, 6};
  constexpr int morph_above_tonic[] = {0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6};
  constexpr step letter_of_morph[] = {step::a, step::b, step::c, step::d,
                                      step::e, step::f, step::g};
  std::vector<pitch> result(notes.size());
  if (notes.empty()) return result;
  auto order = in_order(notes);
  auto count = static_cast<int>(order.size());
  auto chroma = [&](int i) {
    return static_cast<std::size_t>(
        mod(notes[order[static_cast<std::size_t>(i)]].midi_key - 21, 12));
  };
  auto first = chroma(0);
  auto interval_to = [&](std::size_t c, int tonic) {
    return morph_above_tonic[mod(static_cast<int>(c) - tonic, 12)];
  };
  std::array<int, 12> sounding{};
  for (int i = 0; i < std::min(count, after); ++i)
    ++sounding[chroma(i)];
  for (int j = 0; j < count; ++j) {
    if (j > 0) {
      if (j + after <= count) ++sounding[chroma(j + after - 1)];
      if (j - before > 0) --sounding[chroma(j - before - 1)];
    }
    std::array<int, 7> strength{};
    for (int tonic = 0; tonic < 12; ++tonic) {
      auto tonic_morph = morph_of_first[first] - interval_to(first, tonic);
      auto morph = mod(interval_to(chroma(j), tonic) + tonic_morph, 7);
      strength[static_cast<std::size_t>(morph)] += sounding[static_cast<std::size_t>(tonic)];
    }
    auto morph = std::max_element(strength.begin(), strength.end()) - strength.begin();
    auto letter = letter_of_morph[morph];
    auto key = notes[order[static_cast<std::size_t>(j)]].midi_key;
    // The alteration nearest to none that makes the letter sound right.
    auto alteration = mod(key - semitones_above_c(letter) + 6, 12) - 6;
    auto place = *line_of_fifths({letter, static_cast<std::int16_t>(100 * alteration)});
    result[order[static_cast<std::size_t>(j)]] = placed_on_line(place, key);
  }
  return result;
}

}  // namespace fermata
