#pragma once

#include "core/lang/evaluation/call.hpp"
#include "core/lang/value/value.hpp"
#include "core/theory/pitch_class_set.hpp"
#include "core/theory/score_notes.hpp"
#include "core/theory/timed_note.hpp"
#include "core/theory/tonality.hpp"

#include <string_view>
#include <vector>

namespace fermata {

/// Conversion between values of the language and the plain values of core/theory.

/// Functions that take pitch classes here work with the twelve of them: a microtone is an error
/// that names it, since rounding it would give a wrong answer.

/// All pitches of an argument in order: a pitch, lists of pitches, music. Rests and marks have
/// none.
result<std::vector<pitch>> pitches_of(call& c, std::string_view name);

/// The same for all remaining arguments of the call. Error: there is none, or another kind of
/// value, named.
result<std::vector<pitch>> chord_given(call& c);

/// Pitch classes from any mix of numbers, pitches, lists and music. Error: another kind of value,
/// named.
/// of these, named.
result<pitch_class_set> classes_in(call& c, const std::vector<value>& values);
/// The same as numbers 0..11 in the order written, with repetitions.
result<std::vector<int>> class_numbers_in(call& c, const std::vector<value>& values);

/// The key of an option or parameter, otherwise the session's key.
tonality key_of(call& c, std::string_view name);

/// The notes of some music with their times, repeats unfolded, ties merged; without an argument, of
/// the session's score.
result<std::vector<timed_note>> notes_in(call& c, std::string_view name);
/// The same divided into voices, lowest voice first; a chord of n notes in one voice counts as n
/// voices.
result<std::vector<timed_voice>> voices_in(call& c, std::string_view name);

/// An error of core/theory as an error of this call: its hint is before the usage line.
error wrong_in_theory(const call& c, errc code, const error& fault, std::string_view param = {});

value list_of(const std::vector<pitch>& pitches);
value list_of(const std::vector<int>& numbers);
value list_of(const std::vector<pitch_name>& names);
/// Chords in sequence, each with the given note value.
value chords_of(const std::vector<std::vector<pitch>>& chords, note_value each);

}  // namespace fermata
