#pragma once

#include <optional>
#include <string_view>

namespace fermata::midi {

/// How loud dynamics are, as MIDI velocities.
///
/// MusicXML counts loudness in percent of its default forte, which is velocity 90 ("sound"
/// element). For the marks themselves it has no numbers; ours agree with the examples of the
/// specification (p 54 %, pp 40 %, ff 112 %) and are 13 apart. In velocities: pppp 10, ppp 23, pp
/// 36, p 49, mp 62, mf 75, f 88, ff 101, fff 114, ffff 127. Softer ones are 1, louder ones 127.
struct dynamic_level {
  double attack = 90;           ///< of the notes at its place
  std::optional<double> level;  ///< from then on; nothing: as before
};

inline constexpr double level_step = 13;
inline constexpr double level_unsaid = 90;  ///< where a score has no dynamics: 100 %

/// Percent of the default forte as a velocity: 54 is 48.6.
double velocity_of_percent(double percent);

/// By MusicXML's names, several of one mark separated by blanks ("sf mp"). Nothing for others.
///
/// sf, fz, sfz, rf, rfz: their notes as ff, sffz as fff, and a level above what is in force at
/// least; the level stays. fp begins as f, sfp, sfzp and sfpp as ff, and goes on as p or pp; pf
/// begins as p and goes on as f. n is velocity 1.
std::optional<dynamic_level> level_of(std::string_view names, double in_force);

}  // namespace fermata::midi
