#include "midi/smf/file_parts.hpp"

#include "midi/smf/meta.hpp"

#include <array>

namespace fermata::midi::smf {

namespace {

/// The last program that is chosen before the first note, else the first one.
std::optional<int> program_of(const track& t, const file_part& p) {
  std::optional<int> program;
  for (auto& e : t.events) {
    if (program && e.at > p.notes.front().on) break;
    if (auto* m = std::get_if<channel_message>(&e.message))
      if (m->command() == 0xC0 && m->channel() == p.channel) program = m->data1;
  }
  return program;
}

}  // namespace

std::string name_of_track(const track& t) {
  for (auto& e : t.events)
    if (auto* m = std::get_if<meta_event>(&e.message))
      if (is(*m, meta_type::track_name) || is(*m, meta_type::instrument_name))
        if (auto name = text_of(m->data); !name.empty()) return name;
  return {};
}

std::vector<file_part> parts_of(const file& f) {
  std::vector<file_part> parts;
  for (std::size_t i = 0; i < f.tracks.size(); ++i) {
    std::array<file_part, 16> by_channel;
    for (auto& n : notes_of(f, i))
      by_channel[n.channel].notes.push_back(n);
    auto first = parts.size();
    for (std::uint8_t channel = 0; channel < 16; ++channel) {
      auto& p = by_channel[channel];
      if (p.notes.empty()) continue;
      p.track = i;
      p.channel = channel;
      p.program = program_of(f.tracks[i], p);
      parts.push_back(std::move(p));
    }
    if (f.format != 0 && parts.size() == first + 1) parts.back().name = name_of_track(f.tracks[i]);
  }
  return parts;
}

}  // namespace fermata::midi::smf
