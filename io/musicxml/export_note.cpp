#include "io/musicxml/division_values.hpp"
#include "io/musicxml/export_context.hpp"
#include "io/musicxml/preserved_writer.hpp"

#include <algorithm>

namespace fermata::io::musicxml::detail {

namespace {

int written_octave(export_context& c, int octave, std::string_view what) {
  if (octave >= 0 && octave <= 9) return octave;
  c.problem(std::string{what} + " in octave " + std::to_string(octave) +
            ": MusicXML has octaves 0 to 9; the nearest one is written");
  return octave < 0 ? 0 : 9;
}

void write_tone(export_context& c, const note& n, const pitch& p) {
  auto& out = c.out;
  out.open("pitch");
  out.leaf("step", step_name(p.letter));
  // A microtone finer than a cent, or an explicit zero, is kept as the file spelt it.
  if (auto* kept = preserved_child(n.extra, "alter"))
    out.element(kept->xml);
  else if (p.cents != 0)
    write_semitones(c, n.extra, "alter", p.cents);
  out.leaf("octave", written_octave(c, p.octave, "a note"));
  out.close("pitch");
}

void write_place(export_context& c, std::optional<step> display, int octave) {
  if (!display) return;
  c.out.leaf("display-step", step_name(*display));
  c.out.leaf("display-octave", written_octave(c, octave, "a place on the staff"));
}
void write_tone(export_context& c, const note&, const unpitched& u) {
  c.out.open("unpitched");
  write_place(c, u.display_step, u.display_octave);
  c.out.close("unpitched");
}
void write_tone(export_context& c, const note& n, const rest& r) {
  c.out.open("rest");
  if (r.whole_measure) c.out.attribute("measure", "yes");
  write_kept_attributes(c, n.extra, "rest");
  write_place(c, r.display_step, r.display_octave);
  c.out.close("rest");
}

void write_grace(export_context& c, const grace_info& g) {
  c.out.open("grace");
  c.attribute("grace", "steal-time-previous", g.steal_previous);
  c.attribute("grace", "steal-time-following", g.steal_following);
  if (!g.make_time.empty())
    c.attribute("grace", "make-time", in_divisions(g.make_time, c.divisions));
  if (!g.slash_text.empty())
    c.attribute("grace", "slash", g.slash_text);
  else if (g.slash)
    c.out.attribute("slash", "yes");
  c.out.close("grace");
}

void write_tie(export_context& c, const note& n, std::string_view type) {
  c.out.open("tie");
  c.out.attribute("type", type);
  if (n.extra)
    for (auto& f : n.extra->children)
      if (element_name(f) == "tie") {
        // Kept with its type, since the two ends may differ.
        std::string_view xml = f.xml;
        auto marker = " type=\"" + std::string{type} + "\"";
        if (auto at = xml.find(marker); at != std::string_view::npos) {
          xml.remove_prefix(at + marker.size());
          c.out.raw_attributes(xml.substr(0, xml.find("/>")));
          break;
        }
      }
  c.out.close("tie");
}

void write_type(export_context& c, const note& n, const note_value& v) {
  write_leaf(c, n.extra, "type", musicxml_name(v.base));
  for (int i = 0; i < v.dots; ++i) {
    if (!n.extra || n.extra->children.empty()) {
      c.out.empty("dot");
      continue;
    }
    c.out.open("dot");
    write_kept_attributes(c, n.extra, "dot", static_cast<std::size_t>(i));
    c.out.close("dot");
  }
}

void write_time_modification(export_context& c, const time_modification& t) {
  auto& out = c.out;
  out.open("time-modification");
  out.leaf("actual-notes", std::max(t.actual, 0));
  out.leaf("normal-notes", std::max(t.normal, 0));
  if (t.normal_type) write_note_value(c, "normal-type", "normal-dot", *t.normal_type);
  out.close("time-modification");
}

void write_notehead(export_context& c, const notehead& h) {
  if (!c.text_fits("notehead", h.value)) return;
  c.out.open("notehead");
  c.attribute("notehead", "filled", h.filled);
  c.attribute("notehead", "parentheses", h.parentheses);
  write_preserved_attributes(c, "notehead", h.extra, {"filled", "parentheses"});
  c.out.text(h.value);
  c.out.close("notehead");
}

void write_accidental(export_context& c, const displayed_accidental& a) {
  if (!c.text_fits("accidental", a.value)) return;
  c.out.open("accidental");
  write_preserved_attributes(c, "accidental", a.extra);
  c.out.text(a.value);
  c.out.close("accidental");
}

void write_beam(export_context& c, const beam& b) {
  if (b.value != "begin" && b.value != "continue" && b.value != "end" &&
      !c.text_fits("beam", b.value))
    return;
  c.out.open("beam");
  c.out.attribute("number", std::clamp<int>(b.number, 1, 8));
  write_preserved_attributes(c, "beam", b.extra, {"number"});
  c.out.text(b.value);
  c.out.close("beam");
}

std::string_view beam_word(char letter) {
  switch (letter) {
    case 'b': return "begin";
    case 'c': return "continue";
    case 'e': return "end";
    case 'f': return "forward hook";
    default: return "backward hook";
  }
}

/// The id under which an instrument of the current part is written.
std::string_view written_instrument(export_context& c, std::string_view id) {
  auto& instruments = c.current_part->instruments;
  for (std::size_t i = 0; i < instruments.size(); ++i)
    if (instruments[i].id == id) return c.ids.instruments[c.part_index][i];
  return {};
}

/// What one <note> of a chord shares with the others.
struct chord_frame {
  const chord_rest& chord;
  bool grace;  ///< written as a grace note
  std::int64_t ticks;
};

void write_note_instrument(export_context& c, const std::string& instrument) {
  auto id = written_instrument(c, instrument);
  if (id.empty())
    return c.problem("a note uses the instrument " + instrument + ", which its part does not have");
  c.out.open("instrument");
  c.out.attribute("id", id);
  c.out.close("instrument");
}

void write_completed_beams(export_context& c, const completed_chord& completed) {
  for (std::size_t i = 0; i < completed.beams.size() && completed.beams[i] != 0; ++i) {
    c.out.open("beam");
    c.out.attribute("number", static_cast<std::int64_t>(i + 1));
    c.out.text(beam_word(completed.beams[i]));
    c.out.close("beam");
  }
}

void write_note(export_context& c, const chord_frame& frame, const note& n, bool first,
                const completed_chord& completed, std::string_view completed_accidental) {
  auto& out = c.out;
  auto& x = frame.chord;
  const bool plain = !n.extra;
  auto* differs = n.differs ? &*n.differs : nullptr;
  out.open("note");
  if (!plain) write_preserved_attributes(c, "note", n.extra);
  if (frame.grace) {
    if (x.grace)
      write_grace(c, *x.grace);
    else
      out.empty("grace");
  }
  if (x.cue) out.empty("cue");
  if (!first) out.empty("chord");
  std::visit([&](auto& tone) { write_tone(c, n, tone); }, n.tone);
  if (!frame.grace) {
    auto ticks = frame.ticks;
    if (differs && differs->length)
      ticks = std::max<std::int64_t>(1, c.ticks(differs->length->value));
    out.leaf("duration", ticks);
  }
  // The schema gives cue notes no <tie>: they do not sound.
  if (!x.cue) {
    if (n.tie.stop) write_tie(c, n, "stop");
    if (n.tie.start) write_tie(c, n, "start");
  }
  if (!n.instrument.empty()) write_note_instrument(c, n.instrument);
  if (!plain) {
    write_preserved_children(c, "note", n.extra, {"instrument"});
    write_preserved_children(c, "note", n.extra, {"footnote"});
    write_preserved_children(c, "note", n.extra, {"level"});
  }
  out.leaf("voice", differs && differs->voice ? *differs->voice : x.voice);
  if (differs && differs->written)
    write_type(c, n, *differs->written);
  else if (x.written && !(differs && differs->without_written))
    write_type(c, n, *x.written);
  if (n.accidental)
    write_accidental(c, *n.accidental);
  else if (!completed_accidental.empty())
    out.leaf("accidental", completed_accidental);
  if (x.tuplet) write_time_modification(c, *x.tuplet);
  if (!n.stem.empty() && (n.stem == "up" || n.stem == "down" || c.text_fits("stem", n.stem)))
    write_leaf(c, n.extra, "stem", n.stem);
  if (n.notehead) write_notehead(c, *n.notehead);
  if (!plain) write_preserved_children(c, "note", n.extra, {"notehead-text"});
  auto staff = differs && differs->staff ? *differs->staff : x.staff;
  if (c.several_staves || x.staff_given || (differs && differs->staff))
    out.leaf("staff", std::max<std::int64_t>(1, staff));
  for (std::size_t i = 0; i < n.beams.size() && i < 8; ++i)
    write_beam(c, n.beams[i]);
  if (first && n.beams.empty()) write_completed_beams(c, completed);
  write_notations(c, n);
  for (auto& l : n.lyrics)
    write_lyric(c, l);
  if (!plain) {
    write_preserved_children(c, "note", n.extra, {"play"});
    write_preserved_children(c, "note", n.extra, {"listen"});
    write_misplaced_children(c, n.extra,
                             {"alter", "rest", "tie", "instrument", "footnote", "level", "type",
                              "dot", "stem", "notehead-text", "notations", "play", "listen"});
  }
  out.close("note");
}

}  // namespace

std::int64_t write_chord_rest(export_context& c, const chord_rest& x,
                              const completed_chord& completed) {
  chord_frame frame{x, x.grace.has_value(), 0};
  if (!frame.grace) {
    if (x.length.value <= rational{0}) {
      // MusicXML wants a positive duration; what takes no time is a grace note there.
      c.problem("a note without length is written as a grace note");
      frame.grace = true;
    } else {
      // Rounded lengths (divisions too coarse) still take time; the next place is absolute, so
      // that nothing adds up.
      frame.ticks = std::max<std::int64_t>(1, c.ticks(x.length.value));
    }
  }
  for (std::size_t i = 0; i < x.notes.size(); ++i)
    write_note(c, frame, x.notes[i], i == 0, completed,
               i < completed.accidentals.size() ? completed.accidentals[i] : std::string_view{});
  return frame.ticks;
}

}  // namespace fermata::io::musicxml::detail
