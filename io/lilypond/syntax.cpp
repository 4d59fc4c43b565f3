#include "io/lilypond/syntax.hpp"

#include "core/music/interval.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace fermata::io::lilypond {

namespace {

constexpr std::string_view accidentals[] = {"eses", "eseh", "es",   "eh",  "",
                                            "ih",   "is",   "isih", "isis"};

int quarter_tones(pitch_name n) { return static_cast<int>(std::lround(n.cents / 50.0)); }

}  // namespace

std::string name_text(pitch_name n) {
  std::string text{"cdefgab"[static_cast<int>(n.letter)]};
  auto q = quarter_tones(n);
  // More than double accidentals do not exist in LilyPond.
  q = std::clamp(q, -4, 4);
  return text + std::string{accidentals[q + 4]};
}

bool is_quarter_tone_grid(pitch_name n) {
  return n.cents % 50 == 0 && std::abs(quarter_tones(n)) <= 4;
}

std::string pitch_text(pitch p) {
  auto marks = p.octave - 3;
  return name_text(p.name()) +
         std::string(static_cast<std::size_t>(std::abs(marks)), marks > 0 ? '\'' : ',');
}

std::string value_text(note_value v) {
  std::string text;
  switch (v.base) {
    case note_base::maxima: text = "\\maxima"; break;
    case note_base::long_: text = "\\longa"; break;
    case note_base::breve: text = "\\breve"; break;
    default:
      text = std::to_string(1u << (static_cast<int>(v.base) - static_cast<int>(note_base::whole)));
  }
  return text + std::string(v.dots, '.');
}

std::string whole_fraction(quarters q) {
  auto w = q.value / rational{4};
  return std::to_string(w.numerator()) + "/" + std::to_string(w.denominator());
}

std::string duration_text(quarters sounding, std::optional<note_value> drawn) {
  if (!drawn) {
    if (auto exact = note_value_for(sounding)) return value_text(*exact);
    return "1*" + whole_fraction(sounding);
  }
  auto text = value_text(*drawn);
  auto factor = sounding / length(*drawn);
  return factor == rational{1} ? text : text + "*" + to_string(factor);
}

std::string attribute(const preserved& extra, std::string_view name) {
  if (extra)
    for (auto& [k, v] : extra->attributes)
      if (k == name) return v;
  return {};
}

std::string_view element_name(std::string_view xml) {
  if (xml.starts_with("<?")) xml = xml.substr(std::min(xml.find('<', 1), xml.size()));
  if (xml.empty()) return "XML";
  xml.remove_prefix(1);
  return xml.substr(0, xml.find_first_of(" />"));
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  }
  return out + "\"";
}

std::optional<std::string_view> header_maker(std::string_view type) {
  if (type == "composer" || type == "arranger") return type;
  if (type == "lyricist" || type == "poet") return "poet";
  return std::nullopt;
}

std::string clef_text(const clef& c) {
  struct row {
    std::string_view sign;
    int line;
    std::string_view name;
  };
  static constexpr row rows[] = {
      {"G", 2, "treble"},
      {"G", 1, "french"},
      {"F", 4, "bass"},
      {"F", 3, "varbaritone"},
      {"F", 5, "subbass"},
      {"C", 3, "alto"},
      {"C", 4, "tenor"},
      {"C", 1, "soprano"},
      {"C", 2, "mezzosoprano"},
      {"C", 5, "baritone"},
      {"percussion", 0, "percussion"},
      {"TAB", 0, "tab"},
  };
  std::string name;
  for (auto& r : rows)
    if (r.sign == c.sign && (r.line == c.line || r.line == 0 || c.line == 0)) {
      name = r.name;
      break;
    }
  if (name.empty()) {
    // A sign that is drawn by hand: where it stands, and where that puts middle C.
    struct glyph {
      std::string_view sign, name;
      int middle_c;  ///< staff positions above the clef
    };
    static constexpr glyph glyphs[] = {
        {"G", "clefs.G", -4}, {"F", "clefs.F", 4}, {"C", "clefs.C", 0}};
    auto g = std::find_if(std::begin(glyphs), std::end(glyphs),
                          [&](auto& x) { return x.sign == c.sign; });
    if (g == std::end(glyphs)) {
      name = "treble";
    } else {
      auto at = (c.line - 3) * 2;
      auto middle = at + g->middle_c - 7 * c.octave_change;
      auto set = [](const char* what, const std::string& value) {
        return std::string{"\\set Staff."} + what + " = #" + value + " ";
      };
      auto text = set("clefGlyph", quoted(g->name)) + set("clefPosition", std::to_string(at)) +
                  set("clefTransposition", std::to_string(7 * c.octave_change)) +
                  set("middleCClefPosition", std::to_string(middle)) +
                  set("middleCPosition", std::to_string(middle));
      text.pop_back();
      return text;
    }
  }
  if (c.octave_change != 0)
    name += (c.octave_change > 0 ? "^" : "_") + std::to_string(std::abs(c.octave_change) * 7 + 1);
  return "\\clef " + quoted(name);
}

std::string key_text(const key_signature& k) {
  if (!k.alterations.empty()) {
    std::string list;
    for (auto& a : k.alterations)
      list += (list.empty() ? "" : " ") + std::string{"("} +
              std::to_string(static_cast<int>(a.name.letter)) + " . " +
              to_string(rational{a.name.cents, 200}) + ")";
    return "\\set Staff.keyAlterations = #'(" + list + ")";
  }
  static constexpr std::string_view modes[] = {"major",   "major",    "minor",  "ionian",
                                               "dorian",  "phrygian", "lydian", "mixolydian",
                                               "aeolian", "locrian"};
  return "\\key " + name_text(tonic(k)) + " \\" +
         std::string{modes[static_cast<std::size_t>(k.mode)]};
}

std::string time_text(const time_signature& t) {
  if (t.fractions.empty()) return "\\cadenzaOn \\once \\omit Staff.TimeSignature";
  bool plain = t.fractions.size() == 1 && t.fractions.front().beats.size() == 1;
  // The default style draws C for 4/4 and the cut C for 2/2 only.
  auto is = [&](int beats, int type) {
    return plain && t.fractions.front().beats.front() == beats &&
           t.fractions.front().beat_type == type;
  };
  bool sign = t.symbol == "common" || t.symbol == "cut";
  std::string text = (t.symbol == "common" && is(4, 4)) || (t.symbol == "cut" && is(2, 2))
                         ? "\\defaultTimeSignature "
                         : "\\numericTimeSignature ";
  if (sign && text.starts_with("\\numeric"))
    text += std::string{"\\once \\override Staff.TimeSignature.stencil = #(lambda (grob) "
                        "(grob-interpret-markup grob (markup #:musicglyph \"timesig."} +
            (t.symbol == "cut" ? "C22" : "C44") + "\"))) ";
  if (t.symbol == "single-number")
    text = "\\once \\override Staff.TimeSignature.style = #'single-digit ";
  if (plain)
    return text + "\\time " + std::to_string(t.fractions.front().beats.front()) + "/" +
           std::to_string(t.fractions.front().beat_type);
  text += "\\compoundMeter #'(";
  for (auto& f : t.fractions) {
    text += "(";
    for (auto b : f.beats)
      text += std::to_string(b) + " ";
    text += std::to_string(f.beat_type) + ")";
  }
  return text + ")";
}

std::string transposition_text(const transposition& t) {
  auto chromatic = parse_rational(t.chromatic).value_or(rational{0});
  auto semitones = static_cast<int>(std::lround(chromatic.to_double()));
  // Without diatonic steps the usual spelling: seven steps to twelve semitones.
  auto steps = t.diatonic_given || t.diatonic != 0
                   ? t.diatonic
                   : static_cast<int>(std::lround(semitones * 7 / 12.0));
  auto p =
      transposed(pitch{step::c, 0, 4}, interval{steps + 7 * t.octaves, semitones + 12 * t.octaves});
  return "\\transposition " + pitch_text(p);
}

std::optional<std::string> bar_text(std::string_view style) {
  struct row {
    std::string_view style, bar;
  };
  static constexpr row rows[] = {
      {"light-light", "||"}, {"light-heavy", "|."}, {"heavy-light", ".|"}, {"heavy-heavy", ".."},
      {"heavy", "."},        {"dashed", "!"},       {"dotted", ";"},       {"tick", "'"},
      {"short", ","},        {"none", ""},
  };
  for (auto& r : rows)
    if (r.style == style) return "\\bar " + quoted(r.bar);
  return std::nullopt;
}

}  // namespace fermata::io::lilypond
