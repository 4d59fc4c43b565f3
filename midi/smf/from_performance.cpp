#include "midi/smf/from_performance.hpp"

#include "midi/smf/meta.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>

namespace fermata::midi::smf {

namespace {

constexpr std::int64_t usual_division = 480, fallback_division = 10080, largest_division = 0x7FFF;

int division_for(const performance& p) {
  auto division = usual_division;
  auto fits = [&](quarters at) {
    division = std::lcm(division, at.value.denominator());
    return division <= largest_division;
  };
  // `lcm` stays within 64 bits: no denominator above the largest division is taken into it.
  auto is_small = [](quarters at) { return at.value.denominator() <= largest_division; };
  for (auto& e : p.events)
    if (!is_small(e.at) || !fits(e.at)) return fallback_division;
  for (auto& s : p.tempo.steps())
    if (!is_small(s.from) || !fits(s.from)) return fallback_division;
  return static_cast<int>(division);
}

std::uint8_t status_of(int command, std::uint8_t channel) {
  return static_cast<std::uint8_t>(command | (channel & 0x0F));
}

meta_type meta_type_of(text_kind k) {
  switch (k) {
    case text_kind::track_name: return meta_type::track_name;
    case text_kind::instrument_name: return meta_type::instrument_name;
    case text_kind::marker: return meta_type::marker;
    case text_kind::lyric: return meta_type::lyric;
  }
  return meta_type::text;
}

/// The event in a file of what happens in a performance; nothing for what a file cannot say, and
/// for tempos, which come from the tempo map.
struct file_message {
  using answer = std::optional<smf::message>;

  answer operator()(const note_on& n) const {
    return channel_message{status_of(0x90, n.channel), n.key, n.velocity};
  }
  answer operator()(const note_off& n) const {
    return channel_message{status_of(0x80, n.channel), n.key, n.velocity};
  }
  answer operator()(const controller& c) const {
    return channel_message{status_of(0xB0, c.channel), c.number, c.value};
  }
  answer operator()(const program_change& c) const {
    return channel_message{status_of(0xC0, c.channel), c.program, 0};
  }
  answer operator()(const pitch_bend& b) const {
    auto n = std::clamp(b.value + 8192, 0, 16383);
    return channel_message{status_of(0xE0, b.channel), static_cast<std::uint8_t>(n & 0x7F),
                           static_cast<std::uint8_t>(n >> 7)};
  }
  answer operator()(const tempo_change&) const { return std::nullopt; }
  answer operator()(const time_change& t) const {
    return wrapped(time_signature_meta({{{{t.beats}, t.beat_type}}, {}, {}}));
  }
  answer operator()(const midi::key_change& k) const {
    key_signature key;
    key.fifths = k.fifths;
    key.mode = k.minor ? mode::minor : mode::major;
    return wrapped(key_signature_meta(key));
  }
  answer operator()(const text_event& t) const {
    return text_meta(meta_type_of(t.kind), std::string{t.view()});
  }

  static answer wrapped(std::optional<meta_event> m) {
    if (!m) return std::nullopt;
    return std::move(*m);
  }
};

/// An event with its place in the order at equal times: names and ports come first of all.
struct ranked_event {
  event what;
  int rank = -1;
};

/// Collects the events of one track of a file.
class track_making {
public:
  explicit track_making(int ticks_per_quarter) : ticks_(ticks_per_quarter) {}

  void add_first(meta_event m) { events_.push_back({{0, std::move(m)}, -1}); }

  void add_tempos(const tempo_map& tempo) {
    for (auto& s : tempo.steps()) {
      auto microseconds = std::clamp<std::int64_t>(s.microseconds_per_quarter, 1, 0xFFFFFF);
      events_.push_back({{ticks_at(s.from), tempo_meta(static_cast<std::uint32_t>(microseconds))},
                         rank_at_equal_times(tempo_change{})});
    }
  }

  void add(const timed_event& e) {
    auto m = std::visit(file_message{}, e.what);
    if (!m) return;
    auto at = ticks_at(e.at);
    if (auto* on = std::get_if<note_on>(&e.what))
      open_[{on->channel, on->key}].push_back(at);
    else if (auto* off = std::get_if<note_off>(&e.what))
      at = end_of_note({off->channel, off->key}, at);
    events_.push_back({{at, std::move(*m)}, rank_at_equal_times(e.what)});
  }

  track made(quarters end) {
    std::stable_sort(events_.begin(), events_.end(), [](auto& a, auto& b) {
      return std::pair{a.what.at, a.rank} < std::pair{b.what.at, b.rank};
    });
    track t;
    t.events.reserve(events_.size());
    for (auto& e : events_)
      t.events.push_back(std::move(e.what));
    t.end = std::max(ticks_at(end), t.events.empty() ? ticks{0} : t.events.back().at);
    return t;
  }

private:
  using sounding_key = std::pair<std::uint8_t, std::uint8_t>;  // channel and key

  ticks ticks_at(quarters at) const {
    auto n = floor(at.value * rational{ticks_} + rational{1, 2});
    return static_cast<ticks>(std::max<std::int64_t>(n, 0));
  }

  /// A tick after the beginning at the earliest.
  ticks end_of_note(sounding_key key, ticks at) {
    auto& begun = open_[key];
    if (begun.empty()) return at;
    at = std::max(at, begun.front() + 1);
    begun.pop_front();
    return at;
  }

  int ticks_;
  std::vector<ranked_event> events_;
  std::map<sounding_key, std::deque<ticks>> open_;  ///< beginnings of notes that have not ended
};

bool is_track_name(const timed_event& e) {
  auto* text = std::get_if<text_event>(&e.what);
  return text && text->kind == text_kind::track_name;
}

/// The tracks that are named by an event.
std::set<std::size_t> named_tracks(const performance& p) {
  std::set<std::size_t> named;
  for (auto& e : p.events)
    if (is_track_name(e)) named.insert(e.track);
  return named;
}

}  // namespace

file from_performance(const performance& p, const performance_options& options) {
  auto uses_ports = std::any_of(p.tracks.begin(), p.tracks.end(),
                                [](const midi::track& t) { return t.port > 0; });
  auto in_one_track = options.format == 0 && !uses_ports;
  auto ticks_per_quarter_note = division_for(p);
  file f;
  f.format = in_one_track ? 0 : 1;
  f.division = ticks_per_quarter{ticks_per_quarter_note};
  auto count = in_one_track ? 1 : std::max<std::size_t>(p.tracks.size(), 1);
  std::vector<track_making> making(count, track_making{ticks_per_quarter_note});
  const auto named = named_tracks(p);
  for (std::size_t i = 0; i < std::min(count, p.tracks.size()); ++i) {
    auto& t = p.tracks[i];
    if (uses_ports && t.part) making[i].add_first(port_meta(t.port));
    if (!t.name.empty() && !named.contains(i))
      making[i].add_first(text_meta(meta_type::track_name, t.name));
  }
  making.front().add_tempos(p.tempo);
  for (auto& e : p.events) {
    // One track has one name.
    if (in_one_track && e.track > 0 && is_track_name(e)) continue;
    making[std::min<std::size_t>(in_one_track ? 0 : e.track, count - 1)].add(e);
  }
  for (auto& m : making)
    f.tracks.push_back(m.made(p.end));
  return f;
}

}  // namespace fermata::midi::smf
