#pragma once

#include "core/lang/notation/forms.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// Options of all directions: position, playback, preserved content.

std::vector<param> direction_option_params();

/// A direction of these types with the options of `c`. `placement` and `sounds` are the defaults.
[[nodiscard]] result<direction> read_direction(const call& c, std::vector<direction_type> types,
                                               std::string_view placement,
                                               std::optional<sound> sounds = {});
/// The options that make `x` from a direction with that placement and sound.
void write_direction_options(form& f, const direction& x, std::string_view placement,
                             const std::optional<sound>& sounds = {});

/// A row that ends with the parameters of directions.
form_spec with_direction_options(form_spec row);

/// Result of a handler for a direction of one type; its `:xml` belongs to the type.
template <class Type>
result<value> direction_answer(const call& c, Type type, std::string_view placement,
                               std::optional<sound> sounds = {}) {
  if (c.has("xml")) type.extra = preserved_of(c.get("xml"));
  auto d = read_direction(c, {direction_type{std::move(type)}}, placement, std::move(sounds));
  if (!d) return fail(std::move(d.error()));
  return music_answer(c, measure_content{std::move(*d)});
}

/// A sound with one attribute: `sounding("tempo", "96")`.
sound sounding(std::string_view name, std::string_view text);

/// Quarter notes per minute of a metronome mark as a decimal, or nothing for equations and texts.
std::optional<std::string> quarters_per_minute(const metronome& m);

// The inside of a direction: the form of one type without the options of the direction.
form dynamics_form(const dynamics& x);
form wedge_form(const wedge& x);
/// With the text next to it, if any.
form tempo_form(const std::string& text, const metronome& m);

}  // namespace fermata
