#include "io/lilypond/unwritten.hpp"

#include "io/lilypond/accidentals.hpp"
#include "io/lilypond/syntax.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace fermata::io::lilypond {

namespace {

enum class report_as : std::uint8_t { written, layout, playback };

struct attribute_row {
  std::string_view owner;  ///< element; empty: any
  std::string_view name;   ///< attribute
  report_as fate;
  std::string_view value = {};  ///< the row is for this value; empty: any
};

/// Attributes; of several rows the first that fits counts.
constexpr attribute_row kept_attributes[] = {
    // what a writer of this folder looks at
    {"words", "font-weight", report_as::written},
    {"words", "font-style", report_as::written},
    {"words", "enclosure", report_as::written},
    {"rehearsal", "enclosure", report_as::written},
    {"fermata", "type", report_as::written},
    {"accidental", "parentheses", report_as::written},
    {"accidental", "cautionary", report_as::written},
    {"arpeggiate", "number", report_as::written},
    {"arpeggiate", "unbroken", report_as::written},
    {"tremolo", "type", report_as::written},
    {"glissando", "line-type", report_as::written},
    {"slide", "line-type", report_as::written},
    {"wedge", "niente", report_as::written},
    {"pedal", "line", report_as::written},
    {"pedal", "sign", report_as::written},
    {"tuplet", "bracket", report_as::written},
    {"tuplet", "show-number", report_as::written},
    {"note", "print-object", report_as::written},
    {"clef", "print-object", report_as::written},
    {"key", "print-object", report_as::written},
    {"time", "print-object", report_as::written},
    {"ending", "print-object", report_as::written},
    // what would be drawn anyway
    {"repeat", "winged", report_as::written, "none"},
    {"", "print-object", report_as::written, "yes"},
    {"", "print-dot", report_as::written, "yes"},
    {"", "line-type", report_as::written, "solid"},
    {"", "parentheses", report_as::written, "no"},
    {"", "editorial", report_as::written, "no"},
    {"", "bracket", report_as::written, "no"},
    {"", "show-type", report_as::written, "none"},
    // what only tells elements of a file apart
    {"", "id", report_as::written},
    {"", "number", report_as::written},
    // the score's own spelling of a default
    {"", "print-leger", report_as::layout},
    {"", "print-spacing", report_as::layout},
    {"", "print-dot", report_as::layout},
    {"", "placement", report_as::layout},
    {"", "orientation", report_as::layout},
    {"", "default-x", report_as::layout},
    {"", "default-y", report_as::layout},
    {"", "relative-x", report_as::layout},
    {"", "relative-y", report_as::layout},
    {"", "font-family", report_as::layout},
    {"", "font-style", report_as::layout},
    {"", "font-size", report_as::layout},
    {"", "font-weight", report_as::layout},
    {"", "color", report_as::layout},
    {"", "justify", report_as::layout},
    {"", "halign", report_as::layout},
    {"", "valign", report_as::layout},
    {"", "dir", report_as::layout},
    {"", "letter-spacing", report_as::layout},
    {"", "line-height", report_as::layout},
    {"", "line-length", report_as::layout},
    {"", "line-shape", report_as::layout},
    {"", "rotation", report_as::layout},
    {"", "underline", report_as::layout},
    {"", "overline", report_as::layout},
    {"", "line-through", report_as::layout},
    {"", "text-direction", report_as::layout},
    {"", "xml:lang", report_as::layout},
    {"", "xml:space", report_as::layout},
    {"", "bezier-offset", report_as::layout},
    {"", "bezier-offset2", report_as::layout},
    {"", "bezier-x", report_as::layout},
    {"", "bezier-y", report_as::layout},
    {"", "bezier-x2", report_as::layout},
    {"", "bezier-y2", report_as::layout},
    {"", "dash-length", report_as::layout},
    {"", "space-length", report_as::layout},
    {"", "end-length", report_as::layout},
    {"", "text-x", report_as::layout},
    {"", "text-y", report_as::layout},
    {"", "spread", report_as::layout},
    {"", "width", report_as::layout},
    {"wedge", "number", report_as::written},
    {"clef", "after-barline", report_as::layout},
    {"note", "dynamics", report_as::playback},
    {"note", "end-dynamics", report_as::playback},
    {"note", "attack", report_as::playback},
    {"note", "release", report_as::playback},
    {"note", "pizzicato", report_as::playback},
    {"", "time-only", report_as::playback},
    {"", "start-note", report_as::playback},
    {"", "trill-step", report_as::playback},
    {"", "two-note-turn", report_as::playback},
    {"", "accelerate", report_as::playback},
    {"", "beats", report_as::playback},
    {"", "first-beat", report_as::playback},
    {"", "second-beat", report_as::playback},
    {"", "last-beat", report_as::playback},
    {"offset", "sound", report_as::playback},
    {"barline", "segno", report_as::playback},
    {"barline", "coda", report_as::playback},
    {"barline", "divisions", report_as::playback},
    {"measure", "non-controlling", report_as::playback},
};

struct element_row {
  std::string_view owner;  ///< empty: any
  std::string_view name;
  report_as fate;
};

/// Elements that the score keeps whole.
constexpr element_row kept_elements[] = {
    {"barline", "fermata", report_as::written},
    {"barline", "segno", report_as::written},
    {"barline", "coda", report_as::written},
    {"tuplet", "tuplet-actual", report_as::written},
    {"tuplet", "tuplet-normal", report_as::written},
    {"harmonic", "natural", report_as::written},
    // counted by the writer of figured bass
    {"figure", "extend", report_as::written},
    {"", "defaults", report_as::layout},
    {"print", "page-layout", report_as::layout},
    {"print", "system-layout", report_as::layout},
    {"print", "staff-layout", report_as::layout},
    {"print", "measure-layout", report_as::layout},
    {"", "sound", report_as::playback},
    {"", "play", report_as::playback},
    {"", "listen", report_as::playback},
    {"", "listening", report_as::playback},
    {"", "midi-device", report_as::playback},
    {"", "midi-instrument", report_as::playback},
    {"", "player", report_as::playback},
    {"score-instrument", "solo", report_as::playback},
    {"score-instrument", "ensemble", report_as::playback},
    {"score-instrument", "virtual-instrument", report_as::playback},
};

constexpr std::string_view layout_name = "positions, sizes, fonts and colours";
constexpr std::string_view playback_name = "playback data";

/// Names and values of the attributes of an element's start tag.
std::vector<std::pair<std::string_view, std::string_view>> attributes_in(std::string_view xml) {
  std::vector<std::pair<std::string_view, std::string_view>> found;
  auto at = xml.find_first_of(" />");
  while (at < xml.size() && xml[at] == ' ') {
    auto equals = xml.find('=', at);
    if (equals == std::string_view::npos) break;
    auto close = std::min(xml.find('"', equals + 2), xml.size());
    found.emplace_back(xml.substr(at + 1, equals - at - 1),
                       xml.substr(equals + 2, close - equals - 2));
    at = close + 1;
  }
  return found;
}

/// Elements whose value is a member of the score, so that what is kept is their attributes.
constexpr std::string_view typed_elements[] = {"type",
                                               "stem",
                                               "step",
                                               "alter",
                                               "octave",
                                               "duration",
                                               "tie",
                                               "dot",
                                               "staff",
                                               "voice",
                                               "accidental",
                                               "rest",
                                               "pitch",
                                               "unpitched",
                                               "display-step",
                                               "display-octave",
                                               "chord",
                                               "cue",
                                               "grace",
                                               "repeat",
                                               "ending",
                                               "bar-style",
                                               "fifths",
                                               "mode",
                                               "beats",
                                               "beat-type",
                                               "senza-misura",
                                               "sign",
                                               "line",
                                               "diatonic",
                                               "chromatic",
                                               "octave-change",
                                               "double",
                                               "root",
                                               "root-step",
                                               "root-alter",
                                               "kind",
                                               "bass",
                                               "bass-step",
                                               "bass-alter",
                                               "inversion",
                                               "function",
                                               "degree-value",
                                               "degree-alter",
                                               "degree-type",
                                               "figure-number",
                                               "prefix",
                                               "suffix",
                                               "beat-unit",
                                               "per-minute",
                                               "beat-unit-dot",
                                               "actual-notes",
                                               "normal-notes",
                                               "normal-type",
                                               "normal-dot",
                                               "work-title",
                                               "part-name",
                                               "part-abbreviation",
                                               "group-name",
                                               "group-symbol",
                                               "group-barline",
                                               "group-abbreviation",
                                               "staves",
                                               "syllabic",
                                               "text",
                                               "elision",
                                               "extend",
                                               "offset",
                                               "work-number",
                                               "movement-title",
                                               "movement-number",
                                               "instrument",
                                               "clef-octave-change"};

/// Whether the value is in the score and only attributes are kept: <stem default-y="3"/>. (What
/// MusicXML has no place for is kept within a processing instruction.)
bool is_typed_element(std::string_view xml) {
  return !xml.starts_with("<?") && std::find(std::begin(typed_elements), std::end(typed_elements),
                                             element_name(xml)) != std::end(typed_elements);
}

std::string in_brackets(std::string_view tag) { return "<" + std::string{tag} + ">"; }

class unwritten_counter {
public:
  explicit unwritten_counter(const score_plan& plan) : plan_(plan), score_(plan.source) {}

  void run() {
    of_header();
    for (auto& entry : score_.part_list)
      if (auto* g = std::get_if<part_group>(&entry); g && g->type == "start") {
        kept("part-group", g->extra);
        if (!g->abbreviation.empty()) plan_.losses.add("abbreviations of part groups");
        if (g->barline == "Mensurstrich") plan_.losses.add("Mensurstriche");
      }
    kept("score", score_.extra);
    for (part_ = 0; part_ < score_.parts.size(); ++part_) {
      auto& p = *score_.parts[part_];
      measure_.reset();
      kept("score-part", p.extra);
      for (auto& i : p.instruments)
        of_instrument(i);
      for (std::size_t m = 0; m < p.measures.size(); ++m) {
        measure_ = m;
        of_measure(*p.measures[m]);
      }
    }
  }

  void operator()(const chord_rest& x) {
    if (x.grace && (!x.grace->steal_previous.empty() || !x.grace->steal_following.empty() ||
                    !x.grace->make_time.empty()))
      add(playback_name);
    for (auto& n : x.notes)
      of_note(n);
  }

  void operator()(const direction& d) {
    kept("direction", d.extra);
    if (d.sound) add(playback_name);
    if (!d.placement.empty() && !std::all_of(d.types.begin(), d.types.end(), [](auto& t) {
          return std::holds_alternative<dynamics>(t) || std::holds_alternative<words>(t) ||
                 std::holds_alternative<wedge>(t);
        }))
      add(layout_name);
    for (auto& t : d.types)
      std::visit([&](auto& x) { of_direction(x); }, t);
  }

  void operator()(const attributes& a) {
    kept("attributes", a.extra);
    for (auto& k : a.keys) {
      kept("key", k.extra);
      if (k.value.cancel) add("naturals of cancelled key signatures");
      if (!k.value.other_mode.empty()) add("modes of keys such as \"" + k.value.other_mode + "\"");
      for (auto& alteration : k.value.alterations) {
        if (alteration.octave) add("octaves of key signatures");
        if (!alteration.smufl.empty()) add("SMuFL signs in key signatures");
        if (!alteration.accidental.empty() &&
            !is_usual_accidental(alteration.accidental, alteration.name.cents))
          add("accidentals in key signatures shown as \"" + alteration.accidental + "\"");
      }
    }
    for (auto& t : a.times) {
      kept("time", t.extra);
      if (!t.value.senza_text.empty()) add("texts in place of a time signature");
      if (t.value.symbol == "note" || t.value.symbol == "dotted-note")
        add("time signatures with a note below");
    }
    for (auto& c : a.clefs)
      kept("clef", c.extra);
    for (auto& t : a.transpositions) {
      kept("transpose", t.extra);
      auto chromatic = parse_rational(t.value.chromatic);
      if (!chromatic || !chromatic->is_integer()) add("transpositions by less than a semitone");
    }
  }

  void operator()(const harmony& h) {
    kept("harmony", h.extra);
    if (!h.kind_text.empty()) add("texts of chord symbols");
    if (h.inversion && !h.bass) add("inversions of chord symbols");
    for (auto& d : h.degrees)
      kept("degree", d.extra);
    // Further chords of a polychord are counted by the writer; what is in them is part of them.
  }

  void operator()(const figured_bass& f) {
    kept("figured-bass", f.extra);
    for (auto& x : f.figures)
      kept("figure", x.extra);
  }

  void operator()(const barline& b) {
    kept("barline", b.extra);
    bool usual =
        b.style.empty() || b.style == (b.repeat == "forward" ? "heavy-light" : "light-heavy");
    if (!b.repeat.empty() && !usual) add("bar styles of repeats");
    if (b.after_jump == "yes") add("repeats taken after a jump");
    if (b.repeat == "backward" && b.repeat_times && *b.repeat_times < 2) add(playback_name);
    if (b.ending_type == "discontinue") add("endings with an open end");
    if (b.location == "middle" && !b.repeat.empty()) add("repeats within a measure");
  }

  void operator()(const sound&) { add(playback_name); }

  void operator()(const print_layout& p) {
    kept("print", p.extra);
    if (part_ > 0 && (p.new_system == "yes" || p.new_page == "yes") && !breaks_in_first_part())
      add("breaks that the first part does not have");
  }

  void operator()(const fragment& f) { element("measure", f); }

private:
  // --- the three ways to count ---

  void add(std::string_view what) {
    if (measure_)
      plan_.losses.add(std::string{what}, part_, *measure_);
    else
      plan_.losses.add(std::string{what});
  }

  void attribute_of_element(std::string_view owner, std::string_view name, std::string_view value) {
    for (auto& row : kept_attributes)
      if ((row.owner.empty() || row.owner == owner) && row.name == name &&
          (row.value.empty() || row.value == value))
        return count(row.fate);
    add(std::string{name} + " of " + in_brackets(owner));
  }

  void element(std::string_view owner, const fragment& f) {
    auto tag = element_name(f.xml);
    for (auto& row : kept_elements)
      if ((row.owner.empty() || row.owner == owner) && row.name == tag) {
        // Of what is written its attributes may not be.
        if (row.fate == report_as::written) attributes_of(f.xml);
        return count(row.fate);
      }
    if (!is_typed_element(f.xml)) return add(in_brackets(tag));
    for (auto& [name, value] : attributes_in(f.xml))
      attribute_of_element(tag, name, value);
  }

  /// Those of an element and of all within it.
  void attributes_of(std::string_view xml) {
    for (auto at = xml.find('<'); at != std::string_view::npos; at = xml.find('<', at + 1)) {
      if (xml.substr(at).starts_with("</")) continue;
      auto tag = xml.substr(at, xml.find('>', at) - at + 1);
      for (auto& [name, value] : attributes_in(tag))
        attribute_of_element(element_name(tag), name, value);
    }
  }

  void count(report_as fate) {
    if (fate != report_as::written) add(fate == report_as::layout ? layout_name : playback_name);
  }

  void kept(std::string_view owner, const preserved& extra) {
    if (!extra) return;
    for (auto& [name, value] : extra->attributes)
      attribute_of_element(owner, name, value);
    for (auto& child : extra->children)
      element(owner, child);
  }

  // --- header and parts ---

  void of_header() {
    auto& h = score_.header;
    auto named = [&](bool there, const char* what) {
      if (there) plan_.losses.add(what);
    };
    named(!h.movement_number.empty(), "movement numbers");
    named(!h.source.empty(), "sources of the music");
    named(!h.encoding.empty(), "who encoded the file, when and how");
    for (auto* list : {&h.work_others, &h.identification_others})
      for (auto& f : *list)
        plan_.losses.add(in_brackets(element_name(f.xml)) + " of the file");
    for (auto& f : h.defaults) {
      element("score", f);
      named(f.xml.find("<concert-score") != std::string::npos, "<concert-score>");
    }
    for (auto& c : h.creators) {
      kept("creator", c.extra);
      if (!header_maker(c.type)) plan_.losses.add("makers of the type \"" + c.type + "\"");
    }
    for (auto& r : h.rights) {
      kept("rights", r.extra);
      named(!r.type.empty(), "types of rights");
    }
    // Titles and makers are usually given a second time, as text on the page.
    for (std::size_t i = 0; i < h.credits.size(); ++i)
      plan_.losses.add("texts on the page (credits)");
  }

  void of_instrument(const part_instrument& i) {
    // Their names are those of the part nearly always; what sounds is for playback.
    if (!i.name.empty() || !i.sound.empty() || i.midi_channel || i.midi_program || i.midi_bank ||
        i.midi_unpitched || !i.volume.empty() || !i.pan.empty() || !i.elevation.empty())
      add(playback_name);
    kept("score-instrument", i.extra);
    kept("midi-instrument", i.midi_extra);
  }

  void of_measure(const measure& m) {
    kept("measure", m.extra);
    if (!m.implicit && !m.number.empty() &&
        !std::all_of(m.number.begin(), m.number.end(),
                     [](unsigned char c) { return std::isdigit(c); }))
      add("non-numeric measure numbers");
    for (auto& item : m.items)
      std::visit(*this, item.content);
  }

  bool breaks_in_first_part() const {
    auto& first = score_.parts.front()->measures;
    if (*measure_ >= first.size()) return false;
    return std::any_of(first[*measure_]->items.begin(), first[*measure_]->items.end(),
                       [](auto& item) {
                         auto* p = std::get_if<print_layout>(&item.content);
                         return p && (p->new_system == "yes" || p->new_page == "yes");
                       });
  }

  // --- notes ---

  void of_note(const note& n) {
    kept("note", n.extra);
    if (n.stem == "double") add("double stems");
    if (n.stem == "up" || n.stem == "down") add(layout_name);
    if (!n.instrument.empty() && score_.parts[part_]->instruments.size() > 1) add(playback_name);
    if (n.accidental) kept("accidental", n.accidental->extra);
    if (n.notehead) kept("notehead", n.notehead->extra);
    for (auto& m : n.marks)
      kept(info(m.kind).xml_name, m.extra);
    for (auto& s : n.spanners)
      kept(element_of(s.kind), s.extra);
    for (auto& b : n.beams)
      kept("beam", b.extra);
    for (auto& l : n.lyrics)
      of_lyric(l);
  }

  static std::string_view element_of(span_kind k) {
    switch (k) {
      case span_kind::tied: return "tied";
      case span_kind::slur: return "slur";
      case span_kind::tuplet: return "tuplet";
      case span_kind::glissando: return "glissando";
      case span_kind::slide: return "slide";
      case span_kind::wavy_line: return "wavy-line";
      case span_kind::hammer_on: return "hammer-on";
      case span_kind::pull_off: return "pull-off";
      case span_kind::tremolo_double: return "tremolo";
    }
    return {};
  }

  void of_lyric(const lyric& l) {
    kept("lyric", l.extra);
    if (l.humming) add("humming in lyrics");
    if (l.laughing) add("laughing in lyrics");
    if (l.end_line) add("ends of lines in lyrics");
    if (l.end_paragraph) add("ends of paragraphs in lyrics");
    for (auto& s : l.syllables)
      kept("text", s.extra);
  }

  // --- directions ---

  void of_direction(const dynamics& x) { kept("dynamics", x.extra); }
  void of_direction(const wedge& x) { kept("wedge", x.extra); }
  void of_direction(const words& x) { kept("words", x.extra); }
  void of_direction(const rehearsal_mark& x) { kept("rehearsal", x.extra); }
  void of_direction(const segno_mark& x) { kept("segno", x.extra); }
  void of_direction(const coda_mark& x) { kept("coda", x.extra); }
  void of_direction(const metronome& x) { kept("metronome", x.extra); }
  void of_direction(const pedal& x) {
    kept("pedal", x.extra);
    if (x.type == "discontinue") add("interrupted pedal lines");
    if (x.type == "resume") add("continued pedal lines");
  }
  void of_direction(const octave_shift& x) { kept("octave-shift", x.extra); }
  // These two are counted whole by the writer of directions.
  void of_direction(const line_end&) {}
  void of_direction(const fragment&) {}

  const score_plan& plan_;
  const score& score_;
  std::size_t part_ = 0;
  std::optional<std::size_t> measure_;  ///< empty: before the first one
};

}  // namespace

void count_unwritten(const score_plan& plan) { unwritten_counter{plan}.run(); }

}  // namespace fermata::io::lilypond
