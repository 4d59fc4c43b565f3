#pragma once

#include "core/lang/value/value.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// Names from MusicXML 4.0 for symbols that the score stores as text. In the language they are
/// words, with hyphens for blanks: `:arrow-down`. A string is not looked up, so that names from
/// other programs are kept.
using drawn_names = std::vector<std::string_view>;

const drawn_names& notehead_names();
const drawn_names& accidental_names();
const drawn_names& handbell_names();
const drawn_names& arrow_names();
/// Kinds of chord symbols, and types of their degrees.
const drawn_names& chord_kind_names();
const drawn_names& degree_type_names();
/// Signs before and after the number of a figure.
const drawn_names& figure_prefix_names();
const drawn_names& figure_suffix_names();

/// The text denoted by `v`: a word must be one of `names`, a string denotes itself. Empty: unknown
/// word.
std::optional<std::string> drawn_text(const value& v, const drawn_names& names);
/// The inverse.
value drawn_value(std::string_view text, const drawn_names& names);
/// The same for names that are words of the language unchanged.
value named_value(std::string_view text, const drawn_names& names);
/// All of them, as in the language.
std::vector<std::string> drawn_words(const drawn_names& names);
/// "`foo` is no notehead; did you mean `fa`?"
std::string no_such_name(const value& v, const drawn_names& names, std::string_view what);

/// `; did you mean ...?` if a word is similar to a known one, otherwise empty.
std::string meant(std::string_view word, const drawn_names& known);

}  // namespace fermata
