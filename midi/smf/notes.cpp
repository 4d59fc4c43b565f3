#include "midi/smf/notes.hpp"

#include <deque>
#include <map>
#include <utility>

namespace fermata::midi::smf {

namespace {

bool is_note_on(const channel_message& m) { return m.command() == 0x90 && m.data2 > 0; }
bool is_note_off(const channel_message& m) {
  return m.command() == 0x80 || (m.command() == 0x90 && m.data2 == 0);
}

class note_pairing {
public:
  explicit note_pairing(std::size_t track) : track_(track) {}

  /// Whether there was something to end.
  bool end(const channel_message& m, ticks at) {
    auto& open = open_[key_of(m)];
    if (open.empty()) return false;
    notes_[open.front()].off = at;
    open.pop_front();
    return true;
  }

  void begin(const channel_message& m, ticks at) {
    open_[key_of(m)].push_back(notes_.size());
    notes_.push_back({at, at, static_cast<std::uint8_t>(m.channel()), m.data1, m.data2, track_});
  }

  std::vector<file_note> take(ticks end_of_track) {
    for (auto& [unused, open] : open_)
      for (auto i : open)
        notes_[i].off = end_of_track;
    return std::move(notes_);
  }

private:
  static int key_of(const channel_message& m) { return m.channel() * 128 + m.data1; }

  std::size_t track_;
  std::vector<file_note> notes_;
  std::map<int, std::deque<std::size_t>> open_;  ///< by channel and key, in the order of beginning
};

}  // namespace

std::vector<file_note> notes_of(const file& f, std::size_t track) {
  const auto& t = f.tracks[track];
  note_pairing pairing{track};
  std::vector<channel_message> left_over;
  for (std::size_t i = 0; i < t.events.size();) {
    auto at = t.events[i].at;
    auto end = i;
    left_over.clear();
    for (; end < t.events.size() && t.events[end].at == at; ++end)
      if (auto* m = std::get_if<channel_message>(&t.events[end].message); m && is_note_off(*m))
        if (!pairing.end(*m, at)) left_over.push_back(*m);
    for (; i < end; ++i)
      if (auto* m = std::get_if<channel_message>(&t.events[i].message); m && is_note_on(*m))
        pairing.begin(*m, at);
    for (auto& m : left_over)
      pairing.end(m, at);
  }
  return pairing.take(t.end);
}

}  // namespace fermata::midi::smf
