#include "io/staff/mark_sign.hpp"

#include "io/staff/marking.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>

namespace fermata::io::staff {

namespace {

struct row {
  mark_kind kind;
  std::string_view unicode, ascii;
  bool near = false;   ///< stands at the head, on the other side than the stem
  bool above = false;  ///< stands above the staff wherever the stem is
};
constexpr row mark_rows[] = {
    {mark_kind::staccato, "·", ".", true},
    {mark_kind::tenuto, "–", "-", true},
    {mark_kind::accent, ">", ">", true},
    {mark_kind::staccatissimo, "'", "'", true},
    {mark_kind::spiccato, "'", "'", true},
    {mark_kind::detached_legato, "–·", "-.", true},
    {mark_kind::strong_accent, "^", "^", false, true},
    {mark_kind::breath_mark, ",", ",", false, true},
    {mark_kind::caesura, "//", "//", false, true},
    {mark_kind::trill_mark, "tr", "tr", false, true},
    {mark_kind::turn, "∽", "~", false, true},
    {mark_kind::up_bow, "V", "V", false, true},
    {mark_kind::down_bow, "⊓", "n", false, true},
    {mark_kind::harmonic, "o", "o", false, true},
    {mark_kind::open_string, "o", "o", false, true},
    {mark_kind::stopped, "+", "+", false, true},
    {mark_kind::arpeggiate, "arp.", "arp.", false, true},
};

}  // namespace

mark_sign sign_of(const mark& m, const glyphs& g) {
  mark_sign sign;
  auto text = one_line(m.text);
  auto found = std::find_if(std::begin(mark_rows), std::end(mark_rows),
                            [&](auto& r) { return r.kind == m.kind; });
  if (found != std::end(mark_rows)) {
    sign.text = g.unicode ? found->unicode : found->ascii;
    sign.near = found->near;
    sign.above = found->above;
    return sign;
  }
  sign.above = true;
  switch (m.kind) {
    case mark_kind::fermata_mark: sign.text = g.unicode ? "𝄐" : "(.)"; return sign;
    case mark_kind::fingering:
    case mark_kind::pluck:
    case mark_kind::other_articulation:
    case mark_kind::other_ornament:
    case mark_kind::other_technical:
    case mark_kind::other_notation:
      if (!text.empty()) {
        sign.text = text;
        return sign;
      }
      break;
    case mark_kind::dynamics_notation:
      sign.text = text;
      sign.above = false;
      sign.dynamics = true;
      return sign;
    case mark_kind::ornament_accidental:
    case mark_kind::accidental_notation:
      if (auto shown = accidental_sign(text, g); shown != "?") {
        sign.text = shown;
        return sign;
      }
      break;
    case mark_kind::tremolo: {
      int strokes = 0;
      std::from_chars(text.data(), text.data() + text.size(), strokes);
      sign.text = std::string(static_cast<std::size_t>(std::clamp(strokes, 1, 8)), '/');
      return sign;
    }
    // Named in words.
    default: break;  // NOLINT: every other kind reads as its name
  }
  sign.text = info(m.kind).option;
  if (!text.empty()) sign.text += ' ' + text;
  return sign;
}

}  // namespace fermata::io::staff
