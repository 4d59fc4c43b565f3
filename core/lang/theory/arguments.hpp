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

/// Between values of the language and the plain values that core/theory works on.

/// What asks for pitches here thinks in the twelve pitch classes: a microtone is an error that
/// names it, since rounding it would answer a question that nobody asked.

/// All pitches of an argument in order: a pitch, lists of pitches, music. Rests and marks have
/// none.
result<std::vector<pitch>> pitches_of(call& c, std::string_view name);

/// The same of all remaining arguments of the call. Error: there is none, or something that is
/// neither, named.
result<std::vector<pitch>> chord_given(call& c);

/// Pitch classes from any mix of numbers, pitches, lists and music. Error: something that is none
/// of these, named.
result<pitch_class_set> classes_in(call& c, const std::vector<value>& values);
/// The same as numbers 0..11 in the order written, repetitions kept.
result<std::vector<int>> class_numbers_in(call& c, const std::vector<value>& values);

/// The key of an option or parameter, else the session's key.
tonality key_of(call& c, std::string_view name);

/// The notes of some music with their times, repeats unfolded, ties merged; without an argument
/// those of the session's score.
result<std::vector<timed_note>> notes_in(call& c, std::string_view name);
/// The same divided into voices, lowest voice first; a chord of n notes in one voice counts as n
/// voices.
result<std::vector<timed_voice>> voices_in(call& c, std::string_view name);

/// What core/theory finds wrong, as an error of this call: its hint stands before the usage line.
error wrong_in_theory(const call& c, errc code, const error& fault, std::string_view param = {});

value list_of(const std::vector<pitch>& pitches);
value list_of(const std::vector<int>& numbers);
value list_of(const std::vector<pitch_name>& names);
/// Chords one after another, each of the note value given.
value chords_of(const std::vector<std::vector<pitch>>& chords, note_value each);

}  // namespace fermata
