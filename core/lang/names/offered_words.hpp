#pragma once

#include "core/lang/value/form_spec.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata {

/// Words that parameters take out of the tables of core, for completion: what a table gains is
/// offered without a second list. `typed` is the word at the cursor so far; most do not look at it.

using offered_words = std::vector<std::string>;

/// The parameter with such words.
inline param offering(param p, offered_words (*words)(std::string_view)) {
  p.offered = words;
  return p;
}

offered_words clef_words(std::string_view typed);
offered_words instrument_words(std::string_view typed);
/// Modes for `(key d :minor)`; whole names where a letter has been typed: `d-minor`.
offered_words key_words(std::string_view typed);
/// Modes alone, for behind the tonic.
offered_words mode_words(std::string_view typed);
offered_words time_words(std::string_view typed);
/// A name of a table as it is typed: `:harmonic-minor`; what is no keyword in quotes.
std::string typed_name(std::string_view name);

offered_words scale_words(std::string_view typed);
offered_words chord_words(std::string_view typed);
offered_words row_form_words(std::string_view typed);
offered_words cadence_words(std::string_view typed);
offered_words key_profile_words(std::string_view typed);

}  // namespace fermata
