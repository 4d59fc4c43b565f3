#include "midi/smf/rhythm.hpp"

#include "core/score/model/metric_spelling.hpp"

#include <algorithm>

namespace fermata::midi::smf {

namespace {

/// A part of a measure that is divided by `actual` in the time of `normal`.
struct tuplet_zone {
  rational from, to;
  int actual = 3, normal = 2;
};

bool is_binary(rational x) { return (x.denominator() & (x.denominator() - 1)) == 0; }

/// Finds the tuplets of a measure.
class zone_search {
public:
  zone_search(const std::vector<voice_segment>& segments, rational measure_end)
    : measure_end_(measure_end) {
    for (auto& s : segments)
      boundaries_.push_back(s.from);
    boundaries_.push_back(measure_end);
  }

  /// In order of time; nothing if a position lies in no tuplet.
  std::optional<std::vector<tuplet_zone>> zones() const {
    std::vector<tuplet_zone> found;
    for (auto b : boundaries_) {
      if (is_binary(b) || (!found.empty() && b < found.back().to)) continue;
      auto zone = zone_around(b, found.empty() ? rational{} : found.back().to);
      if (!zone) return std::nullopt;
      found.push_back(*zone);
    }
    return found;
  }

private:
  /// The best part of the measure around `at` that begins at `earliest` or later.
  std::optional<tuplet_zone> zone_around(rational at, rational earliest) const {
    std::optional<tuplet_zone> smallest;
    for (rational length : {rational{1, 2}, rational{1}, rational{2}, rational{4}}) {
      auto from = rational{floor(at / length)} * length;
      auto to = from + length;
      if (from < earliest || to > measure_end_) continue;
      for (auto [actual, normal] : {std::pair{3, 2}, std::pair{5, 4}, std::pair{7, 4}}) {
        if (!divides_evenly(from, to, actual)) continue;
        tuplet_zone zone{from, to, actual, normal};
        if (is_boundary(from) && is_boundary(to)) return zone;
        if (!smallest) smallest = zone;
      }
    }
    return smallest;
  }

  bool divides_evenly(rational from, rational to, int parts) const {
    auto first = std::lower_bound(boundaries_.begin(), boundaries_.end(), from);
    return std::all_of(first, std::upper_bound(first, boundaries_.end(), to), [&](rational b) {
      auto in_parts = (b - from) * rational{parts} / (to - from);
      return is_binary(in_parts) && in_parts.denominator() <= 32;
    });
  }
  bool is_boundary(rational at) const {
    return std::binary_search(boundaries_.begin(), boundaries_.end(), at);
  }

  std::vector<rational> boundaries_;  ///< ascending
  rational measure_end_;
};

class rhythm_speller {
public:
  rhythm_speller(rational measure_end, const time_signature& metre)
    : measure_end_(measure_end), metre_(metre) {}

  /// Whether it could be spelt.
  bool spell(const std::vector<voice_segment>& segments, const std::vector<tuplet_zone>& zones) {
    auto zone = zones.begin();
    for (std::size_t i = 0; i < segments.size(); ++i) {
      auto at = segments[i].from;
      while (at < segments[i].to) {
        while (zone != zones.end() && zone->to <= at)
          ++zone;
        auto is_inside = zone != zones.end() && zone->from <= at;
        auto stop = is_inside ? zone->to : zone != zones.end() ? zone->from : measure_end_;
        stop = std::min(stop, segments[i].to);
        auto spelt = is_inside ? spell_tuplet(i, at, stop, *zone)
                               : spell_plain(i, at, stop, segments[i].is_rest);
        if (!spelt) return false;
        at = stop;
      }
    }
    return true;
  }

  std::vector<rhythm_piece> take() { return std::move(pieces_); }

private:
  bool spell_plain(std::size_t segment, rational from, rational to, bool is_rest) {
    if (is_rest && from == rational{} && to == measure_end_ &&
        quarters{to} == measure_length(metre_)) {
      pieces_.push_back({segment, from, to, std::nullopt, std::nullopt});
      return true;
    }
    auto values = metric_pieces(measure_position{from}, quarters{to - from}, metre_,
                                is_rest ? spelled_as::rest : spelled_as::note);
    for (auto& v : values)
      pieces_.push_back({segment, v.at.value, length(v.value).value, v.value, std::nullopt});
    return !values.empty();
  }

  bool spell_tuplet(std::size_t segment, rational from, rational to, const tuplet_zone& zone) {
    rational ratio{zone.actual, zone.normal};
    auto values = tied_note_values(quarters{(to - from) * ratio});
    for (auto& v : values) {
      auto lasts = length(v).value / ratio;
      pieces_.push_back({segment, from, lasts, v, time_modification{zone.actual, zone.normal, {}},
                         from == zone.from, from + lasts == zone.to});
      from += lasts;
    }
    return !values.empty();
  }

  rational measure_end_;
  const time_signature& metre_;
  std::vector<rhythm_piece> pieces_;
};

}  // namespace

std::optional<std::vector<rhythm_piece>> written_rhythm(const std::vector<voice_segment>& segments,
                                                        rational measure_end,
                                                        const time_signature& metre) {
  auto zones = zone_search{segments, measure_end}.zones();
  rhythm_speller speller{measure_end, metre};
  if (!zones || !speller.spell(segments, *zones)) return std::nullopt;
  return speller.take();
}

}  // namespace fermata::midi::smf
