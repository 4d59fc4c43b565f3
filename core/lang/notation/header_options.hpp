#pragma once

#include "core/lang/evaluation/call.hpp"
#include "core/lang/names/spec.hpp"
#include "core/lang/value/music.hpp"

#include <vector>

namespace fermata {

/// Options of `score` and `part` for title, people, instruments and page.

std::vector<param> score_option_params();
[[nodiscard]] result<void> read_score_options(const call& c, score_music& s);
void write_score_options(form& f, const score_header& h, const preserved& extra);

std::vector<param> part_option_params();
[[nodiscard]] result<void> read_part_options(const call& c, part_music& p);
/// `instrument`: the shortcut that was written, whose contents are left out.
void write_part_options(form& f, const part& p);

}  // namespace fermata
