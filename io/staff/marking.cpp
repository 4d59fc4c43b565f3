#include "io/staff/marking.hpp"

#include "core/music/pitch.hpp"
#include "core/score/model/attribute_of.hpp"
#include "core/score/model/spanners.hpp"
#include "io/staff/mark_sign.hpp"
#include "io/staff/signature.hpp"

#include <algorithm>

namespace fermata::io::staff {

namespace {

std::string attribute(const preserved& extra, std::string_view name) {
  if (extra)
    for (auto& [key, value] : extra->attributes)
      if (key == name) return value;
  return {};
}

/// 1 above, -1 below, 0 where it fits.
int side_of(std::string_view placement) {
  return placement == "above" ? 1 : placement == "below" ? -1 : 0;
}

std::string element_name(const std::string& xml) {
  auto begin = xml.find('<');
  if (begin == xml.npos) return "an element";
  return xml.substr(begin + 1, xml.find_first_of(" />", begin + 1) - begin - 1);
}

/// A spanner on notes that is not drawn. Ties are drawn, but for those without a second note.
std::string_view undrawn_name(spanner_kind k) {
  if (k == spanner_kind::tied) return "laissez vibrer";
  return k == spanner_kind::tremolo ? "tremolo between notes" : name_of(k);
}

void add_spanner(drawn_chord& d, const spanner& s, left_out_counts& left_out) {
  bool begins = s.end == span_end::start;
  if (s.kind == spanner_kind::slur) {
    if (begins || s.end == span_end::stop) {
      auto side = side_of(attribute(s.extra, "placement"));
      if (attribute(s.extra, "orientation") == "over") side = 1;
      if (attribute(s.extra, "orientation") == "under") side = -1;
      d.slurs.push_back({s.number, begins, side});
    }
    return;
  }
  // Ties and tuplets are drawn with the notes.
  if (s.kind == spanner_kind::tuplet ||
      (s.kind == spanner_kind::tied && s.end != span_end::let_ring))
    return;
  if (begins || s.end == span_end::let_ring) ++left_out[std::string{undrawn_name(s.kind)}];
}

void add_lyric(drawn_chord& d, const lyric& l, left_out_counts& left_out) {
  syllable s;
  s.verse = l.number;
  for (auto& piece : l.syllables) {
    s.text += piece.elision.empty() || s.text.empty() ? "" : "_";
    s.text += one_line(piece.text);
  }
  if (!l.syllables.empty()) {
    auto& last = l.syllables.back().syllabic;
    s.hyphen = last == "begin" || last == "middle";
  }
  s.extends = l.extend == "plain" || l.extend == "start";
  if (l.humming) ++left_out["humming"];
  if (l.laughing) ++left_out["laughing"];
  if (!s.text.empty()) d.syllables.push_back(std::move(s));
}

std::string beat_name(const note_value& v, const glyphs& g) {
  auto name = v.base == note_base::quarter && g.unicode  ? std::string{"♩"}
              : v.base == note_base::eighth && g.unicode ? std::string{"♪"}
                                                         : std::string{musicxml_name(v.base)};
  return name + std::string(v.dots, '.');
}

/// Puts each type of a direction where such things stand.
struct direction_reader {
  measure_block& b;
  std::size_t stave;
  const direction& x;
  measure_position at;
  const glyphs& g;
  left_out_counts& left_out;

  void put(band usual_above, band usual_below, bool above, std::string text) const {
    auto side = side_of(x.placement);
    if (side != 0) above = side > 0;
    b.words.push_back({stave, at, above ? usual_above : usual_below, std::move(text)});
  }
  void above(std::string text) const {
    put(band::words_above, band::words_below, true, std::move(text));
  }

  void operator()(const dynamics& v) const {
    std::string text;
    for (auto& value : v.values)
      text += (text.empty() ? "" : " ") + one_line(value);
    put(band::dynamics_above, band::dynamics_below, false, text);
  }
  void operator()(const wedge& v) const {
    if (v.type == "continue") return;
    b.hairpins.push_back({stave, at, side_of(x.placement) > 0, v.number,
                          v.type == "crescendo"    ? '<'
                          : v.type == "diminuendo" ? '>'
                                                   : '\0'});
  }
  void operator()(const words& v) const {
    if (auto text = one_line(v.text); !text.empty()) above(text);
  }
  void operator()(const rehearsal_mark& v) const { above('[' + one_line(v.text) + ']'); }
  void operator()(const segno_mark&) const { above(g.unicode ? "𝄋" : "segno"); }
  void operator()(const coda_mark&) const { above(g.unicode ? "𝄌" : "coda"); }
  void operator()(const metronome& v) const {
    above(beat_name(v.beat, g) + " = " +
          (v.equals ? beat_name(*v.equals, g) : one_line(v.per_minute)));
  }
  void operator()(const pedal& v) const {
    auto text = v.type == "start" || v.type == "resume" ? "Ped."
                : v.type == "sostenuto"                 ? "Sost."
                : v.type == "change"                    ? "*Ped."
                : v.type == "continue"                  ? ""
                                                        : "*";
    if (*text != '\0') put(band::words_above, band::pedal, false, text);
  }
  void operator()(const octave_shift& v) const {
    if (v.type == "up" || v.type == "down") ++left_out["octave line"];
  }
  void operator()(const line_end& v) const {
    if (v.type == "start") ++left_out[v.dashes ? "dashes" : "bracket"];
  }
  void operator()(const fragment& v) const { add_fragment(v, left_out); }
};

std::size_t stave_of(std::size_t first, std::optional<std::uint8_t> staff) {
  return first + (staff && *staff > 0 ? *staff - 1U : 0U);
}

std::string capital(const pitch_name& n, const glyphs& g) {
  std::string text{"CDEFGAB"[static_cast<std::size_t>(n.letter)]};
  auto sign = n.cents == 100    ? "sharp"
              : n.cents == -100 ? "flat"
              : n.cents == 200  ? "double-sharp"
              : n.cents == -200 ? "flat-flat"
                                : "";
  if (*sign != '\0') text += accidental_sign(sign, g);
  return text;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line;
  for (char c : text)
    line += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  auto begin = line.find_first_not_of(' ');
  if (begin == line.npos) return {};
  return line.substr(begin, line.find_last_not_of(' ') - begin + 1);
}

void add_marks(drawn_chord& d, const chord_rest& x, const glyphs& g, left_out_counts& left_out) {
  for (auto& n : x.notes) {
    for (auto& m : n.marks) {
      auto sign = sign_of(m, g);
      sign.side = side_of(attribute(m.extra, "placement"));
      if (m.kind == mark_kind::fermata_mark && attribute(m.extra, "type") == "inverted")
        sign.side = -1;
      if (std::find(d.marks.begin(), d.marks.end(), sign) == d.marks.end())
        d.marks.push_back(std::move(sign));
    }
    for (auto& s : n.spanners)
      add_spanner(d, s, left_out);
    for (auto& l : n.lyrics)
      add_lyric(d, l, left_out);
    if (n.notehead && n.notehead->value != "normal" && n.notehead->value != "x" &&
        n.notehead->value != "cross")
      ++left_out["notehead " + one_line(n.notehead->value)];
    if (n.accidental && accidental_sign(n.accidental->value, g) == "?")
      ++left_out["accidental " + one_line(n.accidental->value)];
  }
  if (x.grace && x.grace->slash) ++left_out["grace slash"];
  if (x.cue) ++left_out["cue size"];
}

void add_direction(measure_block& b, std::size_t first_stave, const direction& x,
                   measure_position at, const glyphs& g, left_out_counts& left_out) {
  if (x.offset) at = at + *x.offset;
  direction_reader reader{b, stave_of(first_stave, x.staff), x, at, g, left_out};
  // "Allegro" and the metronome mark behind it are one text.
  std::string tempo;
  for (auto& type : x.types) {
    auto before = b.words.size();
    std::visit(reader, type);
    bool joins = std::holds_alternative<words>(type) || std::holds_alternative<metronome>(type);
    if (b.words.size() == before) continue;
    if (joins && !tempo.empty() && before > 0) {
      b.words[before - 1].text += ' ' + b.words[before].text;
      b.words.pop_back();
    }
    tempo = joins ? b.words.back().text : std::string{};
  }
}

std::string chord_symbol(const harmony& x, const glyphs& g) {
  struct row {
    std::string_view kind, text;
  };
  static constexpr row rows[] = {
      {"major", ""},
      {"minor", "m"},
      {"augmented", "aug"},
      {"diminished", "dim"},
      {"dominant", "7"},
      {"major-seventh", "maj7"},
      {"minor-seventh", "m7"},
      {"diminished-seventh", "dim7"},
      {"augmented-seventh", "aug7"},
      {"half-diminished", "m7b5"},
      {"major-minor", "m(maj7)"},
      {"major-sixth", "6"},
      {"minor-sixth", "m6"},
      {"dominant-ninth", "9"},
      {"major-ninth", "maj9"},
      {"minor-ninth", "m9"},
      {"dominant-11th", "11"},
      {"major-11th", "maj11"},
      {"minor-11th", "m11"},
      {"dominant-13th", "13"},
      {"major-13th", "maj13"},
      {"minor-13th", "m13"},
      {"suspended-second", "sus2"},
      {"suspended-fourth", "sus4"},
      {"power", "5"},
  };
  if (x.kind == "none") return x.kind_text.empty() ? "N.C." : one_line(x.kind_text);
  auto text = x.root ? capital(*x.root, g) : one_line(x.function);
  auto found =
      std::find_if(std::begin(rows), std::end(rows), [&](auto& r) { return r.kind == x.kind; });
  if (!x.kind_text.empty())
    text += one_line(x.kind_text);
  else if (found != std::end(rows))
    text += found->text;
  else
    text += ' ' + one_line(x.kind);
  for (auto& d : x.degrees) {
    if (is_hidden(d.extra)) continue;  // the text of the kind says it
    auto sign = d.cents > 0 ? "#" : d.cents < 0 ? "b" : "";
    auto verb = d.type == "add" ? "add" : d.type == "subtract" ? "omit" : "";
    text += '(' + std::string{verb} + sign + std::to_string(d.value) + ')';
  }
  if (x.bass) text += '/' + capital(*x.bass, g);
  return text;
}

void add_harmony(measure_block& b, std::size_t first_stave, const harmony& x, measure_position at,
                 const glyphs& g) {
  if (x.offset) at = at + *x.offset;
  auto text = chord_symbol(x, g);
  for (auto& further : x.further)
    text += '|' + chord_symbol(further, g);
  b.words.push_back({stave_of(first_stave, x.staff), at, band::harmony, std::move(text)});
}

void add_figures(measure_block& b, std::size_t first_stave, const figured_bass& x,
                 measure_position at, const glyphs& g) {
  std::string text;
  auto sign = [&](const std::string& name) {
    return name.empty() ? std::string{} : std::string{accidental_sign(name, g)};
  };
  for (auto& f : x.figures)
    text += (text.empty() ? "" : "/") + sign(f.prefix) + one_line(f.number) + sign(f.suffix);
  if (x.parentheses) text = '(' + text + ')';
  b.words.push_back({first_stave, at, band::figures, std::move(text)});
}

void add_barline(measure_block& b, const barline& x, measure_position at,
                 left_out_counts& left_out) {
  if (x.location == "left" && x.repeat == "forward") b.left_bar = "forward";
  if (x.location == "right") {
    b.right_bar = x.repeat == "backward" ? "backward" : x.style;
    if (x.repeat == "backward" && x.repeat_times && *x.repeat_times != 2)
      b.words.push_back({0, at, band::words_above, 'x' + std::to_string(*x.repeat_times)});
    if (x.style == "dotted" || x.style == "dashed" || x.style == "heavy" || x.style == "tick" ||
        x.style == "short" || x.style.starts_with("heavy-"))
      ++left_out["barline " + x.style];
  }
  if (x.location == "middle") ++left_out["barline inside a measure"];
  if (x.ending_type == "start") {
    auto text = one_line(x.ending_text.empty() ? x.ending_numbers : x.ending_text);
    b.ending_begin = x.ending_text.empty() ? text + '.' : text;
  } else if (!x.ending_type.empty()) {
    b.ending_end = x.ending_type;
  }
  if (x.extra)
    for (auto& child : x.extra->children)
      add_fragment(child, left_out);
}

void add_attributes(const attributes& a, left_out_counts& left_out) {
  if (a.multiple_rest) ++left_out["multiple rest"];
  for (auto& other : a.others) {
    auto name = element_name(other.xml);
    if (name == "staff-details" || name == "measure-style") ++left_out[name];
  }
}

void add_fragment(const fragment& x, left_out_counts& left_out) {
  auto name = one_line(element_name(x.xml));
  for (auto unseen : {"listening", "grouping", "link", "bookmark", "footnote", "level"})
    if (name == unseen) return;
  ++left_out[name];
}

}  // namespace fermata::io::staff
