#include "core/lang/transform/reversed_notes.hpp"

#include "core/lang/value/make.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace fermata {

namespace {

std::string other_beam(const std::string& value) {
  return value == "begin"           ? "end"
         : value == "end"           ? "begin"
         : value == "forward hook"  ? "backward hook"
         : value == "backward hook" ? "forward hook"
                                    : value;
}

/// The other of two, where `value` is one of them.
std::string swapped(const std::string& value, const char* one, const char* other) {
  return value == one ? other : value == other ? one : value;
}

/// The hyphens of a word stay between the same notes, so its last syllable now begins it. Two that
/// are sung on one note change places, too.
lyric turned_lyric(lyric x) {
  x.extend = swapped(x.extend, "start", "stop");
  std::vector<std::string> between;
  for (auto& s : x.syllables) {
    s.syllabic = swapped(s.syllabic, "begin", "end");
    between.push_back(std::exchange(s.elision, {}));
  }
  std::reverse(x.syllables.begin(), x.syllables.end());
  // What joins two syllables is kept with the second.
  for (std::size_t i = 1; i < between.size(); ++i)
    x.syllables[i].elision = between[between.size() - i];
  return x;
}

}  // namespace

chord_rest turned_chord(chord_rest x, const grace_ties& from_grace) {
  for (auto& n : x.notes) {
    auto p = std::get_if<pitch>(&n.tone);
    auto held =
        p && std::find(from_grace.begin(), from_grace.end(), *p) != from_grace.end() && n.tie.stop;
    std::swap(n.tie.start, n.tie.stop);
    std::swap(n.tie.start_undrawn, n.tie.stop_undrawn);
    if (held) {
      n.tie.stop = true;
      n.tie.start = false;
      n.tie.start_undrawn = false;
    }
    for (auto& b : n.beams)
      b.value = other_beam(b.value);
    for (auto& l : n.lyrics)
      l = turned_lyric(std::move(l));
  }
  return x;
}

void add_grace_ties(const music& m, grace_ties& out) {
  if (auto c = leaf<chord_rest>(m)) {
    for (const auto& n : c->notes)
      if (auto p = std::get_if<pitch>(&n.tone); p && n.tie.start) out.push_back(*p);
  } else if (auto g = as_node<grace_music>(m)) {
    for (const auto& x : g->items)
      add_grace_ties(*x, out);
  }
}

}  // namespace fermata
