#pragma once

#include "midi/transport/playback_plan.hpp"

#include <set>

namespace fermata::midi {

/// Fills the events of a plan, in order of time, with what is kept of them for starting anywhere:
/// the state of the channels and the notes that are held, at regular distances.
class plan_events {
public:
  explicit plan_events(playback_plan& plan);
  void add(const playback_plan::event& e);
  /// After the last one: which channels the parts have.
  void finish();

private:
  playback_plan& plan_;
  channel_states state_;
  std::vector<std::uint32_t> held_;
  std::set<playback_plan::channel_of_part> channels_;
};

/// The notes that sound after this event, given those before it; not more than there is room for.
void follow_notes(const playback_plan& plan, std::size_t event, std::vector<std::uint32_t>& notes);

}  // namespace fermata::midi
