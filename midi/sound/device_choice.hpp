#pragma once

#include "midi/sound/sound_system.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fermata::midi {

/// The device that a word denotes: by id, by name, or by a part of either that only one has;
/// without a word the synthesizer, or else the first port of another program or instrument. Failure
/// `no_device`, with the nearest name as advice.
sound_result<device> chosen_device(const std::vector<device>& all, const std::string& word);

/// The device that `word` names, if no list is needed to tell, for which each sound server would be
/// asked: a full id, or the synthesizer if `word` is empty. Does not check that it exists.
std::optional<device> device_by_full_id(const std::string& word);

/// The inputs that "all" denotes, each instrument once: not the virtual one, which others have to
/// connect; not "Midi Through", which only repeats what is sent to it; and not those of ALSA that
/// JACK has as well, because a bridge (`-X seq`, a2jmidid, PipeWire) shows them there.
std::vector<device> all_inputs(const std::vector<device>& inputs);

}  // namespace fermata::midi
