#include "midi/transport/playback_plan.hpp"

#include "core/score/analysis/sounding.hpp"
#include "midi/sound/message_bytes.hpp"
#include "midi/transport/beats.hpp"
#include "midi/transport/plan_events.hpp"
#include "midi/transport/plan_exchange.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace fermata::midi {

namespace {

std::string printed_number(const score& s, std::size_t measure) {
  for (auto& p : s.parts)
    if (measure < p->measures.size()) {
      auto& number = p->measures[measure]->number;
      return number.empty() ? std::to_string(measure + 1) : number;
    }
  return std::to_string(measure + 1);
}

/// A bound for lengths that are mistakes.
constexpr int most_beats = 10'000;

/// What is left of a held note must be long enough to be heard as a note.
constexpr auto shortest_rest_of_note = std::chrono::milliseconds{50};

void add_events(const performance& p, playback_plan& plan) {
  plan.events.reserve(p.events.size());
  plan_events events{plan};
  for (auto& e : p.events) {
    auto bytes = bytes_of(e.what);
    if (bytes.size == 0) continue;
    auto& track = p.tracks.at(e.track);
    playback_plan::event event;
    event.time = e.time;
    event.port = track.port;
    event.size = bytes.size;
    std::copy_n(bytes.data.begin(), bytes.size, event.bytes);
    event.part = track.part.value_or(0);
    events.add(event);
  }
  events.finish();
}

/// The time signatures, in order; those at the same time as written first.
std::vector<std::pair<quarters, time_change>> metres(const performance& p) {
  std::vector<std::pair<quarters, time_change>> all;
  for (auto& e : p.events)
    if (auto t = std::get_if<time_change>(&e.what)) all.emplace_back(e.at, *t);
  return all;
}

/// How much of its measure is missing before a pickup or the second half of a divided measure.
quarters missing_before(const score& s, const unfolded_time& time, std::size_t played,
                        const time_change& metre) {
  auto& here = time.order[played];
  if (here.until > quarters{}) return {};
  auto is_uncounted = std::any_of(s.parts.begin(), s.parts.end(), [&](auto& p) {
    return here.measure < p->measures.size() && p->measures.music_at(here.measure).implicit;
  });
  auto whole = quarters{rational{4 * metre.beats, metre.beat_type}};
  auto length = time.starts[played + 1] - time.starts[played];
  return is_uncounted && length < whole ? whole - length : quarters{};
}

void add_bars(const score& s, const performance& p, const unfolded_time& time,
              playback_plan& plan) {
  auto changes = metres(p);
  auto next = changes.begin();
  time_change metre;
  for (std::size_t k = 0; k < time.order.size(); ++k) {
    auto start = time.starts[k], end = time.starts[k + 1];
    while (next != changes.end() && next->first <= start)
      metre = next++->second;
    playback_plan::bar bar;
    bar.time = p.tempo.time_at(start);
    bar.measure = static_cast<std::uint32_t>(time.order[k].measure);
    bar.played = static_cast<std::uint32_t>(k);
    bar.pass = time.order[k].pass;
    bar.number = printed_number(s, time.order[k].measure);
    plan.bars.push_back(std::move(bar));
    auto step = beat_length(metre);
    plan.bars.back().beats = beats_in_measure(metre);
    plan.bars.back().metre = metre;
    auto from = start - missing_before(s, time, k, metre);
    int number = 1;
    for (auto at = from; at < end && number <= most_beats; at += step, ++number)
      if (at >= start)
        plan.beats.push_back({p.tempo.time_at(at), static_cast<std::uint32_t>(k), number});
  }
}

}  // namespace

result<playback_plan_ptr> playback_plan_of(const score& s, const render_options& options,
                                           const playback_plan_ptr& before) {
  auto played = render(s, options);
  if (!played) return fail(played.error());
  auto time = unfolded(s);
  if (!time) return fail(time.error());
  auto plan = std::make_shared<playback_plan>();
  add_events(*played, *plan);
  add_bars(s, *played, *time, *plan);
  plan->written = s.parts;
  identify_measures(*plan, before.get());
  plan->tempo = played->tempo;
  plan->end = played->tempo.time_at(played->end);
  if (!plan->events.empty()) plan->end = std::max(plan->end, plan->events.back().time);
  plan->ports = std::max(1, played->ports());
  for (auto& p : s.parts)
    plan->parts.push_back(p->name);
  for (auto& left : played->left_out)
    plan->left_out.push_back(left.message);
  return playback_plan_ptr{std::move(plan)};
}

std::optional<std::size_t> bar_of_measure(const playback_plan& plan, std::string_view number) {
  auto found =
      std::find_if(plan.bars.begin(), plan.bars.end(), [&](auto& b) { return b.number == number; });
  if (found == plan.bars.end()) return std::nullopt;
  return static_cast<std::size_t>(found - plan.bars.begin());
}

result<time_range> range_of_measures(const playback_plan& plan, std::string_view first,
                                     std::string_view last) {
  auto missing = [](std::string_view number, std::string_view why) {
    return fail({errc::no_such_target,
                 "there is no measure " + std::string{number} + std::string{why}, std::nullopt,
                 "Name measures by their printed numbers."});
  };
  std::size_t begin = 0;
  if (!first.empty()) {
    auto found = bar_of_measure(plan, first);
    if (!found) return missing(first, {});
    begin = *found;
  }
  time_range range{plan.bars.empty() ? std::chrono::nanoseconds{} : plan.bars[begin].time,
                   plan.end};
  if (last.empty()) return range;
  auto end = std::find_if(plan.bars.begin() + static_cast<std::ptrdiff_t>(begin), plan.bars.end(),
                          [&](auto& b) { return b.number == last; });
  if (end == plan.bars.end())
    return missing(last, bar_of_measure(plan, last) ? " after measure " + plan.bars[begin].number
                                                    : std::string{});
  if (++end != plan.bars.end()) range.to = end->time;
  return range;
}

bool has_notes(const playback_plan& plan, const time_range& range,
               const std::vector<bool>& silent) {
  auto is_heard = [&](const playback_plan::event& e) {
    return (e.bytes[0] & 0xF0) == 0x90 && (e.part >= silent.size() || !silent[e.part]);
  };
  auto from = plan.events.begin() + static_cast<std::ptrdiff_t>(event_from(plan, range.from));
  auto to = plan.events.begin() + static_cast<std::ptrdiff_t>(event_from(plan, range.to));
  if (from < to && std::any_of(from, to, is_heard)) return true;
  std::vector<std::uint32_t> held;
  held.reserve(playback_plan::most_held);
  held_at(plan, range.from, held);
  return std::any_of(held.begin(), held.end(), [&](auto i) { return is_heard(plan.events[i]); });
}

std::vector<std::uint32_t> parts_beyond(const playback_plan& plan, int groups) {
  std::set<std::uint32_t> within, beyond;
  for (auto& c : plan.channels)
    (c.port < groups ? within : beyond).insert(c.part);
  std::vector<std::uint32_t> found;
  std::set_difference(beyond.begin(), beyond.end(), within.begin(), within.end(),
                      std::back_inserter(found));
  return found;
}

std::string silence_beyond(const playback_plan& plan, int groups, std::vector<bool>& silent) {
  constexpr std::size_t most_named = 8;
  std::string names;
  std::size_t count = 0;
  silent.resize(std::max(silent.size(), plan.parts.size()));
  for (auto part : parts_beyond(plan, groups)) {
    if (silent[part]) continue;
    silent[part] = true;
    if (++count <= most_named) names += (names.empty() ? "" : ", ") + plan.parts[part];
  }
  if (count > most_named) names += " and " + std::to_string(count - most_named) + " more";
  return names;
}

std::size_t event_from(const playback_plan& plan, std::chrono::nanoseconds time) {
  auto found = std::lower_bound(plan.events.begin(), plan.events.end(), time,
                                [](auto& e, auto t) { return e.time < t; });
  return static_cast<std::size_t>(found - plan.events.begin());
}

channel_states state_before(const playback_plan& plan, std::size_t event) {
  channel_states state;
  state_before(plan, event, state);
  return state;
}

void state_before(const playback_plan& plan, std::size_t event, channel_states& state) {
  std::size_t piece = 0;
  if (plan.states.empty()) {
    state.clear();
  } else {
    piece = std::min(event / playback_plan::state_step, plan.states.size() - 1);
    state = plan.states[piece];
  }
  for (auto i = piece * playback_plan::state_step; i < event; ++i) {
    auto& e = plan.events[i];
    state.apply(e.port, {e.bytes, e.size});
  }
}

void held_at(const playback_plan& plan, std::chrono::nanoseconds time,
             std::vector<std::uint32_t>& notes) {
  notes.clear();
  if (plan.held.empty()) return;
  auto event = event_from(plan, time);
  auto piece = std::min(event / playback_plan::state_step, plan.held.size() - 1);
  for (auto i : plan.held[piece])
    if (notes.size() < notes.capacity()) notes.push_back(i);
  for (auto i = piece * playback_plan::state_step; i < event; ++i)
    follow_notes(plan, i, notes);
  // Without those that end at once.
  for (auto i = event; i < plan.events.size(); ++i) {
    if (plan.events[i].time >= time + shortest_rest_of_note) break;
    if ((plan.events[i].bytes[0] & 0xF0) == 0x80) follow_notes(plan, i, notes);
  }
}

std::size_t bar_at(const playback_plan& plan, std::chrono::nanoseconds time) {
  auto after = std::upper_bound(plan.bars.begin(), plan.bars.end(), time,
                                [](auto t, auto& b) { return t < b.time; });
  return after == plan.bars.begin() ? 0 : static_cast<std::size_t>(after - plan.bars.begin()) - 1;
}

}  // namespace fermata::midi
