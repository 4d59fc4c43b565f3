#pragma once

#include "core/score/model/mark.hpp"
#include "io/staff/glyphs.hpp"
#include "io/staff/layout.hpp"

namespace fermata::io::staff {

/// The sign for a mark on a note; for a mark that has no sign in characters, its name in the
/// language. Which side of the note it wants is not said.
mark_sign sign_of(const mark& m, const glyphs& g);

}  // namespace fermata::io::staff
