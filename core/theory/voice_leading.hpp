#pragma once

#include "core/music/pitch.hpp"
#include "core/theory/timed_note.hpp"
#include "core/theory/tonality.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fermata {

/// What sounds in each voice from one moment on; nothing where a voice rests. Voices are listed
/// from the lowest up.
struct voice_moment {
  quarters at;
  std::vector<std::optional<pitch>> voices;
};

/// Cuts voices (lowest first, each one note at a time) at every onset and release.
std::vector<voice_moment> voice_moments(const std::vector<std::vector<timed_note>>& voices);

/// The faults of strict four-part writing (Aldwell & Schachter, chapters 3 to 6).
enum class voice_leading_fault_kind : std::uint8_t {
  parallel_fifths,  ///< perfect fifth to perfect fifth, both voices moving the same way
  parallel_octaves,
  parallel_unisons,
  contrary_fifths,  ///< fifth to twelfth by contrary motion
  contrary_octaves,
  hidden_fifths,  ///< outer voices leap upwards or downwards together into a fifth
  hidden_octaves,
  crossing,  ///< a voice above its upper neighbour
  overlap,   ///< a voice beyond where its neighbour just was
  out_of_range,
  wide_spacing,         ///< more than an octave between neighbours above the bass
  doubled_leading_tone  ///< only where a key is given
};
/// "parallel fifths", "out of range".
std::string_view to_string(voice_leading_fault_kind k);

/// Lowest and highest pitch of a voice.
struct voice_range {
  pitch low, high;
};
/// Bass e2..d4, tenor c3..a4, alto f3..d5, soprano c4..a5.
const std::vector<voice_range>& satb_ranges();

/// What is checked besides the movements of voice pairs.
struct voice_leading_rules {
  /// Lowest voice first. A voice without a range, or beyond the last, may sing any pitch.
  std::vector<std::optional<voice_range>> ranges;
  bool spacing = false;         ///< report wide spacing
  std::optional<tonality> key;  ///< report doubled leading tones of this key
};

struct voice_leading_fault {
  voice_leading_fault_kind kind;
  std::size_t moment = 0;       ///< where it happens; for a movement, where it arrives
  std::size_t lower_voice = 0;  ///< from 0, the lowest
  std::size_t upper_voice = 0;  ///< the same for faults of one voice
  bool operator==(const voice_leading_fault&) const = default;
};

/// All faults, in order of time. A moment in which a voice rests breaks its movement.
std::vector<voice_leading_fault> voice_leading_faults(const std::vector<voice_moment>& moments,
                                                      const voice_leading_rules& rules = {});
/// The same for chords of full voices, lowest first.
std::vector<voice_leading_fault> voice_leading_faults(const std::vector<std::vector<pitch>>& chords,
                                                      const voice_leading_rules& rules = {});

}  // namespace fermata
