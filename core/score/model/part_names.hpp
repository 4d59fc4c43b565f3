#pragma once

#include "core/music/instruments.hpp"
#include "core/score/model/score.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace fermata {

/// Names of a part: its id or its name and, if no part has that name, its instrument: `(part :cello
/// ...)` is called Violoncello, but also found by `cello`.

/// Whether a part has this id or name, as `same_name` says.
bool is_called(const part& p, std::string_view name);

/// Whether a part is for this instrument (by any of the instrument's names): by its own name, or by
/// its first instrument.
bool is_for_instrument(const part& p, std::string_view instrument);
/// Whether this is a name of that instrument.
bool is_name_of_instrument(std::string_view name, std::string_view instrument);

/// The row of an instrument of a part, by its name, otherwise by its sound; null if the table does
/// not have it.
const instrument_info* known_instrument(const part_instrument& i);

/// The parts denoted by a word, ascending: by id or name, otherwise by instrument. Empty: none.
std::vector<std::size_t> parts_called(const score& s, std::string_view word);

}  // namespace fermata
