#pragma once

#include "core/score/model/direction.hpp"
#include "core/score/model/mark.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace fermata {

/// The meaning of the short signs of a phrase, in both directions.

/// The mark after a hyphen: '.' staccato, '>' accent, '-' tenuto, '^' marcato, '!' staccatissimo.
std::optional<mark_kind> phrase_articulation(char sign);
std::optional<char> phrase_sign(mark_kind kind);

/// "mf", "cresc", "dim", "stop" as the directions made by the forms of that name.
std::optional<direction> phrase_dynamic(std::string_view name);
/// The name, if the direction is exactly that of the name.
std::optional<std::string> phrase_dynamic_name(const direction& d);

/// The harmony of `(harmony "Dm7")`.
std::optional<harmony> harmony_of(std::string_view symbol);
/// The symbol, if the harmony is exactly that of the symbol.
std::optional<std::string> harmony_symbol(const harmony& h);

/// Whether a name is one of MusicXML's dynamics.
bool is_dynamic(std::string_view name);
/// All of them.
std::vector<std::string> dynamic_words(std::string_view typed);
/// The error for an unknown word.
std::string no_such_dynamic(std::string_view word);

/// The next pitch of that name above another one: on a higher line or space, or on the same with
/// more sharps. A pitch of a chord in a phrase without an octave is this one. Empty: out of range.
std::optional<pitch> next_above(const pitch& below, pitch named);

}  // namespace fermata
