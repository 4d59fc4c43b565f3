#pragma once

#include "core/music/duration.hpp"
#include "core/music/meter.hpp"
#include "core/music/time.hpp"

#include <vector>

namespace fermata {

/// The notation of a span of time in its measure, as note values to be tied.
///
/// Engravers keep the metre visible (E. Gould, Behind Bars, "Note grouping"; K. Stone, Music
/// Notation in the Twentieth Century): the middle of a 4/4 measure, the beats of a compound metre
/// and the groups of an additive one are shown, and a value may hide a weaker point of the measure
/// only if it fills whole units of it or is the dotted value of one (dotted half in 4/4, dotted
/// quarter in 2/4). Rests are stricter: no dots in simple metres, one rest per beat in triple ones.

struct metric_piece {
  measure_position at;
  note_value value;
  bool operator==(const metric_piece&) const = default;
};

enum class spelled_as { note, rest };

/// The pieces of [at, at + span) in a measure of metre `t`, in order. Beyond the end of the measure
/// (senza misura, overfull) the metre continues as if it repeated. Empty if `span` is not a sum of
/// binary values down to 1024ths.
std::vector<metric_piece> metric_pieces(measure_position at, quarters span, const time_signature& t,
                                        spelled_as what = spelled_as::note);

}  // namespace fermata
