#pragma once

#include "core/music/instruments.hpp"
#include "core/score/model/score.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace fermata {

/// How musicians call a part: by its id or its name, and when no part has that name by the
/// instrument that it was made for: `(part :cello ...)` is called Violoncello, and by `cello` too.

/// Whether a part goes by this id or name, as `same_name` says.
bool is_called(const part& p, std::string_view name);

/// Whether it is a part for this instrument (by any of the instrument's names): its own name says
/// so, or the instrument that it begins with.
bool is_for_instrument(const part& p, std::string_view instrument);
/// Whether this is a name of that instrument.
bool is_name_of_instrument(std::string_view name, std::string_view instrument);

/// The row of the table that an instrument of a part is, by its name, else by its sound; null for
/// one that the table does not have.
const instrument_info* known_instrument(const part_instrument& i);

/// The parts that are meant by a word, ascending: those that go by it, else those for the
/// instrument. Empty: there is none.
std::vector<std::size_t> parts_called(const score& s, std::string_view word);

}  // namespace fermata
