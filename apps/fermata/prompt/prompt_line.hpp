#pragma once

#include "core/session/commands/playback_status.hpp"
#include "core/session/commands/recording_status.hpp"
#include "core/session/timeline/state.hpp"
#include "io/terminal/edit_view.hpp"

#include <string>

namespace fermata::app {

/// The current time, as recorded in entries.
timestamp current_time();

/// The index that a line gets when it is entered now: what waits is shown before it and takes
/// numbers of its own.
std::int64_t next_index(const session_state& s, timestamp now);

/// What is being played and recorded.
struct prompt_activity {
  playback_status playing{};
  recording_status recording{};
  std::string entry{};  ///< "step :q", the value of the next note; "tap :q 96"; usually empty
};

/// `[session-1 ✉2 Δ1 ▶3 ●17 c4 e4] In[5]: ` with what waits as badges, the measure that is playing,
/// and how many notes have been recorded, with the keys that are down; for a screen reader
/// `session-1, 2 messages, 1 proposal, playing measure 3, recording, In 5: `.
io::prompt_text prompt_of(const session_state& s, const prompt_activity& activity, timestamp now,
                          bool accessible);

/// What stands before further lines: they begin below the beginning of the first; where that is too
/// far to the right for so many columns, at the edge.
std::string continuation_of(const io::prompt_text& prompt, std::size_t columns, bool accessible);

}  // namespace fermata::app
