#include "io/lilypond/mark_text.hpp"

#include "io/lilypond/syntax.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace fermata::io::lilypond {

namespace {

struct mark_row {
  mark_kind kind;
  std::string_view command;
};

constexpr mark_row rows[] = {
    {mark_kind::accent, "\\accent"},
    {mark_kind::strong_accent, "\\marcato"},
    {mark_kind::staccato, "\\staccato"},
    {mark_kind::tenuto, "\\tenuto"},
    {mark_kind::detached_legato, "\\portato"},
    {mark_kind::staccatissimo, "\\staccatissimo"},
    {mark_kind::trill_mark, "\\trill"},
    {mark_kind::turn, "\\turn"},
    {mark_kind::inverted_turn, "\\reverseturn"},
    {mark_kind::mordent, "\\mordent"},
    {mark_kind::inverted_mordent, "\\prall"},
    {mark_kind::shake, "\\prallprall"},
    {mark_kind::haydn, "\\haydnturn"},
    {mark_kind::up_bow, "\\upbow"},
    {mark_kind::down_bow, "\\downbow"},
    {mark_kind::harmonic, "\\flageolet"},
    {mark_kind::open_string, "\\open"},
    {mark_kind::open, "\\open"},
    {mark_kind::thumb_position, "\\thumb"},
    {mark_kind::snap_pizzicato, "\\snappizzicato"},
    {mark_kind::stopped, "\\stopped"},
    {mark_kind::half_muted, "\\halfopen"},
    {mark_kind::heel, "\\lheel"},
    {mark_kind::toe, "\\ltoe"},
};

/// Those whose sign has no placement.
constexpr mark_row unplaced[] = {
    {mark_kind::doit, "\\bendAfter #4"},
    {mark_kind::falloff, "\\bendAfter #-4"},
};

/// Signs between notes, by the text of the mark; an empty glyph is LilyPond's usual one.
struct breath_row {
  mark_kind kind;
  std::string_view text, glyph;
};
constexpr breath_row breaths[] = {
    {mark_kind::breath_mark, "", ""},
    {mark_kind::breath_mark, "comma", ""},
    {mark_kind::breath_mark, "tick", "scripts.tickmark"},
    {mark_kind::breath_mark, "upbow", "scripts.upbow"},
    {mark_kind::caesura, "", "scripts.caesura.straight"},
    {mark_kind::caesura, "normal", "scripts.caesura.straight"},
    {mark_kind::caesura, "curved", "scripts.caesura.curved"},
};

struct fermata_row {
  std::string_view shape, command;  ///< the glyphs are named like the commands
};
constexpr fermata_row fermatas[] = {
    {"", "\\fermata"},
    {"normal", "\\fermata"},
    {"angled", "\\shortfermata"},
    {"square", "\\longfermata"},
    {"double-angled", "\\veryshortfermata"},
    {"double-square", "\\verylongfermata"},
    {"half-curve", "\\henzelongfermata"},
    {"double-dot", "\\henzeshortfermata"},
};

}  // namespace

std::string placement(const preserved& extra) {
  auto where = attribute(extra, "placement");
  return where == "above" ? "^" : where == "below" ? "_" : "-";
}

std::string dynamic_text(const std::string& name) {
  static constexpr std::array known{"ppppp", "pppp", "ppp", "pp",   "p",     "mp", "mf",
                                    "f",     "ff",   "fff", "ffff", "fffff", "fp", "sf",
                                    "sff",   "sp",   "spp", "sfz",  "rfz"};
  if (std::find(known.begin(), known.end(), name) != known.end()) return "\\" + name;
  return "#(make-dynamic-script " + quoted(name) + ")";
}

std::optional<std::string> fermata_glyph(std::string_view shape, bool inverted) {
  for (auto& f : fermatas)
    if (f.shape == shape)
      return "scripts." + std::string{inverted ? "d" : "u"} + std::string{f.command.substr(1)};
  return std::nullopt;
}

std::optional<std::string> mark_text(const mark& m) {
  for (auto& r : rows)
    if (r.kind == m.kind) {
      auto side = placement(m.extra);
      // A marcato that points down stands below.
      if (m.kind == mark_kind::strong_accent && m.text == "down" && side == "-") side = "_";
      return side + std::string{r.command};
    }
  for (auto& r : unplaced)
    if (r.kind == m.kind) return std::string{r.command};
  for (auto& r : breaths)
    if (r.kind == m.kind && r.text == m.text)
      return r.glyph.empty() ? "\\breathe"
                             : "\\once \\override BreathingSign.text = \\markup { \\musicglyph " +
                                   quoted(r.glyph) + " } \\breathe";
  if (m.kind == mark_kind::fermata_mark) {
    // An inverted fermata stands below.
    auto side = attribute(m.extra, "type") == "inverted" ? "_" : "^";
    for (auto& f : fermatas)
      if (f.shape == m.text) return side + std::string{f.command};
    return std::nullopt;
  }
  if (m.kind == mark_kind::fingering) {
    bool digit = m.text.size() == 1 && std::isdigit(static_cast<unsigned char>(m.text[0]));
    return placement(m.extra) + (digit ? m.text : "\\finger " + quoted(m.text));
  }
  if (m.kind == mark_kind::string && m.text.size() == 1 && m.text[0] >= '1' && m.text[0] <= '9')
    return "\\" + m.text;
  if (m.kind == mark_kind::dynamics_notation && !m.text.empty())
    return placement(m.extra) + dynamic_text(m.text);
  return std::nullopt;
}

}  // namespace fermata::io::lilypond
