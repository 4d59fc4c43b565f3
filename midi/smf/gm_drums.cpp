#include "midi/smf/gm_drums.hpp"

#include <iterator>

namespace fermata::midi::smf {

namespace {

constexpr int first_drum_key = 35;

constexpr drum_sound drum_sounds[] = {
    {"Acoustic Bass Drum", step::e, 4},
    {"Bass Drum 1", step::f, 4},
    {"Side Stick", step::c, 5, true},
    {"Acoustic Snare", step::c, 5},
    {"Hand Clap"},
    {"Electric Snare", step::c, 5},
    {"Low Floor Tom", step::g, 4},
    {"Closed Hi-Hat", step::g, 5, true},
    {"High Floor Tom", step::a, 4},
    {"Pedal Hi-Hat", step::d, 4, true},
    {"Low Tom", step::b, 4},
    {"Open Hi-Hat", step::g, 5, true},
    {"Low-Mid Tom", step::b, 4},
    {"Hi-Mid Tom", step::d, 5},
    {"Crash Cymbal 1", step::a, 5, true},
    {"High Tom", step::e, 5},
    {"Ride Cymbal 1", step::f, 5, true},
    {"Chinese Cymbal", step::b, 5, true},
    {"Ride Bell", step::f, 5, true},
    {"Tambourine"},
    {"Splash Cymbal", step::b, 5, true},
    {"Cowbell"},
    {"Crash Cymbal 2", step::a, 5, true},
    {"Vibraslap"},
    {"Ride Cymbal 2", step::f, 5, true},
    {"Hi Bongo"},
    {"Low Bongo"},
    {"Mute Hi Conga"},
    {"Open Hi Conga"},
    {"Low Conga"},
    {"High Timbale"},
    {"Low Timbale"},
    {"High Agogo"},
    {"Low Agogo"},
    {"Cabasa"},
    {"Maracas"},
    {"Short Whistle"},
    {"Long Whistle"},
    {"Short Guiro"},
    {"Long Guiro"},
    {"Claves"},
    {"Hi Wood Block"},
    {"Low Wood Block"},
    {"Mute Cuica"},
    {"Open Cuica"},
    {"Mute Triangle"},
    {"Open Triangle"},
};

}  // namespace

drum_sound drum_sound_of(int key) {
  auto i = key - first_drum_key;
  if (i < 0 || i >= static_cast<int>(std::size(drum_sounds))) return {"Percussion"};
  return drum_sounds[i];
}

}  // namespace fermata::midi::smf
