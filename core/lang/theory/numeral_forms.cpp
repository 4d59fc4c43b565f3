#include "core/lang/evaluation/row_shorthand.hpp"
#include "core/lang/notation/forms.hpp"
#include "core/lang/theory/arguments.hpp"
#include "core/lang/theory/families.hpp"
#include "core/theory/cadence.hpp"
#include "core/theory/numeral_naming.hpp"
#include "core/theory/part_writing.hpp"
#include "core/theory/roman_numeral.hpp"
#include "core/theory/thorough_bass.hpp"

namespace fermata {

namespace {

/// A theory error at the argument it came from.
error at(call& c, const error& e, std::string_view name) {
  return wrong_in_theory(c, e.first().code, e, name);
}

note_value value_each(call& c) { return c.duration("duration").value_or(note_value{}); }

std::string numeral_text(const value& v) {
  return v.as_string() ? *v.as_string() : v.as_symbol() ? *v.as_symbol() : print(v);
}

/// A fault in the numerals, at the argument that has it. A keyword is none: an option was meant.
error wrong_numerals(const call& c, const error& fault) {
  for (std::size_t i = 0; i < c.rest().size(); ++i) {
    const auto& v = c.rest()[i];
    if (auto option = v.as_keyword()) return unknown_keyword(c, *option, c.rest_spans()[i]);
    if (parse_roman_numerals(numeral_text(v))) continue;
    auto e = wrong_in_theory(c, errc::invalid_chord, fault);
    e.diagnostics.front().span = c.rest_spans()[i];
    return e;
  }
  return wrong_in_theory(c, errc::invalid_chord, fault);
}

result<value> rn(call& c) {
  std::string text;
  for (auto& v : c.rest()) {
    if (!text.empty()) text += ' ';
    text += numeral_text(v);
  }
  auto numerals = parse_roman_numerals(text);
  if (!numerals) return fail(wrong_numerals(c, numerals.error()));
  if (numerals->empty())
    return fail(
        c.wrong(errc::wrong_argument_count, "which numerals? (rn \"I V7 I\" :key c-major)"));
  auto octave = c.integer("octave").value_or(4);
  if (octave < -1 || octave > 9)
    return fail(c.wrong(errc::out_of_range, "octaves range from -1 to 9", "octave"));
  auto key = key_of(c, "key");
  std::vector<value> chords;
  for (auto& n : *numerals) {
    auto chord = chord_of(n, key);
    if (!chord) return fail(wrong_in_theory(c, errc::invalid_chord, chord.error()));
    chords.push_back(list_of(chord_pitches(*chord, static_cast<int>(octave))));
  }
  return value::list(std::move(chords));
}

result<value> numeral_handler(call& c) {
  auto pitches = chord_given(c);
  if (!pitches) return fail(std::move(pitches.error()));
  auto n = numeral_of(*pitches, key_of(c, "key"));
  return n ? value::string(to_string(*n)) : value{};
}

result<value> progression_handler(call& c) {
  std::string text;
  for (auto& v : c.rest())
    text += (text.empty() ? "" : " ") + numeral_text(v);
  auto numerals = parse_roman_numerals(text);
  if (!numerals) return fail(wrong_numerals(c, numerals.error()));
  if (numerals->empty())
    return fail(
        c.wrong(errc::wrong_argument_count, "which chords? (progression c-major I IV V I)"));
  if (auto good = c.produced(numerals->size() * 100); !good) return fail(good.error());
  auto set = progression(*numerals, key_of(c, "key"));
  if (!set) return fail(wrong_in_theory(c, errc::invalid_chord, set.error()));
  return chords_of(*set, value_each(c));
}

result<value> cadence_handler(call& c) {
  auto kind = parse_cadence_kind(c.text("kind").value_or("authentic"));
  if (!kind) {
    auto e = c.wrong(errc::out_of_range, "choose authentic, half, plagal, deceptive or phrygian",
                     "kind");
    if (auto near = nearest(c.text("kind").value_or(""),
                            {"authentic", "half", "plagal", "deceptive", "phrygian"}))
      e.diagnostics.front().hint = "did you mean :" + *near + "?";
    return fail(std::move(e));
  }
  auto set = cadence(*kind, key_of(c, "key"));
  if (!set) return fail(at(c, set.error(), "kind"));
  return chords_of(*set, value_each(c));
}

result<value> figures_handler(call& c) {
  auto bass = c.pitch("bass");
  auto tones = realize_figures(*bass, c.text("figures").value_or(""), key_of(c, "key"));
  if (!tones) return fail(at(c, tones.error(), "figures"));
  return list_of(*tones);
}

}  // namespace

std::vector<form_spec> numeral_forms() {
  auto key = option("key", arg_type::key, "the key", "the session's key");
  auto each = option("duration", arg_type::duration, "of each chord", ":q");
  return {
      {"rn",
       {"roman"},
       "theory",
       {all_further("numerals", arg_type::text, "a text or several numerals"), key,
        option("octave", arg_type::integer, "octave of the lowest tone", "4")},
       "The chords denoted by Roman numerals in a key, each as a list of pitches.",
       "(rn \"I V6/5 I\" :key d-major)",
       "list",
       rn},
      {"numeral",
       {"roman-numeral"},
       "theory",
       {all_further("pitches", arg_type::any, "pitches, a list of pitches, or music"), key},
       "The Roman numeral of a chord in a key.",
       "(numeral (b3 d4 f4) :key c-major)",
       "string",
       numeral_handler},
      {"progression",
       {},
       "theory",
       {required("key", arg_type::key, "the key"),
        all_further("numerals", arg_type::text, "I IV V I ..."), each},
       "A chord progression in a key, for four voices.",
       "(progression c-major I IV V I)",
       "seq",
       progression_handler},
      {"cadence",
       {},
       "theory",
       {offering(optional("kind", arg_type::text, "authentic, half, plagal, deceptive or phrygian",
                          "authentic"),
                 cadence_words),
        key, each},
       "A cadence for four voices.",
       "(cadence :authentic :key c-major)",
       "seq",
       cadence_handler},
      {"realize",
       {},
       "theory",
       {required("bass", arg_type::pitch, "the bass note"),
        required("figures", arg_type::text, "as in figured bass: \"6\", \"6/5\", \"4 #\""), key},
       "Realizes a figured bass note: the bass with its tones above it.",
       "(realize c3 \"64\" :key c-major)",
       "list",
       figures_handler},
  };
}

}  // namespace fermata
