#pragma once

#include "core/music/rational.hpp"
#include "core/score/model/score.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace fermata::midi {

/// What scores say about playback in text: attributes and child elements of kept XML, and words
/// above the staff.

/// A decimal such as "54" or "66.5". Nothing for anything else and for numbers that are not finite.
std::optional<double> number_in(std::string_view text);

/// The first number in a text: 96 in "c. 96".
std::optional<double> first_number_in(std::string_view text);

/// A share of a length in percent: "25", "12.5". Nothing for anything else and beyond 0 to 100.
std::optional<rational> share_in(std::string_view percent);

/// The text of the first child element of this name in `xml`, at any depth: "2" of `first` in
/// "<swing><first>2</first>...". Nothing when there is none.
std::optional<std::string> element_text(std::string_view xml, std::string_view name);

/// The kept child element of this name, as XML; empty: there is none.
std::string_view child_of(const preserved& x, std::string_view name);

/// Lower case, ASCII letters and digits only, single blanks: "Tempo I°" becomes "tempo i", and
/// "poco rit." "poco rit".
std::string plain_words_of(std::string_view text);

/// The place at which a direction sounds: its own, or as much later as an <offset> with
/// sound="yes" says.
measure_position sounding_place(const measure_item& item);

}  // namespace fermata::midi
