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

/// The options that notes, chords, rests and grace notes share. Marks come from core/score's mark
/// table: each row is a flag or an option of every note.

/// What a note form has said so far.
struct note_draft {
  chord_rest rhythm;              ///< without notes; an empty voice is the one around it
  note first;                     ///< tone unset; what the options say
  std::optional<quarters> lasts;  ///< sounding length before tuplets, where it is not as written
  bool untyped = false;           ///< no note value is written
};

/// The parameters, to be appended last to the row of a form.
const std::vector<param>& note_option_params();

/// Applies the note options of `c` to `d` in the order written.
[[nodiscard]] result<void> apply_note_options(const call& c, note_draft& d);

/// The chord or note of the draft with these tones. Of what the options say, stem, tie, notehead,
/// arpeggio and colour go to all notes of a chord, the rest to its first.
chord_rest with_tones(note_draft&& d, std::span<const tone> tones);
inline chord_rest with_tone(note_draft&& d, tone t) { return with_tones(std::move(d), {&t, 1}); }
/// The same for notes that bring options of their own.
chord_rest with_notes(note_draft&& d, std::vector<note> notes);

/// The ratio a value means: 3:2, 3/2, (3 2), or 3 (in the time of the next lower power
/// of two; 2, 4 and 8 in the time of 3, 3 and 6, as in compound metres).
std::optional<std::pair<int, int>> ratio_of(const value& v);

/// `half` of `<hole><hole-closed>half</hole-closed></hole>`: the word after a mark whose child
/// element says what it is, when there is no more to it.
std::optional<std::string> word_in_child(const mark& m);

/// Writes what `with_notes` would be told: rhythm options of `x`, then options of `n`.
void write_rhythm_options(form& f, const chord_rest& x);
void write_note_options(form& f, const note& n);
/// The words that may follow a mark whose text is optional, the first for no text; null for others.
const std::vector<std::string>* mark_words(mark_kind kind);
/// The options that a chord says for all its notes (see `with_tones`).
bool is_for_all_notes(const mark& m);

}  // namespace fermata
