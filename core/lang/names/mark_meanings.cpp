#include "core/lang/names/mark_meanings.hpp"

#include "core/lang/names/spanner_names.hpp"

#include <algorithm>

namespace fermata {

namespace {

std::string_view heading_of(mark_group g) {
  switch (g) {
    case mark_group::articulation: return "Articulations";
    case mark_group::ornament: return "Ornaments";
    case mark_group::technical: return "Playing techniques";
    case mark_group::notation: return "Dynamics, fermatas, arpeggios";
  }
  return {};
}

/// Options that are no marks.
struct option_heading {
  std::string_view option, heading;
};
constexpr std::string_view place = "Voice and length", lines = "Ties, slurs and other lines",
                           drawn = "How it is drawn", kept = "Kept from MusicXML files";
constexpr option_heading other_headings[] = {
    {"voice", place},     {"staff", place},  {"cue", place},         {"grace", place},
    {"lasts", place},     {"tie", lines},    {"accidental", drawn},  {"notehead", drawn},
    {"stem", drawn},      {"beam", drawn},   {"color", drawn},       {"mark", "Articulations"},
    {"lyric", "Lyrics"},  {"untyped", kept}, {"modification", kept}, {"normal-type", kept},
    {"instrument", kept}, {"id", kept},      {"differs", kept},      {"xml", kept}};

}  // namespace

std::string_view note_option_group(std::string_view option) {
  for (auto& row : other_headings)
    if (row.option == option) return row.heading;
  for (auto& row : span_names())
    if (row.option == option) return lines;
  auto mark = mark_by_option(option);
  return mark ? heading_of(info(*mark).group) : std::string_view{};
}

std::string_view meaning_of(mark_kind k) {
  switch (k) {
    case mark_kind::accent: return "accented; drawn as >";
    case mark_kind::strong_accent: return "accented strongly; drawn as a wedge (^)";
    case mark_kind::staccato: return "short and detached";
    case mark_kind::tenuto: return "held for its full length, or stressed gently";
    case mark_kind::detached_legato: return "slightly detached (tenuto with staccato)";
    case mark_kind::staccatissimo: return "very short; drawn as a wedge";
    case mark_kind::spiccato: return "with a bouncing bow";
    case mark_kind::scoop: return "slides up into the note from below";
    case mark_kind::plop: return "slides down into the note from above";
    case mark_kind::doit: return "slides up after the note";
    case mark_kind::falloff: return "slides down after the note";
    case mark_kind::breath_mark: return "breath after the note";
    case mark_kind::caesura: return "break after the note (railroad tracks)";
    case mark_kind::stress: return "stressed beat, as in scansion";
    case mark_kind::unstress: return "unstressed beat, as in scansion";
    case mark_kind::soft_accent: return "gentle accent; drawn < >";
    case mark_kind::other_articulation: return "other articulation";
    case mark_kind::trill_mark: return "trill";
    case mark_kind::turn: return "turn: upper note, note, lower note, note";
    case mark_kind::delayed_turn: return "turn played late in the note";
    case mark_kind::inverted_turn: return "turn that starts with the lower note";
    case mark_kind::delayed_inverted_turn: return "inverted turn played late in the note";
    case mark_kind::vertical_turn: return "turn drawn upright";
    case mark_kind::inverted_vertical_turn: return "inverted turn drawn upright";
    case mark_kind::shake: return "shake: a long trill or wide vibrato";
    case mark_kind::mordent: return "mordent: note, lower note, note";
    case mark_kind::inverted_mordent: return "inverted mordent: note, upper note, note";
    case mark_kind::schleifer: return "slide from two steps below (Schleifer)";
    case mark_kind::tremolo: return "tremolo strokes through the stem, 0 to 8";
    case mark_kind::haydn: return "Haydn ornament";
    case mark_kind::other_ornament: return "other ornament";
    case mark_kind::ornament_accidental: return "accidental of the ornament, above or below it";
    case mark_kind::up_bow: return "up-bow";
    case mark_kind::down_bow: return "down-bow";
    case mark_kind::harmonic: return "harmonic";
    case mark_kind::open_string: return "on an open string";
    case mark_kind::thumb_position: return "stopped with the thumb (cello)";
    case mark_kind::fingering: return "fingering, such as 3";
    case mark_kind::pluck: return "fingering of the plucking hand: p i m a";
    case mark_kind::double_tongue: return "double tonguing";
    case mark_kind::triple_tongue: return "triple tonguing";
    case mark_kind::stopped: return "stopped: horn or bell closed by the hand (+)";
    case mark_kind::snap_pizzicato: return "snap (Bart\u00f3k) pizzicato";
    case mark_kind::fret: return "fret, counted from 0";
    case mark_kind::string: return "string, counted from 1, the highest";
    case mark_kind::bend: return "bent up or down, in semitones";
    case mark_kind::tap: return "tapped on the fretboard";
    case mark_kind::heel: return "pedal played with the heel";
    case mark_kind::toe: return "pedal played with the toe";
    case mark_kind::fingernails: return "plucked with the fingernails";
    case mark_kind::hole: return "holes covered on a woodwind";
    case mark_kind::arrow: return "arrow next to the note";
    case mark_kind::handbell: return "handbell technique";
    case mark_kind::brass_bend: return "bent down and back, with the lips";
    case mark_kind::flip: return "flip: rises before it falls to the next note";
    case mark_kind::smear: return "smear: slides into pitch";
    case mark_kind::open: return "open: not stopped, or without mute (o)";
    case mark_kind::half_muted: return "half muted";
    case mark_kind::harmon_mute: return "harmon mute, open or closed";
    case mark_kind::golpe: return "golpe: the fingers strike the body of the guitar";
    case mark_kind::other_technical: return "other technique";
    case mark_kind::fermata_mark: return "held longer";
    case mark_kind::arpeggiate: return "chord rolled";
    case mark_kind::non_arpeggiate: return "chord not rolled; drawn with a bracket";
    case mark_kind::accidental_notation: return "accidental mark next to the note";
    case mark_kind::dynamics_notation: return "a dynamic: p, mf, sfz; quote other text";
    case mark_kind::other_notation: return "other mark";
  }
  return {};
}

}  // namespace fermata
