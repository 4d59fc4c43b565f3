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

/// Converts music values to score content: positions follow from the order of items and voices,
/// tuplets and grace groups become properties of their notes, repeats and endings become barlines,
/// measures are numbered, and a part without clef, key and time gets its defaults.
///
/// Errors have the span of their item. Errors in different measures are all listed.

/// A whole score from any music: parts and groups as written; the rest is part 1. Marks before the
/// first part apply to it; key, time and clef among them to all parts. A part without key or time
/// has those of the others, then those of `beside`, then the defaults.
[[nodiscard]] result<score> compile_score(const music& m, const score_defaults& defaults = {},
                                          const system_opening& beside = {});

/// One part. `index` counts from 0 and gives the id P1, P2, ... if none is written.
[[nodiscard]] result<part> compile_part(const part_music& p, std::size_t index,
                                        const score_defaults& defaults = {});

/// One explicit measure, where `time` is in effect. It may be shorter than its time signature, but
/// not longer (`overfull_measure`) unless it is `free`.
[[nodiscard]] result<measure> compile_measure(const measure_music& m, std::string number,
                                              const time_signature& time = {});

/// The items of a measure after layout: adjacent key, time and clef joined to one block. Checks the
/// bar checks against `length` (zero: none).
[[nodiscard]] result<std::vector<measure_item>> measure_items(flow&& f, quarters length,
                                                              std::string_view number);

/// A barline between the notes of a measure, without a given side, is drawn there.
void settle_inner_barlines(measure& m);

/// The time signature of a measure: its own at its start, or the previous one.
time_signature time_of_measure(const flow& f, const time_signature& before);

/// The overfull error of a measure, or empty.
[[nodiscard]] std::optional<diagnostic> overfull(const flow& f, const time_signature& time,
                                                 std::string_view number);

/// The initial attributes that `p` lacks: key, time, clefs (for at least `staves` staves),
/// transposition. `said`: the explicit ones at its start, or null.
attributes completion(const attributes* said, const part_music& p, int staves,
                      const score_defaults& defaults = {});

/// Names and sound of an instrument shortcut. The `id` of the part must be set, for the sound's id.
void apply_instrument(part& header, std::string_view instrument);

}  // namespace fermata
