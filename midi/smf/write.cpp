#include "midi/smf/write.hpp"

#include "midi/smf/meta.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace fermata::midi::smf {

namespace {

constexpr ticks largest_quantity = 0x0FFFFFFF;

void append_number(std::string& out, std::uint64_t n, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8)
    out.push_back(static_cast<char>(n >> shift & 0xFF));
}

/// Seven bits a byte, all but the last with the high bit set. At most `largest_quantity`.
void append_quantity(std::string& out, std::uint64_t n) {
  for (int shift = 21; shift > 0; shift -= 7)
    if (n >> shift != 0) out.push_back(static_cast<char>((n >> shift & 0x7F) | 0x80));
  out.push_back(static_cast<char>(n & 0x7F));
}

/// Writes the events of one track.
class track_writer {
public:
  explicit track_writer(const write_options& options) : options_(options) {}

  std::string written(const track& t) {
    if (std::is_sorted(t.events.begin(), t.events.end(), is_earlier)) {
      for (auto& e : t.events)
        add(e);
    } else {
      auto sorted = t.events;
      std::stable_sort(sorted.begin(), sorted.end(), is_earlier);
      for (auto& e : sorted)
        add(e);
    }
    append_delta(std::max(t.end, now_));
    append_meta({static_cast<std::uint8_t>(meta_type::end_of_track), {}});
    return std::move(out_);
  }

private:
  static bool is_earlier(const event& a, const event& b) { return a.at < b.at; }

  void add(const event& e) {
    if (auto* c = std::get_if<channel_message>(&e.message)) {
      if (c->status < 0x80 || c->status >= 0xF0) return;
      append_delta(e.at);
      append_channel_message(*c);
    } else if (auto* m = std::get_if<meta_event>(&e.message)) {
      if (is(*m, meta_type::end_of_track)) return;
      append_delta(e.at);
      append_meta(*m);
    } else {
      append_delta(e.at);
      append_sysex(std::get<sysex_event>(e.message));
    }
  }

  void append_delta(ticks at) {
    at = std::min(at, last_tick);
    for (; at - now_ > largest_quantity; now_ += largest_quantity) {
      append_quantity(out_, largest_quantity);
      append_meta(text_meta(meta_type::text, {}));
    }
    append_quantity(out_, at - now_);
    now_ = at;
  }

  void append_channel_message(const channel_message& m) {
    if (!options_.running_status || m.status != status_)
      out_.push_back(static_cast<char>(m.status));
    status_ = m.status;
    out_.push_back(static_cast<char>(m.data1 & 0x7F));
    if (data_bytes(m.status) == 2) out_.push_back(static_cast<char>(m.data2 & 0x7F));
  }

  void append_meta(const meta_event& m) {
    status_ = 0;  // meta and sysex events cancel the running status
    out_ += {'\xFF', static_cast<char>(m.type)};
    append_data(m.data);
  }

  void append_sysex(const sysex_event& s) {
    status_ = 0;
    out_.push_back(s.escape ? '\xF7' : '\xF0');
    append_data(s.data);
  }

  void append_data(std::string_view data) {
    data = data.substr(0, largest_quantity);
    append_quantity(out_, data.size());
    out_ += data;
  }

  write_options options_;
  std::string out_;
  ticks now_ = 0;
  std::uint8_t status_ = 0;
};

struct division_bytes {
  int operator()(const ticks_per_quarter& q) const { return std::clamp(q.ticks, 1, 0x7FFF); }
  int operator()(const ticks_per_frame& f) const {
    return (0x100 - std::clamp(f.frames, 1, 0x80)) << 8 | std::clamp(f.ticks, 1, 0xFF);
  }
};

/// In the wrapper that Windows gives to MIDI files; its numbers begin with the low byte.
std::string wrapped_in_riff(const std::string& midi) {
  auto low_first = [](std::string& out, std::size_t n) {
    for (int i = 0; i < 4; ++i)
      out.push_back(static_cast<char>(n >> (8 * i) & 0xFF));
  };
  auto padded = midi.size() + midi.size() % 2;
  std::string out = "RIFF";
  low_first(out, padded + 12);
  out += "RMIDdata";
  low_first(out, midi.size());
  out += midi;
  out.resize(padded + 20, '\0');
  return out;
}

}  // namespace

std::string write(const file& f, const write_options& options) {
  static const track empty;
  auto track_count = std::max<std::size_t>(f.tracks.size(), 1);
  std::string out = "MThd";
  append_number(out, 6, 4);
  append_number(out, static_cast<std::uint64_t>(f.format == 0 && track_count > 1 ? 1 : f.format),
                2);
  append_number(out, track_count, 2);
  append_number(out, static_cast<std::uint64_t>(std::visit(division_bytes{}, f.division)), 2);
  for (std::size_t i = 0; i < track_count; ++i) {
    auto bytes = track_writer{options}.written(i < f.tracks.size() ? f.tracks[i] : empty);
    out += "MTrk";
    append_number(out, bytes.size(), 4);
    out += bytes;
  }
  return f.riff ? wrapped_in_riff(out) : out;
}

}  // namespace fermata::midi::smf
