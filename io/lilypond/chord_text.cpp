#include "io/lilypond/chord_text.hpp"

#include "io/lilypond/mark_text.hpp"
#include "io/lilypond/syntax.hpp"

#include <algorithm>

namespace fermata::io::lilypond {

namespace {

/// A percussion staff has c' on its middle line, where MusicXML counts as in the treble clef (b4).
pitch drawn_percussion(step s, int octave) {
  auto index = octave * 7 + static_cast<int>(s) - 6;
  auto o = index >= 0 ? index / 7 : (index - 6) / 7;
  return {static_cast<step>(index - o * 7), 0, static_cast<std::int16_t>(o)};
}

struct tone_text {
  std::string operator()(const pitch& p) const { return pitch_text(p); }
  std::string operator()(const unpitched& u) const {
    return pitch_text(drawn_percussion(u.display_step.value_or(step::b), u.display_octave));
  }
  std::string operator()(const rest&) const { return "r"; }
};

/// "!" or "?" for an accidental that is shown as a reminder.
std::string reminder(const note& n) {
  if (!n.accidental) return "";
  if (attribute(n.accidental->extra, "parentheses") == "yes") return "?";
  return attribute(n.accidental->extra, "cautionary") == "yes" ? "!" : "";
}

struct head_row {
  std::string_view value, style;
};
constexpr head_row heads[] = {
    {"x", "cross"},         {"cross", "cross"},
    {"diamond", "diamond"}, {"triangle", "triangle"},
    {"slash", "slash"},     {"circle-x", "xcircle"},
    {"do", "do"},           {"re", "re"},
    {"mi", "mi"},           {"fa", "fa"},
    {"so", "sol"},          {"la", "la"},
    {"ti", "ti"},           {"harmonic", "harmonic"},
};

/// A tweak in front of a note for its head; nothing for ordinary ones, empty for unknown ones.
std::optional<std::string> head_tweak(const note& n) {
  if (!n.notehead || n.notehead->value.empty() || n.notehead->value == "normal") return "";
  for (auto& h : heads)
    if (h.value == n.notehead->value)
      return "\\tweak NoteHead.style #'" + std::string{h.style} + " ";
  return std::nullopt;
}

std::string note_text(const note& n, const part* drums) {
  if (drums) return drum_name(*drums, n);
  return head_tweak(n).value_or("") + std::visit(tone_text{}, n.tone) + reminder(n);
}

}  // namespace

std::string heads_text(const chord_rest& x, const chord_links& links, const part* drums) {
  if (is_rest(x)) {
    auto& r = std::get<rest>(x.notes.front().tone);
    // A rest at a height is written as a note there.
    if (r.display_step && !drums)
      return pitch_text({*r.display_step, 0, static_cast<std::int16_t>(r.display_octave)});
    return "r";
  }
  if (x.notes.size() == 1) return note_text(x.notes.front(), drums);
  std::string text = "<";
  for (std::size_t n = 0; n < x.notes.size(); ++n) {
    if (n > 0) text += " ";
    text += note_text(x.notes[n], drums);
    if (n < links.tied.size() && links.tied[n]) text += "~";
    if (n < links.rings.size() && links.rings[n]) text += "\\laissezVibrer";
    for (auto& m : x.notes[n].marks)
      if (m.kind == mark_kind::fingering || m.kind == mark_kind::string)
        text += mark_text(m).value_or("");
  }
  return text + ">";
}

std::string tremolo_text(const chord_rest& x) {
  for (auto& n : x.notes)
    for (auto& m : n.marks)
      if (m.kind == mark_kind::tremolo) {
        auto strokes = parse_rational(m.text).value_or(rational{0});
        if (!strokes.is_integer() || strokes <= rational{0} || strokes > rational{6}) return "";
        auto flags = x.written && x.written->base > note_base::quarter
                         ? static_cast<int>(x.written->base) - static_cast<int>(note_base::quarter)
                         : 0;
        return ":" + std::to_string(4 << (flags + static_cast<int>(strokes.numerator())));
      }
  return "";
}

std::string post_events(const chord_rest& x, const chord_links& links, const score_plan& plan,
                        std::size_t part, std::size_t measure) {
  std::string text;
  if (is_rest(x) && std::get<rest>(x.notes.front().tone).display_step &&
      plan.parts[part].kind(x.staff) != staff_kind::drums)
    text += "\\rest";
  if (x.notes.size() == 1) {
    if (!links.tied.empty() && links.tied[0]) text += "~";
    if (!links.rings.empty() && links.rings[0]) text += "\\laissezVibrer";
  }
  if (links.repeat_tie) text += "\\repeatTie";
  std::vector<std::string> said;
  bool arpeggio = false;
  for (auto& n : x.notes) {
    if (!head_tweak(n)) plan.losses.add("noteheads \"" + n.notehead->value + "\"", part, measure);
    if (auto* p = std::get_if<pitch>(&n.tone); p && !is_quarter_tone_grid(p->name()))
      plan.losses.add("microtones finer than a quarter tone", part, measure);
    for (auto& m : n.marks) {
      if (m.kind == mark_kind::tremolo) continue;
      if (m.kind == mark_kind::trill_mark && links.in_trill_line) continue;
      if (x.notes.size() > 1 && (m.kind == mark_kind::fingering || m.kind == mark_kind::string))
        continue;
      if (m.kind == mark_kind::arpeggiate || m.kind == mark_kind::non_arpeggiate) {
        arpeggio = true;
        continue;
      }
      auto event = mark_text(m);
      if (!event) {
        plan.losses.add(std::string{info(m.kind).xml_name} + " marks", part, measure);
        continue;
      }
      // The same sign on several notes of a chord is one sign.
      if (std::find(said.begin(), said.end(), *event) == said.end()) said.push_back(*event);
    }
  }
  // Breaths are music of their own and come last.
  auto is_breath = [](const std::string& e) { return e.ends_with("\\breathe"); };
  if (arpeggio && x.notes.size() > 1) text += "\\arpeggio";
  for (auto& e : said)
    if (!is_breath(e)) text += e;
  text += links.after;
  for (auto& e : said)
    if (is_breath(e)) text += " " + e;
  return text;
}

}  // namespace fermata::io::lilypond
