#include "midi/performance/channel_events.hpp"

#include "midi/performance/strike.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace fermata::midi {

namespace {

constexpr std::size_t most_left_out = 20;

class channel_writer {
public:
  channel_writer(const voices_with_channels& v, performance& out) : v_(v), out_(out) {}

  void write() {
    std::size_t first_request = 0;
    for (std::size_t part = 0; part < v_.voices.size(); ++part) {
      places_ = v_.places.data() + first_request;
      write_part(part);
      first_request += v_.voices[part].requests.size();
    }
    separate_unisons(strikes_);
    for (auto& s : strikes_) {
      auto source = source_of(s.origin);
      add(s.onset, s.track, source, note_on{s.channel, s.key, s.velocity});
      add(s.end, s.track, source, note_off{s.channel, s.key, 64});
    }
  }

private:
  void add(quarters at, std::uint32_t track, const score_source& source, message what) {
    out_.events.push_back({at, {}, track, source, std::move(what)});
  }

  score_source source_of(std::size_t origin) const {
    auto& n = v_.sounding[origin];
    score_source s;
    s.part = static_cast<std::uint32_t>(n.part);
    s.measure = static_cast<std::uint32_t>(n.measure);
    s.played = static_cast<std::uint32_t>(n.played);
    s.item = static_cast<std::uint32_t>(n.item);
    s.note = static_cast<std::uint32_t>(n.note);
    s.position = v_.written.parts[n.part]->measures.music_at(n.measure).items[n.item].at;
    return s;
  }

  void write_part(std::size_t part) {
    auto& voices = v_.voices[part];
    score_source source;
    source.part = static_cast<std::uint32_t>(part);
    for (std::size_t r = 0; r < voices.requests.size(); ++r)
      for (std::size_t lane = 0; lane < places_[r].size(); ++lane)
        set_up(places_[r][lane], voices.requests[r].sound, voices.bend_range, places_[r].size() > 1,
               source);
    std::set<std::pair<std::uint32_t, std::uint8_t>> channels;
    for (std::size_t r = 0; r < voices.requests.size(); ++r)
      for (auto& place : places_[r])
        if (place.channel != percussion_channel) channels.insert({place.track, place.channel});
    for (auto& change : v_.pedals[part].changes())
      for (auto& [track, channel] : channels)
        add(change.at, track, change.source, controller{channel, change.number, change.value});
    for (auto& n : voices.notes)
      write_note(n, voices);
  }

  void set_up(const channel_place& place, const instrument_sound& sound, int range, bool bends,
              const score_source& source) {
    if (!set_up_.insert({place.port, place.channel}).second) return;
    auto control = [&](std::uint8_t number, int value) {
      add({}, place.track, source,
          controller{place.channel, number, static_cast<std::uint8_t>(value)});
    };
    if (sound.bank) {
      control(controllers::bank_select, *sound.bank >> 7);
      control(controllers::bank_select_fine, *sound.bank & 127);
    }
    add({}, place.track, source, program_change{place.channel, sound.program});
    if (sound.volume) control(controllers::volume, *sound.volume);
    if (sound.pan) control(controllers::pan, *sound.pan);
    if (!bends) return;
    control(controllers::parameter, 0);
    control(controllers::parameter_fine, 0);
    control(controllers::data_entry, range);
    control(controllers::data_entry_fine, 0);
    control(controllers::parameter, 127);
    control(controllers::parameter_fine, 127);
  }

  void write_note(const voiced_note& v, const part_voices& voices) {
    if (v.key.key < 0 || v.key.key > 127) return leave_out(v);
    auto& place = places_[v.request][v.lane];
    auto& n = v.note;
    auto source = source_of(n.origin);
    auto bend = [&](quarters at, int cents) {
      add(at, place.track, source, pitch_bend{place.channel, bend_value(cents, voices.bend_range)});
    };
    if (v.bends) bend(n.onset, v.key.cents + (n.curve.empty() ? 0 : n.curve.front().cents));
    for (std::size_t i = 1; i < n.curve.size(); ++i) {
      auto &from = n.curve[i - 1], &to = n.curve[i];
      auto way = to.cents - from.cents;
      if (way == 0) continue;
      // At most 25 cents a step.
      auto steps = std::max(4, std::abs(way) / 25);
      for (int k = 1; k <= steps; ++k)
        bend(n.onset + n.length * (from.at + (to.at - from.at) * rational{k, steps}),
             v.key.cents + from.cents + way * k / steps);
    }
    auto velocity = std::lround(std::clamp(n.velocity, 1.0, 127.0));
    strikes_.push_back({n.onset, n.onset + n.length, place.track, place.port, place.channel,
                        static_cast<std::uint8_t>(v.key.key), static_cast<std::uint8_t>(velocity),
                        static_cast<std::uint32_t>(n.origin)});
  }

  void leave_out(const voiced_note& v) {
    if (out_.left_out.size() >= most_left_out) return;
    auto& n = v_.sounding[v.note.origin];
    auto& p = *v_.written.parts[n.part];
    out_.left_out.push_back({errc::left_out,
                             "part " + (p.name.empty() ? p.id : p.name) + ", measure " +
                                 p.measures[n.measure]->number +
                                 ": a note is not played, as MIDI keys go from 0 to "
                                 "127 and it would be " +
                                 std::to_string(v.key.key),
                             {},
                             "move it by octaves"});
  }

  const voices_with_channels& v_;
  performance& out_;
  const std::vector<channel_place>* places_ = nullptr;      ///< of the requests of the part
  std::set<std::pair<std::uint8_t, std::uint8_t>> set_up_;  ///< port, channel
  std::vector<strike> strikes_;
};

}  // namespace

void add_channel_events(const voices_with_channels& v, performance& out) {
  channel_writer{v, out}.write();
}

}  // namespace fermata::midi
