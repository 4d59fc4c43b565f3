#pragma once

#include "core/lang/evaluation/call.hpp"
#include "core/lang/evaluation/row_shorthand.hpp"
#include "core/lang/names/spec.hpp"
#include "core/lang/value/form_spec.hpp"
#include "core/lang/value/literals.hpp"
#include "core/lang/value/music.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// The musical forms, by family. Each function adds the rows of one family; the handlers are next
/// to them. `..._form` functions are the inverse: the form that denotes a piece of score.

using form_rows = std::vector<form_spec>;

void add_note_forms(form_rows& rows);       ///< note, rest, unpitched, grace
void add_chord_forms(form_rows& rows);      ///< chord
void add_group_forms(form_rows& rows);      ///< seq, par, tuplet, lyrics, voice, staff, backup, ...
void add_container_forms(form_rows& rows);  ///< measure, part, group, score, repeat, ending
void add_signature_forms(form_rows& rows);  ///< key, time, clef, transposition, staves, attributes
void add_tempo_forms(form_rows& rows);      ///< tempo
void add_dynamic_forms(form_rows& rows);    ///< p ... sfz, hairpins
void add_direction_forms(
    form_rows& rows);  ///< words, rehearsal, jumps, pedal, octave-shift, direction
void add_barline_forms(form_rows& rows);    ///< barline
void add_harmony_forms(form_rows& rows);    ///< harmony, figured-bass
void add_layout_forms(form_rows& rows);     ///< break, layout, sound, xml
void add_phrase_forms(form_rows& rows);     ///< phrase
void add_transpose_forms(form_rows& rows);  ///< transpose, invert, sequence
void add_rhythm_forms(form_rows& rows);     ///< zip-rhythm
void add_cursor_forms(form_rows& rows);     ///< cursor, defaults, key-inference, preview

value chord_rest_form(const chord_rest& x);
value direction_form(const direction& x);
value harmony_form(const harmony& x);
value figured_bass_form(const figured_bass& x);
value barline_form(const barline& x);
value sound_form(const sound& x);
value layout_form(const print_layout& x);
/// One form for each of the attributes; `block` if they need `(attributes ...)` around them.
std::vector<value> attributes_forms(const attributes& x, bool& block);

/// Helpers for rows, in addition to core/lang/evaluation/row_shorthand.hpp.
param optional_param(std::string name, arg_type type, std::string doc,
                     std::string default_text = {});
param option_param(std::string name, arg_type type, std::string doc,
                   std::vector<std::string> aliases = {});
param word_option(std::string name, std::string doc, std::vector<std::string> choices,
                  std::string default_text = {});
/// An option that takes one of these words, or any text in quotes.
param named_option(std::string name, std::string doc, std::vector<std::string> choices);
/// One of several alternative parameters, of which only one may be given.
param one_of(std::string thing, param p);
param flag_param(std::string name, std::string doc, std::vector<std::string> aliases = {});
param rest_param(std::string name, arg_type type, std::string doc);

/// Results of handlers.
result<value> music_answer(const call& c, music::node&& data);

/// The music among the rest arguments of a call, including lists of music; nil is skipped. Keywords
/// and other values are errors.
result<std::vector<music_ptr>> music_arguments(const call& c, std::string_view what);
/// One argument of that kind appended to `out`: music, a list of music, a pitch (a quarter note).
result<void> append_music(const call& c, const value& v, source_span span,
                          std::vector<music_ptr>& out);

/// An unknown keyword among rest arguments, with the nearest option as hint.
error unknown_keyword(const call& c, const std::string& name, source_span span,
                      std::vector<std::string_view> further = {});

/// A word that names no instrument, with the nearest one as hint.
error no_such_instrument(const call& c, const std::string& name, source_span span);

}  // namespace fermata
