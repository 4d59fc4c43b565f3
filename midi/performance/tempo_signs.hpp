#pragma once

#include "core/score/model/score.hpp"
#include "midi/performance/written_change.hpp"

#include <string_view>
#include <vector>

namespace fermata::midi {

/// Tempos that are played, in quarter notes per minute; others are not obeyed. MusicXML's 0 asks
/// the user. The slowest one is the slowest that a MIDI file can hold: 0xFFFFFF microseconds.
inline constexpr double slowest_tempo = 3.58, fastest_tempo = 100'000;

/// What a score says about its tempo, sign by sign.
struct tempo_sign {
  enum class kind {
    set,      ///< `value` quarter notes per minute
    times,    ///< `value` times the tempo before: a beat equation
    gradual,  ///< ritardando or accelerando, to `value` times the tempo where nothing else is said
    a_tempo,  ///< the tempo before the last gradual change
    primo     ///< the first tempo of the piece
  };
  kind what = kind::set;
  double value = 120;
};

/// In order of place, at most one per place besides gradual changes. In one direction
/// `<sound tempo>` counts more than a metronome mark, and that more than words; of several parts
/// the first one. In a beat equation the left beat is the old one, as is usual.
std::vector<written_change<tempo_sign>> tempo_signs(const score& s);

/// What words say about the tempo: "rit.", "a tempo", "Allegro con brio". Nothing for others.
///
/// Tempo words are our choice, within the ranges that metronomes print for them: Grave 35, Largo
/// 50, Lento 52.5, Larghetto 63, Adagio 71, Andante 92, Andantino 94, Moderato 114, Allegretto 116,
/// Allegro 144, Vivace 172, Presto 187, Prestissimo 200. Gradual changes have LilyPond's factors
/// (articulate.ly): 0.6, "poco" 0.9; accelerandos have the inverse, which is our choice.
std::optional<tempo_sign> tempo_in_words(std::string_view text);

}  // namespace fermata::midi
