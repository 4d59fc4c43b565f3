#include "midi/transport/plan_events.hpp"

#include "midi/performance/channels.hpp"

#include <algorithm>

namespace fermata::midi {

void follow_notes(const playback_plan& plan, std::size_t event, std::vector<std::uint32_t>& notes) {
  auto& e = plan.events[event];
  auto kind = e.bytes[0] & 0xF0;
  if ((e.bytes[0] & 0x0F) == percussion_channel) return;
  if (kind == 0x90 && notes.size() < notes.capacity())
    notes.push_back(static_cast<std::uint32_t>(event));
  if (kind != 0x80) return;
  auto ended = std::find_if(notes.begin(), notes.end(), [&](auto i) {
    auto& on = plan.events[i];
    return on.port == e.port && on.bytes[1] == e.bytes[1] &&
           (on.bytes[0] & 0x0F) == (e.bytes[0] & 0x0F);
  });
  if (ended != notes.end()) notes.erase(ended);
}

plan_events::plan_events(playback_plan& plan) : plan_(plan) {
  held_.reserve(playback_plan::most_held);
}

void plan_events::add(const playback_plan::event& e) {
  if (plan_.events.size() % playback_plan::state_step == 0) {
    plan_.states.push_back(state_);
    plan_.held.push_back(held_);
  }
  state_.apply(e.port, {e.bytes, e.size});
  if ((e.bytes[0] & 0xF0) == 0x90)
    channels_.insert({e.port, static_cast<std::uint8_t>(e.bytes[0] & 0x0F), e.part});
  plan_.events.push_back(e);
  follow_notes(plan_, plan_.events.size() - 1, held_);
}

void plan_events::finish() { plan_.channels.assign(channels_.begin(), channels_.end()); }

}  // namespace fermata::midi
