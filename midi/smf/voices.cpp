#include "midi/smf/voices.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace fermata::midi::smf {

namespace {

/// The notes of `order` [begin, end), which begin together, as chords: the highest one first.
std::vector<voice_chord> chords_of(const std::vector<placed_note>& notes,
                                   const std::vector<std::size_t>& order, std::size_t begin,
                                   std::size_t end, bool keep_unisons) {
  std::vector<voice_chord> chords, unisons;
  for (auto i = begin; i < end; ++i) {
    const auto& n = notes[order[i]];
    // Sorted by end, then by key.
    if (chords.empty() || chords.back().to != n.to) {
      chords.push_back({n.from, n.to, {}});
    } else if (notes[chords.back().notes.back()].key == n.key) {
      if (keep_unisons) unisons.push_back({n.from, n.to, {order[i]}});
      continue;
    }
    chords.back().notes.push_back(order[i]);
  }
  std::stable_sort(chords.begin(), chords.end(), [&](const auto& a, const auto& b) {
    return notes[a.notes.back()].key > notes[b.notes.back()].key;
  });
  chords.insert(chords.end(), unisons.begin(), unisons.end());
  return chords;
}

}  // namespace

std::vector<voice_line> voices_of(const std::vector<placed_note>& notes, std::size_t most,
                                  std::size_t& left_out, bool keep_unisons) {
  std::vector<std::size_t> order(notes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    auto& x = notes[a];
    auto& y = notes[b];
    if (x.from != y.from) return x.from < y.from;
    if (x.to != y.to) return x.to < y.to;
    return std::pair{x.key, a} < std::pair{y.key, b};
  });
  std::vector<voice_line> voices;
  for (std::size_t begin = 0; begin < order.size();) {
    auto from = notes[order[begin]].from;
    auto end = begin;
    while (end < order.size() && notes[order[end]].from == from)
      ++end;
    for (auto& chord : chords_of(notes, order, begin, end, keep_unisons)) {
      auto free = std::find_if(voices.begin(), voices.end(),
                               [&](const voice_line& v) { return v.back().to <= from; });
      if (free != voices.end())
        free->push_back(std::move(chord));
      else if (voices.size() < most)
        voices.push_back({std::move(chord)});
      else
        left_out += chord.notes.size();
    }
    begin = end;
  }
  return voices;
}

}  // namespace fermata::midi::smf
