#pragma once

#include "io/staff/layout.hpp"

#include <vector>

namespace fermata::io::staff {

/// Clefs, key and time signatures as columns of signs.

std::vector<sign_column> clef_columns(const clef& c, const glyphs& g);

/// `before`: the key that is left. A key without signs cancels it with naturals; other changes of
/// key are shown by the new signs alone, as is modern practice.
std::vector<sign_column> key_columns(const key_signature& k, const key_signature* before,
                                     const clef& c, const glyphs& g);

/// Nothing for senza misura.
std::vector<sign_column> time_columns(const time_signature& t, const glyphs& g);

int width_of(const std::vector<sign_column>& columns);

}  // namespace fermata::io::staff
