#pragma once

#include "midi/sound/sound_system.hpp"

#include <map>
#include <string>
#include <vector>

namespace fermata::midi {

/// "Midi Through:Midi Through Port-0 14:0" without the numbers, which change with each start.
std::string stable_alsa_name(std::string name);

/// A port of the ALSA sequencer.
struct alsa_listed_port {
  std::string full_name;  ///< as RtMidi lists it: "Midi Through:Midi Through Port-0 14:0"
  device as_device;
};

/// Ids of ports of the ALSA sequencer, whose names need not be unique: two keyboards of one model,
/// two windows of one program. The first one has its name as id, the next one "NAME (2)". A port
/// keeps its id while it is there, whichever others come and go.
class alsa_names {
public:
  /// All ports that are there, in the order of their full names; those of Fermata are left out.
  std::vector<alsa_listed_port> of(const std::vector<std::string>& full_names);

private:
  std::map<std::string, std::string> ids_;  ///< by full name; without "alsa:"
};

}  // namespace fermata::midi
