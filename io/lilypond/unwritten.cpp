#include "io/lilypond/unwritten.hpp"

#include "io/lilypond/accidentals.hpp"
#include "io/lilypond/kept_fates.hpp"
#include "io/lilypond/syntax.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace fermata::io::lilypond {

namespace {

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
    if (auto fate = fate_of_attribute(owner, name, value)) return count(*fate);
    add(std::string{name} + " of " + in_brackets(owner));
  }

  void element(std::string_view owner, const fragment& f) {
    auto tag = element_name(f.xml);
    if (auto fate = fate_of_element(owner, tag)) {
      // Of what is written its attributes may not be.
      if (*fate == report_as::written) attributes_of(f.xml);
      return count(*fate);
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
      if (!header_maker(c.type)) plan_.losses.add("creators of the type \"" + c.type + "\"");
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

  static std::string_view element_of(spanner_kind k) {
    switch (k) {
      case spanner_kind::tied: return "tied";
      case spanner_kind::slur: return "slur";
      case spanner_kind::tuplet: return "tuplet";
      case spanner_kind::glissando: return "glissando";
      case spanner_kind::slide: return "slide";
      case spanner_kind::wavy_line: return "wavy-line";
      case spanner_kind::hammer_on: return "hammer-on";
      case spanner_kind::pull_off: return "pull-off";
      case spanner_kind::tremolo: return "tremolo";
      default: return {};  // those of directions
    }
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
