#include "io/lilypond/unwritten.hpp"

#include "io/lilypond/syntax.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace fermata::io::lilypond {

namespace {

enum class kept_fate : std::uint8_t { written, layout, playback };

struct kept_row {
  std::string_view owner;  ///< element; empty: any
  std::string_view name;   ///< attribute
  kept_fate fate;
  std::string_view value = {};  ///< the row is for this value; empty: any
};

/// Attributes; of several rows the first that fits counts.
constexpr kept_row kept_attributes[] = {
    // what a writer of this folder looks at
    {"words", "font-weight", kept_fate::written},
    {"words", "font-style", kept_fate::written},
    {"words", "enclosure", kept_fate::written},
    {"rehearsal", "enclosure", kept_fate::written},
    {"fermata", "type", kept_fate::written},
    {"accidental", "parentheses", kept_fate::written},
    {"accidental", "cautionary", kept_fate::written},
    {"arpeggiate", "number", kept_fate::written},
    {"arpeggiate", "unbroken", kept_fate::written},
    {"tremolo", "type", kept_fate::written},
    {"glissando", "line-type", kept_fate::written},
    {"slide", "line-type", kept_fate::written},
    {"wedge", "niente", kept_fate::written},
    {"pedal", "line", kept_fate::written},
    {"pedal", "sign", kept_fate::written},
    {"tuplet", "bracket", kept_fate::written},
    {"tuplet", "show-number", kept_fate::written},
    {"note", "print-object", kept_fate::written},
    {"clef", "print-object", kept_fate::written},
    {"key", "print-object", kept_fate::written},
    {"time", "print-object", kept_fate::written},
    {"ending", "print-object", kept_fate::written},
    // what would be drawn anyway
    {"repeat", "winged", kept_fate::written, "none"},
    {"", "print-object", kept_fate::written, "yes"},
    {"", "print-dot", kept_fate::written, "yes"},
    {"", "line-type", kept_fate::written, "solid"},
    {"", "parentheses", kept_fate::written, "no"},
    {"", "editorial", kept_fate::written, "no"},
    {"", "bracket", kept_fate::written, "no"},
    {"", "show-type", kept_fate::written, "none"},
    // what only tells elements of a file apart
    {"", "id", kept_fate::written},
    {"", "number", kept_fate::written},
    // the score's own spelling of a default
    {"", "print-leger", kept_fate::layout},
    {"", "print-spacing", kept_fate::layout},
    {"", "print-dot", kept_fate::layout},
    {"", "placement", kept_fate::layout},
    {"", "orientation", kept_fate::layout},
    {"", "default-x", kept_fate::layout},
    {"", "default-y", kept_fate::layout},
    {"", "relative-x", kept_fate::layout},
    {"", "relative-y", kept_fate::layout},
    {"", "font-family", kept_fate::layout},
    {"", "font-style", kept_fate::layout},
    {"", "font-size", kept_fate::layout},
    {"", "font-weight", kept_fate::layout},
    {"", "color", kept_fate::layout},
    {"", "justify", kept_fate::layout},
    {"", "halign", kept_fate::layout},
    {"", "valign", kept_fate::layout},
    {"", "dir", kept_fate::layout},
    {"", "letter-spacing", kept_fate::layout},
    {"", "line-height", kept_fate::layout},
    {"", "line-length", kept_fate::layout},
    {"", "line-shape", kept_fate::layout},
    {"", "rotation", kept_fate::layout},
    {"", "underline", kept_fate::layout},
    {"", "overline", kept_fate::layout},
    {"", "line-through", kept_fate::layout},
    {"", "text-direction", kept_fate::layout},
    {"", "xml:lang", kept_fate::layout},
    {"", "xml:space", kept_fate::layout},
    {"", "bezier-offset", kept_fate::layout},
    {"", "bezier-offset2", kept_fate::layout},
    {"", "bezier-x", kept_fate::layout},
    {"", "bezier-y", kept_fate::layout},
    {"", "bezier-x2", kept_fate::layout},
    {"", "bezier-y2", kept_fate::layout},
    {"", "dash-length", kept_fate::layout},
    {"", "space-length", kept_fate::layout},
    {"", "end-length", kept_fate::layout},
    {"", "text-x", kept_fate::layout},
    {"", "text-y", kept_fate::layout},
    {"", "spread", kept_fate::layout},
    {"", "width", kept_fate::layout},
    {"wedge", "number", kept_fate::written},
    {"clef", "after-barline", kept_fate::layout},
    {"note", "dynamics", kept_fate::playback},
    {"note", "end-dynamics", kept_fate::playback},
    {"note", "attack", kept_fate::playback},
    {"note", "release", kept_fate::playback},
    {"note", "pizzicato", kept_fate::playback},
    {"", "time-only", kept_fate::playback},
    {"", "start-note", kept_fate::playback},
    {"", "trill-step", kept_fate::playback},
    {"", "two-note-turn", kept_fate::playback},
    {"", "accelerate", kept_fate::playback},
    {"", "beats", kept_fate::playback},
    {"", "first-beat", kept_fate::playback},
    {"", "second-beat", kept_fate::playback},
    {"", "last-beat", kept_fate::playback},
    {"offset", "sound", kept_fate::playback},
    {"barline", "segno", kept_fate::playback},
    {"barline", "coda", kept_fate::playback},
    {"barline", "divisions", kept_fate::playback},
    {"measure", "non-controlling", kept_fate::playback},
};

struct kept_element_row {
  std::string_view owner;  ///< empty: any
  std::string_view name;
  kept_fate fate;
};

/// Elements that the score keeps whole.
constexpr kept_element_row kept_elements[] = {
    {"barline", "fermata", kept_fate::written},
    {"barline", "segno", kept_fate::written},
    {"barline", "coda", kept_fate::written},
    {"tuplet", "tuplet-actual", kept_fate::written},
    {"tuplet", "tuplet-normal", kept_fate::written},
    {"harmonic", "natural", kept_fate::written},
    // counted by the writer of figured bass
    {"figure", "extend", kept_fate::written},
    {"", "defaults", kept_fate::layout},
    {"print", "page-layout", kept_fate::layout},
    {"print", "system-layout", kept_fate::layout},
    {"print", "staff-layout", kept_fate::layout},
    {"print", "measure-layout", kept_fate::layout},
    {"", "sound", kept_fate::playback},
    {"", "play", kept_fate::playback},
    {"", "listen", kept_fate::playback},
    {"", "listening", kept_fate::playback},
    {"", "midi-device", kept_fate::playback},
    {"", "midi-instrument", kept_fate::playback},
    {"", "player", kept_fate::playback},
    {"score-instrument", "solo", kept_fate::playback},
    {"score-instrument", "ensemble", kept_fate::playback},
    {"score-instrument", "virtual-instrument", kept_fate::playback},
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
    for (auto& t : d.types)
      std::visit([&](auto& x) { of_direction(x); }, t);
  }

  void operator()(const attributes& a) {
    kept("attributes", a.extra);
    for (auto& k : a.keys) {
      kept("key", k.extra);
      if (k.value.cancel) add("naturals of cancelled key signatures");
      if (!k.value.other_mode.empty()) add("modes of keys such as \"" + k.value.other_mode + "\"");
      for (auto& alteration : k.value.alterations)
        if (alteration.octave) add("octaves of key signatures");
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
      if ((row.owner.empty() || row.owner == owner) && row.name == tag) return count(row.fate);
    if (!is_typed_element(f.xml)) return add(in_brackets(tag));
    for (auto& [name, value] : attributes_in(f.xml))
      attribute_of_element(tag, name, value);
  }

  void count(kept_fate fate) {
    if (fate != kept_fate::written) add(fate == kept_fate::layout ? layout_name : playback_name);
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
