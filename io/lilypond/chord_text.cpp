#include "io/lilypond/chord_text.hpp"

#include "io/lilypond/accidentals.hpp"
#include "io/lilypond/mark_text.hpp"
#include "io/lilypond/syntax.hpp"

#include <algorithm>

namespace fermata::io::lilypond {

namespace {

struct tone_text {
  const std::optional<pitch>& height;

  std::string operator()(const pitch& p) const { return pitch_text(p); }
  std::string operator()(const unpitched&) const { return pitch_text(height.value_or(pitch{})); }
  std::string operator()(const rest&) const { return "r"; }
};

/// "!" or "?" for an accidental that is shown as a reminder.
std::string reminder(const note& n, bool repeated) {
  if (!n.accidental) return "";
  if (attribute(n.accidental->extra, "parentheses") == "yes") return "?";
  return repeated || attribute(n.accidental->extra, "cautionary") == "yes" ? "!" : "";
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

/// Of rests and drums nothing is tweaked.
std::string head_shape(const note& n) {
  if (!n.notehead) return "";
  std::string text;
  if (n.notehead->parentheses == "yes") text += "\\parenthesize ";
  if (n.notehead->value == "none") text += "\\tweak NoteHead.transparent ##t ";
  if (!n.notehead->filled.empty())
    text += std::string{"\\tweak NoteHead.duration-log #"} +
            (n.notehead->filled == "yes" ? "2 " : "1 ");
  return text;
}

/// A tweak in front of a note for its head; nothing for ordinary ones, empty for unknown ones.
std::optional<std::string> head_tweak(const note& n) {
  if (!n.notehead || n.notehead->value.empty() || n.notehead->value == "normal" ||
      n.notehead->value == "none")
    return "";
  for (auto& h : heads)
    if (h.value == n.notehead->value)
      return "\\tweak NoteHead.style #'" + std::string{h.style} + " ";
  return std::nullopt;
}

std::string note_text(const note& n, const std::optional<pitch>& height, bool repeated,
                      const part* drums) {
  if (drums) return drum_name(*drums, n);
  return head_shape(n) + head_tweak(n).value_or("") + std::visit(tone_text{height}, n.tone) +
         reminder(n, repeated);
}

/// A tie, with its curve or without.
std::string tie_text(const note& n) {
  return draws_tie_start(n) ? "~" : "-\\tweak Tie.stencil ##f ~";
}

bool is_hidden_note(const note& n) { return attribute(n.extra, "print-object") == "no"; }

/// Strokes of a tremolo on one note as LilyPond can draw them.
std::optional<int> tremolo_strokes(const mark& m) {
  auto strokes = parse_rational(m.text).value_or(rational{0});
  if (!strokes.is_integer() || strokes <= rational{0} || strokes > rational{6} ||
      attribute(m.extra, "type") == "unmeasured")
    return std::nullopt;
  return static_cast<int>(strokes.numerator());
}

std::string mark_name(const mark& m) {
  return std::string{info(m.kind).xml_name} + (m.text.empty() ? "" : " \"" + m.text + "\"") +
         " marks";
}

}  // namespace

static bool has_tied(const note& n, span_end end) {
  return std::any_of(n.spanners.begin(), n.spanners.end(), [end](auto& s) {
    return s.kind == spanner_kind::tied && (s.end == end || s.end == span_end::continue_);
  });
}

bool draws_tie_start(const note& n) {
  return (n.tie.start && !n.tie.start_undrawn) || has_tied(n, span_end::start);
}

bool draws_tie_stop(const note& n) {
  return (n.tie.stop && !n.tie.stop_undrawn) || has_tied(n, span_end::stop);
}

std::string heads_text(const chord_rest& x, const chord_links& links, const part* drums) {
  if (is_rest(x)) {
    if (is_hidden_note(x.notes.front())) return "s";
    // A rest at a height is written as a note there.
    auto height = links.heights.empty() ? std::nullopt : links.heights.front();
    return height && !drums ? pitch_text(*height) : "r";
  }
  auto repeated = [&](std::size_t n) { return n < links.repeated.size() && links.repeated[n]; };
  auto height = [&](std::size_t n) {
    return n < links.heights.size() ? links.heights[n] : std::nullopt;
  };
  if (x.notes.size() == 1) return note_text(x.notes.front(), height(0), repeated(0), drums);
  std::string text = "<";
  for (std::size_t n = 0; n < x.notes.size(); ++n) {
    if (n > 0) text += " ";
    text += note_text(x.notes[n], height(n), repeated(n), drums);
    if (n < links.tied.size() && links.tied[n]) text += tie_text(x.notes[n]);
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
        auto strokes = tremolo_strokes(m);
        if (!strokes) return "";
        auto flags = x.written && x.written->base > note_base::quarter
                         ? static_cast<int>(x.written->base) - static_cast<int>(note_base::quarter)
                         : 0;
        return ":" + std::to_string(4 << (flags + *strokes));
      }
  return "";
}

std::string words_before(const chord_rest& x, bool drums) {
  std::string text;
  auto add = [&](const char* word) { text += (text.empty() ? "" : " ") + std::string{word}; };
  auto all = [&](auto holds) { return std::all_of(x.notes.begin(), x.notes.end(), holds); };
  if (!is_rest(x) && all(is_hidden_note)) add("\\once \\hideNotes");
  if (!is_rest(x) && all([](auto& n) { return n.stem == "none"; }))
    add("\\once \\omit Stem \\once \\omit Flag");
  bool bracket = false;
  std::string direction;
  for (auto& n : x.notes)
    for (auto& m : n.marks) {
      bracket |= m.kind == mark_kind::non_arpeggiate;
      if (m.kind == mark_kind::arpeggiate && !m.text.empty()) direction = m.text;
    }
  if (bracket && !drums)
    add("\\once \\override Arpeggio.stencil = #ly:arpeggio::brew-chord-bracket");
  if (direction == "up" || direction == "down")
    add(direction == "up" ? "\\once \\override Arpeggio.arpeggio-direction = #UP"
                          : "\\once \\override Arpeggio.arpeggio-direction = #DOWN");
  return text;
}

std::string post_events(const chord_rest& x, const chord_links& links, const score_plan& plan,
                        std::size_t part, std::size_t measure) {
  std::string text;
  if (is_rest(x) && std::get<rest>(x.notes.front().tone).display_step) {
    if (plan.parts[part].kind(x.staff) == staff_kind::drums)
      plan.losses.add("heights of rests", part, measure);
    else if (!is_hidden_note(x.notes.front()))
      text += "\\rest";
  }
  if (x.notes.size() == 1) {
    if (!links.tied.empty() && links.tied[0]) text += tie_text(x.notes[0]);
    if (!links.rings.empty() && links.rings[0]) text += "\\laissezVibrer";
  }
  if (links.repeat_tie) text += "\\repeatTie";
  std::vector<std::string> said;
  bool arpeggio = false, bracket = false;
  auto hidden = std::count_if(x.notes.begin(), x.notes.end(), is_hidden_note);
  if (hidden > 0 && hidden < static_cast<std::ptrdiff_t>(x.notes.size()))
    plan.losses.add("hidden notes of chords", part, measure);
  auto bare =
      std::count_if(x.notes.begin(), x.notes.end(), [](auto& n) { return n.stem == "none"; });
  if (bare > 0 && bare < static_cast<std::ptrdiff_t>(x.notes.size()))
    plan.losses.add("stems missing on some notes of a chord", part, measure);
  for (auto& n : x.notes) {
    if (auto* p = std::get_if<pitch>(&n.tone);
        n.accidental && p && !is_usual_accidental(n.accidental->value, p->cents))
      plan.losses.add("accidentals shown as \"" + n.accidental->value + "\"", part, measure);
    if (plan.parts[part].kind(x.staff) == staff_kind::drums && n.notehead &&
        !(n.notehead->filled + n.notehead->parentheses).empty())
      plan.losses.add("filled and parenthesized noteheads of percussion", part, measure);
    if (!head_tweak(n)) plan.losses.add("noteheads \"" + n.notehead->value + "\"", part, measure);
    if (auto* p = std::get_if<pitch>(&n.tone); p && !is_quarter_tone_grid(p->name()))
      plan.losses.add("microtones finer than a quarter tone", part, measure);
    for (auto& m : n.marks) {
      if (m.kind == mark_kind::tremolo) {
        if (attribute(m.extra, "type") == "unmeasured")
          plan.losses.add("unmeasured tremolos", part, measure);
        else if (!tremolo_strokes(m))
          plan.losses.add("tremolos of " + (m.text.empty() ? "no" : m.text) + " strokes", part,
                          measure);
        continue;
      }
      if (m.kind == mark_kind::trill_mark && links.in_trill_line) continue;
      // Within a chord they stand on their note.
      if (x.notes.size() > 1 && (m.kind == mark_kind::fingering || m.kind == mark_kind::string) &&
          mark_text(m))
        continue;
      if (m.kind == mark_kind::arpeggiate || m.kind == mark_kind::non_arpeggiate) {
        (m.kind == mark_kind::arpeggiate ? arpeggio : bracket) = true;
        continue;
      }
      auto event = mark_text(m);
      if (!event) {
        plan.losses.add(mark_name(m), part, measure);
        continue;
      }
      // The same sign on several notes of a chord is one sign.
      if (std::find(said.begin(), said.end(), *event) == said.end()) said.push_back(*event);
    }
  }
  // Breaths are music of their own and come last.
  auto is_breath = [](const std::string& e) { return e.ends_with("\\breathe"); };
  // One sign of both kinds is drawn, and that is the bracket.
  if (arpeggio && bracket) plan.losses.add("arpeggios of part of a chord", part, measure);
  if ((arpeggio || bracket) && (x.notes.size() > 1 || links.broken_across))
    text += "\\arpeggio";
  else if (arpeggio || bracket)
    plan.losses.add("arpeggios on one note", part, measure);
  for (auto& e : said)
    if (!is_breath(e)) text += e;
  text += links.after;
  for (auto& e : said)
    if (is_breath(e)) text += " " + e;
  return text;
}

}  // namespace fermata::io::lilypond
