#include "midi/performance/swing.hpp"

#include "midi/performance/playback_text.hpp"

#include <cmath>
#include <optional>
#include <string_view>
#include <tuple>

namespace fermata::midi {

namespace {

std::optional<swing> swing_in_sound(const sound& s) {
  auto xml = child_of(s.extra, "swing");
  if (xml.empty()) return std::nullopt;
  if (element_text(xml, "straight")) return swing{};
  auto first = number_in(element_text(xml, "first").value_or(""));
  auto second = number_in(element_text(xml, "second").value_or(""));
  if (!first || !second || *first < 1 || *second < 1 || *first > 1000 || *second > 1000)
    return std::nullopt;
  swing found;
  if (element_text(xml, "swing-type") == "16th") found.unit = quarters{rational{1, 4}};
  found.first = static_cast<int>(std::lround(*first));
  found.second = static_cast<int>(std::lround(*second));
  return found;
}

std::optional<swing> swing_in_direction(const direction& d) {
  if (d.sound)
    if (auto said = swing_in_sound(*d.sound)) return said;
  for (auto& t : d.types)
    if (auto* w = std::get_if<words>(&t)) {
      auto plain = plain_words_of(w->text);
      if (plain == "swing") return swing{quarters{rational{1, 2}}, 2, 1};
      if (plain == "straight") return swing{};
    }
  return std::nullopt;
}

}  // namespace

std::vector<written_change<swing>> swings_of(const score& s) {
  std::vector<written_change<swing>> found;
  for (auto& p : s.parts)
    for (std::size_t m = 0; m < p->measures.size(); ++m)
      for (auto& item : p->measures.music_at(m).items) {
        std::optional<swing> said;
        if (auto* d = std::get_if<direction>(&item.content)) said = swing_in_direction(*d);
        if (auto* x = std::get_if<sound>(&item.content)) said = swing_in_sound(*x);
        if (said) found.push_back({m, sounding_place(item), *said});
      }
  sort_by_place(found);
  return found;
}

swing swing_in_force(const std::vector<written_change<swing>>& swings, std::size_t measure,
                     measure_position at) {
  auto after = std::upper_bound(
      swings.begin(), swings.end(), std::tie(measure, at),
      [](const auto& place, const auto& c) { return place < std::tie(c.measure, c.at); });
  return after == swings.begin() ? swing{} : std::prev(after)->value;
}

bool is_swung(const chord_rest& x) {
  return !x.grace && x.written && x.length == length(*x.written);
}

quarters swung(quarters place, const swing& s) {
  if (s.first == s.second) return place;
  auto pair = s.unit * rational{2};
  auto count = floor(place / pair);
  auto inside = place - pair * rational{count};
  auto turn = pair * rational{s.first, s.first + s.second};
  auto moved = inside <= s.unit ? turn * (inside / s.unit)
                                : turn + (pair - turn) * ((inside - s.unit) / s.unit);
  return pair * rational{count} + moved;
}

}  // namespace fermata::midi
