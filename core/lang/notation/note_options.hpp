#pragma once

#include "core/lang/evaluation/call.hpp"
#include "core/lang/names/spec.hpp"
#include "core/score/model/note.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fermata {

/// The options shared by notes, chords, rests and grace notes. Marks come from core/score's mark
/// table: each row is a flag or an option of every note.

/// A note form in progress.
struct note_draft {
  chord_rest rhythm;              ///< without notes; an empty voice is the enclosing one
  note first;                     ///< tone unset; the values of the options
  std::optional<quarters> lasts;  ///< sounding length before tuplets, if not as written
  bool untyped = false;           ///< no written note value
};

/// The parameters, to be appended to the row of a form.
const std::vector<param>& note_option_params();

/// Applies the note options of `c` to `d` in the order written.
[[nodiscard]] result<void> apply_note_options(const call& c, note_draft& d);

/// The chord or note of the draft with these tones. Stem, tie, notehead, arpeggio and colour apply
/// to all notes of a chord, the other options to its first.
chord_rest with_tones(note_draft&& d, std::span<const tone> tones);
inline chord_rest with_tone(note_draft&& d, tone t) { return with_tones(std::move(d), {&t, 1}); }
/// The same for notes with options of their own.
chord_rest with_notes(note_draft&& d, std::vector<note> notes);

/// The ratio denoted by a value: 3:2, 3/2, (3 2), or 3 (in the time of the next lower power of two;
/// 2, 4 and 8 in the time of 3, 3 and 6, as in compound metres).
std::optional<std::pair<int, int>> ratio_of(const value& v);

/// `half` of `<hole><hole-closed>half</hole-closed></hole>`: the word after a mark that is
/// determined by its child element, if there is nothing else in it.
std::optional<std::string> word_in_child(const mark& m);

/// Writes the input of `with_notes`: rhythm options of `x`, then options of `n`.
void write_rhythm_options(form& f, const chord_rest& x);
void write_note_options(form& f, const note& n);
/// The words after a mark with an optional text, the first for no text; null for others.
const std::vector<std::string>* mark_words(mark_kind kind);
/// The options that a chord gives to all its notes (see `with_tones`).
bool is_for_all_notes(const mark& m);

}  // namespace fermata
