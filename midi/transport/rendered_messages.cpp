#include "midi/transport/rendered_messages.hpp"

#include "midi/transport/note_ledger.hpp"

#include <algorithm>

namespace fermata::midi {

namespace {

/// Collects messages at one time after the other.
class collector final : public message_sink {
public:
  void send(std::uint8_t group, std::span<const std::uint8_t> message,
            steady_time due) noexcept override {
    rendered_message m;
    m.time = due.time_since_epoch();
    m.group = group;
    m.size = static_cast<std::uint8_t>(message.size());
    std::copy_n(message.begin(), message.size(), m.bytes);
    collected.push_back(m);
  }

  std::vector<rendered_message> collected;
};

}  // namespace

std::vector<rendered_message> rendered_messages(const playback_plan& plan, time_range range,
                                                const std::vector<bool>& silent) {
  collector out;
  note_ledger sounding;
  auto i = event_from(plan, range.from);
  state_before(plan, i).send(out, steady_time{});
  std::vector<std::uint32_t> held;
  held.reserve(playback_plan::most_held);
  held_at(plan, range.from, held);
  for (auto h : held) {
    auto& e = plan.events[h];
    if (e.part < silent.size() && silent[e.part]) continue;
    sounding.sent(e.port, {e.bytes, e.size});
    out.send(e.port, {e.bytes, e.size}, steady_time{});
  }
  auto ends_early = range.to < plan.end;
  for (; i < plan.events.size(); ++i) {
    auto& e = plan.events[i];
    // The notes that begin at the end of a range are not in it.
    if (e.time > range.to || (ends_early && e.time == range.to)) break;
    auto kind = e.bytes[0] & 0xF0;
    if (kind == 0x90 && e.part < silent.size() && silent[e.part]) continue;
    if (kind == 0x80 && !sounding.is_sounding(e.port, e.bytes[0] & 0x0F, e.bytes[1])) continue;
    std::span<const std::uint8_t> message{e.bytes, e.size};
    sounding.sent(e.port, message);
    out.send(e.port, message, steady_time{e.time - range.from});
  }
  sounding.end_notes(out, steady_time{range.to - range.from});
  return std::move(out.collected);
}

}  // namespace fermata::midi
