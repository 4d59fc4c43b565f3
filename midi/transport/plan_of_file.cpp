#include "midi/transport/plan_of_file.hpp"

#include "midi/smf/file_parts.hpp"
#include "midi/smf/meta.hpp"
#include "midi/smf/timeline.hpp"
#include "midi/transport/beats.hpp"
#include "midi/transport/plan_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace fermata::midi {

namespace {

constexpr std::size_t most_measures = 100'000;

/// Quarter notes of a tick. With SMPTE time code, where tempo has no meaning, those of the tempo of
/// 120 that a plan has by default: two in a second.
rational quarters_in_tick(const smf::time_division& division) {
  if (auto musical = std::get_if<smf::ticks_per_quarter>(&division))
    return rational{1, musical->ticks};
  auto& code = std::get<smf::ticks_per_frame>(division);
  // 29 stands for 30 drop frame, of which there are 30,000 in 1,001 seconds.
  return code.frames == 29 ? rational{2'002, std::int64_t{30'000} * code.ticks}
                           : rational{2, std::int64_t{code.frames} * code.ticks};
}

class file_plan {
public:
  explicit file_plan(const smf::file& f)
    : file_(f), quarters_in_tick_(quarters_in_tick(f.division)) {}

  playback_plan_ptr make() {
    find_parts();
    find_ports();
    set_tempo();
    add_events();
    add_bars();
    return std::make_shared<const playback_plan>(std::move(plan_));
  }

private:
  struct placed {
    smf::ticks at = 0;
    std::uint32_t track = 0;
    smf::channel_message message;
  };

  bool has_time_code() const {
    return std::holds_alternative<smf::ticks_per_frame>(file_.division);
  }

  quarters at(smf::ticks t) const {
    return quarters{quarters_in_tick_ * rational{static_cast<std::int64_t>(t)}};
  }

  void find_parts() {
    auto found = smf::parts_of(file_);
    // Those of one track are one part, unless it is the only one.
    divides_track_ = !found.empty() && found.front().track == found.back().track;
    for (auto& p : found) {
      auto [own, is_new] =
          parts_.emplace(part_key(p.track, p.channel), static_cast<std::uint32_t>(parts_.size()));
      first_with_channel_.emplace(p.channel, own->second);
      if (is_new) plan_.parts.push_back(name_of(p));
    }
  }

  std::string name_of(const smf::file_part& p) const {
    if (!p.name.empty()) return p.name;
    if (divides_track_) return fmt::format("channel {}", p.channel + 1);
    auto name = smf::name_of_track(file_.tracks[p.track]);
    return name.empty() ? fmt::format("track {}", p.track + 1) : name;
  }

  std::pair<std::size_t, std::uint8_t> part_key(std::size_t track, std::uint8_t channel) const {
    return {track, divides_track_ ? channel : std::uint8_t{0}};
  }

  std::uint32_t part_of(std::size_t track, int channel) const {
    auto own = parts_.find(part_key(track, static_cast<std::uint8_t>(channel)));
    if (own != parts_.end()) return own->second;
    auto other = first_with_channel_.find(static_cast<std::uint8_t>(channel));
    return other != first_with_channel_.end() ? other->second : 0;
  }

  /// Tracks that send nothing, such as the conductor's, need none.
  void find_ports() {
    std::map<std::uint8_t, std::uint8_t> numbers;
    for (auto& t : file_.tracks) {
      std::optional<std::uint8_t> named;
      bool sends = false;
      for (auto& e : t.events) {
        if (auto m = std::get_if<smf::meta_event>(&e.message); m && !named)
          named = smf::port_of(*m);
        sends |= std::holds_alternative<smf::channel_message>(e.message);
      }
      auto number = static_cast<std::uint8_t>(numbers.size());
      ports_.push_back(sends ? numbers.emplace(named.value_or(0), number).first->second : 0);
    }
    plan_.ports = std::max(1, static_cast<int>(numbers.size()));
  }

  void set_tempo() {
    if (has_time_code()) return;
    std::vector<std::pair<smf::ticks, std::uint32_t>> changes;
    for (auto& t : file_.tracks)
      for (auto& e : t.events)
        if (auto m = std::get_if<smf::meta_event>(&e.message))
          if (auto tempo = smf::tempo_of(*m)) changes.emplace_back(e.at, *tempo);
    std::stable_sort(changes.begin(), changes.end(),
                     [](auto& a, auto& b) { return a.first < b.first; });
    std::vector<tempo_map::step> steps;
    for (auto& [when, tempo] : changes)
      steps.push_back({at(when), tempo});
    plan_.tempo = tempo_map{steps};
  }

  /// Of all tracks, in order of time; of the same time by track, as they stand.
  std::vector<placed> messages() {
    std::vector<placed> all;
    std::size_t exclusive = 0;
    for (std::size_t i = 0; i < file_.tracks.size(); ++i)
      for (auto& e : file_.tracks[i].events) {
        if (auto m = std::get_if<smf::channel_message>(&e.message))
          all.push_back({e.at, static_cast<std::uint32_t>(i), *m});
        exclusive += std::holds_alternative<smf::sysex_event>(e.message);
      }
    if (exclusive > 0)
      plan_.left_out.push_back(fmt::format("system exclusive messages left out: {}", exclusive));
    std::stable_sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.at < b.at; });
    return all;
  }

  void add_events() {
    auto all = messages();
    plan_.events.reserve(all.size());
    plan_events events{plan_};
    for (auto& [when, track, m] : all) {
      playback_plan::event e;
      e.time = plan_.tempo.time_at(at(when));
      e.port = ports_[track];
      e.part = part_of(track, m.channel());
      e.size = static_cast<std::uint8_t>(1 + smf::data_bytes(m.status));
      auto is_off = m.command() == 0x90 && m.data2 == 0;
      e.bytes[0] = is_off ? static_cast<std::uint8_t>(0x80 | m.channel()) : m.status;
      e.bytes[1] = m.data1;
      e.bytes[2] = is_off ? std::uint8_t{64} : m.data2;
      events.add(e);
    }
    events.finish();
    for (auto& t : file_.tracks)
      end_ = std::max(end_, at(t.end));
    plan_.end = plan_.tempo.time_at(end_);
  }

  void add_bars() {
    std::vector<std::string> unused;
    smf::timeline line;
    if (has_time_code())
      line.metres.push_back({rational{}, time_signature{}});
    else
      line =
          smf::timeline_of(file_, std::get<smf::ticks_per_quarter>(file_.division).ticks, unused);
    auto measures = smf::measures_of(line, end_.value, most_measures);
    if (!measures) {
      plan_.left_out.push_back("the file has too many measures to count");
      return;
    }
    int number = 1;
    for (auto& m : *measures)
      add_bar(m, number++);
  }

  void add_bar(const smf::measure_span& m, int number) {
    auto& fraction = m.metre.fractions.front();
    time_change metre{
        static_cast<std::uint8_t>(std::accumulate(fraction.beats.begin(), fraction.beats.end(), 0)),
        static_cast<std::uint8_t>(fraction.beat_type)};
    auto index = static_cast<std::uint32_t>(plan_.bars.size());
    playback_plan::bar bar;
    bar.time = plan_.tempo.time_at(quarters{m.start});
    bar.measure = bar.played = index;
    bar.number = std::to_string(number);
    bar.beats = beats_in_measure(metre);
    bar.metre = metre;
    plan_.bars.push_back(std::move(bar));
    int beat = 1;
    for (auto t = quarters{m.start}; t < quarters{m.end}; t += beat_length(metre), ++beat)
      plan_.beats.push_back({plan_.tempo.time_at(t), index, beat});
  }

  const smf::file& file_;
  rational quarters_in_tick_;
  playback_plan plan_;
  bool divides_track_ = false;                                           ///< parts are channels
  std::map<std::pair<std::size_t, std::uint8_t>, std::uint32_t> parts_;  ///< by `part_key`
  std::map<std::uint8_t, std::uint32_t> first_with_channel_;
  std::vector<std::uint8_t> ports_;  ///< of the tracks
  quarters end_;
};

}  // namespace

result<playback_plan_ptr> plan_of_file(const smf::file& f) {
  if (f.format == 2 && f.tracks.size() > 1)
    return fail({errc::invalid_score,
                 "a format 2 file cannot be played: its tracks are separate pieces", std::nullopt,
                 "Save each track as its own file with a sequencer."});
  return file_plan{f}.make();
}

}  // namespace fermata::midi
