#include "core/lang/transform/moved_accidentals.hpp"

#include "core/music/accidental.hpp"
#include "core/score/model/attribute_of.hpp"

#include <algorithm>
#include <string_view>

namespace fermata {

namespace {

int staff_step(const pitch& p) { return p.octave * 7 + static_cast<int>(p.letter); }

pitch beside(const pitch& p, int steps, int cents) {
  auto place = staff_step(p) + steps;
  auto letter = (place % 7 + 7) % 7;
  return {static_cast<step>(letter), static_cast<std::int16_t>(cents),
          static_cast<std::int16_t>((place - letter) / 7)};
}

}  // namespace

void move_accidentals(note& n, const pitch& before,
                      const std::function<pitch(const pitch&)>& move) {
  auto now = std::get<pitch>(n.tone);
  if (n.accidental && now != before) {
    auto reminds = [&](std::string_view name) {
      return attribute_of(n.accidental->extra, name) == "yes";
    };
    auto sign = accidental_of(now.cents);
    auto kept = !sign.empty() && (reminds("cautionary") || reminds("editorial") ||
                                  reminds("parentheses") || reminds("bracket"));
    if (kept)
      n.accidental = displayed_accidental{std::string{sign}, n.accidental->extra};
    else
      n.accidental.reset();
  }
  /// The new text of a sign that says the alteration of the tone `steps` above the note.
  auto moved_sign = [&](const mark& m, int steps) -> std::string_view {
    auto cents = cents_of_accidental(m.text);
    if (!cents) return {};
    auto neighbour = beside(before, steps, *cents);
    auto there = move(neighbour);
    if (there == neighbour && now == before) return m.text;
    return staff_step(there) - staff_step(now) == steps ? accidental_of(there.cents)
                                                        : std::string_view{};
  };
  auto ornament = std::any_of(n.marks.begin(), n.marks.end(), [](const mark& m) {
    return info(m.kind).group == mark_group::ornament;
  });
  std::erase_if(n.marks, [&](mark& m) {
    if (m.kind != mark_kind::ornament_accidental && m.kind != mark_kind::accidental_notation)
      return false;
    auto steps = attribute_of(m.extra, "placement") == "below" ? -1 : 1;
    if (m.kind == mark_kind::accidental_notation && !ornament) steps = 0;
    auto sign = moved_sign(m, steps);
    if (sign.empty()) return true;
    m.text = sign;
    return false;
  });
}

}  // namespace fermata
