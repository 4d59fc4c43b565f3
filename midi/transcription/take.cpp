#include "midi/transcription/take.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace fermata::midi {

namespace {

constexpr std::uint8_t note_off_status = 0x80, note_on_status = 0x90, controller_status = 0xB0,
                       program_status = 0xC0;

constexpr std::uint8_t sustain_pedal = 64;

/// One key of one channel of one port.
using key_id = std::tuple<std::size_t, std::uint8_t, std::uint8_t>;

key_id key_of(const take_event& e) {
  return {e.port, static_cast<std::uint8_t>(e.bytes[0] & 0x0F), e.bytes[1]};
}

bool moves_pedal(std::span<const std::uint8_t> m) {
  return m.size() == 3 && (m[0] & 0xF0) == controller_status && m[1] == sustain_pedal;
}

/// A key that is down.
struct open_note {
  std::size_t part = 0, note = 0;
};

}  // namespace

bool begins_note(std::span<const std::uint8_t> m) {
  return m.size() == 3 && (m[0] & 0xF0) == note_on_status && m[2] > 0;
}

bool ends_note(std::span<const std::uint8_t> m) {
  if (m.size() != 3) return false;
  auto kind = m[0] & 0xF0;
  return kind == note_off_status || (kind == note_on_status && m[2] == 0);
}

std::vector<performed_part> performed_parts_of(const take& t) {
  std::vector<performed_part> parts;
  std::map<std::pair<std::size_t, std::uint8_t>, std::size_t> part_of_channel;
  std::map<std::pair<std::size_t, std::uint8_t>, int> programs;
  // A note off moves the end of the newest note of its key, so the last one before the next note on
  // decides; the next note on ends a note that has none.
  std::map<key_id, open_note> newest;
  std::vector<std::vector<bool>> has_end;
  std::map<std::pair<std::size_t, std::uint8_t>, pedal_spans> pedals;
  for (auto& e : t.events) {
    if (moves_pedal(e.bytes))
      pedals[{e.port, static_cast<std::uint8_t>(e.bytes[0] & 0x0F)}].move(e.at, e.bytes[2]);
    if (e.bytes.size() == 2 && (e.bytes[0] & 0xF0) == program_status)
      programs[{e.port, static_cast<std::uint8_t>(e.bytes[0] & 0x0F)}] = e.bytes[1];
    if (begins_note(e.bytes)) {
      auto [port, channel, key] = key_of(e);
      auto [found, is_new] = part_of_channel.try_emplace({port, channel}, parts.size());
      if (is_new) {
        performed_part p;
        p.channel = channel;
        if (auto program = programs.find({port, channel}); program != programs.end())
          p.program = program->second;
        parts.push_back(std::move(p));
        has_end.emplace_back();
      }
      auto part = found->second;
      if (auto before = newest.find(key_of(e)); before != newest.end()) {
        auto note = before->second.note;
        auto& n = parts[part].notes[note];
        if (!has_end[part][note]) n.off = e.at;
      }
      newest[key_of(e)] = {part, parts[part].notes.size()};
      parts[part].notes.push_back({e.at, t.end, key, e.bytes[2], channel});
      has_end[part].push_back(false);
    } else if (ends_note(e.bytes)) {
      auto found = newest.find(key_of(e));
      if (found == newest.end()) continue;  // the key was down before the take began
      auto [part, note] = found->second;
      parts[part].notes[note].off = e.at;
      has_end[part][note] = true;
    }
  }
  for (auto& [channel, part] : part_of_channel)
    parts[part].pedal = pedals[channel].until(t.end);
  return parts;
}

result<std::optional<beats_of_take>> known_beats_of(const take& t) {
  auto first = std::find_if(t.beats.begin(), t.beats.end(), [](auto& b) { return b.number == 1; });
  if (t.beats.end() - first < 2) return std::optional<beats_of_take>{};
  auto changes =
      std::any_of(first, t.beats.end(), [&](auto& b) { return b.metre != first->metre; });
  if (changes)
    return fail({errc::unsupported_format, "the time signature changes", std::nullopt,
                 "Takes can be transcribed on their beats in one time signature."});
  auto metre = metre_called(std::to_string(first->metre.beats) + '/' +
                            std::to_string(first->metre.beat_type));
  if (!metre) return fail(metre.error());
  std::vector<std::chrono::nanoseconds> times;
  int expected = 1;
  for (auto b = first; b != t.beats.end(); ++b) {
    if (b->number != expected)
      return fail({errc::unsupported_format, "not all measures are complete", std::nullopt,
                   "Takes can be transcribed on the beats of whole measures."});
    expected = expected % metre->beats + 1;
    times.push_back(b->at);
  }
  auto beats = beat_grid::of_beats(std::move(times), *metre);
  if (!beats) return fail(beats.error());
  return beats_of_take{*metre, std::move(*beats)};
}

std::size_t count_notes(const take& t) {
  return static_cast<std::size_t>(std::count_if(t.events.begin(), t.events.end(),
                                                [](auto& e) { return begins_note(e.bytes); }));
}

}  // namespace fermata::midi
