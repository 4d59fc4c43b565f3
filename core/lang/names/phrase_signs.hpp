#pragma once

#include "core/score/model/direction.hpp"
#include "core/score/model/mark.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace fermata {

/// What the short signs of a phrase stand for, both ways.

/// The mark after a hyphen: '.' staccato, '>' accent, '-' tenuto, '^' marcato, '!' staccatissimo.
std::optional<mark_kind> phrase_articulation(char sign);
std::optional<char> phrase_sign(mark_kind kind);

/// "mf", "cresc", "dim", "stop" as the directions that the forms of that name make.
std::optional<direction> phrase_dynamic(std::string_view name);
/// The name, if the direction is exactly what the name means.
std::optional<std::string> phrase_dynamic_name(const direction& d);

/// The harmony that `(harmony "Dm7")` makes.
std::optional<harmony> harmony_of(std::string_view symbol);
/// The symbol, if the harmony is exactly what the symbol means.
std::optional<std::string> harmony_symbol(const harmony& h);

/// Whether a name is one of MusicXML's dynamics.
bool is_dynamic(std::string_view name);
/// All of them.
std::vector<std::string> dynamic_words(std::string_view typed);
/// What is wrong with a word that is none.
std::string no_such_dynamic(std::string_view word);

/// The pitch of that name that lies next above another one: on a higher line or space, or on the
/// same with more sharps. A pitch of a chord in a phrase that says no octave is this one. Nothing:
/// it would lie in no octave that there is.
std::optional<pitch> next_above(const pitch& below, pitch named);

}  // namespace fermata
