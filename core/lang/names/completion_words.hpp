#pragma once

#include "core/lang/value/form_spec.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata {

/// Words for parameters from the tables of core, for completion, so that new rows of a table are
/// offered without a second list. `typed` is the word before the cursor; most functions ignore it.

using completion_words = std::vector<std::string>;

/// The parameter with such words.
inline param offering(param p, completion_words (*words)(std::string_view)) {
  p.offered = words;
  return p;
}

completion_words clef_words(std::string_view typed);
completion_words instrument_words(std::string_view typed);
/// Modes for `(key d :minor)`; complete names if a letter has been typed: `d-minor`.
completion_words key_words(std::string_view typed);
/// Only modes, for after the tonic.
completion_words mode_words(std::string_view typed);
completion_words time_words(std::string_view typed);
/// A name from a table as typed: `:harmonic-minor`; in quotes if it cannot be a keyword.
std::string typed_name(std::string_view name);

completion_words scale_words(std::string_view typed);
completion_words chord_words(std::string_view typed);
completion_words row_form_words(std::string_view typed);
completion_words cadence_words(std::string_view typed);
completion_words key_profile_words(std::string_view typed);

}  // namespace fermata
