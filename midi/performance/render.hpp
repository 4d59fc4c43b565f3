#pragma once

#include "core/result.hpp"
#include "core/score/model/score.hpp"
#include "midi/performance/performance.hpp"

#include <cstddef>

namespace fermata::midi {

/// From a score to its performance.
///
/// Always: repeats, endings and jumps as in `core/score/analysis/unfold.hpp`; ties, grace notes,
/// tremolos and transposition as in `core/score/analysis/sounding.hpp`; dynamics and hairpins
/// (dynamics_plan.hpp), accents, tempo (tempo_signs.hpp), pedals (pedal.hpp), instruments with
/// volume and pan (instrument_sound.hpp), harmonics at the pitch that sounds (harmonic.hpp),
/// channels and ports (channels.hpp), microtones by pitch bend (lanes.hpp), unisons (strike.hpp). A
/// repeat is played as the first time: with the tempo, dynamics and pedal that are written there.
///
/// The pitch of a note below an octave line is its sounding one already (MusicXML,
/// "octave-shift"). Cue notes are silent.
///
/// The options select what a performer adds to the notation. The header of each file names its
/// convention and where it comes from.
struct render_options {
  bool ornaments = true;      ///< ornament.hpp, wavy_lines.hpp, pitch_curve.hpp
  bool arpeggios = true;      ///< arpeggio.hpp
  bool glissandos = true;     ///< glissando.hpp: slides too
  bool articulations = true;  ///< articulation.hpp: lengths; accents always count
  bool swing = true;          ///< swing.hpp
  bool pauses = true;         ///< pauses.hpp: fermatas, caesuras
  bool gradual_tempo = true;  ///< tempo_plan.hpp: ritardandos
  bool exact_attacks = true;  ///< MusicXML's attack and release attributes of notes

  /// An error instead of a performance with more notes: a bound for repeat counts that are
  /// mistakes.
  std::size_t most_notes = 2'000'000;
};

/// As a musician would play it: the default.
render_options performed();
/// As it is written, for machines: every note begins in its place and lasts its whole length,
/// ornaments are not written out, and the tempo is as the signs say, without transitions.
render_options exact();

/// Errors: `out_of_range` when the repeats make the piece too long, or when it needs more than 128
/// ports; `number_too_large` when its rhythm is beyond exact arithmetic. Notes that MIDI has no key
/// for, and marks without agreed notes, are named in `performance::left_out`.
[[nodiscard]] result<performance> render(const score& s, const render_options& options = {});

}  // namespace fermata::midi
