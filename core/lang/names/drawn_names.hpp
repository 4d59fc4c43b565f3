#pragma once

#include "core/lang/value/value.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// Names that MusicXML 4.0 has for what is drawn, where the score keeps them as text. In the
/// language they are words, with a hyphen for a blank: `:arrow-down`. A string is not looked up,
/// so that what another program wrote is kept whatever it is.
using drawn_names = std::vector<std::string_view>;

const drawn_names& notehead_names();
const drawn_names& accidental_names();
const drawn_names& handbell_names();
const drawn_names& arrow_names();
/// Kinds of chord symbols, and what their degrees do.
const drawn_names& chord_kind_names();
const drawn_names& degree_type_names();
/// Signs before and behind the number of a figure.
const drawn_names& figure_prefix_names();
const drawn_names& figure_suffix_names();

/// The text that `v` means: a word is one of `names`, a string itself. Nothing: an unknown word.
std::optional<std::string> drawn_text(const value& v, const drawn_names& names);
/// The way back.
value drawn_value(std::string_view text, const drawn_names& names);
/// The same where the names are words of the language as they are.
value named_value(std::string_view text, const drawn_names& names);
/// All of them as the language writes them.
std::vector<std::string> drawn_words(const drawn_names& names);
/// "`foo` is no notehead; did you mean `fa`?"
std::string no_such_name(const value& v, const drawn_names& names, std::string_view what);

/// `; did you mean ...?` where a word is near to a known one, else nothing.
std::string meant(std::string_view word, const drawn_names& known);

}  // namespace fermata
