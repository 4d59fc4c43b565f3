#include "core/lang/evaluation/row_shorthand.hpp"
#include "core/lang/names/completion_words.hpp"
#include "core/lang/theory/arguments.hpp"
#include "core/lang/theory/families.hpp"
#include "core/lang/value/literals.hpp"
#include "core/theory/chord_naming.hpp"
#include "core/theory/chord_quality.hpp"
#include "core/theory/chord_symbol.hpp"
#include "core/theory/chord_type.hpp"
#include "core/theory/scale.hpp"

namespace fermata {

namespace {

/// `c`, `f#` or `c4`; without an octave the fourth.
result<pitch> tonic_of(call& c, std::string_view name) {
  if (auto p = c.get(name).as_pitch()) return *p;
  auto text = c.text(name).value_or("");
  if (auto p = parse_pitch(text)) return *p;
  if (auto n = parse_pitch_name(text)) return pitch{n->letter, n->cents, 4};
  return fail(c.wrong(errc::invalid_pitch,
                      "`" + text + "` is not a tonic: write c, f#, bb or a pitch such as c4",
                      name));
}

/// There is no such row in a table that the topic of its name lists.
error not_in_table(const call& c, errc code, const std::string& what, const std::string& name,
                   const completion_words& words, std::string_view param) {
  auto e = c.wrong(code, "unknown " + what + " `" + name + "`", param);
  auto near = nearest(name, {words.begin(), words.end()});
  auto& hint = e.diagnostics.front().hint;
  hint = (near ? "did you mean :" + *near + "? " : "") + "`:help " + what +
         "s` and `fermata show " + what + "s` list all\n" + hint;
  return e;
}

result<const scale_type*> scale_of(call& c) {
  auto name = c.text("kind").value_or("major");
  if (auto s = find_scale(name)) return s;
  return fail(not_in_table(c, errc::out_of_range, "scale", name, scale_words({}), "kind"));
}

result<value> scale(call& c) {
  auto tonic = tonic_of(c, "tonic");
  if (!tonic) return fail(std::move(tonic.error()));
  auto kind = scale_of(c);
  if (!kind) return fail(std::move(kind.error()));
  auto octaves = c.integer("octaves").value_or(1);
  if (octaves < 0 || octaves > 10)
    return fail(c.wrong(errc::out_of_range, "a scale has 0 to 10 octaves", "octaves"));
  return list_of(scale_pitches(*tonic, **kind, static_cast<int>(octaves)));
}

result<value> degree_handler(call& c) {
  auto tonic = tonic_of(c, "tonic");
  if (!tonic) return fail(std::move(tonic.error()));
  auto kind = scale_of(c);
  if (!kind) return fail(std::move(kind.error()));
  auto n = *c.integer("number");
  if (n < -70 || n > 70)
    return fail(c.wrong(errc::out_of_range, "degrees range from -70 to 70", "number"));
  return value::of(scale_degree(*tonic, **kind, static_cast<int>(n)));
}

result<value> chord_voicing(call& c) {
  auto root = tonic_of(c, "root");
  if (!root) return fail(std::move(root.error()));
  auto quality = c.text("quality").value_or("major");
  auto type = find_chord(quality);
  auto intervals = type ? std::optional{type->intervals} : parse_chord_quality(quality);
  if (!intervals)
    return fail(not_in_table(c, errc::invalid_chord, "chord", quality, chord_words({}), "quality"));
  auto turns = c.integer("inversion").value_or(0);
  auto most = static_cast<std::int64_t>(intervals->size()) - 1;
  if (turns < 0 || turns > most)
    return fail(c.wrong(errc::out_of_range,
                        "a chord of " + std::to_string(most + 1) + " tones has inversions 0 to " +
                            std::to_string(most),
                        "inversion"));
  return list_of(chord_inversion(chord_pitches(*root, *intervals), static_cast<int>(turns)));
}

result<value> chord_pitches_handler(call& c) {
  auto symbol = parse_chord_symbol(c.text("symbol").value_or(""));
  if (!symbol) return fail(wrong_in_theory(c, errc::invalid_chord, symbol.error(), "symbol"));
  auto octave = c.integer("octave").value_or(4);
  if (octave < -1 || octave > 9)
    return fail(c.wrong(errc::out_of_range, "octaves range from -1 to 9", "octave"));
  return list_of(chord_pitches(*symbol, static_cast<int>(octave)));
}

result<value> chord_name(call& c) {
  auto pitches = chord_given(c);
  if (!pitches) return fail(std::move(pitches.error()));
  auto names = identify_chord(*pitches);
  if (names.empty()) return value{};
  if (!c.flag("all")) return value::string(to_string(names.front()));
  std::vector<value> all;
  for (auto& n : names)
    all.push_back(value::string(to_string(n)));
  return value::list(std::move(all));
}

}  // namespace

std::vector<form_spec> scale_and_chord_forms() {
  return {
      {"scale",
       {},
       "theory",
       {required("tonic", arg_type::text, "c, f#, bb, or a pitch"),
        offering(optional("kind", arg_type::text, "name of the scale", "major"), scale_words),
        option("octaves", arg_type::integer, "number of octaves; 0 omits the final tonic", "1")},
       "The pitches of a scale, upwards from its tonic.",
       "(scale c :major)",
       "list",
       scale},
      {"deg",
       {"degree"},
       "theory",
       {required("tonic", arg_type::text, "c, f#, bb, or a pitch"),
        required("number", arg_type::integer, "1 is the tonic, 8 its octave, 0 the tone below"),
        offering(optional("kind", arg_type::text, "name of the scale", "major"), scale_words)},
       "A degree of a scale.",
       "(deg c 5)",
       "pitch",
       degree_handler},
      {"chord-voicing",
       {},
       "theory",
       {required("root", arg_type::text, "c, f#, bb, or a pitch"),
        offering(optional("quality", arg_type::text, "dom7, minor, maj7, m7b5, ...", "major"),
                 chord_words),
        option("inversion", arg_type::integer,
               "0 is root position, 1 the first inversion; a triad has 2, a seventh chord 3", "0")},
       "The pitches of a chord on a root, spelled in thirds.",
       "(chord-voicing c4 :dom7)",
       "list",
       chord_voicing},
      {"chord-pitches",
       {"chord-tones"},
       "theory",
       {required("symbol", arg_type::text, "a chord symbol"),
        option("octave", arg_type::integer, "of the root", "4")},
       "The pitches of a chord symbol.",
       "(chord-pitches \"F#7/A#\")",
       "list",
       chord_pitches_handler},
      {"chord-name",
       {"identify-chord"},
       "theory",
       {all_further("pitches", arg_type::any, "pitches, lists of pitches, or music"),
        flag("all", "every matching name, most likely first")},
       "The name of a chord.",
       "(chord-name c4 e4 g4 bb4)",
       "string",
       chord_name},
  };
}

}  // namespace fermata
