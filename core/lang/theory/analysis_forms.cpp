#include "core/lang/evaluation/row_shorthand.hpp"
#include "core/lang/theory/arguments.hpp"
#include "core/lang/theory/families.hpp"
#include "core/theory/harmonic_analysis.hpp"
#include "core/theory/key_finding.hpp"
#include "core/theory/voice_leading.hpp"

namespace fermata {

namespace {

/// c-major, as key arguments are written.
value key_value(const tonality& t) {
  auto text = to_string(t);
  for (auto& ch : text)
    if (ch == ' ') ch = '-';
  return value::sym(text);
}

/// Quarters from the beginning, as every time in these answers.
value time_value(quarters q) { return value::of(q.value); }

result<value> find_key_handler(call& c) {
  auto notes = notes_in(c, "music");
  if (!notes) return fail(std::move(notes.error()));
  auto profile = parse_key_profile(c.text("profile").value_or("albrecht-shanahan"));
  if (!profile)
    return fail(c.wrong(
        errc::out_of_range,
        "profiles are albrecht-shanahan, krumhansl-kessler, aarden-essen, bellman-budge, temperley",
        "profile"));
  auto found = find_key(*notes, *profile);
  if (!found) return value{};
  if (!c.flag("details")) return key_value(found->best.key);
  return value::list({key_value(found->best.key), value::of(found->best.correlation),
                      key_value(found->runner_up.key), value::of(found->runner_up.correlation),
                      value::of(found->confidence)});
}

/// A key that was given holds throughout; else the keys are found.
std::vector<key_change> keys_for(call& c, const std::vector<timed_note>& notes) {
  if (c.has("key")) return {{quarters{}, key_of(c, "key")}};
  return keys_of(notes);
}

result<value> chords_in_handler(call& c) {
  auto notes = notes_in(c, "music");
  if (!notes) return fail(std::move(notes.error()));
  std::vector<value> rows;
  for (auto& chord : chords_in(*notes, keys_for(c, *notes)))
    rows.push_back(value::list(
        {time_value(chord.span.begin), list_of(chord.tones), value::sym(to_string(chord.bass))}));
  return value::list(std::move(rows));
}

result<value> roman_numerals_handler(call& c) {
  auto notes = notes_in(c, "music");
  if (!notes) return fail(std::move(notes.error()));
  std::vector<value> rows;
  auto keys = keys_for(c, *notes);
  for (auto& chord : roman_numerals(chords_in(*notes, keys), keys))
    rows.push_back(
        value::list({time_value(chord.chord.span.begin), key_value(chord.key),
                     chord.numeral ? value::string(to_string(*chord.numeral)) : value{}}));
  return value::list(std::move(rows));
}

result<value> cadences_handler(call& c) {
  auto notes = notes_in(c, "music");
  if (!notes) return fail(std::move(notes.error()));
  auto keys = keys_for(c, *notes);
  auto chords = roman_numerals(chords_in(*notes, keys), keys);
  std::vector<value> rows;
  for (auto& point : cadences_in(chords))
    rows.push_back(value::list({time_value(chords[point.chord].chord.span.begin),
                                value::kw(std::string{to_string(point.kind)}),
                                key_value(chords[point.chord].key)}));
  return value::list(std::move(rows));
}

result<value> faults_handler(call& c) {
  auto voices = voices_in(c, "music");
  if (!voices) return fail(std::move(voices.error()));
  voice_leading_rules rules;
  rules.spacing = c.flag("spacing");
  if (c.has("key")) rules.key = key_of(c, "key");
  if (!c.flag("any-range")) rules.ranges = ranges_of(*voices);
  auto moments = voice_moments(*voices);
  std::vector<value> rows;
  for (auto& f : voice_leading_faults(moments, rules)) {
    auto kind = std::string{to_string(f.kind)};
    for (auto& ch : kind)
      if (ch == ' ') ch = '-';
    rows.push_back(value::list({time_value(moments[f.moment].at), value::kw(kind),
                                value::of(static_cast<std::int64_t>(f.lower_voice) + 1),
                                value::of(static_cast<std::int64_t>(f.upper_voice) + 1)}));
  }
  return value::list(std::move(rows));
}

}  // namespace

std::vector<form_spec> analysis_forms() {
  auto music = optional("music", arg_type::contents,
                        "music, pitches, or a list of them; a nested list of pitches is a chord",
                        "the session's score");
  auto key = option("key", arg_type::key, "assume this key throughout", "detected");
  return {
      {"find-key",
       {},
       "theory",
       {music,
        offering(option("profile", arg_type::text, "key profiles to use", "albrecht-shanahan"),
                 key_profile_words),
        flag("details", "also return the correlation, the runner-up with its correlation, and the "
                        "confidence from 0 to 1")},
       "Finds the key of some music from its pitch classes.",
       "(find-key (seq (note d4) (note f#4) (note a4) (note c#5) (note d5)))",
       "symbol",
       find_key_handler},
      {"chords-in",
       {},
       "theory",
       {music, key},
       "Finds the chords in some music: time in quarters, tones from the root, bass.",
       "(chords-in (seq (chord (c4 e4 g4) :h) (chord (b3 d4 g4) :h)))",
       "list",
       chords_in_handler},
      {"roman-numerals",
       {},
       "theory",
       {music, key},
       "Harmonic analysis: time in quarters, key, Roman numeral.",
       "(roman-numerals (seq (chord (c4 e4 g4) :h) (chord (b3 d4 g4) :h) (chord (c4 e4 g4) :w)) "
       ":key c-major)",
       "list",
       roman_numerals_handler},
      {"cadences-in",
       {},
       "theory",
       {music, key},
       "Finds cadences: time of arrival in quarters, kind, key.",
       "(cadences-in (cadence :authentic :key c-major :duration :h) :key c-major)",
       "list",
       cadences_handler},
      {"voice-leading-faults",
       {"check-voice-leading"},
       "theory",
       {music, key, flag("spacing", "also check for more than an octave between upper voices"),
        flag("any-range", "do not check ranges")},
       "Finds parallels, hidden fifths, voice crossings and range problems: time in quarters, "
       "fault, lower and upper voice, numbered from 1, the lowest. Ranges are those of the "
       "instruments, or of a choir for four sung or keyboard voices.",
       "(voice-leading-faults (seq (chord (c3 g3) :h) (chord (d3 a3) :h)))",
       "list",
       faults_handler},
  };
}

}  // namespace fermata
