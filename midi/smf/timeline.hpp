#pragma once

#include "core/music/key.hpp"
#include "core/music/meter.hpp"
#include "core/music/rational.hpp"
#include "core/result.hpp"
#include "midi/smf/file.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace fermata::midi::smf {

/// What the tracks of a file have in common, in quarters from the beginning: measures, keys,
/// tempos, markers. The standard puts it into the first track; it counts wherever it is.

template <class T>
struct timed {
  rational at;
  T value;
};

/// A measure: [start, end).
struct measure_span {
  rational start, end;
  time_signature metre;
  bool says_metre = false;  ///< the first one, and where the time signature changes
  bool is_pickup = false;   ///< of the first one
};

struct timeline {
  std::vector<timed<time_signature>> metres;  ///< at barlines; the first one at 0
  std::vector<timed<key_signature>> keys;
  std::vector<timed<std::uint32_t>> tempos;  ///< microseconds for a quarter note
  std::vector<timed<std::string>> markers;
  std::vector<timed<std::string>> cue_points;
  std::string title;      ///< the name of the first track if that names the piece
  std::string copyright;  ///< the first one
};

/// Events that change nothing are left out; of those at the same time the last one counts, except
/// for texts. `remarks` gets what was left out, in words.
timeline timeline_of(const file& f, int ticks_per_quarter, std::vector<std::string>& remarks);

/// The measures up to `end`, at least one. A time signature inside a measure ends it.
/// Error `out_of_range` for more than `most`.
[[nodiscard]] result<std::vector<measure_span>> measures_of(const timeline& t, rational end,
                                                            std::size_t most);

}  // namespace fermata::midi::smf
