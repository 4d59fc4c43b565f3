#include "midi/transcription/from_file.hpp"

#include "midi/performance/tempo_map.hpp"
#include "midi/smf/file_parts.hpp"
#include "midi/smf/meta.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace fermata::midi {

namespace {

/// From ticks to nanoseconds, by all tempos of a file.
class tick_times {
public:
  explicit tick_times(const smf::file& f) {
    if (auto* musical = std::get_if<smf::ticks_per_quarter>(&f.division)) {
      ticks_per_quarter_ = musical->ticks;
      tempos_ = tempos_of(f);
    } else {
      auto& frames = std::get<smf::ticks_per_frame>(f.division);
      // 30 drop frame: 29.97 frames a second.
      auto per_second = frames.frames == 29 ? 30'000. / 1'001 : frames.frames;
      nanoseconds_per_tick_ = 1e9 / (per_second * frames.ticks);
    }
  }

  std::chrono::nanoseconds operator()(smf::ticks at) const {
    if (ticks_per_quarter_ > 0) return tempos_.time_at(quarters_at(at));
    return std::chrono::nanoseconds{std::llround(static_cast<double>(at) * nanoseconds_per_tick_)};
  }

private:
  quarters quarters_at(smf::ticks at) const {
    return quarters{rational{static_cast<std::int64_t>(at), ticks_per_quarter_}};
  }

  tempo_map tempos_of(const smf::file& f) const {
    std::vector<tempo_map::step> steps;
    for (auto& t : f.tracks)
      for (auto& e : t.events)
        if (auto* m = std::get_if<smf::meta_event>(&e.message))
          if (auto tempo = smf::tempo_of(*m)) steps.push_back({quarters_at(e.at), *tempo});
    std::stable_sort(steps.begin(), steps.end(), [](auto& a, auto& b) { return a.from < b.from; });
    return tempo_map{steps};
  }

  int ticks_per_quarter_ = 0;  ///< 0: ticks are parts of a frame
  tempo_map tempos_;
  double nanoseconds_per_tick_ = 0;
};

/// A pedal may be in another track than the notes of its channel.
std::vector<pedal_span> pedal_of(const smf::file& f, int channel, const tick_times& time) {
  constexpr int controller = 0xB0;
  constexpr std::uint8_t sustain_pedal = 64;
  struct movement {
    smf::ticks at = 0;
    std::uint8_t value = 0;
  };
  std::vector<movement> movements;
  smf::ticks end = 0;
  for (auto& t : f.tracks) {
    end = std::max(end, t.end);
    for (auto& e : t.events)
      if (auto* m = std::get_if<smf::channel_message>(&e.message))
        if (m->command() == controller && m->channel() == channel && m->data1 == sustain_pedal)
          movements.push_back({e.at, m->data2});
  }
  std::stable_sort(movements.begin(), movements.end(),
                   [](auto& a, auto& b) { return a.at < b.at; });
  pedal_spans spans;
  for (auto& m : movements)
    spans.move(time(m.at), m.value);
  return spans.until(time(end));
}

}  // namespace

result<std::vector<performed_part>> performed_parts_of(const smf::file& f) {
  if (f.format == 2)
    return fail({errc::unsupported_format, "in a format 2 file each track is a separate piece"});
  tick_times time{f};
  std::vector<performed_part> parts;
  for (auto& source : smf::parts_of(f)) {
    performed_part p;
    p.name = source.name;
    p.channel = source.channel;
    p.program = source.program;
    for (auto& n : source.notes)
      p.notes.push_back({time(n.on), time(n.off), n.key, n.velocity, n.channel});
    p.pedal = pedal_of(f, source.channel, time);
    parts.push_back(std::move(p));
  }
  return parts;
}

}  // namespace fermata::midi
