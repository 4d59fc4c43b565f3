#pragma once

#include "core/lang/layout/flow.hpp"
#include "core/lang/value/environment.hpp"
#include "core/lang/value/music.hpp"
#include "core/result.hpp"
#include "core/score/model/joined_attributes.hpp"
#include "core/score/model/part_defaults.hpp"
#include "core/score/model/score.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace fermata {

/// Music values become score material here: positions follow from the order of items and voices,
/// tuplets and grace groups become what the notes carry, repeats and endings become barlines,
/// measures are numbered, and a part that says nothing gets its clef, key and time.
///
/// Errors carry the span of the item at fault. Faults in different measures are all listed.

/// A whole score from any music: parts and groups as written; what stands outside a part is part 1.
/// Marks before the first part hold for it; key, time and clef among them for all parts. A part
/// that says no key or time has those of the others, then those of `beside`, then those of the
/// defaults.
[[nodiscard]] result<score> compile_score(const music& m, const score_defaults& defaults = {},
                                          const system_opening& beside = {});

/// One part. `index` counts from 0 and gives the id P1, P2, ... where none is written.
[[nodiscard]] result<part> compile_part(const part_music& p, std::size_t index,
                                        const score_defaults& defaults = {});

/// One measure written out as such, in a place where `time` holds. It may hold less than the time
/// signature says, but not more (`overfull_measure`) unless it is `free`.
[[nodiscard]] result<measure> compile_measure(const measure_music& m, std::string number,
                                              const time_signature& time = {});

/// The measure items of a laid out measure: adjacent key, time and clef joined to one block.
/// Checks the bar claims against `length` (zero: none).
[[nodiscard]] result<std::vector<measure_item>> measure_items(flow&& f, quarters length,
                                                              std::string_view number);

/// A barline that stands between the notes of a measure, its side not said, is drawn there.
void settle_inner_barlines(measure& m);

/// The time signature in a measure: its own at its start, or the one before.
time_signature time_of_measure(const flow& f, const time_signature& before);

/// The overfull error of a measure, or nothing.
[[nodiscard]] std::optional<diagnostic> overfull(const flow& f, const time_signature& time,
                                                 std::string_view number);

/// What a player needs and `p` does not say: key, time, clefs (of `staves` staves at least), how it
/// transposes. `said` stands at its beginning, or null.
attributes completion(const attributes* said, const part_music& p, int staves,
                      const score_defaults& defaults = {});

/// The header a shortcut gives: names and one sound. `id` of the part must be set for the sound's
/// id.
void apply_instrument(part& header, std::string_view instrument);

}  // namespace fermata
