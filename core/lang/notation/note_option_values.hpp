#pragma once

#include "core/lang/names/completion_words.hpp"
#include "core/lang/names/symbol_names.hpp"
#include "core/lang/notation/note_options.hpp"

#include <map>
#include <string>
#include <vector>

namespace fermata {

/// The values of a note's options: each function applies one value to the draft and returns the
/// error, if any. For the option of each value see note_options.cpp.

/// The words after marks with an optional text; the first one stands for no text.
const std::map<mark_kind, std::vector<std::string>>& mark_choices();

std::string add_mark(note_draft& d, mark_kind kind, std::string text);
/// The MusicXML names for marks of that kind, one of which is required; null if there are none.
const drawn_names* names_of_mark(mark_kind kind);
/// A word among the names of one kind of mark.
std::string add_drawn_mark(note_draft& d, mark_kind kind, const value& v, const drawn_names& names);
/// `:mark (:staccato "text" :above :xml (...))`: any mark exactly.
std::string add_exact_mark(note_draft& d, const value& v);

/// The values of a tie, and of a beam.
completion_words tie_words(std::string_view typed);
completion_words beam_words(std::string_view typed);

/// `start`, `stop`, `both`, or several of them.
std::string add_tie(note_draft& d, const value& v);
/// `:slur (start 2)`: an end, a number, and properties.
std::string add_spanner(note_draft& d, spanner_kind kind, const value& v);
/// `begin`, or `(begin begin)` for two beams.
std::string add_beams(note_draft& d, const value& v);

/// `:lyric "la"`, `:lyric ("hel" :begin :verse 2)`, elisions as several strings.
std::string add_lyric(note_draft& d, const value& v);

std::string set_accidental(note_draft& d, const value& v);
std::string set_notehead(note_draft& d, const value& v);

}  // namespace fermata
