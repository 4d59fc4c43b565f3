#pragma once

#include "core/score/model/score.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fermata {

/// Names of measures in input and output: by printed number, as in the language. A pickup is 0, a
/// later uncounted measure X1 (numbering.hpp). Only a measure without any number is identified by
/// its position, from 1.

/// "12", "X1".
std::string printed_number(const measure& m, std::size_t index);

/// The same for the measure at `index` of a part; after its last measure, the number that an added
/// one would have.
std::string printed_number(const part& p, std::size_t index);

/// The same for all measures at `index`, as in the first part that is long enough; after all of
/// them as in the longest part.
std::string printed_number(const score& s, std::size_t index);

/// The index of the first measure with that number.
std::optional<std::size_t> index_of_number(const part& p, std::string_view number);

/// The index that a measure with that number would have after the last one; empty if it would not
/// be after it.
std::optional<std::size_t> index_past_end(const part& p, std::string_view number);

/// The first of the longest parts; null: the score has none.
const part* longest_part(const score& s);

/// "measure 3", "measures 3 to 5".
std::string measures_in_words(const std::string& first, const std::string& last);

/// "measure 3", "measures 3 to 5": of the measures [first, end), as the score numbers them.
std::string measures_in_words(const score& s, std::size_t first, std::size_t end);

/// "the measures 0 to 2", "only measure 1", "no measures": all existing ones. Their count could be
/// mistaken for the number of the last one.
std::string measures_there(const score& s);
std::string measures_there(const part& p);

}  // namespace fermata
