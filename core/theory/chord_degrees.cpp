#include "core/theory/chord_degrees.hpp"

#include "core/music/pitch.hpp"
#include "core/theory/chord_type.hpp"

#include <algorithm>
#include <optional>

namespace fermata {

namespace {

/// The kinds that degrees are counted from; of several that are as near the first is taken, as
/// musicians call it: a seventh is altered before one is added to a triad. Kinds of more than a
/// ninth are none: MusicXML's 11ths and 13ths have all tones below, those of musicians leave some
/// out.
constexpr std::string_view plain_kinds[] = {"dominant",
                                            "major-seventh",
                                            "minor-seventh",
                                            "major-minor",
                                            "augmented-seventh",
                                            "major",
                                            "minor",
                                            "augmented",
                                            "diminished",
                                            "suspended-fourth",
                                            "suspended-second",
                                            "half-diminished",
                                            "diminished-seventh",
                                            "major-sixth",
                                            "minor-sixth",
                                            "dominant-ninth",
                                            "major-ninth",
                                            "minor-ninth"};

/// Semitones of the tone that <degree-type>add</degree-type> counts from: "relative to a dominant
/// chord (major and perfect intervals except for a minor seventh)".
int added_from(int number) {
  auto place = (number - 1) % 7;
  return semitones_above_c(static_cast<step>(place)) + 12 * ((number - 1) / 7) -
         (place == 6 ? 1 : 0);
}

std::vector<chord_degree> difference(const std::vector<interval>& from,
                                     const std::vector<interval>& to) {
  auto without = [](const std::vector<interval>& xs, const std::vector<interval>& others) {
    std::vector<interval> rest;
    std::copy_if(xs.begin(), xs.end(), std::back_inserter(rest), [&](interval x) {
      return std::find(others.begin(), others.end(), x) == others.end();
    });
    return rest;
  };
  auto gone = without(from, to);
  std::vector<chord_degree> degrees;
  for (auto x : without(to, from)) {
    auto same =
        std::find_if(gone.begin(), gone.end(), [&](interval y) { return y.steps == x.steps; });
    if (same == gone.end()) {
      degrees.push_back({x.steps + 1, (x.semitones - added_from(x.steps + 1)) * 100, "add"});
      continue;
    }
    degrees.push_back({x.steps + 1, (x.semitones - same->semitones) * 100, "alter"});
    gone.erase(same);
  }
  for (auto x : gone)
    degrees.push_back({x.steps + 1, 0, "subtract"});
  std::stable_sort(degrees.begin(), degrees.end(),
                   [](const auto& a, const auto& b) { return a.number < b.number; });
  return degrees;
}

}  // namespace

chord_by_degrees chord_as_degrees(const std::vector<interval>& intervals) {
  if (auto type = find_chord(intervals); type && !type->musicxml_kind.empty())
    return {type->musicxml_kind, {}};
  std::optional<chord_by_degrees> nearest;
  for (auto kind : plain_kinds) {
    auto degrees = difference(find_musicxml_kind(kind)->intervals, intervals);
    if (!nearest || degrees.size() < nearest->degrees.size())
      nearest = chord_by_degrees{kind, std::move(degrees)};
  }
  return *nearest;
}

}  // namespace fermata
