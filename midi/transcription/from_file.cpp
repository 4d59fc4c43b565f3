#include "midi/transcription/from_file.hpp"

#include "midi/smf/file_parts.hpp"
#include "midi/smf/meta.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fermata::midi {

namespace {

/// From ticks to nanoseconds, by all tempos of a file.
class tick_times {
public:
  explicit tick_times(const smf::file& f) {
    auto* musical = std::get_if<smf::ticks_per_quarter>(&f.division);
    if (!musical) {
      auto& frames = std::get<smf::ticks_per_frame>(f.division);
      // 30 drop frame: 29.97 frames a second.
      auto per_second = frames.frames == 29 ? 30'000. / 1'001 : frames.frames;
      changes_.push_back({0, 0, 1e9 / (per_second * frames.ticks)});
      return;
    }
    std::vector<std::pair<smf::ticks, std::uint32_t>> tempos;
    for (auto& t : f.tracks)
      for (auto& e : t.events)
        if (auto* m = std::get_if<smf::meta_event>(&e.message))
          if (auto tempo = smf::tempo_of(*m)) tempos.emplace_back(e.at, *tempo);
    std::stable_sort(tempos.begin(), tempos.end(),
                     [](auto& a, auto& b) { return a.first < b.first; });
    constexpr double usual = 500'000;  // microseconds: 120 quarters a minute, by the standard
    changes_.push_back({0, 0, usual * 1'000 / musical->ticks});
    for (auto& [at, microseconds] : tempos)
      changes_.push_back({at, time(at), microseconds * 1'000. / musical->ticks});
  }

  std::chrono::nanoseconds operator()(smf::ticks at) const {
    return std::chrono::nanoseconds{std::llround(time(at))};
  }

private:
  struct change {
    smf::ticks at = 0;
    double time = 0;      ///< nanoseconds
    double per_tick = 0;  ///< nanoseconds
  };

  double time(smf::ticks at) const {
    auto after = std::upper_bound(changes_.begin(), changes_.end(), at,
                                  [](auto t, auto& c) { return t < c.at; });
    auto& c = *std::prev(after);
    return c.time + static_cast<double>(at - c.at) * c.per_tick;
  }

  std::vector<change> changes_;
};

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
    parts.push_back(std::move(p));
  }
  return parts;
}

}  // namespace fermata::midi
