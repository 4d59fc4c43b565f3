#include "midi/performance/ornament.hpp"

#include "core/music/accidental.hpp"
#include "core/score/model/attribute_of.hpp"
#include "midi/performance/playback_text.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace fermata::midi {

namespace {

/// Where ornaments go beside the main note, in cents.
struct neighbours {
  int upper = 200, lower = -200;
};

int neighbour_cents(pitch p, int steps, const key_signature& key, std::optional<int> alter) {
  auto index = p.diatonic_index() + steps;
  auto octave = index >= 0 ? index / 7 : (index - 6) / 7;
  auto letter = static_cast<step>(index - octave * 7);
  pitch beside{letter, static_cast<std::int16_t>(alter.value_or(alteration(key, letter))),
               static_cast<std::int16_t>(octave)};
  return midi_cents(beside) - midi_cents(p);
}

neighbours neighbours_of(const note& n, const mark& m, pitch p, const key_signature& key) {
  std::optional<int> above, below;
  for (auto& a : n.marks)
    if (a.kind == mark_kind::ornament_accidental)
      (attribute_of(a.extra, "placement") == "below" ? below : above) = cents_of_accidental(a.text);
  neighbours near{neighbour_cents(p, 1, key, above), neighbour_cents(p, -1, key, below)};
  auto step_size = attribute_of(m.extra, "trill-step");
  if (step_size == "whole") near = {200, -200};
  if (step_size == "half") near = {100, -100};
  if (step_size == "unison") near = {0, 0};
  return near;
}

/// The tones one after another, the second and the last at given places, those between evenly.
std::vector<ornament_tone> tones_at(const std::vector<int>& cents, rational second, rational last) {
  std::vector<ornament_tone> tones;
  auto count = static_cast<std::int64_t>(cents.size());
  for (std::int64_t i = 0; i < count; ++i) {
    auto from = i == 0                 ? rational{0}
                : count == 2 || i == 1 ? second
                                       : second + (last - second) * rational{i - 1, count - 2};
    tones.push_back({from, cents[static_cast<std::size_t>(i)]});
  }
  return tones;
}

/// The places that the file gives, else these.
std::vector<ornament_tone> placed(const mark& m, const std::vector<int>& cents, rational second,
                                  rational last) {
  auto from = share_in(attribute_of(m.extra, "second-beat")).value_or(second);
  auto to = share_in(attribute_of(m.extra, "last-beat")).value_or(last);
  return tones_at(cents, from, std::max(from, to));
}

std::optional<std::int64_t> beats_of(const mark& m) {
  auto beats = number_in(attribute_of(m.extra, "beats"));
  if (!beats || *beats < 2 || *beats > 1000) return std::nullopt;
  return std::llround(*beats);
}

/// Alternating tones beginning with `first`.
std::vector<int> alternating(std::int64_t count, int first, int second) {
  std::vector<int> cents;
  for (std::int64_t i = 0; i < count; ++i)
    cents.push_back(i % 2 == 0 ? first : second);
  return cents;
}

std::vector<ornament_tone> trill(const mark& m, quarters length, neighbours near) {
  constexpr std::int64_t longest = 4096;
  auto start = attribute_of(m.extra, "start-note");
  auto thirty_seconds = std::min(floor(length.value * rational{8}), longest);
  auto count = std::max<std::int64_t>(thirty_seconds - thirty_seconds % 2, 4);
  int first = start == "below" ? near.lower : near.upper, second = 0;
  if (start == "main") {
    std::swap(first, second);
    count -= 1;
  }
  auto cents = alternating(beats_of(m).value_or(count), first, second);
  auto turn = attribute_of(m.extra, "two-note-turn");
  if (turn == "whole" || turn == "half") {
    cents.push_back(turn == "whole" ? -200 : -100);
    cents.push_back(0);
  }
  auto each = rational{1, static_cast<std::int64_t>(cents.size())};
  return placed(m, cents, each, rational{1} - each);
}

std::vector<ornament_tone> mordent(const mark& m, int neighbour) {
  bool is_long = attribute_of(m.extra, "long") == "yes";
  auto count = beats_of(m).value_or(is_long ? 5 : 3);
  int first = 0, second = neighbour;
  auto start = attribute_of(m.extra, "start-note");
  if (start == "upper" || start == "below") std::swap(first, second);
  return placed(m, alternating(count, first, second), rational{12, 100},
                rational{12 * (count - 1), 100});
}

std::vector<ornament_tone> turn(const mark& m, int first, int third, bool delayed) {
  auto tones = placed(m, {first, 0, third, 0}, rational{1, 4}, rational{3, 4});
  if (!delayed) return tones;
  for (auto& t : tones)
    t.from = rational{1, 2} + t.from / rational{2};
  tones.insert(tones.begin(), {rational{0}, 0});
  return tones;
}

/// From a third below, by step.
std::vector<ornament_tone> slide(quarters length, int third, int second) {
  auto each = std::min(rational{1, 4}, rational{1, 8} / length.value);
  return {{rational{0}, third}, {each, second}, {each * rational{2}, 0}};
}

/// The tones of one mark; empty: it has none that are agreed on.
std::vector<ornament_tone> tones_of_mark(const mark& m, pitch p, quarters length,
                                         const key_signature& key, neighbours near) {
  switch (m.kind) {
    case mark_kind::trill_mark: return trill(m, length, near);
    case mark_kind::shake:
      return placed(m, alternating(beats_of(m).value_or(4), near.upper, 0), rational{1, 4},
                    rational{3, 4});
    case mark_kind::mordent: return mordent(m, near.lower);
    case mark_kind::inverted_mordent: return mordent(m, near.upper);
    case mark_kind::turn:
    case mark_kind::vertical_turn:
    case mark_kind::haydn: return turn(m, near.upper, near.lower, false);
    case mark_kind::inverted_turn:
    case mark_kind::inverted_vertical_turn: return turn(m, near.lower, near.upper, false);
    case mark_kind::schleifer:
      return slide(length, neighbour_cents(p, -2, key, std::nullopt), near.lower);
    case mark_kind::delayed_turn: return turn(m, near.upper, near.lower, true);
    case mark_kind::delayed_inverted_turn: return turn(m, near.lower, near.upper, true);
    default: return {};  // tremolos are in the rhythm; unplayed_marks.hpp has the others
  }
}

}  // namespace

bool has_ornament(const note& n) {
  return std::any_of(n.marks.begin(), n.marks.end(), [](auto& m) {
    return info(m.kind).group == mark_group::ornament &&
           !tones_of_mark(m, {}, quarters{rational{1}}, {}, {}).empty();
  });
}

std::vector<ornament_tone> ornament_tones(const note& n, quarters length, const key_signature& key,
                                          const mark* trilled) {
  auto* p = std::get_if<pitch>(&n.tone);
  if (std::holds_alternative<rest>(n.tone) || length <= quarters{}) return {};
  auto tones_with = [&](const mark& m) {
    auto near = p ? neighbours_of(n, m, *p, key) : neighbours{};
    return tones_of_mark(m, p ? *p : pitch{}, length, key, near);
  };
  std::vector<ornament_tone> tones;
  for (auto& m : n.marks)
    if (tones.empty() && info(m.kind).group == mark_group::ornament) tones = tones_with(m);
  if (tones.empty() && trilled) tones = tones_with(*trilled);
  if (!p)
    for (auto& t : tones)
      t.cents = 0;
  return tones;
}

}  // namespace fermata::midi
